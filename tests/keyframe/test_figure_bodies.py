"""The figure without charts: the same bodies, forces and torques as the 44-DOF figure, and gradients back."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dynamics import GRAVITY, FigureTree, inverse_dynamics, inverse_dynamics_jacobians
from segue.keyframe import DynamicSpline, Samples
from segue.spacetime.figure_motion import FigureBodies

FIGURE = sg.Figure.standard(1.8)
RUN = np.arange(0.0, 1.41, 0.1)


def path() -> DynamicSpline:
    """Return a run that also turns round twice, which no chart would hold, with quaternions of any length."""
    rows = sg.clips.run.at(RUN).rows
    turns = quaternion.exp(np.array([[0.0, 9.0 * time, 0.0] for time in RUN]))
    rows[:, 3:7] = quaternion.make_continuous(quaternion.multiply(turns, rows[:, 3:7])[:, None])[:, 0]
    rows[:, 3:31] *= np.repeat(np.random.default_rng(1).uniform(0.8, 1.3, (len(RUN), 7)), 4, axis=1)
    return DynamicSpline.through(RUN, rows)


def samples_at(times: np.ndarray, spline: DynamicSpline) -> Samples:
    parts = [spline.at(times, order) for order in range(4)]
    return Samples(times, np.full(len(times), 0.1), *parts)


TIMES = np.array([0.03, 0.21, 0.53, 0.77, 1.36])  # none at a knot, where the jerk jumps


def test_bodies_are_where_the_figure_has_them() -> None:
    spline, body = path(), FigureBodies(FIGURE)
    motion = body.motion(samples_at(TIMES, spline))
    positions, rotations = FIGURE.forward(Poses.from_rows(spline.at(TIMES)))
    np.testing.assert_allclose(motion.bodies.motion[0][:, HUMAN.segment_links], positions, atol=1e-12)
    assert quaternion.angle_between(motion.bodies.turns[:, HUMAN.segment_links], rotations).max() < 1e-7


def test_points_move_as_they_do() -> None:
    spline, body = path(), FigureBodies(FIGURE)
    links, places = body.places(["left_toe_tip", "right_knuckles"])
    step = 1e-6
    here = body.motion(samples_at(TIMES, spline)).points(links, places)
    after, before = (body.motion(samples_at(TIMES + sign * step, spline)).points(links, places)[0] for sign in (1, -1))
    np.testing.assert_allclose(here[1], (after - before) / (2 * step), atol=1e-6)


def test_torques_are_those_of_the_44_degrees_of_freedom() -> None:
    motion = FigureBodies(FIGURE).motion(samples_at(TIMES, path()))
    drive = motion.joint_motion
    for t in range(len(TIMES)):
        tree = FigureTree(FIGURE, drive.turns[t])  # at its reference a chart's angles are turns about the body's axes
        spins, rises = (np.ascontiguousarray(drive.spins[k][t : t + 1]) for k in range(2))
        charted = tree.charts.motion(drive.turns[t : t + 1], spins, rises)
        joints = np.zeros((3, 1, 44))
        for k in range(3):
            joints[k, 0, :3] = drive.root[k][t]
            joints[k][:, HUMAN.ball_dofs] = charted[k]
            joints[k][:, HUMAN.hinge_dofs] = drive.hinges[k][t]
        wanted = inverse_dynamics(tree.tree, *joints)[0]
        found = motion.torques[t].copy()
        for ball, columns in enumerate(HUMAN.ball_dofs):
            found[columns] = quaternion.rotate(quaternion.conjugate(drive.turns[t, ball]), found[columns])
        np.testing.assert_allclose(found, wanted, atol=1e-9 * np.abs(wanted).max())


def test_net_forces_and_torques_are_equations_18_to_21() -> None:
    """From world quaternions and their derivatives alone, as appendix A of the paper has it."""
    spline, body, step = path(), FigureBodies(FIGURE), 1e-4
    around = [body.motion(samples_at(TIMES + k * step, spline)) for k in (-1, 0, 1)]
    force, moment = np.zeros((len(TIMES), 3)), np.zeros((len(TIMES), 3))
    root = around[1].bodies.motion[0][:, 0]
    for link, segment in zip(HUMAN.segment_links, HUMAN.segments, strict=True):
        inertia = FIGURE.inertias[segment]
        worlds = quaternion.make_continuous(np.stack([each.bodies.turns[:, link] for each in around]))
        q, rate = worlds[1], (worlds[2] - worlds[0]) / (2 * step)
        rise = (worlds[2] - 2 * worlds[1] + worlds[0]) / step**2
        inverse = quaternion.conjugate(q)
        omega = 2 * quaternion.multiply(rate, inverse)[:, 1:]  # equation 19
        growth = 2 * (quaternion.multiply(rise, inverse) + quaternion.multiply(rate, quaternion.conjugate(rate)))[:, 1:]
        turn = quaternion.to_matrix(q)
        tensor = turn @ inertia.tensor @ turn.transpose(0, 2, 1)
        dual = np.array([[[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]] for w in omega])
        change = dual @ tensor + tensor @ dual.transpose(0, 2, 1)  # equation 18
        torque = np.einsum("tij,tj->ti", change, omega) + np.einsum("tij,tj->ti", tensor, growth)  # equation 21
        places = [each.points(np.array([link]), inertia.centre[None])[0][:, 0] for each in around]
        push = inertia.mass * ((places[2] - 2 * places[1] + places[0]) / step**2 - np.array(GRAVITY))
        force += push
        moment += torque + np.cross(places[1] - root, push)
    torques = around[1].torques
    np.testing.assert_allclose(torques[:, :3], force, atol=1e-4 * np.abs(force).max())
    np.testing.assert_allclose(torques[:, 3:6], moment, atol=1e-3 * np.abs(moment).max())


def test_inertias_are_the_diagonal_of_the_inertia_matrix() -> None:
    poses = sg.clips.walk.at([0.4])
    found = FigureBodies(FIGURE).dynamics.inertias(poses)
    assert found[:3] == pytest.approx(FIGURE.mass)
    tree = FigureTree(FIGURE, poses.balls[0])
    matrix = inverse_dynamics_jacobians(tree.tree, *np.stack([tree.coordinates(poses), *np.zeros((2, 1, 44))]))[1].qdd
    diagonal = np.einsum("ii->i", matrix[0])
    np.testing.assert_allclose(found[HUMAN.hinge_dofs], diagonal[HUMAN.hinge_dofs], rtol=1e-9)
    # a ball joint's axes are the parent's here and the body's there, but their sum is the same
    np.testing.assert_allclose(found[HUMAN.ball_dofs].sum(axis=1), diagonal[HUMAN.ball_dofs].sum(axis=1), rtol=1e-9)


def test_gradients_of_points_and_torques() -> None:
    rng = np.random.default_rng(3)
    spline, body = path(), FigureBodies(FIGURE)
    links, places = body.places(["left_heel", "right_toe_tip", "left_knuckles"])
    by_place, by_rate = rng.normal(size=(2, len(TIMES), 3, 3))
    by_torque = rng.normal(size=(len(TIMES), 44)) / 100
    given = samples_at(TIMES, spline)

    def scalar(samples: Samples) -> float:
        motion = FigureBodies(FIGURE).motion(samples)
        place, rate = motion.points(links, places)
        return float((by_place * place).sum() + (by_rate * rate).sum() + (by_torque * motion.torques).sum())

    motion = body.motion(given)
    pull = motion.zero_gradient()
    motion.backprop_points(pull, links, places, by_place, by_rate)
    motion.backprop_torques(pull, by_torque)
    gradient = motion.gradient(pull, given)
    for _ in range(8):
        ways = [rng.normal(size=given.value.shape) for _ in range(3)]
        moved = [
            Samples(
                TIMES,
                given.weights,
                *(part + sign * 1e-5 * way for part, way in zip(given[2:5], ways, strict=True)),
                given.jerk,
            )
            for sign in (1, -1)
        ]
        wanted = (scalar(moved[0]) - scalar(moved[1])) / 2e-5
        found = sum(float((part * way).sum()) for part, way in zip(gradient[2:5], ways, strict=True))
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-6)
