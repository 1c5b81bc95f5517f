"""Solve a gap with its supports, and make the patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.curves.bspline import DEGREE, SplineBasis
from segue.curves.chart import BallCharts
from segue.filling._support_kernels import stray
from segue.filling.options import Options
from segue.filling.seams import spline_state
from segue.filling.steps import held_parts
from segue.filling.supports import SHORTEST, GapContacts, hold_of, partial_supports
from segue.filling.targets import GapTargets, aimed, clear_of
from segue.motion.fills import Support
from segue.motion.interval import TINY
from segue.motion.tracks import State
from segue.spacetime import Gap, Solution, solve
from segue.spacetime.solver import tightened, trace, within_limits
from segue.spacetime.terms.hold import Hold
from segue.typing import Array

_COARSE = 5.0
"""Factor on the tolerance of the first of two solves."""
_AIMS = 3
"""Solves at most that aim a point at its place."""


class SupportPlan(NamedTuple):
    """The supports of a gap: contacts at its ends, the choice for each point, and the supports that are always held.

    targets: of the gap. fixed: the supports at these targets, which are part of `whole`. ways: of swings.
    """

    contacts: GapContacts
    choices: Mapping[str, str]
    whole: list[Support]
    targets: GapTargets = GapTargets()
    fixed: Sequence[Support] = ()
    ways: tuple[Hold, ...] = ()

    def holds(self, supports: list[Support], times: Array) -> tuple[Hold, ...]:
        """Return the holds of supports, and of swings, at the sample times of a gap."""
        return hold_of(supports, self.contacts, times, self.ways)

    @property
    def left(self) -> dict[str, str]:
        """The choices for points that are not held throughout the gap."""
        held = {support.point for support in self.whole if support not in self.fixed}
        return {point: choice for point, choice in self.choices.items() if point not in held}

    def aiming(self, gap: Gap, start: float) -> SupportPlan:
        """Return the plan with supports at the targets; start: of the gap in s, for messages."""
        fixed = self.targets.supports(gap, self.contacts, start)
        others = [each for each in self.whole if each not in self.fixed and each.point not in self.targets.feet]
        return self._replace(whole=[*others, *fixed], fixed=fixed)


@dataclass(frozen=True, eq=False)
class Solved:
    """A gap with its solution: unknowns (F, m) within limits, and the supports that it holds, in the gap's own time.

    fixed: the supports among these that are at targets.
    """

    gap: Gap
    solution: Solution
    unknowns: Array
    supports: list[Support]
    fixed: Sequence[Support] = ()

    @property
    def control(self) -> Array:
        """The spline coefficients (m + 4, 44) of the path."""
        return self.gap.control(self.unknowns)

    @cached_property
    def paths(self) -> Mapping[str, Array]:
        """Positions of the points that count at the gap's samples, (S, 3) in m each."""
        return trace(self.gap, self.unknowns)

    def place(self, point: str, at: float) -> Array:
        """Return the position (3,) in m of a point that counts at a time of the gap, by the cubic through 4 samples."""
        times, path = self.gap.times, self.paths[point]
        first = int(np.clip(np.searchsorted(times, at) - 2, 0, len(times) - 4))
        near = times[first : first + 4]
        shares = [np.prod([(at - b) / (a - b) for b in near if b != a]) for a in near]
        return np.asarray(shares @ path[first : first + 4], dtype=float)


def solve_supported(gap: Gap, plan: SupportPlan, options: Options) -> Solved:
    """Return the solution of a gap in which some supports are held throughout, and supports of one side for a part."""
    gap.hold(plan.holds(plan.whole, gap.times))
    solution, parts = _with_parts(gap, plan, options)
    return Solved(gap, solution, _limited(gap, solution, options), [*plan.whole, *parts], plan.fixed)


def solve_again(gap: Gap, plan: SupportPlan, start: Array, supports: list[Support], options: Options) -> Solved:
    """Return the solution of a gap in which some supports are held, starting from unknowns (F, m)."""
    gap.hold(plan.holds(supports, gap.times))
    solution = solve(gap, start, tolerance=options.tolerance, iterations=2 * options.iterations, stop=options.stop)
    return Solved(gap, solution, _limited(gap, solution, options), supports, plan.fixed)


