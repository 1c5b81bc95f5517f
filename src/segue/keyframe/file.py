"""Keyframe files: times, poses, penalties and what stands around, in TOML or JSON.

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
from pathlib import Path
from typing import Any

from segue.body.figure import Figure
from segue.checks import choice, hint, number, shown
from segue.errors import ArgumentError, FileFormatError, SegueError
from segue.keyframe.figure.improve import Coordinates, improve_figure, spline_figure
from segue.keyframe.figure.keys import Key, Load, key, named_pose, pose_key
from segue.keyframe.figure.scene import checked_weight
from segue.keyframe.file_text import FileText, read_tables
from segue.keyframe.improve import Settings, State
from segue.keyframe.penalties.skid import Plant
from segue.motion.box import Box
from segue.motion.motion import Motion

_FIELDS = {
    "": ("keyframe", "penalties", "box", "plant", "figure", "floor", "fps", "coordinates"),
    "keyframe": ("time", "clip", "at", "pose", "move", "set", "joints"),
    "box": ("name", "centre", "size", "heading"),
    "plant": ("point", "start", "stop"),
    "figure": ("stature", "mass", "sex"),
}


@dataclass(frozen=True, eq=False)
class KeyframeFile:
    """What a keyframe file says: see `improve_figure` for what its fields mean."""

    path: Path
    keys: tuple[Key, ...]
    penalties: Mapping[str, float] = field(default_factory=dict)
    boxes: Mapping[str, Box] = field(default_factory=dict)
    plants: tuple[Plant, ...] | None = None
    figure: Figure | None = None
    floor: float | None = None
    fps: float | None = None
    coordinates: Coordinates = Coordinates.JOINTS

    def improve(
        self, settings: Settings | None = None, on_step: Callable[[State], bool | None] | None = None
    ) -> Motion:
        """Return the improved motion."""
        with self._named():
            return improve_figure(
                self.keys,
                self.penalties,
                settings,
                figure=self.figure,
                floor=self.floor,
                boxes=self.boxes,
                plants=self.plants,
                fps=self.fps,
                coordinates=self.coordinates,
                on_step=on_step,
            )

    def spline(self) -> Motion:
        """Return the motion along the plain spline through the keyframes."""
        with self._named():
            return spline_figure(self.keys, figure=self.figure, fps=self.fps)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Say of what goes wrong inside which file it is about."""
        try:
            yield
        except ArgumentError as error:
            raise FileFormatError(str(error), self.path) from error


def read_keyframes(path: str | Path, load: Load) -> KeyframeFile:
    """Return what a keyframe file says; load: how clips that it names are found."""
    tables, file = read_tables(path)
    _check_fields(file, "", tables)
    rows = _list_of_tables(file, tables, "keyframe")
    if len(rows) < 2:
        raise file.error(f"there are {len(rows)} keyframes: at least 2 are needed, with something between them")
    keys = tuple(_keyframe(file, k, row, load) for k, row in enumerate(rows))
    for k in range(1, len(keys)):
        if not keys[k].time > keys[k - 1].time:
            raise file.error(
                f"the keyframe at {keys[k].time:g} s comes after one at {keys[k - 1].time:g} s: times must increase",
                "time",
                "keyframe",
                k,
            )
    plants = [_plant(file, k, row) for k, row in enumerate(_list_of_tables(file, tables, "plant"))]
    boxes: dict[str, Box] = {}
    for k, row in enumerate(_list_of_tables(file, tables, "box")):
        name = row.get("name", f"box {k + 1}")
        if not isinstance(name, str) or not name or name in boxes:
            raise file.error(f"the box's name is {shown(name)}: a text of its own is needed", "name", "box", k)
        boxes[name] = _box(file, k, row)
    return KeyframeFile(
        Path(path),
        keys,
        _penalties(file, tables.get("penalties", {}), boxes),
        boxes,
        tuple(plants) if plants else None,
        _figure(file, tables["figure"]) if "figure" in tables else None,
        _optional(file, tables, "floor"),
        _optional(file, tables, "fps"),
        _coordinates(file, tables.get("coordinates", Coordinates.JOINTS)),
    )


def _coordinates(file: FileText, name: object) -> Coordinates:
    with _at_line(file, "coordinates", "", 0):
        return choice("coordinates", name, Coordinates)


def _check_fields(file: FileText, table: str, row: Mapping[str, Any], index: int = 0) -> None:
    known = _FIELDS[table]
    for name in row:
        if name not in known:
            where = f"a {table} has" if table else "keyframe files have"
            raise file.error(f"{where} no field '{name}': {hint(name, known, 'there are')}", name, table, index)


