"""The sum of weighted penalties, raw or renormalised by what they are at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.errors import ArgumentError
from segue.keyframe.path import Samples
from segue.keyframe.penalty import Curved, Penalty, Weighted, weighted
from segue.typing import Array


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
    def _curved(self) -> list[tuple[Curved, float]]:
        pairs = zip(self.penalties, self.factors, strict=True)
        return [(penalty, factor) for penalty, factor in pairs if isinstance(penalty, Curved)]
