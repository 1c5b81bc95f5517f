"""How a clip is read: units, up axis, names of joints, and the body's mass and sex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

from segue.body.anthropometry import SEXES
from segue.checks import choice, positive
from segue.motion.space import turn_to_y_up

RoleMap = Mapping[str, str | Sequence[str]] | str | Path
"""Joint names by role, or the path of a TOML file with them."""


class ClipOptionNames(TypedDict, total=False):
    """The fields of `ClipOptions` as keyword arguments."""

    scale: float | None
    up: str | None
    map: RoleMap | None
    mass: float | None
    sex: str
    fps: float | None
    stature: float | None


@dataclass(frozen=True)
class ClipOptions:
    """Options of reading a clip; Segue detects each value left as None.

    scale: metres per unit of the clip. up: the axis that points up, "Y" or "Z". map: joint names by role, or a file
    with them. mass: the body's, in kg. sex: "female", "male" or "average", the table of segment masses. fps: frames a
    second of the clip, where its file has a wrong number. stature: in m, of the person in a file without bone lengths,
    as those of AMASS.
    """

    scale: float | None = None
    up: str | None = None
    map: RoleMap | None = None
    mass: float | None = None
    sex: str = "average"
    fps: float | None = None
    stature: float | None = None

    def __post_init__(self) -> None:
        if self.scale is not None:
            positive("scale", self.scale, "metres per unit")
        if self.mass is not None:
            positive("mass", self.mass, "kilograms")
        if self.fps is not None:
            positive("fps", self.fps, "frames a second")
        if self.up is not None:
            turn_to_y_up(self.up)
        choice("sex", self.sex, SEXES)


def clip_options(options: ClipOptions | None, given: ClipOptionNames) -> ClipOptions:
    """Return options, with those that are given by name in place of theirs."""
    return replace(options or ClipOptions(), **given)
