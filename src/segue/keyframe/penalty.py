"""What a penalty is: the integral over time of something a path should not do, and its gradient by the path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np

from segue.checks import positive, shown
from segue.errors import ArgumentError
from segue.keyframe.path import Samples
from segue.typing import Array


@runtime_checkable
class Penalty(Protocol):
    """A soft constraint or an objective: f of equation 1 in [Ramamoorthi1997], integrated over time.

    What it adds up must not be negative. A penalty may also be `HasCurvature`, which makes the descent faster, and
    `HasResidual`, which tells subdivision where the path is badly approximated.
    """

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by value, velocity, acceleration and jerk at the samples.

        The gradient has the samples' shapes, with the quadrature weights multiplied in; times and weights are passed
        through. `samples.zeros()` is a gradient to fill in.
        """


@runtime_checkable
class HasCurvature(Protocol):
    """A penalty that approximates the second derivatives of its integral: the metric of the descent is made of them."""

    def curvature(self, samples: Samples) -> Array:
        """Return second derivatives of the integral by the path at each sample, none negative.

        (4, D, S): those by each coordinate of value, velocity, acceleration and jerk, where the coordinates are taken
        apart; or (n, D, n, D, S), symmetric, where they are coupled: by a coordinate of one of the first n orders and
        by one of another. Quadrature weights are multiplied in. An approximation, such as that of Gauss and Newton,
        does.
        """


@runtime_checkable
class HasResidual(Protocol):
    """A penalty that can say how badly the path satisfies it at each time."""

    def residual(self, samples: Samples) -> Array:
        """Return (S,), none negative: the Euler-Lagrange residual, or the penalty before it is integrated."""


@dataclass(frozen=True)
class Weighted:
    """A penalty and how much it counts, alpha in equation 1 of [Ramamoorthi1997]."""

    penalty: Penalty
    weight: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.penalty, type):
            raise ArgumentError(f"{self.penalty.__name__} is a class: write {self.penalty.__name__}(...) for a penalty")
        if not isinstance(self.penalty, Penalty):
            raise ArgumentError(f"{self.penalty!r} is no penalty: it has no name or cannot be evaluated")
        positive(f"the weight of the penalty '{self.penalty.name}'", self.weight)


def weighted(penalties: Sequence[Penalty | Weighted | tuple[float, Penalty]]) -> tuple[Weighted, ...]:
    """Return penalties with their weights, given as they are (1), with a weight before them, or as `Weighted`.

    Two of the same name are an error: reports could not tell them apart, and often one of them was forgotten.
    """
    found: list[Weighted] = []
    if not isinstance(penalties, Iterable):
        raise ArgumentError(f"the penalties are {shown(penalties)}: a list of penalties is needed")
    for entry in penalties:
        if isinstance(entry, Weighted):
            found.append(entry)
        elif isinstance(entry, tuple) and len(entry) == 2:
            found.append(Weighted(entry[1], entry[0]))
        else:
            found.append(Weighted(entry))
    if not found:
        raise ArgumentError("there are no penalties: at least one is needed to say what is better")
    names = [entry.penalty.name for entry in found]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(
                f"the penalty '{name}' is given {names.count(name)} times: give it once, or name them apart"
            )
    return tuple(found)


@dataclass(frozen=True)
class Objective:
    """Penalties and the factors that multiply them."""

    penalties: tuple[Penalty, ...]
    factors: tuple[float, ...]

    @classmethod
    def of(
        cls, penalties: Sequence[Penalty | Weighted | tuple[float, Penalty]], initial: Samples | None = None
    ) -> Objective:
        """Return the raw sum, equation 1 of [Ramamoorthi1997]; with an initial path renormalised, equation 7.

        A penalty that is zero on the initial path has nothing to be divided by, and counts raw.
        """
        entries = weighted(penalties)
        factors = [entry.weight for entry in entries]
        if initial is not None:
            for k, entry in enumerate(entries):
                first = entry.penalty.evaluate(initial)[0]
                factors[k] /= first if first > 0 else 1.0
        return cls(tuple(entry.penalty for entry in entries), tuple(factors))

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the sum and its gradient by the samples."""
        total, sums = 0.0, samples.zeros()
        for penalty, factor in zip(self.penalties, self.factors, strict=True):
            value, gradient = penalty.evaluate(samples)
            total += factor * value
            if len(self.penalties) == 1 and factor == 1.0:
                return total, gradient
            for into, part in zip(sums[2:], gradient[2:], strict=True):
                into += factor * part
        return total, sums

    def parts(self, samples: Samples) -> dict[str, float]:
        """Return each penalty's integral, without its factor, by name."""
        found = {}
        for penalty in self.penalties:
            value, gradient = penalty.evaluate(samples)
            if not np.isfinite(value) or value < 0:
                raise ArgumentError(
                    f"the penalty '{penalty.name}' is {value}: it must be a number that is not negative"
                )
            for given, wanted in zip(gradient[2:], samples[2:], strict=True):
                if given.shape != wanted.shape:
                    raise ArgumentError(
                        f"the penalty '{penalty.name}' has a gradient {given.shape}: it must be {wanted.shape}"
                    )
            found[penalty.name] = value
        return found

    def curvatures(self, samples: Samples) -> list[Array]:
        """Return how the penalties bend, of those that know."""
        return [factor * penalty.curvature(samples) for penalty, factor in self._curved]

    @cached_property
    def _curved(self) -> list[tuple[HasCurvature, float]]:
        pairs = zip(self.penalties, self.factors, strict=True)
        return [(penalty, factor) for penalty, factor in pairs if isinstance(penalty, HasCurvature)]
