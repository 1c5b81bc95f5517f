"""Compiled motor programs: accelerations that limbs, trunk, feet and the centre of mass should have."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, turn_after, turn_back, turn_log
from segue.dance.course.limbs import LimbCourse
from segue.typing import Array

_BALL_DOFS = HUMAN.ball_dofs
_HINGE_DOFS = HUMAN.hinge_dofs
_BALL_POSITIONS = HUMAN.ball_positions
_HINGE_POSITIONS = HUMAN.hinge_positions

_DOFS = 44


@compiled(seconds=1)
def joint_errors(balls: Array, hinges: Array, positions: Array) -> Array:
    """Return the errors (44,) of joints from goals (7, 4) and (20,): rotation vectors along the segments' own axes."""
    errors = np.zeros(_DOFS)
    for b in range(1, len(balls)):
        places, columns = _BALL_POSITIONS[b], _BALL_DOFS[b]
        now = (positions[places[0]], positions[places[1]], positions[places[2]], positions[places[3]])
        x, y, z = turn_log(turn_after(turn_back(now), get_quat(balls, b)))
        errors[columns[0]], errors[columns[1]], errors[columns[2]] = x, y, z
    for h in range(len(hinges)):
        errors[_HINGE_DOFS[h]] = hinges[h] - positions[_HINGE_POSITIONS[h]]
    return errors


@compiled(seconds=2)
def limb_accelerations(
    course: LimbCourse, tick: int, bent: Array, positions: Array, velocities: Array, stiffness: Array, damping: Array
) -> Array:
    """Return the accelerations (44,) of springs and dampers towards a moving course.

    bent: (44,) rad of extra flexion of hinges. positions: (51,) and velocities: (44,) of the engine. stiffness,
    damping: (44,) 1/s^2 and 1/s. Accelerations of a ball joint are along the axes of its own segment.
    """
    wanted: Array = joint_errors(course.balls[tick], course.hinges[tick], positions)
    for i in range(len(wanted)):
        rate = course.velocity[tick, i] - velocities[i]
        wanted[i] = course.acceleration[tick, i] + stiffness[i] * (wanted[i] + bent[i]) + damping[i] * rate
    return wanted


@compiled(seconds=1)
def track_trunk(
    turns: Array,
    bodies: npt.NDArray[np.int64],
    goals: Array,
    spins: Array,
    spin: Array,
    spin_rate: Array,
    stiffness: float,
    damping: float,
) -> Array:
    """Return angular accelerations (K, 3) in the world that bring some bodies (K,) to goals (K, 4).

    turns: (bodies, 4) rotations of all bodies. spins: (K, 3) angular velocities of these. spin, spin_rate: (K, 3)
    angular velocity of the goals, and its derivative.
    """
    wanted = np.empty((len(bodies), 3))
    for k in range(len(bodies)):
        error = turn_log(turn_after(get_quat(goals, k), turn_back(get_quat(turns, bodies[k]))))
        for axis in range(3):
            wanted[k, axis] = spin_rate[k, axis] + stiffness * error[axis] + damping * (spin[k, axis] - spins[k, axis])
    return wanted


@compiled(seconds=1)
def needed_pressure(
    pace: float, capture: Array, pressure: Array, gain: float, centre: Array, velocity: Array
) -> tuple[float, float, float, float]:
    """Return the error of the capture point, x and z, and the centre of pressure that corrects it.

    pace: 1/s. capture, pressure: (2,) of the course. gain: 1/s. centre, velocity: (3,) of the centre of mass.
    """
    x = centre[0] + velocity[0] / pace - capture[0]
    z = centre[2] + velocity[2] / pace - capture[1]
    share = 1.0 + gain / pace
    return x, z, pressure[0] + share * x, pressure[1] + share * z


@compiled(seconds=1)
def mass_centre(
    pace: float,
    capture: Array,
    pressure: Array,
    gain: float,
    height: Array,
    stiffness: float,
    damping: float,
    centre: Array,
    velocity: Array,
) -> Array:
    """Return the acceleration (3,) of the centre of mass that corrects the capture point and the height (3,).

    height: with its two derivatives. stiffness, damping: 1/s^2 and 1/s, of the height. Others as in `needed_pressure`.
    """
    _, _, x, z = needed_pressure(pace, capture, pressure, gain, centre, velocity)
    wanted = np.empty(3)
    wanted[0], wanted[2] = pace * pace * (centre[0] - x), pace * pace * (centre[2] - z)
    wanted[1] = height[2] + stiffness * (height[0] - centre[1]) + damping * (height[1] - velocity[1])
    return wanted


@compiled(seconds=1)
def track_point(way: Array, now: Array, stiffness: float, damping: float) -> Array:
    """Return the acceleration (3,) that brings a point to its path, (3, 3) with two derivatives.

    now: (2, 3) position and velocity of the point.
    """
    wanted = np.empty(3)
    for k in range(3):
        wanted[k] = way[2, k] + stiffness * (way[0, k] - now[0, k]) + damping * (way[1, k] - now[1, k])
    return wanted


@compiled(seconds=2)
def track_rotation(turn: Array, facing: Array, spin: Array, stiffness: float, damping: float) -> Array:
    """Return the angular acceleration (3,) that brings a foot to a heading and pitch, (3, 2) with two derivatives.

    facing: (3, 3) the foot's axes as columns, close to the wanted ones. spin: (3,) its angular velocity.
    """
    sine, cosine = np.sin(turn[0, 0]), np.cos(turn[0, 0])
    tilt, level = np.sin(turn[0, 1]), np.cos(turn[0, 1])
    goal = np.empty((3, 3))
    goal[0, 0], goal[1, 0], goal[2, 0] = cosine, 0.0, -sine
    goal[0, 1], goal[1, 1], goal[2, 1] = tilt * sine, level, tilt * cosine
    goal[0, 2], goal[1, 2], goal[2, 2] = level * sine, -tilt, level * cosine
    wanted = np.empty(3)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        error = 0.0
        for axis in range(3):
            error += 0.5 * (facing[i, axis] * goal[j, axis] - facing[j, axis] * goal[i, axis])
        rate = turn[1, 1] * goal[k, 0]
        growth = turn[2, 1] * goal[k, 0]
        wanted[k] = growth + stiffness * error + damping * (rate - spin[k])
    wanted[1] += turn[2, 0] + damping * turn[1, 0]
    both = turn[1, 0] * turn[1, 1]
    wanted[0] -= both * sine
    wanted[2] -= both * cosine
    return wanted
