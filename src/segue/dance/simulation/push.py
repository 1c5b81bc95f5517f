"""Pushes: a force on one segment for some time, and files of pushes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from segue import checks
from segue.body.human import HUMAN
from segue.errors import ArgumentError, FileFormatError
from segue.tables import read_text
from segue.typing import Array

# degrees to the left of where the dancer faces
_WAYS = {"forward": 0.0, "left": 90.0, "back": 180.0, "right": 270.0}
_PLACES = {"chest": "torso", "back": "torso", "hips": "pelvis", "hip": "pelvis"}
_EXAMPLE = '"t=3 s, 80 N, 0.1 s, left, chest"'
_ROUNDING = 1e-9
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"


@dataclass(frozen=True)
class Push:
    """A force on the dancer from outside.

    time: s when it begins. force: N. duration: s. direction: "left", "right", "forward", "back", two of them such as
    "forward left", or degrees to the left of forward such as "30 deg", relative to where the dancer faces at that time.
    Each may end in degrees above the horizontal, such as "left up 20 deg" or "30 deg down 10 deg". segment: the segment
    at whose centre of mass the force acts.
    """

    time: float
    force: float
    duration: float
    direction: str
    segment: str = "torso"

    def __post_init__(self) -> None:
        for name, value, least in (
            ("time", self.time, 0.0),
            ("force", self.force, 0.0),
            ("duration", self.duration, 1e-3),
        ):
            checks.number(f"the push's {name}", value, least=least)
        if _angles(self.direction) is None:
            raise ArgumentError(
                f"the push goes to '{self.direction}': it must be one of {', '.join(_WAYS)}, two of them such as "
                "'forward left', or degrees to the left of forward such as '30 deg'"
            )
        if self.segment not in HUMAN.segments:
            raise ArgumentError(
                f"the figure has no segment '{self.segment}' to push: it has {', '.join(HUMAN.segments)}"
            )

    @classmethod
    def parse(cls, text: str) -> Push:
        """Return the push that a phrase describes, such as "t=3 s, 80 N, 0.1 s, left, chest"."""
        parts = [part.strip().lower() for part in text.split(",")]
        try:
            when, force, duration, direction, place = parts
            time = _number(when.removeprefix("t").strip().removeprefix("="), "s")
            segment = _PLACES.get(place, place.replace(" ", "_"))
            return cls(time, _number(force, "n"), _number(duration, "s"), direction, segment)
        except (ValueError, TypeError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise ArgumentError(
                f"'{text}' is no push: time, force, duration, direction and place are needed, such as {_EXAMPLE}"
            ) from None

    @classmethod
    def from_force(cls, time: float, force: Array, duration: float, segment: str, facing: Array) -> Push:
        """Return the push of a force (3,) N in the world; facing: (3, 3) the pelvis's axes as columns.

        Its force is rounded to 0.1 N and its direction to 0.1 degrees, so that `str` describes the push exactly.
        """
        ahead = np.arctan2(facing[0, 2], facing[2, 2])
        level = float(np.hypot(force[0], force[2]))
        angle = round(float(np.degrees(np.arctan2(force[0], force[2]) - ahead)) % 360.0, 1) if level > 0.0 else 0.0
        rise = round(float(np.degrees(np.arctan2(force[1], level))), 1)
        raised = f" {'up' if rise > 0.0 else 'down'} {abs(rise):g} deg" if rise else ""
        size = round(float(np.linalg.norm(force)), 1)
        return cls(time, size, duration, f"{angle % 360.0:g} deg{raised}", segment)

    def __str__(self) -> str:
        """Return the phrase that `parse` reads."""
        time, force, duration = (float(value) for value in (self.time, self.force, self.duration))
        return f"t={time!r} s, {force!r} N, {duration!r} s, {self.direction}, {self.segment}"

    @property
    def angle(self) -> float:
        """Direction of the push, rad to the left of where the dancer faces."""
        return self._angles[0]

    @property
    def _angles(self) -> tuple[float, float]:
        return _angles(self.direction) or (0.0, 0.0)

    def at(self, time: float, facing: Array) -> Array:
        """Return the force (3,) in the world at a time; facing: (3, 3) the pelvis's axes as columns."""
        if not self.time <= time < self.time + self.duration:
            return np.zeros(3)
        angle, rise = self._angles
        level = (np.sin(angle) * facing[:, 0] + np.cos(angle) * facing[:, 2]) * np.array([1.0, 0.0, 1.0])
        force: Array = self.force * level / np.linalg.norm(level)
        if rise:
            force = np.cos(rise) * force + np.array([0.0, self.force * np.sin(rise), 0.0])
        return force


