"""Flights in gaps: when nothing carries the body, and the root that lets it fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from segue.body.figure import FEET, Poses
from segue.body.human import HUMAN
from segue.curves.sampled import runs
from segue.dynamics.ground_push import PUSH_POINTS
from segue.filling.options import Options
from segue.filling.solving import Patch, Solved, SupportPlan, solve_again
from segue.motion.fills import Support
from segue.motion.interval import TINY
from segue.spacetime import Gap
from segue.spacetime.ballistics import Fall, Soles, Span, fitted_flight, sample_times, unpushed_root
from segue.typing import Array, Flags

_UNLIKELY = 0.05
"""Probability of contact of all points of the feet below which the body flies."""
_SHORTEST = {"auto": 0.2, "free": 0.08}
"""Seconds of the shortest predicted flight that counts. Shorter flights belong to runs, in which a root that falls
brings less push but no smaller joint error."""
_MOST_TURN = 0.35
"""Radians that a flight may turn the root: more than that shows that the joints are elsewhere than they should be."""
_EVEN, _BESIDE = 0.5, 0.04
"""Probability from which a foot is expected to push, and seconds before and after."""
_MOST_PUSHED = 0.15
"""Metres or radians by which the push of the ground may move the root: more than that shows a wrong schedule."""
_ROUNDS = 2
"""Times that the root is moved and the legs are solved again."""


class _Most(NamedTuple):
    """Metres that the root may be moved, and cost of the fall: more than that shows that the schedule is wrong."""

    moved: float
    cost: float


_PREDICTED, _SEEN, _ANY = _Most(0.07, 4.0), _Most(0.15, np.inf), _Most(np.inf, np.inf)
"""For flights that a prior predicts, that both ends show or a free root takes, and that the user gives."""


def predicted_flights(contacts: Array, duration: float, root: str) -> list[Span]:
    """Return the flights in predicted contacts (T, 4) at even times over a gap, in s from its start.

    root: see `Options`.
    """
    times = np.linspace(0.0, duration, len(contacts))
    found = []
    for first, stop in runs(contacts.max(axis=1) < _UNLIKELY):
        start, end = float(times[first]), float(times[stop - 1])
        if end - start >= _SHORTEST.get(root, np.inf):
            found.append((start, end))
    return found


def falling(
    solved: Solved, plan: SupportPlan, options: Options, contacts: Array | None = None, *, whole: bool = False
) -> Solved:
    """Return the solution with a root whose centre of mass falls freely in flights.

    contacts: (T, 4) that a prior predicts at even times over the gap. Flights of the user count instead of those that
    they overlap. whole: whether the ends show that the body flies from one seam to the other. A free root also moves so
    that the feet can give the push that it needs on the ground.
    """
    if options.root == "given":
        return solved
    duration = solved.gap.duration
    given = [(max(each.start, 0.0), min(each.stop, duration)) for each in plan.targets.flights]
    predicted = [] if contacts is None else predicted_flights(contacts, duration, options.root)
    if whole and not given:
        predicted = [(0.0, duration)]
    others = [span for span in predicted if not any(span[0] < stop and start < span[1] for start, stop in given)]
    if not whole:
        others = [span for span in others if not _stands_at_end(span, plan, duration)]
    most = _SEEN if whole or options.root == "free" else _PREDICTED
    flights: list[Span] = []
    for span, limit in [*((each, _ANY) for each in given), *((each, most) for each in others)]:
        solved, found = _fallen(solved, plan, options, span, limit)
        flights += found
    if options.root == "free" and contacts is not None and solved.gap.given is None:
        solved = _pushed(solved, plan, options, flights, contacts)
    return solved


def _stands_at_end(flight: Span, plan: SupportPlan, duration: float) -> bool:
    """Return whether a foot rests at a seam that a predicted flight reaches: the schedule is doubtful then."""
    reached = [side for side, at in ((0, flight[0] <= TINY), (1, flight[1] >= duration - TINY)) if at]
    return any(plan.contacts.rests[point][side] for point in FEET for side in reached)


def _fallen(
    solved: Solved, plan: SupportPlan, options: Options, flight: Span, most: _Most
) -> tuple[Solved, tuple[Span, ...]]:
    """Return the solution whose body falls in a flight, and that flight with its final times, if it is not doubtful."""
    found, fixed = solved, (most is _ANY, most is _ANY)
    for _ in range(_ROUNDS):
        poses, centre = _sampled(found)
        duration = found.gap.duration
        fall = fitted_flight(found.control[:, :3], centre - poses.root, duration, flight, fixed)
        if fall.largest > most.moved or fall.cost > most.cost:
            return solved, ()
        flight, fixed = fall.flights[0], (True, True)
        gap = _with_root(found.gap, _unpushed(found, fall))
        found = solve_again(gap, plan, found.unknowns, _off_ground(found, flight), options)
    return found, (flight,)


def _sampled(solved: Solved) -> tuple[Poses, Array]:
    """Return the poses (S,) at the `sample_times` of a solution, and the centre of mass (S, 3) in m."""
    control, gap = solved.control, solved.gap
    poses = Patch(gap.tree.charts, control, gap.duration).state(sample_times(gap.duration, len(control))).poses
    return poses, gap.figure.centre_of_mass(poses)


def _pushed(solved: Solved, plan: SupportPlan, options: Options, flights: Sequence[Span], contacts: Array) -> Solved:
    """Return the solution with a root whose push the feet can give where contacts (T, 4) expect them on the ground."""
    poses, centre = _sampled(solved)
    gap, ground = solved.gap, plan.contacts.ground
    points = np.stack([gap.figure.point(name, poses) for name in PUSH_POINTS], axis=1)
    soles = Soles(points, ground.normal(points[..., 0], points[..., 2]), _pushing(contacts, len(poses), gap), centre)
    root = unpushed_root(gap.tree, solved.control, gap.duration, flights, soles)
    if np.abs(root - solved.control[:, : HUMAN.root_dofs]).max() > _MOST_PUSHED:
        return solved
    return solve_again(_with_root(gap, root), plan, solved.unknowns, solved.supports, options)


def _pushing(contacts: Array, count: int, gap: Gap) -> Flags:
    """Return which of the `PUSH_POINTS` may push, (count, 6), by contacts (T, 4) that a prior predicts."""
    even, times = np.linspace(0.0, 1.0, len(contacts)), np.linspace(0.0, 1.0, count)
    reach = _BESIDE / gap.duration
    flags = []
    for heel, tip in (contacts[:, :2].T, contacts[:, 2:].T):
        for likely in (heel, np.maximum(heel, tip), tip):
            down = even[likely > _EVEN]
            flags.append(np.abs(times[:, None] - down).min(axis=1, initial=np.inf) <= reach)
    return np.stack(flags, axis=1)


def _unpushed(solved: Solved, fall: Fall) -> Array:
    """Return the coefficients (n, 6) of a root that falls, and turns with constant angular momentum if all joints do.

    Joints that are given count for the fall only.
    """
    control = solved.control.copy()
    control[:, :3] = fall.control
    root = control[:, : HUMAN.root_dofs]
    if solved.gap.given is not None:
        return root
    turned = unpushed_root(solved.gap.tree, control, solved.gap.duration, fall.flights)
    return turned if np.abs((turned - root)[:, 3:]).max() <= _MOST_TURN else root


def _with_root(gap: Gap, root: Array) -> Gap:
    """Return a gap with other coefficients (n, 6) of its root."""
    if gap.reference_path is None:
        return replace(gap, root=root)
    path = gap.reference_path.copy()
    path[:, : HUMAN.root_dofs] = root
    return replace(gap, reference_path=path)


def _off_ground(solved: Solved, flight: Span) -> list[Support]:
    """Return the supports of a solution without the times in which the body flies."""
    kept = []
    for each in solved.supports:
        if each in solved.fixed or each.stop <= flight[0] or each.start >= flight[1]:
            kept.append(each)
            continue
        for start, stop in ((each.start, min(each.stop, flight[0])), (max(each.start, flight[1]), each.stop)):
            if stop - start > 0.04:
                kept.append(replace(each, start=start, stop=stop))
    return kept
