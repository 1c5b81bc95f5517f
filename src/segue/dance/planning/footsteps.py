"""Make timed footsteps of moves: flights that land on the beat, pivots on the ball, and which part of a foot bears."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from segue.dance.notation.manner import Manner
from segue.dance.notation.model import FootPosition, Footwork, Modifier, Step
from segue.dance.planning.detour import Obstacle, clearance, find_detour, standing_foot
from segue.dance.planning.feet import FootShape, Point, moved, other_foot, outward
from segue.dance.planning.model import Bearing, Footprint, Footstep
from segue.dance.planning.timing import StepTimes, flies
from segue.dance.planning.walk import Move

_TURNED = 1e-6  # rad, least pivot
_HEEL_ROLL = 0.14  # s from heel to flat
_DETOUR = 1.5  # longest path past the standing foot, as a multiple of the straight one
_BRUSH = 0.012  # m between the soles of a foot that brushes past the other
# Detours round a partner, who can give way too, are no longer than this, or than the foot can swing at this speed.
_LONGER = 0.6  # m
_SWIFT = 2.4  # m/s
_CALM = 2.0  # m/s on average: a faster swing would twist the standing foot
_BOTH = 0.1  # s of double support at least, to shift the weight
_FRONT = {
    FootPosition.FORWARD: 1.0,
    FootPosition.CROSS_FRONT: 1.0,
    FootPosition.BACKWARD: -1.0,
    FootPosition.CROSS_BEHIND: -1.0,
    FootPosition.FIFTH: -1.0,
}
_CLOSED = frozenset({FootPosition.FIRST, FootPosition.UNCROSS, FootPosition.IN_PLACE, FootPosition.THIRD})


class Roll(NamedTuple):
    """The part of a foot that lands, and the part that bears at the end of the step."""

    landing: Bearing
    bearing: Bearing


_ROLLS = {
    Footwork.HEEL: Roll(Bearing.HEEL, Bearing.FLAT),
    Footwork.TOE: Roll(Bearing.TOE, Bearing.TOE),
    Footwork.HEEL_TOE: Roll(Bearing.HEEL, Bearing.TOE),
    Footwork.TOE_HEEL: Roll(Bearing.TOE, Bearing.FLAT),
}


def footwork_of(step: Step, manner: Manner) -> Footwork:
    """Return a step's footwork as written, or the usual one of its position in the dance."""
    if step.footwork is not None:
        return step.footwork
    if Modifier.NO_WEIGHT in step.modifiers:
        return Footwork.TOE
    return manner.forward if step.position is FootPosition.FORWARD else Footwork.TOE_HEEL


def roll_of(step: Step, manner: Manner) -> Roll:
    """Return which part of a step's foot lands and bears; a heel without weight only touches."""
    roll = _ROLLS[footwork_of(step, manner)]
    if step.position is FootPosition.IN_PLACE and step.footwork is None:
        return Roll(Bearing.FLAT, Bearing.FLAT)
    if Modifier.NO_WEIGHT in step.modifiers and roll == _ROLLS[Footwork.HEEL]:
        return Roll(Bearing.HEEL, Bearing.HEEL)
    return roll


def footsteps_of(
    moves: Sequence[Move],
    times: Sequence[StepTimes],
    rolls: Sequence[Roll | None],
    collects: Sequence[bool],
    shape: FootShape,
    partner: Sequence[tuple[Obstacle, ...]] | None = None,
) -> tuple[Footstep, ...]:
    """Return the footsteps of timed moves, ordered by when they begin.

    rolls: of each move, None where neither foot moves. collects: whether the free foot passes close to the other after
    each move. partner: obstacles in each move.
    """
    bearing = {"left": Bearing.FLAT, "right": Bearing.FLAT}
    found: list[Footstep] = []
    for k, (move, moment, roll) in enumerate(zip(moves, times, rolls, strict=True)):
        brushes = k > 0 and collects[k - 1]
        if roll is None:
            made = _held(move, moment, bearing, k)
        else:
            via = _via(move, moment, shape, brushes, () if partner is None else partner[k])
            made = _stepped(move, moment, roll, bearing, via, k)
        for footstep in made:
            bearing[footstep.foot] = footstep.bearing
            found.append(footstep)
    if moves:
        found += _last_turns(moves[-1], times[-1], bearing, len(moves) - 1)
    after_pause = {k + 1 for k, move in enumerate(moves) if Modifier.PAUSE in move.step.modifiers}
    return lift_earlier_if_fast(found, after_pause)


