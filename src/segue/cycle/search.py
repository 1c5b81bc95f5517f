"""Find loops: the two times at which a signal is most alike, and where a motion comes back to itself.

`match_ends` follows [Rose1996, section 3.3]. It knows nothing of figures: a signal is any function of time that gives a
row of numbers to compare, such as a value with its first derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import scipy

from segue.checks import number
from segue.compiled import compiled
from segue.cycle.likeness import Likeness
from segue.errors import ArgumentError
from segue.motion.motion import Motion, check_motion
from segue.typing import Array

Signal = Callable[[Array], Array]
"""Rows (T, D) of what is compared at times (T,): the distance of two times is the Euclidean one of their rows."""

Regions = Literal["centred", "inside"]
"""Regions to search: about both marks, as in [Rose1996], or between them only, as in the discussion of it."""

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
    start, stop = number("start", start), number("stop", stop)
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
                f"{high:.3g} s, where its {name} is searched, and at least {_FEWEST} are needed"
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

    Every pair of samples a step apart is compared, and the best is refined until a step no longer matters.
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


GOOD = 0.25
"""The score up to which a loop needs hardly any closing: strides of one walk differ by less."""
FAIR = 0.5
"""The score above which ends differ so much that a loop is another motion than the clip."""

_SHORTEST = 0.3  # s: no limb that carries weight goes to and fro faster
_LONGEST = 8.0  # s
_RATE = 30.0  # rows a second that are compared
_AROUND = 0.1  # s before and after: what repeats itself does so for a while
_APART = 0.12  # s: candidates closer than that are the same
_WORST = 1.0  # the score of two times that have no more to do with each other than any others
_LONGER = 0.15  # for each doubling of its length, a cycle must be so much better


@dataclass(frozen=True)
class Candidate:
    """A cycle from start to stop, in seconds.

    score: how far both ends are apart, over how far two times of the cycle are on average; 0 is a perfect cycle.
    """

    start: float
    stop: float
    score: float

    @property
    def period(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start


def verdict(score: float) -> str:
    """Return a score in a word: good, fair or poor."""
    return "good" if score <= GOOD else "fair" if score <= FAIR else "poor"


def find_loops(
    motion: Motion,
    *,
    shortest: float = _SHORTEST,
    longest: float = _LONGEST,
    count: int = 10,
    derivatives: int = 2,
    weights: Mapping[str, float] | None = None,
) -> tuple[Candidate, ...]:
    """Return the cycles of a motion, the best first: short ones before longer ones that are hardly better.

    shortest, longest: seconds of a cycle. count: at most so many. derivatives, weights: what counts as alike, as in
    `make_loop`. Raises ArgumentError where the motion is too short to have a cycle.
    """
    check_motion("find_loops looks for cycles in", motion)
    if not 0 < shortest < longest:
        raise ArgumentError(f"cycles from {shortest:g} to {longest:g} s: the longest must be longer than the shortest")
    likeness = Likeness(motion, motion.start, motion.stop, derivatives=derivatives, weights=weights)
    return candidates_of(likeness, min(_RATE, motion.fps), shortest, longest, count)


def candidates_of(
    likeness: Likeness, rate: float, shortest: float = _SHORTEST, longest: float = _LONGEST, count: int = 10
) -> tuple[Candidate, ...]:
    """Return the cycles of a likeness that is sampled at a rate, 1/s; see `find_loops`."""
    times, lags, scores = score_map(likeness, rate, shortest, longest)
    longer = 1.0 + _LONGER * np.log2(lags / lags[0])
    ranks = scores * longer[:, None]
    # a minimum at the edge of the searched lags is no cycle: it would be better still beyond
    low = (ranks == scipy.ndimage.minimum_filter(ranks, size=5, mode="constant", cval=np.inf)) & (scores < _WORST)
    low[0] = False
    chosen: list[Candidate] = []
    for i, t in sorted(np.argwhere(low).tolist(), key=lambda at: float(ranks[at[0], at[1]])):
        found = Candidate(float(times[t]), float(times[t] + lags[i]), float(scores[i, t]))
        if all(abs(found.start - one.start) + abs(found.period - one.period) > _APART for one in chosen):
            chosen.append(found)
        if len(chosen) == count:
            break
    return tuple(chosen)


def score_map(
    likeness: Likeness, rate: float, shortest: float = _SHORTEST, longest: float = _LONGEST
) -> tuple[Array, Array, Array]:
    """Return times (T,) and lags (L,) in s, and the score (L, T) of a cycle that begins at a time and lasts a lag."""
    length = likeness.stop - likeness.start
    rows = int(length * rate + 1e-6) + 1
    first, last = max(round(shortest * rate), 2), min(round(longest * rate), rows - 1)
    if last - first < 2:
        raise ArgumentError(
            f"the motion lasts {length:.3g} s, with {rate:g} frames a second compared: too short for a cycle of "
            f"{shortest:g} s or more to be found in it, or too coarse"
        )
    times = likeness.start + np.arange(rows) / rate
    scores = lag_scores(likeness(times), first, last, round(_AROUND * rate))
    return times, np.arange(first, last + 1) / rate, scores


@compiled(seconds=3, fast_math=True)
def lag_scores(rows: Array, first: int, last: int, around: int) -> Array:
    """Return (last - first + 1, T): how far rows (T, D) are from those some lag later, over how far they move between.

    The distance is the root mean square over pairs up to `around` rows before and after, that over which it is divided
    the one that two rows between the two have on average. Without a row so much later it is infinite.
    """
    count, columns = rows.shape
    scores = np.full((last - first + 1, count), np.inf)
    sums, squares = np.zeros((count + 1, columns)), np.zeros(count + 1)
    for t in range(count):
        square = 0.0
        for c in range(columns):
            sums[t + 1, c] = sums[t, c] + rows[t, c]
            square += rows[t, c] * rows[t, c]
        squares[t + 1] = squares[t] + square
    apart = np.empty(count)
    for lag in range(first, last + 1):
        pairs = count - lag
        for t in range(pairs):
            square = 0.0
            for c in range(columns):
                square += (rows[t + lag, c] - rows[t, c]) ** 2
            apart[t] = square
        for t in range(pairs):
            low, high = max(t - around, 0), min(t + around + 1, pairs)
            near = 0.0
            for k in range(low, high):
                near += apart[k]
            mean = 0.0
            for c in range(columns):
                mean += (sums[t + lag, c] - sums[t, c]) ** 2
            spread = 2.0 * ((squares[t + lag] - squares[t]) / lag - mean / (lag * lag))
            scores[lag - first, t] = np.sqrt(near / (high - low) / max(spread, 1e-300))
    return scores
