"""The spacetime problem solved with Pinocchio, NumPy and SciPy on one core: the peers that Segue's solver meets.

Written as one would who knows these libraries well: Pinocchio's analytic derivatives, everything else in whole arrays.
With the root prescribed, legs and upper body do not feel each other, so Gauss-Newton builds and factors one system for
each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pinocchio as pin
import scipy.linalg
import scipy.optimize

from segue.dynamics import Tree
from segue.typing import Array
from tests.support.spacetime_problems import COEFFICIENTS, ROOT, Problem
from tests.support.trees import pinocchio_model

FREE = slice(2, COEFFICIENTS - 2)


class Solution(NamedTuple):
    """Unknowns (5, 38), their energy, and how many iterations and evaluations they took."""

    unknowns: Array
    energy: float
    iterations: int
    evaluations: int


class _Linearised(NamedTuple):
    """Energy, its gradient (5, 38), and the weighted residuals' Jacobians by torque inputs (24, 3, 38, 38)."""

    energy: float
    gradient: Array
    derivatives: Array


class PinocchioProblem:
    """A problem as Pinocchio sees it; everything that does not depend on the unknowns is made here."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.change = problem.objective == "natural"
        self._model = pinocchio_model(problem.tree, problem.gravity)
        self._data = self._model.createData()
        matrices = problem.basis.sampled(problem.quadrature.times).matrices
        self._motion = matrices[:3]
        self._free = np.ascontiguousarray(matrices[:3, :, FREE].transpose(1, 2, 0))  # (24, 5, 3)
        weights = problem.quadrature.weights
        self._form = sum(
            factor**2 * (matrices[order].T * weights) @ matrices[order] for factor, order in problem.regulariser
        )
        samples, joints = len(weights), self._model.nv - ROOT
        # residuals are scale * torque, or scale * change of torque: their squares add up to the torques' energy
        step = problem.quadrature.times[1] - problem.quadrature.times[0]
        self._scale = (
            np.broadcast_to(problem.rate_weights / np.sqrt(step), (samples, joints))
            if self.change
            else np.broadcast_to(np.sqrt(weights)[:, None], (samples, joints))
        )
        self._tau = np.empty((samples, joints))
        self._by = np.empty((samples, 3, joints, joints))
        self.parts = _independent_parts(problem.tree)

    @property
    def start(self) -> Array:
        """The unknowns (190,) of the start path."""
        return self.problem.start[FREE, ROOT:].ravel().copy()

    def energy(self, unknowns: Array) -> float:
        """Return the energy alone, from inverse dynamics without derivatives."""
        coefficients = self.problem.coefficients(unknowns)
        for t, (q, qd, qdd) in enumerate(zip(*(self._motion @ coefficients), strict=True)):
            self._tau[t] = pin.rnea(self._model, self._data, q, qd, qdd)[ROOT:]
        inner = coefficients[:, ROOT:]
        return float(np.vdot(inner, self._form @ inner) + np.sum(self._residuals() ** 2))

    def with_gradient(self, unknowns: Array) -> tuple[float, Array]:
        """Return energy and gradient (190,)."""
        energy, gradient, _ = self.linearised(unknowns)
        return energy, gradient.ravel()

    def linearised(self, unknowns: Array) -> _Linearised:
        """Return energy, gradient and what the Gauss-Newton matrix is made of."""
        coefficients = self.problem.coefficients(unknowns)
        model, data, by = self._model, self._data, self._by
        by_q, by_qd, inertia, tau = (
            part[ROOT:, ROOT:] if part.ndim == 2 else part[ROOT:]
            for part in (data.dtau_dq, data.dtau_dv, data.M, data.tau)
        )
        for t, (q, qd, qdd) in enumerate(zip(*(self._motion @ coefficients), strict=True)):
            pin.computeRNEADerivatives(model, data, q, qd, qdd)
            self._tau[t], by[t, 0], by[t, 1], by[t, 2] = tau, by_q, by_qd, inertia
        residuals = self._residuals()
        seed = 2.0 * self._scale * self._transposed(residuals)
        # (24, 1, 3 * 38) from (24, 1, 38) times (24, 38, 3 * 38), joint values last
        by_motion = np.matmul(seed[:, None, None], by)[:, :, 0]
        inner = coefficients[:, ROOT:]
        pull = self._form @ inner
        gradient = np.tensordot(self._free, by_motion, axes=((0, 2), (0, 1))) + 2.0 * pull[FREE]
        return _Linearised(float(np.vdot(inner, pull) + np.sum(residuals**2)), gradient, by)

    def normal_matrices(self, derivatives: Array) -> list[Array]:
        """Return for each independent part half the Gauss-Newton Hessian by its unknowns (5 * n, 5 * n)."""
        matrices = []
        for part in self.parts:
            inner = derivatives[:, :, part, part] * self._scale[:, None, part, None]
            samples, _, count, _ = inner.shape
            jacobian = np.matmul(self._free, inner.reshape(samples, 3, -1)).reshape(samples, -1, count, count)
            if self.change:
                jacobian = jacobian[1:] - jacobian[:-1]
            tall = jacobian.transpose(0, 2, 1, 3).reshape(len(jacobian) * count, -1)
            matrix = tall.T @ tall
            each = np.arange(count)
            matrix.reshape(-1, count, len(self._free[0]), count)[:, each, :, each] += self._form[FREE, FREE]
            matrices.append(matrix)
        return matrices

    def _residuals(self) -> Array:
        return np.diff(self._tau, axis=0) * self._scale[1:] if self.change else self._tau * self._scale

    def _transposed(self, residuals: Array) -> Array:
        """Return what the residuals' squares make of the torques before scaling: (24, 38)."""
        if not self.change:
            return residuals
        ends = np.zeros((1, residuals.shape[1]))
        return -np.diff(residuals, axis=0, prepend=ends, append=ends)


