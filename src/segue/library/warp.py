"""Warping: what stretches of clips do besides getting from one end to the other, put on the way across a gap.

The plain path between two ends mixes their values and velocities alone. A stretch departs from the plain path between
its own ends by what makes it alive; that departure, put on the plain path between the ends of the gap, meets both of
them in value and velocity. Departures of several stretches add up with weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from segue.body.figure import Poses
from segue.body.joints import BALL_JOINTS, HINGE_NAMES, mirror_name
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.library._warp_kernels import Departure, Mirror, add_departures, plain_turns
from segue.library.entry import RATE
from segue.library.moments import Moments
from segue.library.search import Query, Stretches

__all__ = ["warped"]

_SETTLING = 3.0
"""Frames in which joints lose the velocity that they have at the ends of a plain path; the root keeps going."""


def warped(shelves: Sequence[Moments], query: Query, stretches: Stretches, weights: Array) -> tuple[Poses, Array]:
    """Return the path across a gap with the weighted departures of stretches, and how much feet rest on it.

    Both are at times spread evenly over the gap, ends included; the latter is (T, 4) as in `stances_of`.
    """
    count = max(2, round(query.frames))
    times = np.arange(1, count) / count
    joints, root = _shapes(count, query.frames / _SETTLING), _shapes(count, 0.0)
    departure = _departure(shelves, stretches, weights, times, joints, root)
    duration = query.frames / RATE
    balls, hinges, place = query.ends.balls, query.ends.hinges, query.ends.root
    turning = quaternion.rotate(quaternion.conjugate(balls.value), duration * balls.velocity)
    turned = quaternion.multiply(plain_turns(joints, balls.value, turning), quaternion.exp(departure.balls))
    away = query.leg * departure.root
    cosine, sine = np.cos(query.heading), np.sin(query.heading)
    away = np.stack(
        [cosine * away[:, 0] + sine * away[:, 2], away[:, 1], cosine * away[:, 2] - sine * away[:, 0]], axis=1
    )
    path = Poses(
        _between(place.value, _plain_values(root, place.value, duration * place.velocity) + away),
        _between(balls.value, turned),
        _between(hinges.value, _plain_values(joints, hinges.value, duration * hinges.velocity) + departure.hinges),
    )
    rests = np.clip(departure.stances, 0.0, 1.0)
    return path, np.concatenate([rests[:1], rests, rests[-1:]])


def _departure(
    shelves: Sequence[Moments], stretches: Stretches, weights: Array, times: Array, joints: Array, root: Array
) -> Departure:
    """Return the weighted sum of what stretches depart from their plain paths by."""
    count = len(times)
    shapes = ((3,), (len(BALL_JOINTS), 3), (len(HINGE_NAMES),), (4,))
    out = Departure(*(np.zeros((count, *shape)) for shape in shapes))
    for number, moments in enumerate(shelves):
        own = stretches.shelf == number
        add_departures(
            *moments.poses,
            moments.rows.headings,
            moments.stances,
            stretches.start[own],
            stretches.span[own],
            stretches.mirrored[own],
            weights[own],
            times,
            joints,
            root,
            _mirror(),
            out,
        )
    return out


def _between(ends: Array, inside: Array) -> Array:
    return np.concatenate([ends[:1], inside, ends[1:]])


def _plain_values(shapes: Array, ends: Array, rates: Array) -> Array:
    """Return the plain path (U, n) between values (2, n) with rates (2, n) in the time from 0 to 1."""
    values: Array = shapes @ np.stack([ends[0], rates[0], ends[1], rates[1]])
    return values


@lru_cache(maxsize=128)
def _shapes(count: int, stiffness: float) -> Array:
    """Return the plain path's mixture of ends, (count - 1, 4), at times that divide it evenly.

    It is the path of least squared velocity plus squared acceleration, these in units of the time in which velocities
    settle, of which the path lasts `stiffness`; the cubic Hermite where that is 0.
    """
    u = np.arange(1, count) / count
    if stiffness == 0.0:
        rise = u**2 * (3.0 - 2.0 * u)
        return np.stack([1.0 - rise, u * (1.0 - u) ** 2, rise, -(u**2) * (1.0 - u)], axis=1)
    k = stiffness

    def basis(at: Array) -> Array:
        return np.stack([np.ones_like(at), at, np.exp(-k * at), np.exp(k * (at - 1.0))], axis=1)

    def slope(at: Array) -> Array:
        return np.stack([np.zeros_like(at), np.ones_like(at), -k * np.exp(-k * at), k * np.exp(k * (at - 1.0))], axis=1)

    start, stop = np.zeros(1), np.ones(1)
    conditions = np.concatenate([basis(start), slope(start), basis(stop), slope(stop)])
    return np.asarray(basis(u) @ np.linalg.inv(conditions))


@lru_cache(maxsize=1)
def _mirror() -> Mirror:
    return Mirror(
        *(np.array([names.index(mirror_name(name)) for name in names]) for names in (BALL_JOINTS, HINGE_NAMES))
    )
