"""Trials of filling from a library: windows of one clip, filled from whatever may be drawn on, against the truth."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from tests.support.inbetween_fillers import slerp, without_gap
from tests.support.inbetween_metrics import Measure, l2p, together
from tests.support.inbetween_windows import (
    DATASETS,
    FPS,
    GIVEN,
    MOCAP,
    Local,
    Source,
    Windows,
    cut_windows,
    read_sources,
)

import segue as sg
from segue.filling import Prior, fill
from segue.library import LibraryClip, library_clip_of
from segue.typing import Array

_RESTS = 0.005  # m a frame that a foot may truly move and still rest

Filler = Callable[[sg.Motion, tuple[float, float]], sg.Motion]
"""From a motion and the gap in it to the filled motion."""


@dataclass(frozen=True, eq=False)
class ClipSource:
    """One clip of a dataset: whose it is, and what is done in it."""

    name: str
    source: Source

    @property
    def person(self) -> str:
        """The person: the end of the name."""
        return self.name.rpartition("_")[2]

    @property
    def action(self) -> str:
        """The action: the name without its number; pushing and falling counts as pushing."""
        action = self.name.partition("_")[0].rstrip("0123456789")
        return "push" if action.startswith("push") else action

    @cached_property
    def motion(self) -> sg.Motion:
        """The whole clip."""
        return _understood(self.source.clip, self.source)

    @cached_property
    def entry(self) -> LibraryClip:
        """The whole clip as part of a library."""
        return library_clip_of(self.motion, self.name)


@dataclass(frozen=True, eq=False)
class Outcome:
    """How filled windows compare with the truth: distances, and how far resting feet go a frame, in cm."""

    distance: Measure
    skates: Array

    @property
    def skate(self) -> float:
        """The mean way of a resting foot in a frame, in cm."""
        return float(self.skates.mean()) if len(self.skates) else 0.0


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcomes of several trials as one."""
    return Outcome(together([each.distance for each in outcomes]), np.concatenate([each.skates for each in outcomes]))


@dataclass(frozen=True, eq=False)
class Trial:
    """The gaps of one length in windows of one clip, and the motions around them, which are fitted once."""

    take: ClipSource
    windows: Windows
    starts: Sequence[int]
    gap: int

    @cached_property
    def motions(self) -> list[sg.Motion]:
        """The windows with nothing of the truth in their gaps."""
        given, skeleton = without_gap(self.windows, self.gap), self.take.source.clip.skeleton
        frames = zip(given.positions, given.rotations, strict=True)
        return [
            _understood(sg.Clip.from_arrays(skeleton, positions.copy(), rotations.copy(), FPS), self.take.source)
            for positions, rotations in frames
        ]

    def slerped(self) -> Outcome:
        """Return the outcome of slerp."""
        return self._outcome(slerp(self.windows, self.gap).gap)

    @cached_property
    def plain(self) -> Outcome:
        """The outcome of least effort alone."""
        return self.alone(None)

    def alone(self, prior: Prior | None) -> Outcome:
        """Return the outcome where nothing but ten frames on both sides, and a prior, is known."""
        span = ((GIVEN - 1) / FPS, (GIVEN + self.gap) / FPS)
        clips = [_filled(motion, span, lambda m, at: sg.fill(m, [at], prior=prior)) for motion in self.motions]
        return self._outcome(self._cut(clips, GIVEN))

    def within(self, filler: Filler) -> Outcome:
        """Return the outcome where the gaps are in the whole clip."""
        clips = []
        for start in self.starts:
            first, last = start + GIVEN - 1, start + GIVEN + self.gap
            filled = filler(self.take.motion, (first / FPS, last / FPS))
            clips.append(sg.trim(filled, start / FPS, (last + GIVEN) / FPS, keep_time=True).to_clip())
        return self._outcome(self._cut(clips, GIVEN))

    def _cut(self, clips: Sequence[sg.Clip], first: int) -> Local:
        inside = slice(first, first + self.gap)
        return Local(
            np.stack([clip.positions[inside] for clip in clips]), np.stack([clip.rotations[inside] for clip in clips])
        )

    def _outcome(self, filled: Local) -> Outcome:
        windows, roles = self.windows, self.take.source.roles
        truth = windows.world(windows.frames.frames(GIVEN - 1, GIVEN + self.gap + 1)).positions
        found = windows.world(filled).positions
        whole = np.concatenate([truth[:, :1], found, truth[:, -1:]], axis=1)
        feet = [joint for side in (roles.left, roles.right) for joint in (side.foot, side.toe) if joint is not None]
        went, should = (np.linalg.norm(np.diff(way[:, :, feet], axis=1), axis=-1) for way in (whole, truth))
        return Outcome(l2p(found, truth[:, 1:-1], windows.deviation), 100.0 * went[should < _RESTS])


def _filled(motion: sg.Motion, span: tuple[float, float], filler: Filler) -> sg.Clip:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        return filler(motion, span).to_clip()


def _understood(clip: sg.Clip, source: Source) -> sg.Motion:
    return sg.Motion.from_clip(clip, scale=source.space.scale, up=source.space.up)


def read_takes(dataset: str) -> list[ClipSource]:
    """Return all clips of a dataset."""
    paths = sorted((MOCAP / DATASETS[dataset]).glob("*.bvh"))
    return [ClipSource(path.stem, source) for path, source in zip(paths, read_sources(dataset), strict=True)]


def trials_of(dataset: str, takes: Sequence[ClipSource], gap: int, windows: int | None) -> list[Trial]:
    """Return the trials of all clips of a dataset with gaps of one length.

    windows: about how many of each clip, spread evenly; every 40 frames where None. Distances are normalised over all.
    """
    all_of_them = cut_windows(dataset, [take.source for take in takes], limit=1)
    trials = []
    for take in takes:
        starts = take.source.starts
        if not len(starts):
            continue
        own = cut_windows(dataset, [take.source], windows)
        chosen = starts[:: 1 if windows is None else max(1, round(len(starts) / windows))]
        own = replace(own, mean=all_of_them.mean, deviation=all_of_them.deviation)
        trials.append(Trial(take, own, chosen, gap))
    return trials


def from_own(motion: sg.Motion, gap: tuple[float, float]) -> sg.Motion:
    """Fill a gap from the rest of the same take."""
    return fill(motion, [gap], use_own_frames=True)
