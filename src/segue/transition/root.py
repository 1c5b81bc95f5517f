"""The root's path through a gap, and where a motion that may be moved is placed after it [Rose1996, section 3.2.1]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError
from segue.motion.functions import Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.spacetime.gap import ROOT_DOFS
from segue.spacetime.objectives import Objective
from segue.spacetime.time_modes import samples_for, time_modes

__all__ = ["Course", "free_placement", "pinned_placement", "root_control", "size_ratio", "velocity_blend"]

_HEIGHT = 1
_SETTLING = 0.15
"""Seconds in which the height's velocity at a seam dies away: a walker's height swings back within a step."""

_SAME_SIZE = 0.01
_ROOT = ("root_position", "root")
_STEPS = np.linspace(0.0, 1.0, 9)  # s
_SWAY = 0.3  # rad/s
_SLOW = 0.4  # m/s below which one faces somewhere rather than goes there
_FORWARD = np.array([0.0, 0.0, 1.0])
_BALLISTIC = 0.3
"""Part of what gravity changes of the velocity in a gap by which free flight may miss the velocity at its end."""


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

    heading: radians about the vertical, 0 along +Z, positive towards +X. The pelvis of a walker swings with every step:
    so the heading is the way that was gone within a second, or, of one who hardly goes anywhere, the way faced.
    turning: how fast that changes, in rad/s.
    """

    place: Array
    velocity: Array
    heading: float
    turning: float

    @classmethod
    def before(cls, motion: Motion, at: float) -> Course:
        """Return the course up to a time."""
        return cls._along(motion, np.maximum(at - _STEPS, motion.start))

    @classmethod
    def after(cls, motion: Motion, at: float) -> Course:
        """Return the course from a time on."""
        return cls._along(motion, np.minimum(at + _STEPS, motion.stop))

    @classmethod
    def _along(cls, motion: Motion, times: Array) -> Course:
        """Return the course at the first of some times that lead away from it."""
        try:
            state = motion.state(times, _ROOT)
        except ArgumentError:
            # another gap is near
            state = motion.state(np.full_like(times, times[0]), _ROOT)
            times = np.full_like(times, times[0])
        place, velocity = state.root.value[0], state.root.velocity[0]
        way = state.root.value[-1] - state.root.value[0]
        span = times[-1] - times[0]
        if abs(span) > TINY and np.hypot(way[0], way[2]) > _SLOW * abs(span):
            half = len(times) // 2
            near = _direction(state.root.value[half] - state.root.value[0], span)
            far = _direction(state.root.value[-1] - state.root.value[half], span)
            turning = float(np.angle(np.exp(1j * (near - far)))) / (-0.5 * span)
            # steps sway from side to side: a little turning is none
            turning *= turning**2 / (turning**2 + _SWAY**2)
            return cls(place, velocity, _direction(way, span) - 0.5 * span * turning, turning)
        facing = _heading(state.balls.value[0, 0])
        turned = float(np.angle(np.exp(1j * (_heading(state.balls.value[-1, 0]) - facing))))
        return cls(place, velocity, facing, turned / span if abs(span) > TINY else 0.0)


def free_placement(before: Course, after: Course, duration: float, scale: float = 1.0) -> Placement:
    """Return how to move a second motion on the floor so that the blend of velocities leads into it.

    before, after: the courses at the end of the first motion and at the beginning of the second. The heading turns as
    the position goes: its rate passes straight from the one to the other. scale: see `size_ratio`.
    """
    turn = before.heading + 0.5 * duration * (before.turning + after.turning) - after.heading
    turned = Placement(turn, scale=scale)
    there, moving = turned.moved(after.place), turned.moved(after.velocity)
    path = velocity_blend(before.place, before.velocity, moving, duration)
    reached = path[0] + duration * (path[1] + duration * path[2])
    return Placement(turn, float(reached[0] - there[0]), float(reached[2] - there[2]), scale)


def pinned_placement(after: Course, scale: float) -> Placement:
    """Return how to bring a second motion to another size while it begins above the same place on the floor."""
    x, _, z = after.place
    return Placement(0.0, float((1.0 - scale) * x), float((1.0 - scale) * z), scale)


def size_ratio(first: Figure, second: Figure) -> float:
    """Return by what to multiply the second person's paths so that the first one's legs can walk them.

    Legs that differ by less than measuring them does count as equal.
    """
    ratio = _leg(first) / _leg(second)
    return 1.0 if abs(ratio - 1.0) < _SAME_SIZE else ratio


def _leg(figure: Figure) -> float:
    return figure.build.thigh + figure.build.shank + figure.build.sole


def _direction(way: Array, span: float) -> float:
    """Return the heading of a way on the floor, gone forwards or, in a negative span of time, backwards."""
    sign = 1.0 if span > 0 else -1.0
    return float(np.arctan2(sign * way[0], sign * way[2]))


def _heading(orientation: Array) -> float:
    forward = quaternion.rotate(orientation, _FORWARD)
    return float(np.arctan2(forward[0], forward[2]))


def root_control(ends: Array, duration: float, coefficients: int, airborne: bool) -> Array:
    """Return spline coefficients (m + 4, 6) of the root's path between ends (4, 44).

    All but the height follow the cubic Hermite: where the second motion was placed by the blend of velocities that is
    the blend itself. The height's velocities die away sooner, unless the body flies through the whole gap: then the
    cubic Hermite is the parabola of free fall, as far as the ends agree with one.
    """
    samples = samples_for(coefficients)
    calm = time_modes(duration, coefficients, samples, Objective(velocity=1.0, acceleration=_SETTLING))
    control = calm.coefficients(ends[:, :ROOT_DOFS], np.zeros((coefficients, ROOT_DOFS)))
    if not (airborne and _flies(ends[:, _HEIGHT], duration)):
        control[:, _HEIGHT] = calm.smoothest(ends[:, _HEIGHT])
    return control


def _flies(height: Array, duration: float) -> bool:
    """Whether free fall leads from one end (value, rate) to the other (value, rate)."""
    fall = GRAVITY[1] * duration
    missed = height[3] - height[1] - fall
    off = height[2] - height[0] - duration * (height[1] + 0.5 * fall)
    return bool(abs(missed) < _BALLISTIC * abs(fall) and abs(off) < _BALLISTIC * abs(fall) * duration)
