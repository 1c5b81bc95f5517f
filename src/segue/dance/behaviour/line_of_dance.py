"""The line of dance: a lane round a rectangular floor, counter-clockwise, with rounded corners.

The floor's centre is the origin; its length lies along z, its width along x. Where the lane runs along +Z (heading 0),
the wall is to the right, at -X, and the centre to the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue.typing import Array

_ROUNDEST = 1.6  # m: a couple takes a corner in about two patterns


class OnLine(NamedTuple):
    """Where points lie by the line of dance: m along it, m from it towards the centre, and its heading there."""

    along: Array
    inwards: Array
    heading: Array


def wrapped(angle: Array) -> Array:
    """Return angles in [-pi, pi)."""
    return (np.asarray(angle) + math.pi) % (2.0 * math.pi) - math.pi


@dataclass(frozen=True)
class LineOfDance:
    """A lane at a distance from the walls: a rectangle with rounded corners.

    width, length: of the floor, m. inset: m from the walls.
    """

    width: float
    length: float
    inset: float

    @property
    def reach(self) -> tuple[float, float]:
        """Half the lane's extent along z and along x."""
        return 0.5 * self.length - self.inset, 0.5 * self.width - self.inset

    @property
    def radius(self) -> float:
        """The corners' radius."""
        return min(*self.reach, _ROUNDEST)

    @property
    def lap(self) -> float:
        """The lane's length once round."""
        (half_z, half_x), radius = self.reach, self.radius
        return 4.0 * (half_z + half_x - 2.0 * radius) + 2.0 * math.pi * radius

    def point(self, along: float) -> tuple[float, float, float]:
        """Return x, z and heading of the lane so many m along it; it begins where the side at -X does."""
        (half_z, half_x), radius = self.reach, self.radius
        left = along % self.lap
        corner = 0.5 * math.pi * radius
        for side in range(4):
            half, across = (half_z, half_x) if side % 2 == 0 else (half_x, half_z)
            straight = 2.0 * (half - radius)
            if left <= straight:
                return self._turned(side, left - half + radius, -across, 0.0)
            left -= straight
            if left <= corner or side == 3:
                angle = left / radius
                ahead, outwards = half - radius + radius * math.sin(angle), across - radius + radius * math.cos(angle)
                return self._turned(side, ahead, -outwards, angle)
            left -= corner
        raise AssertionError("a lap has four sides")

    @staticmethod
    def _turned(side: int, ahead: float, leftwards: float, heading: float) -> tuple[float, float, float]:
        """Return a point of one side, given for one who faces along it, in the floor's x and z."""
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[side]
        return ahead * sine + leftwards * cosine, ahead * cosine - leftwards * sine, 0.5 * math.pi * side + heading

    def locate(self, x: Array, z: Array) -> OnLine:
        """Return where points of the floor lie by the lane: by its point next to them."""
        x, z = np.asarray(x, dtype=np.float64), np.asarray(z, dtype=np.float64)
        (half_z, half_x), radius = self.reach, self.radius
        core_z, core_x = half_z - radius, half_x - radius
        # as dancers on each of the four sides see it: how far ahead of the side's middle, how far out from its core
        ahead = np.stack([z, x, -z, -x])
        out = np.stack([-x, z, x, -z])
        half = np.array([core_z, core_x, core_z, core_x]).reshape(4, *[1] * x.ndim)
        edge = np.array([core_x, core_z, core_x, core_z]).reshape(4, *[1] * x.ndim)
        beyond, outwards = np.maximum(ahead - half, 0.0), out - edge
        behind = ahead < -half  # what lies there belongs to the corner of the side before
        side = np.argmax(np.where(behind, -np.inf, outwards), axis=0)
        pick = side[None]
        ahead, half, beyond, outwards = (
            np.take_along_axis(np.broadcast_to(each, (4, *x.shape)), pick, 0)[0]
            for each in (ahead, half, beyond, outwards)
        )
        turn = np.where((beyond > 0.0) & (outwards > 0.0), np.arctan2(beyond, np.maximum(outwards, 1e-300)), 0.0)
        distance = np.where(turn > 0.0, np.hypot(beyond, outwards), outwards)
        starts = np.array([self._start(k) for k in range(4)])[side]
        along = starts + np.clip(ahead, -half, half) + half + radius * turn
        return OnLine(along % self.lap, radius - distance, 0.5 * math.pi * side + turn)

    def _start(self, side: int) -> float:
        (half_z, half_x), radius = self.reach, self.radius
        straights = [2.0 * (half_z - radius), 2.0 * (half_x - radius)]
        return sum(straights[k % 2] + 0.5 * math.pi * radius for k in range(side))

    def advance(self, start: Array, stop: Array) -> Array:
        """Return how far it is along the lane from one place to another, by the shorter way: m, negative if back."""
        return (np.asarray(stop) - np.asarray(start) + 0.5 * self.lap) % self.lap - 0.5 * self.lap
