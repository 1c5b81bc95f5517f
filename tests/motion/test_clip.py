"""Clips from arrays: what is wrong with them is told in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from segue import clips
from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError, SkeletonError
from segue.motion.clip import Clip
from segue.motion.motion import Motion


def two_joints(**changed: Any) -> Clip:
    parts: dict[str, Any] = {
        "names": ["hip", "knee"],
        "parents": [-1, 0],
        "offsets": np.zeros((2, 3)),
        "positions": np.zeros((3, 2, 3)),
        "rotations": quaternion.identity(3, 2),
        "fps": 30,
    }
    return Clip(**(parts | changed))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"positions": [[1.0, 2.0], [1.0]]}, "the array of positions is .* all rows must have one length"),
        ({"rotations": "none"}, "the array of rotations is 'none': every entry must be a number"),
        ({"offsets": [["a", "b", "c"]] * 2}, "the array of offsets is .* every entry must be a number"),
        ({"fps": "thirty"}, "fps is 'thirty': a positive number of frames a second is needed"),
        ({"fps": [30.0, 30.0]}, "positive number of frames"),
        ({"fps": np.nan}, "positive number of frames"),
        ({"ends": {1: ["x", 0, 0]}}, "the end of joint 1"),
    ],
)
def test_what_is_no_array_of_numbers_is_told(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        two_joints(**changed)


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ({2: [0.0, 1.0, 0.0]}, "joint 2: joints are counted from 0 to 1"),
        ({-1: [0.0, 1.0, 0.0]}, "joint -1"),
        ({1: [0.0, 1.0]}, "'knee' is .*three finite numbers"),
        ({1: [0.0, np.inf, 0.0]}, "'knee' is .*three finite numbers"),
    ],
)
def test_ends_belong_to_joints(end: dict[int, list[float]], sentence: str) -> None:
    with pytest.raises(SkeletonError, match=sentence):
        two_joints(ends=end)


def test_a_map_may_be_a_file(tmp_path: Path) -> None:
    walk, path = clips.clip("walk"), tmp_path / "map.toml"
    path.write_text('left_toe = ""\nright_toe = ""\n', encoding="utf-8")
    assert Motion.from_clip(walk, map=path).clip_source.roles == Motion.from_clip(walk, map=str(path)).clip_source.roles
    assert Motion.from_clip(walk, map=path).clip_source.roles.left.toe is None
    with pytest.raises(FileFormatError, match=r"missing\.toml: cannot be read: there is no such file"):
        Motion.from_clip(walk, map=tmp_path / "missing.toml")
