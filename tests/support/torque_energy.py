"""What a spline motion costs in torques, with the gradient by the spline's coefficients, in one compiled call.

Benchmarks and tests measure the kernels of the dynamics by it, without the other terms of the solver. A block of eight
samples goes through everything while it is in the cache: coefficients to joint values, inverse dynamics, the
derivatives of the energy by the torques, the adjoint. What is left at the end is a product with the basis.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.bspline import SplineBasis
from segue.curves.sampled import Quadrature
from segue.dynamics._adjoint import adjoint_block
from segue.dynamics._forward import forward_block
from segue.dynamics._lanes import (
    LANES,
    Pointer,
    aligned,
    blocks_of,
    doubles_at,
    integers_at,
    load,
    number,
    put,
    splat,
    store,
    total,
    window,
)
from segue.dynamics._memory import Memory, MemoryArrays, Workspace, memory_of, to_blocks
from segue.dynamics.inverse import GRAVITY, inverse_dynamics
from segue.dynamics.tree import Tree, checked_gravity
from segue.errors import ArgumentError
from segue.typing import Array


class EnergyMemory(NamedTuple):
    """What the kernels of an energy know besides the dynamics.

    blocks: of eight samples. coefficients: how many a joint has. change: whether a torque's change counts, or itself.
    basis: (block, coefficient, 3, lane), values and first and second derivatives of the basis functions.
    support: (block, 2), the first coefficient that matters to a block, and the one after the last.
    weights: (block, joint, lane): of the squared torque at a sample, or of the squared change from it to the next.
    """

    blocks: int
    coefficients: int
    change: int
    basis: Pointer
    support: Pointer
    weights: Pointer


@compiled(seconds=1, inline=True)
def _energy_memory_at(table: npt.NDArray[np.int64]) -> EnergyMemory:
    return EnergyMemory(table[0], table[1], table[2], doubles_at(table[3]), integers_at(table[4]), doubles_at(table[5]))


@compiled(seconds=10)
def energy(
    arrays: MemoryArrays,
    energy_table: npt.NDArray[np.int64],
    coefficients: Array,
    gradient: Array,
    with_gradient: bool,
) -> float:
    """Return the energy of coefficients (m, n); if wanted, write its gradient (m, n) too. No memory is allocated."""
    memory, terms = memory_of(arrays), _energy_memory_at(energy_table)
    given, wanted = doubles_at(coefficients.ctypes.data), doubles_at(gradient.ctypes.data)
    value = 0.0
    for block in range(terms.blocks):
        motion_block(memory, terms, given, block)
        # where every sample counts for itself the state need not outlive its block
        forward_block(memory, block, block if terms.change else 0, 0, memory.joints)
        if not terms.change:
            value += _squares(memory, terms, block)
            if with_gradient:
                adjoint_block(memory, block, 0, 0, memory.joints)
    if terms.change:
        value = _squared_changes(memory, terms)
        if with_gradient:
            for block in range(terms.blocks):
                adjoint_block(memory, block, block, 0, memory.joints)
    if with_gradient:
        _by_coefficients(memory, terms, wanted)
    return value


@compiled(seconds=1)
def motion_block(memory: Memory, terms: EnergyMemory, coefficients: Pointer, block: int) -> None:
    """Fill the joint values and their derivatives of one block from coefficients (m, n)."""
    n = memory.joints
    low, high = number(terms.support, 2 * block), number(terms.support, 2 * block + 1)
    start = block * terms.coefficients * 3 * LANES
    for i in range(n):
        q = qd = qdd = splat(0.0)
        for k in range(low, high):
            c = number(coefficients, k * n + i)
            at = start + k * 3 * LANES
            q = q + c * load(terms.basis, at)
            qd = qd + c * load(terms.basis, at + LANES)
            qdd = qdd + c * load(terms.basis, at + 2 * LANES)
        sample = (block * n + i) * LANES
        store(memory.q, sample, q)
        store(memory.qd, sample, qd)
        store(memory.qdd, sample, qdd)


@compiled(seconds=1)
def _squares(memory: Memory, terms: EnergyMemory, block: int) -> float:
    """Return the weighted sum of squared torques of one block and write its derivatives as the seed."""
    value = splat(0.0)
    for i in range(memory.joints):
        sample = (block * memory.joints + i) * LANES
        tau = load(memory.tau, sample)
        weighted = load(terms.weights, sample) * tau
        value = value + weighted * tau
        store(memory.seed, sample, weighted + weighted)
    result: float = total(value)
    return result


@compiled(seconds=1)
def _squared_changes(memory: Memory, terms: EnergyMemory) -> float:
    """Return the weighted sum of squared changes from sample to sample and write its derivatives as the seed."""
    value = splat(0.0)
    step = memory.joints * LANES
    for i in range(memory.joints):
        before = splat(0.0)
        here = load(memory.tau, i * LANES)
        for block in range(terms.blocks):
            sample = block * step + i * LANES
            # after the last block comes nothing, and the weight of that change is zero
            there = load(memory.tau, sample + step) if block + 1 < terms.blocks else here
            change = window(here, there, 1) - here
            weighted = load(terms.weights, sample) * change
            value = value + weighted * change
            store(memory.seed, sample, 2.0 * (window(before, weighted, 7) - weighted))
            before, here = weighted, there
    result: float = total(value)
    return result


@compiled(seconds=1)
def _by_coefficients(memory: Memory, terms: EnergyMemory, gradient: Pointer) -> None:
    """Write the gradient (m, n) by the coefficients from those by the motion."""
    n, step = memory.joints, terms.coefficients * 3 * LANES
    for i in range(n):
        for k in range(terms.coefficients):
            sum_ = splat(0.0)
            for block in range(terms.blocks):
                if number(terms.support, 2 * block) <= k < number(terms.support, 2 * block + 1):
                    sample, at = (block * n + i) * LANES, block * step + k * 3 * LANES
                    sum_ = sum_ + load(terms.basis, at) * load(memory.by_q, sample)
                    sum_ = sum_ + load(terms.basis, at + LANES) * load(memory.by_qd, sample)
                    sum_ = sum_ + load(terms.basis, at + 2 * LANES) * load(memory.by_qdd, sample)
            put(gradient, k * n + i, total(sum_))


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
        return float(energy(self._workspace().ref, self._table, given, given, False))

    def with_gradient(self, coefficients: npt.ArrayLike) -> tuple[float, Array]:
        """Return the energy of coefficients (m, n) and its gradient (m, n)."""
        given = self._checked(coefficients)
        gradient = np.empty(self.shape)
        return float(energy(self._workspace().ref, self._table, given, gradient, True)), gradient

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
