"""Ranges of joints: an interval for a hinge, a swing cone and a twist range for a ball joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from segue.compiled import compiled
from segue.curves import quaternion
from segue.curves.quaternion_kernels import (
    Vector,
    cross,
    dot,
    get_quat,
    get_vector,
    less,
    plus,
    put_vector,
    rotated,
    times,
    turn_after,
    turn_back,
)
from segue.typing import Array


@dataclass(frozen=True)
class HingeLimit:
    """The range of a hinge, in radians."""

    low: float
    high: float

    @classmethod
    def degrees(cls, low: float, high: float) -> HingeLimit:
        """Make a range from degrees."""
        return cls(math.radians(low), math.radians(high))

    def clamp(self, angle: Array) -> Array:
        """Return the nearest angles inside the range."""
        return np.clip(angle, self.low, self.high)

    def excess(self, angle: Array) -> Array:
        """Return how far outside the range the angles are, in radians; 0 inside."""
        return np.maximum(0.0, np.maximum(self.low - angle, angle - self.high))


@dataclass(frozen=True, eq=False)
class BallLimit:
    """The range of a ball joint: q = centre * swing * twist.

    The twist turns about the bone's own axis; the swing, a rotation about an axis perpendicular to it, must lie in an
    elliptic cone. centre: unit quaternion at the middle of the cone. axis: unit vector along the bone in the zero
    pose. swing: (3,) half-angles for swings about x, y and z in radians (the entry along the bone does not count; inf:
    free). twist: (low, high) in radians.
    """

    centre: Array
    axis: Array
    swing: Array
    twist: tuple[float, float]

    @classmethod
    def degrees(
        cls,
        axis: Sequence[float],
        centre: Sequence[float],
        swing: Sequence[float],
        twist: tuple[float, float],
    ) -> BallLimit:
        """Make a limit from degrees; centre is a rotation vector."""
        return cls(
            quaternion.exp(np.radians(np.asarray(centre, dtype=float))),
            np.asarray(axis, dtype=float),
            np.radians(np.asarray(swing, dtype=float)),
            (math.radians(twist[0]), math.radians(twist[1])),
        )

    @classmethod
    def free(cls, axis: Sequence[float]) -> BallLimit:
        """Make a joint that may turn anywhere."""
        return cls(quaternion.identity(), np.asarray(axis, dtype=float), np.full(3, np.inf), (-np.inf, np.inf))

    @property
    def is_free(self) -> bool:
        """Whether nothing is forbidden."""
        return bool(np.isinf(self.swing).all())

    def split(self, q: Array) -> tuple[Array, Array]:
        """Return the swing vectors (..., 3), perpendicular to the bone, and the twist angles (...) of rotations."""
        inner = quaternion.multiply(quaternion.conjugate(self.centre), q)
        half = 0.5 * quaternion.twists(inner, self.axis)
        # a half-turn of swing leaves the twist undefined (0 / 0): arctan2 then gives 0, as good as any
        half = half - np.pi * np.round(half / np.pi)
        twist = np.concatenate([np.cos(half)[..., None], np.sin(half)[..., None] * self.axis], axis=-1)
        swing = quaternion.log(quaternion.multiply(inner, quaternion.conjugate(twist)))
        return swing, 2.0 * half

    def join(self, swing: Array, twist: Array) -> Array:
        """Return the rotation of a swing vector and a twist angle: the inverse of `split`."""
        turned = quaternion.multiply(quaternion.exp(swing), quaternion.exp(twist[..., None] * self.axis))
        return quaternion.multiply(np.broadcast_to(self.centre, turned.shape), turned)

    def reach(self, swing: Array) -> Array:
        """Return the swing as a fraction of the cone: 1 on its rim."""
        fraction: Array = np.linalg.norm(swing / self.swing, axis=-1)
        return fraction

    def clamp(self, q: Array) -> Array:
        """Return rotations inside the limit: outside ones are drawn back to the rim, inside ones left as they are."""
        if self.is_free:
            return q
        swing, twist = self.split(q)
        reach = self.reach(swing)
        inside = (reach <= 1.0) & (twist >= self.twist[0]) & (twist <= self.twist[1])
        drawn = swing / np.maximum(reach, 1.0)[..., None]
        clamped = self.join(drawn, np.clip(twist, *self.twist))
        return np.where(inside[..., None], q, clamped)

    def excess(self, q: Array) -> Array:
        """Return how far rotations are from their clamped selves, in radians; 0 inside."""
        return quaternion.angle_between(q, self.clamp(q))


class LimitTable(NamedTuple):
    """Limits in rad as arrays: low, high (H,) of hinges; centre (B, 4), axis, swing (B, 3), twist (B, 2) of balls."""

    low: Array
    high: Array
    centre: Array
    axis: Array
    swing: Array
    twist: Array

    @classmethod
    def of(cls, balls: Sequence[BallLimit], hinges: Sequence[HingeLimit]) -> Self:
        """Return the table of some limits."""
        return cls(
            low=np.array([limit.low for limit in hinges]),
            high=np.array([limit.high for limit in hinges]),
            centre=np.array([limit.centre for limit in balls]),
            axis=np.array([limit.axis for limit in balls]),
            swing=np.array([limit.swing for limit in balls]),
            twist=np.array([limit.twist for limit in balls]),
        )


_SMALL = 1e-3  # sine of the swing: below, the series is the more accurate


class BallCones(NamedTuple):
    """Limits of B ball joints.

    centre: (B, 4), axis: (B, 3), twist: (B, 2), as in `BallLimit`. cone: (B, 3) one over the half-angles, 0 along the
    bone and where free. reach: (B,) the fraction of the cone, usually 1, beyond which a swing is outside. least: (B,)
    the smallest half-angle, rad.
    """

    centre: Array
    axis: Array
    twist: Array
    cone: Array
    reach: Array
    least: Array

    @classmethod
    def of(cls, limits: Sequence[BallLimit], margin: float = 0.0) -> BallCones:
        """Return the limits of ball joints, drawn in by a margin, rad."""
        table = LimitTable.of(limits, ())
        across = np.abs(table.axis) < 0.5
        least = np.where(across, table.swing, np.inf).min(axis=1)
        return cls(
            centre=table.centre,
            axis=table.axis,
            twist=table.twist + np.array([margin, -margin]),
            cone=np.where(across, 1.0 / table.swing, 0.0),
            reach=1.0 - margin / least,
            least=least,
        )


@compiled(seconds=3)
def balls_outside(cones: BallCones, turns: Array, cost: Array, by_turn: Array) -> None:
    """Write the squared excess (T, B), rad^2, of rotations (T, B, 4), and its derivatives by rotation (T, B, 3).

    With a the bone at rest and b where it points, the swing is the rotation vector along a x b that takes a to b. A
    small turn d changes a x b by d (a.b) - b (a.d), and the twist by d.(a + b) / (1 + a.b).
    """
    for t in range(turns.shape[0]):
        for k in range(turns.shape[1]):
            cost[t, k] = 0.0
            put_vector(by_turn[t], k, (0.0, 0.0, 0.0))
            if cones.least[k] == np.inf:
                continue
            centre, bone, cone = get_quat(cones.centre, k), get_vector(cones.axis, k), get_vector(cones.cone, k)
            inner = turn_after(turn_back(centre), get_quat(turns[t], k))
            out = rotated(inner, bone)
            across, cosine = cross(bone, out), dot(bone, out)
            sine = np.sqrt(dot(across, across))
            angle = np.arctan2(sine, cosine)
            ratio = angle / sine if sine > _SMALL else 1.0 + angle * angle / 6.0
            scaled = (ratio * across[0] * cone[0], ratio * across[1] * cone[1], ratio * across[2] * cone[2])
            reach = np.sqrt(dot(scaled, scaled))
            half = np.arctan2(dot((inner[1], inner[2], inner[3]), bone), inner[0])
            twist = 2.0 * (half - np.pi * np.round(half / np.pi))
            over = max(twist - cones.twist[k, 1], 0.0) - max(cones.twist[k, 0] - twist, 0.0)
            beyond = reach - cones.reach[k]
            if over == 0.0 and beyond <= 0.0:
                continue
            slope: Vector = (0.0, 0.0, 0.0)
            if beyond > 0.0:
                bend = (angle * cosine - sine) / sine**3 if sine > _SMALL else -1.0 / 3.0
                pull = (scaled[0] * cone[0] / reach, scaled[1] * cone[1] / reach, scaled[2] * cone[2] / reach)
                along = times(ratio, less(times(cosine, pull), times(dot(pull, out), bone)))
                by_reach = less(along, times(bend * dot(pull, across), across))
                cost[t, k] += (cones.least[k] * beyond) ** 2
                slope = times(2.0 * cones.least[k] ** 2 * beyond, by_reach)
            if over != 0.0:
                cost[t, k] += over * over
                slope = plus(slope, times(2.0 * over / max(1.0 + cosine, 1e-6), plus(bone, out)))
            put_vector(by_turn[t], k, rotated(centre, slope))
