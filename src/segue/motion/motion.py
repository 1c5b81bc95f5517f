"""A motion: for each track of the figure, when it is defined and by which functions of time [Rose1996, section 4]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Unpack

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.contacts import Contact
from segue.motion.fills import FillReport, fills_of
from segue.motion.fit import Fit, Progress
from segue.motion.functions import Function, Piece
from segue.motion.interrupt import interruptible
from segue.motion.interval import TINY, Interval, Track
from segue.motion.options import ClipOptionNames, ClipOptions, clip_options
from segue.motion.presenting import Shown, present
from segue.motion.report import FitReport
from segue.motion.resample import frame_count
from segue.motion.state import Sample, State
from segue.motion.take import Sketch, Take, understand
from segue.motion.time_segments import ALL, TimeSegments, only_function, undefined_error
from segue.motion.track_table import Stretch, TrackTable, conflicts_of, gaps_of
from segue.motion.tracks import TRACKS, Kind, kind_of, tracks_of
from segue.typing import Array

_WIDTH = {Kind.POSITION: (3,), Kind.ROTATION: (4,), Kind.ANGLE: ()}


class Motion:
    """Tracks of some or all joints of the 44-DOF figure over time, and where they came from.

    Made by `Motion.from_clip`, `Motion.from_poses` or `segue.load`, and from other motions by operators: `a & b` (where
    both are defined), `a - b` (a without the times where b is defined), `a + b` (both; where both are defined, a
    conflict), and the functions of `segue.motion.operators`. Motions do not change, and copying one costs nothing:
    operators compose functions, they do not resample. host: whose skeleton and figure the motion is written on.
    set_aside: frames of the file that come before time 0 and are no part of the motion, such as an added T pose; None
    in most. `save` writes them first. Loading and `fill` keep them, every other operator drops them.
    """

    def __init__(self, tracks: Mapping[str, Track], host: Take | Sketch, set_aside: Clip | None = None) -> None:
        self.tracks = tracks if isinstance(tracks, TrackTable) else TrackTable(tracks)
        self.host = host
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
        return cls._whole(understand(clip, clip_options(options, given)))

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
        whole = cls._whole(Sketch(figure, poses, fps))
        moved = whole.tracks.changed(lambda part: part.retimed(1.0, -start))
        return cls(moved if len(tracks) == len(TRACKS) else moved.only(tracks), whole.host)

    @classmethod
    def _whole(cls, host: Take | Sketch) -> Motion:
        # a single frame lasts as long as a frame does: an empty interval could not be seen at all
        stop = host.duration if host.duration > 0 else 1.0 / host.fps
        tracks = TrackTable.from_shared(Track((Interval(0.0, stop, (Piece(host),)),)))
        return cls(tracks, host, host.set_aside if isinstance(host, Take) else None)

    def __repr__(self) -> str:
        what = "whole body" if self.tracks.is_full_body else f"{len(self.tracks)} of {len(TRACKS)} tracks"
        return f"Motion({what}, {self.start:g} to {self.stop:g} s, {self.fps:g} fps)"

    def __and__(self, other: Motion) -> Motion:
        return Motion(self.tracks & other.tracks, self._with(other))

    def __sub__(self, other: Motion) -> Motion:
        return Motion(self.tracks - other.tracks, self.host)

    def __add__(self, other: Motion) -> Motion:
        return Motion(self.tracks + other.tracks, self._with(other))

    def _with(self, other: Motion) -> Take | Sketch:
        """Return whose skeleton a combination is written on: the first operand's, unless only the other has a root."""
        here, there = "root_position" in self.tracks, "root_position" in other.tracks
        if isinstance(other.host, Take) and (not isinstance(self.host, Take) or (there and not here)):
            return other.host
        return self.host

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
        """Frames a second of the host, at which frames are written unless asked otherwise."""
        return self.host.fps

    @property
    def times(self) -> Array:
        """Times of the frames at the motion's own rate, in seconds."""
        if isinstance(self.host, Take) and len(self.host.clip) == 1 and self.duration <= 1.0 / self.fps:
            return np.array([self.start])
        return self.start + np.arange(frame_count(self.duration, self.fps, 3)) / self.fps

    def __len__(self) -> int:
        return len(self.times)

    @property
    def figure(self) -> Figure:
        """The figure that moves: its lengths, mass and limits."""
        return self.host.figure

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on how the source was understood."""
        return self.host.notes

    @property
    def take(self) -> Take:
        """The clip that the motion is written back on, understood and fitted."""
        if not isinstance(self.host, Take):
            raise ArgumentError("this motion was made from poses: there is no clip behind it")
        return self.host

    def fit(self, progress: Progress | None = None) -> Fit:
        """Return the figure fitted to the source clip; computed once."""
        return self.take.fit(progress)

    def report(self) -> FitReport:
        """Return how well the figure follows the source clip."""
        return self.take.report()

    def contacts(self) -> list[Contact]:
        """Return when heels and toes of the source clip stand on the floor."""
        return self.take.contacts()

    @property
    def poses(self) -> Poses:
        """The figure's poses at the motion's own frames."""
        return self.at(self.times)

    def at(self, times: npt.ArrayLike) -> Poses:
        """Return the whole figure's poses at any times within the motion.

        Raises ArgumentError with joints and times where a track is undefined or in conflict.
        """
        return self.state(times).poses

    @interruptible
    def state(self, times: npt.ArrayLike, tracks: str | Iterable[str] | None = None) -> State:
        """Return the figure's poses, velocities and accelerations at any times within the motion.

        tracks: the joints, limb groups or tracks that are wanted, all where None; the others are left zero and at rest.
        Raises ArgumentError with joints and times where a wanted track is undefined or in conflict.
        """
        named = tracks if tracks is None or isinstance(tracks, str) else tuple(tracks)
        return self.segments.state(_checked_times(times), _track_mask(named))

    @cached_property
    def segments(self) -> TimeSegments:
        """The time segments between the edges of tracks, and the functions that are active in each."""
        return TimeSegments(self.tracks)

    def sample(self, track: str, times: npt.ArrayLike) -> Sample:
        """Return one track's value, velocity and acceleration at any times at which it is defined."""
        kind = kind_of(track)
        wanted = _checked_times(times)
        defined = self.tracks.get(track)
        interval = defined and defined.at(float(wanted.min()))
        if defined and interval and interval is defined.at(float(wanted.max())):
            return only_function(track, interval).sample(track, wanted)
        width = _WIDTH[kind]
        rate = (3,) if width else ()
        out = Sample(*(np.empty(wanted.shape + shape) for shape in (width, rate, rate)))
        for function, chosen in self._functions_at(track, wanted):
            for part, values in zip(out, function.sample(track, wanted[chosen]), strict=True):
                part[chosen] = values
        return out

    def _functions_at(self, track: str, times: Array) -> Iterable[tuple[Function, npt.NDArray[np.int64]]]:
        """Yield each function of a track that rules at some of the times, with the indices of those times."""
        intervals = self.tracks[track].intervals if track in self.tracks else ()
        starts = np.array([interval.start for interval in intervals])
        stops = np.array([interval.stop for interval in intervals])
        which = np.searchsorted(starts, times + TINY, side="right") - 1
        undefined = (which < 0) | (times > np.append(stops, -np.inf)[which] + TINY)
        if undefined.any():
            raise undefined_error(track, times[undefined][0])
        order = np.argsort(which, kind="stable")
        edges = np.flatnonzero(np.diff(which[order], prepend=-1, append=len(intervals)))
        for first, last in pairwise(edges):
            chosen = order[first:last]
            yield only_function(track, intervals[which[chosen[0]]]), chosen

    def function_at(self, track: str, time: float) -> Function:
        """Return the one function that defines a track at a time."""
        interval = self.tracks[track].at(time) if track in self.tracks else None
        if interval is None:
            raise undefined_error(track, time)
        return only_function(track, interval)

    @interruptible
    def to_clip(self, fps: float | None = None, *, start: float | None = None, stop: float | None = None) -> Clip:
        """Return frames on the source's skeleton, in its units and axes, at the source's rate or another.

        Frames that no operator changed are those of the source, exactly; changed ones are the figure's poses with the
        source's residuals put on. start, stop: only the frames between these times, in seconds, both included; each is
        the frame that it is among all, and what lies outside may be undefined. Frames that were set aside are not
        among them.
        """
        from segue.motion.dress import dress  # the way back needs whole motions

        return dress(self, fps, self.start if start is None else start, self.stop if stop is None else stop)

    def show(self) -> Shown:
        """Return a page that plays the motion: a notebook's cell shows it, `save` writes it for any browser.

        `segue.show` shows several beside each other.
        """
        return present(self)


