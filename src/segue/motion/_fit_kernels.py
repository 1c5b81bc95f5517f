"""Compiled Gauss-Newton fit of the figure to one clip, frame after frame.

Shapes: S segments, D = 44 DOFs, L landmarks, O orientation targets, T frames. Every residual depends only on the DOFs
between one segment and the root, so the normal matrix has the sparsity of the tree and is factorised along it, without
fill-in [Featherstone2008, section 6.5].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.curves.quaternion_kernels import quat_log, quat_multiply, quat_to_matrix
from segue.motion._figure_kernels import (
    Ints,
    Layout,
    Limits,
    Pose,
    Work,
    clamp_ball,
    copy_pose,
    empty_pose,
    empty_work,
    forward,
    move,
    solve,
)

__all__ = ["Settings", "Targets", "fit_frames"]

_JUMP = np.radians(3.0)  # how much further than anything in the clip a segment may turn in a frame
_MOST_INERTIA = 0.5  # m/rad
_LONGEST_STEP = 0.7  # rad: beyond it the linear model of a rotation is worth little


class Targets(NamedTuple):
    """What the clip says.

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


class Settings(NamedTuple):
    """How to solve.

    inertia: pull towards the predicted pose in m/rad; limit: stiffness of ball limits in m/rad; tolerance: step in rad
    (or m) that ends the iteration; iterations: at most so many a frame, first_iterations for the first one.
    """

    inertia: float
    limit: float
    tolerance: float
    iterations: int
    first_iterations: int


@compiled(seconds=1)
def _landmark_error(pose: Pose, targets: Targets, t: int, mark: int, place: Array, error: Array) -> None:
    """Write a landmark's world place and its distance to where the clip has it."""
    s = targets.segments[mark]
    matrix, local = pose.matrices[s], targets.places[mark]
    for i in range(3):
        place[i] = pose.positions[s, i] + (matrix[i, 0] * local[0] + matrix[i, 1] * local[1] + matrix[i, 2] * local[2])
        error[i] = targets.points[t, mark, i] - place[i]


@compiled(seconds=1)
def _turn_error(pose: Pose, targets: Targets, t: int, k: int, work: Work, error: Array) -> None:
    """Write the world rotation vector that takes a segment to where the clip has it."""
    matrix = pose.matrices[targets.turn_segments[k]]
    wanted, turn = work.matrix[0], work.matrix[1]
    quat_to_matrix(targets.turns[t, k], wanted)
    for i in range(3):
        for j in range(3):
            turn[i, j] = wanted[i, 0] * matrix[j, 0] + wanted[i, 1] * matrix[j, 1] + wanted[i, 2] * matrix[j, 2]
    x, y, z = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    sine = 0.5 * np.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0)
    # near a half turn the axis is lost in rounding; the error is then only a direction, and any length will do
    scale = 0.5 * np.arctan2(sine, cosine) / sine if sine > 1e-9 else 0.5
    error[0] = scale * x
    error[1] = scale * y
    error[2] = scale * z


@compiled(seconds=1)
def _limit_error(pose: Pose, limits: Limits, b: int, work: Work) -> bool:
    """Write into work.vector the rotation back to ball joint b's limit, in the body; return whether it is outside."""
    clamped, back = work.quats[3], work.quats[4]
    if not clamp_ball(pose.balls[b], b, limits, clamped, work.quats):
        return False
    back[0] = pose.balls[b, 0]
    for i in range(1, 4):
        back[i] = -pose.balls[b, i]
    quat_multiply(back, clamped, back)
    quat_log(back, work.vector)
    return True


