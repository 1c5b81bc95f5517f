"""Torque energies of a spline motion and their gradients by the coefficients, in one compiled call.

A block of eight samples goes through everything while it is in the cache: coefficients to joint values, inverse
dynamics, the derivatives of the energy by the torques, the adjoint. What is left at the end is a product with the
basis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.dynamics._adjoint import adjoint_block
from segue.dynamics._forward import forward_block
from segue.dynamics._lanes import (
    LANES,
    Pointer,
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
from segue.dynamics._memory import Memory, memory_at
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
    table: npt.NDArray[np.int64],
    energy_table: npt.NDArray[np.int64],
    coefficients: Array,
    gradient: Array,
    with_gradient: bool,
) -> float:
    """Return the energy of coefficients (m, n); if wanted, write its gradient (m, n) too. No memory is allocated."""
    memory, terms = memory_at(table), _energy_memory_at(energy_table)
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