def solve_aimed(solved: Solved, plan: SupportPlan, options: Options) -> Solved:
    """Return the solution with its targets met as well as can be.

    Feet roll: heel and toe tip of a footstep are held for as long as the leg lets them. Points that miss their place at
    one time are aimed further.
    """
    for _ in range(_AIMS):
        parts = {id(each): _rolled(each, solved) for each in solved.fixed}
        kept = [part for each in solved.fixed for part in parts[id(each)]]
        if kept == list(solved.fixed):
            break
        plan = plan._replace(fixed=kept)
        supports = [part for each in solved.supports for part in parts.get(id(each), [each])]
        solved = solve_again(solved.gap, plan, solved.unknowns, supports, options)
    wanted = solved.supports
    for _ in range(_AIMS):
        further = aimed(solved.supports, solved, plan.fixed)
        if further is None:
            break
        solved = solve_again(solved.gap, plan, solved.unknowns, further, options)
    return replace(solved, supports=wanted)


def _rolled(support: Support, solved: Solved) -> list[Support]:
    """Return the longest part of a footstep's support that a solution holds, or all of it if there is none."""
    if support.start == support.stop:
        return [support]
    parts = held_parts(support, solved.gap.times, solved.paths[support.point], SHORTEST)
    return [max(parts, key=lambda part: part.stop - part.start)] if parts else [support]


def measured(solved: Solved) -> tuple[list[Support], list[Support]]:
    """Return the supports of a solution with how far each strays from its place: at targets, and all others."""
    times = solved.gap.times
    at_targets: list[Support] = []
    others: list[Support] = []
    for each in solved.supports:
        if each.start == each.stop:
            far = float(np.linalg.norm(solved.place(each.point, each.start) - each.place[0]))
        else:
            far = float(stray(times, solved.paths[each.point], each.place, each.start - TINY, each.stop + TINY))
        (at_targets if each in solved.fixed else others).append(replace(each, moved=far))
    return at_targets, others


def _limited(gap: Gap, solution: Solution, options: Options) -> Array:
    return within_limits(gap, tightened(gap, solution.unknowns)) if options.limits else solution.unknowns


def _with_parts(gap: Gap, plan: SupportPlan, options: Options) -> tuple[Solution, list[Support]]:
    """Return the solution of a gap, and the supports of one side that it holds in addition.

    A coarse first solve without these shows how long they stay.
    """
    contacts, whole, left = plan.contacts, plan.whole, plan.left
    if not any(choice == "auto" and any(contacts.rests[point]) for point, choice in left.items()):
        return solve(gap, tolerance=options.tolerance, iterations=options.iterations, stop=options.stop), []
    coarse = _COARSE * options.tolerance
    first = solve(gap, tolerance=coarse, iterations=options.iterations, stop=options.stop)
    parts = clear_of(partial_supports(contacts, left, gap.figure, gap.times, trace(gap, first.unknowns)), plan.fixed)
    gap.hold(plan.holds([*whole, *parts], gap.times))
    second = solve(
        gap,
        first.unknowns,
        tolerance=options.tolerance,
        gained=first.start_energy - first.energy,
        iterations=options.iterations,
        stop=options.stop,
    )
    iterations, evaluations = first.iterations + second.iterations, first.evaluations + second.evaluations
    return replace(second, iterations=iterations, evaluations=evaluations), parts


class Patch:
    """Joint values of all 44 degrees of freedom as cubic splines on [0, duration], ball joints in charts.

    control: (m + 4, 44) coefficients on equal pieces. report: of the fill. gap: the problem that was solved, for those
    who ask for the cost by terms.
    """

    def __init__(
        self, charts: BallCharts, control: Array, duration: float, report: object = None, gap: Gap | None = None
    ) -> None:
        self.charts = charts
        self.control = control
        self.gap = gap
        self.duration = duration
        self.report = report
        self._pieces = (_to_pieces(len(control)) @ control).reshape(-1, DEGREE + 1, control.shape[1])

    def state(self, times: Array) -> State:
        """Return the whole figure's state at times, which are clipped to the patch."""
        charts = self.charts.reference, self.charts.leading
        at = np.ascontiguousarray(times, dtype=float)
        return State.of_parts(spline_state(self._pieces, self.duration, at, *charts, HUMAN.ball_dofs, HUMAN.hinge_dofs))


@lru_cache(maxsize=32)
def _to_pieces(count: int) -> Array:
    """Return (4 pieces, count): each piece's powers of its own time, from 0 to 1, of every basis function."""
    basis = SplineBasis.uniform(0.0, 1.0, count)
    pieces = count - DEGREE
    starts = (np.arange(pieces) + 0.5) / pieces
    # Taylor's series about the middle, where no derivative jumps, moved to the start of each piece
    about = [basis.matrix(starts, order) / pieces**order for order in range(DEGREE + 1)]
    a, b, c, d = (part / factor for part, factor in zip(about, (1.0, 1.0, 2.0, 6.0), strict=True))
    h = -0.5
    powers = np.stack([a + h * b + h**2 * c + h**3 * d, b + 2 * h * c + 3 * h**2 * d, c + 3 * h * d, d], axis=1)
    return powers.reshape(-1, count)
