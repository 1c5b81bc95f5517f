"""Terms on how the figure's bodies move: what all of them share, and several of them as one."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import comb
from typing import NamedTuple, Protocol

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.spacetime.figure_motion import FigureBodies, FigureMotion, MotionGrad, bodies_of
from segue.spacetime.path import Samples
from segue.spacetime.terms.term import HasCurvature, HasResidual, Term, Weighted
from segue.typing import Array


def check_of_figure(name: str, samples: Samples) -> None:
    """Raise ArgumentError where samples that a term is given are not of a path of the figure."""
    if samples.value.shape[1] != HUMAN.column_count:
        raise ArgumentError(
            f"the term '{name}' is for paths of the figure, which have {HUMAN.column_count} coordinates, "
            f"not {samples.value.shape[1]}"
        )


class BodyTerm(ABC):
    """A term that is a function of how the bodies of a figure move in the world."""

    name: str

    def __init__(self, body: FigureBodies | Figure) -> None:
        self.body = bodies_of(body)

    @abstractmethod
    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the figure's motion to others."""

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        check_of_figure(self.name, samples)
        motion = self.body.motion(samples)
        grad = motion.zero_gradient()
        value = self.add_gradient(samples, motion, grad, 1.0)
        return value, motion.gradient(grad, samples) if value > 0.0 else samples.zeros()

    @abstractmethod
    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives of the integral, (4, 51, S), of each coordinate alone."""


class CombinedBodyTerm(BodyTerm):
    """Several terms of one figure, weighted, as one: the way back from bodies to coordinates is gone once."""

    name = "figure"

    def __init__(self, body: FigureBodies, parts: Sequence[Weighted]) -> None:
        super().__init__(body)
        self.parts: list[tuple[BodyTerm, float]] = []
        for part in parts:
            if not isinstance(part.term, BodyTerm) or part.term.body is not body:
                raise ArgumentError(f"the term '{part.term.name}' is not of this figure: take it alone")
            self.parts.append((part.term, part.weight))

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the sum of the integrals, and add to the derivatives."""
        return sum(weight * part.add_gradient(samples, motion, grad, factor * weight) for part, weight in self.parts)

    def curvature(self, samples: Samples) -> Array:
        """Return the sum of what the parts have."""
        curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
        for part, weight in self.parts:
            curvature += weight * part.curvature(samples)
        return curvature

    def residual(self, samples: Samples) -> Array:
        """Return what the parts that are measured locally are before they are integrated, (S,)."""
        density = np.zeros(len(samples.times))
        for part, weight in self.parts:
            if isinstance(part, HasResidual):
                density += weight * part.residual(samples)
        return density


FOOT_POINTS = tuple(f"{side}_{point}" for side in ("left", "right") for point in ("heel", "ball", "toe_tip"))
"""The points of the soles."""


class PointCost(NamedTuple):
    """The cost of points per second, (S, P), and its derivatives by their positions and velocities, (S, P, 3)."""

    cost: Array
    by_position: Array
    by_velocity: Array


class PointTerm(BodyTerm):
    """A term that is a sum over named points of a function of position and velocity.

    order: of which derivative it is a square, 0 for positions and 1 for velocities.
    """

    order = 0

    def __init__(self, body: FigureBodies | Figure, points: Sequence[str]) -> None:
        super().__init__(body)
        self.points = tuple(points)
        self._links, self._places = self.body.places(self.points)

    @abstractmethod
    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return what points at positions (S, P, 3), m, with velocities (S, P, 3), cost at times (S,)."""

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the figure's motion to others."""
        density, by_position, by_velocity = self.cost(samples.times, *self._traced(motion))
        if density.any():
            weights = factor * samples.weights[:, None, None]
            motion.backprop_points(grad, self._links, self._places, weights * by_position, weights * by_velocity)
        return float(samples.weights @ density.sum(axis=1))

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): each coordinate's lever on the points that cost something."""
        motion = self.body.motion(samples)
        active = self.cost(samples.times, *self._traced(motion))
        strengths = 2.0 * samples.weights[:, None] * self.stiffness(samples.times, active)
        curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
        if strengths.any():
            curvature[self.order] = motion.lever_arms_squared(self._links, self._places, strengths)
        return curvature

    def stiffness(self, times: Array, active: PointCost) -> Array:
        """Return how much the square of each point's position or velocity counts, (S, P); 1 where it costs anything."""
        return (active.cost > 0.0).astype(float)

    def _traced(self, motion: FigureMotion) -> tuple[Array, Array]:
        return motion.points(self._links, self._places)


