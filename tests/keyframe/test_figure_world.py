"""The figure as bodies in the world: the same joints, the same gradients, the same motion as by joints."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.keyframe import Coordinates, DynamicSpline, Key, Samples, Settings, inbetween, inbetween_report
from segue.keyframe.world import WorldPath, WorldView, world_rows
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.terms import Acceleration, Floor, JointLimits, Torque, TorqueChange
from segue.spacetime.terms.body import SeenSamples, ViewedTerm

RUN = sg.clips.run
KEY_TIMES = np.arange(0.0, 1.21, 0.1)
TIMES = np.array([0.03, 0.21, 0.53, 0.77, 1.13])


def path() -> WorldPath:
    return WorldPath(DynamicSpline.through(KEY_TIMES, world_rows(RUN.figure, RUN.at(KEY_TIMES).rows)))


def samples_of(curve: DynamicSpline | WorldPath) -> Samples:
    return Samples(TIMES, np.full(len(TIMES), 0.1), *(curve.at(TIMES, order) for order in range(4)))


def test_joints_are_those_that_the_bodies_came_from() -> None:
    there, back = RUN.at(KEY_TIMES), Poses.from_rows(path().at(KEY_TIMES))
    np.testing.assert_allclose(back.hinges, there.hinges, atol=1e-14)
    np.testing.assert_allclose(back.root, there.root, atol=1e-14)
    assert quaternion.angle_between(back.balls, there.balls).max() < 1e-7


@pytest.mark.parametrize("order", [0, 1, 2])
def test_derivatives_of_joints(order: int) -> None:
    world, step = path(), 1e-5
    wanted = (world.at(TIMES + step, order) - world.at(TIMES - step, order)) / (2 * step)
    np.testing.assert_allclose(world.at(TIMES, order + 1), wanted, atol=1e-6 * np.abs(wanted).max())


def test_bodies_turn_as_their_quaternions_do() -> None:
    """Equations 19 and 20, from the world quaternions alone, against what follows from joint to joint."""
    world, body = path(), FigureBodies(RUN.figure)
    bodies = body.motion(samples_of(world)).bodies
    q, rate, rise = (world.spline.at(TIMES, order)[:, 3:].reshape(len(TIMES), -1, 4) for order in range(3))
    square = (q * q).sum(axis=-1, keepdims=True)
    inverse = quaternion.conjugate(q) / square
    # equation 15: the derivative of an inverse
    change = quaternion.conjugate(rate) / square - 2 * inverse * (q * rate).sum(axis=-1, keepdims=True) / square
    spin = 2 * quaternion.multiply(rate, inverse)[..., 1:]
    growth = 2 * (quaternion.multiply(rise, inverse) + quaternion.multiply(rate, change))[..., 1:]
    for segment in ("pelvis", "torso", "head", "left_thigh", "right_thigh"):  # no hinge between them and the root
        k = HUMAN.segments.index(segment)
        link = HUMAN.segment_links[k]
        assert quaternion.angle_between(bodies.turns[:, link], q[:, k] / np.sqrt(square[:, k])).max() < 1e-7
        np.testing.assert_allclose(bodies.motion[1][:, link], spin[:, k], atol=1e-9)
        np.testing.assert_allclose(bodies.motion[3][:, link], growth[:, k], atol=1e-7)


@pytest.mark.parametrize(
    "penalty",
    [
        Acceleration(),
        JointLimits(RUN.figure, margin=0.3),
        Floor(RUN.figure, height=0.2),
        Torque(RUN.figure),
        TorqueChange(RUN.figure),
    ],
    ids=lambda penalty: penalty.name,
)
def test_gradients_come_back_to_the_bodies(penalty: Acceleration) -> None:
    given, rng = samples_of(path().spline), np.random.default_rng(4)
    seen = ViewedTerm(penalty, SeenSamples(WorldView()))
    gradient = seen.evaluate(given)[1]
    for _ in range(4):
        ways = [rng.normal(size=part.shape) for part in given[2:]]
        ends = []
        for sign in (1, -1):
            moved = (part + sign * 1e-6 * way for part, way in zip(given[2:], ways, strict=True))
            ends.append(seen.evaluate(Samples(*given[:2], *moved))[0])
        found = sum(float((part * way).sum()) for part, way in zip(gradient[2:], ways, strict=True))
        assert found == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=2e-5)


def test_both_give_the_same_body_motion() -> None:
    walk, times = sg.clips.walk, np.linspace(0.0, 1.0, 41)
    keys = [Key.from_motion(walk, 0.25 * k) for k in range(5)]
    settings = Settings(between=2, subdivision=None, samples=4, iterations=60, tolerance=1e-3)
    made = {each: inbetween(keys, None, settings, coordinates=each) for each in Coordinates}
    places = {each: motion.figure.forward(motion.at(times))[0] for each, motion in made.items()}
    apart = np.linalg.norm(places[Coordinates.JOINTS] - places[Coordinates.WORLD], axis=-1)
    assert apart.mean() < 0.004
    for motion in made.values():
        told = inbetween_report(motion)
        assert told.after["skid"] < 0.1 * told.before["skid"]
        for each in keys:
            np.testing.assert_allclose(motion.at([each.time]).hinges, walk.at([each.time]).hinges, atol=1e-12)
            np.testing.assert_allclose(
                motion.to_clip().world[0][round(60 * each.time)],
                walk.to_clip().world[0][round(60 * each.time)],
                atol=1e-9,
            )


def test_what_bodies_in_the_world_cannot_be_is_told() -> None:
    arm = [Key.from_angles(time, {"left_elbow_flexion": 20}) for time in (0.0, 1.0)]
    partial = [
        Key.from_motion(sg.clips.walk, 0.0),
        Key.from_motion(sg.clips.walk, 0.3, joints="legs"),
        Key.from_motion(sg.clips.walk, 0.6),
    ]
    assert inbetween(arm, coordinates="world").duration == 1.0  # all other joints are held
    with pytest.raises(ArgumentError, match=r"the keyframe at 0\.3 s does not give all joints"):
        inbetween(partial, coordinates="world")
    with pytest.raises(ArgumentError, match="coordinates is 'sphere': it must be one of joints, world"):
        inbetween(arm, coordinates="sphere")
