"""Poses of the figure at a fixed rate as a source: one C2 spline through all degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.checks import positive
from segue.curves.interpolate import FrameSpline, Hole, HoleEnds
from segue.errors import ArgumentError
from segue.motion._state_kernels import figure_state
from segue.motion.state import State
from segue.typing import Array


class PoseSource:
    """Poses of a figure at a fixed rate as the source of a motion, such as computed poses."""

    def __init__(self, figure: Figure, poses: Poses, fps: float) -> None:
        if len(poses) == 0:
            raise ArgumentError("a motion needs at least one pose, but there are none")
        self.figure = figure
        self.name = "poses"
        self.fps = positive("fps", fps, "frames a second")
        self.duration = (len(poses) - 1) / self.fps
        self.notes: tuple[str, ...] = ()
        self._spline = FrameSpline(poses.rows, self.fps)

    def without_frames(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> PoseSource:
        """Return this source with curves that leave out more of its poses.

        holes: pairs of frames; the curves leave out the frames between the two. ends: how the curves end there.
        """
        source = copy(self)
        source._spline = self._spline.without_frames(holes, ends)
        return source

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at times, which are clamped to those of the frames."""
        return State.of_parts(figure_state(self._spline.knots, times, len(HUMAN.ball_names)))
