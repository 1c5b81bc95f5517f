"""Check solved paths, and solve bad ones again.

A path should cost no more than the cubic Hermite path that the solve began with. No joint should leave the range that
both sides of the gap show by far, as a limb does that enters a gap at speed. Both are checked after a solve. Most
paths pass and are not changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from segue.body.figure import SOLES
from segue.filling.options import Options
from segue.filling.seams import straight_alone
from segue.filling.solving import Solved, SupportPlan, solve_again
from segue.spacetime import Gap
from segue.spacetime.constraints import Usual
from segue.spacetime.solver import finer, own_energy, strays, within_limits

_FAR = 1.45
"""Distance of joints from the usual range, as a multiple of its margin, above which another path is tried."""

_ENOUGH = 14
"""Number of coefficients with which joints can stop soon enough; paths with fewer get twice as many."""

_TRIALS = ((False, 1.3, 1.0), (True, 1.3, 1.0), (True, 1.0, 3.0), (True, 0.7, 10.0))
"""Trials that pull joints back: whether to the straight path alone, the factor on the margin, and the weight."""

_BETWEEN = (0.5, 0.75, 0.9)
"""Weights between a path that strays and a path that costs too much; a mixture may do neither."""

_DEEPER = 0.01
"""Depth in m by which feet may be deeper in the ground on another path."""

_LET_GO = "supports of one side are not held: holding them takes more effort than plain interpolation"
_DEAR = "the path takes {more:.0%} more effort than plain interpolation, whose feet go through the floor"
_INTERPOLATED = "the path is plain interpolation: no solution was found that costs less"


@dataclass(frozen=True, eq=False)
class Repaired:
    """A checked solution, its energy, the energy of interpolation, and notes for the user."""

    solved: Solved
    energy: float
    start_energy: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Candidate:
    solved: Solved
    energy: float
    far: float  # as a multiple of the margin
    depth: float  # m of the lowest sole below the ground
    note: str | None = None

    def rank(self, most: float, deepest: float) -> tuple[bool, bool, bool, float, float]:
        """Return the rank of a candidate, lower is better; most: energy of interpolation.

        deepest: depth in m that soles may be below the ground.
        """
        dear, sunk, astray = not self.energy <= most, self.depth > deepest, self.far > _FAR
        return sunk, dear, astray, self.far if astray and not dear else 0.0, self.energy

    def fails(self, most: float) -> bool:
        """Return whether another path should be tried."""
        return not self.energy <= most or self.far > _FAR


def repaired(
    solved: Solved,
    usual: Usual,
    plan: SupportPlan,
    options: Options,
    remade: Callable[[int], Gap | None],
    wider: Callable[[Usual], Usual],
) -> Repaired:
    """Return the solution of a gap, or a better one if it is worse than interpolation or a joint strays.

    usual: range of joints next to the gap; wider: adds the range further away, which takes longer to sample. remade:
    returns the same gap with another number of coefficients.
    """
    gap = solved.gap
    still = np.zeros_like(solved.unknowns)
    interpolated = within_limits(gap, still) if options.limits else still
    start_energy = most = own_energy(gap, interpolated)
    if plan.fixed:
        most = np.inf  # interpolation does not meet targets
    first = _judged(solved, usual)
    # a caller who ends a solve early wants its present result
    stopped = options.iterations < Options.iterations or (options.stop is not None and options.stop[0] != 0)
    if not options.limits or stopped or not first.fails(most):
        return Repaired(solved, first.energy, start_energy)
    if first.far > _FAR:
        usual = wider(usual)
        first = _judged(solved, usual)
        if not first.fails(most):
            return Repaired(solved, first.energy, start_energy)
    tried, deepest = [first], max(first.depth, 0.0) + _DEEPER
    parts = len(solved.supports) > len(plan.whole)
    if parts and not first.energy <= most:
        again = solve_again(gap, plan, still, plan.whole, options)
        tried.append(_judged(again, usual, _LET_GO))
    best = min(tried, key=lambda each: each.rank(most, deepest))
    if best.far > _FAR:
        tried += _nearer(best, most, usual, plan, options, remade)
    best = min(tried, key=lambda each: each.rank(most, deepest))
    if not best.energy <= most:
        inside = replace(solved, unknowns=interpolated, supports=plan.whole)
        tried.append(_judged(inside, usual, _INTERPOLATED))
        best = min(tried, key=lambda each: each.rank(most, deepest))
    notes = [] if best.note is None else [best.note]
    if not best.energy <= most:
        notes.append(_DEAR.format(more=best.energy / most - 1.0))
    return Repaired(best.solved, best.energy, start_energy, tuple(notes))


def _judged(solved: Solved, usual: Usual, note: str | None = None) -> _Candidate:
    gap = solved.gap
    depth = 0.0
    if gap.ground is not None:
        soles = [path for name, path in solved.paths.items() if name in SOLES]
        depth = -float(gap.ground.above(np.stack(soles)).min()) if soles else 0.0
    energy, far = own_energy(gap, solved.unknowns), strays(gap, solved.unknowns, usual)
    return _Candidate(solved, energy, far / usual.margin, depth, note)


def _nearer(
    found: _Candidate,
    most: float,
    usual: Usual,
    plan: SupportPlan,
    options: Options,
    remade: Callable[[int], Gap | None],
) -> list[_Candidate]:
    """Return paths with growing weight on the usual range, until one stays near enough.

    most: energy of interpolation.
    """
    solved, tried = found.solved, []
    gap = solved.gap
    enough = gap.coefficients >= _ENOUGH or options.coefficients is not None
    count = gap.coefficients if enough else 2 * gap.coefficients + 1
    fine = remade(count)
    assert fine is not None
    start = finer(gap, solved.unknowns, fine)
    for straight, share, price in _TRIALS:
        near = (straight_alone(usual) if straight else usual)._replace(margin=share * usual.margin)
        again = solve_again(replace(fine, usual=near, price=price), plan, start, solved.supports, options)
        tried.append(_judged(again, usual, found.note))
        if tried[-1].far < _FAR:
            break
    if not tried[-1].energy <= most:
        for share in _BETWEEN:
            between = start + share * (again.unknowns - start)
            tried.append(_judged(replace(again, unknowns=within_limits(again.gap, between)), usual, found.note))
    return tried
