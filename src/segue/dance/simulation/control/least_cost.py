"""Small convex quadratic programs with inequalities of any kind, solved exactly by non-negative least squares."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from segue.typing import Array

_NONE = 1e-9  # of a residual's unit length: where it is shorter no point keeps to all bounds


def least_cost(hessian: Array, gradient: Array, rows: Array, least: Array) -> Array | None:
    """Return x (n,) with the least x' H x / 2 - g' x such that rows (R, n) @ x >= least (R,); None if there is none.

    hessian: (n, n) H, positive definite. By its Cholesky root the problem becomes that of the shortest vector within
    half-spaces, which one of non-negative least squares solves [Lawson1974, chapter 23].
    """
    root = np.linalg.cholesky(hessian)
    free = solve_triangular(root, gradient, lower=True)
    if not len(rows):
        return np.asarray(solve_triangular(root.T, free))
    sides = solve_triangular(root, rows.T, lower=True)
    beyond = least - free @ sides
    if np.all(beyond <= 0.0):
        return np.asarray(solve_triangular(root.T, free))
    stacked = np.vstack([sides, beyond])
    unit = np.zeros(len(stacked))
    unit[-1] = 1.0
    multipliers, _ = nnls(stacked, unit)
    residual = stacked @ multipliers - unit
    if abs(residual[-1]) < _NONE:
        return None
    return np.asarray(solve_triangular(root.T, free - residual[:-1] / residual[-1]))
