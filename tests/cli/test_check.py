"""`segue check` as scripts and people meet it: exit codes, JSON, table and picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from segue import clips
from segue.io import write
from segue.motion.clip import Clip
from tests.cli.test_cli import segue


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


def test_a_plausible_clip_passes(folder: Path) -> None:
    done = segue("check", folder / "good.bvh")
    assert done.returncode == 0, done.stderr
    assert "241 frames: plausible" in done.stdout
    assert "too much" not in done.stdout
    for measure in ("foot slide", "floor penetration", "joint limits", "joint jump", "jerk", "flight", "torque"):
        assert measure in done.stdout


def test_an_implausible_clip_fails_with_place_and_size(folder: Path) -> None:
    done = segue("check", folder / "slid.glb", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["plausible"] is False
    assert found["slide"]["slide_cm"] == pytest.approx(15, abs=1.5)
    assert len(found["problems"]) == 1
    assert found["problems"][0].startswith("foot slide: 1")
    assert found["thresholds"]["slide_cm"] == 5
    shown = segue("check", folder / "slid.glb")
    assert shown.returncode == 1
    assert "too much" in shown.stdout
    assert "1 of 9 measures too large" in shown.stdout


def test_thresholds_and_window_decide(folder: Path) -> None:
    assert segue("check", folder / "slid.glb", "--max-slide", 20).returncode == 0
    assert segue("check", folder / "slid.glb", "--from", 2.2).returncode == 0
    endless = segue("check", folder / "slid.glb", "--max-slide", "inf", "--json")
    assert endless.returncode == 0
    assert json.loads(endless.stdout)["thresholds"]["slide_cm"] is None
    assert segue("check", "clips.run", "--max-jerk", 1).returncode == 1


def test_scripts_are_checked_like_clips(folder: Path) -> None:
    (folder / "two.segue").write_text("affine(clips.walk, 2)\n")
    done = segue("check", "two.segue", "--json", cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["frames"] > 0
    (folder / "number.segue").write_text("1 + 1\n")
    wrong = segue("check", "number.segue", cwd=folder)
    assert wrong.returncode == 2
    assert "motion" in wrong.stderr


def test_the_picture_is_drawn(folder: Path) -> None:
    done = segue("check", folder / "slid.glb", "--plot", folder / "slid.svg")
    assert done.returncode == 1, done.stderr
    assert (folder / "slid.svg").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("nothing.bvh",), "nothing.bvh"),
        (("clips.stand", "--from", "9"), "4 s"),
        (("clips.stand", "--max-slide", "-1"), "slide_cm"),
        (("clips.stand", "--floor", "nan"), "floor"),
        (("clips.stand", "--plot", "out.txt"), ".png"),
        (("clips.moonwalk",), "walk"),
    ],
)
def test_bad_input_is_not_an_implausible_clip(arguments: tuple[str, ...], word: str, tmp_path: Path) -> None:
    done = segue("check", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert word in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())
