"""Paths that come back to where they began: cyclic splines, their samples, and the metric of a descent on them.

Shapes: m coefficients a coordinate, D coordinates of which n are variable, T samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from segue.compiled import compiled
from segue.spacetime.descend import Point, descend
from segue.spacetime.metric import Solver
from segue.spacetime.path import Samples
from segue.spacetime.terms.term import TermSum
from segue.typing import Array, Flags, Ints

_ORDERS = 4
_REFRESH = 1
"""Iterations after which the metric is made anew: it is that of Gauss and Newton, in which a step goes far."""


@compiled(seconds=1)
def add_cyclic_band(
    which: Ints, basis: Array, signs: Array, bends: Array, coupled: Array, place: Ints, band: Array
) -> None:
    """Add the second derivatives by the coefficients of n splines to their lower band (wide, m n).

    which: (T, 4) the coefficients that count at a sample. basis: (4, T, 4) by how much, by order of derivative. signs:
    (T, 4, n) that of each coefficient in each spline. bends: (4, n, T) second derivatives by one spline at a sample,
    coupled: (T, n, n) those by the values of two. place: (m,) where each coefficient comes in order.
    """
    n = bends.shape[1]
    for t in range(len(which)):
        for i in range(4):
            for j in range(4):
                row, column = place[which[t, i]] * n, place[which[t, j]] * n
                if row < column:
                    continue
                values = basis[0, t, i] * basis[0, t, j]
                for a in range(n):
                    own = signs[t, i, a] * values
                    for b in range(n if row > column else a + 1):
                        band[row + a - column - b, column + b] += own * signs[t, j, b] * coupled[t, a, b]
                    total = 0.0
                    for order in range(4):
                        total += bends[order, a, t] * basis[order, t, i] * basis[order, t, j]
                    band[row - column, column + a] += total * signs[t, i, a] * signs[t, j, a]


@dataclass(frozen=True, eq=False)
class CyclicPath:
    """Cyclic cubics of D coordinates, some of which are variable.

    times, weights: (T,) samples of one period. which: (T, 4) the coefficients that count at each, basis: (4, T, 4) by
    how much, by order of derivative. flips: (D,) which coordinates come back with the other sign. variable: (n,) the
    coordinates that a descent may change.
    """

    times: Array
    weights: Array
    which: Ints
    basis: Array
    flips: Flags
    variable: Ints

    @cached_property
    def _signs(self) -> Array:
        """(T, 4, D): the sign of each coefficient; those that count beyond the end are the first ones again."""
        wrapped = self.which < self.which[:, :1]
        return np.where(wrapped[:, :, None] & self.flips, -1.0, 1.0)

    def samples(self, coefficients: Array) -> Samples:
        """Return the path of coefficients (m, D)."""
        local = coefficients[self.which] * self._signs
        orders = np.einsum("otk,tkd->odt", self.basis, local)
        return Samples(self.times, self.weights, *(order.T for order in orders))

    def gradient(self, by_samples: Samples) -> Array:
        """Return the gradient (m, n) by the variable coefficients, given that by the samples."""
        by_orders = np.stack([part[:, self.variable] for part in by_samples[2:]])
        local = np.einsum("otk,otd->tkd", self.basis, by_orders) * self._signs[:, :, self.variable]
        gradient = np.zeros((self.which.max() + 1, len(self.variable)))
        np.add.at(gradient, self.which, local)
        return gradient

    @cached_property
    def _place(self) -> Ints:
        """The place of each coefficient in an order in which neighbours are near: from both ends."""
        index = np.arange(self.which.max() + 1)
        return np.where(index < (len(index) + 1) // 2, 2 * index, 2 * (len(index) - 1 - index) + 1)

    def metric(self, curvatures: Sequence[Array]) -> Solver:
        """Return the inverse of the sum of curvatures, (4, D, T) or (k, D, k, D, T) each; see `HasCurvature`.

        Of those that couple coordinates, values alone are coupled.
        """
        n, count = len(self.variable), len(self._place)
        bends, coupled = np.zeros((_ORDERS, n, len(self.times))), np.zeros((len(self.times), n, n))
        for each in curvatures:
            if each.ndim == 3:
                bends += each[:, self.variable]
                continue
            coupled += np.moveaxis(each[0, :, 0][np.ix_(self.variable, self.variable)], -1, 0)
            for order in range(1, len(each)):
                bends[order] += np.einsum("ddt->dt", each[order, :, order])[self.variable]
        span = int(np.ptp(self._place[self.which], axis=1).max())
        band = np.zeros(((span + 1) * n, count * n))
        add_cyclic_band(self.which, self.basis, self._signs[:, :, self.variable], bends, coupled, self._place, band)

        def inverse(gradient: Array) -> Array:
            ordered = np.empty((count, n))
            ordered[self._place] = gradient.reshape(count, n)
            solved = scipy.linalg.solveh_banded(band, ordered.ravel(), lower=True, check_finite=False)
            step: Array = solved.reshape(count, n)[self._place]
            return step.ravel()

        return inverse

    def improved(self, coefficients: Array, terms: TermSum, *, iterations: int, tolerance: float) -> Array:
        """Return coefficients (m, D) at which the sum of terms is less, after so many steps at most."""

        def moved(variables: Array) -> Array:
            rows = coefficients.copy()
            rows[:, self.variable] = variables.reshape(len(rows), -1)
            return rows

        def value(variables: Array) -> tuple[float, Array]:
            found, gradient = terms.evaluate(self.samples(moved(variables)))
            return found, self.gradient(gradient).ravel()

        def metric(variables: Array) -> Solver:
            return self.metric(terms.curvatures(self.samples(moved(variables))))

        start = coefficients[:, self.variable].ravel()
        best = Point(start, np.inf, start)
        for point in descend(value, metric, start, tolerance=tolerance, iterations=iterations, refresh=_REFRESH):
            best = point
        return moved(best.variables)
