"""Pushes: a force on a segment from outside, for a while."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.body.joints import SEGMENTS
from segue.curves.quaternion import Array
from segue.errors import ArgumentError

__all__ = ["Push", "Shoves"]

_WAYS = {"left": (1.0, 0.0), "right": (-1.0, 0.0), "forward": (0.0, 1.0), "back": (0.0, -1.0)}
_PLACES = {"chest": "torso", "back": "torso", "hips": "pelvis", "hip": "pelvis"}
_EXAMPLE = '"t=3 s, 80 N, 0.1 s, left, chest"'


@dataclass(frozen=True)
class Push:
    """A shove. time: s when it begins. force: N. lasting: s. towards: "left", "right", "forward" or "back", as the
    dancer faces then. segment: of the figure, at whose centre of mass it acts.
    """

    time: float
    force: float
    lasting: float
    towards: str
    segment: str = "torso"

    def __post_init__(self) -> None:
        for name, value, least in (
            ("time", self.time, 0.0),
            ("force", self.force, 0.0),
            ("lasting", self.lasting, 1e-3),
        ):
            if not (np.isfinite(value) and value >= least):
                raise ArgumentError(f"the push's {name} is {value}: it must be a number of at least {least:g}")
        if self.towards not in _WAYS:
            raise ArgumentError(f"the push goes to '{self.towards}': it must be one of {', '.join(_WAYS)}")
        if self.segment not in SEGMENTS:
            raise ArgumentError(f"the figure has no segment '{self.segment}' to push: it has {', '.join(SEGMENTS)}")

    @classmethod
    def parse(cls, text: str) -> Push:
        """Return the push of a phrase such as "t=3 s, 80 N, 0.1 s, left, chest"."""
        parts = [part.strip().lower() for part in text.split(",")]
        try:
            when, force, lasting, towards, place = parts
            time = _number(when.removeprefix("t").strip().removeprefix("="), "s")
            return cls(time, _number(force, "n"), _number(lasting, "s"), towards, _PLACES.get(place, place))
        except (ValueError, TypeError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise ArgumentError(
                f"'{text}' is no push: time, force, duration, direction and place are needed, such as {_EXAMPLE}"
            ) from None

    def at(self, time: float, facing: Array) -> Array:
        """Return the force (3,) in the world at a time; facing: (3, 3) the pelvis's axes as columns."""
        if not self.time <= time < self.time + self.lasting:
            return np.zeros(3)
        across, ahead = _WAYS[self.towards]
        level = (across * facing[:, 0] + ahead * facing[:, 2]) * np.array([1.0, 0.0, 1.0])
        force: Array = self.force * level / np.linalg.norm(level)
        return force


class Shoves:
    """Pushes as they act on a body, each while it lasts."""

    def __init__(self, pushes: Sequence[Push]) -> None:
        self._pushes = [(push, 1 + SEGMENTS.index(push.segment)) for push in pushes]

    def press(self, time: float, data: Any) -> None:
        """Add the pushes of this moment to the engine's forces."""
        facing = data.xmat[1].reshape(3, 3)
        for push, body in self._pushes:
            data.xfrc_applied[body, :3] += push.at(time, facing)


def _number(text: str, unit: str) -> float:
    found = re.fullmatch(rf"([-+0-9.e]+)\s*{unit}?", text.strip())
    if found is None:
        raise ValueError(text)
    return float(found[1])
