"""Retarget a motion: write it as frames of its source's skeleton.

Between two edges, one function defines each track. If all functions show the same clip at the same time, the frame is
the clip's own, exactly or moved rigidly on the floor. Elsewhere the retargeter writes the figure's pose on the skeleton
with the residuals of the clips that the motion comes from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.quaternion_kernels import align_signs
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.functions import IDENTITY, Piece, Placement, TimeMap
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.resample import with_rows
from segue.motion.residual_track import ResidualTracks
from segue.motion.retargeter import move_joints, root_joints
from segue.motion.time_segments import ALL, ActiveFunctions
from segue.motion.tracks import TRACKS, describe
from segue.typing import Array

_TIPS = {
    "head": "head_top",
    "left_hand": "left_knuckles",
    "right_hand": "right_knuckles",
    "left_toes": "left_toe_tip",
    "right_toes": "right_toe_tip",
}


def retarget(motion: Motion, fps: float | None, start: float, stop: float) -> Clip:
    """Return a motion's frames from start to stop on its source's skeleton, or on the figure's if it has none.

    fps: the rate, or None for the motion's own. The times of frames do not depend on start and stop.
    """
    times = motion.times_at(fps)
    rate = motion.fps if fps is None else float(fps)
    first, last = np.searchsorted(times, (start - TINY, stop + TINY))
    times = times[first:last]
    if len(times) == 0:
        raise ArgumentError(f"no frame lies between {start:g} and {stop:g} s: frames are {1 / rate:g} s apart")
    return frames_at(motion, times, rate)


def frames_at(motion: Motion, times: Array, rate: float) -> Clip:
    """Return a motion at increasing times, as frames of a clip with a rate, on the skeleton as for `retarget`."""
    if not isinstance(motion.source, ClipSource):
        return figure_clip(motion.figure, motion.at(times), rate)
    if not motion.tracks.is_full_body:
        missing = [track for track in TRACKS if track not in motion.tracks]
        others = f" and {len(missing) - 1} more" if missing[1:] else ""
        raise ArgumentError(
            f"the motion does not define {describe(missing[0])}{others}: add a motion that defines the whole body"
        )
    writer = _FrameWriter(motion, motion.source, times)
    for chosen, sample_time, active in motion.segments.runs(times):
        active.check(ALL, float(times[chosen.start]))
        shown = _shown_clip(active)
        if shown is not None and shown.source.skeleton == motion.source.skeleton:
            writer.copy(chosen, shown)
        else:
            writer.retarget(chosen, active, sample_time)
    return writer.clip(rate)


class _ShownClip(NamedTuple):
    """A clip that a motion shows unmirrored: at which times, and where on the floor."""

    source: ClipSource
    time: TimeMap
    placement: Placement


def _shown_clip(active: ActiveFunctions) -> _ShownClip | None:
    """Return the clip that all tracks show at one time and place, unmirrored and in its own size, if they do."""
    chosen: _ShownClip | None = None
    for piece, _ in active.functions:
        if not isinstance(piece, Piece) or not isinstance(piece.source, ClipSource):
            return None
        if piece.mirror or piece.placement.scale != 1.0:
            return None
        shown = _ShownClip(piece.source, piece.time, piece.placement)
        if chosen is None:
            chosen = shown
        elif shown.source.original is not chosen.source.original or shown[1:] != chosen[1:]:
            return None
        elif len(shown.source.holes) > len(chosen.source.holes):
            chosen = shown  # no frame may show what one of its tracks leaves out
    return chosen


class _FrameWriter:
    """Writes frames of a clip source's skeleton, run by run."""

    def __init__(self, motion: Motion, source: ClipSource, times: Array) -> None:
        self._motion = motion
        self._source = source
        self._times = times
        count, joints = len(times), len(source.skeleton)
        self._positions = np.empty((count, joints, 3))
        self._rotations = np.empty((count, joints, 4))
        origin = source.clip.origin
        self._rows = None
        if origin is not None and origin.rows is not None:
            self._rows = np.full((count, origin.rows.shape[1]), np.nan)
        self._residuals = ResidualTracks(motion.tracks, source)

    def copy(self, chosen: slice, shown: _ShownClip) -> None:
        """Copy frames of a clip on the same skeleton, moved rigidly if the motion places them elsewhere."""
        at = np.clip(shown.time.rate * self._times[chosen] + shown.time.shift, 0.0, shown.source.duration)
        positions, rotations, rows = shown.source.clip_curves.at(at)
        if shown.placement != IDENTITY:
            roots = root_joints(shown.source.skeleton)
            positions, rotations = move_joints(positions, rotations, roots, shown.placement, shown.source.space)
            rows = None  # the file's numbers are those of another place
        self._positions[chosen] = positions
        self._rotations[chosen] = rotations
        if self._rows is not None and rows is not None and rows.shape[1] == self._rows.shape[1]:
            self._rows[chosen] = rows

    def retarget(self, chosen: slice, active: ActiveFunctions, sample_time: float) -> None:
        """Write the figure's poses on the skeleton, with residuals."""
        times = self._times[chosen]
        state = active.state(ALL, times) or self._motion.state(times)
        residual = self._residuals.at(times, sample_time)
        frames = self._source.retargeter.to_skeleton(state.poses, residual)
        self._positions[chosen], self._rotations[chosen] = frames

    def clip(self, fps: float) -> Clip:
        """Return all frames."""
        clip = self._source.clip
        align_signs(self._rotations)
        return Clip.from_arrays(
            clip.skeleton, self._positions, self._rotations, fps, origin=with_rows(clip.origin, self._rows)
        )


def figure_skeleton(figure: Figure) -> Skeleton:
    """Return the figure as a skeleton in metres, Y up: a joint a segment, named for it, in a T pose at rest."""
    ends = {HUMAN.segments.index(segment): figure.points[point][1] for segment, point in _TIPS.items()}
    return Skeleton(HUMAN.segments, HUMAN.parents, figure.offsets, ends)


def figure_clip(figure: Figure, poses: Poses, fps: float) -> Clip:
    """Return poses as a clip on the figure's own skeleton."""
    skeleton = figure_skeleton(figure)
    _, world = figure.forward(poses)
    rotations = world.copy()
    for s, parent in enumerate(HUMAN.parents):
        if parent >= 0:
            rotations[:, s] = quaternion.multiply(quaternion.conjugate(world[:, parent]), world[:, s])
    positions = np.tile(figure.offsets, (len(poses), 1, 1))
    positions[:, 0] = poses.root
    return Clip.from_arrays(skeleton, positions, quaternion.make_continuous(rotations), fps)
