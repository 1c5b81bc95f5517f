"""How alike a figure is at two times: poses, velocities and accelerations, wherever it stands and faces.

The distance of two poses is in metres: about how far the mass of the body must move from one to the other. A joint
counts by the mass it moves and how far out that is, so that a wrist does not drown a hip. Ball joints count by the
distance of rotations, 2 sin(angle / 2), which is the Euclidean one of their matrices but for a factor. Travel and turn
count with the velocities.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import scipy

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.checks import number
from segue.curves import quaternion
from segue.curves.interpolate import FrameSpline
from segue.curves.spline_kernels import evaluate_rows
from segue.cycle.travel import headings
from segue.errors import ArgumentError
from segue.motion.contacts import SOLE_POINTS
from segue.motion.motion import Motion
from segue.motion.resample import frame_count
from segue.motion.tracks import TRACKS, tracks_of
from segue.typing import Array

_LEAST_REACH = 0.02  # m: no joint counts for less, however little hangs on it
_MOMENT = 0.1  # s: 1 m/s counts as 0.1 m, so that of a stride values, velocities and accelerations count alike
_SMOOTHING = 0.03  # s: what is faster is mostly noise, of which accelerations would be full


class Likeness:
    """Rows of numbers along a motion, or a part of it, whose Euclidean distance is the dissimilarity of two times.

    derivatives: how many count: 0 compares poses alone, 1 velocities too, 2 also accelerations. weights: factors by
    joint, limb group or track. climbs: whether hips may be higher at another time, as on stairs; their height above the
    lowest sole counts then.
    """

    def __init__(
        self,
        motion: Motion,
        start: float,
        stop: float,
        *,
        derivatives: int = 2,
        weights: Mapping[str, float] | None = None,
        climbs: bool = False,
    ) -> None:
        if derivatives not in (0, 1, 2):
            raise ArgumentError(f"derivatives is {derivatives}: 0, 1 or 2 of them can be compared")
        self.start, self.stop = start, stop
        self._derivatives = derivatives
        count = max(frame_count(stop - start, motion.fps, len(TRACKS)), 4)
        times = np.linspace(start, stop, count)
        fps = (count - 1) / (stop - start)
        poses, going = _columns(motion, times, _factors(motion, weights), climbs)
        self._poses = poses.shape[1]
        rows = scipy.ndimage.gaussian_filter1d(
            np.concatenate([poses, going], axis=1), min(_SMOOTHING * fps, count), axis=0
        )
        self._spline = FrameSpline(rows, fps)

    def __call__(self, times: Array) -> Array:
        """Return the rows (T, D) at times, which are held within the part."""
        at = np.ascontiguousarray(times, dtype=float) - self.start
        value, first, second = evaluate_rows(self._spline.knots, at, 0, self._spline.knots.values.shape[1])
        parts = [value[:, : self._poses]]
        if self._derivatives > 0:
            parts += [_MOMENT * first[:, : self._poses], _MOMENT * value[:, self._poses :]]
        if self._derivatives > 1:
            parts += [_MOMENT**2 * second[:, : self._poses], _MOMENT**2 * first[:, self._poses :]]
        return np.concatenate(parts, axis=1)

    def spread(self, start: float, stop: float, step: float) -> float:
        """Return how far apart two times between start and stop mostly are, in m: the root mean square."""
        rows = self(np.arange(start, stop, step))
        return float(np.sqrt(2.0 * rows.var(axis=0).sum()))


def _columns(motion: Motion, times: Array, factors: Mapping[str, float], climbs: bool) -> tuple[Array, Array]:
    """Return poses (T, P) and, where the motion has a root, how it gets on (T, 3), all in metres (a second)."""
    state = motion.state(times, tuple(motion.tracks))
    poses: list[Array] = []
    going: list[Array] = []
    turns = quaternion.identity(len(times))
    if "root" in factors:
        turns = quaternion.about_up(-headings(state.of("root").value))
        going.append(factors["root"] * state.of("root").velocity[:, 1:2])
    if "root_position" in factors:
        height = state.root.value[:, 1:2]
        if climbs:
            soles = [motion.figure.point(point, state.poses)[:, 1:2] for point in SOLE_POINTS]
            height = height - np.min(soles, axis=0)
        poses.append(factors["root_position"] * height)
        ahead = quaternion.rotate(turns, state.root.velocity)
        going.append(factors["root_position"] * ahead[:, [0, 2]])
    for name in HUMAN.ball_names:
        if name in factors:
            value = state.of(name).value
            turned = quaternion.multiply(turns, value) if name == "root" else value
            # 2 sin(angle / 2) is the distance of the matrices over the square root of two
            poses.append(factors[name] / np.sqrt(2.0) * quaternion.to_matrix(turned).reshape(len(times), 9))
    poses += [factors[name] * state.of(name).value[:, None] for name in HUMAN.hinge_names if name in factors]
    return np.concatenate(poses, axis=1), np.concatenate([np.empty((len(times), 0)), *going], axis=1)


def _factors(motion: Motion, weights: Mapping[str, float] | None) -> dict[str, float]:
    """Return what each track of the motion counts, in m a radian, or for the root's place in m a metre."""
    if not motion.tracks:
        raise ArgumentError("the motion defines nothing: there is no cycle in it")
    reaches = joint_reaches(motion.figure)
    factors = {track: reaches.get(track, 1.0) for track in motion.tracks}
    for name, weight in (weights or {}).items():
        number(f"the weight of {name}", weight, least=0.0)
        for track in tracks_of(name):
            if track in factors:
                factors[track] *= float(weight)
    return factors


@lru_cache(maxsize=16)
def joint_reaches(figure: Figure) -> dict[str, float]:
    """Return how far a radian of each ball joint and hinge moves the body's mass, root mean square, in m.

    It is the radius of gyration, over the whole body's mass, of what hangs on the joint when the figure stands.
    """
    places = figure.forward(Poses.zero(1))[0][0]
    hanging = np.zeros((len(places), len(places)), dtype=bool)
    for s, segment in enumerate(figure.layout.segments):
        hanging[list(figure.layout.carriers(segment)), s] = True
    inertias = list(figure.inertias.values())
    mass = sum(inertia.mass for inertia in inertias)
    reaches = {}
    for s, joint in enumerate(HUMAN.joints):
        whole = np.zeros((3, 3))
        for k in np.flatnonzero(hanging[s]).tolist():
            arm = places[k] + inertias[k].centre - places[s]
            whole += inertias[k].tensor + inertias[k].mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        if joint.ball:
            reaches[joint.name] = np.trace(whole) / 3.0
        for hinge in joint.hinges:
            axis = np.array(hinge.axis)
            reaches[hinge.name] = axis @ whole @ axis
    return {name: max(float(np.sqrt(inertia / mass)), _LEAST_REACH) for name, inertia in reaches.items()}
