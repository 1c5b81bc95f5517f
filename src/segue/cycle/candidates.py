"""Cycles that a motion has in it, found without marks: where it comes back to itself, and how nearly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from segue.cycle._lag_kernels import lag_scores
from segue.cycle.likeness import Likeness
from segue.errors import ArgumentError
from segue.motion.motion import Motion, check_motion
from segue.typing import Array

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
    """Return the cycles of a likeness, looked at so often a second; see `find_loops`."""
    times, lags, scores = score_map(likeness, rate, shortest, longest)
    longer = 1.0 + _LONGER * np.log2(lags / lags[0])
    ranks = scores * longer[:, None]
    # a cycle at the very edge of what is looked at is none: it would be better still beyond
    low = (ranks == ndimage.minimum_filter(ranks, size=5, mode="constant", cval=np.inf)) & (scores < _WORST)
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
            f"the motion lasts {length:.3g} s, with {rate:g} frames a second looked at: too short for a cycle of "
            f"{shortest:g} s or more to be found in it, or too coarse"
        )
    times = likeness.start + np.arange(rows) / rate
    scores = lag_scores(likeness(times), first, last, round(_AROUND * rate))
    return times, np.arange(first, last + 1) / rate, scores
