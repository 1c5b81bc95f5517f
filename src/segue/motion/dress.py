"""A motion as frames of the user's own skeleton.

Between two edges, each track is one function of time. Where all of them show the same take at the same time, the frame
is the take's own, exactly (or moved rigidly on the floor); anywhere else the figure's pose is dressed with residuals,
each joint's from the take that its motion comes from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.curves.quaternion_kernels import align_signs
from segue.errors import ArgumentError
from segue.motion.carry import move_joints, standing_joints
from segue.motion.clip import Clip
from segue.motion.figure_clip import figure_clip
from segue.motion.functions import IDENTITY, Placement, TimeMap
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.resample import frame_count, with_rows
from segue.motion.residual_track import ResidualTracks, same_skeleton
from segue.motion.take import Take
from segue.motion.time_segments import ALL, ActiveFunctions
from segue.motion.tracks import TRACKS, describe
from segue.typing import Array


def dress(motion: Motion, fps: float | None, start: float, stop: float) -> Clip:
    """Return a motion's frames at a rate (its own where None) on its host's skeleton, or on the figure's own.

    Only those from start to stop; which times are frames' does not depend on that.
    """
    times = motion.times
    if fps is not None and fps != motion.fps:
        times = motion.start + np.arange(frame_count(motion.duration, fps, len(TRACKS))) / fps
    rate = motion.fps if fps is None else float(fps)
    first, last = np.searchsorted(times, (start - TINY, stop + TINY))
    times = times[first:last]
    if len(times) == 0:
        raise ArgumentError(f"no frame lies between {start:g} and {stop:g} s: frames are {1 / rate:g} s apart")
    if not isinstance(motion.host, Take):
        return figure_clip(motion.figure, motion.at(times), rate)
    if not motion.tracks.is_full_body:
        missing = [track for track in TRACKS if track not in motion.tracks]
        others = f" and {len(missing) - 1} more" if missing[1:] else ""
        raise ArgumentError(
            f"the motion says nothing of {describe(missing[0])}{others}: add a motion that defines the whole body"
        )
    wardrobe = _Wardrobe(motion, motion.host, times)
    for chosen, sample_time, active in motion.segments.runs(times):
        active.check(ALL, float(times[chosen.start]))
        shown = _shown_clip(active)
        if shown is not None and same_skeleton(shown.source, motion.host):
            wardrobe.hang(chosen, shown)
        else:
            wardrobe.wear(chosen, active, sample_time)
    return wardrobe.clip(rate)


class _ShownClip(NamedTuple):
    """A clip that a motion shows unmirrored: at which times, and where on the floor."""

    source: Take
    time: TimeMap
    placement: Placement


def _shown_clip(active: ActiveFunctions) -> _ShownClip | None:
    """Return the clip that all tracks show at one time and place, unmirrored and in its own size, if they do."""
    chosen: _ShownClip | None = None
    if active.blends:
        return None
    for piece, _ in active.pieces:
        if not isinstance(piece.source, Take) or piece.mirror or piece.placement.scale != 1.0:
            return None
        shown = _ShownClip(piece.source, piece.time, piece.placement)
        if chosen is None:
            chosen = shown
        elif shown.source.original is not chosen.source.original or shown[1:] != chosen[1:]:
            return None
        elif len(shown.source.holes) > len(chosen.source.holes):
            chosen = shown  # what one track must not look at, no frame should show
    return chosen


class _Wardrobe:
    """Frames of the host's skeleton, filled run by run."""

    def __init__(self, motion: Motion, host: Take, times: Array) -> None:
        self._motion = motion
        self._host = host
        self._times = times
        count, joints = len(times), len(host.clip.skeleton)
        self._positions = np.empty((count, joints, 3))
        self._rotations = np.empty((count, joints, 4))
        origin = host.clip.origin
        self._rows = None
        if origin is not None and origin.rows is not None:
            self._rows = np.full((count, origin.rows.shape[1]), np.nan)
        self._residuals = ResidualTracks(motion.tracks, host)

    def hang(self, chosen: slice, view: _ShownClip) -> None:
        """Take frames as a take of the same skeleton has them, moved rigidly where they were placed elsewhere."""
        at = np.clip(view.time.rate * self._times[chosen] + view.time.shift, 0.0, view.source.duration)
        positions, rotations, rows = view.source.clip_curves.at(at)
        if view.placement != IDENTITY:
            standing = standing_joints(view.source.clip.skeleton)
            positions, rotations = move_joints(positions, rotations, standing, view.placement, view.source.space)
            rows = None  # the file's numbers are those of another place
        self._positions[chosen] = positions
        self._rotations[chosen] = rotations
        if self._rows is not None and rows is not None and rows.shape[1] == self._rows.shape[1]:
            self._rows[chosen] = rows

    def wear(self, chosen: slice, active: ActiveFunctions, sample_time: float) -> None:
        """Dress the figure's poses with residuals."""
        times = self._times[chosen]
        state = active.state(ALL, times) or self._motion.state(times)
        residual = self._residuals.at(times, sample_time)
        self._positions[chosen], self._rotations[chosen] = self._host.carry.dress(state.poses, residual)

    def clip(self, fps: float) -> Clip:
        """Return all frames."""
        clip = self._host.clip
        align_signs(self._rotations)
        return Clip.on(clip.skeleton, self._positions, self._rotations, fps, origin=with_rows(clip.origin, self._rows))
