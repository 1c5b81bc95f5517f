"""The motion-verb level: the patterns that a couple can dance now, straight or curved, and the floor that they cover.

A motion verb is a pattern danced from a certain stance [Lake1990, section 4.3]. Besides the patterns of the vocabulary
every couple has verbs of waiting: to hold still, and small steps on the spot or to any side. A curved verb adds an
eighth of a turn to each of its first steps, as dancers do where the line of dance bends.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from segue.dance.behaviour.dancer import Proficiency
from segue.dance.behaviour.position_verbs import CouplePlanner, CoupleShape, boxes_over, couple_positions
from segue.dance.notation.follower import partner_of
from segue.dance.notation.model import MOST_BEATS, Foot, FootPosition, Modifier, Pattern, Step, Turn
from segue.dance.planning.model import Footprint, Stance
from segue.errors import SegueError, SegueWarning
from segue.typing import Array

__all__ = [
    "CELLS",
    "CURVES",
    "HOLD",
    "LEAD",
    "ON_THE_SPOT",
    "Frame",
    "MotionVerb",
    "Outline",
    "Parts",
    "Repertoire",
    "curved",
    "frame_of",
    "holding",
    "moved",
    "to_local",
    "to_world",
]

CELLS = 4
"""Cells per beat in which a couple claims floor."""

LEAD = 2
"""Beats before a verb's first beat in which its first step may begin."""

CURVES = (0, 1, -1, 2, -2)
"""Eighths of a turn to the left that may be added to a pattern."""

HOLD, ON_THE_SPOT = "hold", "on the spot"

_SMALL = {
    ON_THE_SPOT: (FootPosition.IN_PLACE, FootPosition.IN_PLACE),
    "step forward": (FootPosition.FORWARD, FootPosition.FIRST),
    "step back": (FootPosition.BACKWARD, FootPosition.FIRST),
    "step aside": (FootPosition.SECOND, FootPosition.FIRST),
    "step across": (FootPosition.IN_PLACE, FootPosition.SECOND, FootPosition.FIRST, FootPosition.IN_PLACE),
}
_REACHING = (FootPosition.FORWARD, FootPosition.BACKWARD)

_SAMPLES = 3  # in a cell
_SHARPEST = 3  # eighths, the largest turn of a curved step
_ALIKE = 4  # decimals of m and rad by which stances are compared

_ANYBODY = Proficiency(1.0, 0.0)  # waiting needs no skill and is not liked

Frame = tuple[float, float, float]
"""A place on the floor: x and z midway between the leader's feet, and the leader's heading."""

Parts = tuple[Pattern, Pattern]
"""The leader's and the follower's part of a pattern."""


class Outline(NamedTuple):
    """The floor that a couple covers in a verb.

    way: (K, 5) boxes around the couple, `CELLS` per beat, from `LEAD` beats before the first beat. rest: (5,) the box
    of the last stance.
    """

    way: Array
    rest: Array


@dataclass(frozen=True, eq=False)
class MotionVerb:
    """A pattern danced from a stance, in the frame midway between the leader's feet, facing +Z.

    title: of the pattern. parts: leader's and follower's, with added turns. curve: the added turns in eighths to the
    left. shift: the frame at the end. ends: the leader's stance at the end, in that frame.
    """

    title: str
    parts: Parts
    curve: int
    command: Proficiency
    shift: Frame
    ends: Stance

    @property
    def pattern(self) -> Pattern:
        """The leader's part."""
        return self.parts[0]

    @property
    def beats(self) -> int:
        """Duration in beats."""
        return self.pattern.beats

    @property
    def waits(self) -> bool:
        """Whether it is a verb of waiting, not of the vocabulary."""
        return self.title == HOLD or self.title in _SMALL

    @property
    def name(self) -> str:
        """The title with the added turn."""
        side = "left" if self.curve > 0 else "right"
        return f"{self.title}, {abs(self.curve)}/8 {side}" if self.curve else self.title


