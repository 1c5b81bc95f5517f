"""Keyframe files: times, poses, penalties and what stands around, in TOML or JSON.

An example in TOML:

    floor = 0.0
    [[keyframe]]
    time = 0.0
    clip = "clips.run"                    # from a clip, at one of its times
    at = 0.35
    [[keyframe]]
    time = 0.6
    pose = "stand"                        # or a pose that goes by a name
    move = [0, 0.35, 1.2]                 # its root moved, in metres
    set = { left_elbow_flexion = 90 }     # joints set, in degrees
    joints = ["root", "legs", "left_arm"] # only these count
    [penalties]
    skid = 2                              # 1 is the usual strength
    [[box]]
    name = "step"
    centre = [0, 0.15, 3.0]
    size = [2, 0.3, 1.5]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from segue.body.anthropometry import SEXES
from segue.body.figure import Figure
from segue.errors import ArgumentError, FileFormatError
from segue.keyframe.figure_improvement import Coordinates, inbetween, interpolate
from segue.keyframe.improvement import Settings, State
from segue.keyframe.keys import Key, Load, named_pose
from segue.keyframe.scene import checked_weight
from segue.motion.box import Box
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.spacetime.terms.feet import Plant
from segue.tables import Table, read_table

_KEYS = {
    "": ("keyframe", "penalties", "box", "plant", "figure", "floor", "fps", "coordinates"),
    "keyframe": ("time", "clip", "at", "pose", "move", "set", "joints"),
    "box": ("name", "centre", "size", "heading"),
    "plant": ("point", "start", "stop"),
    "figure": ("stature", "mass", "sex"),
}


@dataclass(frozen=True, eq=False)
class KeyframeFile:
    """Contents of a keyframe file: see `inbetween` for what its fields mean."""

    path: Path
    keys: tuple[Key, ...]
    penalties: Mapping[str, float] = field(default_factory=dict)
    boxes: Mapping[str, Box] = field(default_factory=dict)
    plants: tuple[Plant, ...] | None = None
    figure: Figure | None = None
    ground: Ground | None = None
    fps: float | None = None
    coordinates: Coordinates = Coordinates.JOINTS

    def inbetween(
        self, settings: Settings | None = None, on_step: Callable[[State], bool | None] | None = None
    ) -> Motion:
        """Return the improved motion."""
        with self._named():
            return inbetween(
                self.keys,
                self.penalties,
                settings,
                figure=self.figure,
                ground=self.ground,
                boxes=self.boxes,
                plants=self.plants,
                fps=self.fps,
                coordinates=self.coordinates,
                on_step=on_step,
            )

    def spline(self) -> Motion:
        """Return the motion along the plain spline through the keyframes."""
        with self._named():
            return interpolate(self.keys, figure=self.figure, fps=self.fps)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Name the file in errors that are raised inside."""
        try:
            yield
        except ArgumentError as error:
            raise FileFormatError(str(error), self.path) from error


def read_keyframes(path: str | Path, load: Load) -> KeyframeFile:
    """Return the contents of a keyframe file; load: how clips that it names are found."""
    file = read_table(path, "keyframe file")
    file.check_keys(_KEYS[""])
    rows = _rows(file, "keyframe")
    if len(rows) < 2:
        raise file.error(f"there are {len(rows)} keyframes: at least 2 are needed, with something between them")
    keys = tuple(_keyframe(row, load) for row in rows)
    for row, (before, after) in zip(rows[1:], pairwise(keys), strict=True):
        if not after.time > before.time:
            raise row.error(
                f"the keyframe at {after.time:g} s comes after one at {before.time:g} s: times must increase", "time"
            )
    boxes: dict[str, Box] = {}
    for k, row in enumerate(_rows(file, "box")):
        name = row.text("name", f"box {k + 1}")
        if name in boxes:
            raise row.error(f"two boxes have the name '{name}': each needs a name of its own", "name")
        boxes[name] = _box(row)
    plants = tuple(_plant(row) for row in _rows(file, "plant"))
    return KeyframeFile(
        Path(path),
        keys,
        _penalties(file.table("penalties"), boxes),
        boxes,
        plants or None,
        _figure(file.table("figure")) if "figure" in file else None,
        _floor(file) if "floor" in file else None,
        file.number("fps") if "fps" in file else None,
        file.choice("coordinates", Coordinates, Coordinates.JOINTS),
    )


def _floor(file: Table) -> Ground:
    height = file.number("floor")
    with file.at("floor"):
        return Ground.flat(height)


def _rows(file: Table, name: str) -> list[Table]:
    rows = file.tables(name)
    for row in rows:
        row.check_keys(_KEYS[name])
    return rows


def _keyframe(row: Table, load: Load) -> Key:
    time, angles = row.number("time"), row.table("set")
    if "clip" in row and "pose" in row:
        raise row.error("a keyframe has a clip or a pose, not both: leave one out", "pose")
    if "at" in row and "clip" not in row:
        raise row.error("'at' is a time of a clip: name the clip with 'clip'", "at")
    if not {"clip", "pose", "set"} & row.values.keys():
        raise row.error("the keyframe sets no joint: give it a clip, a pose, or joints with 'set'", "time")
    for name, value in angles.values.items():
        with angles.at(name):
            Key.from_angles(time, {name: value})
    if "clip" in row:
        at, clip = row.number("at"), row.text("clip")
        with row.at("clip"):
            made = Key.from_motion(load(clip), at, time)
    elif "pose" in row:
        pose = row.text("pose")
        with row.at("pose"):
            made = named_pose(pose, time, load)
    else:
        with row.at("set"):
            made = Key.from_angles(time, angles.values)
    if "move" in row:
        with row.at("move"):
            made = made.moved(row.numbers("move", 3))
    made = made.posed(angles.values)
    if "joints" in row:
        with row.at("joints"):
            made = made.only(row.texts("joints", what="names of joints or groups"))
    return made


def _box(row: Table) -> Box:
    heading = math.radians(row.number("heading", 0.0))
    (x, y, z), (width, height, depth) = row.numbers("centre", 3), row.numbers("size", 3)
    with row.at("size"):
        return Box((x, y, z), (width, height, depth), heading)


def _plant(row: Table) -> Plant:
    start, stop = row.number("start"), row.number("stop")
    point = row.text("point")
    with row.at("point"):
        Figure.standard().places([point])
        return Plant(point, start, stop)


def _penalties(weights: Table, boxes: Mapping[str, Box]) -> dict[str, float]:
    found = {}
    for name, weight in weights.values.items():
        # a space cannot stand in a bare key of TOML
        plain = name if name in boxes else name.replace("_", " ")
        with weights.at(name):
            found[plain] = checked_weight(plain, weight, boxes)
    return found


def _figure(row: Table) -> Figure:
    row.check_keys(_KEYS["figure"])
    mass = row.number("mass") if "mass" in row else None
    stature, sex = row.number("stature", 1.75), row.choice("sex", SEXES, "average")
    with row.at():
        return Figure.standard(stature, mass, sex)
