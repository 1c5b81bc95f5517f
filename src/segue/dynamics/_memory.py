"""The working memory of the kernels, allocated once and reused."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import Ref, compiled
from segue.dynamics._lanes import LANES, Pointer, aligned, blocks_of, doubles_at, integers_at
from segue.dynamics._program import LINKS, PLACE, Program
from segue.typing import Array, Ints

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


class MemoryArrays(NamedTuple):
    """The arrays behind a `Memory`, flat; those of the adjoint's results are the arrays of the motion."""

    joints: int
    wrenched: int
    links: Ints
    numbers: Array
    gravity: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    seed: Array
    wrench: Array
    state: Array
    scratch: Array


@compiled(seconds=1, inline=True)
def memory_of(arrays: MemoryArrays) -> Memory:
    """Return pointers to arrays, which the caller keeps alive."""
    q, qd, qdd = arrays.q.ctypes.data, arrays.qd.ctypes.data, arrays.qdd.ctypes.data
    return Memory(
        arrays.joints,
        arrays.wrenched,
        integers_at(arrays.links.ctypes.data),
        doubles_at(arrays.numbers.ctypes.data),
        doubles_at(arrays.gravity.ctypes.data),
        doubles_at(q),
        doubles_at(qd),
        doubles_at(qdd),
        doubles_at(arrays.tau.ctypes.data),
        doubles_at(arrays.seed.ctypes.data),
        doubles_at(q),
        doubles_at(qd),
        doubles_at(qdd),
        doubles_at(arrays.wrench.ctypes.data),
        doubles_at(arrays.state.ctypes.data),
        doubles_at(arrays.scratch.ctypes.data),
    )


class Workspace:
    """Working memory for one tree and a number of samples; one thread may use it at a time.

    ``arrays`` are those of ``Memory``, and ``ref`` a reference to them, which a kernel takes as one argument.
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
        if tau_becomes_seed:
            self.seed = self.tau
        self.arrays = MemoryArrays(
            joints,
            int(wrenches),
            program.links,
            program.numbers,
            gravity,
            self.q,
            self.qd,
            self.qdd,
            self.tau,
            self.seed,
            self.wrench,
            self.state,
            self.scratch,
        )

    @cached_property
    def ref(self) -> Ref[MemoryArrays]:
        """The arrays as one argument of a kernel."""
        return Ref(self.arrays)


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
