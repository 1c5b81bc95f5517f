"""Inverse dynamics over many time samples at once: torques, their adjoint and their Jacobians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.dynamics._adjoint import adjoint_block, jacobian_block
from segue.dynamics._forward import forward_block
from segue.dynamics._inputs import checked_samples, load_motion
from segue.dynamics._lanes import LANES, aligned, doubles_at
from segue.dynamics._memory import from_blocks, memory_at, to_blocks
from segue.dynamics.tree import Tree

__all__ = [
    "GRAVITY",
    "MotionDerivatives",
    "inverse_dynamics",
    "inverse_dynamics_adjoint",
    "inverse_dynamics_jacobians",
]

GRAVITY = (0.0, -9.80665, 0.0)
"""Acceleration of free fall in m/s^2; y is up. [Rose1996] A.1 prints -9.80655, a slip of the standard value."""


class MotionDerivatives(NamedTuple):
    """Derivatives by joint values, velocities and accelerations."""

    q: Array
    qd: Array
    qdd: Array


def inverse_dynamics(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    *,
    gravity: Sequence[float] = GRAVITY,
    wrenches: npt.ArrayLike | None = None,
) -> Array:
    """Return the torques (hinges, N m) and forces (sliders, N) that make the tree move as given, (T, n).

    q, qd, qdd: (T, n), joint values and their first and second time derivatives. gravity: in the world's axes.
    wrenches: (T, n, 6) or nothing; what the outside world applies to each body: a force through the origin of the
    body's frame and a moment about it, both along the body's axes.
    """
    work = load_motion(tree, (q, qd, qdd), gravity, wrenches)
    _forward_all(work.table, work.blocks)
    return from_blocks(work.tau, work.samples, len(tree))


def inverse_dynamics_adjoint(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    seed: npt.ArrayLike,
    *,
    gravity: Sequence[float] = GRAVITY,
    wrenches: npt.ArrayLike | None = None,
) -> tuple[Array, MotionDerivatives]:
    """Return the torques (T, n), and the derivatives of a scalar by the motion, given those by the torques.

    seed: (T, n), d(scalar)/d(tau). The results are d(scalar)/d(q), d(scalar)/d(qd) and d(scalar)/d(qdd), each (T, n).
    The work grows in proportion to the number of joints. Wrenches are constants in the body's axes.
    """
    work = load_motion(tree, (q, qd, qdd), gravity, wrenches)
    to_blocks(checked_samples(tree, "seed", seed, work.samples), work.seed)
    _adjoint_all(work.table, work.blocks)
    count, n = work.samples, len(tree)
    parts = (work.tau, work.by_q, work.by_qd, work.by_qdd)
    tau, *derivatives = (from_blocks(part, count, n) for part in parts)
    return tau, MotionDerivatives(*derivatives)


def inverse_dynamics_jacobians(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    *,
    gravity: Sequence[float] = GRAVITY,
    wrenches: npt.ArrayLike | None = None,
) -> tuple[Array, MotionDerivatives]:
    """Return the torques (T, n), and the full Jacobians d(tau_i)/d(q_j), d(qd_j), d(qdd_j) as (T, n, n) arrays.

    The Jacobian by accelerations is the joint-space inertia matrix. Wrenches are constants in the body's axes.
    """
    work = load_motion(tree, (q, qd, qdd), gravity, wrenches)
    count, n = work.samples, len(tree)
    size = work.blocks * n * n * LANES
    by = (aligned(size), aligned(size), aligned(size))
    _jacobian_all(work.table, *tree.descendants, np.array([part.ctypes.data for part in by]), work.blocks)
    jacobians = MotionDerivatives(*(from_blocks(part, count, n, n) for part in by))
    return from_blocks(work.tau, count, n), jacobians


@compiled(seconds=5)
def _forward_all(table: npt.NDArray[np.int64], blocks: int) -> None:
    memory = memory_at(table)
    for block in range(blocks):
        forward_block(memory, block, 0)


@compiled(seconds=10)
def _adjoint_all(table: npt.NDArray[np.int64], blocks: int) -> None:
    memory = memory_at(table)
    for block in range(blocks):
        forward_block(memory, block, 0)
        adjoint_block(memory, block, 0)


@compiled(seconds=10)
def _jacobian_all(
    table: npt.NDArray[np.int64],
    descendants: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.int64],
    results: npt.NDArray[np.int64],
    blocks: int,
) -> None:
    memory = memory_at(table)
    by = (doubles_at(results[0]), doubles_at(results[1]), doubles_at(results[2]))
    for block in range(blocks):
        forward_block(memory, block, 0)
        jacobian_block(memory, descendants, bounds, by, block)
