"""Goals of the joints that no footstep decides: head, upper body and arms, from the gestures of a step's symbols."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dance.gestures.anatomy import Pose, added, values
from segue.dance.gestures.gesture import Category, Gesture
from segue.dance.gestures.gestures import Gestures
from segue.dance.notation.model import Head, Part, Pattern
from segue.dance.planning.model import JointGoal
from segue.dance.planning.timing import Moment
from segue.dance.planning.walk import Move

__all__ = ["collects", "joint_goals", "sway_of"]

_LIMBS = (Category.HEAD, Category.BODY, Category.ARMS)
_SAME = 1e-9
_ON = 1e-6  # rad: a turn that goes on


class _Goal(NamedTuple):
    time: float
    value: Array
    between: bool


@lru_cache(maxsize=32)
def _gestures(dance: str, part: Part) -> Gestures:
    return Gestures.load(dance, part)


def _of_move(move: Move) -> Mapping[Category, tuple[Gesture, ...]]:
    return _gestures(move.pattern.dance, move.pattern.part).of_step(move.step)


def sway_of(move: Move) -> float:
    """Return how far the body inclines to the left in a step, in rad."""
    return math.radians(sum(gesture.sway for gesture in _of_move(move).get(Category.BODY, ())))


def collects(move: Move) -> bool:
    """Whether the free foot closes up to the standing one after a step, as its position's gesture has it.

    That is so where a step's legs pass through mid-gait as an intermediate goal [Lake1990, section 6.3].
    """
    return any(len(gesture.goals) > 1 for gesture in _of_move(move).get(Category.FOOT, ()))


def joint_goals(
    first: Pattern, moves: Sequence[Move], times: Sequence[Moment], lean: float, stop: float
) -> tuple[JointGoal, ...]:
    """Return the goals of head, upper body and arms over a sequence of moves.

    A step's n goals take equal shares of the time from when its foot lifts to when the next one may. lean: rad that the
    upper body inclines forward. stop: s, when the body rests. What a step does not say of the head or the arms stays as
    it is; the upper body comes back.
    """
    upright = {"lower_back": {"forward": math.degrees(lean)}}
    table = _gestures(first.dance, first.part).table
    carried: dict[Category, tuple[Gesture, ...]] = {
        Category.ARMS: (table[first.part],),
        Category.HEAD: (table[Head.NORMAL],),
    }
    start = added(upright, *(gesture.goals[-1] for gestures in carried.values() for gesture in gestures))
    courses: dict[str, list[_Goal]] = {track: [_Goal(0.0, value, False)] for track, value in _tracks(start).items()}
    for move, moment in zip(moves, times, strict=True):
        said = _of_move(move)
        carried |= {category: said[category] for category in (Category.HEAD, Category.ARMS) if category in said}
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
