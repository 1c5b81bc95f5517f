"""Autonomic motor program: balance. It works all the time, whatever is danced.

The thesis balances by an outside torque on the upper body [Lake1990, section 6.2.3]. Here nothing pushes but the
floor: the centre of mass is accelerated by where the feet press, so that the capture point (where the body would come
to rest) goes back to its course [Englsberger2015], while pelvis, torso and head are kept as they are to be.
"""

from __future__ import annotations

import numpy as np

from segue.curves.quaternion import Array
from segue.dance.simulation.course.course import Course

__all__ = ["mass_centre_acceleration", "momentum_rate", "needed_pressure", "trunk_accelerations"]

_RETURN = 3.0  # 1/s: how fast a stray capture point is brought back
_HEIGHT_STIFFNESS, _HEIGHT_DAMPING = 100.0, 20.0  # 1/s^2, 1/s
_TRUNK_STIFFNESS, _TRUNK_DAMPING = 100.0, 20.0
_MOMENTUM_DAMPING = 2.0  # 1/s


def mass_centre_acceleration(course: Course, tick: int, centre: Array, velocity: Array) -> Array:
    """Return the acceleration (3,) that the centre of mass needs, from where it is and how it moves, (3,) each."""
    planned = course.mass_centre
    _, pressure = needed_pressure(course, tick, centre, velocity)
    x, z = planned.pace[tick] ** 2 * (centre[[0, 2]] - pressure)
    height, rate, growth = planned.height[:, tick]
    y = growth + _HEIGHT_STIFFNESS * (height - centre[1]) + _HEIGHT_DAMPING * (rate - velocity[1])
    return np.array([x, y, z])


def needed_pressure(course: Course, tick: int, centre: Array, velocity: Array) -> tuple[Array, Array]:
    """Return how far (2,) the capture point is from its course, and where (2,) the floor must push to bring it back."""
    pace = course.mass_centre.pace[tick]
    astray = centre[[0, 2]] + velocity[[0, 2]] / pace - course.capture[tick]
    return astray, course.mass_centre.pressure[tick] + (1.0 + _RETURN / pace) * astray


def trunk_accelerations(course: Course, tick: int, errors: Array, spins: Array) -> Array:
    """Return angular accelerations (3, 3) of pelvis, torso and head, from rotation vectors to where they are to be."""
    trunk = course.trunk
    wanted: Array = trunk.spin_rate[tick] + _TRUNK_STIFFNESS * errors + _TRUNK_DAMPING * (trunk.spin[tick] - spins)
    return wanted


def momentum_rate(momentum: Array) -> Array:
    """Return how fast the body's angular momentum (3,) is to change: it fades."""
    return -_MOMENTUM_DAMPING * momentum
