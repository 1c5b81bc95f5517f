"""Flights in gaps: when nothing carries the body, and the root that lets it fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.curves.sampled import runs
from segue.filling.options import Options
from segue.filling.solving import Patch, Solved, SupportPlan, solve_again
from segue.motion.fills import Support
from segue.motion.interval import TINY
from segue.spacetime import FEET, Gap
from segue.spacetime.ballistics import Fall, Span, fitted_flight, sample_times
from segue.spacetime.free_root import unpushed_root
from segue.typing import Array

_UNLIKELY = 0.05
"""Probability of contact of all points of the feet below which the body flies."""
_SHORTEST = {"auto": 0.2, "free": 0.08}
"""Seconds of the shortest predicted flight that counts. Shorter flights belong to runs, in which a root that falls
brings less push but no smaller joint error."""
_MOST_TURN = 0.35
"""Radians that a flight may turn the root: more than that shows that the joints are elsewhere than they should be."""
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
    solved: Solved, plan: SupportPlan, options: Options, predicted: Sequence[Span], *, whole: bool = False
) -> Solved:
    """Return the solution with a root whose centre of mass falls freely in flights.

    predicted: flights that a prior expects, or that the ends show. Flights of the user count instead of those that they
    overlap. whole: whether the body flies from one seam to the other.
    """
    if options.root == "given":
        return solved
    given = [(max(each.start, 0.0), min(each.stop, solved.gap.duration)) for each in plan.targets.flights]
    others = [span for span in predicted if not any(span[0] < stop and start < span[1] for start, stop in given)]
    others = [span for span in others if not _stands_at_end(span, plan, solved.gap.duration)]
    if whole and not given:
        others = [(0.0, solved.gap.duration)]
    for span in given:
        solved = _fallen(solved, plan, options, span, _ANY)
    for span in others:
        solved = _fallen(solved, plan, options, span, _SEEN if whole or options.root == "free" else _PREDICTED)
    return solved


def _stands_at_end(flight: Span, plan: SupportPlan, duration: float) -> bool:
    """Return whether a foot rests at a seam that a predicted flight reaches: the schedule is doubtful then."""
    reached = [side for side, at in ((0, flight[0] <= TINY), (1, flight[1] >= duration - TINY)) if at]
    return any(plan.contacts.rests[point][side] for point in FEET for side in reached)


def _fallen(solved: Solved, plan: SupportPlan, options: Options, flight: Span, most: _Most) -> Solved:
    found, fixed = solved, (most is _ANY, most is _ANY)
    for _ in range(_ROUNDS):
        control, duration = found.control, found.gap.duration
        times = sample_times(duration, len(control))
        poses = Patch(found.gap.tree.charts, control, duration).state(times).poses
        offset = found.gap.figure.centre_of_mass(poses) - poses.root
        fall = fitted_flight(control[:, :3], offset, duration, flight, fixed)
        if fall.largest > most.moved or fall.cost > most.cost:
            return solved
        flight, fixed = fall.flights[0], (True, True)
        gap = _with_root(found.gap, _unpushed(found, fall))
        found = solve_again(gap, plan, found.unknowns, _off_ground(found, flight), options)
    return found


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
