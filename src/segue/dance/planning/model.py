"""A plan: what a dancer's feet and body are to do, and when, before anything moves.

The floor is the x-z plane, y is up. A heading is an angle in rad about y, counter-clockwise seen from above: 0 faces
+Z, which is the line of dance where a plan begins; its left, +X, is then the centre of the floor. Times are in s; 0 is
the first moment of the plan, and the first beat comes after a lead-in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.dance.notation.model import Pattern, Step
from segue.errors import ArgumentError
from segue.typing import Array

SLOWEST, FASTEST = 1.0, 240.0
"""Bars a minute that are danced, at least and at most."""
_RANGES = {
    "step_size": (0.2, 1.6, "a factor"),
    "lean": (-0.35, 0.35, "rad"),
    "timing": (0.0, 0.1, "s"),
    "rise": (0.0, 2.0, "a factor"),
}


class Tempo(NamedTuple):
    """How fast the music is: bars a minute, and beats a bar."""

    bars: float
    beats_per_bar: int

    @property
    def beat(self) -> float:
        """Seconds a beat."""
        return 60.0 / (self.bars * self.beats_per_bar)


class Footprint(NamedTuple):
    """Where a foot rests, flat: the point of the floor under its ankle joint (x, z) in m, and where its toes point."""

    x: float
    z: float
    heading: float


class Stance(NamedTuple):
    """Both feet, where the body faces, and which foot bears the weight: "left", "right" or "both"."""

    left: Footprint
    right: Footprint
    heading: float
    weight: str = "both"


class Bearing(StrEnum):
    """Which part of a foot touches the floor."""

    HEEL = "heel"
    TOE = "toe"
    FLAT = "flat"


@dataclass(frozen=True)
class Footstep:
    """One foot's way from one footprint to the next.

    foot: "left" or "right". lift, land: s when it leaves the floor, and when it touches it again: on the beat. landing:
    the part that touches first; settled: s when it bears as in `bearing`, which it does until it leaves the floor
    again. weight: whether it takes the weight. via: points of the floor (x, z) that it passes, such as round the other
    foot. step: index in `Plan.steps`. A foot that pivots, or only rises or sinks where it stands, has a footstep
    without flight: lift equals land.
    """

    foot: str
    start: Footprint
    end: Footprint
    lift: float
    land: float
    settled: float
    landing: Bearing
    bearing: Bearing
    weight: bool
    step: int
    via: tuple[tuple[float, float], ...] = ()


class BodyGoal(NamedTuple):
    """What the body as a whole reaches at a time.

    heading: of the pelvis, rad, unwrapped. weight: 0 all on the left foot, 1 all on the right. rise: m above (below, if
    negative) the usual height of the pelvis. sway: rad, to the dancer's left. passing: whether it is an intermediate
    goal, which is not slowed down at.
    """

    time: float
    heading: float
    weight: float
    rise: float
    sway: float
    passing: bool


class JointGoal(NamedTuple):
    """What one joint reaches at a time: a ball joint's quaternion (4,) or a hinge's angle (1,); names of tracks."""

    time: float
    joint: str
    value: Array
    passing: bool


@dataclass(frozen=True)
class PlannedStep:
    """A step of the notation in time: from its first beat, on which its foot lands, to its last one's end."""

    step: Step
    pattern: Pattern
    number: int
    start: float
    stop: float
    stance: Stance


@dataclass(frozen=True, eq=False)
class Plan:
    """Footsteps on the beat, and goals of body and joints, for one dancer.

    steps: in order; each one's stance is that at its end. begins: how the dancer stands at time 0. goals: of joints
    that no footstep decides (head, upper body, arms). stop: s, the end of the last step's beats plus a moment to come
    to rest.
    """

    figure: Figure
    tempo: Tempo
    begins: Stance
    steps: tuple[PlannedStep, ...]
    footsteps: tuple[Footstep, ...]
    body: tuple[BodyGoal, ...]
    goals: tuple[JointGoal, ...]
    lead_in: float
    stop: float

    @property
    def beats(self) -> Array:
        """Times of all beats from the first to the end of the last step."""
        count = sum(planned.step.beats for planned in self.steps)
        times: Array = self.lead_in + self.tempo.beat * np.arange(count + 1, dtype=np.float64)
        return times

    @property
    def ends(self) -> Stance:
        """How the dancer stands at the end."""
        return self.steps[-1].stance if self.steps else self.begins

    def of_joint(self) -> Mapping[str, tuple[JointGoal, ...]]:
        """Return the goals of each joint that has any, in order of time."""
        found: dict[str, list[JointGoal]] = {}
        for goal in sorted(self.goals, key=lambda each: each.time):
            found.setdefault(goal.joint, []).append(goal)
        return {joint: tuple(goals) for joint, goals in found.items()}


def read_tempo(tempo: str | float | Tempo, beats_per_bar: int) -> Tempo:
    """Return a tempo: 30 and "30" are bars a minute, "120bpm" is beats a minute."""
    if isinstance(tempo, Tempo | float):
        return checked_tempo(tempo if isinstance(tempo, Tempo) else Tempo(tempo, beats_per_bar))
    text = str(tempo)
    said = re.fullmatch(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*(bpm|bars?)?\s*", text.casefold())
    if said is None:
        raise ArgumentError(f"the tempo is '{text}': bars a minute are needed, as 30, or beats a minute, as 120bpm")
    number = float(said[1])
    return checked_tempo(Tempo(number / beats_per_bar if said[2] == "bpm" else number, beats_per_bar))


def checked_tempo(tempo: Tempo) -> Tempo:
    """Return a tempo, or say what is wrong with it."""
    if not (math.isfinite(tempo.bars) and SLOWEST <= tempo.bars <= FASTEST):
        raise ArgumentError(
            f"the tempo is {tempo.bars:g} bars a minute: it must lie between {SLOWEST:g} and {FASTEST:g}"
        )
    if tempo.beats_per_bar < 1:
        raise ArgumentError(f"the tempo has {tempo.beats_per_bar} beats a bar: there must be at least one")
    return tempo


@dataclass(frozen=True)
class Style:
    """How one dancer differs from another.

    step_size: factor on the length of steps. lean: rad that the upper body inclines forward; back, if negative.
    timing: s by which landings miss the beat at most, early or late, as the seed has it. rise: factor on rise and fall.
    """

    step_size: float = 1.0
    lean: float = 0.0
    timing: float = 0.0
    rise: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (low, high, unit) in _RANGES.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ArgumentError(f"the style's {name} is {value}: it must be {unit} from {low:g} to {high:g}")
        if self.seed < 0:
            raise ArgumentError(f"the style's seed is {self.seed}: it must be 0 or a positive whole number")


PLAIN = Style()
"""As the dance is taught: on the beat, with steps of the usual size."""
