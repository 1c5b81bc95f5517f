"""Every Python example runs from top to bottom and leaves behind what it says."""

from __future__ import annotations

import re
import runpy
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import matplotlib
import pytest

import segue as sg
from segue.spacetime import objectives

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("[0-9]*.py"))


@pytest.fixture(autouse=True)
def _left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("warnings.showwarning", warnings.showwarning)
    with mock.patch.dict(objectives._objectives), matplotlib.rc_context({"backend": "agg"}):
        yield


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_every_example_runs(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [example.name, str(tmp_path)])
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
    pictures = list(tmp_path.glob("*.png"))
    assert pictures
    for picture in pictures:
        assert picture.stat().st_size > 1000
    for motion in tmp_path.glob("*.bvh"):
        if motion.name != "broken.bvh":
            assert len(sg.load(motion)) > 1


def test_mending_brings_the_hand_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / "04_mend_bad_capture.py"))["main"](tmp_path)
    said = capsys.readouterr().out
    assert "mended: nothing is wrong" in said
    bad, mended = (float(cm) for cm in re.findall(r"up to ([\d.]+) cm", said))
    assert mended < 0.1 * bad


def test_checking_finds_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runpy.run_path(str(FOLDER / "06_check_in_ci.py"))["main"](tmp_path) == 1
    said = capsys.readouterr().out
    assert re.search(r"walk.bvh +fine", said)
    assert "hasty.bvh: foot slide" in said
    assert "broken.bvh: " in said


@pytest.mark.parametrize("example", [*EXAMPLES, *sorted(FOLDER.glob("*.segue"))], ids=lambda example: example.name)
def test_examples_say_how_to_run_them(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert f"examples/{example.name}" in text
    assert re.match(r"\d\d_", example.name)
