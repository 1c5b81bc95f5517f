"""Foot slide, penetration and sink: how far soles travel over the floor and below it while they bear the body.

A person's hips drop or rise over a foot that stays where it is. Only a file lowers both at once, for example where
clips of unlike height were joined. A shift of 0.1 s is fitted to the heights of pelvis, torso and head beside a cubic,
and to the height of a sole that otherwise rests. The sink is what all of them share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from segue.body.layout import side_of
from segue.curves.sampled import differentiated, runs, trimmed
from segue.dynamics import GRAVITY
from segue.motion.ground import Ground
from segue.typing import Array, Flags

_AROUND = 0.15  # s before and after a slide in which its acceleration shows
_LANDING = 0.05  # s before and after a contact or a flight: the foot moves, and bears weight already
_LEAST_DRAG = 0.1  # s
_SOLE = 0.02  # m: points of one foot that are no further above the lower one touch the floor together
_SHARED = 0.1  # of the slide's acceleration, squared: above in shoved bodies, below where people drag a foot


@dataclass(frozen=True)
class PlantedFoot:
    """One point while planted, from start to stop in s.

    slide: largest distance over the floor from where it was put down, m. path: length of its path over the floor, m.
    with_body: whether the body slides too. People drag a foot under a body that stays where it is; where both go
    together, nothing holds the body up but the file.
    """

    point: str
    start: float
    stop: float
    slide: float
    path: float
    with_body: bool = True


@dataclass(frozen=True)
class Slide:
    """How planted feet slide. worst: where most; None if no foot was ever planted. speed: mean of all, m/s."""

    planted: tuple[PlantedFoot, ...]
    worst: PlantedFoot | None
    speed: float

    @property
    def largest(self) -> float:
        """The largest slide, m."""
        return self.worst.slide if self.worst else 0.0

    def worst_of(self, *, with_body: bool) -> PlantedFoot | None:
        """Return the largest slide together with the body, or the largest drag of a foot alone."""
        return max((f for f in self.planted if f.with_body == with_body), key=lambda f: f.slide, default=None)


def foot_slide(
    times: Array,
    points: Mapping[str, Array],
    planted: Mapping[str, Flags],
    chosen: Flags,
    centre_of_mass: Array | None = None,
) -> Slide:
    """Return how far planted points slide within the chosen frames.

    times: (T,) s. points: (T, 3) m, Y up. planted: (T,) for each point, whether it is. chosen: (T,) which frames count.
    centre_of_mass: (T, 3) m, to find whether the body slides too; without it every slide counts as the body's.
    A slide is what the sole does under the point: a foot that turns on the spot, as in a pivot, does not slide.
    """
    slips = sole_slips(times, points, planted)
    feet = []
    for point in points:
        for first, stop in runs(planted[point] & chosen):
            if stop - first < 2:
                continue
            moved = (
                0.5
                * np.diff(times[first:stop])[:, None]
                * (slips[point][first : stop - 1] + slips[point][first + 1 : stop])
            )
            way = np.cumsum(moved, axis=0)
            away, path = np.linalg.norm(way, axis=1), np.linalg.norm(moved, axis=1)
            begin, end, slid = float(times[first]), float(times[stop - 1]), float(away.max())
            shared = centre_of_mass is None or _is_shared(times, way, first, centre_of_mass)
            feet.append(PlantedFoot(point, begin, end, slid, float(path.sum()), shared))
    seconds = sum(foot.stop - foot.start for foot in feet)
    return Slide(
        planted=tuple(feet),
        worst=max(feet, key=lambda foot: foot.slide, default=None),
        speed=sum(foot.path for foot in feet) / seconds if feet else 0.0,
    )


def _is_shared(times: Array, way: Array, first: int, centre_of_mass: Array) -> bool:
    """Return whether the centre of mass (T, 3) accelerates with a slide (K, 2) that begins in frame `first`.

    If it does, its acceleration is much smaller once that of the slide is taken away.
    """
    dt = float(times[1] - times[0])
    slid = np.zeros((len(times), 2))
    slid[first + 1 : first + 1 + len(way)] = way
    slid[first + 1 + len(way) :] = way[-1]
    reach = round(_AROUND / dt)
    near = slice(max(first - 2 * reach, 0), first + len(way) + 1 + 2 * reach)
    inside = slice(max(first - reach, 0) - near.start, first + len(way) + 1 + reach - near.start)
    of_slide, of_body = (differentiated(p[near], dt, 2)[inside] for p in (slid, centre_of_mass[:, [0, 2]]))
    size = (of_slide**2).sum()
    return bool(size > 0 and (of_body**2).sum() - ((of_body - of_slide) ** 2).sum() > _SHARED * size)


def sole_slips(times: Array, points: Mapping[str, Array], planted: Mapping[str, Flags]) -> dict[str, Array]:
    """Return (T, 2) the velocity over the floor of the sole under each point, m/s.

    While both points of a foot are planted, it is the least velocity of anything on the line between them.
    """
    dt = float(times[1] - times[0]) if len(times) > 1 else 1.0
    own = {point: differentiated(track[:, [0, 2]], dt, 1) for point, track in points.items()}
    slips = dict(own)
    for point in points:
        for other in points:
            if other != point and side_of(other) == side_of(point):
                both = (planted[point] & planted[other])[:, None]
                slips[point] = np.where(both, _nearest_to_zero(own[point], own[other]), slips[point])
    return slips


def _nearest_to_zero(a: Array, b: Array) -> Array:
    """Return for each row the vector of least length on the line from a to b."""
    along = b - a
    square = np.maximum((along**2).sum(axis=1), 1e-30)
    share = np.clip(-(a * along).sum(axis=1) / square, 0.0, 1.0)
    nearest: Array = a + share[:, None] * along
    return nearest


def dragged_points(
    times: Array, points: Mapping[str, Array], centre_of_mass: Array, carried: Flags, aloft: Flags
) -> dict[str, Flags]:
    """Return for each point (T,) whether it bears the body without being in one place, as under a body that glides.

    If nothing is planted (not `carried`), the body is not in the air (`aloft`) and its centre of mass does not fall
    either, only its lower foot can carry it.
    """
    dragged = {point: np.zeros(len(times), dtype=bool) for point in points}
    if len(times) < 2:
        return dragged
    dt = float(times[1] - times[0])
    falling = differentiated(centre_of_mass[:, 1], dt, 2) < 0.5 * GRAVITY[1]
    bearing = trimmed(~carried & ~aloft & ~falling, round(_LANDING / dt))
    for first, stop in runs(bearing):
        if (stop - first) * dt < _LEAST_DRAG:
            bearing[first:stop] = False
    heights = {point: track[:, 1] for point, track in points.items()}
    lowest = np.min(list(heights.values()), axis=0)
    lower_side = np.argmin(list(heights.values()), axis=0)
    sides = [side_of(point) for point in points]
    for point, height in heights.items():
        own = np.array([side == side_of(point) for side in sides])[lower_side]
        dragged[point] = bearing & own & (height <= lowest + _SOLE)
    return dragged


_RAMP = 0.1  # s that the shift takes
_SPAN = 0.15  # s on either side over which the body's heights are fitted
_REST = 0.12  # s on either side over which the sole must rest
_STILL = 0.01  # m by which a resting sole's height may differ from level, shift, level
_LEVEL = 0.025  # m that a resting sole may move over the floor
_DEGREE = 3
_BELOW_TREAD = 0.12  # m below a found tread from which on a foot stands beside it, or before it was there


@dataclass(frozen=True)
class Penetration:
    """The point deepest below the ground: depth in m, name, time in s, and the height of the ground there in m.

    depth is 0, and the others are None, if no point is below the ground.
    """

    depth: float = 0.0
    point: str | None = None
    time: float | None = None
    ground: float | None = None


@dataclass(frozen=True)
class Sink:
    """The largest shift of the whole body with its foot: m (negative: down), which sole, and when."""

    shift: float = 0.0
    point: str | None = None
    time: float | None = None


def ground_penetration(times: Array, points: Mapping[str, Array], ground: Ground, chosen: Flags) -> Penetration:
    """Return how deep the points (T, 3) go below the ground in the chosen frames, at most.

    A tread that was found and that a foot passes far below is not there at that time, such as a box that was carried
    away. The point is then measured against the plane.
    """
    depths = np.array([-ground.above(track[chosen]) for track in points.values()])
    if ground.found:
        plane = Ground(ground.plane)
        for depth, track in zip(depths, points.values(), strict=True):
            for first, stop in runs(depth > 0):
                if depth[first:stop].max() > _BELOW_TREAD:
                    depth[first:stop] = -plane.above(track[chosen][first:stop])
    point, frame = (int(k) for k in np.unravel_index(depths.argmax(), depths.shape))
    depth, (name, track) = float(depths[point, frame]), list(points.items())[point]
    if depth <= 0:
        return Penetration()
    return Penetration(depth, name, float(times[chosen][frame]), float(track[chosen][frame, 1]) + depth)


def body_sink(times: Array, soles: Mapping[str, Array], body: Mapping[str, Array], chosen: Flags) -> Sink:
    """Return the largest shift in the chosen frames.

    soles: (T, 3) points under the feet, m, Y up. body: (T, 3) points such as pelvis and head.
    """
    if len(times) < 2:
        return Sink()
    dt = float(times[1] - times[0])
    wide, narrow = max(round(_SPAN / dt), _DEGREE + 1), max(round(_REST / dt), 3)
    frames = len(times) - 2 * wide
    if frames < 1:
        return Sink()
    moved = np.array([_shifts(track[:, 1], dt, wide, _DEGREE)[0] for track in body.values()])
    rested = []
    for track in soles.values():
        near = slice(wide - narrow, len(times) - wide + narrow)
        shift, residual = _shifts(track[near, 1], dt, narrow, 0)
        spread = np.ptp(sliding_window_view(track[near][:, [0, 2]], 2 * narrow + 1, axis=0), axis=2)
        rests = (residual < _STILL) & (np.linalg.norm(spread, axis=1) < _LEVEL)
        rested.append(np.where(rests, shift, 0.0))
    best = Sink()
    inside = chosen[wide : len(times) - wide]
    for sign in (-1.0, 1.0):
        shared = np.minimum(sign * np.array(rested), (sign * moved).min(axis=0))
        shared = np.where(inside, shared, 0.0)
        sole, frame = (int(k) for k in np.unravel_index(shared.argmax(), shared.shape))
        if shared[sole, frame] > abs(best.shift):
            best = Sink(sign * float(shared[sole, frame]), list(soles)[sole], float(times[frame + wide]))
    return best


def _shifts(heights: Array, dt: float, reach: int, degree: int) -> tuple[Array, Array]:
    """Return for each frame with `reach` frames on either side the fitted shift, and the largest residual, m.

    A polynomial of the given degree and a smooth step are fitted to the heights (T,) together.
    """
    since = np.arange(-reach, reach + 1) * dt
    along = np.clip(since / _RAMP + 0.5, 0.0, 1.0)
    powers = [(since / (reach * dt)) ** power for power in range(degree + 1)]
    basis = np.stack([*powers, along**2 * (3.0 - 2.0 * along)], axis=1)
    fit = np.linalg.pinv(basis)
    windows = sliding_window_view(heights, 2 * reach + 1)
    weights = windows @ fit.T
    residual: Array = np.abs(windows - weights @ basis.T).max(axis=1)
    return weights[:, -1], residual