def lift_earlier_if_fast(footsteps: Sequence[Footstep], kept: Collection[int] = ()) -> tuple[Footstep, ...]:
    """Return footsteps in order of lift, of which fast ones lift earlier, as soon as the other foot bears.

    kept: numbers of steps that keep their times.
    """
    landed, found = -math.inf, []
    for step in sorted(footsteps, key=lambda step: (step.lift, step.land)):
        if step.land > step.lift:
            points = [step.start[:2], *step.via, step.end[:2]]
            way = sum(math.dist(a, b) for a, b in pairwise(points))
            soonest = max(landed + _BOTH, step.land - way / _CALM)
            found.append(replace(step, lift=soonest) if soonest < step.lift and step.step not in kept else step)
            landed = step.land
        else:
            found.append(step)
    return tuple(sorted(found, key=lambda step: step.lift))


def _held(move: Move, moment: StepTimes, bearing: dict[str, Bearing], k: int) -> Iterator[Footstep]:
    for foot in ("left", "right"):
        weight = move.stance.weight in (foot, "both")
        yield from _pivot(
            foot, move.start[foot], move.end[foot], (moment.start, moment.release), bearing[foot], weight, k
        )


def _stepped(
    move: Move, moment: StepTimes, roll: Roll, bearing: dict[str, Bearing], via: tuple[Point, ...], k: int
) -> Iterator[Footstep]:
    foot, landing = move.foot, move.landing
    assert foot is not None, "a step with footwork moves a foot"
    assert landing is not None, "and sets it down"
    standing = other_foot(foot)
    stood, stands = move.start[standing], move.end[standing]
    weight = move.step.takes_weight
    yield from _pivot(standing, stood, stands, (moment.lift, moment.land), bearing[standing], not weight, k)
    lift = moment.lift if flies(move.step) else moment.land
    settled = _settled(moment, roll)
    yield Footstep(
        foot, move.start[foot], landing, lift, moment.land, settled, roll.landing, roll.bearing, weight, k, via
    )
    sinks = roll.bearing is Bearing.FLAT and weight and move.step.position in _CLOSED
    if sinks and bearing[standing] is Bearing.TOE:
        yield Footstep(
            standing, stands, stands, moment.land, moment.land, moment.release, Bearing.TOE, Bearing.FLAT, False, k
        )


def _via(
    move: Move, moment: StepTimes, shape: FootShape, brushes: bool, partner: Sequence[Obstacle]
) -> tuple[Point, ...]:
    """Return the points that a move's foot passes: beside the standing foot in dances that collect the feet.

    A foot that rocks back to its last place takes no such detour.
    """
    if move.foot is None or move.landing is None or not flies(move.step):
        return ()
    start, end, out = move.start[move.foot], move.landing, outward(move.foot)
    standing = move.start[other_foot(move.foot)], move.end[other_foot(move.foot)]
    far = min(math.dist(place[:2], standing[1][:2]) for place in (start, end)) > shape.length
    beside = moved(standing[1], standing[1].heading, out * (shape.width + _BRUSH), 0.0)
    round_about = math.dist(start[:2], beside) + math.dist(beside, end[:2])
    on_its_way = round_about < _DETOUR * math.dist(start[:2], end[:2])
    if brushes and far and on_its_way:
        obstacles = (standing_foot(standing, shape), *partner)
        if clearance(start, end, (beside,), obstacles, shape) > 0.0:
            return (beside,)
    # a partner may stand in front or behind: take the shorter path, but in promenade pass between the partners
    shorter = move.answers and not move.goes_across
    front = 0.0 if shorter or move.step.position is None else _FRONT.get(move.step.position, 0.0)
    longest = max(math.dist(start[:2], end[:2]) + _LONGER, _SWIFT * (moment.land - moment.lift))
    return find_detour(
        start, end, standing, shape, front, partner, longest if partner else math.inf, strict=move.goes_across
    )


def _settled(moment: StepTimes, roll: Roll) -> float:
    room = max(moment.release - moment.land, 0.0)
    if roll.landing is roll.bearing:
        return moment.land
    if roll.landing is Bearing.HEEL and roll.bearing is Bearing.FLAT:
        return moment.land + min(_HEEL_ROLL, 0.5 * room)
    return moment.land + 0.9 * room


def _pivot(
    foot: str, start: Footprint, end: Footprint, when: tuple[float, float], bearing: Bearing, weight: bool, k: int
) -> Iterator[Footstep]:
    """Yield a pivot on the ball of the foot, if it turns."""
    if abs(end.heading - start.heading) > _TURNED:
        yield Footstep(foot, start, end, when[0], when[0], when[1], Bearing.TOE, bearing, weight, k)


def _last_turns(move: Move, moment: StepTimes, bearing: dict[str, Bearing], k: int) -> Iterator[Footstep]:
    """Yield the pivots that remain after the last step."""
    for foot, due in (("left", move.stance.left), ("right", move.stance.right)):
        weight = move.stance.weight in (foot, "both")
        yield from _pivot(foot, move.end[foot], due, (moment.release, moment.stop), bearing[foot], weight, k)
