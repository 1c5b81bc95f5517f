"""Compiled kinematics of the figure: poses, ball limits, steps in the tangent space, and sparse solves along the tree.

Shapes: S segments, D = 44 DOFs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.curves.quaternion_kernels import matrix_multiply, quat_exp, quat_log, quat_multiply, quat_to_matrix

__all__ = [
    "Ints",
    "Layout",
    "Limits",
    "Pose",
    "Work",
    "clamp_ball",
    "copy_pose",
    "empty_pose",
    "empty_work",
    "forward",
    "move",
    "solve",
]

Ints = npt.NDArray[np.int64]


class Layout(NamedTuple):
    """The figure's tree.

    parents (S,), offsets (S, 3) in m; first_dof (S,) of each segment's own rotation and dof_counts (S,); ball (S,) its
    index among the ball joints or -1, hinge (S,) its first hinge or -1; axes (20, 3) of the hinges; dof_parents (D,)
    the next DOF towards the root, -1 at its end; dof_segments (D,).
    """

    parents: Ints
    offsets: Array
    first_dof: Ints
    dof_counts: Ints
    ball: Ints
    hinge: Ints
    axes: Array
    dof_parents: Ints
    dof_segments: Ints


class Limits(NamedTuple):
    """Joint limits in rad: low, high (20,) of hinges; centre (7, 4), axis, swing (7, 3), twist (7, 2) of balls."""

    low: Array
    high: Array
    centre: Array
    axis: Array
    swing: Array
    twist: Array


class Pose(NamedTuple):
    """A pose and what follows from it: positions (S, 3), matrices (S, 3, 3), world axes of the DOFs (D, 3)."""

    root: Array
    balls: Array
    hinges: Array
    positions: Array
    matrices: Array
    axes: Array


class Work(NamedTuple):
    """Scratch space: the normal equations of a step, and small arrays for rotations."""

    normal: Array  # (D, D)
    rhs: Array  # (D,)
    moved: Array  # (D,) steps taken since the prediction
    frozen: npt.NDArray[np.bool_]  # (D,)
    columns: Array  # (D, 3) of one residual's Jacobian
    quats: Array  # (6, 4)
    matrix: Array  # (2, 3, 3)
    vector: Array  # (3,)


@compiled(seconds=1)
def clamp_ball(q: Array, b: int, limits: Limits, out: Array, work: Array) -> bool:
    """Write the nearest rotation inside ball joint b's limit, see `BallLimit.clamp`; return whether q was outside."""
    out[:] = q
    if np.isinf(limits.swing[b, 0]):
        return False
    inner, other, vector = work[0], work[1], work[2]
    axis = limits.axis[b]
    other[0] = limits.centre[b, 0]
    for i in range(1, 4):
        other[i] = -limits.centre[b, i]
    quat_multiply(other, q, inner)
    half = np.arctan2(inner[1] * axis[0] + inner[2] * axis[1] + inner[3] * axis[2], inner[0])
    half -= np.pi * np.round(half / np.pi)
    other[0] = np.cos(half)
    for i in range(3):
        other[i + 1] = -np.sin(half) * axis[i]
    quat_multiply(inner, other, inner)
    quat_log(inner, vector)
    reach = 0.0
    for i in range(3):
        reach += (vector[i] / limits.swing[b, i]) ** 2
    reach = np.sqrt(reach)
    twist = min(max(2.0 * half, limits.twist[b, 0]), limits.twist[b, 1])
    if reach <= 1.0 and twist == 2.0 * half:
        return False
    shrink = 1.0 / max(reach, 1.0)
    quat_exp(shrink * vector[0], shrink * vector[1], shrink * vector[2], inner)
    quat_exp(twist * axis[0], twist * axis[1], twist * axis[2], other)
    quat_multiply(inner, other, inner)
    quat_multiply(limits.centre[b], inner, out)
    return True


