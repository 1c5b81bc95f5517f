"""Windows of real motion with a gap in the middle: what the in-betweening benchmark is measured on."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue import io
from segue.body.roles import Roles
from segue.curves import quaternion
from segue.errors import SegueWarning
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.space import Space
from segue.typing import Array
from tests.mocap import MOCAP

DATASETS = {"LAFAN1": "lafan1", "CMU": "cmu"}
FPS = 30.0
GIVEN = 10  # frames on either side of a gap
GAPS = (5, 15, 30)
LENGTH = GIVEN + max(GAPS) + GIVEN
STRIDE = 40


@dataclass(frozen=True)
class Source:
    """A clip at 30 frames a second, without an added T pose, and what its numbers mean."""

    clip: Clip
    roles: Roles
    space: Space

    @property
    def starts(self) -> range:
        """First frames of its windows: every 40 frames, all windows long enough for the longest gap."""
        return range(0, len(self.clip) - LENGTH + 1, STRIDE)


class Local(NamedTuple):
    """Frames on the source's skeleton: local positions (W, F, J, 3) and rotations (W, F, J, 4)."""

    positions: Array
    rotations: Array

    def frames(self, first: int, last: int) -> Local:
        """Return frames first to last - 1 of every window."""
        return Local(self.positions[:, first:last], self.rotations[:, first:last])


class World(NamedTuple):
    """Aligned frames: positions (W, F, J, 3) in metres, and rotations (W, F, J, 4)."""

    positions: Array
    rotations: Array


class Alignment(NamedTuple):
    """What takes each window's source axes to aligned ones: scale (W,), then turn (W, 4), then less centre (W, 3)."""

    scale: Array
    turn: Array
    centre: Array

    def apply(self, positions: Array, rotations: Array) -> World:
        """Return source world frames (W, F, J, ...) aligned."""
        turn = self.turn[:, None, None]
        metres = quaternion.rotate(turn, positions * self.scale[:, None, None, None])
        return World(metres - self.centre[:, None, None], quaternion.multiply(turn, rotations))


@dataclass(frozen=True)
class Windows:
    """Some windows of one dataset, with the mean and standard deviation (J, 3) of all its windows, in metres.

    Windows are aligned as in the published evaluation of Robust Motion In-Betweening: the mean of the root over the
    window's 50 frames is above the origin, and the hips face a fixed way (+Z) at the last frame before the gap. Gaps of
    every length begin after the same ten frames.
    """

    dataset: str
    sources: tuple[Source, ...]  # of each window
    frames: Local
    alignment: Alignment
    mean: Array
    deviation: Array
    whole_count: int

    def __len__(self) -> int:
        return len(self.sources)

    def world(self, frames: Local) -> World:
        """Return frames of all windows (W, F, J, ...), aligned."""
        shape = frames.rotations.shape[:2]
        positions, rotations = self.sources[0].clip.skeleton.forward(
            *(part.reshape(-1, *part.shape[2:]) for part in frames)
        )
        return self.alignment.apply(
            positions.reshape(*shape, *positions.shape[1:]), rotations.reshape(*shape, *rotations.shape[1:])
        )


def read_sources(dataset: str) -> list[Source]:
    """Return all clips of a dataset at 30 frames a second; of 120 frames a second every fourth is taken."""
    sources = []
    for path in sorted((MOCAP / DATASETS[dataset]).glob("*.bvh")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SegueWarning)
            take = ClipSource.from_clip(io.read(path))
        step = round(take.fps / FPS)
        positions, rotations = (part[::step].copy() for part in (take.clip.positions, take.clip.rotations))
        clip = Clip.from_arrays(take.clip.skeleton, positions, quaternion.make_continuous(rotations), take.fps / step)
        sources.append(Source(clip, take.roles, take.space))
    return sources


def cut_windows(dataset: str, sources: Sequence[Source], limit: int | None = None) -> Windows:
    """Return the windows of a dataset, or every k-th so that about `limit` remain; statistics are of all of them."""
    places = [(source, start) for source in sources for start in source.starts]
    every = 1 if limit is None else max(1, round(len(places) / limit))
    chosen = places[::every]
    frames, alignments = [], []
    for source in sources:
        starts = [start for owner, start in chosen if owner is source]
        if starts:
            frames.append(_local(source, starts))
            alignments.append(_alignment(source, starts))
    mean, deviation = _statistics(sources)
    return Windows(
        dataset=dataset,
        sources=tuple(source for source, _ in chosen),
        frames=Local(*(np.concatenate(parts) for parts in zip(*frames, strict=True))),
        alignment=Alignment(*(np.concatenate(parts) for parts in zip(*alignments, strict=True))),
        mean=mean,
        deviation=deviation,
        whole_count=len(places),
    )


def _cut(values: Array, starts: Sequence[int]) -> Array:
    return values[np.asarray(starts)[:, None] + np.arange(LENGTH)]


def _local(source: Source, starts: Sequence[int]) -> Local:
    return Local(_cut(source.clip.positions, starts), _cut(source.clip.rotations, starts))


def _alignment(source: Source, starts: Sequence[int]) -> Alignment:
    """Return how windows of one source are aligned."""
    positions = source.space.to_metres(_cut(source.clip.world[0], starts))
    hips = positions[:, GIVEN - 1, [source.roles.left.thigh, source.roles.right.thigh]]
    across = hips[:, 0] - hips[:, 1]
    heading = np.arctan2(-across[:, 2], across[:, 0])  # of the front, from +Z towards +X: left is +X where front is +Z
    back = quaternion.exp(np.stack([0 * heading, -heading, 0 * heading], axis=-1))
    centre = quaternion.rotate(back, positions[:, :, 0].mean(axis=1)) * np.array([1.0, 0.0, 1.0])
    turn = quaternion.multiply(back, source.space.rotation)
    return Alignment(np.full(len(starts), source.space.scale), turn, centre)


def _statistics(sources: Sequence[Source]) -> tuple[Array, Array]:
    """Return mean and standard deviation (J, 3) of aligned positions over all frames of all windows."""
    count, total, squares = 0, 0.0, 0.0
    for source in sources:
        if len(source.starts):
            world = source.clip.world
            aligned = _alignment(source, source.starts).apply(*(_cut(part, source.starts) for part in world)).positions
            count += aligned.shape[0] * aligned.shape[1]
            total += aligned.sum(axis=(0, 1))
            squares += (aligned**2).sum(axis=(0, 1))
    mean = np.asarray(total / count)
    return mean, np.sqrt(squares / count - mean**2)
