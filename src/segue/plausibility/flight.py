"""Flight: while nothing carries the body, its centre of mass must fall freely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.curves.quaternion import Array
from segue.dynamics import GRAVITY
from segue.plausibility.derivatives import differentiated, window_frames
from segue.plausibility.planted import Flags, runs, trimmed

__all__ = ["Flight", "Flights", "ballistic_error"]

_TRIM = 0.04  # s after the last and before the next contact: feet still push, or already land
_LEAST = 0.08  # s of flight that is left then, for an acceleration to be measured
_JUDGED = 0.12  # s of flight that is left then, for its mean to be sure enough to judge by
_SPAN = 0.25  # s over which it is: a fall is one parabola, so that it may be longer than elsewhere


@dataclass(frozen=True)
class Flight:
    """One time without support, from start to stop in s.

    rms, largest: deviation from free fall in m/s^2. fall: mean acceleration downwards, m/s^2; 39 in place of 9.8, say,
    tells of a clip that is played at twice its speed.
    """

    start: float
    stop: float
    rms: float
    largest: float
    fall: float

    @property
    def error(self) -> float:
        """How far the mean fall is from gravity, m/s^2; 0 for flights that are too short to judge."""
        return abs(self.fall + GRAVITY[1]) if self.stop - self.start >= _JUDGED - 1e-6 else 0.0


@dataclass(frozen=True)
class Flights:
    """All flights long enough to measure. rms: over all their frames, m/s^2. worst: the flight of the largest error."""

    flights: tuple[Flight, ...]
    worst: Flight | None
    rms: float

    @property
    def seconds(self) -> float:
        """How long all of them last together."""
        return float(sum(flight.stop - flight.start for flight in self.flights))


def ballistic_error(times: Array, centre_of_mass: Array, aloft: Flags, chosen: Flags) -> Flights:
    """Return how far the centre of mass (T, 3) is from free fall where nothing supports it.

    aloft, chosen: (T,) whether nothing carries the body; which frames count. The acceleration is that of the cubic
    that fits a stretch of the flight best, no frame on the ground taking part in it. A flight at the very beginning or
    end of the motion counts too.
    """
    flights, squares = [], []
    if len(times) > 1:
        dt = float(times[1] - times[0])
        for first, stop in runs(trimmed(aloft, round(_TRIM / dt))):
            fall = centre_of_mass[first:stop]
            if not window_frames(dt, len(fall), _SPAN) or (stop - 1 - first) * dt < _LEAST - 1e-9:
                continue
            inside = chosen[first:stop]
            if not inside.any():
                continue
            found = differentiated(fall, dt, 2, _SPAN)[inside]
            at = times[first:stop][inside]
            away = ((found - np.array(GRAVITY)) ** 2).sum(axis=1)
            flights.append(
                Flight(
                    start=float(at[0]),
                    stop=float(at[-1]),
                    rms=float(np.sqrt(away.mean())),
                    largest=float(np.sqrt(away.max())),
                    fall=-float(found[:, 1].mean()),
                )
            )
            squares.append(away)
    return Flights(
        flights=tuple(flights),
        worst=max(flights, key=lambda flight: flight.error, default=None),
        rms=float(np.sqrt(np.mean(np.concatenate(squares)))) if squares else 0.0,
    )
