"""Every Python example runs from top to bottom and leaves behind what it says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import segue as sg

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_every_example_runs(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [example.name, str(tmp_path)])
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
    motions = list(tmp_path.glob("*.bvh"))
    assert motions
    for motion in motions:
        assert len(sg.load(motion)) > 1
    for picture in tmp_path.glob("*.png"):
        assert picture.stat().st_size > 1000
