"""Make the goals of a plan: the body's heading, weight, height and sway, and the joints of head, trunk and arms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from segue.curves import quaternion
from segue.dance.gestures.anatomy import Pose, added, values
from segue.dance.gestures.gestures import Category, Gesture, Gestures
from segue.dance.notation.manner import Manner
from segue.dance.notation.model import FootPosition, Head, Part, Pattern
from segue.dance.planning.footsteps import Roll
from segue.dance.planning.model import Bearing, BodyGoal, JointGoal, Stance
from segue.dance.planning.timing import StepTimes
from segue.dance.planning.walk import Move
from segue.typing import Array

_LIMBS = (Category.HEAD, Category.BODY, Category.ARMS)
_EQUAL = 1e-9
_ON = 1e-6  # rad: a turn that goes on
_WEIGHTS = {"left": 0.0, "right": 1.0, "both": 0.5}
_LANDED_SHARE = 0.2  # of the weight that has left the standing foot when the other one lands
_SAME_TIME = 1e-6  # s


def body_goals(
    begins: Stance,
    moves: Sequence[Move],
    times: Sequence[StepTimes],
    rolls: Sequence[Roll | None],
    manners: Sequence[Manner],
    sways: Sequence[float],
    leg: float,
    rise: float,
    stop: float,
) -> tuple[BodyGoal, ...]:
    """Return the goals of the body at lift, landing and end of each step; equal times give one goal.

    rolls, manners, sways (rad, to the left): of each move. leg: its length in m, which scales heights. rise: factor of
    the style. stop: end of the plan in s.
    """
    goals = [BodyGoal(0.0, begins.heading, _WEIGHTS[begins.weight], 0.0, 0.0, False)]
    before = goals[0]
    for move, moment, roll, manner, sway in zip(moves, times, rolls, manners, sways, strict=True):
        for goal in _of_step(before, move, moment, roll, manner, sway, leg * rise):
            goals.append(goal)
            before = goal
    last = before._replace(time=stop, passing=False, sway=0.0)
    if moves:
        last = last._replace(heading=moves[-1].turning.after + moves[-1].turning.facing, rise=min(before.rise, 0.0))
    goals.append(last)
    return tuple(_with_turns_passed(_merged(goals)))


def _of_step(
    before: BodyGoal, move: Move, moment: StepTimes, roll: Roll | None, manner: Manner, sway: float, scale: float
) -> Iterator[BodyGoal]:
    turning = move.turning
    if move.foot is None or roll is None:
        yield before._replace(time=moment.release, heading=turning.after, sway=sway, passing=False)
        return
    standing = 1.0 if move.foot == "left" else 0.0
    own = 1.0 - standing
    weight = own if move.step.takes_weight else standing
    low, high = _heights(move, roll, manner, before.rise, scale)
    if moment.lift > before.time + _SAME_TIME:
        yield before._replace(time=moment.lift, weight=standing, passing=True)
    landed = standing + _LANDED_SHARE * (weight - standing)
    yield BodyGoal(moment.land, turning.landed, landed, low, 0.5 * (before.sway + sway), True)
    yield BodyGoal(moment.release, turning.released + turning.facing, weight, high, sway, False)


def _heights(move: Move, roll: Roll, manner: Manner, before: float, scale: float) -> tuple[float, float]:
    """Return the height of the body at landing and at the end of the step, in m."""
    if manner.rise == 0.0:
        return -manner.lowering * scale, -manner.lowering * scale
    end = manner.rise * scale if roll.bearing is Bearing.TOE else 0.0
    if roll.landing is Bearing.HEEL:
        return -manner.lowering * scale, end
    if roll.landing is Bearing.TOE and move.step.position is not FootPosition.BACKWARD:
        return max(before, 0.5 * (before + end)), end
    return min(0.5 * (before + end), 0.0 if end == 0.0 else end), end


def _merged(goals: Sequence[BodyGoal]) -> list[BodyGoal]:
    """Return goals without those that a later goal at the same time replaces."""
    found: list[BodyGoal] = []
    for goal in goals:
        while found and found[-1].time > goal.time - _SAME_TIME:
            found.pop()
        found.append(goal)
    return found


def _with_turns_passed(goals: Sequence[BodyGoal]) -> Iterator[BodyGoal]:
    """Yield goals, those amid a turn in one direction marked as passed."""
    for i, goal in enumerate(goals):
        if 0 < i < len(goals) - 1:
            arriving, leaving = goal.heading - goals[i - 1].heading, goals[i + 1].heading - goal.heading
            goal = goal._replace(passing=goal.passing or arriving * leaving > 0.0)
        yield goal


class _Goal(NamedTuple):
    time: float
    value: Array
    between: bool


class StepGestures:
    """Gestures of moves; folder: gesture files that replace shipped ones, see `Gestures.load`."""

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
        """Return the sway of the body to the left in a step, in rad."""
        return math.radians(sum(gesture.sway for gesture in self.of_move(move).get(Category.BODY, ())))

    def collects(self, move: Move) -> bool:
        """Return whether the free foot passes close to the standing foot after a step.

        It does if the gesture of the position has mid-gait as an intermediate goal [Lake1990, section 6.3].
        """
        walks = move.step.position in (FootPosition.FORWARD, FootPosition.BACKWARD)
        return walks and any(len(gesture.goals) > 1 for gesture in self.of_move(move).get(Category.FOOT, ()))


@lru_cache(maxsize=32)
def _shipped(dance: str, part: Part) -> Gestures:
    return Gestures.load(dance, part)


def joint_goals(
    gestures_of: StepGestures, moves: Sequence[Move], times: Sequence[StepTimes], lean: float, stop: float
) -> tuple[JointGoal, ...]:
    """Return the goals of head, upper body and arms over a sequence of moves.

    The n goals of a step have equal shares of the time from its lift to the next possible lift. lean: forward lean of
    the upper body in rad. stop: end of the plan in s. Head and arms keep their last goal where a step has none; the
    upper body returns upright.
    """
    first = moves[0].pattern
    table = gestures_of.of_pattern(first).table
    carried: dict[Category, tuple[Gesture, ...]] = {
        Category.ARMS: (table[first.part],),
        Category.HEAD: (table[Head.NORMAL],),
    }
    danced = {move.pattern.dance: gestures_of.of_pattern(move.pattern) for move in moves}
    known = [gesture for gestures in danced.values() for gesture in gestures.table.values()]
    upright = added({"lower_back": {"forward": math.degrees(lean)}}, _at_ease(known, (Category.BODY,)))
    held = [gesture.goals[-1] for gestures in carried.values() for gesture in gestures]
    start = added(upright, _at_ease(known, _LIMBS), *held)
    courses: dict[str, list[_Goal]] = {track: [_Goal(0.0, value, False)] for track, value in _tracks(start).items()}
    for move, moment in zip(moves, times, strict=True):
        said = gestures_of.of_move(move)
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
    """Return the rest orientation of all joints that gestures of some categories move."""
    moving = [gesture for gesture in gestures if gesture.category in categories]
    return {joint: {} for gesture in moving for goal in gesture.goals for joint in goal}


def _tracks(pose: Pose) -> dict[str, Array]:
    return {
        track: value for joint, said in pose.items() for track, value in _values(joint, tuple(said.items())).items()
    }


@lru_cache(maxsize=512)
def _values(joint: str, said: tuple[tuple[str, float], ...]) -> Mapping[str, Array]:
    """Return the values of a joint's tracks, cached and read-only."""
    found = values(joint, dict(said))
    for value in found.values():
        value.flags.writeable = False
    return found


