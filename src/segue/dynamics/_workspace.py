"""The memory that the kernels work in: allocated once, then used over and over."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.curves.quaternion import Array
from segue.dynamics._lanes import LANES, aligned, blocks_of

__all__ = ["BARS", "SPIN", "STATE", "Workspace", "from_blocks", "to_blocks"]

# doubles that a joint takes in one block of eight samples
STATE, SPIN, BARS = 17 * LANES, 9 * LANES, 24 * LANES

# addresses in a joint's state: angular velocity, angular acceleration, acceleration of the origin (less gravity),
# force and moment that the joint passes on, cosine and sine of a hinge
RATE, RISE, PULL, FORCE, MOMENT_, COSINE, SINE = (LANES * k for k in (0, 3, 6, 9, 12, 15, 16))
# addresses in a joint's bars, the derivatives of the scalar by: force, moment, angular velocity, angular acceleration,
# acceleration of the origin, acceleration tensor
FORCE_BAR, MOMENT_BAR, RATE_BAR, RISE_BAR, PULL_BAR, SPIN_BAR = (LANES * k for k in (0, 3, 6, 9, 12, 15))


class Workspace(NamedTuple):
    """Flat arrays; "samples" are blocks of eight, (block, joint, lane), with the last block padded.

    q, qd, qdd: joint values and their derivatives. tau: torques. seed: d(scalar)/d(tau). by_q, by_qd, by_qdd: what the
    adjoint returns. wrench: (block, joint, 6, lane), external force and moment, or empty. state: (slot, joint, 17,
    lane), kept from the forward pass for the adjoint, a slot for each block or one for all. spin: (joint, 9, lane),
    acceleration tensors of the block in hand. bars: (joint, 24, lane), derivatives by everything in the state.
    """

    q: Array
    qd: Array
    qdd: Array
    tau: Array
    seed: Array
    by_q: Array
    by_qd: Array
    by_qdd: Array
    wrench: Array
    state: Array
    spin: Array
    bars: Array

    @classmethod
    def allocate(cls, joints: int, samples: int, *, slots: int | None = None, wrenches: bool = False) -> Workspace:
        """Return zeroed memory for a number of joints and samples; by default every block keeps its state."""
        blocks = blocks_of(samples)
        size = blocks * joints * LANES
        return cls(
            *(aligned(size) for _ in range(8)),
            wrench=aligned(6 * size if wrenches else 0),
            state=aligned((blocks if slots is None else slots) * joints * STATE),
            spin=aligned(joints * SPIN),
            bars=aligned(joints * BARS),
        )


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
