"""Penalties of the figure: gradients against differences, and what each does and does not mind."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.keyframe import Samples, Settings, Term, VectorKeyframes, Weighted, inbetween_vectors
from segue.motion.box import Box
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.terms import Balance, Floor, FreeFall, JointLimits, Obstacle, Plant, Skid, Torque, TorqueChange
from segue.spacetime.terms.balance import nearest_in_hull
from segue.spacetime.terms.body import CombinedBodyTerm
from tests.keyframe.derivatives import stacked

BODY = FigureBodies(sg.Figure.standard())
PLANTS = (Plant("left_heel", 0, 0.5), Plant("left_toe_tip", 0, 1), Plant("right_toe_tip", 0.3, 0.8, 0.5))
PENALTIES: dict[str, Term] = {
    "limits": JointLimits(BODY),
    "limits with a margin": JointLimits(BODY, margin=0.2),
    "floor": Floor(BODY, height=0.3),
    "slope": Floor(BODY, height=0.1, ground=sg.Ground.slope(0.2, 0.5, 0.2)),
    "step": Obstacle(BODY, Box.step(0.6, 0.0, 1.5)),
    "turned box": Obstacle(
        BODY, Box((0.0, 0.3, 0.5), (2.0, 0.8, 1.0), 0.4), ("left_knuckles", "right_heel"), clearance=0.02
    ),
    "skid": Skid(BODY, PLANTS),
    "balance": Balance(BODY, PLANTS),
    "torque": Torque(BODY),
    "torque change": TorqueChange(BODY),
    "flight": FreeFall(BODY, [(0.15, 0.55)]),
    "together": CombinedBodyTerm(BODY, [Weighted(Torque(BODY), 1e-3), Weighted(Skid(BODY, PLANTS), 2.0)]),
}


def disturbed(size: float = 0.3) -> Samples:
    """Return a walk with all numbers changed at random: outside limits, floor and balance."""
    rng, count = np.random.default_rng(0), 9
    rows = sg.clips.walk.at(np.linspace(0.2, 1.4, count)).rows
    orders = [rows + size * rng.normal(size=rows.shape), *(10 * size * rng.normal(size=(3, *rows.shape)))]
    return Samples(np.arange(count) / 10, np.full(count, 0.1), *orders)


def still(poses: sg.Poses) -> Samples:
    """Return samples of a figure that does not move."""
    rows = poses.rows
    return Samples(np.arange(len(rows)) / 10, np.full(len(rows), 0.1), rows, *np.zeros((3, *rows.shape)))


@pytest.mark.parametrize("name", PENALTIES)
def test_gradients_agree_with_differences(name: str) -> None:
    penalty, samples, rng = PENALTIES[name], disturbed(), np.random.default_rng(1)
    value, gradient = penalty.evaluate(samples)
    assert value > 0
    for _ in range(4):
        way = rng.normal(size=stacked(samples).shape)
        ahead, behind = (
            penalty.evaluate(Samples(*samples[:2], *(stacked(samples) + sign * 1e-6 * way)))[0] for sign in (1, -1)
        )
        assert (stacked(gradient) * way).sum() == pytest.approx((ahead - behind) / 2e-6, rel=1e-6)


@pytest.mark.parametrize("name", PENALTIES)
def test_curvatures_are_of_the_right_size(name: str) -> None:
    samples = disturbed()
    curvature = PENALTIES[name].curvature(samples)  # type: ignore[attr-defined]
    assert curvature.shape == (4, 51, len(samples.times))
    assert (curvature >= 0).all()
    assert curvature.any()


def test_a_walk_as_it_is_has_nothing_to_be_punished_for() -> None:
    samples = still(sg.clips.walk.at(np.linspace(0, 2, 30)))
    assert JointLimits(BODY).evaluate(samples)[0] == 0
    assert Floor(BODY, height=-0.001).evaluate(samples)[0] == 0
    assert Obstacle(BODY, Box.step(0.3, 5.0, 6.0)).evaluate(samples)[0] == 0


def test_knees_and_elbows_must_not_bend_backwards() -> None:
    for name, angle in (("left_knee_flexion", -30.0), ("right_elbow_flexion", -40.0)):
        poses = sg.Poses.zero(1)
        poses.hinge(name)[:] = np.radians(angle)
        low = np.degrees(JointLimits(BODY)._low[HUMAN.hinge_names.index(name)])
        expected = 0.1 * np.radians(low - angle) ** 2
        assert JointLimits(BODY).evaluate(still(poses))[0] == pytest.approx(expected)
        assert JointLimits(BODY, poses).evaluate(still(poses))[0] == 0


def test_depth_in_boxes_is_to_the_nearest_way_out() -> None:
    box = Box.step(0.3, 1.0, 2.0)
    depth, way = box.depth(np.array([[0.0, 0.28, 1.5], [0.0, 0.1, 1.05], [0.0, 0.02, 1.5], [0.0, 0.4, 1.5]]))
    np.testing.assert_allclose(depth, [0.02, 0.05, 0.28, 0.0])  # nobody leaves a step through the floor
    np.testing.assert_allclose(way[:3], [[0, 1, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)
    turned = Box((0.0, 1.0, 0.0), (2.0, 2.0, 0.2), np.pi / 2)
    assert turned.depth(np.array([0.05, 1.0, 0.5]))[0] == pytest.approx(0.05)


def test_hulls_hold_what_lies_inside() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    for target, nearest in (([0.3, 0.6], [0.3, 0.6]), ([2.0, 0.5], [1.0, 0.5]), ([-1.0, -1.0], [0.0, 0.0])):
        parts = nearest_in_hull(square, np.array(target))
        assert parts.sum() == pytest.approx(1.0)
        assert (parts >= 0).all()
        np.testing.assert_allclose(parts @ square, nearest, atol=1e-12)
    np.testing.assert_allclose(nearest_in_hull(square[:1], np.array([3.0, 3.0])), [1.0])


def test_who_leans_is_out_of_balance() -> None:
    standing = sg.clips.stand.at([0.0])
    plants = [Plant(point, 0, 1) for point in ("left_heel", "left_toe_tip", "right_heel", "right_toe_tip")]
    assert Balance(BODY, plants).evaluate(still(standing))[0] < 1e-30
    leaning = sg.Poses(standing.root, standing.balls.copy(), standing.hinges)
    leaning.ball("left_hip")[:] = leaning.ball("right_hip")[:] = quaternion.exp(np.array([0.6, 0.0, 0.0]))
    assert Balance(BODY, plants).evaluate(still(leaning))[0] > 1e-4


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Box((0, 0, 0), (1, -1, 1)), "must be positive"),
        (lambda: Box((0, 0, float("nan")), (1, 1, 1)), "three numbers of metres"),
        (lambda: Box.step(0.3, 2.0, 1.0), "must end farther on"),
        (lambda: Plant("left_toe_tip", 2.0, 1.0), "must stand for some time"),
        (lambda: Floor(BODY, ["left_foot"]), "no point 'left_foot'"),
        (lambda: Torque(BODY, np.ones(3)), "44 numbers"),
        (lambda: Obstacle(BODY, Box.step(1, 0, 1), clearance=-1.0), "a number of metres, 0 or more, is needed"),
        (
            lambda: inbetween_vectors(VectorKeyframes([0, 1], np.zeros((2, 4))), [Torque(BODY)], Settings()),
            "51 coordinates, not 4",
        ),
        (lambda: CombinedBodyTerm(BODY, [Weighted(Torque(sg.Figure.standard()))]), "not of this figure"),
    ],
)
def test_what_makes_no_sense_is_told(make: object, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        make()  # type: ignore[operator]