@compiled(seconds=1)
def _cost(
    layout: Layout, limits: Limits, targets: Targets, settings: Settings, t: int, pose: Pose, work: Work
) -> float:
    """Return the sum of squared residuals, without the pull towards the prediction."""
    total = 0.0
    place, error = work.columns[0], work.columns[1]
    for mark in range(targets.segments.shape[0]):
        _landmark_error(pose, targets, t, mark, place, error)
        w = targets.weights[mark]
        total += w * w * (error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    for k in range(targets.turn_segments.shape[0]):
        _turn_error(pose, targets, t, k, work, error)
        w = targets.turn_weights[k]
        total += w * w * (error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    for b in range(pose.balls.shape[0]):
        if _limit_error(pose, limits, b, work):
            v = work.vector
            total += settings.limit**2 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    return total


@compiled(seconds=1)
def _add_block(layout: Layout, work: Work, last: int, weight: float, error: Array) -> None:
    """Add a three-row residual to the normal equations; its columns stand in work.columns, root to `last`."""
    square = weight * weight
    a = last
    while a >= 0:
        column = work.columns[a]
        work.rhs[a] += square * (column[0] * error[0] + column[1] * error[1] + column[2] * error[2])
        b = a
        while b >= 0:
            other = work.columns[b]
            work.normal[a, b] += square * (column[0] * other[0] + column[1] * other[1] + column[2] * other[2])
            b = layout.dof_parents[b]
        a = layout.dof_parents[a]


@compiled(seconds=2)
def _assemble(
    layout: Layout, limits: Limits, targets: Targets, settings: Settings, t: int, pose: Pose, work: Work
) -> None:
    """Fill the lower triangle of the normal matrix and the right-hand side at the pose."""
    work.normal[:] = 0.0
    work.rhs[:] = 0.0
    columns = work.columns
    place, error = work.quats[5][:3], work.vector
    for mark in range(targets.segments.shape[0]):
        _landmark_error(pose, targets, t, mark, place, error)
        s = targets.segments[mark]
        last = layout.first_dof[s] + layout.dof_counts[s] - 1
        d = last
        while d >= 3:
            origin, axis = pose.positions[layout.dof_segments[d]], pose.axes[d]
            x, y, z = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
            columns[d, 0] = axis[1] * z - axis[2] * y
            columns[d, 1] = axis[2] * x - axis[0] * z
            columns[d, 2] = axis[0] * y - axis[1] * x
            d = layout.dof_parents[d]
        for i in range(3):
            for j in range(3):
                columns[i, j] = 1.0 if i == j else 0.0
        _add_block(layout, work, last, targets.weights[mark], error)
    for k in range(targets.turn_segments.shape[0]):
        _turn_error(pose, targets, t, k, work, error)
        s = targets.turn_segments[k]
        last = layout.first_dof[s] + layout.dof_counts[s] - 1
        columns[:3] = 0.0
        d = last
        while d >= 3:
            for i in range(3):
                columns[d, i] = pose.axes[d, i]
            d = layout.dof_parents[d]
        _add_block(layout, work, last, targets.turn_weights[k], error)
    for s in range(layout.parents.shape[0]):
        if layout.ball[s] >= 0 and _limit_error(pose, limits, layout.ball[s], work):
            _add_limit(layout.first_dof[s], settings.limit, work)


@compiled(seconds=1)
def _add_limit(dof: int, stiffness: float, work: Work) -> None:
    """Add the pull back to a ball joint's limit, along the direction of the excess only."""
    v = work.vector
    size = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    square = stiffness * stiffness
    for i in range(3):
        work.rhs[dof + i] += square * v[i]
        for j in range(i + 1):
            work.normal[dof + i, dof + j] += square * v[i] * v[j] / max(size * size, 1e-24)


@compiled(seconds=1)
def _freeze_hinges(layout: Layout, limits: Limits, pose: Pose, work: Work) -> None:
    """Hold hinges that stand at a limit and are pushed outwards."""
    work.frozen[:] = False
    for s in range(layout.parents.shape[0]):
        if layout.hinge[s] < 0:
            continue
        for k in range(layout.dof_counts[s]):
            h, d = layout.hinge[s] + k, layout.first_dof[s] + k
            angle, push = pose.hinges[h], work.rhs[d]
            work.frozen[d] = (angle <= limits.low[h] and push < 0) or (angle >= limits.high[h] and push > 0)


@compiled(seconds=2)
def _fit_frame(
    layout: Layout,
    limits: Limits,
    targets: Targets,
    settings: Settings,
    inertia: float,
    t: int,
    pose: Pose,
    trial: Pose,
    work: Work,
) -> int:
    """Improve the pose by damped Gauss-Newton until the step is small; return how many steps were taken.

    The pose that comes in is the prediction, towards which the result is pulled by the inertia, in m/rad.
    """
    pull = inertia**2
    iterations = settings.first_iterations if t == 0 else settings.iterations
    damping = 0.0
    work.moved[:] = 0.0
    forward(layout, pose, work)
    cost = _cost(layout, limits, targets, settings, t, pose, work)
    for iteration in range(iterations):
        _assemble(layout, limits, targets, settings, t, pose, work)
        for d in range(work.rhs.shape[0]):
            work.rhs[d] -= pull * work.moved[d]
        _freeze_hinges(layout, limits, pose, work)
        solve(layout, pull + damping, work)
        largest = np.abs(work.rhs).max()
        if largest > _LONGEST_STEP:
            work.rhs[:] *= _LONGEST_STEP / largest
        move(layout, limits, pose, work.rhs, trial, work)
        forward(layout, trial, work)
        trial_cost = _cost(layout, limits, targets, settings, t, trial, work)
        for d in range(work.rhs.shape[0]):
            trial_cost += pull * (work.moved[d] + work.rhs[d]) ** 2
        if trial_cost > cost * (1.0 + 1e-9):
            if largest < settings.tolerance:
                return iteration
            damping = max(damping * 10.0, 1e-4)
            continue
        damping = damping / 10.0 if damping > 1e-6 else 0.0
        cost = trial_cost
        work.moved[:] += work.rhs
        copy_pose(trial, pose)
        if largest < settings.tolerance:
            return iteration + 1
    return iterations


@compiled(seconds=1)
def _largest_turn(first: Array, second: Array) -> float:
    """Return the largest angle between rotation matrices (S, 3, 3) of the same index, in rad."""
    least = 3.0
    for s in range(first.shape[0]):
        trace = 0.0
        for i in range(3):
            for j in range(3):
                trace += first[s, i, j] * second[s, i, j]
        least = min(least, trace)
    return float(np.arccos(min(max(0.5 * (least - 1.0), -1.0), 1.0)))


@compiled(seconds=25)
def fit_frames(
    layout: Layout,
    limits: Limits,
    targets: Targets,
    settings: Settings,
    roots: Array,
    balls: Array,
    hinges: Array,
    counts: Ints,
    first: int,
    last: int,
) -> None:
    """Fit frames first to last - 1, in place.

    Frame `first` of roots (T, 3), balls (T, 7, 4) and hinges (T, 20) holds a first guess, or, where first > 0, the
    frame before is done already. counts (T,) receives the steps taken.
    """
    segments, dofs = layout.parents.shape[0], layout.dof_parents.shape[0]
    pose = empty_pose(segments, dofs, balls.shape[1], hinges.shape[1])
    trial = empty_pose(segments, dofs, balls.shape[1], hinges.shape[1])
    work = empty_work(dofs)
    earlier = np.empty((segments, 3, 3))
    for t in range(first, last):
        before = max(t - 1, 0)
        if t > 0:
            pose.root[:], pose.hinges[:], pose.balls[:] = roots[before], hinges[before], balls[before]
            forward(layout, pose, work)
            earlier[:] = pose.matrices
        inertia = settings.inertia
        counts[t] = 0
        while True:
            pose.root[:], pose.hinges[:] = roots[before], hinges[before]
            for b in range(balls.shape[1]):
                if t > 0:
                    quat_multiply(balls[before, b], targets.increments[t, b], pose.balls[b])
                else:
                    pose.balls[b] = balls[0, b]
            counts[t] += _fit_frame(layout, limits, targets, settings, inertia, t, pose, trial, work)
            jumped = t > 0 and _largest_turn(earlier, pose.matrices) > targets.steps[t] + _JUMP
            if not jumped or inertia > _MOST_INERTIA:
                break
            # the prediction turns as the clip does: nearer to it, the frame jumps less, and fits a little worse
            inertia *= 3.0
        roots[t] = pose.root
        hinges[t] = pose.hinges
        for b in range(balls.shape[1]):
            clamp_ball(pose.balls[b], b, limits, balls[t, b], work.quats)
