"""Foot slide: how far points under the feet travel over the floor while they bear the body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from segue.body.joints import side_of
from segue.curves.quaternion import Array
from segue.plausibility.derivatives import differentiated
from segue.plausibility.planted import Flags, runs

__all__ = ["PlantedFoot", "Slide", "foot_slide", "sole_slips"]


@dataclass(frozen=True)
class PlantedFoot:
    """One point while planted, from start to stop in s.

    slide: largest distance over the floor from where it was put down, m. path: length of its way over the floor, m.
    """

    point: str
    start: float
    stop: float
    slide: float
    path: float


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


def foot_slide(times: Array, points: Mapping[str, Array], planted: Mapping[str, Flags], chosen: Flags) -> Slide:
    """Return how far planted points slide within the chosen frames.

    times: (T,) s. points: (T, 3) m, Y up. planted: (T,) for each point, whether it is. chosen: (T,) which frames count.
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
            away, path = np.linalg.norm(np.cumsum(moved, axis=0), axis=1), np.linalg.norm(moved, axis=1)
            feet.append(
                PlantedFoot(point, float(times[first]), float(times[stop - 1]), float(away.max()), float(path.sum()))
            )
    seconds = sum(foot.stop - foot.start for foot in feet)
    return Slide(
        planted=tuple(feet),
        worst=max(feet, key=lambda foot: foot.slide, default=None),
        speed=sum(foot.path for foot in feet) / seconds if feet else 0.0,
    )


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
