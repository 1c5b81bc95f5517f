"""Keyframe files: what they can say, and what is told of mistakes in them, with the line."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.cli.source import load_motion
from segue.errors import FileFormatError
from segue.keyframe.file import KeyframeFile, read_keyframes
from segue.keyframe.keys import POSES, named_pose

load = cache(load_motion)

GOOD = """\
floor = -0.01
[[keyframe]]
time = 0.0
pose = "stand"
[[keyframe]]
time = 0.5
pose = "wave_high"
set = { left_elbow_flexion = 45, neck = [0, 30, 0] }
joints = ["arms", "neck"]
[[keyframe]]
time = 1.0
clip = "clips.stand"
at = 0.5
move = [0, 0, 0.01]
[penalties]
torque_change = 0.5
skid = 2
wall = 0
[[box]]
name = "wall"
centre = [0, 1, 3]
size = [2, 2, 0.2]
heading = 30
[[plant]]
point = "left_heel"
start = 0.0
stop = 1.0
"""


def read(folder: Path, text: str, name: str = "keys.toml") -> KeyframeFile:
    (folder / name).write_text(text, encoding="utf-8")
    return read_keyframes(folder / name, load)


def test_a_file_says_keyframes_penalties_and_what_stands_around(tmp_path: Path) -> None:
    given = read(tmp_path, GOOD)
    assert [each.time for each in given.keys] == [0.0, 0.5, 1.0]
    assert "left_knee_flexion" not in given.keys[1].tracks
    assert given.penalties == {"torque change": 0.5, "skid": 2.0, "wall": 0.0}
    assert given.boxes["wall"].heading == pytest.approx(np.radians(30))
    improved = given.inbetween()
    assert np.degrees(improved.at([0.5]).hinge("left_elbow_flexion")[0]) == pytest.approx(45)
    assert improved.duration == 1.0


def test_json_says_the_same(tmp_path: Path) -> None:
    one = read(tmp_path, GOOD)
    other = read(tmp_path, json.dumps(tomllib.loads(GOOD), indent=1), "keys.json")
    for a, b in zip(one.keys, other.keys, strict=True):
        np.testing.assert_array_equal(a.row, b.row)
    assert (one.penalties, one.boxes, one.plants) == (other.penalties, other.boxes, other.plants)
    assert one.ground is not None
    assert other.ground is not None
    assert one.ground.plane == other.ground.plane == (-0.01, 0.0, 0.0)


def test_figures_of_ones_own(tmp_path: Path) -> None:
    text = "fps = 30\n[figure]\nstature = 1.6\n" + "".join(
        f"[[keyframe]]\ntime = {k}\nset = {{ left_knee = {10 * k} }}\n" for k in range(3)
    )
    improved = read(tmp_path, text).inbetween()
    assert improved.figure.stature == pytest.approx(1.6)
    assert improved.fps == 30
    assert set(improved.tracks) == {"left_knee_flexion"}


def test_bodies_in_the_world_may_be_chosen(tmp_path: Path) -> None:
    keys = "".join(f'[[keyframe]]\ntime = {t}\npose = "{pose}"\n' for t, pose in ((0, "stand"), (1, "kick_front")))
    one, other = (read(tmp_path, f"coordinates = '{name}'\n{keys}").inbetween() for name in ("joints", "world"))
    np.testing.assert_allclose(one.at([0.0, 1.0]).hinges, other.at([0.0, 1.0]).hinges, atol=1e-9)
    assert np.abs(one.at([0.5]).hinges - other.at([0.5]).hinges).max() > 1e-6


def test_every_named_pose_is_a_pose() -> None:
    for name in POSES:
        made = named_pose(name, 1.0, load)
        assert made.time == 1.0
        assert len(made.tracks) == 28
    assert POSES["stand"] == ("clips.stand", 0.0)


MISTAKES = [
    ("time = 0.5", "time = 'noon'", 6, "'time' is 'noon': a number is needed"),
    ("time = 0.5", "time = nan", 6, "'time' is nan"),
    ("time = 0.5", "time = 0.0", 6, "times must increase"),
    ('pose = "wave_high"', 'pose = "wave_hihg"', 7, "did you mean 'wave_high'"),
    ('pose = "wave_high"', "pose = 3", 7, "a text in quotes"),
    ('pose = "wave_high"', 'pose = "stand"\nclip = "clips.walk"', 7, "not both"),
    ('pose = "wave_high"', "at = 1", 7, "name the clip with 'clip'"),
    ("left_elbow_flexion = 45", "left_elbow_flexion = 300", 8, "outside its limits"),
    ("left_elbow_flexion = 45", "left_elbow_flexon = 45", 8, "did you mean left_elbow_flexion"),
    ("neck = [0, 30, 0]", "neck = [0, 0, 0, 0]", 8, "length zero"),
    ("set = {", "sett = {", 8, "\\[keyframe\\] has no 'sett': did you mean 'set'"),
    ('joints = ["arms", "neck"]', 'joints = "arms"', 9, "a list of names of joints or groups is needed"),
    ('joints = ["arms", "neck"]', 'joints = ["armss"]', 9, "did you mean arms"),
    ("move = [0, 0, 0.01]", "move = [0, 0]", 14, "a list of 3 numbers is needed"),
    ("at = 0.5", "at = 50", 12, "defines nothing at 50 s"),
    ("skid = 2", "skid = -2", 17, "the penalty 'skid' is -2"),
    ("skid = 2", "skit = 2", 17, "did you mean 'skid'"),
    ("size = [2, 2, 0.2]", "size = [2, 2, 0]", 22, "must be positive"),
    ("heading = 30", 'heading = "north"', 23, "'heading' is 'north': a number is needed"),
    ('point = "left_heel"', 'point = "left_foot"', 25, "the figure has no point 'left_foot': did you mean"),
    ("stop = 1.0", "stop = 0.0", 25, "must stand for some time"),
    ("floor = -0.01", "flor = -0.01", 1, "did you mean 'floor'"),
    ("floor = -0.01", "floor = ", 1, "not TOML"),
    ("floor = -0.01", "coordinates = 'sphere'", 1, "it must be one of joints, world"),
    ('clip = "clips.stand"', 'clip = "none.bvh"', 12, "none.bvh: cannot be read"),
    ("[penalties]", "[penalties]\n3 = 4 =", 16, "not TOML"),
]


@pytest.mark.parametrize(("right", "wrong", "line", "said"), MISTAKES, ids=[f"{m[1][:20]}" for m in MISTAKES])
def test_mistakes_are_told_with_their_line(tmp_path: Path, right: str, wrong: str, line: int, said: str) -> None:
    assert right in GOOD
    with pytest.raises(FileFormatError, match=said) as told:
        read(tmp_path, GOOD.replace(right, wrong, 1))
    assert told.value.line == line
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "keys.toml", "there are 0 keyframes"),
        ("keyframe = 3", "keys.toml", "must be a list of tables"),
        ("[1, 2]", "keys.json", "an object in braces is needed"),
        ('{"keyframe": [}', "keys.json", "not JSON"),
        (
            '{"keyframe": [{"time": 0, "pose": "stand"},\n{"time": 1, "poze": "stand"}]}',
            "keys.json",
            "json:2: .*'poze'",
        ),
        (
            "penalties = 3\n" + GOOD.partition("[penalties]")[0].replace("floor", "fps"),
            "keys.toml",
            "must be a table: write \\[penalties\\]",
        ),
    ],
)
def test_files_that_are_no_keyframes(tmp_path: Path, text: str, name: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        read(tmp_path, text, name)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no such file"):
        read_keyframes(tmp_path / "none.toml", load)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match="not text"):
        read_keyframes(tmp_path / "bytes.toml", load)


def test_contradictions_name_the_file(tmp_path: Path) -> None:
    given = read(tmp_path, GOOD.replace("floor = -0.01", "floor = 0.5"))
    with pytest.raises(FileFormatError, match=r"keys\.toml: in the keyframe at .* below the ground"):
        given.inbetween()
    assert isinstance(given.spline(), sg.Motion)
