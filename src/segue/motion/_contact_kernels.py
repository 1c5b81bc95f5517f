"""Compiled test whether points rest: in a small box for a while, and not in free fall.

The contact detector asks it of every window of a clip, and the filling of gaps of the two windows beside a gap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.anthropometry import STANDARD_GRAVITY
from segue.compiled import compiled
from segue.typing import Array, Flags

# In free fall the middle of a window is above the mean of its ends by g t^2 / 8: half of that is near enough.
_SAG = 0.5 * STANDARD_GRAVITY / 8.0


class Rest(NamedTuple):
    """A point rests if it stays in a box with sides of `box` metres for `seconds`."""

    seconds: float
    box: float


@compiled(seconds=1, inline=True)
def rests(times: Array, path: Array, first: int, last: int, rest: Rest) -> bool:
    """Return whether a path (T, 3) in m, Y up, rests from sample `first` to `last`; times: (T,) s.

    In a window that is shorter than `rest.seconds` the path must keep to a box that is smaller in proportion.
    """
    span: float = times[last] - times[first]
    box = rest.box * min(span / rest.seconds, 1.0)
    for i in range(3):
        low = high = path[first, i]
        for t in range(first + 1, last + 1):
            low, high = min(low, path[t, i]), max(high, path[t, i])
        if not high - low <= box:
            return False
    sag = path[(first + last) // 2, 1] - 0.5 * (path[first, 1] + path[last, 1])
    falls: bool = sag >= _SAG * span**2
    return span > 0 and not falls


@compiled(seconds=1)
def resting_frames(times: Array, tracks: Array, span: int, rest: Rest) -> Flags:
    """Return (P, T) whether points (P, T, 3) are in some window of `span` + 1 frames in which they rest."""
    flags = np.zeros(tracks.shape[:2], dtype=np.bool_)
    for p in range(len(tracks)):
        covered = 0
        for first in range(tracks.shape[1] - span):
            if rests(times, tracks[p], first, first + span, rest):
                flags[p, max(first, covered) : first + span + 1] = True
                covered = first + span + 1
    return flags
