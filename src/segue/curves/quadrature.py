"""Where to sample an integral over time, and what each sample counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.typing import Array


class Quadrature(NamedTuple):
    """Sample times (T,), increasing, and weights (T,) whose sum is the length of the interval, both in s."""

    times: Array
    weights: Array

    def integrate(self, samples: npt.ArrayLike) -> Array:
        """Return the integral of samples (T, ...) over time."""
        values = np.asarray(samples, dtype=float)
        if values.shape[:1] != self.times.shape:
            raise ArgumentError(f"an integral over {len(self.times)} times needs as many samples, not {values.shape}")
        return np.tensordot(self.weights, values, axes=1)


def uniform(start: float, stop: float, count: int) -> Quadrature:
    """Return evenly spaced samples from start to stop, both included, with the weights of the trapezoidal rule."""
    _check(start, stop, count, 2)
    weights = np.full(count, (stop - start) / (count - 1))
    weights[[0, -1]] /= 2
    return Quadrature(np.linspace(start, stop, count), weights)


def midpoints(start: float, stop: float, count: int) -> Quadrature:
    """Return the middles of equal parts of an interval; right for cyclic motions, where no sample counts twice."""
    _check(start, stop, count, 1)
    step = (stop - start) / count
    times: Array = start + step * (np.arange(count, dtype=float) + 0.5)
    return Quadrature(times, np.full(count, step))


def gauss_legendre(breaks: npt.ArrayLike, points: int = 3) -> Quadrature:
    """Return Gauss-Legendre points on each piece between breaks: exact for polynomials of degree 2 points - 1.

    For an integral over a spline motion the breaks are those of the spline, between which everything is smooth.
    """
    edges = np.asarray(breaks, dtype=float)
    if edges.ndim != 1 or len(edges) < 2 or not np.all(np.isfinite(edges)) or not np.all(np.diff(edges) > 0):
        raise ArgumentError("breaks must be at least two finite numbers that increase")
    if points < 1:
        raise ArgumentError(f"Gauss-Legendre quadrature needs at least one point a piece, not {points}")
    nodes, weights = np.polynomial.legendre.leggauss(points)
    half = np.diff(edges)[:, None] / 2
    middle = (edges[:-1] + edges[1:])[:, None] / 2
    return Quadrature((middle + half * nodes).ravel(), (half * weights).ravel())


def _check(start: float, stop: float, count: int, least: int) -> None:
    if not (np.isfinite(start) and np.isfinite(stop) and start < stop):
        raise ArgumentError(f"an interval must start before it stops, but it goes from {start:g} to {stop:g}")
    if count < least:
        raise ArgumentError(f"this quadrature needs at least {least} samples, not {count}")
