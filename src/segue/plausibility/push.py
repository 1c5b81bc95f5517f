"""Unexplained push: what a motion asks of the ground that the feet in contact cannot give.

The rate of change of the body's momentum, less its weight, is the push that the body needs from outside. Feet push from
under their soles, never pull, and push aside only as far as friction allows. The rest after the best such push is
unexplained. It is near zero in good capture. It is large where a clip plays at a wrong rate, floats, or is carried by
something that the file does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.curves.sampled import runs
from segue.dynamics import GRAVITY, forward_kinematics, inverse_dynamics
from segue.dynamics.ground_push import ARM, best_push, push_edges
from segue.plausibility.torque import centre_of_pressure, root_moment, smooth_motion
from segue.typing import Array, Flags

_RATE = 60.0  # Hz at which pushes are found: the motion has been low-passed at 8 Hz
_REACH = 0.04  # s before and after a contact in which the foot may push
_NEAR = 0.03  # m above the ground from which a sole may push where no foot is in contact and the body is not aloft
_LEAST_PUSH = 2.0  # N/kg: with less to bear, the centre of pressure is anywhere
_SPAN = 0.5  # s over which the unexplained push is averaged
_RATES = (2.0, 4.0)  # times too fast that files play whose frames were captured at 60 or 30 Hz and marked 120
_MOVING = 2.0  # N/kg of momentum from which on a body is moving
_WRONG = 1.5  # N/kg, the median above which a frame rate is doubted
_EXPLAINED = 0.4  # of the push that may stay unexplained at the right rate


@dataclass(frozen=True)
class Push:
    """The largest unexplained push over half a second, in N per kg of body mass, and from when to when, in s.

    speed: how many times too fast the clip probably plays; None where its rate explains nothing.
    """

    largest: float = 0.0
    start: float | None = None
    stop: float | None = None
    speed: float | None = None


@dataclass(frozen=True, eq=False)
class Wrench:
    """The wrench that moves a body, at some of its frames, per kg of its mass, about its centre of mass.

    frames: (K,) their numbers. force: (K, 3) in N/kg and moment: (K, 3) in N m/kg, of momentum alone, without weight.
    centre: (K, 3), the centre of mass in m.
    """

    frames: Array
    force: Array
    moment: Array
    centre: Array

    def needed(self, speed: float = 1.0) -> Array:
        """Return (K, 6) the push from outside that the body needs if its clip plays `speed` times too fast."""
        slowed = np.concatenate([self.force, self.moment / ARM], axis=1) / speed**2
        slowed[:, :3] -= GRAVITY
        return slowed


def body_wrench(figure: Figure, poses: Poses, fps: float) -> Wrench:
    """Return the rate of change of a body's momentum at no more than 60 frames a second."""
    stride = max(1, round(fps / _RATE))
    parts: list[tuple[Array, ...]] = []
    if len(poses) >= 3:
        for inner, tree, q, qd, qdd in smooth_motion(figure, poses, fps):
            chosen = np.arange(inner.start, inner.stop) % stride == 0
            if not chosen.any():
                continue
            at, q = np.arange(inner.start, inner.stop)[chosen], q[chosen]
            tau = inverse_dynamics(tree.tree, q, qd[chosen], qdd[chosen])
            kinematics = forward_kinematics(tree.tree, q)
            root, moment = root_moment(kinematics, q, tau)
            centre = figure.centre_of_mass(poses[at])
            force = tau[:, :3]
            moment = moment + np.cross(root - centre, force)
            parts.append((at, force / figure.mass + GRAVITY, moment / figure.mass, centre))
    if not parts:
        return Wrench(np.zeros(0, dtype=int), *np.zeros((3, 0, 3)))
    joined = [np.concatenate(each) for each in zip(*parts, strict=True)]
    order = np.argsort(joined[0])
    return Wrench(*(each[order] for each in joined))


