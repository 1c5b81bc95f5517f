"""Examples for training: sections of clips as poses of the figure, and which of them are left out to validate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from segue.prior.tables import CONTEXT
from segue.typing import Ints, Single

_LEFT_OUT = 0.08
"""Part of all frames that is left out to validate."""
_SHORTEST = 2 * CONTEXT + 12
"""Frames of the shortest section that is used."""
_FEW = 4
"""Persons below which clips are left out instead of persons."""


class Clip(Protocol):
    """A clip of a library; see `segue.library.LibraryClip`."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def figure(self) -> Any: ...  # noqa: D102
    @property
    def root(self) -> Single: ...  # noqa: D102
    @property
    def balls(self) -> Single: ...  # noqa: D102
    @property
    def hinges(self) -> Single: ...  # noqa: D102
    @property
    def sections(self) -> tuple[tuple[int, int], ...]: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class Examples:
    """T frames at 30 a second of many sections.

    root: (T, 3) in legs. balls: (T, 7, 4), hinges: (T, 20). section: (T,) number of the section. person: one number
    for each section. names: the clip of each section.
    """

    root: Single
    balls: Single
    hinges: Single
    section: Ints
    person: Ints
    names: tuple[str, ...]

    @classmethod
    def of_clips(cls, clips: Iterable[Clip]) -> Examples:
        """Return the usable sections of clips."""
        parts: list[tuple[Single, Single, Single]] = []
        names, persons, builds = [], [], []
        for clip in clips:
            leg = np.float32(clip.figure.leg_length)
            build = np.round(clip.figure.offsets, 4).tobytes()
            for first, last in clip.sections:
                if last - first >= _SHORTEST:
                    root = np.array(clip.root[first:last]) / leg
                    root[:, [0, 2]] -= root[0, [0, 2]]
                    parts.append((root, clip.balls[first:last], clip.hinges[first:last]))
                    names.append(clip.name)
                    builds.append(build)
        known = sorted(set(builds))
        persons = [known.index(build) for build in builds]
        lengths = [len(root) for root, _, _ in parts]
        if not parts:
            empty = np.zeros((0, 3), np.float32)
            return cls(empty, empty, empty, np.zeros(0, np.int64), np.zeros(0, np.int64), ())
        root, balls, hinges = (np.concatenate(part) for part in zip(*parts, strict=True))
        return cls(root, balls, hinges, np.repeat(np.arange(len(parts)), lengths), np.array(persons), tuple(names))

    def __len__(self) -> int:
        return len(self.section)

    @property
    def minutes(self) -> float:
        """Minutes of all sections."""
        return len(self) / 30.0 / 60.0

    def left_out(self, part: float = _LEFT_OUT) -> Ints:
        """Return the sections that are left out to validate: whole persons, or whole clips where persons are few."""
        group = self.person
        if len(set(group.tolist())) < _FEW:
            known = sorted(set(self.names))
            group = np.array([known.index(name) for name in self.names])
        frames = np.bincount(group, np.bincount(self.section, minlength=len(group)))
        order = np.random.default_rng(0).permutation(len(frames))
        chosen = order[np.cumsum(frames[order]) <= max(part * len(self), frames[order[0]])]
        return np.flatnonzero(np.isin(group, chosen)) if len(chosen) < len(frames) else np.zeros(0, np.int64)
