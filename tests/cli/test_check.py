"""`segue check` as scripts and people meet it: exit codes, JSON, table and picture."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from segue import clips
from segue.cli import main
from segue.io import write
from segue.motion.clip import Clip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good clip, and one whose feet slide 15 cm from 1 to 2 s."""
    folder = tmp_path_factory.mktemp("check")
    good = clips.clip("stand")
    write(good, folder / "good.bvh")
    positions = good.positions.copy()
    positions[:, 0, 2] += 0.15 * np.clip(good.times - 1.0, 0.0, 1.0)
    write(Clip.on(good.skeleton, positions, good.rotations.copy(), good.fps), folder / "slid.glb")
    return folder


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `segue check` in this process, which is quicker than one of its own: exit code, stdout and stderr."""
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["segue", "check", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0), *capsys.readouterr()

    return run


def test_a_plausible_clip_passes(folder: Path, here: Run) -> None:
    code, shown, told = here(folder / "good.bvh")
    assert code == 0, told
    assert "241 frames: plausible" in shown
    assert "too much" not in shown
    for measure in ("foot slide", "floor penetration", "joint limits", "joint jump", "jerk", "flight", "torque"):
        assert measure in shown


def test_an_implausible_clip_fails_with_place_and_size(folder: Path, here: Run) -> None:
    code, printed, told = here(folder / "slid.glb", "--json")
    assert code == 1, told
    found = json.loads(printed)
    assert found["plausible"] is False
    assert found["slide"]["slide_cm"] == pytest.approx(15, abs=1.5)
    assert len(found["problems"]) == 1
    assert found["problems"][0].startswith("foot slide: 1")
    assert found["thresholds"]["slide_cm"] == 5
    code, shown, _ = here(folder / "slid.glb")
    assert code == 1
    assert "too much" in shown
    assert "1 of 9 measures too large" in shown


def test_thresholds_and_window_decide(folder: Path, here: Run) -> None:
    assert here(folder / "slid.glb", "--max-slide", 20)[0] == 0
    assert here(folder / "slid.glb", "--from", 2.2)[0] == 0
    code, shown, _ = here(folder / "slid.glb", "--max-slide", "inf", "--json")
    assert code == 0
    assert json.loads(shown)["thresholds"]["slide_cm"] is None
    assert here("clips.run", "--max-jerk", 1)[0] == 1


def test_scripts_are_checked_like_clips(folder: Path, here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "late.segue").write_text("affine(clips.walk, 2)\n")
    code, shown, _ = here("late.segue", "--json")
    assert code == 0
    found = json.loads(shown)
    assert (found["start_s"], found["stop_s"]) == (2.0, pytest.approx(5.2))
    (folder / "number.segue").write_text("1 + 1\n")
    code, _, complaint = here("number.segue")
    assert code == 2
    assert "motion" in complaint


def test_the_picture_is_drawn(folder: Path, here: Run) -> None:
    for name, first in (("slid.png", b"\x89PNG"), ("slid.svg", b"<?xml")):
        assert here(folder / "slid.glb", "--plot", folder / name)[0] == 1
        drawn = (folder / name).read_bytes()
        assert drawn.startswith(first)
        assert len(drawn) > 10_000


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("nothing.bvh",), "nothing.bvh"),
        (("clips.stand", "--from", "9"), "4 s"),
        (("clips.stand", "--max-slide", "-1"), "slide_cm"),
        (("clips.stand", "--floor", "nan"), "floor"),
        (("clips.stand", "--plot", "out.txt"), ".png"),
        (("clips.moonwalk",), "walk"),
        (("walk.usda",), "files that can be read end in .bvh"),
    ],
)
def test_bad_input_is_not_an_implausible_clip(
    arguments: tuple[str, ...], word: str, tmp_path: Path, here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown, complaint = here(*arguments)
    assert code == 2
    assert shown == ""
    assert word in complaint
    assert not list(tmp_path.iterdir())
