"""The metric of the descent: approximate second derivatives of the sum of terms, factorised in linear time.

The variables are frames, on each of which the whole spline depends; the coefficients of the spline meet only their
neighbours. So a step is found among coefficients, with the frames that are fixed as conditions and a multiplier each:
a banded system, whose cost grows with the number of frames and not with its cube.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt
import scipy

from segue.compiled import compiled
from segue.spacetime.path import DynamicSpline, Samples, Sampling
from segue.spacetime.spline_space import SplineSpace
from segue.typing import Array, Flags, Ints

REACH = 3
"""How many coefficients further one can meet another."""


@compiled(seconds=1, fast_math=True)
def add_gram(first: Ints, basis: Array, curvature: Array, gram: Array) -> None:
    """Add to gram (m, 7, 1, 1) the second derivatives, given those by one coordinate of the path, curvature (4, S)."""
    for order in range(curvature.shape[0]):
        for s in range(curvature.shape[1]):
            weight = curvature[order, s]
            if weight == 0.0:
                continue
            for j in range(REACH + 1):
                part = weight * basis[order, j, s]
                for k in range(REACH + 1):
                    gram[first[s] + j, REACH + k - j, 0, 0] += part * basis[order, k, s]


@compiled(seconds=3, fast_math=True)
def add_coupled_gram(first: Ints, basis: Array, curvature: Array, gram: Array) -> None:
    """Add to gram (m, 7, D, D) as `add_gram` does, where curvature (n, D, n, D, S) couples coordinates and n orders.

    It is symmetric: coordinates in the other order are the transpose.
    """
    orders, dimension = curvature.shape[0], gram.shape[2]
    half = np.empty((REACH + 1, orders))
    for s in range(len(first)):
        f = first[s]
        for d in range(dimension):
            for e in range(d + 1):
                for j in range(REACH + 1):
                    for other in range(orders):
                        total = 0.0
                        for order in range(orders):
                            total += basis[order, j, s] * curvature[order, d, other, e, s]
                        half[j, other] = total
                for j in range(REACH + 1):
                    for k in range(REACH + 1):
                        total = 0.0
                        for other in range(orders):
                            total += half[j, other] * basis[other, k, s]
                        gram[f + j, REACH + k - j, d, e] += total
                        if d != e:
                            gram[f + k, REACH + j - k, e, d] += total


@compiled(seconds=1)
def write_system(gram: Array, stiffen: float, rows: Array, variable: Flags, band: Array) -> None:
    """Write the system of the coefficients for which a quadratic form is least while the fixed data stay zero.

    rows: (m, 7), the interpolation matrix in the order of gram. variable: (D, m), which data are not fixed. stiffen: is
    multiplied by each diagonal entry and added to it. band: (3 w + 1, 2 D m), zero, as LAPACK's dgbtrf takes it, with
    w = 7 D diagonals on each side. Unknowns: for each i, D coefficients and then D multipliers, of which those of data
    that are not fixed are zero.
    """
    count, dimension = gram.shape[0], gram.shape[2]
    middle = 2 * 7 * dimension
    largest = 0.0
    for i in range(count):
        for d in range(dimension):
            largest = max(largest, gram[i, REACH, d, d])
    least = stiffen * largest if largest > 0.0 else 1.0
    for i in range(count):
        for k in range(2 * REACH + 1):
            j = i + k - REACH
            if j < 0 or j >= count:
                continue
            for d in range(dimension):
                row, multiplier = 2 * dimension * i + d, 2 * dimension * i + dimension + d
                for e in range(dimension):
                    column = 2 * dimension * j + e
                    band[middle + row - column, column] += gram[i, k, d, e]
                if not variable[d, i]:
                    column = 2 * dimension * j + d
                    band[middle + multiplier - column, column] = rows[i, k]
                    band[middle + column - multiplier, multiplier] = rows[i, k]
        for d in range(dimension):
            own = 2 * dimension * i + d
            band[middle, own] += stiffen * max(gram[i, REACH, d, d], least)
            if variable[d, i]:
                band[middle, own + dimension] = 1.0


Solver = Callable[[Array], Array]
"""Takes a gradient (n,) and returns the step (n,) that the metric's inverse makes of it."""

_STIFFEN = 1e-8
"""Part of each second derivative that is added to it: some directions, such as a quaternion's length where only its
direction counts, may hardly bend at all."""


def metric_of(spline: DynamicSpline, sampling: Sampling, samples: Samples, curvatures: Iterable[Array]) -> Solver:
    """Return the inverse of the sum of curvatures, (4, D, S) or (n, D, n, D, S) each; see `HasCurvature`.

    By default the metric is that of squared acceleration, in which all C2 cubics are about equally stiff.
    """
    dimension = spline.dimension
    apart = np.zeros((4, dimension, len(samples.times)))
    coupled: list[Array] = []
    for curvature in curvatures:
        if curvature.ndim == 3:
            apart += curvature
        else:
            coupled.append(np.ascontiguousarray(curvature))
    if not coupled and not apart.any():
        apart[2] = 2.0 * samples.weights
    first, basis = sampling.basis
    grams = np.zeros((dimension, spline.space.count, 2 * REACH + 1, 1, 1))
    for d in range(dimension):
        add_gram(first, basis, np.ascontiguousarray(apart[:, d]), grams[d])
    if not coupled:
        return _Metric(
            spline.variable, [_System(spline.space, grams[d], spline.variable[d : d + 1]) for d in range(dimension)]
        )
    whole = np.zeros((spline.space.count, 2 * REACH + 1, dimension, dimension))
    for d in range(dimension):
        whole[:, :, d, d] = grams[d, :, :, 0, 0]
    for curvature in coupled:
        add_coupled_gram(first, basis, curvature, whole)
    return _Metric(spline.variable, [_System(spline.space, whole, spline.variable)])


class _System:
    """The factorised system of some coordinates: the least of a quadratic form, with fixed data as conditions."""

    def __init__(self, space: SplineSpace, gram: Array, variable: Flags) -> None:
        self._space = space
        count, _, dimension, _ = gram.shape
        self._width = (2 * REACH + 1) * dimension
        self._shape = (dimension, count)
        band = np.zeros((3 * self._width + 1, 2 * dimension * count))
        write_system(gram, _STIFFEN, space.rows, variable, band)
        self._factors: Array
        self._pivots: npt.NDArray[np.int32]
        self._factors, self._pivots, singular = scipy.linalg.lapack.dgbtrf(
            band, self._width, self._width, overwrite_ab=1
        )
        assert singular == 0, "the stiffened form is positive, and conditions on different data are independent"

    def step(self, gradient: Array) -> Array:
        """Return the change of the data (D, m), which is zero where they are fixed, for a gradient (D, m) by them."""
        dimension, count = self._shape
        right = np.zeros((count, 2, dimension))
        right[:, 0] = self._space.transposed(gradient).T
        solution = scipy.linalg.lapack.dgbtrs(self._factors, self._width, self._width, right.reshape(-1), self._pivots)[
            0
        ]
        return self._space.data(np.ascontiguousarray(solution.reshape(count, 2, dimension)[:, 0].T))


class _Metric:
    """The inverse of the metric, coordinates together or one by one."""

    def __init__(self, variable: Flags, systems: list[_System]) -> None:
        self._variable, self._systems = variable, systems

    def __call__(self, gradient: Array) -> Array:
        rows = np.zeros(self._variable.shape)
        rows[self._variable] = gradient
        each = len(rows) // len(self._systems)
        for k, system in enumerate(self._systems):
            rows[k * each : (k + 1) * each] = system.step(rows[k * each : (k + 1) * each])
        return rows[self._variable]
