"""Find the ground under a motion: from where feet rest and bear the body, and from where they pass.

A resting foot shows the height of the ground under it. A foot that passes shows that the ground is not higher there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np

from segue.body.figure import Figure
from segue.curves import quaternion
from segue.motion.box import Box
from segue.motion.contacts import TOUCHING, find_contacts
from segue.motion.ground import Ground
from segue.motion.interval import TINY
from segue.motion.motion import Motion, gaps
from segue.typing import Array, Flags

_FPS = 60.0
_SHORTEST = 0.2  # s of motion in which rests are looked for
_POINTS = ("heel", "ball", "toe_tip")
_FEET = ("left", "right")
_FLAT = 0.07  # m by which heights of rests differ on level ground: soles are measured to a few centimetres
_LEVEL = 0.06  # m between the heights of two treads, at least
_LOWEST = 0.03  # m above the lowest point of its foot up to which a resting point carries
_BEARS = 0.1  # s for which no other foot may rest lower than a foot that bears the body
_HIPS = 0.36  # of stature by which hips are above a foot that bears the body; less, and something else may bear it
_BELOW = 0.35  # part of the rests that are lower than the ground
_PASSES = 0.025  # m below a tread at which a passing point shows that the tread does not reach there
_GROWTH = 1.0  # m by which treads reach beyond the feet that rest on them where nothing is known
_TOWARDS = 0.75  # part of the way to where points pass below that treads reach
_BESIDE = 0.3  # m beside a foot that its step reaches at least
_LEAST = 0.05  # m, size of a tread
_SAME = 1.5  # m between neighbours on one tread
_FINE = 0.02  # m to which passing points are rounded
_STEEP = math.tan(math.radians(3.0))  # of the least slope
_WAY = 1.0  # m that feet must go up or down a slope
_NARROW = 0.15  # part of the way on which feet go that they must be apart across it
_PLANE = 0.03  # m that rests may be away from a slope


@dataclass(frozen=True, eq=False)
class _Rest:
    """A point of a foot at rest, bearing the body: where, (3,) in m, and for how many seconds."""

    point: str
    place: Array
    seconds: float


def find_ground(motion: Motion) -> Ground:
    """Return the ground under a motion, level at 0 where no foot rests on anything."""
    rests: list[_Rest] = []
    passing = [np.zeros((0, 3))]
    for times in _whole_stretches(motion):
        state = motion.at(times)
        figure = motion.figure
        positions, rotations = figure.forward(state)
        soles = _sole_points(figure, positions, rotations)
        rests += _bearing_rests(times, soles, positions[:, 0, 1], figure.stature)
        # toes are bent by too little or too much where they stand out over an edge
        passing.append(np.concatenate([track for name, track in soles.items() if not name.endswith("toe_tip")]))
    if not rests:
        return Ground(found=True)
    passing += [rest.place[None] for rest in rests]
    places, weights = np.array([rest.place for rest in rests]), np.array([rest.seconds for rest in rests])
    base = _height(places[:, 1], weights)
    if np.ptp(places[:, 1]) <= _FLAT:
        return Ground((base, 0.0, 0.0), found=True)
    plane, off = _fitted_plane(places, weights)
    steepness = math.hypot(plane[1], plane[2])
    uphill = places[:, [0, 2]] @ np.array(plane[1:]) / max(steepness, TINY)
    if steepness > _STEEP and off < _PLANE and np.ptp(uphill) > _WAY:
        return Ground(plane, found=True)
    levels = _levels(places[:, 1], weights)
    if len(levels) == 1:
        return Ground((levels[0][0], 0.0, 0.0), found=True)
    heading = math.atan2(plane[1], plane[2])
    passed = np.concatenate(passing)
    boxes = [
        box
        for height, members in levels[1:]
        for box in _treads(height, [rests[k] for k in members], passed, heading, levels[0][0])
    ]
    level = Ground.boxes(boxes, levels[0][0])
    return Ground(level.plane, level.faces, found=True)


def _whole_stretches(motion: Motion) -> Iterator[Array]:
    """Yield even times, (T,), of each stretch in which the whole body is defined."""
    if not motion.tracks.is_full_body:
        return
    rate = min(motion.fps, _FPS)
    start = motion.start
    for gap_start, gap_stop in [*((gap.start, gap.stop) for gap in gaps(motion)), (motion.stop, motion.stop)]:
        if gap_start - start > max(_SHORTEST, 2.0 / rate):
            count = int((gap_start - start - 2 * TINY) * rate)
            yield start + TINY + np.arange(count + 1) / rate
        start = max(start, gap_stop)


def _sole_points(figure: Figure, positions: Array, rotations: Array) -> dict[str, Array]:
    """Return the points under the feet, (T, 3) by name, for frames of all segments."""
    names = [f"{foot}_{point}" for foot in _FEET for point in _POINTS]
    segments, places = figure.places(names)
    return {
        name: positions[:, s] + quaternion.rotate(rotations[:, s], place)
        for name, s, place in zip(names, segments, places, strict=True)
    }


def _bearing_rests(times: Array, soles: dict[str, Array], hips: Array, stature: float) -> list[_Rest]:
    """Return where points under the feet rest and bear the body.

    hips: (T,) their height in m. A foot that is held still in the air never bears the body: another one does.
    """
    dt = float(times[1] - times[0])
    contacts = find_contacts(times, soles, stature, strictness=TOUCHING._replace(reach=math.inf))
    frames = [slice(round((c.start - times[0]) / dt), round((c.stop - times[0]) / dt) + 1) for c in contacts]
    resting = {foot: np.full(len(times), np.inf) for foot in _FEET}
    lowest = {foot: np.min([soles[f"{foot}_{point}"][:, 1] for point in _POINTS], axis=0) for foot in _FEET}
    for contact, own in zip(contacts, frames, strict=True):
        foot = contact.point.partition("_")[0]
        resting[foot][own] = np.minimum(resting[foot][own], contact.position[1])
    found = []
    for contact, own in zip(contacts, frames, strict=True):
        foot, height = contact.point.partition("_")[0], float(contact.position[1])
        other = _FEET[1 - _FEET.index(foot)]
        if height > median(lowest[foot][own].tolist()) + _LOWEST:
            continue
        alone: Flags = (resting[other][own] > height - _LEVEL) & (hips[own] - height > _HIPS * stature)
        if alone.sum() * dt >= _BEARS:
            found.append(_Rest(contact.point, contact.position, contact.duration))
    return found


def _fitted_plane(places: Array, weights: Array) -> tuple[tuple[float, float, float], float]:
    """Return the plane through places (N, 3) by least squares, and the greatest distance in m from it.

    Feet that walk straight on show nothing of how the ground slopes across their way: level, then.
    """
    middle = weights @ places / weights.sum()
    scale, apart = np.sqrt(weights), places - middle
    slopes = np.linalg.lstsq(scale[:, None] * apart[:, [0, 2]], scale * apart[:, 1], rcond=_NARROW)[0]
    off = float(np.abs(apart[:, [0, 2]] @ slopes - apart[:, 1]).max())
    height = middle[1] - slopes @ middle[[0, 2]]
    return (float(height), float(slopes[0]), float(slopes[1])), off


def _levels(heights: Array, weights: Array) -> list[tuple[float, list[int]]]:
    """Return the heights of treads in m, the lowest first, and which of the heights (N,) belong to each."""
    order = np.argsort(heights, kind="stable")
    edges = np.flatnonzero(np.diff(heights[order]) > _LEVEL)
    return [(_height(heights[members], weights[members]), members.tolist()) for members in np.split(order, edges + 1)]


def _treads(height: float, rests: list[_Rest], passing: Array, heading: float, base: float) -> list[Box]:
    """Return boxes under the rests of one level, in m; height: about that of their tops.

    passing: (M, 3) all points under the feet at all times. heading: of the boxes. base: height they stand on.
    """
    turn = np.array([[math.cos(heading), -math.sin(heading)], [math.sin(heading), math.cos(heading)]])
    own = np.array([rest.place for rest in rests])[:, [0, 2]] @ turn.T
    below = _cells(passing[passing[:, 1] < height - _PASSES][:, [0, 2]] @ turn.T)
    boxes = []
    balls = np.array([rest.point.endswith("ball") for rest in rests])
    for group in _groups(own, balls, below):
        members = [rests[k] for k in group]
        if not balls[group].any():
            continue  # a heel or toes that stand out over an edge
        top = _height(np.array([r.place[1] for r in members]), np.array([r.seconds for r in members]))
        low, high = _grown(own[group].min(axis=0), own[group].max(axis=0), below)
        x, z = turn.T @ (0.5 * (low + high))
        size = (float(high[0] - low[0]), top - base, float(high[1] - low[1]))
        boxes.append(Box((float(x), 0.5 * (top + base), float(z)), size, heading))
    return boxes


def _cells(points: Array) -> Array:
    """Return points (M, 2) rounded to `_FINE`, each once, by their second coordinate; each column is contiguous."""
    cells = np.round(points / _FINE).astype(np.int64)
    if not len(cells):
        return np.zeros((0, 2))
    least = cells.min(axis=0)
    width = int(np.ptp(cells[:, 0])) + 1
    # a cell as one number: rows of numbers take ten times as long to sort
    rows, columns = np.divmod(np.unique((cells[:, 1] - least[1]) * width + cells[:, 0] - least[0]), width)
    return np.array([columns + least[0], rows + least[1]]).T * _FINE


def _groups(own: Array, balls: Flags, below: Array) -> list[list[int]]:
    """Return which of the places (N, 2) share a tread: no point passes below the rectangle around them.

    balls: (N,) which places are those of the ball of a foot. They are joined first, and the nearest ones first: heels
    and toes may stand out over the edge of a tread. below: (M, 2) where points pass below, as from `_cells`.
    """
    groups = [[k] for k in range(len(own))]
    corners = [(x, z, x, z) for x, z in own.tolist()]
    apart = np.linalg.norm(own[:, None] - own[None], axis=2)
    a, b = np.nonzero(np.tril(apart < _SAME, -1))
    order = np.lexsort((apart[a, b], ~(balls[a] & balls[b])))
    for one, other in zip(a[order].tolist(), b[order].tolist(), strict=True):
        if groups[one] is groups[other]:
            continue
        (left, back, right, front), (x, z, far_x, far_z) = corners[one], corners[other]
        around = min(left, x), min(back, z), max(right, far_x), max(front, far_z)
        if not _any_inside(below, *around):
            both = groups[one] + groups[other]
            for k in both:
                groups[k], corners[k] = both, around
    return [group for k, group in enumerate(groups) if k == min(group)]


def _any_inside(points: Array, left: float, back: float, right: float, front: float) -> bool:
    """Return whether any of the points, from `_cells`, is in a rectangle, or beside it: steps are wider than feet."""
    first, last = points[:, 1].searchsorted(back, "right"), points[:, 1].searchsorted(front, "left")
    across = points[first:last, 0]
    return bool(((across > left - _BESIDE) & (across < right + _BESIDE)).any())


def _grown(low: Array, high: Array, below: Array) -> tuple[Array, Array]:
    """Return the corners (2,) of a rectangle that grew on all sides, towards points (M, 2) that pass below it."""
    low, high = low.copy(), high.copy()
    for axis in (1, 0):  # along the steps first, which are short that way
        other = 1 - axis
        aside = _BESIDE if axis == 1 else 0.0
        strip = below[(below[:, other] > low[other] - aside) & (below[:, other] < high[other] + aside), axis]
        after, before = strip[strip >= high[axis]] - high[axis], low[axis] - strip[strip <= low[axis]]
        high[axis] += min(_GROWTH, _TOWARDS * float(after.min(initial=np.inf)))
        low[axis] -= min(_GROWTH, _TOWARDS * float(before.min(initial=np.inf)))
    # a single point has no size
    flat = np.maximum(_LEAST - (high - low), 0.0)
    return low - 0.5 * flat, high + 0.5 * flat


def _height(values: Array, weights: Array) -> float:
    """Return the height at which feet rest: lower than half of them, so that few are below it and none by much."""
    order = np.argsort(values, kind="stable")
    share = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(share, _BELOW * share[-1])])
