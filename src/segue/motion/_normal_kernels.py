"""Compiled residuals of a pose against a clip's frame, and the normal equations of a step that lessens them.

Shapes: S segments, D = 44 DOFs, L landmarks, O orientation targets, T frames. A landmark pulls on its segment as a
point mass of its squared weight would. So the normal matrix is the mass matrix of a body made of such points, and the
composite rigid body algorithm [Featherstone2008, section 6.2] computes it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.forward_kernels import Tree
from segue.body.limits import LimitTable
from segue.compiled import compiled, copy_into
from segue.curves.quaternion_kernels import get_quat, put_vector, quat_to_matrix, turn_after, turn_back, turn_log
from segue.motion._figure_kernels import Pose, Work, clamp_ball
from segue.typing import Array, Ints


class Targets(NamedTuple):
    """The targets from a frame of the clip.

    Landmarks: segments (L,), places (L, 3) in the segment's frame, weights (L,), points (T, L, 3) in the world, m.
    Orientations: turn_segments (O,), turn_weights (O,) in m/rad, turns (T, O, 4) world quaternions. increments
    (T, 7, 4): how each ball joint turned since the frame before, by the clip's own rotations, in the segment's frame.
    steps: (T,) the most that any joint of the clip turned since the frame before, rad.
    """

    segments: Ints
    places: Array
    weights: Array
    points: Array
    turn_segments: Ints
    turn_weights: Array
    turns: Array
    increments: Array
    steps: Array


class Residuals(NamedTuple):
    """The residuals of a pose against the targets.

    places (L, 3): the landmarks in the world. errors (L, 3): from there to where the clip has them. turns (O, 3): world
    rotation vectors to where the clip has the segments. back (7, 3): rotation vectors back to the limits of ball
    joints, in the body; outside (7,): which of them are beyond.
    """

    places: Array
    errors: Array
    turns: Array
    back: Array
    outside: npt.NDArray[np.bool_]


class Sums(NamedTuple):
    """Sums over the subtree of each segment, about the root: squared weights, their moments, and the weighted errors.

    weight (S,); first (S, 3) moment; second (S, 6) moments xx, yy, zz, xy, xz, yz as of inertia; torque, force (S, 3).
    rates (D, 3): how the point at the root would move with each DOF if it belonged to its segment.
    """

    weight: Array
    first: Array
    second: Array
    torque: Array
    force: Array
    rates: Array


@compiled(seconds=1)
def empty_residuals(landmarks: int, turns: int, balls: int) -> Residuals:
    """Allocate residuals."""
    return Residuals(
        np.empty((landmarks, 3)),
        np.empty((landmarks, 3)),
        np.empty((turns, 3)),
        np.empty((balls, 3)),
        np.zeros(balls, dtype=np.bool_),
    )


@compiled(seconds=1)
def empty_sums(segments: int, dofs: int) -> Sums:
    """Allocate sums."""
    return Sums(
        np.empty(segments),
        np.empty((segments, 3)),
        np.empty((segments, 6)),
        np.empty((segments, 3)),
        np.empty((segments, 3)),
        np.empty((dofs, 3)),
    )


@compiled(seconds=1)
def copy_residuals(source: Residuals, out: Residuals) -> None:
    """Copy residuals."""
    copy_into(out.places, source.places)
    copy_into(out.errors, source.errors)
    copy_into(out.turns, source.turns)
    copy_into(out.back, source.back)
    copy_into(out.outside, source.outside)


@compiled(seconds=2)
def evaluate(
    limits: LimitTable, targets: Targets, stiffness: float, t: int, pose: Pose, work: Work, out: Residuals
) -> float:
    """Write the residuals of a pose; return the sum of their squares. stiffness: of ball limits, m/rad."""
    total = 0.0
    for mark in range(targets.segments.shape[0]):
        s, square = targets.segments[mark], 0.0
        x, y, z = targets.places[mark, 0], targets.places[mark, 1], targets.places[mark, 2]
        for i in range(3):
            turned = pose.matrices[s, i, 0] * x + pose.matrices[s, i, 1] * y + pose.matrices[s, i, 2] * z
            place = pose.positions[s, i] + turned
            error = targets.points[t, mark, i] - place
            out.places[mark, i] = place
            out.errors[mark, i] = error
            square += error * error
        total += targets.weights[mark] ** 2 * square
    for k in range(targets.turn_segments.shape[0]):
        total += targets.turn_weights[k] ** 2 * _turn_error(pose, targets, t, k, work, out.turns)
    for b in range(pose.balls.shape[0]):
        out.outside[b] = _limit_error(pose, limits, b, out.back)
        if out.outside[b]:
            total += stiffness**2 * (out.back[b, 0] ** 2 + out.back[b, 1] ** 2 + out.back[b, 2] ** 2)
    return total


@compiled(seconds=1)
def _turn_error(pose: Pose, targets: Targets, t: int, k: int, work: Work, errors: Array) -> float:
    """Write the world rotation vector from a segment to its target; return its square."""
    s = targets.turn_segments[k]
    wanted, turn = work.matrix[0], work.matrix[1]
    quat_to_matrix(targets.turns[t, k], wanted)
    for i in range(3):
        for j in range(3):
            turn[i, j] = (
                wanted[i, 0] * pose.matrices[s, j, 0]
                + wanted[i, 1] * pose.matrices[s, j, 1]
                + wanted[i, 2] * pose.matrices[s, j, 2]
            )
    x, y, z = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    sine = 0.5 * np.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0)
    # near a half turn rounding spoils the length, but the direction is enough for a step
    scale = 0.5 * np.arctan2(sine, cosine) / sine if sine > 1e-9 else 0.5
    errors[k, 0] = scale * x
    errors[k, 1] = scale * y
    errors[k, 2] = scale * z
    return float(scale * scale * (x * x + y * y + z * z))


@compiled(seconds=1)
def _limit_error(pose: Pose, limits: LimitTable, b: int, back: Array) -> bool:
    """Write the rotation back to ball joint b's limit, in the body; return whether it is outside."""
    q = get_quat(pose.balls, b)
    outside, clamped = clamp_ball(q, b, limits)
    if outside:
        put_vector(back, b, turn_log(turn_after(turn_back(q), clamped)))
    return bool(outside)


