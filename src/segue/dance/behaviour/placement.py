"""Where couples stand before the music begins, and how many of them a floor holds."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from segue.dance.behaviour._room_kernels import gap
from segue.dance.behaviour.environment import Ground
from segue.dance.behaviour.line_of_dance import LineOfDance
from segue.dance.behaviour.motion_verbs import Frame
from segue.errors import ArgumentError

_SWAY = 0.55  # m that couples need on both sides of the lane, for side steps and turns
_NARROWEST = 0.3  # m from the floor's middle to the lane, at least: less is no way round
_BETWEEN = 0.9  # m of free lane, or of floor, for each couple at least
_EIGHTH = 0.25 * math.pi


def lane_of(ground: Ground, radius: float) -> LineOfDance:
    """Return the lane for couples whose widest reaches so far from its middle, or say how large a floor they need."""
    inset = radius + _SWAY
    least = 2.0 * (inset + _NARROWEST)
    if min(ground.width, ground.length) < least:
        raise ArgumentError(
            f"the floor is {ground.width:g} by {ground.length:g} m: to go round it couples of this size need at least "
            f"{math.ceil(10 * least) / 10:g} by {math.ceil(10 * least) / 10:g} m"
        )
    return LineOfDance(ground.width, ground.length, inset)


def places(ground: Ground, count: int, radius: float, line: LineOfDance | None) -> list[Frame]:
    """Return a place for each couple: along the lane, or, where a dance has none, in rows.

    Headings are those of the walls and diagonals nearest to the lane's. Where there are too many
    couples, it is said how many there may be.
    """
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


def _placed(ground: Ground, count: int, radius: float, line: LineOfDance | None) -> list[Frame] | None:
    return _in_rows(ground, count, radius) if line is None else _along(line, count, radius)


def _along(line: LineOfDance, count: int, radius: float) -> list[Frame] | None:
    if line.lap / count < 2.0 * radius + _BETWEEN:
        return None
    found = [line.point(k * line.lap / count) for k in range(count)]
    frames = [(x, z, _EIGHTH * round(heading / _EIGHTH)) for x, z, heading in found]
    # a narrow floor's two long sides may be too near to each other
    boxes = [np.array([*frame, radius, radius]) for frame in frames]
    return None if any(gap(one, other) < 0.0 for one, other in combinations(boxes, 2)) else frames


def _in_rows(ground: Ground, count: int, radius: float) -> list[Frame] | None:
    side = 2.0 * radius + _BETWEEN
    deep, across = int(ground.length / side), int(ground.width / side)
    if deep * across < count:
        return None
    # as few rows as will do, so that they stand as far from each other as they can
    rows = next(rows for rows in range(1, across + 1) if math.ceil(count / rows) <= deep)
    in_row = math.ceil(count / rows)
    frames = []
    for k in range(count):
        row, column = divmod(k, in_row)
        x = ground.width * ((row + 0.5) / rows - 0.5)
        z = ground.length * ((column + 0.5) / in_row - 0.5)
        frames.append((x, z, 0.0))
    return frames
