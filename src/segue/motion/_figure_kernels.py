"""Compiled kinematics of the figure: poses, ball limits, steps in the tangent space, and sparse solves along the tree.

Shapes: S segments, D = 44 DOFs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.forward_kernels import Tree, forward_pose
from segue.body.limits import LimitTable
from segue.compiled import compiled, copy_into
from segue.curves.quaternion_kernels import (
    Quat,
    get_quat,
    get_vector,
    quat_exp,
    quat_multiply,
    quat_to_matrix,
    turn_after,
    turn_back,
    turn_exp,
    turn_log,
)
from segue.typing import Array


class Pose(NamedTuple):
    """A pose and its kinematics: positions (S, 3), rotations (S, 4) and (S, 3, 3), world axes of DOFs (D, 3)."""

    root: Array
    balls: Array
    hinges: Array
    positions: Array
    rotations: Array
    matrices: Array
    axes: Array


class Work(NamedTuple):
    """Scratch space: the normal equations of a step, and small arrays for rotations."""

    normal: Array  # (D, D)
    rhs: Array  # (D,)
    moved: Array  # (D,) steps taken since the prediction
    frozen: npt.NDArray[np.bool_]  # (D,)
    rows: Array  # (D, D) of its factor, along the path to the root
    diagonal: Array  # (D,) the inverse of the factor's
    quat: Array  # (4,)
    matrix: Array  # (2, 3, 3)


@compiled(seconds=1)
def clamp_ball(q: Quat, b: int, limits: LimitTable) -> tuple[bool, Quat]:
    """Return whether a rotation is outside ball joint b's limit, and the nearest inside, see `BallLimit.clamp`."""
    if np.isinf(limits.swing[b, 0]):
        return False, q
    centre, axis = get_quat(limits.centre, b), get_vector(limits.axis, b)
    inner = turn_after(turn_back(centre), q)
    half = np.arctan2(inner[1] * axis[0] + inner[2] * axis[1] + inner[3] * axis[2], inner[0])
    half -= np.pi * np.round(half / np.pi)
    sine = -np.sin(half)
    swing = turn_log(turn_after(inner, (np.cos(half), sine * axis[0], sine * axis[1], sine * axis[2])))
    reach = np.sqrt(
        (swing[0] / limits.swing[b, 0]) ** 2
        + (swing[1] / limits.swing[b, 1]) ** 2
        + (swing[2] / limits.swing[b, 2]) ** 2
    )
    twist = min(max(2.0 * half, limits.twist[b, 0]), limits.twist[b, 1])
    if reach <= 1.0 and twist == 2.0 * half:
        return False, q
    shrink = 1.0 / max(reach, 1.0)
    swung = turn_exp(shrink * swing[0], shrink * swing[1], shrink * swing[2])
    twisted = turn_exp(twist * axis[0], twist * axis[1], twist * axis[2])
    return True, turn_after(centre, turn_after(swung, twisted))


@compiled(seconds=2)
def forward(tree: Tree, pose: Pose) -> None:
    """Fill the pose's world positions, rotations and DOF axes."""
    forward_pose(tree, pose.root, pose.balls, pose.hinges, pose.positions, pose.rotations, pose.axes)
    for s in range(pose.rotations.shape[0]):
        quat_to_matrix(pose.rotations[s], pose.matrices[s])


@compiled(seconds=1)
def solve(tree: Tree, damping: float, work: Work) -> None:
    """Overwrite work.rhs with the step: sparse L'L factorisation, Featherstone's LTL [Featherstone2008, table 6.3].

    A row is kept as its entries on the way to the root, one after the other: that of a DOF further up is its end.
    """
    h, x, rows, diagonal = work.normal, work.rhs, work.rows, work.diagonal
    count, ancestors, depths = x.shape[0], tree.ancestors, tree.depths
    for k in range(count):
        frozen = work.frozen[k]
        diagonal[k] = 1.0 if frozen else h[k, k] + damping
        x[k] = 0.0 if frozen else x[k]
        for n in range(depths[k]):
            a = ancestors[k, n]
            rows[k, n] = 0.0 if frozen or work.frozen[a] else h[k, a]
    for k in range(count - 1, -1, -1):
        depth = depths[k]
        diagonal[k] = 1.0 / np.sqrt(diagonal[k])
        for n in range(depth):
            rows[k, n] *= diagonal[k]
        for n in range(depth):
            a, factor = ancestors[k, n], rows[k, n]
            diagonal[a] -= factor * factor
            for m in range(depth - n - 1):
                rows[a, m] -= factor * rows[k, n + 1 + m]
    for k in range(count - 1, -1, -1):
        x[k] *= diagonal[k]
        for n in range(depths[k]):
            x[ancestors[k, n]] -= rows[k, n] * x[k]
    for k in range(count):
        for n in range(depths[k]):
            x[k] -= rows[k, n] * x[ancestors[k, n]]
        x[k] *= diagonal[k]


@compiled(seconds=1)
def move(tree: Tree, limits: LimitTable, source: Pose, step: Array, out: Pose, work: Work) -> None:
    """Write the pose that the step leads to; hinges stop at their limits."""
    for i in range(3):
        out.root[i] = source.root[i] + step[i]
    for s in range(tree.parents.shape[0]):
        d = tree.dofs[s]
        if tree.balls[s] >= 0:
            quat_exp(step[d], step[d + 1], step[d + 2], work.quat)
            quat_multiply(source.balls[tree.balls[s]], work.quat, out.balls[tree.balls[s]])
        else:
            first = tree.hinges[s, 0]
            for k in range(tree.hinges[s, 1] - first):
                h = first + k
                out.hinges[h] = min(max(source.hinges[h] + step[d + k], limits.low[h]), limits.high[h])


@compiled(seconds=1)
def copy_pose(source: Pose, out: Pose) -> None:
    """Copy a pose and its kinematics."""
    copy_into(out.root, source.root)
    copy_into(out.balls, source.balls)
    copy_into(out.hinges, source.hinges)
    copy_into(out.positions, source.positions)
    copy_into(out.rotations, source.rotations)
    copy_into(out.matrices, source.matrices)
    copy_into(out.axes, source.axes)


@compiled(seconds=1)
def empty_pose(segments: int, dofs: int, balls: int, hinges: int) -> Pose:
    """Allocate a pose."""
    return Pose(
        np.empty(3),
        np.empty((balls, 4)),
        np.empty(hinges),
        np.empty((segments, 3)),
        np.empty((segments, 4)),
        np.empty((segments, 3, 3)),
        np.zeros((dofs, 3)),
    )


@compiled(seconds=1)
def empty_work(dofs: int) -> Work:
    """Allocate scratch arrays."""
    return Work(
        np.empty((dofs, dofs)),
        np.empty(dofs),
        np.empty(dofs),
        np.zeros(dofs, dtype=np.bool_),
        np.empty((dofs, dofs)),
        np.empty(dofs),
        np.empty(4),
        np.empty((2, 3, 3)),
    )
