"""The working memory of the kernels, allocated once and reused."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.dynamics._lanes import LANES, Pointer, address_of, aligned, blocks_of, doubles_at, integers_at
from segue.dynamics._program import LINKS, PLACE, Program
from segue.typing import Array

# doubles for every joint of a block, and for a slot of scratch memory
STATE, SCRATCH = 17 * LANES, 24 * LANES

# addresses in a joint's state: angular velocity, angular acceleration, acceleration of the origin (less gravity),
# force and moment that the joint passes on, cosine and sine of a hinge
ANGULAR_VELOCITY, ANGULAR_ACCEL, LINEAR_ACCEL, FORCE, TORQUE, COSINE, SINE = (
    LANES * k for k in (0, 3, 6, 9, 12, 15, 16)
)
# addresses in a slot of scratch memory: acceleration tensor, and in the adjoint the derivatives of the scalar by it;
# the derivatives by force, moment, angular velocity, angular acceleration, acceleration of the origin
ACCEL_TENSOR, FORCE_BAR, TORQUE_BAR = (LANES * k for k in (0, 9, 12))
ANGULAR_VELOCITY_BAR, ANGULAR_ACCEL_BAR, LINEAR_ACCEL_BAR = (LANES * k for k in (15, 18, 21))


class Memory(NamedTuple):
    """Arguments of the kernels: pointers to a tree's program and to working memory, and two integers.

    "Samples" are blocks of eight, (block, joint, lane), with the last block padded. links, numbers: see ``Program``.
    gravity: three numbers. q, qd, qdd: samples of joint values and their derivatives. tau: torques. seed:
    d(scalar)/d(tau). by_q, by_qd, by_qdd: results of the adjoint, in place of q, qd and qdd. wrench: (block, joint,
    6, lane), external force and moment, if ``wrenched``. state: (slot, joint, 17, lane), kept from the forward pass for
    the adjoint, a slot for each block or one for all. scratch: (place, 24, lane), kept for a joint until its subtree
    is done.
    """

    joints: int
    wrenched: int
    links: Pointer
    numbers: Pointer
    gravity: Pointer
    q: Pointer
    qd: Pointer
    qdd: Pointer
    tau: Pointer
    seed: Pointer
    by_q: Pointer
    by_qd: Pointer
    by_qdd: Pointer
    wrench: Pointer
    state: Pointer
    scratch: Pointer


@compiled(seconds=1, inline=True)
def memory_at(table: npt.NDArray[np.int64]) -> Memory:
    """Return the memory that a workspace's table describes."""
    return Memory(
        table[0],
        table[1],
        integers_at(table[2]),
        doubles_at(table[3]),
        doubles_at(table[4]),
        doubles_at(table[5]),
        doubles_at(table[6]),
        doubles_at(table[7]),
        doubles_at(table[8]),
        doubles_at(table[9]),
        doubles_at(table[10]),
        doubles_at(table[11]),
        doubles_at(table[12]),
        doubles_at(table[13]),
        doubles_at(table[14]),
        doubles_at(table[15]),
    )


class Workspace:
    """Working memory for one tree and a number of samples; one thread may use it at a time.

    The arrays are those of ``Memory``, flat. ``table`` holds their addresses, and is the only argument of a kernel. A
    call with one argument takes a fraction of a microsecond, a call with fifteen arrays takes five. The workspace must
    outlive the call, since addresses do not keep arrays alive.
    """

    def __init__(
        self,
        program: Program,
        gravity: Array,
        samples: int,
        *,
        slots: int | None = None,
        wrenches: bool = False,
        tau_becomes_seed: bool = False,
    ) -> None:
        joints = len(program.links) // LINKS
        self.samples = samples
        self.blocks = blocks_of(samples)
        size = self.blocks * joints * LANES
        self.program, self.gravity = program, gravity
        state = (self.blocks if slots is None else slots) * joints * STATE
        scratch = (int(program.links[PLACE::LINKS].max()) + 1) * SCRATCH
        lengths = [size] * 4 + [0 if tau_becomes_seed else size, 6 * size if wrenches else 0, state, scratch]
        ends = list(accumulate(lengths))
        # one piece for all: every length is a whole number of vectors, so that each array begins on a cache line too
        memory = aligned(ends[-1])
        parts = [memory[stop - length : stop] for length, stop in zip(lengths, ends, strict=True)]
        self.q, self.qd, self.qdd, self.tau, self.seed, self.wrench, self.state, self.scratch = parts
        self.by_q, self.by_qd, self.by_qdd = self.q, self.qd, self.qdd
        first = address_of(memory)
        q, qd, qdd, tau, seed, *rest = [first + 8 * (stop - length) for length, stop in zip(lengths, ends, strict=True)]
        if tau_becomes_seed:
            self.seed, seed = self.tau, tau
        own = [address_of(array) for array in (program.links, program.numbers, gravity)]
        addresses = [*own, q, qd, qdd, tau, seed, q, qd, qdd, *rest]
        self.table = np.array([joints, int(wrenches), *addresses], dtype=np.int64)


def to_blocks(samples: npt.NDArray[Any], into: Array) -> None:
    """Write samples (T, ...) as flat blocks (block, ..., lane); the padding repeats the last sample, to stay finite."""
    count = len(samples)
    blocks = blocks_of(count)
    view = into.reshape(blocks, *samples.shape[1:], LANES)
    whole = count // LANES
    if whole:
        view[:whole] = np.moveaxis(samples[: whole * LANES].reshape(whole, LANES, *samples.shape[1:]), 1, -1)
    if whole < blocks:
        left = count - whole * LANES
        view[whole, ..., :left] = np.moveaxis(samples[whole * LANES :], 0, -1)
        view[whole, ..., left:] = samples[-1][..., None]


def from_blocks(blocks: Array, *shape: int) -> Array:
    """Return the samples (T, ...) of flat blocks (block, ..., lane) as a new array."""
    count, *rest = shape
    lanes_last = blocks.reshape(blocks_of(count), *rest, LANES)
    samples = np.moveaxis(lanes_last, -1, 1).reshape(-1, *rest)[:count]
    return np.ascontiguousarray(samples)
