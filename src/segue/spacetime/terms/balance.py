"""A body at rest must have its centre of mass above its feet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.spacetime.figure_motion import FigureBodies, FigureMotion, MotionGrad
from segue.spacetime.path import Samples
from segue.spacetime.terms.body import BodyTerm
from segue.spacetime.terms.feet import Plant, standing_strengths
from segue.typing import Array


class Balance(BodyTerm):
    """How far the centre of mass is, seen from above, from the hull of the points that stand, squared: m^2 s.

    While nothing stands, the term is zero. It is right for those who stand or move slowly: whoever walks or runs is
    falling most of the time, and should not have it.
    """

    name = "balance"

    def __init__(self, body: FigureBodies | Figure, plants: Sequence[Plant]) -> None:
        super().__init__(body)
        self.plants = tuple(plants)
        self.points = tuple(dict.fromkeys(plant.point for plant in plants))
        self._links, self._places = self.body.places(self.points)
        inertias = list(self.body.figure.inertias.values())
        masses = np.array([inertia.mass for inertia in inertias])
        self._heavy = self.body.figure.layout.segment_links
        self._shares = masses / masses.sum()
        self._centres = np.array([inertia.centre for inertia in inertias], dtype=float)

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the figure's motion to others."""
        apart, parts = self._apart(samples.times, motion)
        push = np.zeros((len(apart), 1, 3))
        push[:, 0, [0, 2]] = 2.0 * factor * samples.weights[:, None] * apart
        by_masses = push * self._shares[:, None]
        motion.backprop_points(grad, self._heavy, self._centres, by_masses, np.zeros_like(by_masses))
        # the nearest point of the hull moves with the points that it lies between, by their parts in it
        by_points = -push * parts[:, :, None]
        motion.backprop_points(grad, self._links, self._places, by_points, np.zeros_like(by_points))
        return float(samples.weights @ (apart**2).sum(axis=1))

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, 51, S): of coordinates that move the masses, out of balance."""
        motion = self.body.motion(samples)
        out = (self._apart(samples.times, motion)[0] != 0.0).any(axis=1)
        curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
        # the square of a sum with parts that are 1 together is at most the sum of squares with these parts
        strengths = np.multiply.outer(2.0 * samples.weights * out, self._shares)
        curvature[0] = motion.lever_arms_squared(self._heavy, self._centres, strengths)
        return curvature

    def residual(self, samples: Samples) -> Array:
        """Return the term before it is integrated, (S,)."""
        density: Array = (self._apart(samples.times, self.body.motion(samples))[0] ** 2).sum(axis=1)
        return density

    def _apart(self, times: Array, motion: FigureMotion) -> tuple[Array, Array]:
        """Return the way from hull to centre of mass (S, 2), and the points' parts in where it begins (S, P)."""
        centre = np.einsum("p,spi->si", self._shares, motion.points(self._heavy, self._centres)[0])[:, [0, 2]]
        places = motion.points(self._links, self._places)[0][:, :, [0, 2]]
        standing = standing_strengths(self.plants, self.points, times) > 0.0
        apart, parts = np.zeros_like(centre), np.zeros(standing.shape)
        for s in range(len(times)):
            which = np.flatnonzero(standing[s])
            if len(which):
                parts[s, which] = nearest_in_hull(places[s, which], centre[s])
                apart[s] = centre[s] - parts[s] @ places[s]
        return apart, parts


def nearest_in_hull(points: Array, target: Array) -> Array:
    """Return the parts (P,), none negative, 1 together, of points (P, 2) in the point of their hull nearest to one."""
    count = len(points)
    i, j = np.triu_indices(count) if count == 1 else np.triu_indices(count, 1)
    along = points[j] - points[i]
    square = np.maximum((along**2).sum(axis=1), 1e-18)
    share = np.clip(((target - points[i]) * along).sum(axis=1) / square, 0.0, 1.0)
    gaps = points[i] + share[:, None] * along - target
    best = int(np.argmin((gaps**2).sum(axis=1)))
    parts = np.zeros(count)
    parts[i[best]] += 1.0 - share[best]
    parts[j[best]] += share[best]
    if count < 3:
        return parts
    # inside exactly if some triangle holds it: no line has all points on its far side
    for k in range(1, count - 1):
        for m in range(k + 1, count):
            matrix = np.array([points[k] - points[0], points[m] - points[0]]).T
            if abs(np.linalg.det(matrix)) < 1e-12:
                continue
            b, c = np.linalg.solve(matrix, target - points[0])
            if b >= 0.0 and c >= 0.0 and b + c <= 1.0:
                inside = np.zeros(count)
                inside[[0, k, m]] = 1.0 - b - c, b, c
                return inside
    return parts
