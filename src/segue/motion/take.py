"""A take: a clip that is understood, with the figure that follows it. It is where motions get their functions from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.roles import Roles, find_roles, load_map
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.interpolate import Hole, HoleEnds, merged_holes
from segue.dynamics import FigureTree
from segue.errors import ArgumentError, SkeletonError
from segue.motion.carry import Carry, Residual
from segue.motion.clip import Clip
from segue.motion.contacts import Contact, find_contacts, foot_points
from segue.motion.door import check_fitted, check_lengths, check_numbers, check_rate
from segue.motion.doubt import Doubt, is_strained, straightened, trusted_frames
from segue.motion.fit import Fit, Progress, fit_figure, refit
from segue.motion.options import ClipOptions, RoleMap
from segue.motion.pose_curves import PoseCurves
from segue.motion.reference import Sampled
from segue.motion.report import FitReport, fit_report
from segue.motion.resample import ClipCurves, resample, select_frames
from segue.motion.space import Space, find_space
from segue.motion.state import Sample, State
from segue.motion.tpose import added_frames
from segue.motion.wearer import Wearer
from segue.typing import Array, Ints

_MATTERING = 0.01
"""The share of frames below which what they say of the person does not matter: the figure is scaled to a mean."""


class Sketch:
    """Poses of a figure that no clip stands behind, such as computed ones, as a source of functions."""

    def __init__(self, figure: Figure, poses: Poses, fps: float) -> None:
        if len(poses) == 0 or not (np.isfinite(fps) and fps > 0):
            raise ArgumentError(f"{len(poses)} poses at {fps} frames a second make no motion: both must be positive")
        self.figure = figure
        self.name = "poses"
        self.fps = float(fps)
        self.duration = (len(poses) - 1) / self.fps
        self.notes: tuple[str, ...] = ()
        self._curves = PoseCurves(poses, self.fps)

    def mended(self, holes: Iterable[Hole]) -> Sketch:
        """Return this sketch with curves that leave out some of its poses, as `Take.mended` does."""
        sketch = copy(self)
        sketch._curves = self._curves.mended(holes)
        return sketch

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration."""
        return self._curves.sample(track, times)

    def state(self, times: Array) -> State:
        """Return the whole figure's state."""
        return self._curves.state(times)


