"""Autonomic motor program: balance. It works all the time, whatever is danced.

The thesis balances by an outside torque on the upper body [Lake1990, section 6.2.3]. Here nothing pushes but the
floor: the centre of mass is accelerated by where the feet press, so that the capture point (where the body would come
to rest) goes back to its course [Englsberger2015], while pelvis, torso and head are kept as they are to be.


General limb motor programs: move limb, maintain limb, free swing; one of them is active for every joint.

A limb that moves follows its course, timed by the normal curve; one that is maintained is held where it is by a spring
that gives a little under a push; one that swings freely is left to gravity [Lake1990, section 6.2.1].
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.dance.simulation.control import _task_kernels
from segue.dance.simulation.control._task_kernels import limb_accelerations, mass_centre, trunk_turning
from segue.dance.simulation.course.course import Course
from segue.dance.simulation.course.limbs import LimbCourse
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


class LimbState(StrEnum):
    """Which of its motor programs a limb is under."""

    FREE = "free swing"
    MOVE = "move"
    MAINTAIN = "maintain"


# stiffness 1/s^2, damping 1/s, and weight beside the body's other tasks; legs are decided by feet and balance
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
_LOADED_TOE = 0.01  # weight of a toe joint that bears: the floor decides
_NAMES = HUMAN.joint_names
_MOVING = 1e-3  # rad/s: what is to move slower than that is maintained


class LimbPrograms:
    """The motor programs of all joints: which are active, and the accelerations that they ask for."""

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
        """Let a foot's toes go to an extension, rad; loaded: whether they are on the floor."""
        toes = self._toes[side]
        self._bent[toes] = extension
        self.weights[toes] = _LOADED_TOE if loaded else self._weights[toes]

    def state(self, joint: str, course: LimbCourse, tick: int) -> LimbState:
        """Return which program a joint is under in a tick of its course."""
        if self.free:
            return LimbState.FREE
        span = HUMAN.joint_dofs[_NAMES.index(joint)]
        return LimbState.MOVE if np.abs(course.velocity[tick, span]).max() > _MOVING else LimbState.MAINTAIN

    def release(self) -> None:
        """Let all limbs swing freely from now on: no motor pushes any more."""
        self.free = True

    def accelerations(self, course: LimbCourse, tick: int, positions: Array, velocities: Array) -> Array:
        """Return the acceleration (44,) that the active programs ask for."""
        wanted: Array = limb_accelerations(
            course, tick, self._bent, positions, velocities, self._stiffness, self._damping
        )
        return wanted