class PushForces:
    """Applies pushes to a body, each while it lasts."""

    def __init__(self, pushes: Sequence[Push] = ()) -> None:
        self.pushes: list[Push] = []
        for push in pushes:
            self.add(push)

    def __bool__(self) -> bool:
        return bool(self.pushes)

    def add(self, push: Push) -> None:
        """Add a push. The order in which pushes are added makes no difference."""
        self.pushes = sorted([*self.pushes, push], key=lambda each: (each.time, str(each)))

    def apply(self, time: float, data: Any) -> None:
        """Add the forces of the pushes at a time to the engine's forces."""
        facing = data.xmat[1].reshape(3, 3)
        for push in self.pushes:
            data.xfrc_applied[1 + HUMAN.segments.index(push.segment), :3] += push.at(time, facing)


def check_push(push: Push, start: float, stop: float) -> None:
    """Raise ArgumentError for a push that begins before `start` or at or after `stop`, s."""
    if push.time < start - _ROUNDING:
        raise ArgumentError(f"the push at {push.time:g} s comes too late: the dancer is at {start:.2f} s already")
    if push.time >= stop:
        raise ArgumentError(
            f"the push at {push.time:g} s comes after the dance, which ends at {stop:.2f} s: push sooner, or dance"
            " for longer"
        )


def read_pushes(path: str | Path) -> list[Push]:
    """Read a file of pushes: one phrase per line, as `Push.parse` reads it; # begins a comment."""
    found = []
    for number, line in enumerate(read_text(path, "file of pushes", "a phrase a line").splitlines(), 1):
        phrase = line.partition("#")[0].strip()
        if phrase:
            try:
                found.append(Push.parse(phrase))
            except ArgumentError as error:
                raise FileFormatError(str(error), path, number) from None
    return found


def _number(text: str, unit: str) -> float:
    found = re.fullmatch(rf"({_NUMBER})\s*{unit}?", text.strip())
    if found is None:
        raise ValueError(text)
    return float(found[1])


_RAISED = rf"(.*?)(?:\s+(up|down)\s+({_NUMBER})\s*(?:deg|degrees|°))?"


def _angles(direction: str) -> tuple[float, float] | None:
    """Return the angles of a direction, rad to the left of forward and above the horizontal; None for other text."""
    parts = re.fullmatch(_RAISED, direction.strip())
    angle = None if parts is None else _angle(parts[1])
    if parts is None or angle is None:
        return None
    rise = 0.0 if parts[2] is None else float(np.radians(float(parts[3]))) * (1.0 if parts[2] == "up" else -1.0)
    return (angle, rise) if abs(rise) <= 0.5 * np.pi + _ROUNDING else None


def _angle(direction: str) -> float | None:
    """Return the angle of a direction, rad to the left of forward; None if it is not a direction."""
    turned = re.fullmatch(rf"({_NUMBER})\s*(?:deg|degrees|°)", direction.strip())
    if turned is not None:
        angle = float(np.radians(float(turned[1])))
        return angle if np.isfinite(angle) else None
    words = re.split(r"[\s-]+", direction.strip())
    if not all(word in _WAYS for word in words) or len(words) > 2:
        return None
    angles = [np.radians(_WAYS[word]) for word in words]
    x, z = sum(np.sin(angles)), sum(np.cos(angles))
    if np.hypot(x, z) < 0.5:  # opposite directions
        return None
    return float(np.arctan2(x, z))
