"""`make demo` makes what it says, also where no real clips are."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    assert (out / "figure_6_timeline.png").exists()
    assert (out / "edited.bvh").exists()
    assert str(out) in capsys.readouterr().out.replace("\n", "")
