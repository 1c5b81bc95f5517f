"""The root's path through a gap, and where a motion that may be moved is placed after it [Rose1996, section 3.2.1]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from segue.body.human import HUMAN
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, kernel_array, rotated
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError
from segue.motion.functions import Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.tracks import State
from segue.spacetime.objectives import Objective
from segue.spacetime.time_modes import samples_for, time_modes
from segue.typing import Array

Part = tuple[int, int]
"""A range of samples: the first, and the one after the last."""


@compiled(seconds=1)
def _wrapped(angle: float) -> float:
    """Return an angle within half a turn of zero."""
    return math.atan2(math.sin(angle), math.cos(angle))


@compiled(seconds=1)
def _damped(value: float, usual: float) -> float:
    """Return a value damped towards zero below the usual size, and almost unchanged far above it."""
    return value * value**2 / (value**2 + usual**2)


@compiled(seconds=1)
def _mean(values: Array, part: Part) -> float:
    return float(values[part[0] : part[1]].sum()) / (part[1] - part[0])


@compiled(seconds=1)
def _slope(times: Array, values: Array, part: Part) -> float:
    """Return the slope of the straight line that fits values best."""
    middle, level = _mean(times, part), _mean(values, part)
    rise, run = 0.0, 0.0
    for t in range(part[0], part[1]):
        rise += (times[t] - middle) * (values[t] - level)
        run += (times[t] - middle) ** 2
    return rise / run


@compiled(seconds=1)
def _displacement(places: Array, part: Part, sign: float) -> tuple[float, float]:
    """Return the displacement (x, z) on the floor from the earliest to the latest of some times."""
    last = part[1] - 1
    return sign * (places[last, 0] - places[part[0], 0]), sign * (places[last, 2] - places[part[0], 2])


@compiled(seconds=1)
def _headings(orientations: Array) -> Array:
    """Return the unwrapped headings (T,) of orientations (T, 4)."""
    headings = np.empty(len(orientations))
    for t in range(len(orientations)):
        x, _, z = rotated(get_quat(orientations, t), (0.0, 0.0, 1.0))
        headings[t] = np.arctan2(x, z)
        if t > 0:
            headings[t] = headings[t - 1] + _wrapped(headings[t] - headings[t - 1])
    return headings


@compiled(seconds=3)
def root_heading(
    times: Array,
    places: Array,
    orientations: Array,
    near: Part,
    far: Part,
    last: Part,
    slow: float,
    aside: float,
    sway: float,
    swerve: float,
    tiny: float,
) -> tuple[float, float]:
    """Return heading and turning, as in `RootHeading`, from the root's places (T, 3) and orientations (T, 4).

    near, far, last: the stride next to the seam, a stride further away, and a quarter of a stride next to the seam.
    slow: speed in m/s below which the heading is where the pelvis faces. aside: angle in rad between facing and travel
    above which the figure walks sideways. sway, swerve: usual turning of straight walks in rad/s, and usual deviation
    of a step in rad. tiny: seconds that count as zero.
    """
    faced = _headings(orientations)
    sign = 1.0 if times[-1] > times[0] else -1.0
    span = abs(times[near[1] - 1] - times[near[0]])
    if span <= tiny:
        return faced[0], 0.0
    x, z = _displacement(places, near, sign)
    if np.hypot(x, z) < slow * span:
        return faced[0], _slope(times, faced, near)
    sideways = abs(_wrapped(np.arctan2(x, z) - _mean(faced, near))) > aside
    headings = np.empty(3)
    for k, part in enumerate((near, far, last)):
        x, z = _displacement(places, part, sign)
        headings[k] = _mean(faced, part) if sideways else np.arctan2(x, z)
    at_near, at_far, at_last = _mean(times, near), _mean(times, far), _mean(times, last)
    rate = _damped(_wrapped(headings[0] - headings[1]) / (at_near - at_far), sway)
    heading = headings[0] + rate * (at_last - at_near)
    x, z = _displacement(places, last, sign)
    if np.hypot(x, z) > slow * abs(times[last[1] - 1] - times[last[0]]):
        heading += _damped(_wrapped(headings[2] - heading), swerve)
    return heading + rate * (times[0] - at_last), rate


_HEIGHT = 1
_SETTLING = 0.15
"""Time constant in s of the decay of the vertical velocity at a seam: a walker's height swings back within a step."""

