"""Choose, from all pairs of frames that are alike, the transitions that a build tries.

Every second of a clip gets its best pairs, in both directions: one transition that leaves the clip there, and one that
enters it. So every clip has ways out and ways in, and the number of trials grows with the length of the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from segue.filling.features import RATE
from segue.graph.search import Pairs

_BIN = round(RATE)  # frames within which a clip gets its best pairs
_OWN_BIN = 3 * _BIN  # the same for pairs within one clip
_USED = 0.03  # weighted legs for each time that another clip was chosen: the next best clip may be as good


class Wanted(NamedTuple):
    """A transition to try: the first clip near a frame, into the second clip near a frame."""

    first: int
    left: int
    second: int
    entered: int


def shortlist(pairs: Pairs, tries: int) -> Iterator[Wanted]:
    """Yield the transitions to try around the frames of one clip, in both directions.

    pairs: of frames of the one clip, as `nearest_of` returns them. tries: pairs for each second of the clip.
    """
    own = pairs.clip == pairs.other
    for part, width in ((pairs.only(~own), _BIN), (pairs.only(own), _OWN_BIN)):
        used: dict[int, int] = {}
        bins = part.frame // width
        for number in np.unique(bins).tolist():
            inside = part.only(bins == number)
            left = np.ones(inside.number, dtype=bool)
            for _ in range(tries):
                if not left.any():
                    break
                rank = inside.distance + _USED * np.array([used.get(other, 0) for other in inside.other.tolist()])
                best = int(np.flatnonzero(left)[rank[left].argmin()])
                clip, frame, other, at = (int(column[best]) for column in inside[:4])
                yield Wanted(clip, frame, other, at)
                yield Wanted(other, at, clip, frame)
                used[other] = used.get(other, 0) + 1
                left &= inside.other != other
