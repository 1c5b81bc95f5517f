"""The root's path through a gap, and where a motion that may be moved is placed after it [Rose1996, section 3.2.1]."""

from __future__ import annotations

import numpy as np

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dynamics import GRAVITY
from segue.motion.functions import Placement
from segue.motion.state import State
from segue.spacetime.gap import ROOT_DOFS
from segue.spacetime.objectives import Objective
from segue.spacetime.time_modes import samples_for, time_modes

__all__ = ["free_placement", "root_control", "velocity_blend"]

_HEIGHT = 1
_SETTLING = 0.15
"""Seconds in which the height's velocity at a seam dies away: a walker's height swings back within a step."""

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


def free_placement(before: State, after: State, duration: float) -> Placement:
    """Return how to move a second motion on the floor so that the blend of velocities leads into it.

    before, after: states at the end of the first motion and the beginning of the second. The heading turns as the
    position goes: its rate passes straight from the one to the other.
    """
    turning = 0.5 * duration * (before.balls.velocity[-1, 0, 1] + after.balls.velocity[0, 0, 1])
    turn = float(_heading(before.balls.value[-1, 0]) + turning - _heading(after.balls.value[0, 0]))
    turned = Placement(turn)
    there, moving = turned.moved(after.root.value[0]), turned.moved(after.root.velocity[0])
    path = velocity_blend(before.root.value[-1], before.root.velocity[-1], moving, duration)
    reached = path[0] + duration * (path[1] + duration * path[2])
    return Placement(turn, float(reached[0] - there[0]), float(reached[2] - there[2]))


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
