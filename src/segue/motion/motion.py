"""A motion: for each track of the figure, the times at which functions define it [Rose1996, section 4]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Unpack

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.compiled.kernel import interruptible
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.contacts import Contact
from segue.motion.fills import FillReport, fills_of
from segue.motion.fit import Fit, Progress
from segue.motion.functions import Piece, PoseSource
from segue.motion.ground import Ground
from segue.motion.interval import Interval, Track
from segue.motion.options import ClipOptionNames, ClipOptions, clip_options
from segue.motion.report import FitReport
from segue.motion.resample import frame_count
from segue.motion.time_segments import ALL, TimeSegments
from segue.motion.track_table import TrackSpan, TrackTable, conflicts_of, gaps_of
from segue.motion.tracks import TRACKS, Sample, State, kind_of, tracks_of
from segue.typing import Array

FigureSource = ClipSource | PoseSource
"""A source with a figure and a rate of its own, which motions are written on."""


class Shown(Protocol):
    """A page that a notebook shows as the value of a cell."""

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        ...

    def display(self) -> None:
        """Show the page in a notebook from the middle of a cell."""
        ...


class Motion:
    """Tracks of some or all joints of the 44-DOF figure over time, and the source that they are written back on.

    `Motion.from_clip`, `Motion.from_poses` and `segue.load` make motions. Operators make motions from others: `a & b`
    (where both are defined), `a - b` (a without the times where b is defined), `a + b` (both; a conflict where both are
    defined), and the functions of `segue.motion.operators`. Motions are immutable. Operators compose functions, and
    neither resample nor copy frames.

    source: the clip or poses whose skeleton and figure the motion is written on. set_aside: frames of the file before
    time 0 that are not part of the motion, such as an added T pose, or None. `save` writes them first. Loading and
    `fill` keep them; every other operator drops them.
    """

    def __init__(self, tracks: Mapping[str, Track], source: FigureSource, set_aside: Clip | None = None) -> None:
        self.tracks = tracks if isinstance(tracks, TrackTable) else TrackTable(tracks)
        self.source = source
        self.set_aside = set_aside

    @classmethod
    def from_clip(
        cls,
        clip: Clip,
        options: ClipOptions | None = None,
        **given: Unpack[ClipOptionNames],
    ) -> Motion:
        """Return a clip as a motion of the figure, which is fitted when first needed.

        given: fields of `ClipOptions` by name, as `mass=70.0`; they replace those of `options`.
        """
        return cls.from_source(ClipSource.from_clip(clip, clip_options(options, given)))

    @classmethod
    def from_poses(
        cls,
        figure: Figure,
        poses: Poses,
        fps: float,
        *,
        start: float = 0.0,
        joints: str | Iterable[str] = "whole_body",
    ) -> Motion:
        """Return poses of a figure at a fixed rate as a motion of all or some joints, from `start` on."""
        tracks = tracks_of(joints)
        whole = cls.from_source(PoseSource(figure, poses, fps))
        moved = whole.tracks.changed(lambda part: part.retimed(1.0, -start))
        return cls(moved if len(tracks) == len(TRACKS) else moved.only(tracks), whole.source)

    @classmethod
    def from_source(cls, source: FigureSource) -> Motion:
        """Return all of a source as a motion."""
        # an interval cannot be empty: a single frame lasts one frame period
        stop = source.duration if source.duration > 0 else 1.0 / source.fps
        tracks = TrackTable.from_shared(Track((Interval(0.0, stop, (Piece(source),)),)))
        return cls(tracks, source, source.set_aside if isinstance(source, ClipSource) else None)

    def __repr__(self) -> str:
        what = "whole body" if self.tracks.is_full_body else f"{len(self.tracks)} of {len(TRACKS)} tracks"
        return f"Motion({what}, {self.start:g} to {self.stop:g} s, {self.fps:g} fps)"

    def __and__(self, other: Motion) -> Motion:
        return Motion(self.tracks & other.tracks, self._with(other))

    def __sub__(self, other: Motion) -> Motion:
        return Motion(self.tracks - other.tracks, self.source)

    def __add__(self, other: Motion) -> Motion:
        return Motion(self.tracks + other.tracks, self._with(other))

    def _with(self, other: Motion) -> FigureSource:
        """Return the source of a combination: the first operand's, unless only the other is of a clip or has a root."""
        here, there = "root_position" in self.tracks, "root_position" in other.tracks
        if isinstance(other.source, ClipSource) and (not isinstance(self.source, ClipSource) or (there and not here)):
            return other.source
        return self.source

    @cached_property
    def start(self) -> float:
        """When the first track begins, in seconds."""
        return self.tracks.start

    @cached_property
    def stop(self) -> float:
        """When the last track ends, in seconds."""
        return self.tracks.stop

    @property
    def fills(self) -> tuple[FillReport, ...]:
        """The reports of the gaps in the motion that were filled, in order of time."""
        return fills_of(self.tracks)

    @property
    def duration(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start

    @property
    def fps(self) -> float:
        """Frames a second of the source, the default rate of written frames."""
        return self.source.fps

    @property
    def times(self) -> Array:
        """Times of the frames at the motion's own rate, in seconds."""
        if isinstance(self.source, ClipSource) and len(self.source.clip) == 1 and self.duration <= 1.0 / self.fps:
            return np.array([self.start])
        return self.start + np.arange(frame_count(self.duration, self.fps, 3)) / self.fps

    def times_at(self, fps: float | None) -> Array:
        """Return the times of frames at another rate, or at the motion's own if None."""
        if fps is None or fps == self.fps:
            return self.times
        return self.start + np.arange(frame_count(self.duration, fps, len(TRACKS))) / fps

    def __len__(self) -> int:
        return len(self.times)

    @property
    def figure(self) -> Figure:
        """The figure of the source: its lengths, mass and limits."""
        return self.source.figure

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on how the source was recognised."""
        return self.source.notes

    @property
    def clip_source(self) -> ClipSource:
        """The source, if it is a clip; raises ArgumentError if the motion was made from poses."""
        if not isinstance(self.source, ClipSource):
            raise ArgumentError("this motion was made from poses: there is no clip behind it")
        return self.source

    def fit(self, progress: Progress | None = None) -> Fit:
        """Return the figure fitted to the source clip; computed once."""
        return self.clip_source.fit(progress)

    def report(self) -> FitReport:
        """Return how well the figure follows the source clip."""
        return self.clip_source.report()

    def contacts(self) -> list[Contact]:
        """Return when heels and toes of the source clip stand on the floor."""
        return self.clip_source.contacts()

    @cached_property
    def ground(self) -> Ground:
        """The ground under the feet, found from where they rest: see `Ground.find`."""
        return Ground.find(self)

    @property
    def poses(self) -> Poses:
        """The figure's poses at the motion's own frames."""
        return self.at(self.times)

    def at(self, times: npt.ArrayLike) -> Poses:
        """Return the whole figure's poses at any times within the motion.

        Raises ArgumentError with joints and times if a track is undefined or in conflict.
        """
        return self.state(times).poses

    @interruptible
    def state(self, times: npt.ArrayLike, tracks: str | Iterable[str] | None = None) -> State:
        """Return the figure's poses, velocities and accelerations at any times within the motion.

        tracks: the wanted joints, limb groups or tracks, or None for all; the others are zero and at rest. Raises
        ArgumentError with joints and times if a wanted track is undefined or in conflict.
        """
        named = tracks if tracks is None or isinstance(tracks, str) else tuple(tracks)
        return self.segments.state(_checked_times(times), _track_mask(named))

    @cached_property
    def segments(self) -> TimeSegments:
        """The time segments between the edges of tracks, and the functions that are active in each."""
        return TimeSegments(self.tracks)

    def sample(self, track: str, times: npt.ArrayLike) -> Sample:
        """Return one track's value, velocity and acceleration at any times at which it is defined."""
        state = self.segments.state(_checked_times(times), _single_mask(track)).of(track)
        return Sample(*(part.copy() for part in state))

    @interruptible
    def to_clip(self, fps: float | None = None, *, start: float | None = None, stop: float | None = None) -> Clip:
        """Return frames on the source's skeleton, in its units and axes, at the source's rate or another.

        Frames that no operator changed are exactly those of the source. Changed frames are the figure's poses with the
        source's residuals. start, stop: return only the frames between these times, in seconds, both included; the
        motion may be undefined elsewhere. Frames that were set aside are left out.
        """
        from segue.motion.retarget import retarget  # it needs this module

        return retarget(self, fps, self.start if start is None else start, self.stop if stop is None else stop)

    def to_arrays(self, fps: float | None = None) -> dict[str, Any]:
        """Return the motion as NumPy arrays in metres with Y up, at its own rate or another.

        On the source's skeleton: names, parents, offsets, positions, rotations, world_positions. On the figure: its
        degrees of freedom and their velocities. `about` is JSON with the shape, unit and meaning of each array.
        """
        from segue.motion.arrays import motion_arrays  # it needs this module

        return motion_arrays(self, fps)

    def show(self) -> Shown:
        """Return a page that plays the motion. A notebook shows it as a cell's value; its `save` writes it as HTML.

        `segue.show` shows several motions side by side.
        """
        # an outer package, which draws motions, and whose libraries are slow to import
        shown: Shown = import_module("segue.files").show(self)
        return shown


@lru_cache(maxsize=256)
def _track_mask(names: str | tuple[str, ...] | None) -> npt.NDArray[np.bool_]:
    """Return the mask of the named tracks, in the order of `TRACKS`; of all if None."""
    chosen = TRACKS if names is None else tracks_of(names)
    return ALL if len(chosen) == len(TRACKS) else np.array([track in chosen for track in TRACKS])


@lru_cache(maxsize=len(TRACKS))
def _single_mask(track: str) -> npt.NDArray[np.bool_]:
    kind_of(track)
    return np.array([name == track for name in TRACKS])


def _checked_times(times: npt.ArrayLike) -> Array:
    wanted = np.atleast_1d(np.asarray(times, dtype=float))
    if not np.isfinite(wanted).all():
        raise ArgumentError(f"time {wanted[~np.isfinite(wanted)][0]} is not a time in seconds")
    return wanted


def check_motion(what: str, value: object) -> None:
    """Raise ArgumentError if a value is not a motion; what: the beginning of the sentence, as "fill needs"."""
    if not isinstance(value, Motion):
        raise ArgumentError(f"{what} a motion, not {value!r}: load one, or make it of a clip or of poses")


def gaps(motion: Motion) -> tuple[TrackSpan, ...]:
    """Return the gaps: times between start and stop at which tracks of the motion are undefined."""
    return gaps_of(motion.tracks, motion.start, motion.stop)


def conflicts(motion: Motion) -> tuple[TrackSpan, ...]:
    """Return the conflicts: times at which more than one function defines a track."""
    if not any(interval.is_conflict for track in motion.tracks.unique_tracks for interval in track):
        return ()
    return conflicts_of(motion.tracks)
