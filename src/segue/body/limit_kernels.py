"""Compute how far ball joints are outside their limits, squared, and the derivatives by rotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.body.limits import BallLimit
from segue.compiled import compiled
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
        across = np.array([np.abs(limit.axis) < 0.5 for limit in limits])
        swing = np.array([limit.swing for limit in limits])
        least = np.where(across, swing, np.inf).min(axis=1)
        return cls(
            centre=np.array([limit.centre for limit in limits]),
            axis=np.array([limit.axis for limit in limits]),
            twist=np.array([limit.twist for limit in limits]) + np.array([margin, -margin]),
            cone=np.where(across, 1.0 / swing, 0.0),
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
