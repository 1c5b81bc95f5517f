"""Pose a figure by gestures, and turn the joints of one category so that a point of the body reaches a place.

The unknowns are the degrees that gesture files have, not rotations. A drag then changes the numbers of the file as
little as possible, and no angles have to be read back from a quaternion, where they are not unique.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import scipy.optimize

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.limits import BallLimit
from segue.curves import quaternion
from segue.dance.gestures.anatomy import MOVEMENTS, Orientation, Orientations, Pose, fits, values
from segue.typing import Array

DECIMALS = 1
"""Decimals of degrees that a drag writes."""

_STIFFNESS = 0.003  # m of error that a joint takes rather than turn by 1 rad
_STIFF = {
    "clavicle": 10.0,
    "wrist": 5.0,
    "lower": 5.0,
}  # times as much, by the last part of a joint's name or the first
_BEYOND = 10.0  # m of error that a ball joint takes rather than go 1 rad beyond its limit
_SMALL = 0.05  # degrees, of the differences that give the Jacobian
_TINY = 0.1  # degrees: smaller turns are left out, so that a drag changes few numbers of the file
_FAR = 0.01  # m from the place at which other starts are tried
_STARTS: tuple[Orientation, ...] = (
    {"elevation": 30.0, "plane": 60.0, "flexion": 30.0},
    {"elevation": 30.0, "plane": -30.0, "flexion": 30.0},
)
"""Degrees that other starts add: from a straight limb, no small turn brings its end nearer to its root."""

_GRID = np.arange(-720.0, 721.0) / 2.0  # degrees that are tried for a range
_MARGIN = float(np.radians(0.3))


class Range(NamedTuple):
    """The degrees that a movement can have while the other movements of its joint stay."""

    least: float
    most: float


def poses_of(pose: Pose, figure: Figure, sway: float = 0.0) -> Poses:
    """Return one frame of a figure in a pose, its lowest point on the floor; joints without a goal are straight.

    sway: degrees by which the whole body leans to the left.
    """
    made = _turned(Poses.zero(1), {joint: pose.get(joint, {}) for joint in MOVEMENTS})
    made.ball("root")[:] = quaternion.exp(np.radians([0.0, 0.0, -sway]))
    lowest = min(float(figure.point(name, made)[0, 1]) for name in figure.points)
    return Poses(made.root - np.array([0.0, lowest, 0.0]), made.balls, made.hinges)


def moved_by(segment: str) -> list[str]:
    """Return the joints that move a segment, its own first; not the root, which the planner moves."""
    chain, s = [], HUMAN.segments.index(segment)
    while HUMAN.parents[s] >= 0:
        chain.append(HUMAN.joint_names[s])
        s = HUMAN.parents[s]
    return chain


def dragged(
    pose: Pose, joints: Sequence[str], figure: Figure, segment: str, point: Array, place: Array, sway: float = 0.0
) -> dict[str, dict[str, float]]:
    """Return new orientations of joints that bring a point of a segment as near to a place as their limits allow.

    pose: of the whole figure, within its limits. joints: those that may turn; they keep their orientation if they do
    not move the segment. point: (3,) in the segment's frame, place: (3,) in the world, in m, of the figure as
    `poses_of` places it.
    """
    chain = [joint for joint in moved_by(segment) if joint in joints]
    reach = _Reach(pose, chain, poses_of(pose, figure, sway), figure, segment, point, place)
    if not reach.columns:
        return {}
    found = reach.solved({})
    if reach.error(found) > _FAR:
        other = min(map(reach.solved, _STARTS), key=reach.error)
        found = other if reach.error(other) < reach.error(found) - _FAR else found
    turned = {}
    found = np.where(np.abs(found - reach.start) < _TINY, reach.start, found)
    for joint in reach.joints:
        own = {name: k for k, (each, name) in enumerate(reach.columns) if each == joint}
        kept = _within(joint, {name: float(found[k]) for name, k in own.items()})
        if fits(joint, kept) and any(kept[name] != reach.start[k] for name, k in own.items()):
            turned[joint] = kept
    return turned


def ranges(joint: str, orientation: Orientation) -> dict[str, Range]:
    """Return the range of each movement of a joint about an orientation within its limits, to half a degree."""
    found = {}
    for name in MOVEMENTS[joint]:
        now = orientation.get(name, 0.0)
        allowed = fits(joint, {**orientation, name: _GRID})
        below = np.flatnonzero(~allowed & (now >= _GRID))
        above = np.flatnonzero(~allowed & (now <= _GRID))
        least = _GRID[below[-1] + 1] if len(below) else _GRID[0]
        most = _GRID[above[0] - 1] if len(above) else _GRID[-1]
        found[name] = Range(min(float(least), now), max(float(most), now))
    return found


class _Reach:
    """The movements of a chain of joints as unknowns in degrees; columns: joint and movement of each, (U,)."""

    def __init__(
        self,
        pose: Pose,
        joints: Sequence[str],
        standing: Poses,
        figure: Figure,
        segment: str,
        point: Array,
        place: Array,
    ) -> None:
        self.joints, self.figure, self.point, self.place = joints, figure, point, place
        self.columns = [(joint, name) for joint in joints for name in MOVEMENTS[joint]]
        self.start = np.array([float(pose.get(joint, {}).get(name, 0.0)) for joint, name in self.columns])
        self.standing = standing
        self.segment = HUMAN.segments.index(segment)
        parts = [joint.split("_")[-1 if joint.startswith(("left_", "right_")) else 0] for joint, _ in self.columns]
        self.stiffness = np.array([_STIFFNESS * _STIFF.get(part, 1.0) for part in parts])

    def solved(self, start: Orientation) -> Array:
        """Return the unknowns (U,) that bring the point to the place, from the present ones plus some of a start."""
        low, high = np.array([_bounds(joint, name) for joint, name in self.columns]).T
        first = self.start + [start.get(name, 0.0) for _, name in self.columns]
        return np.asarray(
            scipy.optimize.least_squares(
                self._residual,
                np.clip(first, low + 1e-6, high - 1e-6),
                jac=self._jacobian,
                bounds=(low, high),
                x_scale=30.0,
                xtol=1e-6,
                max_nfev=25,
            ).x
        )

    def error(self, unknowns: Array) -> float:
        """Return the distance of the point from the place in m."""
        return float(np.linalg.norm(self._reached(unknowns[None])[0] - self.place))

    def _said(self, rows: Array) -> dict[str, Orientations]:
        said: dict[str, dict[str, float | Array]] = {joint: {} for joint in self.joints}
        for k, (joint, name) in enumerate(self.columns):
            said[joint][name] = rows[:, k]
        return dict(said)

    def _reached(self, rows: Array) -> Array:
        """Return where the point is, (N, 3), for unknowns (N, U)."""
        poses = _turned(self.standing, self._said(rows), len(rows))
        positions, rotations = self.figure.forward(poses)
        point = np.broadcast_to(self.point, (len(rows), 3))
        reached: Array = positions[:, self.segment] + quaternion.rotate(rotations[:, self.segment], point)
        return reached

    def _residuals(self, rows: Array) -> Array:
        """Return distance, turns and what lies beyond limits, each in m, (N, R)."""
        balls = {joint: (_ball(joint), said) for joint, said in self._said(rows).items()}
        beyond = [ball.excess(values(joint, said)[joint]) for joint, (ball, said) in balls.items() if ball is not None]
        turns = np.radians(rows - self.start) * self.stiffness
        parts = [self._reached(rows) - self.place, turns, *(_BEYOND * each[:, None] for each in beyond)]
        return np.concatenate(parts, axis=1)

    def _residual(self, unknowns: Array) -> Array:
        row: Array = self._residuals(unknowns[None])[0]
        return row

    def _jacobian(self, unknowns: Array) -> Array:
        steps = np.concatenate([np.zeros((1, len(unknowns))), _SMALL * np.eye(len(unknowns))])
        rows = self._residuals(unknowns + steps)
        jacobian: Array = ((rows[1:] - rows[0]) / _SMALL).T
        return jacobian


def _bounds(joint: str, name: str) -> tuple[float, float]:
    """Return the range in degrees of a hinge's movement; a ball joint's movements have none of their own."""
    if HUMAN[joint].ball is not None:
        return -360.0, 360.0
    limit = HUMAN[joint].hinges[MOVEMENTS[joint].index(name)].limit
    return float(np.degrees(limit.low)), float(np.degrees(limit.high))


def _turned(poses: Poses, said: Mapping[str, Orientation | Orientations], frames: int = 1) -> Poses:
    """Return frames of a pose with other orientations of some joints."""
    made = Poses(*(np.repeat(each, frames, axis=0) for each in (poses.root, poses.balls, poses.hinges)))
    for joint, orientation in said.items():
        for track, value in values(joint, orientation).items():
            if track in HUMAN.ball_names:
                made.ball(track)[:] = value
            else:
                made.hinge(track)[:] = value[..., 0]
    return made


def _within(joint: str, after: Orientation) -> dict[str, float]:
    """Return the rounded orientation within a joint's limits that is nearest to one, which may lie a little outside."""
    said = {name: round(value, DECIMALS) + 0.0 for name, value in after.items()}
    ball = _ball(joint)
    if ball is None or fits(joint, said):
        return said
    wanted = quaternion.conjugate(ball.clamp(values(joint, after)[joint]))

    def away(degrees: Array) -> Array:
        turned = values(joint, dict(zip(after, degrees, strict=True)))[joint]
        return quaternion.log(quaternion.multiply(wanted, turned))

    found = scipy.optimize.least_squares(away, np.array(list(after.values())), x_scale=30.0).x
    return {name: round(float(value), DECIMALS) + 0.0 for name, value in zip(after, found, strict=True)}


@cache
def _ball(joint: str) -> BallLimit | None:
    """Return the range of a ball joint, a little smaller, so that rounded degrees are within the true one."""
    limit = HUMAN[joint].ball
    if limit is None:
        return None
    low, high = limit.twist
    return replace(limit, swing=limit.swing - _MARGIN, twist=(low + _MARGIN, high - _MARGIN))
