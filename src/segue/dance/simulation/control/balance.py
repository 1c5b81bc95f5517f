"""Autonomic motor program: balance. It works all the time, whatever is danced.

The thesis balances by an outside torque on the upper body [Lake1990, section 6.2.3]. Here nothing pushes but the
floor: the centre of mass is accelerated by where the feet press, so that the capture point (where the body would come
to rest) goes back to its course [Englsberger2015], while pelvis, torso and head are kept as they are to be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.dance.simulation.control import _task_kernels
from segue.dance.simulation.control._task_kernels import mass_centre, trunk_turning
from segue.dance.simulation.course.course import Course
from segue.typing import Array

Places = npt.NDArray[np.int64]

_RETURN = 3.0  # 1/s: how fast a stray capture point is brought back
_HEIGHT_STIFFNESS, _HEIGHT_DAMPING = 100.0, 20.0  # 1/s^2, 1/s
_TRUNK_STIFFNESS, _TRUNK_DAMPING = 100.0, 20.0
_MOMENTUM_DAMPING = 2.0  # 1/s


def mass_centre_acceleration(course: Course, tick: int, centre: Array, velocity: Array) -> Array:
    """Return the acceleration (3,) that the centre of mass needs, from where it is and how it moves, (3,) each."""
    planned = course.mass_centre
    wanted: Array = mass_centre(
        planned.pace[tick],
        course.capture[tick],
        planned.pressure[tick],
        _RETURN,
        planned.height[:, tick],
        _HEIGHT_STIFFNESS,
        _HEIGHT_DAMPING,
        centre,
        velocity,
    )
    return wanted


def needed_pressure(course: Course, tick: int, centre: Array, velocity: Array) -> tuple[Array, Array]:
    """Return how far (2,) the capture point is from its course, and where (2,) the floor must push to bring it back."""
    planned = course.mass_centre
    found = _task_kernels.needed_pressure(
        planned.pace[tick], course.capture[tick], planned.pressure[tick], _RETURN, centre, velocity
    )
    return np.array(found[:2]), np.array(found[2:])


def trunk_accelerations(course: Course, tick: int, turns: Array, bodies: Places, spins: Array) -> Array:
    """Return angular accelerations (3, 3) of pelvis, torso and head.

    turns: (bodies, 4) of all segments in the world, of which these are the bodies (3,). spins: (3, 3) how these turn.
    """
    trunk = course.trunk
    wanted: Array = trunk_turning(
        turns,
        bodies,
        trunk.turns[tick],
        spins,
        trunk.spin[tick],
        trunk.spin_rate[tick],
        _TRUNK_STIFFNESS,
        _TRUNK_DAMPING,
    )
    return wanted


def momentum_rate(momentum: Array) -> Array:
    """Return how fast the body's angular momentum (3,) is to change: it fades."""
    return -_MOMENTUM_DAMPING * momentum
