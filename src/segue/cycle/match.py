"""Where a signal comes back to itself: the two times at which it is most alike [Rose1996, section 3.3].

Nothing here knows of figures: a signal is any function of time that gives a row of numbers to compare, such as a value
with its first derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from segue.errors import ArgumentError
from segue.motion.operators import finite
from segue.typing import Array

Signal = Callable[[Array], Array]
"""Rows (T, D) of what is compared at times (T,): the distance of two times is the Euclidean one of their rows."""

Regions = Literal["centred", "inside"]
"""Where to look: about both marks, as in [Rose1996], or between them only, as in the discussion of it."""

_SHARE = 0.2  # of the marked length is each region
_FEWEST = 4  # samples of a region
_MOST = 400  # samples of a region: more would not find another place
_ZOOM = 3.0
_ROUNDS = 12
_FAN = 7  # samples a round and direction


class Region(NamedTuple):
    """Times from start to stop, in seconds."""

    start: float
    stop: float

    @property
    def length(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start

    def samples(self, step: float) -> Array:
        """Return times at most a step apart, the first and the last included; at least four."""
        count = int(np.clip(np.ceil(self.length / step - 1e-9) + 1, _FEWEST, _MOST))
        return np.linspace(self.start, self.stop, count)


@dataclass(frozen=True)
class Match:
    """The two times at which a signal is most alike, in seconds, and how far apart it is there."""

    start: float
    stop: float
    distance: float


def search_regions(
    start: float, stop: float, within: Region, step: float, where: Regions = "centred"
) -> tuple[Region, Region]:
    """Return the regions about two marks: each one fifth of the marked length, as far as the signal goes.

    where: "centred" on the marks, or "inside", from each mark inwards. Raises ArgumentError where the marks make no
    sense: out of order, outside `within`, or so close that a region has fewer than four samples, a step apart.
    """
    if where not in ("centred", "inside"):
        raise ArgumentError(f"regions are '{where}': they must be centred or inside")
    start, stop = finite("start", start), finite("stop", stop)
    if not start < stop:
        raise ArgumentError(f"a cycle from {start:g} to {stop:g} s: it must stop after it starts")
    if start < within.start - 1e-9 or stop > within.stop + 1e-9:
        raise ArgumentError(
            f"a cycle from {start:g} to {stop:g} s: the motion lasts from {within.start:g} to {within.stop:g} s only"
        )
    width = _SHARE * (stop - start)
    before, after = (0.5 * width, 0.5 * width) if where == "centred" else (0.0, width)
    regions = Region(start - before, start + after), Region(stop - after, stop + before)
    held = tuple(Region(max(low, within.start), min(high, within.stop)) for low, high in regions)
    for name, (low, high) in zip(("start", "stop"), held, strict=True):
        count = int((high - low) / step + 1e-9) + 1
        if count < _FEWEST:
            raise ArgumentError(
                f"a cycle from {start:g} to {stop:g} s is too short: only {count} frames lie between {low:.3g} and "
                f"{high:.3g} s, where its {name} is looked for, and at least {_FEWEST} are needed"
            )
    return held[0], held[1]


def distances(signal: Signal, firsts: Array, lasts: Array) -> Array:
    """Return the distance of the signal at each of the first times from it at each of the last, (N, M)."""
    a, b = signal(firsts), signal(lasts)
    square = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2.0 * a @ b.T
    apart: Array = np.sqrt(np.maximum(square, 0.0))
    return apart


def match_ends(signal: Signal, first: Region, last: Region, step: float) -> Match:
    """Return the time in each region at which the signal is most alike: min ||a - b|| over t1, t2 [Rose1996, 3.3].

    Every pair of samples a step apart is compared, and the best is made finer until a step is of no account.
    """
    grids = first.samples(step), last.samples(step)
    best = _best(signal, *grids)
    reach = np.array([grid[1] - grid[0] for grid in grids])
    for _ in range(_ROUNDS):
        fans = [
            np.linspace(max(at - r, region.start), min(at + r, region.stop), _FAN)
            for at, r, region in zip((best.start, best.stop), reach, (first, last), strict=True)
        ]
        finer = _best(signal, *fans)
        best = min(best, finer, key=lambda match: match.distance)
        reach = reach / _ZOOM
    return best


def _best(signal: Signal, firsts: Array, lasts: Array) -> Match:
    apart = distances(signal, firsts, lasts)
    i, j = np.unravel_index(int(apart.argmin()), apart.shape)
    return Match(float(firsts[i]), float(lasts[j]), float(apart[i, j]))