class Barrier(PointTerm):
    """A term on points that must not be somewhere: where they are, the path is badly approximated."""

    def residual(self, samples: Samples) -> Array:
        """Return the term before it is integrated, (S,)."""
        density: Array = self.cost(samples.times, *self._traced(self.body.motion(samples))).cost.sum(axis=1)
        return density


class View(Protocol):
    """How a path in D coordinates is seen in the 51 coordinates of the figure: root, quaternions and hinge angles.

    Arrays of orders are value, velocity, acceleration and jerk at S samples.
    """

    def forward(self, orders: Array) -> Array:
        """Return orders (4, S, 51) of orders (4, S, D), and keep what `backprop` needs."""

    def backprop(self, by_rows: Array) -> Array:
        """Return derivatives (4, S, D) by what `forward` was last given, of those (4, S, 51) by what it returned."""

    def curvature(self, own: Array) -> Array:
        """Return second derivatives (4, D, S) about those (4, 51, S) by the figure's coordinates."""


class SeenSamples:
    """Samples of a path as a view shows them to all terms; those last asked for are kept."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._last: tuple[weakref.ref[Array], Samples] | None = None

    def of(self, samples: Samples) -> Samples:
        """Return the same samples in coordinates of the figure."""
        if self._last is None or self._last[0]() is not samples.value:
            rows = self.view.forward(np.stack(samples[2:]))
            self._last = (weakref.ref(samples.value), samples.over(rows.transpose(0, 2, 1).copy()))
        return self._last[1]


class ViewedTerm:
    """A term of the figure's coordinates on a path in others."""

    def __init__(self, term: Term, seen: SeenSamples) -> None:
        self.term, self.name, self._seen = term, term.name, seen

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral and its gradient."""
        value, gradient = self.term.evaluate(self._seen.of(samples))
        by_orders = self._seen.view.backprop(np.stack(gradient[2:]))
        return value, samples.over(by_orders.transpose(0, 2, 1).copy())

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S)."""
        seen = self._seen.of(samples)
        own = np.zeros((4, seen.value.shape[1], len(samples.times)))
        if isinstance(self.term, HasCurvature):
            bends = self.term.curvature(seen)
            own[: len(bends)] = bends if bends.ndim == 3 else np.einsum("ndnds->nds", bends)
        return self._seen.view.curvature(own)

    def residual(self, samples: Samples) -> Array:
        """Return what the term itself is before it is integrated, (S,); nothing where it does not say."""
        if not isinstance(self.term, HasResidual):
            return np.zeros(len(samples.times))
        return self.term.residual(self._seen.of(samples))


def product(first: Array, second: Array) -> Array:
    """Return the orders (n, ..., 4) of a product of quaternions from those of its factors, by Leibniz' rule."""
    orders = np.zeros(np.broadcast_shapes(first.shape, second.shape))
    for n in range(len(orders)):
        for k in range(n + 1):
            orders[n] += comb(n, k) * quaternion.multiply(first[k], second[n - k])
    return orders


def backprop_product(first: Array, second: Array, by_product: Array) -> tuple[Array, Array]:
    """Return derivatives by the orders of both factors of `product`, given those by the orders of the product."""
    by_first, by_second = np.zeros_like(by_product), np.zeros_like(by_product)
    for n in range(len(by_product)):
        for k in range(n + 1):
            share = comb(n, k) * by_product[n]
            by_first[k] += quaternion.multiply(share, quaternion.conjugate(second[n - k]))
            by_second[n - k] += quaternion.multiply(quaternion.conjugate(first[k]), share)
    return by_first, by_second
