"""The discretised constrained method of [Barr1992]: quaternions at samples, each held to unit length by a constraint.

Written as one would today: keyframes are eliminated rather than constrained, differences allow for uneven samples, the
objective's gradient and the constraints' Jacobian are analytic, and the start is the spline through the keyframes that
the dynamic spline starts from too.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.interpolate import CubicSpline
from scipy.optimize import NonlinearConstraint, minimize

from segue.curves import quaternion
from segue.typing import Array

__all__ = ["Discrete", "solve"]


class Discrete(NamedTuple):
    """Sample times (N,), quaternions (N, 4), what the discrete energy is, and how many iterations it took."""

    times: Array
    quaternions: Array
    energy: float
    iterations: int


class _Problem:
    """The sum over samples of h |q'' without its part along q|^2, by second differences, and its gradient."""

    def __init__(self, times: Array, keys: Array, per_span: int) -> None:
        spans = [np.linspace(a, b, per_span + 1)[:-1] for a, b in pairwise(times)]
        self.times = np.append(np.concatenate(spans), times[-1])
        start = CubicSpline(times, quaternion.make_continuous(keys), bc_type="natural")(self.times)
        self.start = quaternion.normalise(start)
        self.free = np.ones(len(self.times), bool)
        self.free[::per_span] = False
        before, after = np.diff(self.times)[:-1], np.diff(self.times)[1:]
        self.widths = 0.5 * (before + after)
        rows = np.arange(len(self.widths))
        entries = np.stack([1 / before, -1 / before - 1 / after, 1 / after]) / self.widths
        size = (len(rows), len(self.times))
        self.second = sparse.csr_array(
            (entries.ravel(), (np.tile(rows, 3), np.concatenate([rows, rows + 1, rows + 2]))), size
        )
        self.second_transposed = self.second.T.tocsr()

    def path(self, unknowns: Array) -> Array:
        path = self.start.copy()
        path[self.free] = unknowns.reshape(-1, 4)
        return path

    def energy(self, unknowns: Array) -> tuple[float, Array]:
        path = self.path(unknowns)
        acceleration, inner = self.second @ path, path[1:-1]
        along = (acceleration * inner).sum(axis=1, keepdims=True)
        squares = (inner * inner).sum(axis=1, keepdims=True)
        across = acceleration - inner * along / squares
        scaled = self.widths[:, None] * across
        by_path = self.second_transposed @ (2.0 * scaled)
        by_path[1:-1] -= 2.0 * scaled * along / squares
        return float((scaled * across).sum()), by_path[self.free].ravel()

    def lengths(self, unknowns: Array) -> Array:
        return (unknowns.reshape(-1, 4) ** 2).sum(axis=1) - 1.0

    def lengths_jacobian(self, unknowns: Array) -> Array:
        count = len(unknowns) // 4
        jacobian = np.zeros((count, count, 4))
        jacobian[np.arange(count), np.arange(count)] = 2.0 * unknowns.reshape(-1, 4)
        return jacobian.reshape(count, -1)


def solve(times: Array, keys: Array, per_span: int, *, method: str = "SLSQP", tolerance: float = 1e-6) -> Discrete:
    """Return the samples of least energy, per_span intervals between two keyframes.

    method: "SLSQP", or "trust-constr" with sparse Jacobians. tolerance: part of the initial energy.
    """
    problem = _Problem(times, keys, per_span)
    start = problem.start[problem.free].ravel()
    first = problem.energy(start)[0]
    if method == "SLSQP":
        constraint = {"type": "eq", "fun": problem.lengths, "jac": problem.lengths_jacobian}
        found = minimize(
            problem.energy,
            start,
            jac=True,
            method="SLSQP",
            constraints=[constraint],
            options={"ftol": tolerance * first, "maxiter": 1000},
        )
    else:
        found = minimize(
            problem.energy,
            start,
            jac=True,
            method="trust-constr",
            constraints=[
                NonlinearConstraint(
                    problem.lengths, 0.0, 0.0, jac=lambda x: sparse.csr_matrix(problem.lengths_jacobian(x))
                )
            ],
            options={"gtol": 1e-4, "maxiter": 3000},
        )
    return Discrete(problem.times, problem.path(found.x), float(found.fun), int(found.nit))
