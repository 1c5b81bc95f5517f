"""A motion: a clip seen as the motion of our figure, and the way back to the clip's own skeleton."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.roles import Roles, find_roles
from segue.curves import quaternion
from segue.curves.interpolate import interpolate_positions, interpolate_rotations
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion.carry import Carry, Residual
from segue.motion.clip import Clip
from segue.motion.contacts import Contact, find_contacts, foot_points
from segue.motion.fit import Fit, Progress, fit_figure
from segue.motion.reference import Sampled
from segue.motion.report import FitReport, fit_report
from segue.motion.resample import resample, select_frames
from segue.motion.space import Space, find_space
from segue.motion.tpose import has_added_tpose

__all__ = ["Motion", "RoleMap"]

RoleMap = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True, eq=False)
class _Edit:
    """Frames (T,) of which the poses were changed, and all poses."""

    frames: npt.NDArray[np.bool_]
    poses: Poses


class Motion:
    """The motion of a 44-DOF figure that follows a clip, and can be written back on the clip's skeleton.

    Made by `Motion.from_clip` or `segue.load`. The figure is fitted when it is first asked for; a motion that is only
    written back needs no fit at all. Motions do not change: what edits one returns another.
    """

    def __init__(
        self, clip: Clip, roles: Roles, space: Space, *, mass: float | None = None, sex: str = "average"
    ) -> None:
        self.clip = clip
        self.roles = roles
        self.space = space
        self.notes: tuple[str, ...] = space.notes
        self._mass = mass
        self._sex = sex
        self._fit: Fit | None = None
        self._edit: _Edit | None = None

    @classmethod
    def from_clip(
        cls,
        clip: Clip,
        *,
        scale: float | None = None,
        up: str | None = None,
        map: RoleMap | None = None,
        mass: float | None = None,
        sex: str = "average",
    ) -> Motion:
        """Understand a clip: which joint is what, its units and up axis; an added T pose at its start is left out.

        scale: metres per unit; up: "Y" or "Z"; map: role -> joint name; each is found where not given. mass (kg) and
        sex ("female", "male", "average") are the figure's. Raises SkeletonError where no person can be recognised.
        """
        roles = find_roles(clip.skeleton, _some_frames(clip), map)
        space = find_space(clip, roles, scale=scale, up=up)
        motion = cls(clip, roles, space, mass=mass, sex=sex)
        if has_added_tpose(clip, roles):
            motion.clip = select_frames(clip, 1, len(clip))
            motion.notes += ("The first frame is an added T pose: it is not part of the motion.",)
        return motion

    def __len__(self) -> int:
        return len(self.clip)

    def __repr__(self) -> str:
        return f"Motion({self.roles.family}, {len(self)} frames at {self.fps:g} fps, {self.duration:.2f} s)"

    @property
    def fps(self) -> float:
        """Frames a second of the source."""
        return self.clip.fps

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return self.clip.duration

    @property
    def times(self) -> Array:
        """Times of the source's frames in seconds, the first at 0."""
        return self.clip.times

    @cached_property
    def _sampled(self) -> Sampled:
        return _in_metres(self.clip, self.space)

    def fit(self, progress: Progress | None = None) -> Fit:
        """Return the figure fitted to the source clip; computed once."""
        if self._fit is None:
            self._fit = fit_figure(
                self.clip.skeleton,
                self.roles,
                self._sampled,
                _in_metres(_rest_pose(self.clip), self.space),
                self.space.stature,
                mass=self._mass,
                sex=self._sex,
                progress=progress,
            )
        return self._fit

    @property
    def figure(self) -> Figure:
        """The figure scaled to the person in the clip."""
        return self.fit().figure

    @property
    def poses(self) -> Poses:
        """The figure's poses at the source's frames."""
        return self._edit.poses if self._edit else self.fit().poses

    def at(self, times: npt.ArrayLike) -> Poses:
        """Return the figure's poses at any times within the motion, along C2 curves through the frames."""
        wanted = np.atleast_1d(np.asarray(times, dtype=float))
        outside = (wanted < -1e-9) | (wanted > self.duration + 1e-9) | ~np.isfinite(wanted)
        if outside.any():
            raise ArgumentError(f"time {wanted[outside][0]:g} s is outside the motion, which lasts {self.duration:g} s")
        poses = self.poses
        return Poses(
            interpolate_positions(self.times, poses.root, wanted),
            interpolate_rotations(self.times, poses.balls, wanted),
            interpolate_positions(self.times, poses.hinges, wanted),
        )

    def contacts(self) -> list[Contact]:
        """Return when heels and toes of the source clip stand on the floor."""
        points = foot_points(self.clip, self.roles, self.space)
        return find_contacts(self.times, points, self.space.stature)

    def report(self) -> FitReport:
        """Return how well the figure follows the source clip."""
        return fit_report(self.fit(), self.clip.skeleton, self._sampled)

    def with_poses(self, frames: npt.ArrayLike, poses: Poses) -> Motion:
        """Return a motion in which the given frames have other poses of the figure; all others stay as they are.

        frames: indices, as many as there are poses.
        """
        indices = np.atleast_1d(np.asarray(frames, dtype=np.int64))
        if len(indices) != len(poses):
            raise ArgumentError(f"{len(indices)} frames are named and {len(poses)} poses given: there must be as many")
        if len(indices) and not (indices.min() >= 0 and indices.max() < len(self)):
            raise ArgumentError(f"frame {indices.max()} does not exist: the motion has frames 0 to {len(self) - 1}")
        old = self.poses
        root, balls, hinges = old.root.copy(), old.balls.copy(), old.hinges.copy()
        root[indices], balls[indices], hinges[indices] = poses.root, poses.balls, poses.hinges
        touched = self._edit.frames.copy() if self._edit else np.zeros(len(self), dtype=bool)
        touched[indices] = True
        edited = Motion(self.clip, self.roles, self.space, mass=self._mass, sex=self._sex)
        edited.notes = self.notes
        edited._fit = self._fit
        edited._edit = _Edit(touched, Poses(root, quaternion.make_continuous(balls), hinges))
        return edited

    @cached_property
    def carry(self) -> Carry:
        """The way from poses of the figure to the source's skeleton."""
        return Carry(self.clip, self.roles, self.space, self.fit().calibration)

    @cached_property
    def residual(self) -> Residual:
        """What the fitted figure leaves out of the source clip."""
        return self.carry.residual(self.clip, self.fit().poses)

    def to_clip(self, fps: float | None = None) -> Clip:
        """Return frames on the source's skeleton, in its units and axes, at the source's rate or another.

        Frames that nothing changed are those of the source, exactly; changed ones are the figure's poses with the
        source's residuals put on.
        """
        clip = self.clip if self._edit is None else self._dressed(self._edit)
        return clip if fps is None else resample(clip, fps)

    def _dressed(self, edit: _Edit) -> Clip:
        changed = np.flatnonzero(edit.frames)
        positions, rotations = self.clip.positions.copy(), self.clip.rotations.copy()
        chosen = Poses(edit.poses.root[changed], edit.poses.balls[changed], edit.poses.hinges[changed])
        positions[changed], rotations[changed] = self.carry.dress(chosen, self.residual[changed])
        origin = self.clip.origin
        if origin is not None and origin.rows is not None:
            rows = origin.rows.copy()
            rows[changed] = np.nan
            origin = replace(origin, rows=rows)
        return Clip.on(self.clip.skeleton, positions, quaternion.make_continuous(rotations), self.fps, origin=origin)


def _in_metres(clip: Clip, space: Space) -> Sampled:
    positions, rotations = clip.world
    return Sampled(space.to_metres(positions), space.turn(rotations))


def _rest_pose(clip: Clip) -> Clip:
    """Return one frame of the skeleton at rest: with the rest rotations its file gave, or none."""
    details = clip.origin.details if clip.origin is not None else None
    known = (details or {}).get("rest_rotations")
    rotations = quaternion.identity(len(clip.skeleton)) if known is None else np.asarray(known, dtype=float)
    return Clip.on(clip.skeleton, clip.offsets[None].copy(), rotations[None].copy(), clip.fps)


def _some_frames(clip: Clip) -> Array:
    return clip.world[0][:: max(1, len(clip) // 200)]
