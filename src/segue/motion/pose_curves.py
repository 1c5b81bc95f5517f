"""Poses of the figure at a fixed rate as C2 curves, all degrees of freedom in one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.interpolate import FrameSpline, Hole, HoleEnds
from segue.curves.spline_kernels import evaluate_rows
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

    holes: pairs of frames; those between the two are left out, and the curves on either side are built without them.
    ends: how the curves end there.
    """

    def __init__(
        self, poses: Poses, fps: float, holes: Iterable[Hole] = (), ends: HoleEnds = HoleEnds.ONE_SIDED
    ) -> None:
        balls = quaternion.make_continuous(poses.balls)
        rows = np.concatenate([poses.root, balls.reshape(len(poses), -1), poses.hinges], axis=1)
        self._spline = FrameSpline(rows, fps).mended(holes, ends)

    def mended(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> PoseCurves:
        """Return the curves with holes, besides those that they have already."""
        curves = object.__new__(PoseCurves)
        curves._spline = self._spline.mended(holes, ends)
        return curves

    def state(self, times: Array) -> State:
        """Return the whole figure's state at times, which are held within those of the frames."""
        return State.of_parts(figure_state(self._spline.knots, times, _BALLS))

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration at times, held as for `state`."""
        parts = evaluate_rows(self._spline.knots, times, *_COLUMNS[track])
        kind = TRACKS[track]
        if kind is Kind.ROTATION:
            return Sample(*angular(*parts))
        return Sample(*parts) if kind is Kind.POSITION else Sample(*(part[:, 0] for part in parts))


assert tuple(TRACKS)[-len(HUMAN.hinge_names) :] == HUMAN.hinge_names, "columns and tracks follow one order"