_ROOT = ("root_position", "root")
_STRIDE = 1.0  # s, in which a walker sways to both sides once
_REACH = 1.5 * _STRIDE
_PARTS = np.linspace(0.0, 1.0, 13)
_NEAR, _FAR = (0, 9), (4, 13)  # samples of two strides among the three half strides
_LAST = (0, 3)  # a quarter of a stride
_SWAY, _SWERVE = 0.3, np.radians(10.0)
"""Usual turning of straight walks in rad/s, and usual deviation of a step from the direction of travel in rad."""

_SLOW = 0.4  # m/s below which the heading is where the pelvis faces
_ASIDE = np.radians(60.0)
_BALLISTIC = 0.3
"""Error of free flight at the end of a gap, as a part of the change of velocity by gravity."""


_BEYOND, _FAR_BEYOND = np.radians(8.0), np.radians(30.0)
"""Overshoot of the root's rotation in rad above which its velocities decay sooner: at ends of clips, inside clips."""

_U = np.linspace(0.0, 1.0, 17)
_CUBICS = np.stack([(1 + 2 * _U) * (1 - _U) ** 2, _U * (1 - _U) ** 2, _U**2 * (3 - 2 * _U), _U**2 * (_U - 1)], axis=1)


def velocity_blend(start: Array, first: Array, last: Array, duration: float) -> Array:
    """Return polynomial coefficients (3, ...), lowest power first, of the path with linear velocity.

    From `start` with velocity `first`, arriving with velocity `last` after `duration` seconds: the closed form of the
    integral of [Rose1996], section 3.2.1, p(t) = start + first t + (last - first) t^2 / (2 duration).
    """
    begin, end = np.asarray(first, dtype=float), np.asarray(last, dtype=float)
    return np.stack([np.broadcast_to(start, begin.shape).astype(float), begin, (end - begin) / (2.0 * duration)])


@dataclass(frozen=True, eq=False)
class RootHeading:
    """The root at a seam: place (3,) in m, velocity (3,) in m/s, heading in rad and turning in rad/s.

    heading: about the vertical, 0 along +Z, positive towards +X. The pelvis of a walker swings with every step and the
    body sways. So the heading is the direction of travel over one stride, unless the last step deviates by much more
    than usual steps. Below 0.4 m/s it is the direction in which the pelvis faces. For walking sideways or backwards it
    is the mean direction in which the pelvis faces. turning: rate of change of the heading.
    """

    place: Array
    velocity: Array
    heading: float
    turning: float

    @classmethod
    def before(cls, motion: Motion, at: float) -> RootHeading:
        """Return the heading of a motion up to a time."""
        return cls._of(motion, times_before(motion, at))

    @classmethod
    def after(cls, motion: Motion, at: float) -> RootHeading:
        """Return the heading of a motion from a time on."""
        return cls._of(motion, times_after(motion, at))

    @classmethod
    def _of(cls, motion: Motion, times: Array) -> RootHeading:
        try:
            return cls.along(times, motion.state(times, _ROOT))
        except ArgumentError:
            # another gap is near
            times = np.full_like(times, times[0])
            return cls.along(times, motion.state(times, _ROOT))

    @classmethod
    def along(cls, times: Array, state: State) -> RootHeading:
        """Return the heading at the first of some times that lead away from the seam; see `times_before`."""
        places, faces = kernel_array(state.root.value), kernel_array(state.balls.value[:, 0])
        heading, turning = root_heading(times, places, faces, _NEAR, _FAR, _LAST, _SLOW, _ASIDE, _SWAY, _SWERVE, TINY)
        return cls(state.root.value[0], state.root.velocity[0], heading, turning)


