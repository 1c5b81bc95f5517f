"""Paths that are worse than they should be: solved again, or replaced by a better one.

A path should cost no more than the cubic Hermite path that the solve began with, and no joint should go far from what
both sides of the gap show: a limb that comes into a gap at speed would else be thrown. Both are looked at after a
solve. Most paths pass, and stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from segue.filling.options import Options
from segue.filling.seams import straight_alone
from segue.filling.solving import Footing, Solved, solve_again
from segue.spacetime import SOLES, Gap
from segue.spacetime.constraints import Usual
from segue.spacetime.solver import finer, own_energy, strays, within_limits

_FAR = 1.45
"""How far joints may go from what both sides show, as a multiple of what is usual, before another path is tried."""

_ENOUGH = 14
"""Coefficients from which on joints can stop soon enough; paths that have fewer get twice as many."""

_TRIALS = ((False, 1.3, 1.0), (True, 1.3, 1.0), (True, 1.0, 3.0), (True, 0.7, 10.0))
"""How joints are drawn back: whether to the straight way alone, at which share of the margin, and at which price."""

_BETWEEN = (0.5, 0.75, 0.9)
"""Shares of the way from a path that strays to one that costs too much: between them may be one that does neither."""

_DEEPER = 0.01
"""Metres that another path may take feet deeper into the ground."""

_LET_GO = "supports of one side are let go: to hold them would take more effort than plain interpolation"
_DEAR = "the path takes {more:.0%} more effort than plain interpolation, which would take the feet through the floor"
_INTERPOLATED = "the path is plain interpolation: no solution was found that costs less"


@dataclass(frozen=True, eq=False)
class Repaired:
    """A solution that was looked at: what it costs, what interpolation costs, and what the user should know."""

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
        """Return what the better of two candidates has less of; most: what interpolation costs.

        deepest: m that soles may be below the ground.
        """
        dear, sunk, astray = not self.energy <= most, self.depth > deepest, self.far > _FAR
        return sunk, dear, astray, self.far if astray and not dear else 0.0, self.energy

    def fails(self, most: float) -> bool:
        """Whether another path should be looked for."""
        return not self.energy <= most or self.far > _FAR


def repaired(
    solved: Solved,
    usual: Usual,
    footing: Footing,
    options: Options,
    remade: Callable[[int], Gap | None],
    wider: Callable[[Usual], Usual],
) -> Repaired:
    """Return the solution of a gap, or a better one where it is worse than interpolation or throws a limb.

    usual: what joints do next to the gap; wider: adds to it what they do further away, which takes longer to look at.
    remade: returns the same gap with another number of coefficients.
    """
    gap = solved.gap
    still = np.zeros_like(solved.unknowns)
    interpolated = within_limits(gap, still) if options.limits else still
    most = own_energy(gap, interpolated)
    first = _judged(solved, usual)
    # whoever ends a solve early wants what it has reached by then
    stopped = options.iterations < Options.iterations or (options.stop is not None and options.stop[0] != 0)
    if not options.limits or stopped or not first.fails(most):
        return Repaired(solved, first.energy, most)
    if first.far > _FAR:
        usual = wider(usual)
        first = _judged(solved, usual)
        if not first.fails(most):
            return Repaired(solved, first.energy, most)
    tried, deepest = [first], max(first.depth, 0.0) + _DEEPER
    parts = len(solved.supports) > len(footing.whole)
    if parts and not first.energy <= most:
        again = solve_again(gap, footing, still, footing.whole, options)
        tried.append(_judged(again, usual, _LET_GO))
    best = min(tried, key=lambda each: each.rank(most, deepest))
    if best.far > _FAR:
        tried += _nearer(best, most, usual, footing, options, remade)
    best = min(tried, key=lambda each: each.rank(most, deepest))
    if not best.energy <= most:
        inside = replace(solved, unknowns=interpolated, supports=footing.whole)
        tried.append(_judged(inside, usual, _INTERPOLATED))
        best = min(tried, key=lambda each: each.rank(most, deepest))
    notes = [] if best.note is None else [best.note]
    if not best.energy <= most:
        notes.append(_DEAR.format(more=best.energy / most - 1.0))
    return Repaired(best.solved, best.energy, most, tuple(notes))


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
    footing: Footing,
    options: Options,
    remade: Callable[[int], Gap | None],
) -> list[_Candidate]:
    """Return paths that stay nearer to what is usual, the dearer it is to leave that, until one stays near enough.

    most: what interpolation costs.
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
        again = solve_again(replace(fine, usual=near, price=price), footing, start, solved.supports, options)
        tried.append(_judged(again, usual, found.note))
        if tried[-1].far < _FAR:
            break
    if not tried[-1].energy <= most:
        for share in _BETWEEN:
            between = start + share * (again.unknowns - start)
            tried.append(_judged(replace(again, unknowns=within_limits(again.gap, between)), usual, found.note))
    return tried
