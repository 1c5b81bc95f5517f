"""What a spline motion costs in torques, with the gradient by the spline's coefficients."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from segue.curves.bspline import SplineBasis
from segue.curves.quadrature import Quadrature
from segue.dynamics._energy_kernels import energy
from segue.dynamics._inputs import checked_gravity
from segue.dynamics._lanes import LANES, aligned, blocks_of
from segue.dynamics._memory import Workspace, to_blocks
from segue.dynamics.inverse import GRAVITY, inverse_dynamics
from segue.dynamics.tree import Tree
from segue.errors import ArgumentError
from segue.typing import Array


class TorqueEnergy:
    """The integral of weighted squared torques, or of their squared time derivatives, over a spline motion.

    The motion is ``basis`` times coefficients (m, n), one column a joint. With ``change`` false this is the energy of
    [Rose1996] A.4, the integral of the sum of w_i tau_i^2 over time, by the given quadrature. With ``change`` true it
    is the integral of the sum of w_i (d tau_i/dt)^2, with the torque taken as straight between the quadrature's times,
    which should then reach from end to end.

    weights: (n,) or (T, n), not negative; 1 if not given. A zero leaves a joint, or a joint for some time, out. With
    ``change`` the weight of an interval is the mean of those of its ends.

    A call takes microseconds and allocates nothing but its result. Any number of threads may call the same energy.
    """

    def __init__(
        self,
        tree: Tree,
        basis: SplineBasis,
        quadrature: Quadrature,
        *,
        weights: npt.ArrayLike | None = None,
        change: bool = False,
        gravity: Sequence[float] = GRAVITY,
    ) -> None:
        self.tree, self.basis, self.quadrature, self.change = tree, basis, quadrature, change
        self._gravity = checked_gravity(gravity)
        self.shape = (basis.count, len(tree))
        samples = len(quadrature.times)
        self._basis_blocks, self._support = _blocked_basis(basis, quadrature.times)
        factors = _factors(quadrature, _checked_weights(tree, samples, weights), change)
        self._weights = aligned(blocks_of(samples) * len(tree) * LANES)
        to_blocks(factors, self._weights)
        if samples % LANES:
            # the padding repeats the last sample, which must not count again
            self._weights.reshape(-1, len(tree), LANES)[-1, :, samples % LANES :] = 0.0
        arrays = (self._basis_blocks, self._support, self._weights)
        self._table = np.array(
            [blocks_of(samples), basis.count, int(change), *(array.ctypes.data for array in arrays)], dtype=np.int64
        )
        self._thread = threading.local()

    def __call__(self, coefficients: npt.ArrayLike) -> float:
        """Return the energy of coefficients (m, n)."""
        given = self._checked(coefficients)
        return float(energy(self._workspace().table, self._table, given, given, False))

    def with_gradient(self, coefficients: npt.ArrayLike) -> tuple[float, Array]:
        """Return the energy of coefficients (m, n) and its gradient (m, n)."""
        given = self._checked(coefficients)
        gradient = np.empty(self.shape)
        return float(energy(self._workspace().table, self._table, given, gradient, True)), gradient

    def torques(self, coefficients: npt.ArrayLike) -> Array:
        """Return the torques at the quadrature's times, (T, n)."""
        motion = self.basis.sampled(self.quadrature.times).motion(self._checked(coefficients))
        return inverse_dynamics(self.tree, *motion, gravity=self._gravity.tolist())

    def _workspace(self) -> Workspace:
        """Return this thread's own memory."""
        work: Workspace | None = getattr(self._thread, "work", None)
        if work is None:
            work = Workspace(
                self.tree.program[0],
                self._gravity,
                len(self.quadrature.times),
                slots=None if self.change else 1,
                tau_becomes_seed=True,
            )
            self._thread.work = work
        return work

    def _checked(self, coefficients: npt.ArrayLike) -> Array:
        given = np.ascontiguousarray(coefficients, dtype=float)
        if given.shape != self.shape:
            raise ArgumentError(f"this motion has coefficients of shape {self.shape}, not {given.shape}")
        # numba would compile anew for an array that must not be written to
        return given if given.flags.writeable else given.copy()


def _blocked_basis(basis: SplineBasis, times: Array) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return basis functions and two derivatives as (block, m, 3, lane), and which functions each block needs."""
    matrices = np.stack([basis.matrix(times, order) for order in range(3)], axis=-1)
    blocks = aligned(blocks_of(len(times)) * basis.count * 3 * LANES)
    to_blocks(matrices, blocks)
    used = np.any(blocks.reshape(-1, basis.count, 3 * LANES) != 0.0, axis=-1)
    first = np.argmax(used, axis=1)
    after_last = basis.count - np.argmax(used[:, ::-1], axis=1)
    return blocks, np.ascontiguousarray(np.stack([first, after_last], axis=1), dtype=np.int64)


def _checked_weights(tree: Tree, samples: int, weights: npt.ArrayLike | None) -> Array:
    """Return weights as (T, n)."""
    n = len(tree)
    given = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    if given.shape not in ((n,), (samples, n)):
        raise ArgumentError(f"weights must have shape ({n},) or ({samples}, {n}), not {given.shape}")
    if not np.all(np.isfinite(given)) or np.any(given < 0):
        raise ArgumentError("weights must be finite numbers that are not negative")
    return np.broadcast_to(given, (samples, n))


def _factors(quadrature: Quadrature, weights: Array, change: bool) -> Array:
    """Return what to multiply squared torques, or squared changes to the next sample, with: (T, n)."""
    if not change:
        return quadrature.weights[:, None] * weights
    steps = np.diff(quadrature.times)
    if len(steps) == 0 or np.any(steps <= 0):
        raise ArgumentError("the change of a torque needs at least two times that increase")
    factors = np.zeros(weights.shape)
    factors[:-1] = (weights[:-1] + weights[1:]) / 2 / steps[:, None]
    return factors
