"""Sample times and weights of integrals over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue import checks
from segue.typing import Array


class Quadrature(NamedTuple):
    """Sample times (T,), increasing, and weights (T,) whose sum is the length of the interval, both in s."""

    times: Array
    weights: Array


def uniform(start: float, stop: float, count: int) -> Quadrature:
    """Return evenly spaced samples from start to stop, both included, with the weights of the trapezoidal rule."""
    checks.integer("the number of samples", count, least=2)
    checks.times("the ends of an interval", (start, stop))
    weights = np.full(count, (stop - start) / (count - 1))
    weights[[0, -1]] /= 2
    return Quadrature(np.linspace(start, stop, count), weights)


def gauss_legendre(breaks: npt.ArrayLike, points: int = 3) -> Quadrature:
    """Return Gauss-Legendre points on each piece between breaks: exact for polynomials of degree 2 points - 1.

    For an integral over a spline motion the breaks are those of the spline, between which everything is smooth.
    """
    edges = checks.times("the breaks of a quadrature", breaks, least=2)
    checks.integer("the number of points in a piece", points, least=1)
    nodes, weights = np.polynomial.legendre.leggauss(points)
    half = np.diff(edges)[:, None] / 2
    middle = (edges[:-1] + edges[1:])[:, None] / 2
    return Quadrature((middle + half * nodes).ravel(), (half * weights).ravel())
