"""The metric of the descent: roughly how the sum of penalties bends with the variables, factorised."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from scipy.linalg import lapack

from segue.curves.quaternion import Array
from segue.keyframe._path_kernels import add_coupled_gram, add_gram
from segue.keyframe.path import Bools, DynamicSpline, Samples, Sampling

__all__ = ["Solver", "metric_of"]

Solver = Callable[[Array], Array]
"""Takes a gradient (n,) and returns the step (n,) that the metric's inverse makes of it."""

_STIFFEN = 1e-8
"""Part of each second derivative that is added to it: some directions, such as a quaternion's length where only its
direction counts, may hardly bend at all."""
_STIFFER = 100.0


def metric_of(spline: DynamicSpline, sampling: Sampling, samples: Samples, curvatures: Iterable[Array]) -> Solver:
    """Return the inverse of the sum of curvatures, (4, D, S) or (4 D, 4 D, S) each; see `Curved`.

    Where none is given the metric is that of squared acceleration, in which all C2 cubics are about equally stiff.
    """
    coupled: list[Array] = []
    apart: list[Array] = []
    for curvature in curvatures:
        (apart if curvature.shape[:2] == (4, spline.dimension) else coupled).append(curvature)
    if not coupled and not apart:
        flat = np.zeros((4, spline.dimension, len(samples.times)))
        flat[2] = 2.0 * samples.weights
        apart.append(flat)
    count, dimension = spline.space.count, spline.dimension
    first, basis = sampling.basis
    inverse, variable = spline.space.inverse, spline.variable
    gram = np.zeros((dimension, count, count))
    for curvature in apart:
        add_gram(first, basis, np.ascontiguousarray(curvature), gram)
    if not coupled:
        return _apart(inverse @ gram @ inverse.T, variable)
    whole = np.zeros((dimension, count, dimension, count))
    for d in range(dimension if apart else 0):
        whole[d, :, d] = gram[d]
    for curvature in coupled:
        add_coupled_gram(first, basis, np.ascontiguousarray(curvature), whole)
    # twice along the coefficients, each time moving the axis that was turned to the back
    turned = np.tensordot(np.tensordot(whole, inverse, axes=(1, 1)), inverse, axes=(2, 1))  # d e r s
    matrix = turned.transpose(0, 2, 1, 3).reshape(dimension * count, dimension * count)
    chosen = np.flatnonzero(variable)
    return _factorised(matrix[np.ix_(chosen, chosen)])


def _apart(matrices: Array, variable: Bools) -> Solver:
    """Return a solver for each coordinate on its own: matrices (D, m, m), of which the variable entries count."""
    solvers, ends = [], np.cumsum(variable.sum(axis=1))
    for matrix, chosen in zip(matrices, variable, strict=True):
        places = np.flatnonzero(chosen)
        solvers.append(_factorised(matrix[np.ix_(places, places)]) if len(places) else None)

    def solve(gradient: Array) -> Array:
        step = np.empty_like(gradient)
        for solver, end, count in zip(solvers, ends, variable.sum(axis=1), strict=True):
            if solver is not None:
                step[end - count : end] = solver(gradient[end - count : end])
        return step

    return solve


def _factorised(matrix: Array) -> Solver:
    """Return the solver of a symmetric matrix, stiffened until it has a Cholesky factor."""
    diagonal = np.einsum("ii->i", matrix)
    floor = _STIFFEN * float(diagonal.max())
    own, added = np.maximum(diagonal, floor if floor > 0 else 1.0), _STIFFEN
    while True:
        diagonal += added * own
        factor, failed = lapack.dpotrf(matrix)
        if not failed:
            break
        added *= _STIFFER

    def solve(gradient: Array) -> Array:
        step: Array = lapack.dpotrs(factor, gradient)[0]
        return step

    return solve