@lru_cache(maxsize=256)
def _track_mask(names: str | tuple[str, ...] | None) -> npt.NDArray[np.bool_]:
    """Return which tracks, in the order of `TRACKS`, are named; all where None."""
    chosen = TRACKS if names is None else tracks_of(names)
    return ALL if len(chosen) == len(TRACKS) else np.array([track in chosen for track in TRACKS])


def _checked_times(times: npt.ArrayLike) -> Array:
    wanted = np.atleast_1d(np.asarray(times, dtype=float))
    if not np.isfinite(wanted).all():
        raise ArgumentError(f"time {wanted[~np.isfinite(wanted)][0]} is not a time in seconds")
    return wanted


def check_motion(what: str, value: object) -> None:
    """Raise where what a user gave for a motion is none; what: who wants one, and for what."""
    if not isinstance(value, Motion):
        raise ArgumentError(f"{what} a motion, not {value!r}: load one, or make it of a clip or of poses")


def gaps(motion: Motion) -> tuple[Stretch, ...]:
    """Return when which tracks are undefined between start and stop; tracks the motion never defines do not count."""
    return gaps_of(motion.tracks, motion.start, motion.stop)


def conflicts(motion: Motion) -> tuple[Stretch, ...]:
    """Return when which tracks are defined by more than one function."""
    return conflicts_of(motion.tracks)
