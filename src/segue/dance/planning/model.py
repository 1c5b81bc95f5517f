"""Data of a plan: timed footsteps, goals of body and joints, tempo and style.

The floor is the x-z plane, y is up. A heading is an angle in rad about y, counter-clockwise seen from above. 0 faces
+Z, which is the line of dance at the start of a plan. Its left, +X, is then the centre of the floor. Times are in s
from the start of the plan; the first beat comes after a lead-in.
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
"""Slowest and fastest tempo in bars per minute."""
_RANGES = {
    "step_size": (0.2, 1.6, "a factor"),
    "lean": (-0.35, 0.35, "rad"),
    "timing": (0.0, 0.1, "s"),
    "rise": (0.0, 2.0, "a factor"),
}


class Tempo(NamedTuple):
    """Tempo of the music: bars per minute, and beats per bar."""

    bars: float
    beats_per_bar: int

    @property
    def beat(self) -> float:
        """Seconds per beat."""
        return 60.0 / (self.bars * self.beats_per_bar)


class Footprint(NamedTuple):
    """A flat foot on the floor: the point under its ankle (x, z) in m, and the heading of its toes in rad."""

    x: float
    z: float
    heading: float


class Stance(NamedTuple):
    """Both feet, the heading of the body, and the foot that bears the weight: "left", "right" or "both"."""

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
    """Move of one foot from one footprint to the next.

    foot: "left" or "right". lift, land: times of leaving and touching the floor in s, land on the beat. landing: the
    part that touches first. settled: time in s from which it bears as in `bearing`, until the next lift. weight:
    whether it takes the weight. via: points of the floor (x, z) on its path, such as round the other foot. step: index
    in `Plan.steps`. A foot that pivots, rises or sinks on the spot has a footstep without flight: lift equals land.
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
    """Goal of the whole body at a time.

    heading: of the pelvis, rad, unwrapped. weight: 0 all on the left foot, 1 all on the right. rise: m above (below, if
    negative) the usual height of the pelvis. sway: rad, to the dancer's left. passing: whether the body
    passes the goal without slowing down.
    """

    time: float
    heading: float
    weight: float
    rise: float
    sway: float
    passing: bool


class JointGoal(NamedTuple):
    """Goal of one joint, by the name of its track: quaternion (4,) of a ball joint or angle (1,) of a hinge."""

    time: float
    joint: str
    value: Array
    passing: bool


@dataclass(frozen=True)
class PlannedStep:
    """A step of the notation in time: from its first beat, on which its foot lands, to the end of its last beat."""

    step: Step
    pattern: Pattern
    number: int
    start: float
    stop: float
    stance: Stance


@dataclass(frozen=True, eq=False)
class Plan:
    """Footsteps on the beat, and goals of body and joints, for one dancer.

    steps: in order, each with the stance at its end. begins: the stance at time 0. goals: of head, upper body and arms.
    stop: end of the plan in s, after the last step and a time to come to rest.
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
        """Times of all beats in s, from the first to the end of the last step."""
        count = sum(planned.step.beats for planned in self.steps)
        times: Array = self.lead_in + self.tempo.beat * np.arange(count + 1, dtype=np.float64)
        return times

    @property
    def step_ends(self) -> Array:
        """The end time of each step, (steps,) in s: just before the next foot leaves the floor."""
        lifts = np.sort([step.lift for step in self.footsteps])
        ends = []
        for planned in self.steps:
            later = lifts[lifts > planned.start + 1e-6]
            ends.append(min(float(later[0]) if len(later) else planned.stop, planned.stop))
        return np.array(ends)

    @property
    def ends(self) -> Stance:
        """The last stance."""
        return self.steps[-1].stance if self.steps else self.begins

    def of_foot(self, side: str) -> list[Footstep]:
        """Return the footsteps of one foot, in order of time."""
        return sorted((step for step in self.footsteps if step.foot == side), key=lambda step: (step.lift, step.land))

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
    """Return a tempo, or raise ArgumentError if it cannot be danced."""
    if not (math.isfinite(tempo.bars) and SLOWEST <= tempo.bars <= FASTEST):
        raise ArgumentError(
            f"the tempo is {tempo.bars:g} bars a minute: it must lie between {SLOWEST:g} and {FASTEST:g}"
        )
    if tempo.beats_per_bar < 1:
        raise ArgumentError(f"the tempo has {tempo.beats_per_bar} beats a bar: there must be at least one")
    return tempo


@dataclass(frozen=True)
class Style:
    """Style of one dancer.

    step_size: factor on the length of steps. lean: forward lean of the upper body in rad, back if negative. timing:
    largest random deviation of landings from the beat in s. seed: of these deviations. rise: factor on rise and fall.
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
"""The default style: on the beat, with steps of the usual size."""
