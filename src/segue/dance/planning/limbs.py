"""Goals of the joints that no footstep decides: head, upper body and arms, from the gestures of a step's symbols."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from segue.curves import quaternion
from segue.dance.gestures.anatomy import Pose, added, values
from segue.dance.gestures.gesture import Category, Gesture
from segue.dance.gestures.gestures import Gestures
from segue.dance.notation.model import FootPosition, Head, Part, Pattern
from segue.dance.planning.model import JointGoal
from segue.dance.planning.timing import Moment
from segue.dance.planning.walk import Move
from segue.typing import Array

_LIMBS = (Category.HEAD, Category.BODY, Category.ARMS)
_SAME = 1e-9
_ON = 1e-6  # rad: a turn that goes on


class _Goal(NamedTuple):
    time: float
    value: Array
    between: bool


class Meanings:
    """What the symbols of moves mean for the limbs; folder: gestures of one's own, see `Gestures.load`."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = folder
        self._loaded: dict[tuple[str, Part], Gestures] = {}

    def of_pattern(self, pattern: Pattern) -> Gestures:
        """Return the gestures of a pattern's dance and part."""
        key = pattern.dance, pattern.part
        if key not in self._loaded:
            self._loaded[key] = _shipped(*key) if self.folder is None else Gestures.load(*key, self.folder)
        return self._loaded[key]

    def of_move(self, move: Move) -> Mapping[Category, tuple[Gesture, ...]]:
        """Return the gestures of a move's step, by category."""
        return self.of_pattern(move.pattern).of_step(move.step)

    def sway(self, move: Move) -> float:
        """Return how far the body inclines to the left in a step, in rad."""
        return math.radians(sum(gesture.sway for gesture in self.of_move(move).get(Category.BODY, ())))

    def collects(self, move: Move) -> bool:
        """Whether the free foot closes up to the standing one after a step, as its position's gesture has it.

        That is so where the legs pass through mid-gait as an intermediate goal [Lake1990, section 6.3].
        """
        walks = move.step.position in (FootPosition.FORWARD, FootPosition.BACKWARD)
        return walks and any(len(gesture.goals) > 1 for gesture in self.of_move(move).get(Category.FOOT, ()))


@lru_cache(maxsize=32)
def _shipped(dance: str, part: Part) -> Gestures:
    return Gestures.load(dance, part)


def joint_goals(
    meanings: Meanings, moves: Sequence[Move], times: Sequence[Moment], lean: float, stop: float
) -> tuple[JointGoal, ...]:
    """Return the goals of head, upper body and arms over a sequence of moves.

    A step's n goals take equal shares of the time from when its foot lifts to when the next one may. lean: rad that the
    upper body inclines forward. stop: s, when the body rests. What a step does not say of the head or the arms stays as
    it is; the upper body comes back.
    """
    first = moves[0].pattern
    table = meanings.of_pattern(first).table
    carried: dict[Category, tuple[Gesture, ...]] = {
        Category.ARMS: (table[first.part],),
        Category.HEAD: (table[Head.NORMAL],),
    }
    danced = {move.pattern.dance: meanings.of_pattern(move.pattern) for move in moves}
    known = [gesture for gestures in danced.values() for gesture in gestures.table.values()]
    upright = added({"lower_back": {"forward": math.degrees(lean)}}, _at_ease(known, (Category.BODY,)))
    held = [gesture.goals[-1] for gestures in carried.values() for gesture in gestures]
    start = added(upright, _at_ease(known, _LIMBS), *held)
    courses: dict[str, list[_Goal]] = {track: [_Goal(0.0, value, False)] for track, value in _tracks(start).items()}
    for move, moment in zip(moves, times, strict=True):
        said = meanings.of_move(move)
        carried |= {category: said[category] for category in carried if category in said}
        for category in _LIMBS:
            gestures = said.get(category, ()) if category is Category.BODY else carried[category]
            for share, pose in _slices(gestures, upright if category is Category.BODY else {}):
                time = moment.lift + share * (moment.release - moment.lift)
                for track, value in _tracks(pose).items():
                    courses[track].append(_Goal(time, value, share < 1.0))
    found = [
        JointGoal(goal.time, track, goal.value, passing)
        for track, goals in courses.items()
        for goal, passing in _looking_ahead(_thinned(_rested(goals, stop)))
    ]
    return tuple(sorted(found, key=lambda goal: goal.time))


def _at_ease(gestures: Sequence[Gesture], categories: Sequence[Category]) -> Pose:
    """Return all joints that gestures of some categories move, unturned."""
    moving = [gesture for gesture in gestures if gesture.category in categories]
    return {joint: {} for gesture in moving for goal in gesture.goals for joint in goal}


def _tracks(pose: Pose) -> dict[str, Array]:
    return {
        track: value for joint, said in pose.items() for track, value in _values(joint, tuple(said.items())).items()
    }


@lru_cache(maxsize=512)
def _values(joint: str, said: tuple[tuple[str, float], ...]) -> Mapping[str, Array]:
    """Return the values of a joint's tracks, which are computed once and may not be written to."""
    found = values(joint, dict(said))
    for value in found.values():
        value.flags.writeable = False
    return found


def _slices(gestures: Sequence[Gesture], always: Pose) -> Iterator[tuple[float, Pose]]:
    """Yield the goals of gestures together, each with the share of the time at which it is reached."""
    count = max((len(gesture.goals) for gesture in gestures), default=1)
    for i in range(count):
        reached = [gesture.goals[min(i, len(gesture.goals) - 1)] for gesture in gestures]
        pose = added(always, *reached)
        if pose:
            yield (i + 1) / count, pose


def _rested(goals: Sequence[_Goal], stop: float) -> list[_Goal]:
    return [*goals, goals[-1]._replace(time=stop, between=False)]


def _thinned(goals: Sequence[_Goal]) -> list[_Goal]:
    """Return goals without those amid a stretch where nothing changes."""
    kept = []
    for i, goal in enumerate(goals):
        amid = 0 < i < len(goals) - 1
        if not (amid and _alike(goals[i - 1].value, goal.value) and _alike(goal.value, goals[i + 1].value)):
            kept.append(goal)
    return kept


def _alike(one: Array, other: Array) -> bool:
    return one is other or bool(np.abs(one - other).max() < _SAME)


def _looking_ahead(goals: Sequence[_Goal]) -> Iterator[tuple[_Goal, bool]]:
    """Yield goals, each with whether it is passed: also a step's own goal, where the next goes on the same way."""
    for i, goal in enumerate(goals):
        goes_on = False
        if 0 < i < len(goals) - 1:
            arriving, leaving = _way(goals[i - 1].value, goal.value), _way(goal.value, goals[i + 1].value)
            goes_on = float(arriving @ leaving) > _ON**2
        yield goal, goal.between or goes_on


def _way(one: Array, other: Array) -> Array:
    if len(one) == 1:
        return other - one
    return quaternion.log(quaternion.multiply(quaternion.conjugate(one), other))