@compiled(seconds=1)
def _sum_up(tree: Tree, targets: Targets, pose: Pose, residuals: Residuals, sums: Sums) -> None:
    """Sum the subtree of each segment, from the tips to the root."""
    weight, first, second, torque, force = sums.weight, sums.first, sums.second, sums.torque, sums.force
    weight[:], first[:], second[:], torque[:], force[:] = 0.0, 0.0, 0.0, 0.0, 0.0
    for mark in range(targets.segments.shape[0]):
        s, w = targets.segments[mark], targets.weights[mark] ** 2
        x, y, z = (
            residuals.places[mark, 0] - pose.root[0],
            residuals.places[mark, 1] - pose.root[1],
            residuals.places[mark, 2] - pose.root[2],
        )
        u, v, r = w * residuals.errors[mark, 0], w * residuals.errors[mark, 1], w * residuals.errors[mark, 2]
        weight[s] += w
        first[s, 0] += w * x
        first[s, 1] += w * y
        first[s, 2] += w * z
        second[s, 0] += w * (y * y + z * z)
        second[s, 1] += w * (x * x + z * z)
        second[s, 2] += w * (x * x + y * y)
        second[s, 3] -= w * x * y
        second[s, 4] -= w * x * z
        second[s, 5] -= w * y * z
        torque[s, 0] += y * r - z * v
        torque[s, 1] += z * u - x * r
        torque[s, 2] += x * v - y * u
        force[s, 0] += u
        force[s, 1] += v
        force[s, 2] += r
    for k in range(targets.turn_segments.shape[0]):
        s, w = targets.turn_segments[k], targets.turn_weights[k] ** 2
        for i in range(3):
            second[s, i] += w
            torque[s, i] += w * residuals.turns[k, i]
    for s in range(tree.parents.shape[0] - 1, 0, -1):
        parent = tree.parents[s]
        weight[parent] += weight[s]
        for i in range(3):
            first[parent, i] += first[s, i]
            torque[parent, i] += torque[s, i]
            force[parent, i] += force[s, i]
        for i in range(6):
            second[parent, i] += second[s, i]


@compiled(seconds=2)
def assemble(
    tree: Tree, targets: Targets, stiffness: float, pose: Pose, residuals: Residuals, sums: Sums, work: Work
) -> None:
    """Fill the right-hand side, and the normal matrix where a DOF meets one between it and the root, at the pose."""
    _sum_up(tree, targets, pose, residuals, sums)
    axes, rates, first, second = pose.axes, sums.rates, sums.first, sums.second
    for d in range(work.rhs.shape[0]):
        s = tree.dof_segments[d]
        a, b, c = axes[d, 0], axes[d, 1], axes[d, 2]  # zero for the root's own position
        x, y, z = (
            pose.positions[s, 0] - pose.root[0],
            pose.positions[s, 1] - pose.root[1],
            pose.positions[s, 2] - pose.root[2],
        )
        u, v, w = y * c - z * b, z * a - x * c, x * b - y * a
        if d < 3:
            u, v, w = 1.0 if d == 0 else 0.0, 1.0 if d == 1 else 0.0, 1.0 if d == 2 else 0.0
        rates[d, 0], rates[d, 1], rates[d, 2] = u, v, w
        mx, my, mz, m = first[s, 0], first[s, 1], first[s, 2], sums.weight[s]
        # weighted momentum of the subtree when this DOF moves
        p = m * u + b * mz - c * my
        q = m * v + c * mx - a * mz
        r = m * w + a * my - b * mx
        k = second[s, 0] * a + second[s, 3] * b + second[s, 4] * c + my * w - mz * v
        h = second[s, 3] * a + second[s, 1] * b + second[s, 5] * c + mz * u - mx * w
        n = second[s, 4] * a + second[s, 5] * b + second[s, 2] * c + mx * v - my * u
        work.rhs[d] = (
            a * sums.torque[s, 0]
            + b * sums.torque[s, 1]
            + c * sums.torque[s, 2]
            + u * sums.force[s, 0]
            + v * sums.force[s, 1]
            + w * sums.force[s, 2]
        )
        for step in range(-1, tree.depths[d]):
            other = np.uint64(d) if step < 0 else tree.ancestors[d, step]
            work.normal[d, other] = (
                k * axes[other, 0]
                + h * axes[other, 1]
                + n * axes[other, 2]
                + p * rates[other, 0]
                + q * rates[other, 1]
                + r * rates[other, 2]
            )
    for s in range(tree.parents.shape[0]):
        ball = tree.balls[s]
        if ball >= 0 and residuals.outside[ball]:
            _add_limit(tree.dofs[s], stiffness, residuals.back, ball, work)


@compiled(seconds=1)
def _add_limit(dof: int, stiffness: float, back: Array, ball: int, work: Work) -> None:
    """Add the penalty of a ball joint's limit, along the direction of the excess only."""
    size = np.sqrt(back[ball, 0] ** 2 + back[ball, 1] ** 2 + back[ball, 2] ** 2)
    square = stiffness * stiffness
    for i in range(3):
        work.rhs[dof + i] += square * back[ball, i]
        for j in range(i + 1):
            work.normal[dof + i, dof + j] += square * back[ball, i] * back[ball, j] / max(size * size, 1e-24)
