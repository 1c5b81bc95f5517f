"""From arrays of time samples to arrays of results, block by block: the loops behind the public functions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.dynamics._adjoint import adjoint_block, jacobian_row
from segue.dynamics._forward import forward_block
from segue.dynamics._lanes import LANES, Pointer, address_of, copy_turned, doubles_at, number, put, splat, store
from segue.dynamics._memory import Memory, MemoryArrays, memory_of


class Batch(NamedTuple):
    """Arrays (T, n), or (T, n, 6) for wrenches and (T, n, n) for Jacobians, time first, as the user has them."""

    samples: int
    q: Pointer
    qd: Pointer
    qdd: Pointer
    wrench: Pointer
    seed: Pointer
    tau: Pointer
    by_q: Pointer
    by_qd: Pointer
    by_qdd: Pointer


def batch_table(samples: int, **arrays: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the addresses of a batch's arrays, which the caller keeps alive; those not given are not used."""
    addresses = [address_of(arrays[name]) if name in arrays else 0 for name in Batch._fields[1:]]
    return np.array([samples, *addresses], dtype=np.int64)


@compiled(seconds=1, inline=True)
def _batch_at(table: npt.NDArray[np.int64]) -> Batch:
    return Batch(
        table[0],
        doubles_at(table[1]),
        doubles_at(table[2]),
        doubles_at(table[3]),
        doubles_at(table[4]),
        doubles_at(table[5]),
        doubles_at(table[6]),
        doubles_at(table[7]),
        doubles_at(table[8]),
        doubles_at(table[9]),
    )


@compiled(seconds=6)
def torques(arrays: MemoryArrays, samples: npt.NDArray[np.int64]) -> None:
    """Fill tau."""
    memory, batch = memory_of(arrays), _batch_at(samples)
    for start in range(0, batch.samples, LANES):
        _take_motion(memory, batch, start)
        forward_block(memory, 0, 0, 0, memory.joints)
        _give_back(memory.tau, batch.tau, start, batch.samples, memory.joints, memory.joints, 0)


@compiled(seconds=8)
def adjoint(arrays: MemoryArrays, samples: npt.NDArray[np.int64]) -> None:
    """Fill tau, by_q, by_qd and by_qdd, each (T, n)."""
    memory, batch = memory_of(arrays), _batch_at(samples)
    n = memory.joints
    for start in range(0, batch.samples, LANES):
        _take_motion(memory, batch, start)
        _take(batch.seed, memory.seed, start, batch.samples, n)
        forward_block(memory, 0, 0, 0, memory.joints)
        _give_back(memory.tau, batch.tau, start, batch.samples, n, n, 0)
        adjoint_block(memory, 0, 0, 0, memory.joints)
        _give_back(memory.by_q, batch.by_q, start, batch.samples, n, n, 0)
        _give_back(memory.by_qd, batch.by_qd, start, batch.samples, n, n, 0)
        _give_back(memory.by_qdd, batch.by_qdd, start, batch.samples, n, n, 0)


@compiled(seconds=8)
def jacobians(
    arrays: MemoryArrays,
    samples: npt.NDArray[np.int64],
    descendants: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.int64],
    rows: int,
) -> None:
    """Fill tau (T, n), and by_q, by_qd and by_qdd, each (T, n, n); rows is the address of 24 n doubles."""
    memory, batch = memory_of(arrays), _batch_at(samples)
    n = memory.joints
    row = doubles_at(rows)
    by = (row, doubles_at(rows + 8 * n * LANES), doubles_at(rows + 16 * n * LANES))
    for start in range(0, batch.samples, LANES):
        _take_motion(memory, batch, start)
        forward_block(memory, 0, 0, 0, memory.joints)
        _give_back(memory.tau, batch.tau, start, batch.samples, n, n, 0)
        for i in range(n):
            for k in range(3 * n):
                store(row, k * LANES, splat(0.0))
            jacobian_row(memory, descendants, bounds, by, i)
            _give_back(by[0], batch.by_q, start, batch.samples, n, n * n, i * n)
            _give_back(by[1], batch.by_qd, start, batch.samples, n, n * n, i * n)
            _give_back(by[2], batch.by_qdd, start, batch.samples, n, n * n, i * n)


@compiled(seconds=1, inline=True)
def _take_motion(memory: Memory, batch: Batch, start: int) -> None:
    n = memory.joints
    _take(batch.q, memory.q, start, batch.samples, n)
    _take(batch.qd, memory.qd, start, batch.samples, n)
    _take(batch.qdd, memory.qdd, start, batch.samples, n)
    if memory.wrenched:
        _take(batch.wrench, memory.wrench, start, batch.samples, 6 * n)


@compiled(seconds=1)
def _take(samples: Pointer, block: Pointer, start: int, count: int, columns: int) -> None:
    """Turn eight samples, from start on, into lanes; what is missing at the end repeats the last, to stay finite."""
    done = 0
    if start + LANES <= count:
        done = columns // LANES * LANES
        for i in range(0, done, LANES):
            copy_turned(samples, start * columns + i, columns, block, i * LANES, LANES)
    for lane in range(LANES):
        row = min(start + lane, count - 1) * columns
        for i in range(done, columns):
            put(block, i * LANES + lane, number(samples, row + i))


@compiled(seconds=1)
def _give_back(block: Pointer, samples: Pointer, start: int, count: int, columns: int, stride: int, skip: int) -> None:
    """Turn lanes into part of the samples from start on: of each, columns numbers after the first few.

    The distance from one sample to the next is the stride.
    """
    done = 0
    if start + LANES <= count:
        done = columns // LANES * LANES
        for i in range(0, done, LANES):
            copy_turned(block, i * LANES, LANES, samples, start * stride + skip + i, stride)
    for lane in range(min(LANES, count - start)):
        row = (start + lane) * stride + skip
        for i in range(done, columns):
            put(samples, row + i, number(block, i * LANES + lane))
