"""`make demo` makes what it says, also where no real clips are."""

from __future__ import annotations

from pathlib import Path

import pytest

import segue as sg
from segue import clips, demo


def test_the_demo_fills_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "gallery"
    monkeypatch.setattr("sys.argv", ["demo", "--out", str(out), "--mocap", str(tmp_path / "none")])
    demo.main()
    for name in clips.NAMES:
        for suffix in (".png", ".bvh", ".glb"):
            assert (out / f"{name}{suffix}").stat().st_size > 1000
    drawn = (
        "figure_2_feet",
        "figure_6_timeline",
        "figure_8_transition",
        "figure_9_salute",
        "figure_10_forearm",
        "animation",
    )
    for name in drawn:
        assert (out / f"{name}.png").stat().st_size > 10_000
    assert len(sg.load(out / "animation.bvh")) > 15 * 60
    assert (out / "edited.bvh").exists()
    assert str(out) in capsys.readouterr().out.replace("\n", "")
