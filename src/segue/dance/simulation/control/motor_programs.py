"""Motor programs of balance, trunk and limbs.

Balance is an autonomic program: it is always active. The thesis balances by an outside torque on the upper body
[Lake1990, section 6.2.3]. Here only the floor pushes. The pressure under the feet accelerates the centre of mass so
that the capture point returns to its course [Englsberger2015]. Pelvis, torso and head follow their own course.

Each joint has one of three limb programs [Lake1990, section 6.2.1]. A moving limb follows its course, timed by the
normal curve. A maintained limb is held by a spring that gives under a push. A free limb is left to gravity.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.dance.course.course import Course
from segue.dance.course.limbs import LimbCourse
from segue.dance.simulation.control import _task_kernels
from segue.dance.simulation.control._task_kernels import limb_accelerations, mass_centre, track_trunk
from segue.typing import Array

Places = npt.NDArray[np.int64]

_RETURN = 3.0  # 1/s, gain of the capture point error
_HEIGHT_STIFFNESS, _HEIGHT_DAMPING = 100.0, 20.0  # 1/s^2, 1/s
_TRUNK_STIFFNESS, _TRUNK_DAMPING = 100.0, 20.0
_MOMENTUM_DAMPING = 2.0  # 1/s


def mass_centre_acceleration(course: Course, tick: int, centre: Array, velocity: Array) -> Array:
    """Return the wanted acceleration (3,) of the centre of mass, given its position and velocity, (3,) each."""
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
    """Return the error (2,) of the capture point, and the centre of pressure (2,) that corrects it."""
    planned = course.mass_centre
    found = _task_kernels.needed_pressure(
        planned.pace[tick], course.capture[tick], planned.pressure[tick], _RETURN, centre, velocity
    )
    return np.array(found[:2]), np.array(found[2:])


def trunk_accelerations(course: Course, tick: int, turns: Array, bodies: Places, spins: Array) -> Array:
    """Return angular accelerations (3, 3) of pelvis, torso and head.

    turns: (bodies, 4) rotations of all segments in the world. bodies: (3,) numbers of the three. spins: (3, 3) their
    angular velocities.
    """
    trunk = course.trunk
    wanted: Array = track_trunk(
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
    """Return the wanted rate of the angular momentum (3,), which damps it."""
    return -_MOMENTUM_DAMPING * momentum


class LimbState(StrEnum):
    """The motor program of a limb."""

    FREE = "free swing"
    MOVE = "move"
    MAINTAIN = "maintain"


# stiffness 1/s^2, damping 1/s, and weight beside the other tasks; feet and balance decide the legs
_MANNERS = {
    "lower_back": (60.0, 12.0, 8.0),
    "neck": (120.0, 20.0, 20.0),
    "clavicle": (120.0, 20.0, 20.0),
    "shoulder": (120.0, 20.0, 20.0),
    "elbow": (120.0, 20.0, 20.0),
    "wrist": (120.0, 20.0, 20.0),
    "hip": (60.0, 12.0, 0.01),
    "knee": (60.0, 12.0, 0.01),
    "ankle": (60.0, 12.0, 0.01),
    "toe": (400.0, 40.0, 20.0),
}
_LOADED_TOE = 0.01  # weight of a loaded toe joint, which the floor decides
_NAMES = HUMAN.joint_names
_MOVING = 1e-3  # rad/s: slower joints are maintained


class LimbPrograms:
    """The motor programs of all joints, and the accelerations that they want."""

    def __init__(self) -> None:
        stiffness, damping, weights = np.zeros((3, HUMAN.joint_dofs[-1].stop))
        for joint, span in zip(HUMAN.joints[1:], HUMAN.joint_dofs[1:], strict=True):
            manner = _MANNERS[joint.name.removeprefix("left_").removeprefix("right_")]
            stiffness[span], damping[span], weights[span] = manner
        self._stiffness, self._damping, self._weights = stiffness, damping, weights
        self.free = False
        self._toes = {side: HUMAN.dof_names.index(f"{side}_toe_extension") for side in ("left", "right")}
        self._bent = np.zeros(len(weights))
        self.weights = weights.copy()

    def bend_toes(self, side: str, extension: float, loaded: bool) -> None:
        """Set the wanted extension of a foot's toes, rad; loaded: whether they are on the floor."""
        toes = self._toes[side]
        self._bent[toes] = extension
        self.weights[toes] = _LOADED_TOE if loaded else self._weights[toes]

    def state(self, joint: str, course: LimbCourse, tick: int) -> LimbState:
        """Return the program of a joint at a tick of its course."""
        if self.free:
            return LimbState.FREE
        span = HUMAN.joint_dofs[_NAMES.index(joint)]
        return LimbState.MOVE if np.abs(course.velocity[tick, span]).max() > _MOVING else LimbState.MAINTAIN

    def release(self) -> None:
        """Let all limbs swing freely from now on, without motor torque."""
        self.free = True

    def accelerations(self, course: LimbCourse, tick: int, positions: Array, velocities: Array) -> Array:
        """Return the wanted acceleration (44,) of the active programs."""
        wanted: Array = limb_accelerations(
            course, tick, self._bent, positions, velocities, self._stiffness, self._damping
        )
        return wanted