def gauss_newton(peer: PinocchioProblem, tolerance: float = 1e-5, most: int = 200) -> Solution:
    """Minimise by Levenberg and Marquardt's damped Gauss-Newton steps, normal equations by Cholesky.

    Stops when the decrease that the model predicts for a full step is below the tolerance times the energy.
    """
    unknowns = peer.start.reshape(COEFFICIENTS - 4, -1)
    damping, evaluations = 0.0, 1
    state = peer.linearised(unknowns)
    for iteration in range(most):
        matrices = peer.normal_matrices(state.derivatives)
        gradient = state.gradient
        while True:
            step = _step(matrices, gradient, peer.parts, damping)
            predicted = -0.5 * float(np.vdot(step, gradient))
            if predicted < tolerance * state.energy:
                return Solution(unknowns, state.energy, iteration, evaluations)
            trial = peer.linearised(unknowns + step)
            evaluations += 1
            if trial.energy < state.energy:
                break
            damping = max(4.0 * damping, 1e-2)
        gain = (state.energy - trial.energy) / predicted
        damping = damping / 4.0 if gain > 0.75 else damping if gain > 0.25 else max(2.0 * damping, 1e-2)
        unknowns, state = unknowns + step, trial
    return Solution(unknowns, state.energy, most, evaluations)


def bfgs(peer: PinocchioProblem, least: float, tolerance: float = 1e-4) -> Solution:
    """Minimise by SciPy's BFGS; stops as soon as it is within the tolerance of the least energy that is known."""
    return _scipy(peer, "BFGS", least, tolerance)


def lbfgs(peer: PinocchioProblem, least: float, tolerance: float = 1e-4) -> Solution:
    """Minimise by SciPy's L-BFGS-B; stops as soon as it is within the tolerance of the least energy that is known."""
    return _scipy(peer, "L-BFGS-B", least, tolerance)


def _scipy(peer: PinocchioProblem, method: str, least: float, tolerance: float) -> Solution:
    start = peer.start
    slope = np.abs(peer.with_gradient(start)[1]).max()

    def near_enough(intermediate_result: scipy.optimize.OptimizeResult) -> None:
        if intermediate_result.fun < (1.0 + tolerance) * least:
            raise StopIteration

    options: dict[str, float] = {"gtol": 1e-7 * slope, "maxiter": 3000}
    if method == "L-BFGS-B":
        options |= {"ftol": 0.0, "maxfun": 10000, "maxcor": 20}
    result = scipy.optimize.minimize(
        peer.with_gradient, start, jac=True, method=method, callback=near_enough, options=options
    )
    return Solution(result.x.reshape(COEFFICIENTS - 4, -1), float(result.fun), int(result.nit), int(result.nfev))


def _step(matrices: list[Array], gradient: Array, parts: list[slice], damping: float) -> Array:
    """Return the damped Gauss-Newton step (5, 38)."""
    step = np.empty_like(gradient)
    for matrix, part in zip(matrices, parts, strict=True):
        damped = matrix.copy()
        damped[np.diag_indices_from(damped)] *= 1.0 + damping
        factor = scipy.linalg.cho_factor(damped, overwrite_a=True, check_finite=False)
        right = -0.5 * gradient[:, part]
        step[:, part] = scipy.linalg.cho_solve(factor, right.ravel(), check_finite=False).reshape(right.shape)
    return step


def _independent_parts(tree: Tree) -> list[slice]:
    """Return the joints beyond the root of each limb that hangs on it; they follow each other, being depth first."""
    firsts = [joint - ROOT for joint in range(ROOT, len(tree)) if tree.parents[joint] < ROOT]
    return [slice(first, last) for first, last in pairwise([*firsts, len(tree) - ROOT])]


PEERS: dict[str, Callable[[PinocchioProblem, float], Solution]] = {
    "Gauss-Newton": lambda peer, least: gauss_newton(peer),
    "BFGS": bfgs,
    "L-BFGS-B": lbfgs,
}
"""The solvers by name; all but the first are told the least energy that is known, to stop near it."""
