"""A clip as the source of a motion: the roles of its joints, its unit and axes, and the figure fitted to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from segue.body.figure import Figure
from segue.body.roles import Roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.interpolate import Hole, HoleEnds, merged_holes
from segue.dynamics import FigureTree
from segue.motion.clip import Clip
from segue.motion.contacts import Contact, find_contacts, foot_points
from segue.motion.fit import Fit, Progress, fit_figure, refit
from segue.motion.functions import PoseSource
from segue.motion.options import ClipOptions, UntrustedSpan, follows_badly, straightened, trusted_frames
from segue.motion.recognise import added_frames, check_fitted, check_lengths, check_rate, recognise
from segue.motion.reference import Sampled
from segue.motion.report import FitReport, fit_report
from segue.motion.resample import ClipCurves, select_frames
from segue.motion.retargeter import Residual, Retargeter, SkeletonSource
from segue.motion.space import Space, find_space, stature_note, with_stature
from segue.motion.tracks import State
from segue.typing import Array, Ints

_FEW = 0.01
"""The share of frames below which untrusted frames do not change the size of the figure."""


class ClipSource(SkeletonSource):
    """A clip with the meaning of its joints and numbers. The figure is fitted to it when first needed.

    set_aside: the frames of the file before the clip's first, which are not part of the motion. Raises ArgumentError or
    FileFormatError if the rate or a position cannot be a person's.
    """

    def __init__(
        self,
        clip: Clip,
        roles: Roles,
        space: Space,
        *,
        notes: tuple[str, ...] = (),
        mass: float | None = None,
        sex: str = "average",
        set_aside: Clip | None = None,
    ) -> None:
        check_rate(clip)
        check_lengths(clip, space.scale, 0 if set_aside is None else len(set_aside))
        self.clip = clip
        self.set_aside = set_aside
        self.roles = roles
        self.space = space
        self.notes = notes
        self._mass = mass
        self._sex = sex
        self.holes: tuple[Hole, ...] = ()
        self._ends = HoleEnds.ONE_SIDED
        self._unpatched: ClipSource | None = None
        self._original: ClipSource | None = None
        self._fitted_clip = clip
        self._fit: Fit | None = None

    @classmethod
    def from_clip(cls, clip: Clip, options: ClipOptions | None = None) -> ClipSource:
        """Recognise the person, the unit and the up axis of a clip, and set aside frames added before the motion.

        Raises SkeletonError if no person can be recognised.
        """
        options = options or ClipOptions()
        if options.fps is not None:
            clip = clip.at_rate(options.fps)
        clip = with_stature(clip, options.stature)
        roles = recognise(clip, options.map)
        added = added_frames(clip, roles)
        set_aside = select_frames(clip, 0, added) if added else None
        if added:
            clip = select_frames(clip, added, len(clip))
        space = find_space(clip, roles, scale=options.scale, up=options.up)
        notes = space.notes + stature_note(clip)
        if added:
            notes += (_set_aside_note(added),)
        return cls(clip, roles, space, notes=notes, mass=options.mass, sex=options.sex, set_aside=set_aside)

    @property
    def name(self) -> str:
        """The name of the clip's file without suffix, or "clip"."""
        path = self.clip.origin.path if self.clip.origin is not None else None
        return Path(path).stem if path else "clip"

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self.clip.fps

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return self.clip.duration

    @property
    def original(self) -> ClipSource:
        """The first source made of the clip. Two sources of the same clip have the same original."""
        return self._original or self

    @property
    def unpatched(self) -> ClipSource:
        """The source with all frames that has the figure and the fit of this one."""
        return self._unpatched or self

    def without_frames(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> ClipSource:
        """Return this source with curves that leave out more of its frames.

        holes: pairs of frames; the curves leave out the frames between the two. ends: how the curves end there. Clip,
        figure and fit are shared. Frames that a motion shows unchanged stay exact.
        """
        source = self._copy()
        source.holes = merged_holes((*self.holes, *holes), len(self.clip))
        source._ends = ends
        source._unpatched = self.unpatched
        return source

    def refit_without(self, spans: Sequence[UntrustedSpan], *, rescale: bool) -> ClipSource:
        """Return this source, with all frames, with a figure that was fitted without the untrusted tracks.

        In each span the untrusted joints are interpolated between the trusted frames before the fit. rescale: whether
        the figure may be scaled again to the trusted frames if the others are many. The clip does not change.
        """
        unpatched, source = self.unpatched, self._copy()
        source._fitted_clip = straightened(unpatched._fitted_clip, unpatched.retargeter.joints_of_track, spans)
        holes = merged_holes((span.hole for span in spans), len(self.clip))
        old, new = unpatched.fit(), refit(unpatched.fit(), source.sampled, holes)
        frames = sum(after - before - 1 for before, after in holes)
        if rescale and any(follows_badly(old, hole) for hole in holes) and frames > _FEW * len(self.clip):
            source._fit = source._fitted(trusted=trusted_frames(new))
        else:
            source._fit, source.retargeter = new, unpatched.retargeter
        return source

    def with_fit_of(self, other: ClipSource) -> ClipSource:
        """Return this source, without the frames that it leaves out, with another source's figure and fit."""
        return other.without_frames(self.holes, self._ends) if self.holes else other

    def _copy(self) -> ClipSource:
        """Return another source of the same clip."""
        source = ClipSource(
            self.clip,
            self.roles,
            self.space,
            notes=self.notes,
            mass=self._mass,
            sex=self._sex,
            set_aside=self.set_aside,
        )
        source._original = self.original
        return source

    @cached_property
    def sampled(self) -> Sampled:
        """The frames that the figure is fitted to, in metres, Y up."""
        return _in_metres(self._fitted_clip, self.space)

    def fit(self, progress: Progress | None = None) -> Fit:
        """Return the figure fitted to the clip. It is computed once."""
        if self._unpatched is not None:
            return self._unpatched.fit(progress)
        if self._fit is None:
            self._fit = self._fitted(progress=progress)
        return self._fit

    def _fitted(self, trusted: Ints | None = None, progress: Progress | None = None) -> Fit:
        fit = fit_figure(
            self.clip.skeleton,
            self.roles,
            self.sampled,
            _in_metres(_rest_pose(self.clip), self.space),
            self.space.stature,
            mass=self._mass,
            sex=self._sex,
            trusted=trusted,
            progress=progress,
        )
        check_fitted(self.clip, fit.poses, 0 if self.set_aside is None else len(self.set_aside))
        return fit

    def prepare(self, progress: Progress | None = None) -> None:
        """Compute the fit, the curves, the retargeter and the inertias now instead of when first needed."""
        poses = self.fit(progress).poses
        self.residual_at(np.zeros(1))
        # the first tree of a figure keeps what all its trees share
        _ = FigureTree.about(self.figure, poses).program

    @property
    def figure(self) -> Figure:
        """The figure scaled to the person in the clip."""
        return self.fit().figure

    @cached_property
    def _poses(self) -> PoseSource:
        """The fitted poses."""
        if self._unpatched is not None:
            return self._unpatched._poses.without_frames(self.holes, self._ends)
        return PoseSource(self.figure, self.fit().poses, self.fps)

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at times, which are clamped to those of the clip."""
        return self._poses.state(times)

    @cached_property
    def clip_curves(self) -> ClipCurves:
        """The curves through the clip's frames, on its own skeleton."""
        if self._original is not None:
            known = self._original.clip_curves
            return known.without_frames(self.holes, self._ends) if self.holes else known
        return ClipCurves(self.clip)

    @cached_property
    def _fitted_curves(self) -> ClipCurves:
        """The curves through the frames that the figure is fitted to."""
        if self._unpatched is not None:
            return self._unpatched._fitted_curves.without_frames(self.holes, self._ends)
        return self.clip_curves if self._fitted_clip is self.clip else ClipCurves(self._fitted_clip)

    @property
    def skeleton(self) -> Skeleton:
        """The clip's own joints."""
        return self.clip.skeleton

    @cached_property
    def retargeter(self) -> Retargeter:
        """The map from poses of the figure to the clip's skeleton."""
        if self._unpatched is not None:
            return self._unpatched.retargeter
        return Retargeter(self._fitted_clip, self.roles, self.space, self.fit())

    @cached_property
    def residual(self) -> Residual:
        """The residual of the frames that the figure is fitted to."""
        if self._unpatched is not None:
            return self._unpatched.residual
        return self.retargeter.residual(self._fitted_clip.positions, self._fitted_clip.rotations, self.fit().poses)

    @cached_property
    def mean_residual(self) -> Residual:
        """The mean residual, one frame, for poses that do not come from a frame of the clip."""
        turns, pelvis_offset, positions = self.residual.turns, self.residual.pelvis_offset, self.residual.positions
        return Residual(quaternion.mean(turns)[None], pelvis_offset.mean(axis=0)[None], positions.mean(axis=0)[None])

    def residual_at(self, times: Array) -> Residual:
        """Return the residual at any times within the clip, from the curves of the clip and of the figure."""
        positions, rotations = self._fitted_curves.joints_at(times)
        return self.retargeter.residual(positions, rotations, self.state(times).poses)

    def contacts(self) -> list[Contact]:
        """Return when heels and toes stand on the floor."""
        points = foot_points(self.clip, self.roles, self.space)
        return find_contacts(self.clip.times, points, self.space.stature)

    def report(self) -> FitReport:
        """Return how well the figure follows the clip."""
        return fit_report(self.fit(), self.clip.skeleton, self.sampled)


def _set_aside_note(count: int) -> str:
    """Return the note on first frames that are not part of the motion."""
    frames, last, after = (
        ("The first frame is", "it", "it") if count == 1 else (f"The first {count} frames are", "the last", "them")
    )
    return (
        f"{frames} set aside, not part of the motion: the body jumps from {last} to the next frame, as from an added T "
        f"pose. Time 0 is the frame after {after}."
    )


def _in_metres(clip: Clip, space: Space) -> Sampled:
    positions, rotations = clip.world
    return Sampled.at_rate(space.to_metres(positions), space.turn(rotations), clip.fps)


def _rest_pose(clip: Clip) -> Clip:
    """Return one frame of the skeleton with the rest rotations of its file, or with no joint turned."""
    details = clip.origin.details if clip.origin is not None else None
    known = (details or {}).get("rest_rotations")
    rotations = quaternion.identity(len(clip.skeleton)) if known is None else np.asarray(known, dtype=float)
    return Clip.from_arrays(clip.skeleton, clip.offsets[None].copy(), rotations[None].copy(), clip.fps)
