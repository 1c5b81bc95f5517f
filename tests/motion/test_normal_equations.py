"""The normal equations of a fit's step, against differences of the residuals themselves."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.limits import LimitTable
from segue.curves import quaternion
from segue.motion._figure_kernels import Pose, empty_pose, empty_work, forward, move
from segue.motion._normal_kernels import Targets, assemble, empty_residuals, empty_sums, evaluate

MARKS, TURNS = 30, 19


def test_normal_equations_are_those_of_the_residuals() -> None:
    rng = np.random.default_rng(7)
    figure = Figure.standard()
    tree, limits, work = figure.tree, LimitTable(*(part.copy() for part in figure.layout.limits)), empty_work(44)
    limits.swing[:] = np.inf  # no ball joint is beyond its limit
    limits.low[:], limits.high[:] = -np.inf, np.inf
    pose, moved = empty_pose(19, 44, 7, 20), empty_pose(19, 44, 7, 20)
    pose.root[:] = rng.normal(size=3)
    pose.balls[:] = quaternion.exp(0.4 * rng.normal(size=(7, 3)))
    pose.hinges[:] = 0.4 * rng.normal(size=20)
    forward(tree, pose)
    rotations = figure.forward(Poses(pose.root[None], pose.balls[None], pose.hinges[None]))[1]
    targets = Targets(
        segments=rng.integers(0, 19, size=MARKS),
        places=0.2 * rng.normal(size=(MARKS, 3)),
        weights=rng.uniform(0.2, 1.0, size=MARKS),
        points=rng.normal(size=(1, MARKS, 3)),
        turn_segments=np.arange(TURNS),
        turn_weights=rng.uniform(0.01, 0.1, size=TURNS),
        turns=np.ascontiguousarray(rotations),  # where they are: only there is the derivative of a turn its axis
        increments=quaternion.identity(1, 7),
        steps=np.zeros(1),
    )
    residuals, sums = empty_residuals(MARKS, TURNS, 7), empty_sums(19, 44)

    def weighed(at: Pose) -> np.ndarray:
        evaluate(limits, targets, 0.5, 0, at, work, residuals)
        marks = targets.weights[:, None] * residuals.errors
        return np.concatenate([marks.ravel(), (targets.turn_weights[:, None] * residuals.turns).ravel()])

    jacobian = np.empty((3 * (MARKS + TURNS), 44))
    for dof in range(44):
        sides = []
        for sign in (1.0, -1.0):
            move(tree, limits, pose, sign * 1e-5 * np.eye(44)[dof], moved, work)
            forward(tree, moved)
            sides.append(weighed(moved))
        jacobian[:, dof] = (sides[0] - sides[1]) / 2e-5
    here = weighed(pose)
    cost = evaluate(limits, targets, 0.5, 0, pose, work, residuals)
    assert np.isclose(cost, here @ here)
    assemble(tree, targets, 0.5, pose, residuals, sums, work)
    np.testing.assert_allclose(work.rhs, -jacobian.T @ here, atol=1e-8)
    wanted = jacobian.T @ jacobian
    for dof in range(44):
        path = [dof, *tree.ancestors[dof, : tree.depths[dof]].astype(int)]
        np.testing.assert_allclose(work.normal[dof, path], wanted[dof, path], atol=1e-8)
