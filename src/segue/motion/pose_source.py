"""Poses of the figure at a fixed rate as a source: one C2 spline through all degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.interpolate import FrameSpline, Hole, HoleEnds
from segue.curves.spline_kernels import evaluate_rows
from segue.errors import ArgumentError
from segue.motion._state_kernels import angular, figure_state
from segue.motion.functions import Sample, State
from segue.motion.tracks import TRACKS, Kind
from segue.typing import Array

_BALLS = len(HUMAN.ball_names)


def _columns() -> dict[str, tuple[int, int]]:
    """Return the first and the last column of each track, the last not included."""
    width = {Kind.POSITION: 3, Kind.ROTATION: 4, Kind.ANGLE: 1}
    columns, first = {}, 0
    for track, kind in TRACKS.items():
        columns[track] = (first, first + width[kind])
        first += width[kind]
    return columns


_COLUMNS = _columns()


class PoseCurves:
    """The C2 curves through poses of the figure at a fixed rate.

    holes: pairs of frames; the curves leave out the frames between the two. ends: how the curves end there.
    """

    def __init__(
        self, poses: Poses, fps: float, holes: Iterable[Hole] = (), ends: HoleEnds = HoleEnds.ONE_SIDED
    ) -> None:
        balls = quaternion.make_continuous(poses.balls)
        rows = np.concatenate([poses.root, balls.reshape(len(poses), -1), poses.hinges], axis=1)
        self._spline = FrameSpline(rows, fps).without_frames(holes, ends)

    def without_frames(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> PoseCurves:
        """Return the curves without more of the frames."""
        curves = object.__new__(PoseCurves)
        curves._spline = self._spline.without_frames(holes, ends)
        return curves

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at times, which are clamped to those of the frames."""
        return State.of_parts(figure_state(self._spline.knots, times, _BALLS))

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration at times, clamped as for `state`."""
        parts = evaluate_rows(self._spline.knots, times, *_COLUMNS[track])
        kind = TRACKS[track]
        if kind is Kind.ROTATION:
            return Sample(*angular(*parts))
        return Sample(*parts) if kind is Kind.POSITION else Sample(*(part[:, 0] for part in parts))


class PoseSource:
    """Poses of a figure at a fixed rate as the source of a motion, such as computed poses."""

    def __init__(self, figure: Figure, poses: Poses, fps: float) -> None:
        if len(poses) == 0 or not (np.isfinite(fps) and fps > 0):
            raise ArgumentError(f"{len(poses)} poses at {fps} frames a second make no motion: both must be positive")
        self.figure = figure
        self.name = "poses"
        self.fps = float(fps)
        self.duration = (len(poses) - 1) / self.fps
        self.notes: tuple[str, ...] = ()
        self._curves = PoseCurves(poses, self.fps)

    def without_frames(self, holes: Iterable[Hole]) -> PoseSource:
        """Return this source with curves that leave out some of its poses, as `ClipSource.without_frames` does."""
        source = copy(self)
        source._curves = self._curves.without_frames(holes)
        return source

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration."""
        return self._curves.sample(track, times)

    def state(self, times: Array) -> State:
        """Return the state of the whole figure."""
        return self._curves.state(times)


assert tuple(TRACKS)[-len(HUMAN.hinge_names) :] == HUMAN.hinge_names, "columns and tracks follow one order"