def times_before(motion: Motion, at: float) -> Array:
    """Return the times that determine the heading up to a time, that time first."""
    times: Array = at - min(_REACH, at - motion.start) * _PARTS
    return times


def times_after(motion: Motion, at: float) -> Array:
    """Return the times that determine the heading from a time on, that time first."""
    times: Array = at + min(_REACH, motion.stop - at) * _PARTS
    return times


def free_placement(before: RootHeading, after: RootHeading, duration: float, scale: float = 1.0) -> Placement:
    """Return the placement of a second motion on the floor at which the blend of velocities leads into it.

    before, after: the headings at the end of the first motion and at the beginning of the second. The
    rate of the heading is linear between them, as the velocity is. scale: see `size_ratio`.
    """
    turn = before.heading + 0.5 * duration * (before.turning + after.turning) - after.heading
    turned = Placement(turn, scale=scale)
    place, velocity = before.place.tolist(), before.velocity.tolist()
    there, moving = (turned.turned(vector[0], vector[2]) for vector in (after.place.tolist(), after.velocity.tolist()))
    # the blend travels as far as the mean of both velocities
    x = place[0] + 0.5 * duration * (velocity[0] + moving[0])
    z = place[2] + 0.5 * duration * (velocity[2] + moving[1])
    return Placement(turn, x - there[0], z - there[1], scale)


def pinned_placement(after: RootHeading, scale: float) -> Placement:
    """Return the placement that scales a second motion and keeps its first place on the floor."""
    x, _, z = after.place
    return Placement(0.0, float((1.0 - scale) * x), float((1.0 - scale) * z), scale)


def root_control(ends: Array, duration: float, coefficients: int, airborne: bool, *, suspect: bool = False) -> Array:
    """Return spline coefficients (m + 4, 6) of the root's path between ends (4, 44).

    All but the height follow the cubic Hermite, which equals the blend of velocities if the second motion was placed by
    it. The velocity of the height decays sooner, unless the body flies through the whole gap: then the cubic Hermite is
    the parabola of free fall, as far as the ends agree with it. Rotations that would overshoot both ends by far decay
    sooner, too. suspect: whether an end is the end of a clip, where the threshold is lower.
    """
    hermite, settled = _root_modes(duration, coefficients)
    control: Array = hermite @ ends[:, : HUMAN.root_dofs]
    if not (airborne and flies(ends[:, _HEIGHT], duration)):
        control[:, _HEIGHT] = settled @ ends[:, _HEIGHT]
    for turn in range(_HEIGHT + 2, HUMAN.root_dofs):
        if _overshoot(ends[:, turn], duration) > (_BEYOND if suspect else _FAR_BEYOND):
            control[:, turn] = settled @ ends[:, turn]
    return control


def _overshoot(ends: Array, duration: float) -> float:
    """Return the overshoot of the cubic between ends (value, rate, value, rate)."""
    path = _CUBICS @ (ends * np.array([1.0, duration, 1.0, duration]))
    low, high = sorted((float(ends[0]), float(ends[2])))
    return max(float(path.max()) - high, low - float(path.min()))


@lru_cache(maxsize=256)
def _root_modes(duration: float, coefficients: int) -> tuple[Array, Array]:
    """Return the matrices from ends (4,) to coefficients (m + 4,): cubic Hermite, and a path that settles sooner."""
    settling = Objective(velocity=1.0, acceleration=_SETTLING)
    modes = time_modes(duration, coefficients, samples_for(coefficients), settling)
    return modes.ends_to_control, modes.smoothest(np.eye(4))


def flies(height: Array, duration: float) -> bool:
    """Return whether free fall leads from one end (value, rate) to the other (value, rate)."""
    fall = GRAVITY[1] * duration
    missed = height[3] - height[1] - fall
    off = height[2] - height[0] - duration * (height[1] + 0.5 * fall)
    return bool(abs(missed) < _BALLISTIC * abs(fall) and abs(off) < _BALLISTIC * abs(fall) * duration)