def _slices(gestures: Sequence[Gesture], always: Pose) -> Iterator[tuple[float, Pose]]:
    """Yield the combined goals of gestures, each with its share of the time."""
    count = max((len(gesture.goals) for gesture in gestures), default=1)
    for i in range(count):
        reached = [gesture.goals[min(i, len(gesture.goals) - 1)] for gesture in gestures]
        pose = added(always, *reached)
        if pose:
            yield (i + 1) / count, pose


def _rested(goals: Sequence[_Goal], stop: float) -> list[_Goal]:
    return [*goals, goals[-1]._replace(time=stop, between=False)]


def _thinned(goals: Sequence[_Goal]) -> list[_Goal]:
    """Return goals without those between two equal neighbours."""
    kept = []
    for i, goal in enumerate(goals):
        amid = 0 < i < len(goals) - 1
        if not (amid and _alike(goals[i - 1].value, goal.value) and _alike(goal.value, goals[i + 1].value)):
            kept.append(goal)
    return kept


def _alike(one: Array, other: Array) -> bool:
    return one is other or bool(np.abs(one - other).max() < _EQUAL)


def _looking_ahead(goals: Sequence[_Goal]) -> Iterator[tuple[_Goal, bool]]:
    """Yield goals, each with whether it is passed: intermediate ones, and those where the joint moves on."""
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
