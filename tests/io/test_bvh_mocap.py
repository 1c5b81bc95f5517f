"""Real clips: read, written and read again without loss, and standing where an independent reading puts them."""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from segue.curves import quaternion
from segue.io.bvh import bvh_record, read_bvh, write_bvh
from segue.motion.clip import Clip
from segue.typing import Array

pytestmark = pytest.mark.filterwarnings("error")


@functools.lru_cache(maxsize=1)
def _clip(path: Path) -> Clip:
    return read_bvh(path)


def _rows(clip: Clip) -> Array:
    assert clip.origin is not None
    assert clip.origin.rows is not None
    return clip.origin.rows


def _head_and_values(path: Path) -> tuple[list[list[str]], str, Array]:
    """Return the words of each line before the frames, numbers in their shortest form; the frame time; all numbers."""
    head, frame_time, numbers = re.split(r"Frame Time:\s*(\S+)", path.read_text())
    lines = [[_plain(word) for word in line.split()] for line in head.splitlines() if line.strip()]
    return lines, frame_time, np.array(numbers.split(), dtype=float)


def _plain(word: str) -> str:
    try:
        return repr(float(word))
    except ValueError:
        return word


def _worst_angle(one: Array, other: Array) -> float:
    return float(np.rad2deg(quaternion.angle_between(one, other).max()))


def test_a_clip_survives_the_round_trip_bit_for_bit(mocap_file: Path, tmp_path: Path) -> None:
    clip = _clip(mocap_file)
    path = tmp_path / "written.bvh"
    write_bvh(clip, path)
    lines, frame_time, values = _head_and_values(mocap_file)
    again = read_bvh(path)
    assert _head_and_values(path)[:2] == (lines, frame_time)
    assert _rows(clip).tobytes() == _rows(again).tobytes() == values.tobytes()
    assert bvh_record(again) == bvh_record(clip)
    assert again.skeleton == clip.skeleton
    assert again.rotations.tobytes() == clip.rotations.tobytes()
    assert again.positions.tobytes() == clip.positions.tobytes()


def test_computed_angles_are_the_same_rotations(mocap_file: Path, tmp_path: Path) -> None:
    clip = _clip(mocap_file)
    path = tmp_path / "written.bvh"
    write_bvh(Clip.from_arrays(clip.skeleton, clip.positions, clip.rotations, clip.fps), path)
    again = read_bvh(path)
    assert again.names == clip.names
    assert again.fps == clip.fps
    assert _worst_angle(again.rotations, clip.rotations) < 1e-5
    np.testing.assert_allclose(again.positions, clip.positions, atol=1e-7)


def test_a_computed_gap_is_as_smooth_as_the_clip(mocap_file: Path, tmp_path: Path) -> None:
    clip = _clip(mocap_file)
    part, gap = slice(1, 140), slice(40, 100)
    rows = _rows(clip)[part].copy()
    rows[gap] = np.nan
    assert clip.origin is not None
    origin = dataclasses.replace(clip.origin, rows=rows)
    path = tmp_path / "written.bvh"
    write_bvh(
        Clip.from_arrays(clip.skeleton, clip.positions[part], clip.rotations[part], clip.fps, origin=origin), path
    )
    again = read_bvh(path)
    kept = np.isfinite(rows[:, 0])
    assert _rows(again)[kept].tobytes() == rows[kept].tobytes()
    assert _worst_angle(again.rotations, clip.rotations[part]) < 1e-5
    # the file's own angles may jump by whole turns, the computed ones never do
    steps = np.abs(np.diff(_rows(again)[gap.start - 1 : gap.stop], axis=0))
    own = np.abs(np.diff(_rows(clip)[part][gap.start - 1 : gap.stop], axis=0))
    assert steps.max() <= np.minimum(own, np.abs(360.0 - own)).max() + 1e-6


def test_world_positions_agree_with_an_independent_reading(mocap_file: Path) -> None:
    clip = _clip(mocap_file)
    every = max(1, len(clip) // 20)
    names, expected = _world_positions(mocap_file, every)
    assert names == list(clip.names)
    got, _ = clip.skeleton.forward(clip.positions[::every], clip.rotations[::every])
    np.testing.assert_allclose(got, expected, atol=1e-9 * np.abs(expected).max())


def _world_positions(path: Path, every: int) -> tuple[list[str], Array]:
    """Read a file line by line and place its joints with SciPy's rotations: slow, plain, and nothing of ours."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    names: list[str] = []
    parents: list[int] = []
    offsets: list[list[float]] = []
    channels: list[list[str]] = []
    stack: list[int] = []
    first_row = 0
    for number, words in enumerate(lines):
        if words[0] in ("ROOT", "JOINT"):
            parents.append(stack[-1] if stack else -1)
            names.append(words[1])
        elif words[0] == "End":
            names.append("")
        elif words[0] == "{":
            stack.append(len(names) - 1 if names[-1] else -2)
            if not names[-1]:
                names.pop()
        elif words[0] == "}":
            stack.pop()
        elif words[0] == "OFFSET" and stack[-1] >= 0:
            offsets.append([float(word) for word in words[1:]])
        elif words[0] == "CHANNELS":
            channels.append(words[2:])
        elif words[:2] == ["Frame", "Time:"]:
            first_row = number + 1
            break
    rows = np.array(lines[first_row:][::every], dtype=float)
    places: list[Array] = []
    turns: list[Rotation] = []
    column = 0
    for parent, offset, kinds in zip(parents, offsets, channels, strict=True):
        values = dict(zip(kinds, rows[:, column : column + len(kinds)].T, strict=True))
        column += len(kinds)
        place = np.stack(
            [values.get(f"{axis}position", np.full(len(rows), offset[k])) for k, axis in enumerate("XYZ")], 1
        )
        order = [kind[0] for kind in kinds if kind.endswith("rotation")]
        turn = Rotation.from_euler(
            "".join(order), np.stack([values[f"{axis}rotation"] for axis in order], 1), degrees=True
        )
        places.append(place if parent < 0 else places[parent] + turns[parent].apply(place))
        turns.append(turn if parent < 0 else turns[parent] * turn)
    return names, np.stack(places, axis=1)