def _list_of_tables(file: FileText, tables: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rows = tables.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise file.error(f"'{name}' must be a list of tables: write [[{name}]] before each", name)
    for k, row in enumerate(rows):
        _check_fields(file, name, row, k)
    return rows


@contextmanager
def _at_line(file: FileText, word: str, table: str, index: int) -> Iterator[None]:
    """Say of what goes wrong inside where in the file it stands."""
    try:
        yield
    except SegueError as error:
        if isinstance(error, FileFormatError) and error.path == file.path:
            raise  # it is said already
        raise file.error(str(error), word, table, index) from error


def _number(file: FileText, row: Mapping[str, Any], name: str, table: str, index: int = 0) -> float:
    if name not in row:
        raise file.error(f"'{name}' is missing: a finite number is needed", name, table, index)
    with _at_line(file, name, table, index):
        return number(f"'{name}'", row[name], needed="a finite number is needed")


def _numbers(file: FileText, row: Mapping[str, Any], name: str, table: str, index: int) -> tuple[float, float, float]:
    if name not in row:
        raise file.error(f"'{name}' is missing: a list of three numbers is needed", name, table, index)
    values = row[name]
    if not isinstance(values, list) or len(values) != 3:
        raise file.error(f"'{name}' is {shown(values)}: a list of three numbers is needed", name, table, index)
    x, y, z = (_number(file, {name: value}, name, table, index) for value in values)
    return x, y, z


def _optional(file: FileText, row: Mapping[str, Any], name: str) -> float | None:
    return _number(file, row, name, "") if name in row else None


def _keyframe(file: FileText, k: int, row: Mapping[str, Any], load: Load) -> Key:
    time = _number(file, row, "time", "keyframe", k)
    settings = row.get("set", {})
    if not isinstance(settings, dict):
        raise file.error("'set' must be a table of joints and degrees", "set", "keyframe", k)
    if "clip" in row and "pose" in row:
        raise file.error("a keyframe has a clip or a pose, not both: leave one out", "pose", "keyframe", k)
    if "at" in row and "clip" not in row:
        raise file.error("'at' is a time of a clip: say which with 'clip'", "at", "keyframe", k)
    if not {"clip", "pose", "set"} & row.keys():
        raise file.error(
            "the keyframe says nothing: give it a clip, a pose, or joints with 'set'", "time", "keyframe", k
        )
    with _at_line(file, next(iter(settings), "set"), "keyframe", k):
        for name, value in settings.items():
            pose_key(time, {name: value})  # what is wrong with a joint is wrong whatever it is set on
    with _at_line(file, "clip" if "clip" in row else "pose" if "pose" in row else "set", "keyframe", k):
        if "clip" in row:
            at = _number(file, row, "at", "keyframe", k)
            made = key(load(_text(file, row, "clip", k)), at, time)
        elif "pose" in row:
            made = named_pose(_text(file, row, "pose", k), time, load)
        else:
            made = pose_key(time, settings)
    if "move" in row:
        with _at_line(file, "move", "keyframe", k):
            made = made.moved(_numbers(file, row, "move", "keyframe", k))
    made = made.posed(settings)
    if "joints" in row:
        with _at_line(file, "joints", "keyframe", k):
            names = row["joints"]
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise ArgumentError("'joints' must be a list of names of joints or groups")
            made = made.only(names)
    return made


def _text(file: FileText, row: Mapping[str, Any], name: str, k: int) -> str:
    value = row[name]
    if not isinstance(value, str):
        raise file.error(f"'{name}' is {shown(value)}: a text in quotes is needed", name, "keyframe", k)
    return value


def _box(file: FileText, k: int, row: Mapping[str, Any]) -> Box:
    heading = math.radians(_number(file, row, "heading", "box", k)) if "heading" in row else 0.0
    centre, size = _numbers(file, row, "centre", "box", k), _numbers(file, row, "size", "box", k)
    with _at_line(file, "size", "box", k):
        return Box(centre, size, heading)


def _plant(file: FileText, k: int, row: Mapping[str, Any]) -> Plant:
    start, stop = _number(file, row, "start", "plant", k), _number(file, row, "stop", "plant", k)
    point = row.get("point")
    with _at_line(file, "point", "plant", k):
        if not isinstance(point, str) or point not in Figure.standard().points:
            raise ArgumentError(f"there is no point {shown(point)}: there are {', '.join(Figure.standard().points)}")
        return Plant(point, start, stop)


def _penalties(file: FileText, weights: object, boxes: Mapping[str, Box]) -> dict[str, float]:
    if not isinstance(weights, dict):
        raise file.error("'penalties' must be a table of names and weights", "penalties")
    found = {}
    for name, weight in weights.items():
        # a space cannot stand in a bare name of TOML
        plain = name if name in boxes else name.replace("_", " ")
        with _at_line(file, name, "penalties", 0):
            found[plain] = checked_weight(plain, weight, boxes)
    return found


def _figure(file: FileText, row: object) -> Figure:
    if not isinstance(row, dict):
        raise file.error("'figure' must be a table with stature, mass or sex", "figure")
    _check_fields(file, "figure", row)
    stature = _number(file, row, "stature", "figure") if "stature" in row else 1.75
    mass = _number(file, row, "mass", "figure") if "mass" in row else None
    with _at_line(file, "figure", "figure", 0):
        return Figure.standard(stature, mass, str(row.get("sex", "average")))