@compiled(seconds=1)
def forward(layout: Layout, pose: Pose, work: Work) -> None:
    """Fill the pose's world positions, rotation matrices and DOF axes."""
    turn, before = work.matrix[0], work.matrix[1]
    for s in range(layout.parents.shape[0]):
        parent = layout.parents[s]
        dof = layout.first_dof[s]
        matrix = pose.matrices[s]
        if layout.ball[s] >= 0:
            quat_to_matrix(pose.balls[layout.ball[s]], turn)
            if parent < 0:
                matrix[:] = turn
                pose.positions[s] = pose.root
            else:
                matrix_multiply(pose.matrices[parent], turn, matrix)
            for k in range(3):
                for i in range(3):
                    pose.axes[dof + k, i] = matrix[i, k]
        else:
            matrix[:] = pose.matrices[parent]
            for k in range(layout.dof_counts[s]):
                angle = pose.hinges[layout.hinge[s] + k]
                axis = layout.axes[layout.hinge[s] + k]
                for i in range(3):
                    pose.axes[dof + k, i] = matrix[i, 0] * axis[0] + matrix[i, 1] * axis[1] + matrix[i, 2] * axis[2]
                quat_exp(angle * axis[0], angle * axis[1], angle * axis[2], work.quats[0])
                quat_to_matrix(work.quats[0], turn)
                before[:] = matrix
                matrix_multiply(before, turn, matrix)
        if parent >= 0:
            frame, offset = pose.matrices[parent], layout.offsets[s]
            for i in range(3):
                pose.positions[s, i] = pose.positions[parent, i] + (
                    frame[i, 0] * offset[0] + frame[i, 1] * offset[1] + frame[i, 2] * offset[2]
                )


@compiled(seconds=1)
def solve(layout: Layout, damping: float, work: Work) -> None:
    """Overwrite work.rhs with the step: sparse L'L factorisation, Featherstone's LTL [Featherstone2008, table 6.3]."""
    count = work.rhs.shape[0]
    h = work.normal
    for d in range(count):
        h[d, d] += damping
        if work.frozen[d]:
            for a in range(count):
                h[d, a] = 0.0
                h[a, d] = 0.0
            h[d, d] = 1.0
            work.rhs[d] = 0.0
    for k in range(count - 1, -1, -1):
        h[k, k] = np.sqrt(h[k, k])
        i = layout.dof_parents[k]
        while i >= 0:
            h[k, i] /= h[k, k]
            i = layout.dof_parents[i]
        i = layout.dof_parents[k]
        while i >= 0:
            j = i
            while j >= 0:
                h[i, j] -= h[k, i] * h[k, j]
                j = layout.dof_parents[j]
            i = layout.dof_parents[i]
    x = work.rhs
    for i in range(count - 1, -1, -1):
        x[i] /= h[i, i]
        j = layout.dof_parents[i]
        while j >= 0:
            x[j] -= h[i, j] * x[i]
            j = layout.dof_parents[j]
    for i in range(count):
        j = layout.dof_parents[i]
        while j >= 0:
            x[i] -= h[i, j] * x[j]
            j = layout.dof_parents[j]
        x[i] /= h[i, i]


@compiled(seconds=1)
def move(layout: Layout, limits: Limits, source: Pose, step: Array, out: Pose, work: Work) -> None:
    """Write the pose that the step leads to; hinges stop at their limits."""
    for i in range(3):
        out.root[i] = source.root[i] + step[i]
    for s in range(layout.parents.shape[0]):
        d = layout.first_dof[s]
        if layout.ball[s] >= 0:
            quat_exp(step[d], step[d + 1], step[d + 2], work.quats[0])
            quat_multiply(source.balls[layout.ball[s]], work.quats[0], out.balls[layout.ball[s]])
        else:
            for k in range(layout.dof_counts[s]):
                h = layout.hinge[s] + k
                out.hinges[h] = min(max(source.hinges[h] + step[d + k], limits.low[h]), limits.high[h])


@compiled(seconds=1)
def copy_pose(source: Pose, out: Pose) -> None:
    """Copy a pose and all that follows from it."""
    out.root[:] = source.root
    out.balls[:] = source.balls
    out.hinges[:] = source.hinges
    out.positions[:] = source.positions
    out.matrices[:] = source.matrices
    out.axes[:] = source.axes


@compiled(seconds=1)
def empty_pose(segments: int, dofs: int, balls: int, hinges: int) -> Pose:
    """Return space for a pose."""
    return Pose(
        np.empty(3),
        np.empty((balls, 4)),
        np.empty(hinges),
        np.empty((segments, 3)),
        np.empty((segments, 3, 3)),
        np.zeros((dofs, 3)),
    )


@compiled(seconds=1)
def empty_work(dofs: int) -> Work:
    """Return scratch space."""
    return Work(
        np.empty((dofs, dofs)),
        np.empty(dofs),
        np.empty(dofs),
        np.zeros(dofs, dtype=np.bool_),
        np.zeros((dofs, 3)),
        np.empty((6, 4)),
        np.empty((2, 3, 3)),
        np.empty(3),
    )
