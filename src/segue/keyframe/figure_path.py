"""An improved path of the figure as a source of functions, from which motions are made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.keyframe.keys import Key
from segue.keyframe.world import WorldPath
from segue.motion._state_kernels import angular
from segue.motion.clip_source import ClipSource
from segue.motion.residual_track import ResidualTracks
from segue.motion.retargeter import Residual, Retargeter, SkeletonSource
from segue.motion.state import Sample, State
from segue.spacetime.path import DynamicSpline
from segue.typing import Array


class FigurePath:
    """The figure's way along a dynamic spline, from time 0 on; report: how it was found."""

    def __init__(self, spline: DynamicSpline | WorldPath, report: object = None) -> None:
        self.spline = spline
        self.report = report

    @property
    def duration(self) -> float:
        """Seconds from the first keyframe to the last."""
        return float(self.spline.times[-1] - self.spline.times[0])

    def state(self, times: Array) -> State:
        """Return the whole figure's state at times, which are held within the path."""
        held = np.clip(times, 0.0, self.duration) + self.spline.times[0]
        parts = [self.spline.at(held, order) for order in range(3)]
        turns, spins, rises = angular(
            *(np.ascontiguousarray(part[:, HUMAN.ball_columns]).reshape(-1, 4) for part in parts)
        )
        count, balls = len(held), len(HUMAN.ball_names)
        return State(
            Sample(*(part[:, :3].copy() for part in parts)),
            Sample(turns.reshape(count, balls, 4), spins.reshape(count, balls, 3), rises.reshape(count, balls, 3)),
            Sample(*(part[:, HUMAN.hinge_columns].copy() for part in parts)),
        )


class WornPath(FigurePath, SkeletonSource):
    """A path through keyframes picked from clips, which wears the first one's skeleton as the clips do there.

    Between keyframes, what the figure leaves out of the skeleton goes along C2 splines, as the figure does; before the
    first and after the last keyframe that brings any, it stays as it is there.
    """

    def __init__(
        self, spline: DynamicSpline | WorldPath, host: ClipSource, keys: Sequence[Key], report: object = None
    ) -> None:
        super().__init__(spline, report)
        self._host = host
        self._keys = [each for each in keys if brings_residual(each, host)]

    @property
    def skeleton(self) -> Skeleton:
        """The joints that the residual is for."""
        return self._host.skeleton

    @property
    def retargeter(self) -> Retargeter:
        """The way from poses of the figure to the skeleton."""
        return self._host.retargeter

    @cached_property
    def _residuals(self) -> Residual:
        """Residuals of the skeleton at the keyframes that have them."""
        found = []
        for each in self._keys:
            assert each.picked is not None
            motion, at = each.picked
            _, sample_time, _ = motion.segments.runs(np.array([at]))[0]
            found.append(ResidualTracks(motion.tracks, self._host).at(np.array([at]), sample_time))
        return Residual(
            quaternion.make_continuous(np.concatenate([residual.turns for residual in found])),
            np.concatenate([residual.pelvis_offset for residual in found]),
            np.concatenate([residual.positions for residual in found]),
        )

    @cached_property
    def _curves(self) -> DynamicSpline | None:
        """The residuals as a spline; None where there is only one."""
        if len(self._keys) < 2:
            return None
        parts = [part.reshape(len(self._keys), -1) for part in _parts(self._residuals)]
        return DynamicSpline.through([each.time for each in self._keys], np.concatenate(parts, axis=1))

    def residual_at(self, times: Array) -> Residual:
        """Return what the figure leaves out at times of the path."""
        known = _parts(self._residuals)
        if self._curves is None:
            return Residual(*(np.repeat(part, len(times), axis=0) for part in known))
        held = np.clip(times + self.spline.times[0], *self._curves.times[[0, -1]])
        rows = self._curves.at(held)
        ends = np.cumsum([part[0].size for part in known])[:-1]
        turns, pelvis_offset, positions = (
            np.ascontiguousarray(rows_of).reshape(len(times), *part.shape[1:])
            for rows_of, part in zip(np.split(rows, ends, axis=1), known, strict=True)
        )
        return Residual(quaternion.normalise(turns), pelvis_offset, positions)


def brings_residual(key: Key, host: ClipSource) -> bool:
    """Whether a keyframe comes whole from a motion on the same skeleton as a host's."""
    if key.picked is None or not isinstance(key.picked.motion.source, ClipSource):
        return False
    return key.picked.motion.source.skeleton == host.skeleton and set(host.retargeter.joints_of_track) <= set(
        key.tracks
    )


def _parts(residual: Residual) -> tuple[Array, Array, Array]:
    return residual.turns, residual.pelvis_offset, residual.positions
