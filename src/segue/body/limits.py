"""Ranges of joints: an interval for a hinge, a swing cone and a twist range for a ball joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from segue.curves import quaternion
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
        along = inner[..., 1:] @ self.axis
        half = np.arctan2(along, inner[..., 0])
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