def moved(boxes: Array, frame: Frame) -> Array:
    """Convert boxes (..., 5) or places (..., 3) from a frame to the floor."""
    x, z, heading = frame
    sine, cosine = math.sin(heading), math.cos(heading)
    there = np.array(boxes, dtype=np.float64)
    there[..., 0], there[..., 1] = (
        x + boxes[..., 0] * cosine + boxes[..., 1] * sine,
        z - boxes[..., 0] * sine + boxes[..., 1] * cosine,
    )
    there[..., 2] += heading
    return there


def curved(parts: Parts, eighths: int) -> Parts | None:
    """Return a pattern with an eighth of a turn added to its first steps, to the left, or right if negative.

    Both partners turn on the same steps. Steps of the leader qualify that take weight and turn by three eighths at
    most. None if too few steps qualify.
    """
    sense = 1 if eighths > 0 else -1
    chosen: list[int] = []
    for k, step in enumerate(parts[0].steps):
        fits = step.takes_weight and step.position is not FootPosition.UNCROSS
        if len(chosen) < abs(eighths) and fits and abs(_eighths(step) + sense) <= _SHARPEST:
            chosen.append(k)
    if len(chosen) < abs(eighths):
        return None
    leader, follower = (
        replace(part, steps=tuple(_turned(step, sense) if k in chosen else step for k, step in enumerate(part.steps)))
        for part in parts
    )
    return leader, follower


def _eighths(step: Step) -> int:
    return 0 if step.turn is None else step.turn.eighths * (1 if step.turn.left else -1)


def _turned(step: Step, more: int) -> Step:
    turn = _eighths(step) + more
    return replace(step, turn=Turn(abs(turn), turn > 0) if turn else None)


