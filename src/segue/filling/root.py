"""The root's path through a gap, and where a motion that may be moved is placed after it [Rose1996, section 3.2.1]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from segue.body.human import HUMAN
from segue.curves.quaternion_kernels import kernel_array
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError
from segue.filling._root_kernels import course_of
from segue.motion.functions import Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.spacetime.objectives import Objective
from segue.spacetime.time_modes import samples_for, time_modes
from segue.typing import Array

_HEIGHT = 1
_SETTLING = 0.15
"""Seconds in which the height's velocity at a seam dies away: a walker's height swings back within a step."""

_ROOT = ("root_position", "root")
_STRIDE = 1.0  # s, in which a walker sways to both sides once
_LOOK = 1.5 * _STRIDE
_PARTS = np.linspace(0.0, 1.0, 13)
_NEAR, _FAR = (0, 9), (4, 13)  # two strides of the three halves that are looked at
_LAST = (0, 3)  # a quarter of a stride
_SWAY, _SWERVE = 0.3, np.radians(10.0)
"""What straight walks have of turning from stride to stride, in rad/s, and of steps that leave their way, in rad."""

_SLOW = 0.4  # m/s below which one faces somewhere rather than goes there
_ASIDE = np.radians(60.0)
_BALLISTIC = 0.3
"""Part of what gravity changes of the velocity in a gap by which free flight may miss the velocity at its end."""


_BEYOND, _FAR_BEYOND = np.radians(8.0), np.radians(30.0)
"""How far the root may turn beyond both ends of a gap before its velocities die away sooner, in rad: where a clip ends,
and inside clips."""

_U = np.linspace(0.0, 1.0, 17)
_CUBICS = np.stack([(1 + 2 * _U) * (1 - _U) ** 2, _U * (1 - _U) ** 2, _U**2 * (3 - 2 * _U), _U**2 * (_U - 1)], axis=1)


def velocity_blend(start: Array, first: Array, last: Array, duration: float) -> Array:
    """Return polynomial coefficients (3, ...), lowest power first, of the path whose velocity goes straight over.

    From `start` with velocity `first`, arriving with velocity `last` after `duration` seconds: the closed form of the
    integral of [Rose1996], section 3.2.1, p(t) = start + first t + (last - first) t^2 / (2 duration).
    """
    begin, end = np.asarray(first, dtype=float), np.asarray(last, dtype=float)
    return np.stack([np.broadcast_to(start, begin.shape).astype(float), begin, (end - begin) / (2.0 * duration)])


@dataclass(frozen=True, eq=False)
class Course:
    """Where a motion goes at a seam: the root's place (3,) and velocity (3,), and the way it goes or faces.

    heading: radians about the vertical, 0 along +Z, positive towards +X. The pelvis of a walker swings with every step,
    and the body sways: so the heading is the way gone within a stride, unless the last step leaves it by far more than
    steps do. Of one who hardly goes anywhere it is the way faced; of one who goes sideways or backwards, the way faced
    on average. turning: how fast that changes, in rad/s.
    """

    place: Array
    velocity: Array
    heading: float
    turning: float

    @classmethod
    def before(cls, motion: Motion, at: float) -> Course:
        """Return the course up to a time."""
        return cls._of(motion, times_before(motion, at))

    @classmethod
    def after(cls, motion: Motion, at: float) -> Course:
        """Return the course from a time on."""
        return cls._of(motion, times_after(motion, at))

    @classmethod
    def _of(cls, motion: Motion, times: Array) -> Course:
        try:
            return cls.along(times, motion.state(times, _ROOT))
        except ArgumentError:
            # another gap is near
            times = np.full_like(times, times[0])
            return cls.along(times, motion.state(times, _ROOT))

    @classmethod
    def along(cls, times: Array, state: State) -> Course:
        """Return the course of a motion at the first of some times that lead away from it; see `times_before`."""
        places, faces = kernel_array(state.root.value), kernel_array(state.balls.value[:, 0])
        heading, turning = course_of(times, places, faces, _NEAR, _FAR, _LAST, _SLOW, _ASIDE, _SWAY, _SWERVE, TINY)
        return cls(state.root.value[0], state.root.velocity[0], heading, turning)


def times_before(motion: Motion, at: float) -> Array:
    """Return the times that tell the course of a motion up to a time, that one first."""
    times: Array = at - min(_LOOK, at - motion.start) * _PARTS
    return times


def times_after(motion: Motion, at: float) -> Array:
    """Return the times that tell the course of a motion from a time on, that one first."""
    times: Array = at + min(_LOOK, motion.stop - at) * _PARTS
    return times


def free_placement(before: Course, after: Course, duration: float, scale: float = 1.0) -> Placement:
    """Return how to move a second motion on the floor so that the blend of velocities leads into it.

    before, after: the courses at the end of the first motion and at the beginning of the second. The heading turns as
    the position goes: its rate passes straight from the one to the other. scale: see `size_ratio`.
    """
    turn = before.heading + 0.5 * duration * (before.turning + after.turning) - after.heading
    turned = Placement(turn, scale=scale)
    place, velocity = before.place.tolist(), before.velocity.tolist()
    there, moving = (turned.turned(vector[0], vector[2]) for vector in (after.place.tolist(), after.velocity.tolist()))
    # where the velocity blend leads: as far as the mean of both velocities does
    x = place[0] + 0.5 * duration * (velocity[0] + moving[0])
    z = place[2] + 0.5 * duration * (velocity[2] + moving[1])
    return Placement(turn, x - there[0], z - there[1], scale)


def pinned_placement(after: Course, scale: float) -> Placement:
    """Return how to bring a second motion to another size while it begins above the same place on the floor."""
    x, _, z = after.place
    return Placement(0.0, float((1.0 - scale) * x), float((1.0 - scale) * z), scale)


def root_control(ends: Array, duration: float, coefficients: int, airborne: bool, *, suspect: bool = False) -> Array:
    """Return spline coefficients (m + 4, 6) of the root's path between ends (4, 44).

    All but the height follow the cubic Hermite: where the second motion was placed by the blend of velocities that is
    the blend itself. The height's velocities die away sooner, unless the body flies through the whole gap: then the
    cubic Hermite is the parabola of free fall, as far as the ends agree with one. So do those of turns that would go
    far beyond both ends; suspect: whether one of these is the end of a clip, where less is far.
    """
    hermite, calm = _root_modes(duration, coefficients)
    control: Array = hermite @ ends[:, : HUMAN.root_dofs]
    if not (airborne and _flies(ends[:, _HEIGHT], duration)):
        control[:, _HEIGHT] = calm @ ends[:, _HEIGHT]
    for turn in range(_HEIGHT + 2, HUMAN.root_dofs):
        if _overshoot(ends[:, turn], duration) > (_BEYOND if suspect else _FAR_BEYOND):
            control[:, turn] = calm @ ends[:, turn]
    return control


def _overshoot(ends: Array, duration: float) -> float:
    """Return how far the cubic between ends (value, rate, value, rate) goes beyond both values."""
    path = _CUBICS @ (ends * np.array([1.0, duration, 1.0, duration]))
    low, high = sorted((float(ends[0]), float(ends[2])))
    return max(float(path.max()) - high, low - float(path.min()))


@lru_cache(maxsize=256)
def _root_modes(duration: float, coefficients: int) -> tuple[Array, Array]:
    """Return what ends (4,) become of spline coefficients (m + 4,): of the cubic Hermite, and of a calmer path."""
    settling = Objective(velocity=1.0, acceleration=_SETTLING)
    modes = time_modes(duration, coefficients, samples_for(coefficients), settling)
    return modes.ends_to_control, modes.smoothest(np.eye(4))


def _flies(height: Array, duration: float) -> bool:
    """Whether free fall leads from one end (value, rate) to the other (value, rate)."""
    fall = GRAVITY[1] * duration
    missed = height[3] - height[1] - fall
    off = height[2] - height[0] - duration * (height[1] + 0.5 * fall)
    return bool(abs(missed) < _BALLISTIC * abs(fall) and abs(off) < _BALLISTIC * abs(fall) * duration)
