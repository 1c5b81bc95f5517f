"""Joints must stay within their limits: knees and elbows, above all, must not bend backwards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import BALL_JOINTS, JOINTS
from segue.body.limits import BallLimit
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.keyframe.figure.bodies import FigureBodies
from segue.keyframe.figure.columns import BALLS, HINGES
from segue.keyframe.path import Samples

__all__ = ["JointLimits"]

_SMALL = 1e-3  # rad, of swing: below, the series is the more accurate


class JointLimits:
    """How far joints are outside their limits, squared: rad^2 s.

    A hinge has an interval; the swing of a ball joint must lie in an elliptic cone and its twist in an interval, see
    `BallLimit`. widened: poses, such as keyframes that are met whatever they are, whose joints count as within limits.
    margin: rad by which limits are drawn in, but never so far that a widening pose is outside.
    """

    name = "limits"

    def __init__(self, body: FigureBodies | Figure, widened: Poses | None = None, *, margin: float = 0.0) -> None:
        self.body = body if isinstance(body, FigureBodies) else FigureBodies(body)
        hinges = [hinge.limit for joint in JOINTS for hinge in joint.hinges]
        self._low = np.array([limit.low for limit in hinges]) + margin
        self._high = np.array([limit.high for limit in hinges]) - margin
        self._balls = tuple(joint.ball for joint in JOINTS if joint.ball)
        self._reach = np.ones(len(BALL_JOINTS))
        self._twist = np.array([limit.twist for limit in self._balls]) + np.array([margin, -margin])
        if widened is not None:
            self._low = np.minimum(self._low, widened.hinges.min(axis=0))
            self._high = np.maximum(self._high, widened.hinges.max(axis=0))
            for b, limit in self._limited():
                swing, twist = limit.split(widened.balls[:, b])
                self._reach[b] = max(1.0, float(limit.reach(swing).max()))
                self._twist[b] = min(self._twist[b, 0], twist.min()), max(self._twist[b, 1], twist.max())

    def _limited(self) -> Iterator[tuple[int, BallLimit]]:
        return ((b, limit) for b, limit in enumerate(self._balls) if not limit.is_free)

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        gradient = samples.zeros()
        over = self._over(samples.value[:, HINGES])
        gradient.value[:, HINGES] = 2.0 * samples.weights[:, None] * over
        value = float(samples.weights @ (over**2).sum(axis=1))
        motion = self.body.motion(samples)
        moments = np.zeros((len(samples.times), len(BALL_JOINTS), 3))
        for b, limit in self._limited():
            cost, by_turn = self._ball(b, limit, motion.drive.turns[:, b])
            value += float(samples.weights @ cost)
            moments[:, b] = samples.weights[:, None] * by_turn
        if moments.any():
            motion.add_balls(gradient, moments, np.zeros_like(moments), np.zeros_like(moments))
        return value, gradient

    def residual(self, samples: Samples) -> Array:
        """Return the penalty before it is integrated, (S,)."""
        density: Array = (self._over(samples.value[:, HINGES]) ** 2).sum(axis=1)
        turns = self.body.motion(samples).drive.turns
        for b, limit in self._limited():
            density += self._ball(b, limit, turns[:, b])[0]
        return density

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (4, D, S), of joints that are outside."""
        bends = np.zeros((4, samples.value.shape[1], len(samples.times)))
        bends[0, HINGES] = 2.0 * samples.weights * (self._over(samples.value[:, HINGES]) != 0.0).T
        turns = self.body.motion(samples).drive.turns
        for b, limit in self._limited():
            outside = self._ball(b, limit, turns[:, b])[0] > 0.0
            # a turn is twice the change of a unit quaternion
            bends[0, BALLS.start + 4 * b : BALLS.start + 4 * b + 4] = 8.0 * samples.weights * outside
        return bends

    def _over(self, angles: Array) -> Array:
        return np.maximum(angles - self._high, 0.0) - np.maximum(self._low - angles, 0.0)

    def _ball(self, b: int, limit: BallLimit, turns: Array) -> tuple[Array, Array]:
        """Return the squared excess (S,) of a ball joint's rotations, and its derivatives by rotation (S, 3)."""
        swing, twist = limit.split(turns)
        reach = limit.reach(swing)
        over_twist = np.maximum(twist - self._twist[b, 1], 0.0) - np.maximum(self._twist[b, 0] - twist, 0.0)
        over_swing = np.maximum(reach - self._reach[b], 0.0)
        cost, by_turn = np.zeros(len(turns)), np.zeros((len(turns), 3))
        outside = (over_twist != 0.0) | (over_swing > 0.0)
        if outside.any():
            across = np.abs(limit.axis) < 0.5
            least = float(limit.swing[across].min())
            slopes = _slopes(limit, turns[outside], swing[outside], reach[outside])
            cost[outside] = (least * over_swing[outside]) ** 2 + over_twist[outside] ** 2
            by_turn[outside] = 2.0 * (
                least**2 * over_swing[outside, None] * slopes[0] + over_twist[outside, None] * slopes[1]
            )
        return cost, by_turn


def _slopes(limit: BallLimit, turns: Array, swing: Array, reach: Array) -> tuple[Array, Array]:
    """Return the derivatives of reach and of twist by rotation (S, 3), in the parent's frame.

    With a the bone at rest and b where it points, the swing is the rotation vector along a x b that takes a to b. A
    small turn d changes a x b by d (a.b) - b (a.d), and the twist by d.(a + b) / (1 + a.b).
    """
    bone = limit.axis
    inner = quaternion.multiply(quaternion.conjugate(limit.centre), turns)
    points = quaternion.rotate(inner, np.broadcast_to(bone, (len(inner), 3)))
    across, cosine = np.cross(bone, points), points @ bone
    sine = np.linalg.norm(across, axis=1)
    angle = np.linalg.norm(swing, axis=1)
    safe = np.where(sine > _SMALL, sine, 1.0)
    ratio = np.where(sine > _SMALL, angle / safe, 1.0 + angle**2 / 6.0)
    bend = np.where(sine > _SMALL, (angle * cosine - sine) / safe**3, -1.0 / 3.0)
    pull = swing / (limit.swing**2 * np.maximum(reach, 1e-12)[:, None])
    along = np.sum(pull * points, axis=1, keepdims=True)
    by_reach = ratio[:, None] * (cosine[:, None] * pull - along * bone)
    by_reach -= (bend * np.sum(pull * across, axis=1))[:, None] * across
    by_twist = (bone + points) / np.maximum(1.0 + cosine, 1e-6)[:, None]
    return quaternion.rotate(limit.centre, by_reach), quaternion.rotate(limit.centre, by_twist)
