"""A motion as frames of the user's own skeleton.

Between two edges, each track is one function of time. Where all of them show the same take at the same time, the frame
is the take's own, exactly (or moved rigidly on the floor); anywhere else the figure's pose is dressed with residuals,
each joint's from the take that its motion comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion.carry import Residual
from segue.motion.clip import Clip
from segue.motion.coverage import describe
from segue.motion.figure_clip import figure_clip
from segue.motion.functions import IDENTITY, Curve, Function, Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.resample import Frames, frame_count, with_rows
from segue.motion.residual_track import ResidualTrack
from segue.motion.take import Take
from segue.motion.tracks import TRACKS

__all__ = ["dress"]

Indices = npt.NDArray[np.int64]


def dress(motion: Motion, fps: float | None) -> Clip:
    """Return a motion's frames at a rate (its own where None) on its host's skeleton, or on the figure's own."""
    times = motion.times
    if fps is not None and fps != motion.fps:
        times = motion.start + np.arange(frame_count(motion.duration, fps, len(TRACKS))) / fps
    rate = motion.fps if fps is None else float(fps)
    if not isinstance(motion.host, Take):
        return figure_clip(motion.figure, motion.at(times), rate)
    wardrobe = _Wardrobe(motion, motion.host, len(times))
    mixed: list[Indices] = []
    for chosen, middle in _cells(motion, times):
        take = _single_take({track: motion.function_at(track, middle) for track in TRACKS})
        if take is not None and take[0].clip.skeleton == motion.host.clip.skeleton:
            wardrobe.hang(chosen, *take, times[chosen])
        else:
            mixed.append(chosen)
            wardrobe.add_residuals(middle, times[chosen])
    if mixed:
        together = np.concatenate(mixed)
        wardrobe.wear(together, times[together])
    return wardrobe.clip(rate)


def _cells(motion: Motion, times: Array) -> Iterator[tuple[Indices, float]]:
    """Yield the indices of the times between two edges of any track, and the time midway between those edges."""
    missing = [track for track in TRACKS if track not in motion.tracks]
    if missing:
        others = f" and {len(missing) - 1} more" if missing[1:] else ""
        raise ArgumentError(
            f"the motion says nothing of {describe(missing[0])}{others}: add a motion that defines the whole body"
        )
    edges = np.unique([edge for track in motion.tracks.values() for part in track for edge in (part.start, part.stop)])
    edges = edges[np.diff(edges, prepend=-np.inf) > TINY]
    cell = np.clip(np.searchsorted(edges, times + TINY, side="right") - 1, 0, len(edges) - 2)
    breaks = np.flatnonzero(np.diff(cell, prepend=-1, append=-1))
    for first, last in pairwise(breaks.tolist()):
        yield np.arange(first, last), float(0.5 * (edges[cell[first]] + edges[cell[first] + 1]))


def _single_take(functions: dict[str, Function]) -> tuple[Take, Curve] | None:
    """Return the take, and one of its curves, if all functions show it at one time and place, unmirrored."""
    first = functions["root"]
    if not isinstance(first, Curve) or not isinstance(first.source, Take) or first.mirror:
        return None
    for track, function in functions.items():
        if not isinstance(function, Curve) or function.track != track:
            return None
        if not isinstance(function.source, Take) or function.source.original is not first.source.original:
            return None
        if function.mirror:
            return None
        if function.time != first.time or function.placement != first.placement:
            return None
    return first.source, first


class _Wardrobe:
    """Frames of the host's skeleton, filled bit by bit."""

    def __init__(self, motion: Motion, host: Take, count: int) -> None:
        self._motion = motion
        self._host = host
        joints = len(host.clip.skeleton)
        self._positions = np.empty((count, joints, 3))
        self._rotations = np.empty((count, joints, 4))
        origin = host.clip.origin
        self._rows = None
        if origin is not None and origin.rows is not None:
            self._rows = np.full((count, origin.rows.shape[1]), np.nan)
        self._residuals: list[Residual] = []
        self._residual_tracks: dict[str, ResidualTrack] = {}

    def hang(self, chosen: Indices, take: Take, curve: Curve, times: Array) -> None:
        """Take frames as a take of the same skeleton has them, moved rigidly where they were placed elsewhere."""
        at = np.clip(curve.time.rate * times + curve.time.shift, 0.0, take.duration)
        frames = take.clip_curves.at(at)
        if curve.placement != IDENTITY:
            frames = _moved(frames, curve.placement, take)
        self._positions[chosen] = frames.positions
        self._rotations[chosen] = frames.rotations
        if self._rows is not None and frames.rows is not None and frames.rows.shape[1] == self._rows.shape[1]:
            self._rows[chosen] = frames.rows

    def add_residuals(self, middle: float, times: Array) -> None:
        """Note the residuals of frames that will be worn: of each joint from where its motion comes from."""
        host = self._host
        joints = len(host.clip.skeleton)
        turns = np.empty((len(times), joints, 4))
        for joint, track in host.carry.drivers.items():
            turns[:, joint] = self._residual_track(track).turns(joint, times, middle)
        root = self._residual_track("root_position")
        self._residuals.append(Residual(turns, root.seat(times, middle), root.positions(times, middle)))

    def _residual_track(self, name: str) -> ResidualTrack:
        if name not in self._residual_tracks:
            self._residual_tracks[name] = ResidualTrack(self._motion.tracks[name], self._host)
        return self._residual_tracks[name]

    def wear(self, chosen: Indices, times: Array) -> None:
        """Dress the figure's poses at the frames whose residuals were noted, in the order in which they were."""
        residual = Residual(
            np.concatenate([part.turns for part in self._residuals]),
            np.concatenate([part.seat for part in self._residuals]),
            np.concatenate([part.positions for part in self._residuals]),
        )
        positions, rotations = self._host.carry.dress(self._motion.at(times), residual)
        self._positions[chosen], self._rotations[chosen] = positions, rotations

    def clip(self, fps: float) -> Clip:
        """Return all frames."""
        clip = self._host.clip
        rotations = quaternion.make_continuous(self._rotations)
        return Clip.on(clip.skeleton, self._positions, rotations, fps, origin=with_rows(clip.origin, self._rows))


def _moved(frames: Frames, placement: Placement, take: Take) -> Frames:
    """Return frames moved rigidly on the floor: only joints that stand in the world feel it."""
    roots = [j for j, parent in enumerate(take.clip.parents) if parent < 0]
    space = take.space
    positions, rotations = frames.positions.copy(), frames.rotations.copy()
    positions[:, roots] = space.from_metres(placement.moved(space.to_metres(positions[:, roots])))
    turned = quaternion.multiply(placement.rotation, space.turn(rotations[:, roots]))
    rotations[:, roots] = space.turn_back(turned)
    return Frames(positions, rotations, None)
