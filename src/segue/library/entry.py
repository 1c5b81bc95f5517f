"""What a library keeps of a clip: the figure and its poses, at one rate for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.motion.motion import Motion

__all__ = ["RATE", "Entry", "Single", "entry_of"]

Single = npt.NDArray[np.float32]

RATE = 30.0
"""Frames a second that all entries have."""


@dataclass(frozen=True, eq=False)
class Entry:
    """One clip of a library.

    name: what a user calls it: the file's path below the folder that was indexed. root, balls, hinges: as in `Poses`,
    at `RATE` frames a second, single precision, perhaps mapped from a file. sections: first frame, and the one after
    the last, of each stretch that may be drawn on.
    """

    name: str
    figure: Figure
    root: Single
    balls: Single
    hinges: Single
    sections: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.root)


def entry_of(motion: Motion, name: str, sections: tuple[tuple[float, float], ...] | None = None) -> Entry:
    """Return a motion as an entry; sections: times (start, stop) in s that may be drawn on, all of it where None."""
    count = int((motion.stop - motion.start) * RATE + 1e-6) + 1
    poses = motion.state(motion.start + np.arange(count) / RATE).poses
    frames = (
        ((0, count),)
        if sections is None
        else tuple(
            (int(np.ceil((start - motion.start) * RATE - 1e-6)), int((stop - motion.start) * RATE + 1e-6) + 1)
            for start, stop in sections
        )
    )
    root, balls, hinges = (part.astype(np.float32) for part in (poses.root, poses.balls, poses.hinges))
    return Entry(name, motion.figure, root, balls, hinges, frames)
