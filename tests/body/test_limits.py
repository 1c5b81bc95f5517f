"""Joint limits: splitting and joining, clamping, and the compiled twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from segue.body.human import HUMAN
from segue.body.limits import BallLimit, HingeLimit
from segue.curves import quaternion
from segue.motion._figure_kernels import clamp_ball
from segue.typing import Array

LIMITED = [joint.ball for joint in HUMAN.joints if joint.ball and not joint.ball.is_free]
rotations = arrays(float, 4, elements=st.floats(-1.0, 1.0)).filter(lambda q: np.linalg.norm(q) > 0.1)


@given(rotations.map(quaternion.normalise), st.sampled_from(LIMITED))
def test_swing_and_twist_join_to_the_rotation(q: Array, limit: BallLimit) -> None:
    swing, twist = limit.split(q)
    assert abs(swing @ limit.axis) < 1e-9
    assert quaternion.angle_between(limit.join(swing, twist), q) < 1e-7


@given(rotations.map(quaternion.normalise), st.sampled_from(LIMITED))
def test_clamping_is_idempotent_and_leaves_the_inside_alone(q: Array, limit: BallLimit) -> None:
    once = limit.clamp(q)
    assert quaternion.angle_between(limit.clamp(once), once) < 1e-6
    swing, twist = limit.split(q)
    if limit.reach(swing) < 1 and limit.twist[0] < twist < limit.twist[1]:
        np.testing.assert_array_equal(once, q)
    else:
        assert limit.excess(q) >= 0


@given(rotations.map(quaternion.normalise))
def test_the_compiled_clamp_agrees(q: Array) -> None:
    limits = HUMAN.limits
    balls = HUMAN.ball_limits
    for b, limit in enumerate(balls):
        outside, clamped = clamp_ball(tuple(q), b, limits)
        out = np.array(clamped)
        assert quaternion.angle_between(out, limit.clamp(q)) < 1e-6
        if not outside:
            np.testing.assert_array_equal(out, q)


def test_the_shoulder_reaches_where_people_reach() -> None:
    shoulder = next(joint.ball for joint in HUMAN.joints if joint.name == "left_shoulder")
    assert shoulder is not None
    for direction in ([0, 1, 0], [0, -1, 0], [0, 0, 1], [1, 0, 0], [0, -0.8, -0.6], [-0.6, 0, 0.8]):
        q = quaternion.from_two_vectors([1, 0, 0], direction, half_turn_axis=[0, 1, 0])
        assert shoulder.reach(shoulder.split(q)[0]) <= 1, direction
    inwards = quaternion.from_two_vectors([1, 0, 0], [-1, 0, -0.2], half_turn_axis=[0, 1, 0])
    assert shoulder.excess(inwards) > 0.1


def test_hinges_stop_at_their_ends() -> None:
    limit = HingeLimit.degrees(-10, 150)
    np.testing.assert_allclose(np.degrees(limit.clamp(np.radians([-20.0, 0.0, 160.0]))), [-10, 0, 150])
    np.testing.assert_allclose(np.degrees(limit.excess(np.radians([-20.0, 0.0, 160.0]))), [10, 0, 10])


@pytest.mark.parametrize("limit", LIMITED)
def test_every_cone_contains_its_centre_and_not_its_opposite(limit: BallLimit) -> None:
    assert limit.excess(limit.centre) == 0
    across = np.cross(limit.axis, [0.3, 0.5, 0.7])
    opposite = quaternion.multiply(limit.centre, quaternion.exp(3.0 * across / np.linalg.norm(across)))
    assert limit.excess(opposite) > 0.3
