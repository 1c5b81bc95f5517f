"""Terms of the figure's coordinates on paths that are given in others: charts of a gap, bodies in the world."""

from __future__ import annotations

import weakref
from math import comb
from typing import Protocol

import numpy as np

from segue.curves import quaternion
from segue.spacetime.path import Samples
from segue.spacetime.terms.term import HasCurvature, HasResidual, Term
from segue.typing import Array


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
