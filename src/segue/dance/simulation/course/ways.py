"""Ways of least jerk from a point to another by way of others: what a foot in the air goes along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.polynomial import polyder

from segue.dance.simulation.course.polynomial import Quintic, ease
from segue.typing import Array

_SHARES = np.linspace(0.0, 1.0, 401)
_EASED = ease(_SHARES)


@dataclass(frozen=True, eq=False)
class Way:
    """Quintic pieces in order of time, that meet smoothly."""

    pieces: tuple[Quintic, ...]

    @classmethod
    def past(cls, start: float, stop: float, first: Array, points: Sequence[Array], last: Array) -> Way:
        """Return the way from position, velocity and acceleration first (3, K) to rest at last (K,), past points.

        start, stop: s. A point is passed when who goes straight, from rest to rest, would have gone as far. Of all ways
        with that timing it is the one of least jerk [Flash1985]: a quintic spline.
        """
        rest = np.zeros_like(last)
        if not points:
            return cls((Quintic.between(start, stop, first, np.stack([last, rest, rest])),))
        places = np.array([first[0], *points, last])
        gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
        times = start + (stop - start) * np.interp(gone / gone[-1], _EASED, _SHARES)
        times[[0, -1]] = start, stop
        return cls(_joined(times, places, first[1:], np.stack([rest, rest])))

    @property
    def start(self) -> float:
        """When it begins, s."""
        return self.pieces[0].start

    @property
    def stop(self) -> float:
        """When it ends, s."""
        return self.pieces[-1].stop

    def at(self, time: float) -> Array:
        """Return position, velocity and acceleration (3, K) at a time."""
        for piece in self.pieces[:-1]:
            if time < piece.stop:
                return piece.at(time)
        return self.pieces[-1].at(time)


def _joined(times: Array, places: Array, leaving: Array, arriving: Array) -> tuple[Quintic, ...]:
    """Return the quintic spline through places (G, K) at times (G,); velocity and acceleration (2, K) at both ends.

    Where two pieces meet, all derivatives but the fifth are the same: so no other way has less jerk.
    """
    pieces, lasting = len(times) - 1, np.diff(times)
    rows, right = np.zeros((6 * pieces, 6 * pieces)), np.zeros((6 * pieces, places.shape[1]))
    rows[:2, :6], right[:2] = _derivatives(0.0)[1:3], leaving
    rows[2:4, -6:], right[2:4] = _derivatives(lasting[-1])[1:3], arriving
    at = 4
    for k in range(pieces):
        own = slice(6 * k, 6 * k + 6)
        begins, ends = _derivatives(0.0), _derivatives(lasting[k])
        rows[at, own], rows[at + 1, own], right[at : at + 2] = begins[0], ends[0], places[k : k + 2]
        at += 2
        if k + 1 < pieces:
            rows[at : at + 4, own] = ends[1:]
            rows[at : at + 4, 6 * k + 6 : 6 * k + 12] = -begins[1:]
            at += 4
    coefficients = np.linalg.solve(rows, right).reshape(pieces, 6, -1)
    return tuple(Quintic(float(times[k]), float(times[k + 1]), coefficients[k]) for k in range(pieces))


def _derivatives(time: float) -> Array:
    """Return value and four derivatives of each power of time, (5, 6)."""
    powers: Array = time ** np.arange(6.0)
    rows = np.zeros((5, 6))
    for order in range(5):
        factors = polyder(np.eye(6), order, axis=0) if order else np.eye(6)
        rows[order] = powers[: 6 - order] @ factors
    return rows
