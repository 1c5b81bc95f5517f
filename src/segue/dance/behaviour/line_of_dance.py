"""Lay the line of dance round a rectangular floor, counter-clockwise with rounded corners, and place couples on it.

The floor's centre is the origin; its length lies along z, its width along x. On a lane along +Z (heading 0), the wall
is to the right, at -X, and the centre to the left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from segue.dance.behaviour._room_kernels import gap
from segue.dance.behaviour.environment import Ground
from segue.dance.behaviour.motion_verbs import Frame
from segue.errors import ArgumentError
from segue.typing import Array

_ROUNDEST = 1.6  # m: a couple takes a corner in about two patterns
_SWAY = 0.55  # m on both sides of the lane for side steps and turns
_NARROWEST = 0.3  # m, least distance from the floor's middle to the lane
_BETWEEN = 0.9  # m, least free lane or floor for each couple
_EIGHTH = 0.25 * math.pi
_FINE = 0.2  # m between the places that are tried


class OnLine(NamedTuple):
    """Points relative to the line of dance: m along it, m from it towards the centre, and its heading there."""

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
        """Half the extent of the lane along z and along x in m."""
        return 0.5 * self.length - self.inset, 0.5 * self.width - self.inset

    @property
    def radius(self) -> float:
        """The corners' radius."""
        return min(*self.reach, _ROUNDEST)

    @property
    def lap(self) -> float:
        """Length of the lane in m."""
        (half_z, half_x), radius = self.reach, self.radius
        return 4.0 * (half_z + half_x - 2.0 * radius) + 2.0 * math.pi * radius

    def point(self, along: float) -> tuple[float, float, float]:
        """Return x, z and heading of the lane at a distance along it, from the start of the side at -X."""
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
        """Convert a point from the frame of one side of the lane to the floor's x and z."""
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[side]
        return ahead * sine + leftwards * cosine, ahead * cosine - leftwards * sine, 0.5 * math.pi * side + heading

    def locate(self, x: Array, z: Array) -> OnLine:
        """Return points of the floor relative to the nearest points of the lane."""
        x, z = np.asarray(x, dtype=np.float64), np.asarray(z, dtype=np.float64)
        (half_z, half_x), radius = self.reach, self.radius
        core_z, core_x = half_z - radius, half_x - radius
        # in the frame of each side: distance ahead of its middle, distance outwards from the core
        ahead = np.stack([z, x, -z, -x])
        out = np.stack([-x, z, x, -z])
        half = np.array([core_z, core_x, core_z, core_x]).reshape(4, *[1] * x.ndim)
        edge = np.array([core_x, core_z, core_x, core_z]).reshape(4, *[1] * x.ndim)
        beyond, outwards = np.maximum(ahead - half, 0.0), out - edge
        behind = ahead < -half  # belongs to the corner of the side before
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
        """Return the distance along the lane between two places, the shorter way round: m, negative if back."""
        return (np.asarray(stop) - np.asarray(start) + 0.5 * self.lap) % self.lap - 0.5 * self.lap


def lane_of(ground: Ground, radius: float) -> LineOfDance:
    """Return the lane for couples of a radius in m, or raise ArgumentError with the floor that they need."""
    inset = radius + _SWAY
    least = 2.0 * (inset + _NARROWEST)
    if min(ground.width, ground.length) < least:
        raise ArgumentError(
            f"the floor is {ground.width:g} by {ground.length:g} m: to go round it couples of this size need at least "
            f"{math.ceil(10 * least) / 10:g} by {math.ceil(10 * least) / 10:g} m"
        )
    return LineOfDance(ground.width, ground.length, inset)


