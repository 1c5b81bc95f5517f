"""The protocol of a term: the integral over time of something a path should not do, and its gradient by the path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np

from segue.checks import positive, shown
from segue.errors import ArgumentError
from segue.spacetime.path import Samples
from segue.typing import Array


@runtime_checkable
class Term(Protocol):
    """A soft constraint or an objective: f of equation 1 in [Ramamoorthi1997], integrated over time.

    The integrand must not be negative. A term may also be `HasCurvature`, which makes the descent faster, and
    `HasResidual`, by which subdivision finds where the path is badly approximated.
    """

    @property
    def name(self) -> str:
        """The name of the term in reports."""

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by value, velocity, acceleration and jerk at the samples.

        The gradient has the samples' shapes, with the quadrature weights multiplied in; times and weights are passed
        through. `samples.zeros()` is a gradient to fill in.
        """


@runtime_checkable
class HasCurvature(Protocol):
    """A term that approximates the second derivatives of its integral: the metric of the descent is made of them."""

    def curvature(self, samples: Samples) -> Array:
        """Return second derivatives of the integral by the path at each sample, none negative.

        Either (4, D, S): those by each coordinate of value, velocity, acceleration and jerk, if the coordinates are
        separate. Or (n, D, n, D, S), symmetric, if they are coupled: by a coordinate of one of the first n orders and
        by one of another. Quadrature weights are multiplied in. An approximation, such as that of Gauss and Newton,
        does.
        """


@runtime_checkable
class HasResidual(Protocol):
    """A term that can say how badly the path satisfies it at each time."""

    def residual(self, samples: Samples) -> Array:
        """Return (S,), none negative: the Euler-Lagrange residual, or the term before it is integrated."""


@dataclass(frozen=True)
class Weighted:
    """A term and how much it counts, alpha in equation 1 of [Ramamoorthi1997]."""

    term: Term
    weight: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.term, type):
            raise ArgumentError(f"{self.term.__name__} is a class: write {self.term.__name__}(...) for a term")
        if not isinstance(self.term, Term):
            raise ArgumentError(f"{self.term!r} is no term: it has no name or cannot be evaluated")
        positive(f"the weight of the term '{self.term.name}'", self.weight)


def weighted(terms: Sequence[Term | Weighted | tuple[float, Term]]) -> tuple[Weighted, ...]:
    """Return terms with their weights, given as they are (1), with a weight before them, or as `Weighted`.

    Two of the same name are an error: reports could not tell them apart, and often one of them was forgotten.
    """
    found: list[Weighted] = []
    if not isinstance(terms, Iterable):
        raise ArgumentError(f"the terms are {shown(terms)}: a list of terms is needed")
    for entry in terms:
        if isinstance(entry, Weighted):
            found.append(entry)
        elif isinstance(entry, tuple) and len(entry) == 2:
            found.append(Weighted(entry[1], entry[0]))
        else:
            found.append(Weighted(entry))
    if not found:
        raise ArgumentError("there are no terms: at least one is needed to say what is better")
    names = [entry.term.name for entry in found]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(
                f"the term '{name}' is given {names.count(name)} times: give it once, or name them apart"
            )
    return tuple(found)


@dataclass(frozen=True)
class TermSum:
    """Terms and the factors that multiply them."""

    terms: tuple[Term, ...]
    factors: tuple[float, ...]

    @classmethod
    def of(cls, terms: Sequence[Term | Weighted | tuple[float, Term]], initial: Samples | None = None) -> TermSum:
        """Return the raw sum, equation 1 of [Ramamoorthi1997]; with an initial path renormalised, equation 7.

        A term that is zero on the initial path has nothing to be divided by, and counts raw.
        """
        entries = weighted(terms)
        factors = [entry.weight for entry in entries]
        if initial is not None:
            for k, entry in enumerate(entries):
                first = entry.term.evaluate(initial)[0]
                factors[k] /= first if first > 0 else 1.0
        return cls(tuple(entry.term for entry in entries), tuple(factors))

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the sum and its gradient by the samples."""
        total, sums = 0.0, samples.zeros()
        for term, factor in zip(self.terms, self.factors, strict=True):
            value, gradient = term.evaluate(samples)
            total += factor * value
            if len(self.terms) == 1 and factor == 1.0:
                return total, gradient
            for into, part in zip(sums[2:], gradient[2:], strict=True):
                into += factor * part
        return total, sums

    def parts(self, samples: Samples) -> dict[str, float]:
        """Return each term's integral, without its factor, by name."""
        found = {}
        for term in self.terms:
            value, gradient = term.evaluate(samples)
            if not np.isfinite(value) or value < 0:
                raise ArgumentError(f"the term '{term.name}' is {value}: it must be a number that is not negative")
            for given, wanted in zip(gradient[2:], samples[2:], strict=True):
                if given.shape != wanted.shape:
                    raise ArgumentError(
                        f"the term '{term.name}' has a gradient {given.shape}: it must be {wanted.shape}"
                    )
            found[term.name] = value
        return found

    def curvatures(self, samples: Samples) -> list[Array]:
        """Return how the terms bend, of those that know."""
        return [factor * term.curvature(samples) for term, factor in self._curved]

    @cached_property
    def _curved(self) -> list[tuple[HasCurvature, float]]:
        pairs = zip(self.terms, self.factors, strict=True)
        return [(term, factor) for term, factor in pairs if isinstance(term, HasCurvature)]
