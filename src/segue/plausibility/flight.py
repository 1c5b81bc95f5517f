"""Flight: while nothing carries the body, its centre of mass must fall freely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.curves.sampled import differentiated, runs, window_frames
from segue.dynamics import GRAVITY
from segue.typing import Array, Flags

_TRIM = 0.04  # s after the last and before the next contact: feet still push, or already land
_LEAST = 0.15  # s of flight, for its fall to be sure enough to judge by
_FLOATING = 2.0  # m/s^2: people on obstacles that are not in the file seem to fall less
_SPAN = 0.25  # s over which it is: a fall is one parabola, so that it may be longer than elsewhere


@dataclass(frozen=True)
class Flight:
    """One time without support, from start to stop in s.

    rms, largest: deviation from free fall in m/s^2. fall: mean acceleration downwards, m/s^2.
    A clip that plays at twice its speed falls at 39 in place of 9.8.
    """

    start: float
    stop: float
    rms: float
    largest: float
    fall: float

    @property
    def error(self) -> float:
        """How far the mean fall is from gravity, m/s^2; 0 for a body that floats."""
        return 0.0 if self.floats else abs(self.fall + GRAVITY[1])

    @property
    def floats(self) -> bool:
        """Whether the body hardly falls, as on an obstacle that the file does not have."""
        return self.fall < _FLOATING


@dataclass(frozen=True)
class Flights:
    """All flights long enough to measure. rms: over all their frames, m/s^2. worst: the flight of the largest error."""

    flights: tuple[Flight, ...]
    worst: Flight | None
    rms: float

    @property
    def floating(self) -> Flight | None:
        """The longest time in which the body hardly falls and nothing carries it."""
        return max((f for f in self.flights if f.floats), key=lambda f: f.stop - f.start, default=None)

    @property
    def seconds(self) -> float:
        """How long all of them last together."""
        return float(sum(flight.stop - flight.start for flight in self.flights))


def ballistic_error(times: Array, centre_of_mass: Array, aloft: Flags, chosen: Flags) -> Flights:
    """Return how far the centre of mass (T, 3) is from free fall where nothing supports it.

    aloft, chosen: (T,) whether nothing carries the body; which frames count. The mean fall is that of the parabola that
    fits the whole flight best, the rest comes from cubics that fit parts of it. No frame on the ground takes part. A
    flight at the very beginning or end of the motion counts too.
    """
    flights, squares = [], []
    if len(times) > 1:
        dt = float(times[1] - times[0])
        for first, stop in runs(aloft):
            inside = chosen[first:stop]
            if stop - first < 4 or (stop - 1 - first) * dt < _LEAST - 1e-9 or not inside.any():
                continue
            fall = -2.0 * np.polyfit(np.arange(stop - first) * dt, centre_of_mass[first:stop, 1], 2)[0]
            low, high = _without_ends(first, stop, round(_TRIM / dt), len(times))
            if not window_frames(dt, high - low, _SPAN) or not chosen[low:high].any():
                low, high = first, stop
            found = differentiated(centre_of_mass[low:high], dt, 2, _SPAN)[chosen[low:high]]
            away = ((found - np.array(GRAVITY)) ** 2).sum(axis=1)
            at = times[first:stop][inside]
            flights.append(
                Flight(
                    start=float(at[0]),
                    stop=float(at[-1]),
                    rms=float(np.sqrt(away.mean())),
                    largest=float(np.sqrt(away.max())),
                    fall=float(fall),
                )
            )
            squares.append(away)
    return Flights(
        flights=tuple(flights),
        worst=max(flights, key=lambda flight: flight.error, default=None),
        rms=float(np.sqrt(np.mean(np.concatenate(squares)))) if squares else 0.0,
    )


def _without_ends(first: int, stop: int, frames: int, total: int) -> tuple[int, int]:
    """Return a flight without so many frames at either end, ends of the motion excepted."""
    return first + (frames if first > 0 else 0), stop - (frames if stop < total else 0)