def places(
    ground: Ground,
    count: int,
    radius: float,
    line: LineOfDance | None,
    wanted: Sequence[tuple[float, float]] = (),
) -> list[Frame]:
    """Return a place for each couple: along the lane, or in rows for a dance without a lane.

    Headings are multiples of 45 degrees near that of the lane. wanted: x and z of the first couples, which begin at the
    nearest place of the lane; the other couples begin as far from them as they can. Raise ArgumentError with the
    largest possible number of couples if there are too many, or with the couples that would touch.
    """
    if wanted:
        return _around(ground, count, radius, line, wanted)
    most = count if _placed(ground, count, radius, line) else 0
    while most < count and _placed(ground, most + 1, radius, line):
        most += 1
    if most < count:
        needed = math.pi * radius * radius * count
        raise ArgumentError(
            f"there are {count} couples on a floor of {ground.width:g} by {ground.length:g} m, of which they would "
            f"take {needed:.0f} of {ground.width * ground.length:.0f} m2 when standing: there is room to dance for "
            + (f"{most}" if most else "not even one")
        )
    found = _placed(ground, count, radius, line)
    assert found is not None
    return found


def _around(
    ground: Ground, count: int, radius: float, line: LineOfDance | None, wanted: Sequence[tuple[float, float]]
) -> list[Frame]:
    """Return wanted places, and for the other couples those that are farthest from all before them."""
    if line is not None:
        free = [_on_lane(line, along) for along in np.arange(0.0, line.lap, _FINE)]
        begun = line.locate(*np.array(wanted).T).along
        found = [_on_lane(line, float(along)) for along in begun]
    else:
        half_x, half_z = (0.5 * size - radius for size in (ground.width, ground.length))
        free = [(x, z, 0.0) for x in _spread(half_x) for z in _spread(half_z)]
        found = [(float(np.clip(x, -half_x, half_x)), float(np.clip(z, -half_z, half_z)), 0.0) for x, z in wanted]
    free_places = np.array([frame[:2] for frame in free])
    while len(found) < count:
        taken = np.array([frame[:2] for frame in found])
        room = np.linalg.norm(free_places[:, None] - taken, axis=2).min(axis=1)
        found.append(free[int(np.argmax(room))])
    boxes = [np.array([*frame, radius, radius]) for frame in found]
    for (k, one), (j, other) in combinations(enumerate(boxes), 2):
        if gap(one, other) < 0.0:
            raise ArgumentError(
                f"couples {k + 1} and {j + 1} would begin {np.linalg.norm(one[:2] - other[:2]):.1f} m from each other, "
                f"and couples of this size need {2.0 * radius:.1f} m: move one of them, or let fewer couples dance"
            )
    return found


def _spread(half: float) -> Array:
    """Return places from one side to the other, a few centimetres apart."""
    return np.linspace(-half, half, max(int(2.0 * half / _FINE), 1)) if half > 0.0 else np.zeros(1)


def _placed(ground: Ground, count: int, radius: float, line: LineOfDance | None) -> list[Frame] | None:
    return _in_rows(ground, count, radius) if line is None else _along(line, count, radius)


def _along(line: LineOfDance, count: int, radius: float) -> list[Frame] | None:
    if line.lap / count < 2.0 * radius + _BETWEEN:
        return None
    frames = [_on_lane(line, k * line.lap / count) for k in range(count)]
    # the long sides of a narrow floor may be too near to each other
    boxes = [np.array([*frame, radius, radius]) for frame in frames]
    return None if any(gap(one, other) < 0.0 for one, other in combinations(boxes, 2)) else frames


def _on_lane(line: LineOfDance, along: float) -> Frame:
    """Return a place of the lane, its heading a multiple of 45 degrees."""
    x, z, heading = line.point(along)
    return x, z, _EIGHTH * round(heading / _EIGHTH)


def _in_rows(ground: Ground, count: int, radius: float) -> list[Frame] | None:
    side = 2.0 * radius + _BETWEEN
    deep, across = int(ground.length / side), int(ground.width / side)
    if deep * across < count:
        return None
    # the fewest rows leave the most space between them
    rows = next(rows for rows in range(1, across + 1) if math.ceil(count / rows) <= deep)
    in_row = math.ceil(count / rows)
    frames = []
    for k in range(count):
        row, column = divmod(k, in_row)
        x = ground.width * ((row + 0.5) / rows - 0.5)
        z = ground.length * ((column + 0.5) / in_row - 0.5)
        frames.append((x, z, 0.0))
    return frames