def holding(like: Pattern, beats: int, stance: Stance) -> MotionVerb:
    """Return the verb of holding still for a number of beats."""
    counts = [*[MOST_BEATS] * (beats // MOST_BEATS), beats % MOST_BEATS]
    steps = tuple(Step(Foot.HOLD, None, count) for count in counts if count)
    pattern = replace(like, name=HOLD, steps=steps, difficulty=1, notes=())
    return MotionVerb(HOLD, (pattern, partner_of(pattern)), 0, _ANYBODY, (0.0, 0.0, 0.0), stance)


def _small_steps(like: Pattern) -> list[Parts]:
    """Return the small steps of every couple, for one or two bars, with either foot first."""
    bar = like.beats_per_bar
    made = []
    for title, positions in _SMALL.items():
        # an even number of steps, so that the same foot is free again
        beats = [(bar + 1) // 2, bar // 2 or 1] * (len(positions) // 2)
        for feet in ((Foot.LEFT, Foot.RIGHT), (Foot.RIGHT, Foot.LEFT)):
            steps = tuple(
                Step(feet[k % 2], position, beats[k], frozenset({Modifier.SMALL} if position in _REACHING else ()))
                for k, position in enumerate(positions)
            )
            pattern = replace(like, name=title, steps=steps, difficulty=1, notes=())
            made.append((pattern, partner_of(pattern)))
    return made


class Repertoire:
    """Verbs of one couple from any stance, cached.

    vocabulary: both parts of patterns with the couple's proficiency. planner: of the couple's steps.
    """

    def __init__(self, vocabulary: Sequence[tuple[Parts, Proficiency]], planner: CouplePlanner) -> None:
        self.planner = planner
        self.patterns = tuple(leader for (leader, _), _ in vocabulary)
        self._known: dict[tuple[object, ...], tuple[MotionVerb, ...]] = {}
        self._outlines: dict[tuple[tuple[MotionVerb, ...], MotionVerb], Outline | None] = {}
        self._all = [*vocabulary, *((parts, _ANYBODY) for parts in _small_steps(self.patterns[0]))]

    @property
    def shape(self) -> CoupleShape:
        """Extent of the couple on the floor."""
        return self.planner.shape

    def verbs(self, stance: Stance) -> tuple[MotionVerb, ...]:
        """Return all verbs that can begin in a stance, given in its own frame."""
        rounded = [round(value, _ALIKE) + 0.0 for value in (*stance.left, *stance.right)]
        key = (*rounded, stance.weight)
        if key not in self._known:
            found = (self._verb(parts, curve, command, stance) for parts, command in self._all for curve in CURVES)
            self._known[key] = tuple(verb for verb in found if verb is not None)
        return self._known[key]

    def _verb(self, parts: Parts, curve: int, command: Proficiency, stance: Stance) -> MotionVerb | None:
        danced = curved(parts, curve)
        if danced is None or not _free(danced[0], stance):
            return None
        try:
            ends = self.planner.ends(danced[0], stance)
        except SegueError:
            return None
        shift = frame_of(ends)
        return MotionVerb(parts[0].name, danced, curve, command, shift, to_local(ends, shift))

    def outline(self, before: tuple[MotionVerb, ...], stance: Stance, verb: MotionVerb) -> Outline | None:
        """Return the floor that a verb covers after other verbs from a stance, in the frame of that stance.

        The verbs before matter: their last step ends while the first step of the verb begins, and the follower may not
        be exactly opposite the leader. None if the couple's legs are too short.
        """
        if (before, verb) not in self._outlines:
            try:
                self._outlines[before, verb] = self._traced(before, stance, verb)
            except SegueError:
                self._outlines[before, verb] = None
        return self._outlines[before, verb]

    def _traced(self, before: tuple[MotionVerb, ...], stance: Stance, verb: MotionVerb) -> Outline:
        leads, follows = zip(*(each.parts for each in (*before, verb)), strict=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SegueWarning)  # hard steps are possible
            couple = self.planner.plan(leads, follows, stance)
        plan, begins = couple.leader, sum(each.beats for each in before)
        count = CELLS * (LEAD + verb.beats)
        beats = begins - LEAD + np.arange(_SAMPLES * count + 1) / (_SAMPLES * CELLS)
        times = plan.lead_in + plan.tempo.beat * beats
        way = boxes_over(couple_positions(couple, times), self.shape, _SAMPLES)
        still = np.linspace(times[-1], max(plan.stop, times[-1]), _SAMPLES + 1)
        (rest,) = boxes_over(couple_positions(couple, still), self.shape, _SAMPLES)
        return Outline(way, rest)


def _free(pattern: Pattern, stance: Stance) -> bool:
    """Return whether the first moving foot of a pattern is free."""
    first = next((step.foot for step in pattern.steps if step.foot is not Foot.HOLD), None)
    bearing: Mapping[str, Foot] = {"left": Foot.LEFT, "right": Foot.RIGHT}
    return first is None or first is not bearing.get(stance.weight)


def frame_of(stance: Stance) -> Frame:
    """Return the frame of a stance: midway between the feet, along the body's heading."""
    return 0.5 * (stance.left.x + stance.right.x), 0.5 * (stance.left.z + stance.right.z), stance.heading


def to_local(stance: Stance, frame: Frame) -> Stance:
    """Convert a stance from the floor to a frame."""
    x, z, heading = frame
    sine, cosine = math.sin(heading), math.cos(heading)

    def seen(foot: Footprint) -> Footprint:
        across, deep = foot.x - x, foot.z - z
        return Footprint(across * cosine - deep * sine, across * sine + deep * cosine, foot.heading - heading)

    return Stance(seen(stance.left), seen(stance.right), stance.heading - heading, stance.weight)


def to_world(stance: Stance, frame: Frame) -> Stance:
    """Convert a stance from a frame to the floor."""
    left, right = (Footprint(*(float(each) for each in moved(np.array(foot), frame))) for foot in stance[:2])
    return Stance(left, right, stance.heading + frame[2], stance.weight)
