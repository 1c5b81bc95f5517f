"""Compiled Gauss-Newton fit of the figure to one clip, frame after frame.

Shapes: S segments, D = 44 DOFs, T frames. Every residual depends only on the DOFs
between one segment and the root, so the normal matrix has the sparsity of the tree and is factorised along it, without
fill-in [Featherstone2008, section 6.5].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.forward_kernels import Tree
from segue.body.limits import LimitTable
from segue.compiled import compiled, copy_into
from segue.curves.quaternion_kernels import get_quat, put_quat, quat_multiply
from segue.motion._figure_kernels import (
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
from segue.motion._normal_kernels import (
    Residuals,
    Sums,
    Targets,
    assemble,
    copy_residuals,
    empty_residuals,
    empty_sums,
    evaluate,
)
from segue.typing import Array, Ints

_JUMP = np.radians(3.0)  # how much further than anything in the clip a segment may turn in a frame
_MOST_INERTIA = 0.5  # m/rad
_LONGEST_STEP = 0.7  # rad: beyond it the linear model of a rotation is inaccurate


class Settings(NamedTuple):
    """Settings of the solve.

    inertia: pull towards the predicted pose in m/rad. limit: stiffness of ball limits in m/rad. tolerance: step in rad
    (or m) that ends the iteration. iterations: at most so many a frame, first_iterations for the first one.
    """

    inertia: float
    limit: float
    tolerance: float
    iterations: int
    first_iterations: int


@compiled(seconds=1)
def _freeze_hinges(tree: Tree, limits: LimitTable, pose: Pose, work: Work) -> None:
    """Freeze hinges that are at a limit and whose step leads outwards."""
    work.frozen[:] = False
    for s in range(tree.parents.shape[0]):
        first = tree.hinges[s, 0]
        for h in range(first, tree.hinges[s, 1]):
            d = tree.dofs[s] + h - first
            angle, push = pose.hinges[h], work.rhs[d]
            work.frozen[d] = (angle <= limits.low[h] and push < 0) or (angle >= limits.high[h] and push > 0)


@compiled(seconds=2)
def _fit_frame(
    tree: Tree,
    limits: LimitTable,
    targets: Targets,
    settings: Settings,
    inertia: float,
    t: int,
    pose: Pose,
    trial: Pose,
    residuals: Residuals,
    tried: Residuals,
    sums: Sums,
    work: Work,
) -> int:
    """Improve the pose by damped Gauss-Newton until the step is small; return the number of steps.

    The pose that comes in is the prediction, towards which the result is pulled by the inertia, in m/rad.
    """
    pull = inertia**2
    iterations = settings.first_iterations if t == 0 else settings.iterations
    damping = 0.0
    work.moved[:] = 0.0
    forward(tree, pose)
    cost = evaluate(limits, targets, settings.limit, t, pose, work, residuals)
    for iteration in range(iterations):
        assemble(tree, targets, settings.limit, pose, residuals, sums, work)
        for d in range(work.rhs.shape[0]):
            work.rhs[d] -= pull * work.moved[d]
        _freeze_hinges(tree, limits, pose, work)
        solve(tree, pull + damping, work)
        largest = np.abs(work.rhs).max()
        if largest > _LONGEST_STEP:
            work.rhs[:] *= _LONGEST_STEP / largest
        move(tree, limits, pose, work.rhs, trial, work)
        forward(tree, trial)
        trial_cost = evaluate(limits, targets, settings.limit, t, trial, work, tried)
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
        copy_residuals(tried, residuals)
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
    tree: Tree,
    limits: LimitTable,
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
    segments, dofs = tree.parents.shape[0], tree.dof_segments.shape[0]
    pose = empty_pose(segments, dofs, balls.shape[1], hinges.shape[1])
    trial = empty_pose(segments, dofs, balls.shape[1], hinges.shape[1])
    residuals = empty_residuals(targets.segments.shape[0], targets.turn_segments.shape[0], balls.shape[1])
    tried = empty_residuals(targets.segments.shape[0], targets.turn_segments.shape[0], balls.shape[1])
    sums, work = empty_sums(segments, dofs), empty_work(dofs)
    earlier = np.empty((segments, 3, 3))
    for t in range(first, last):
        before = max(t - 1, 0)
        if t > 0:
            copy_into(pose.root, roots[before])
            copy_into(pose.hinges, hinges[before])
            copy_into(pose.balls, balls[before])
            forward(tree, pose)
            copy_into(earlier, pose.matrices)
        inertia = settings.inertia
        counts[t] = 0
        while True:
            copy_into(pose.root, roots[before])
            copy_into(pose.hinges, hinges[before])
            for b in range(balls.shape[1]):
                if t > 0:
                    quat_multiply(balls[before, b], targets.increments[t, b], pose.balls[b])
                else:
                    pose.balls[b] = balls[0, b]
            counts[t] += _fit_frame(
                tree, limits, targets, settings, inertia, t, pose, trial, residuals, tried, sums, work
            )
            jumped = t > 0 and _largest_turn(earlier, pose.matrices) > targets.steps[t] + _JUMP
            if not jumped or inertia > _MOST_INERTIA:
                break
            # the prediction rotates as the clip does; a fit nearer to it jumps less and has a slightly larger residual
            inertia *= 3.0
        roots[t] = pose.root
        hinges[t] = pose.hinges
        for b in range(balls.shape[1]):
            put_quat(balls[t], b, clamp_ball(get_quat(pose.balls, b), b, limits)[1])
