"""Subdivision: where a path needs more variable frames, and how many."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from segue.checks import integer
from segue.errors import ArgumentError
from segue.spacetime.metric import metric_of
from segue.spacetime.path import DynamicSpline, Samples, Sampling
from segue.spacetime.terms.term import HasResidual, TermSum
from segue.typing import Array

Measure = Callable[[DynamicSpline, Sampling], Array]
"""Takes a path and a sampling of it, and returns (S,): how badly the path satisfies its objective at each sample."""

_POINTS = 4
"""Samples a piece at which residuals are looked at."""
_SHORTEST = 1e-3
"""Part of the whole duration below which a piece is not cut."""


@dataclass(frozen=True)
class Subdivision(ABC):
    """A rule by which variable frames are added after each descent; rounds: how often at most; points: how many."""

    rounds: int = 1
    points: int = 1

    def __post_init__(self) -> None:
        integer("the number of rounds of subdivision", self.rounds, least=0)
        integer("the number of points of subdivision", self.points, least=1)

    @abstractmethod
    def places(self, path: DynamicSpline, objective: TermSum) -> Array:
        """Return the times at which frames are to be added to a path that has come to rest; none where it is good."""


@dataclass(frozen=True)
class Everywhere(Subdivision):
    """Subdivision of every piece, points: into how many more than one."""

    def places(self, path: DynamicSpline, objective: TermSum) -> Array:
        """Return times that cut each piece into equal parts."""
        return inner_times(path.times, self.points)


@dataclass(frozen=True)
class Adaptive(Subdivision):
    """Subdivision where the path is badly approximated: at the middle of the worst pieces, section 2 of
    [Ramamoorthi1997].

    points: how many at most in a round. threshold: a piece is cut where its residual is more than this part of the
    worst one's. measure: the residual; by default that of the penalties which have one. If no penalty has one, it is
    how much a frame in each piece would change the path: the correction to which the Euler-Lagrange residual in the
    weak form of equation 27 leads.
    """

    points: int = 2
    threshold: float = 0.1
    measure: Measure | None = None

    def places(self, path: DynamicSpline, objective: TermSum) -> Array:
        """Return the middles of the worst pieces."""
        residuals = piece_residuals(path, objective, self.measure)
        lengths = np.diff(path.times)
        residuals[lengths < _SHORTEST * lengths.sum()] = 0.0
        worst = np.argsort(-residuals, kind="stable")[: self.points]
        worst = worst[residuals[worst] > self.threshold * residuals.max()]
        middles: Array = 0.5 * (path.times[worst] + path.times[worst + 1])
        return np.sort(middles)


def inner_times(times: Array, points: int) -> Array:
    """Return so many times between each two, evenly spaced."""
    if points < 0:
        raise ArgumentError(f"{points} variable frames are asked for between two: it must be 0 or more")
    parts = np.arange(1, points + 1) / (points + 1)
    inner: Array = times[:-1, None] + np.diff(times)[:, None] * parts
    return inner.ravel()


def piece_residuals(path: DynamicSpline, objective: TermSum, measure: Measure | None = None) -> Array:
    """Return the integral (M - 1,) of the residual over each piece of a path; see `Adaptive`."""
    if measure is not None:
        sampling = path.sampling(_POINTS)
        density = measure(path, sampling)
    elif any(isinstance(term, HasResidual) for term in objective.terms):
        sampling = path.sampling(_POINTS)
        density = _local(objective, path.samples(sampling))
    else:
        return _corrections(path, objective)
    return _by_piece(sampling, density, len(path.times) - 1)


def _local(objective: TermSum, samples: Samples) -> Array:
    total = np.zeros(len(samples.times))
    for term, factor in zip(objective.terms, objective.factors, strict=True):
        if isinstance(term, HasResidual):
            total += factor * term.residual(samples)
    return total


def _corrections(path: DynamicSpline, objective: TermSum) -> Array:
    """Return how much the objective would gain in each piece from a frame at its middle, to second order."""
    middles = 0.5 * (path.times[:-1] + path.times[1:])
    finer = path.with_frames_at(middles)
    sampling = finer.sampling(_POINTS)
    samples = finer.samples(sampling)
    curvatures = objective.curvatures(samples)
    gradient = finer.gradient(sampling, objective.evaluate(samples)[1])
    correction = np.zeros_like(finer.coefficients)
    correction[finer.variable] = metric_of(finer, sampling, samples, curvatures)(gradient)
    change = sampling.samples(finer.space.coefficients(correction))
    orders = np.stack([part.T for part in change[2:]])  # (4, D, S)
    density = np.zeros(orders.shape[2])
    for curvature in curvatures:
        if curvature.ndim == 3:
            density += (curvature * orders**2).sum(axis=(0, 1))
        else:
            part = orders[: len(curvature)]
            density += np.einsum("ids,idjes,jes->s", part, curvature, part)
    if not curvatures:
        density = samples.weights * (change.acceleration**2).sum(axis=1)
    halves = density.reshape(len(middles), 2 * _POINTS)
    gains: Array = halves.sum(axis=1)
    return gains


def _by_piece(sampling: Sampling, density: Array, pieces: int) -> Array:
    integrals: Array = (sampling.quadrature.weights * density).reshape(pieces, _POINTS).sum(axis=1)
    return integrals
