"""Frames that were set aside: no part of a motion, yet written back where a motion is its file with frames changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.io import read, write
from segue.motion.clip import Clip
from segue.motion.resample import joined, select_frames
from tests.body.humanoids import PEOPLE

ADDED = 3
FPS = 60.0


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk with a T pose in front, repeated."""
    clip = PEOPLE["cmu"].walking(frames=150, fps=FPS)
    tpose = quaternion.identity(ADDED, len(clip.skeleton))
    first = Clip.from_arrays(clip.skeleton, np.tile(clip.positions[0], (ADDED, 1, 1)), tpose, FPS)
    path = tmp_path_factory.mktemp("walks") / "walk.bvh"
    write(joined(first, clip), path)
    return path


def rows(path: Path) -> np.ndarray:
    origin = read(path).origin
    assert origin is not None
    assert origin.rows is not None
    return origin.rows


def test_what_is_loaded_and_saved_is_the_same_file(file: Path, tmp_path: Path) -> None:
    sg.save(sg.load(file), tmp_path / "again.bvh")
    assert (tmp_path / "again.bvh").read_bytes() == file.read_bytes()


def test_time_zero_is_the_first_frame_of_the_motion(file: Path) -> None:
    motion, clip = sg.load(file), read(file)
    assert motion.set_aside is not None
    assert len(motion.set_aside) == ADDED
    assert motion.start == 0.0
    assert len(motion) == len(clip) - ADDED
    np.testing.assert_array_equal(motion.to_clip(start=0.0, stop=0.0).rotations[0], clip.rotations[ADDED])
    # the same time is the same frame in every command, with the T pose in the file or without
    alone = sg.Motion.from_clip(select_frames(clip, ADDED, len(clip)))
    np.testing.assert_array_equal(motion.to_clip(start=1.5).rotations, alone.to_clip(start=1.5).rotations)
    np.testing.assert_allclose(motion.at(1.5).root, alone.at(1.5).root, atol=1e-12)


@pytest.mark.parametrize("by", ["command", "python", "language"])
def test_fill_keeps_the_frames_and_their_numbers(
    file: Path, tmp_path: Path, by: str, command: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("walk.bvh").write_bytes(file.read_bytes())
    if by == "command":
        code, _, complaint = command("fill", "walk.bvh", "--gap", "1.0:1.3", "--no-self", "-o", "out.bvh")
        assert code == 0, complaint
    elif by == "python":
        sg.save(sg.fill(sg.load("walk.bvh"), [(1.0, 1.3)]), "out.bvh")
    else:
        sg.language.evaluate('save(fill(load("walk.bvh"), 1.0, 1.3), "out.bvh")')
    before, after = rows(file), rows(tmp_path / "out.bvh")
    assert len(after) == len(before)
    changed = np.flatnonzero((after != before).any(axis=1))
    # times count from the first frame of the motion, here as everywhere
    inside = ADDED + np.arange(1.0 * FPS + 1, 1.3 * FPS)
    assert set(changed) <= set(inside)
    assert len(changed) > 0.9 * len(inside)


def test_frames_set_aside_stay_as_they_are_at_another_rate(file: Path, tmp_path: Path) -> None:
    sg.save(sg.load(file), tmp_path / "slow.bvh", fps=FPS / 2)
    slow, clip = rows(tmp_path / "slow.bvh"), rows(file)
    np.testing.assert_array_equal(slow[:ADDED], clip[:ADDED])
    np.testing.assert_array_equal(slow[ADDED:], clip[ADDED::2])


def test_other_motions_have_no_frames_set_aside(file: Path) -> None:
    walk = sg.load(file)
    made = [
        sg.mirror(walk),
        walk - sg.trim(walk, 1.0, 1.2),
        sg.trim(walk, 0.5, 1.0),
        sg.delete(walk, 0.5, 1.0),
        sg.transition(walk, walk, 0.4, leave=1.0, enter=1.5),
    ]
    for motion in made:
        assert motion.set_aside is None


def test_scene_files_keep_them_too(file: Path, tmp_path: Path) -> None:
    sg.save(sg.load(file), tmp_path / "walk.glb")
    assert len(read(tmp_path / "walk.glb")) == len(read(file))


def test_info_says_how_many_and_why(file: Path, command: Callable[..., tuple[int, str, str]]) -> None:
    code, shown, _ = command("info", file)
    assert code == 0
    assert "150 at 60 a second, 2.48 s, after 3 set aside" in shown
    said = " ".join(shown.split())
    assert "The first 3 frames are set aside, not part of the motion: the body jumps from the last" in said
    assert json.loads(command("info", file, "--json")[1])["set_aside"] == ADDED