class Take(Wearer):
    """A clip with what its joints and numbers mean, and, once asked for, the figure fitted to it.

    set_aside: the frames before the clip's first in its file, which are no part of the motion. Raises where the
    rate or a position cannot be that of a person.
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
        self._whole: Take | None = None
        self._original: Take | None = None
        self._seen = clip
        self._fit: Fit | None = None

    @property
    def name(self) -> str:
        """What the clip is called: its file's name without suffix, where it has one."""
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
    def original(self) -> Take:
        """The take that this one was first made from: the same for two takes that show the same clip."""
        return self._original or self

    @property
    def whole(self) -> Take:
        """The take without holes whose figure and fit this one has: the same for two takes with the same fit."""
        return self._whole or self

    def mended(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> Take:
        """Return this take with curves that leave out some of its frames, besides those that they leave out already.

        holes: pairs of frames; those between the two are not looked at. ends: how the curves end there. Clip, figure
        and fit are shared, and frames that are shown as they are stay exact.
        """
        take = self._copy()
        take.holes = merged_holes((*self.holes, *holes), len(self.clip))
        take._ends = ends
        take._whole = self.whole
        return take

    def doubted(self, doubts: Sequence[Doubt], *, rescale: bool) -> Take:
        """Return this take, without its holes, with a figure that was fitted without looking at what is doubted.

        There it is fitted to joints that go straight from the one trusted frame to the other. rescale: whether the
        figure may be scaled anew, from trusted frames, where the others are enough to matter. The clip is the same, and
        so are frames that are shown as they are.
        """
        whole, take = self.whole, self._copy()
        take._seen = straightened(whole._seen, whole.carry.driven, doubts)
        holes = merged_holes((doubt.hole for doubt in doubts), len(self.clip))
        old, new = whole.fit(), refit(whole.fit(), take.sampled, holes)
        if (
            rescale
            and any(is_strained(old, hole) for hole in holes)
            and _frames_in(holes) > _MATTERING * len(self.clip)
        ):
            take._fit = take._fitted(trusted=trusted_frames(new))
        else:
            take._fit, take.carry = new, whole.carry
        return take

    def fitted_as(self, whole: Take) -> Take:
        """Return this take, with its holes, with the figure and the fit of another one of the same clip."""
        return whole.mended(self.holes, self._ends) if self.holes else whole

    def _copy(self) -> Take:
        """Return another take of the same clip."""
        take = Take(
            self.clip,
            self.roles,
            self.space,
            notes=self.notes,
            mass=self._mass,
            sex=self._sex,
            set_aside=self.set_aside,
        )
        take._original = self.original
        return take

    @cached_property
    def sampled(self) -> Sampled:
        """The joints that the figure is fitted to, in metres, Y up."""
        return _in_metres(self._seen, self.space)

    def fit(self, progress: Progress | None = None) -> Fit:
        """Return the figure fitted to the clip; computed once."""
        if self._whole is not None:
            return self._whole.fit(progress)
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
        """Compute now what else would be when first needed: fit, curves, the way back to the skeleton, and masses."""
        poses = self.fit(progress).poses
        self.residual_at(np.zeros(1))
        # what all trees of a figure have in common is kept when the first is made
        _ = FigureTree.about(self.figure, poses).program

    @property
    def figure(self) -> Figure:
        """The figure scaled to the person in the clip."""
        return self.fit().figure

    @cached_property
    def _curves(self) -> PoseCurves:
        if self._whole is not None:
            return self._whole._curves.mended(self.holes, self._ends)
        return PoseCurves(self.fit().poses, self.fps)

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration."""
        return self._curves.sample(track, times)

    def state(self, times: Array) -> State:
        """Return the whole figure's state."""
        return self._curves.state(times)

    @cached_property
    def clip_curves(self) -> ClipCurves:
        """The curves through the clip's frames, on its own skeleton."""
        if self._original is not None:
            known = self._original.clip_curves
            return known.mended(self.holes, self._ends) if self.holes else known
        return ClipCurves(self.clip)

    @cached_property
    def _seen_curves(self) -> ClipCurves:
        """The curves through the frames that the figure is fitted to: what it leaves out of others means nothing."""
        if self._whole is not None:
            return self._whole._seen_curves.mended(self.holes, self._ends)
        return self.clip_curves if self._seen is self.clip else ClipCurves(self._seen)

    @property
    def skeleton(self) -> Skeleton:
        """The clip's own joints."""
        return self.clip.skeleton

    @cached_property
    def carry(self) -> Carry:
        """The way from poses of the figure to the clip's skeleton."""
        if self._whole is not None:
            return self._whole.carry
        return Carry(self._seen, self.roles, self.space, self.fit())

    @cached_property
    def residual(self) -> Residual:
        """What the figure leaves out of the frames that it is fitted to."""
        if self._whole is not None:
            return self._whole.residual
        return self.carry.residual(self._seen.positions, self._seen.rotations, self.fit().poses)

    @cached_property
    def mean_residual(self) -> Residual:
        """The residual of no frame in particular, for poses that no frame of the clip stands behind."""
        whole = self.residual
        return Residual(
            quaternion.mean(whole.turns)[None], whole.seat.mean(axis=0)[None], whole.positions.mean(axis=0)[None]
        )

    def residual_at(self, times: Array) -> Residual:
        """Return what the figure leaves out of the clip at any times within it, each along its own curves."""
        positions, rotations = self._seen_curves.joints_at(times)
        return self.carry.residual(positions, rotations, self.state(times).poses)

    def contacts(self) -> list[Contact]:
        """Return when heels and toes stand on the floor."""
        points = foot_points(self.clip, self.roles, self.space)
        return find_contacts(self.clip.times, points, self.space.stature)

    def report(self) -> FitReport:
        """Return how well the figure follows the clip."""
        return fit_report(self.fit(), self.clip.skeleton, self.sampled)


def understand(clip: Clip, options: ClipOptions | None = None) -> Take:
    """Find which joint is what, units and up axis; set aside first frames that the motion leaves by a leap.

    Raises SkeletonError where no person can be recognised.
    """
    options = options or ClipOptions()
    roles = recognise(clip, options.map)
    added = added_frames(clip, roles)
    set_aside = select_frames(clip, 0, added) if added else None
    if added:
        clip = select_frames(clip, added, len(clip))
    space = find_space(clip, roles, scale=options.scale, up=options.up)
    notes = space.notes
    if added:
        notes += (_set_aside_note(added),)
    return Take(clip, roles, space, notes=notes, mass=options.mass, sex=options.sex, set_aside=set_aside)


def _set_aside_note(count: int) -> str:
    """Return the sentences on first frames that are no part of the motion."""
    frames, last, after = (
        ("The first frame is", "it", "it") if count == 1 else (f"The first {count} frames are", "the last", "them")
    )
    return (
        f"{frames} set aside, not part of the motion: the body leaps from {last} to the next frame, as from an added T "
        f"pose. Time 0 is the frame after {after}."
    )


def recognise(clip: Clip, map: RoleMap | None = None) -> Roles:
    """Return which joint of a clip is what, from names and, where they fail, from how the joints move."""
    check_numbers(clip)
    given = load_map(map) if isinstance(map, str | Path) else map
    return find_roles(clip.skeleton, clip.world[0][:: max(1, len(clip) // 200)], given)


def at_rate(clip: Clip, fps: float, map: RoleMap | None = None) -> Clip:
    """Return a whole clip at another rate; frames that were added before the motion stay as they are."""
    try:
        roles = recognise(clip, map)
    except SkeletonError:
        return resample(clip, fps)  # what is no person has no T pose either
    return resample(clip, fps, apart=added_frames(clip, roles))


def _frames_in(holes: Iterable[Hole]) -> int:
    return sum(after - before - 1 for before, after in holes)


def _in_metres(clip: Clip, space: Space) -> Sampled:
    positions, rotations = clip.world
    return Sampled.at_rate(space.to_metres(positions), space.turn(rotations), clip.fps)


def _rest_pose(clip: Clip) -> Clip:
    """Return one frame of the skeleton at rest: with the rest rotations its file gave, or none."""
    details = clip.origin.details if clip.origin is not None else None
    known = (details or {}).get("rest_rotations")
    rotations = quaternion.identity(len(clip.skeleton)) if known is None else np.asarray(known, dtype=float)
    return Clip.on(clip.skeleton, clip.offsets[None].copy(), rotations[None].copy(), clip.fps)
