"""Goals of the body as a whole: where it faces, which foot bears it, how high it is carried, how it sways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.dance.notation.model import FootPosition
from segue.dance.planning.footwork import Roll
from segue.dance.planning.manner import Manner
from segue.dance.planning.model import Bearing, BodyGoal, Stance
from segue.dance.planning.timing import Moment
from segue.dance.planning.walk import Move

_WEIGHTS = {"left": 0.0, "right": 1.0, "both": 0.5}
_LANDED_SHARE = 0.2  # of the weight that has left the standing foot when the other one lands
_SAME = 1e-6  # s


def body_goals(
    begins: Stance,
    moves: Sequence[Move],
    times: Sequence[Moment],
    rolls: Sequence[Roll | None],
    manners: Sequence[Manner],
    sways: Sequence[float],
    leg: float,
    rise: float,
    stop: float,
) -> tuple[BodyGoal, ...]:
    """Return what the body reaches as feet lift, land, and bear; equal times give one goal.

    rolls, manners, sways (rad, to the left): of each move. leg: its length in m, which heights go with. rise: factor of
    the style. stop: s, when the body rests.
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
    return tuple(_looking_ahead(_merged(goals)))


def _of_step(
    before: BodyGoal, move: Move, moment: Moment, roll: Roll | None, manner: Manner, sway: float, scale: float
) -> Iterator[BodyGoal]:
    turning = move.turning
    if move.foot is None or roll is None:
        yield before._replace(time=moment.release, heading=turning.after, sway=sway, passing=False)
        return
    standing = 1.0 if move.foot == "left" else 0.0
    own = 1.0 - standing
    weight = own if move.step.takes_weight else standing
    low, high = _heights(move, roll, manner, before.rise, scale)
    if moment.lift > before.time + _SAME:
        yield before._replace(time=moment.lift, weight=standing, passing=True)
    landed = standing + _LANDED_SHARE * (weight - standing)
    yield BodyGoal(moment.land, turning.landed, landed, low, 0.5 * (before.sway + sway), True)
    yield BodyGoal(moment.release, turning.released + turning.facing, weight, high, sway, False)


def _heights(move: Move, roll: Roll, manner: Manner, before: float, scale: float) -> tuple[float, float]:
    """Return how high the body is when the foot lands, and at the end of the step, in m."""
    if manner.rise == 0.0:
        return -manner.lowering * scale, -manner.lowering * scale
    end = manner.rise * scale if roll.bearing is Bearing.TOE else 0.0
    if roll.landing is Bearing.HEEL:
        return -manner.lowering * scale, end
    if roll.landing is Bearing.TOE and move.step.position is not FootPosition.BACKWARD:
        return max(before, 0.5 * (before + end)), end
    return min(0.5 * (before + end), 0.0 if end == 0.0 else end), end


def _merged(goals: Sequence[BodyGoal]) -> list[BodyGoal]:
    """Return goals in order of time, of those at one time the last: it knows more."""
    found: list[BodyGoal] = []
    for goal in goals:
        while found and found[-1].time > goal.time - _SAME:
            found.pop()
        found.append(goal)
    return found


def _looking_ahead(goals: Sequence[BodyGoal]) -> Iterator[BodyGoal]:
    """Yield goals of which those that a turn goes through without changing its sense are passed, not stopped at."""
    for i, goal in enumerate(goals):
        if 0 < i < len(goals) - 1:
            arriving, leaving = goal.heading - goals[i - 1].heading, goals[i + 1].heading - goal.heading
            goal = goal._replace(passing=goal.passing or arriving * leaving > 0.0)
        yield goal