@dataclass(frozen=True, eq=False)
class GroundPush:
    """The push that a motion needs, and from where its feet may give it.

    points: (T, 6, 3) where `PUSH_POINTS` are. may_push: (T, 6) which of them may push. known: (T,) frames in which
    nothing else carries the body. normals: (T, 6, 3) of the ground under the points.
    """

    times: Array
    wrench: Wrench
    points: Array
    normals: Array
    may_push: Flags
    known: Flags

    @cached_property
    def unexplained(self) -> Array:
        """The size (T,) of the push that the feet cannot give, in N/kg; NaN where it is not known."""
        return self._unexplained(1.0)

    def _unexplained(self, speed: float) -> Array:
        sizes = np.full(len(self.times), np.nan)
        rests = [
            float(np.linalg.norm(needed if edges is None else needed - edges @ best_push(edges, needed)))
            for needed, edges in zip(self.wrench.needed(speed), self._edges, strict=True)
        ]
        frames = self.wrench.frames
        if len(frames):
            sizes[frames[0] : frames[-1] + 1] = np.interp(np.arange(frames[0], frames[-1] + 1), frames, rests)
        return np.where(self.known, sizes, np.nan)

    @cached_property
    def _edges(self) -> list[Array | None]:
        """The wrench of each edge of each pyramid, (6, E), frame by frame; None where nobody pushes."""
        frames = self.wrench.frames
        pushing, points, normals = (np.asarray(each)[frames] for each in (self.may_push, self.points, self.normals))
        return push_edges(points, normals, self.wrench.centre, pushing)

    def centre_of_pressure(self) -> Array:
        """Return (K, 3) where the needed push acts, at the frames of the wrench; NaN where nobody may push."""
        frames, needed = self.wrench.frames, self.wrench.needed()
        bearing = self.may_push[frames]
        heights = np.where(bearing, self.points[frames][..., 1], np.nan)
        held = bearing.any(axis=1) & self.known[frames] & (needed[:, 1] > _LEAST_PUSH)
        level = np.where(held, np.nanmin(np.where(held[:, None], heights, 0.0), axis=1), 0.0)
        found = centre_of_pressure(level, self.wrench.centre, needed[:, :3], needed[:, 3:] * ARM)
        return np.where(held[:, None], found, np.nan)

    def probable_speed(self) -> float | None:
        """Return how many times too fast the clip probably plays, or None where that explains little."""
        usual = self._level(self.unexplained)
        if usual < _WRONG:
            return None
        # any motion asks for less when it plays more slowly, so the smallest change that explains it is the likely one
        return next((speed for speed in _RATES if self._level(self._unexplained(speed)) < _EXPLAINED * usual), None)

    def _level(self, sizes: Array) -> float:
        """Return the median of sizes (T,) while the body is moving: whoever stands is explained at any rate."""
        frames = self.wrench.frames[np.linalg.norm(self.wrench.force, axis=1) > _MOVING]
        known = sizes[frames][np.isfinite(sizes[frames])]
        return float(np.median(known)) if len(known) else 0.0


def may_push(touching: Flags, heights: Array, aloft: Flags, dt: float) -> Flags:
    """Return (T, P) which points may push, given which are in contact, how high they are, and when the body is aloft.

    A point pushes from a little before its contact to a little after it. Points near the ground push where no point is
    in contact and the body is not aloft.
    """
    reach = round(_REACH / dt)
    pushing = np.zeros_like(touching)
    for point in range(touching.shape[1]):
        for first, stop in runs(touching[:, point]):
            pushing[max(first - reach, 0) : stop + reach, point] = True
    unheld = ~pushing.any(axis=1) & ~aloft
    pushing[unheld] = heights[unheld] < _NEAR + heights[unheld].min(axis=1, keepdims=True)
    return pushing


def largest_push(push: GroundPush, chosen: Flags) -> Push:
    """Return the largest unexplained push in the chosen frames (T,): the root mean square over half a second."""
    times, squares = push.times, push.unexplained**2
    known = np.isfinite(squares) & chosen
    if len(times) < 2 or not known.any():
        return Push()
    dt = float(times[1] - times[0])
    window = min(max(1, round(_SPAN / dt)), int(known.sum()))
    sums = np.concatenate([[0.0], np.cumsum(np.where(known, squares, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    # short windows at the edge of what is known would let a single frame decide
    full = counts[window:] - counts[:-window] >= max(1, round(0.8 * window))
    if not full.any():
        return Push()
    means = np.where(full, (sums[window:] - sums[:-window]) / np.maximum(counts[window:] - counts[:-window], 1), 0.0)
    first = int(means.argmax())
    stop = min(first + window, len(times)) - 1
    return Push(float(np.sqrt(means[first])), float(times[first]), float(times[stop]), push.probable_speed())
