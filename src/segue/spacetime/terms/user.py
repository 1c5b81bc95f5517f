"""Terms of one's own: a vectorised Python function, with a gradient or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from segue.errors import ArgumentError
from segue.spacetime.path import Samples
from segue.typing import Array

Function = Callable[[Array, Array, Array, Array], Array]
Gradient = Callable[[Array, Array, Array, Array], Sequence[Array]]

_ORDERS = ("value", "velocity", "acceleration")
_STEP = float(np.finfo(float).eps) ** (1 / 3)
_AGREE = 1e-4
"""Part of the largest slope by which a given gradient may differ from differences."""
_EXCUSED = 0.05
"""Part of the samples that may differ more: some may lie at a corner of the function."""


class UserTerm:
    """The integral over time of a function of the path that the user gives.

    function: takes times (S,), value, velocity and acceleration, (S, D) each, and returns (S,), none negative; what it
    returns for a sample may depend on that sample only. gradient: takes the same and returns its derivatives by value,
    velocity and acceleration, (S, D) each. Without it they are taken by central differences, 6 D calls of the
    function each time; with it they are compared with differences once, before anything is minimised.
    """

    def __init__(self, function: Function, gradient: Gradient | None = None, *, name: str = "user") -> None:
        if not callable(function) or not (gradient is None or callable(gradient)):
            raise ArgumentError(f"the term '{name}' is made of something that cannot be called: give a function")
        self.name = name
        self._function, self._gradient = function, gradient
        self._checked = False

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral and its gradient."""
        if not self._checked:
            self._check(samples)
            self._checked = True
        density = self._density(samples)
        gradient = samples.zeros()
        slopes = self._differences(samples) if self._gradient is None else self._slopes(samples)
        for into, slope in zip(gradient[2:5], slopes, strict=True):
            into[:] = samples.weights[:, None] * slope
        return float(samples.weights @ density), gradient

    def residual(self, samples: Samples) -> Array:
        """Return the function itself, (S,)."""
        return self._density(samples)

    def _density(self, samples: Samples) -> Array:
        try:
            returned = np.asarray(self._function(samples.times, *samples[2:5]))
            density = returned.astype(float, casting="same_kind")
        except Exception as error:
            raise ArgumentError(f"the term '{self.name}' fails with {type(error).__name__}: {error}") from error
        if density.shape != samples.times.shape:
            raise ArgumentError(
                f"the term '{self.name}' returns an array {density.shape}: one number a sample, "
                f"{samples.times.shape}, is needed"
            )
        # a descent may look at a path on which the function has no value, and turns back from it
        bad = density < 0 if self._checked else ~(density >= 0) | np.isinf(density)
        if bad.any():
            at = int(np.argmax(bad))
            raise ArgumentError(
                f"the term '{self.name}' is {density[at]:g} at {samples.times[at]:g} s: "
                "it must be a number that is not negative"
            )
        return density

    def _slopes(self, samples: Samples) -> list[Array]:
        assert self._gradient is not None
        try:
            slopes = [np.asarray(slope, dtype=float) for slope in self._gradient(samples.times, *samples[2:5])]
        except Exception as error:
            raise ArgumentError(
                f"the gradient of the term '{self.name}' fails with {type(error).__name__}: {error}"
            ) from error
        if [slope.shape for slope in slopes] != [samples.value.shape] * len(_ORDERS):
            raise ArgumentError(
                f"the gradient of the term '{self.name}' must be three arrays {samples.value.shape}, by value, "
                f"velocity and acceleration, not {', '.join(str(slope.shape) for slope in slopes) or 'nothing'}"
            )
        return slopes

    def _differences(self, samples: Samples) -> list[Array]:
        """Return the derivatives by value, velocity and acceleration by central differences, all samples at once."""
        slopes = []
        for order in range(len(_ORDERS)):
            here = samples[2 + order]
            slope = np.empty_like(here)
            for d in range(here.shape[1]):
                step = _STEP * (1.0 + np.abs(here[:, d]))
                ends = []
                for sign in (1.0, -1.0):
                    moved = here.copy()
                    moved[:, d] += sign * step
                    ends.append(self._density(samples._replace(**{_ORDERS[order]: moved})))
                with np.errstate(invalid="ignore"):  # where the function has no value there is no slope either
                    slope[:, d] = (ends[0] - ends[1]) / (2.0 * step)
            slopes.append(slope)
        return slopes

    def _check(self, samples: Samples) -> None:
        """Raise an error where samples are mixed with each other, or the gradient is not that of the function."""
        count = len(samples.times) // 3
        whole, some = self._density(samples), Samples(*(part[:count] for part in samples))
        if not np.allclose(self._density(some), whole[:count], rtol=1e-9, atol=0.0):
            raise ArgumentError(
                f"the term '{self.name}' mixes samples: what it returns for one may depend on that sample only"
            )
        if self._gradient is None:
            return
        # also beside the path, for on it a term may be zero everywhere
        random = np.random.default_rng(0)
        moved = [part + random.normal(size=part.shape) * (1e-3 + part.std(axis=0)) for part in samples[2:5]]
        for where in (samples, samples._replace(**dict(zip(_ORDERS, moved, strict=True)))):
            given, found = self._slopes(where), self._differences(where)
            scale = max(float(np.abs(slope).max()) for slope in found) + 1e-12
            for order, ours, theirs in zip(_ORDERS, found, given, strict=True):
                wrong = ~(np.abs(theirs - ours) <= _AGREE * scale)
                if wrong.mean() > _EXCUSED:
                    at, d = np.argwhere(wrong)[0]
                    raise ArgumentError(
                        f"the gradient of the term '{self.name}' by {order} {d} is {theirs[at, d]:g} at "
                        f"{where.times[at]:g} s, but differences of the function give {ours[at, d]:g}"
                    )
