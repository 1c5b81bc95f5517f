"""The figure as bodies in the world: a position and a world quaternion for each body, appendix A of [Ramamoorthi1997].

The paper's figure has 12 such bodies, which with the root's position makes 39 degrees of freedom; ours has 19, and 79
numbers. The value of a joint follows from the two bodies that it joins: the quaternion of one seen from the other, its
angle about each of a hinge's axes. Hinges let bodies turn about these axes alone: what world quaternions would turn
them otherwise is left out, as of every motion of the figure.

Shapes: S samples, B = 19 bodies; orders: value, velocity, acceleration and jerk, in this order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.keyframe.keyframes import FigureKeyframes, VectorKeyframes, align
from segue.keyframe.keys import Key
from segue.motion._state_kernels import angular
from segue.motion.clip_source import ClipSource
from segue.motion.residual_track import ResidualTracks
from segue.motion.retargeter import Residual, Retargeter, SkeletonSource
from segue.motion.tracks import Sample, State
from segue.spacetime.path import DynamicSpline
from segue.spacetime.terms.body import backprop_product, product
from segue.typing import Array

_BODIES = len(HUMAN.segments)
WORLD_COLUMN_COUNT = 3 + 4 * _BODIES
_PARENTS = np.array(HUMAN.parents)


def world_rows(figure: Figure, rows: Array) -> Array:
    """Return coordinates of bodies in the world (T, 79) from those of joints (T, 51)."""
    rotations = quaternion.make_continuous(figure.forward(Poses.from_rows(rows))[1])
    return np.concatenate([rows[:, :3], rotations.reshape(len(rows), -1)], axis=1)


def world_keyframes(frames: FigureKeyframes) -> VectorKeyframes:
    """Return whole keyframes of the figure as those of its bodies in the world."""
    partial = np.flatnonzero(~frames.keyframes.given.all(axis=1))
    if len(partial):
        raise ArgumentError(
            f"the keyframe at {frames.times[partial[0]]:g} s does not give all joints, so the places of the bodies in "
            "the world are unknown: give whole keyframes, or take the coordinates of joints"
        )
    rows = world_rows(frames.figure, frames.keyframes.values)
    turns = rows[:, 3:].reshape(len(rows), _BODIES, 4)
    for body, name in enumerate(HUMAN.segments):
        align(name, turns[:, body], range(len(rows)), frames.times)
    return VectorKeyframes(frames.times, rows)


class WorldView:
    """Joints as two bodies in the world show them; see `segue.spacetime.terms.body.View`.

    A hinge's angle is twice the imaginary part of a logarithm of a complex number at half that angle.
    """

    _world: Array  # (4, S, B, 4), by order
    _back: Array  # (4, S, B, 4): conjugates of the bodies that carry each
    _turns: Array  # (4, S, B, 4): of each seen from its carrier

    def forward(self, orders: Array) -> Array:
        """Return coordinates of joints (4, S, 51) from those of bodies in the world (4, S, 79)."""
        self._world = orders[:, :, 3:].reshape(*orders.shape[:2], _BODIES, 4)
        self._back = quaternion.conjugate(self._world[:, :, _PARENTS])
        self._back[:, :, 0] = 0.0
        self._back[0, :, 0, 0] = 1.0  # the world carries the root
        self._turns = product(self._back, self._world)
        rows = np.empty((*orders.shape[:2], HUMAN.column_count))
        rows[:, :, :3] = orders[:, :, :3]
        rows[:, :, HUMAN.ball_columns] = self._turns[:, :, HUMAN.ball_segments].reshape(*orders.shape[:2], -1)
        half = self._half_angles()
        a, b, c = half[1:] / half[0]
        rows[0, :, HUMAN.hinge_columns] = 2.0 * np.arctan(half[0].imag / half[0].real)
        rows[1, :, HUMAN.hinge_columns] = 2.0 * a.imag
        rows[2, :, HUMAN.hinge_columns] = 2.0 * (b - a**2).imag
        rows[3, :, HUMAN.hinge_columns] = 2.0 * (c - 3.0 * a * b + 2.0 * a**3).imag
        return rows

    def _half_angles(self) -> npt.NDArray[np.complex128]:
        """Return (4, S, H): for each hinge a complex number at half its angle, by order."""
        seen = self._turns[:, :, HUMAN.hinge_segments]
        half: npt.NDArray[np.complex128] = seen[..., 0] + 1j * (seen[..., 1:] * HUMAN.hinge_axes).sum(axis=-1)
        return half

    def backprop(self, by_rows: Array) -> Array:
        """Return derivatives by coordinates of bodies (4, S, 79), given those by coordinates of joints (4, S, 51)."""
        by_turns = np.zeros_like(self._turns)
        by_turns[:, :, HUMAN.ball_segments] = by_rows[:, :, HUMAN.ball_columns].reshape(
            *by_rows.shape[:2], len(HUMAN.ball_names), 4
        )
        half = self._half_angles()
        a, b, c = half[1:] / half[0]
        g0, g1, g2, g3 = 2.0 * by_rows[:, :, HUMAN.hinge_columns]
        by_a, by_b, by_c = g1 - 2.0 * g2 * a + g3 * (6.0 * a**2 - 3.0 * b), g2 - 3.0 * g3 * a, g3
        by_half = np.stack([g0 - by_a * a - by_b * b - by_c * c, by_a, by_b, by_c + 0j]) / half[0]
        for h, body in enumerate(HUMAN.hinge_segments):
            # of Im(f dz), with z = w + i v: Im f by w and Re f by v
            by_turns[:, :, body, 0] += by_half[:, :, h].imag
            by_turns[:, :, body, 1:] += by_half[:, :, h].real[..., None] * HUMAN.hinge_axes[h]
        by_back, by_world = backprop_product(self._back, self._world, by_turns)
        for body in range(1, _BODIES):
            by_world[:, :, _PARENTS[body]] += quaternion.conjugate(by_back[:, :, body])
        by_orders = np.empty((*by_rows.shape[:2], WORLD_COLUMN_COUNT))
        by_orders[:, :, :3] = by_rows[:, :, :3]
        by_orders[:, :, 3:] = by_world.reshape(*by_rows.shape[:2], -1)
        return by_orders

    def curvature(self, own: Array) -> Array:
        """Return about the second derivatives (4, 79, S): a joint's are those of both bodies that it joins."""
        curvature = np.empty((4, WORLD_COLUMN_COUNT, own.shape[2]))
        curvature[:, :3] = own[:, :3]
        of_bodies = np.zeros((4, _BODIES, own.shape[2]))
        of_bodies[:, HUMAN.ball_segments] = (
            own[:, HUMAN.ball_columns].reshape(4, len(HUMAN.ball_names), 4, -1).mean(axis=2)
        )
        for hinge, body in zip(own[:, HUMAN.hinge_columns].transpose(1, 0, 2), HUMAN.hinge_segments, strict=True):
            of_bodies[:, body] += 4.0 * hinge  # an angle is twice the change of a quaternion
        both = of_bodies.copy()
        for body in range(1, _BODIES):
            both[:, _PARENTS[body]] += of_bodies[:, body]
        curvature[:, 3:] = np.repeat(both, 4, axis=1)
        return curvature


@dataclass(frozen=True, eq=False)
class WorldPath:
    """A path of bodies in the world, seen as one of the figure's joints."""

    spline: DynamicSpline

    @property
    def times(self) -> Array:
        """Of its frames, s."""
        return self.spline.times

    def at(self, times: npt.ArrayLike, derivative: int = 0) -> Array:
        """Return coordinates of joints (T, 51), or their derivative up to the third."""
        orders = np.stack([self.spline.at(times, order) for order in range(4)])
        rows: Array = WorldView().forward(orders)[derivative]
        return rows


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
