"""Limb motor feedback: state, goal and timer of every limb, and the accelerations of its motor program.

These are the general limb motor programs of [Lake1990, sections 6.2.1 and 6.4]. A limb is a joint and the segment that
it moves. A ball joint goes along the great-circle arc to its goal, and hinges go straight from angle to angle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.dance.course.limbs import normal_curve
from segue.dance.simulation.classic.gains import Gains
from segue.dance.simulation.control._task_kernels import joint_errors
from segue.dance.simulation.control.motor_programs import LimbState
from segue.dance.simulation.model import TIMESTEP
from segue.errors import ArgumentError
from segue.typing import Array, Flags

_FRACTIONS = np.linspace(0.0, 1.0, 2001)
_DONE = normal_curve(_FRACTIONS)
_SPEED = np.gradient(_DONE, _FRACTIONS)
_ACCELERATION = np.gradient(_SPEED, _FRACTIONS)
# From here on the spring is constant: on the last thousandths of the arc the curve needs an infinite spring.
_NEARLY = int(np.searchsorted(_DONE, 0.998))
_STEEPEST = float(_SPEED[_NEARLY] / (1.0 - _DONE[_NEARLY]))  # per movement: speed over remaining arc


def distance_left(fraction: Array) -> Array:
    """Return the share of its arc that a limb should have left at fractions of its time [Lake1990, section 6.4]."""
    left: Array = 1.0 - normal_curve(fraction)
    return left


def critical_damper(seconds: float) -> float:
    """Return the damper, 1/s, that is critical for the spring at the end of a movement of so many seconds.

    A damped limb follows its spring k at the rate k / c. At the end of the normal curve that rate is the largest, h, so
    k = c h, and the damper is critical where c^2 = 4 k.
    """
    return 4.0 * _STEEPEST / seconds


def predicted_beta(fraction: Array, arc: Array, spring: Array, damper: Array, seconds: Array) -> Array:
    """Return the beta that gives a limb on its arc the acceleration of the normal curve.

    arc: rad, the whole arc. spring: 1/s^2, alpha per inertia. damper: 1/s, gamma per inertia.
    """
    at = np.minimum(fraction, _FRACTIONS[_NEARLY])
    speed, acceleration = np.interp(at, _FRACTIONS, _SPEED), np.interp(at, _FRACTIONS, _ACCELERATION)
    pull = arc * (damper * speed / seconds + acceleration / seconds**2)
    beta: Array = np.log1p(np.maximum(pull, 0.0) / spring) / (arc * (1.0 - np.interp(at, _FRACTIONS, _DONE)))
    return beta


LIMBS: tuple[str, ...] = HUMAN.joint_names[1:]
"""The joints that have motors, in the order of `HUMAN.joints`."""

LIMB_OF = np.repeat(np.arange(len(LIMBS)), [span.stop - span.start for span in HUMAN.joint_dofs[1:]])
"""Which limb each of the 38 motors belongs to."""

_FIRST = np.array([span.start - HUMAN.root_dofs for span in HUMAN.joint_dofs[1:]])
_LEGS = np.isin(LIMBS, HUMAN.groups["legs"])
_LIMB_OF_TRACK = {track: limb for limb, joint in enumerate(HUMAN.joints[1:]) for track in joint.tracks}
_NEAR = np.radians(0.5)  # the thesis's epsilon: a limb this near to its goal is maintained
_LARGEST = 30.0  # largest exponent of the torque function, far beyond any joint's strength


class Programs(NamedTuple):
    """Output of the motor programs per unit of inertia, (38,) each.

    springs: rad/s^2. dampers: 1/s, on a limb's rate. moving, free: which motors belong to moving and to free limbs; all
    others are maintained.
    """

    springs: Array
    dampers: Array
    moving: Flags
    free: Flags


def limb_lengths(values: Array) -> Array:
    """Return the norms (..., 18) of each limb's part of values (..., 38), such as its angle or its torque."""
    lengths: Array = np.sqrt(np.add.reduceat(values**2, _FIRST, axis=-1))
    return lengths


def within_strength(torques: Array, strengths: Array) -> Array:
    """Return torques (38,) scaled so that no limb exceeds its strength (18,)."""
    largest = np.minimum(1.0, strengths / np.maximum(limb_lengths(torques), 1e-12))
    return torques * largest[LIMB_OF]


class Limbs:
    """States, goals, timers and constants of all limbs, (18,) each; step: s between decisions."""

    def __init__(self, gains: Gains, pose: Poses, step: float = TIMESTEP) -> None:
        count = len(LIMBS)
        self._gains, self._step = gains, step
        self._moving, self._free = np.zeros(count, bool), np.zeros(count, bool)
        self._balls, self._hinges = pose.balls[0].copy(), pose.hinges[0].copy()
        self._start, self._seconds = np.zeros(count), np.ones(count)
        self._alarm, self._arc = np.zeros(count), np.full(count, _NEAR)
        self._main_spring = np.where(_LEGS, gains.stand_spring, gains.main_spring)
        self._main_damper = np.where(_LEGS, gains.stand_damper, gains.main_damper)
        self._spring, self._damper = self._main_spring.copy(), self._main_damper.copy()
        self._beta, self._correction = np.full(count, float(gains.main_beta)), np.zeros(count)

    @property
    def states(self) -> Mapping[str, LimbState]:
        """The motor program of each limb."""
        moving = [LimbState.MOVE if moves else LimbState.MAINTAIN for moves in self._moving]
        return {
            name: LimbState.FREE if free else state for name, free, state in zip(LIMBS, self._free, moving, strict=True)
        }

    def aim(self, goals: Mapping[str, Array], time: float, seconds: float, positions: Array) -> None:
        """Set goals, states and timers of the limbs of some tracks, as the task manager does.

        Limbs that are not near their goal move.
        """
        aimed = np.zeros(len(LIMBS), bool)
        for track, value in goals.items():
            aimed[_LIMB_OF_TRACK[track]] = True
            if track in HUMAN.ball_names:
                self._balls[HUMAN.ball_names.index(track)] = value
            else:
                self._hinges[HUMAN.hinge_names.index(track)] = value[0]
        away = limb_lengths(self.errors(positions))
        self._moving = np.where(aimed, ~self._free & (away > _NEAR), self._moving)
        self._start[aimed], self._seconds[aimed] = time, seconds
        self._arc[aimed] = np.maximum(away, _NEAR)[aimed]
        self._alarm[aimed] = time + seconds / self._gains.updates
        damper, moves = self._gains.move_damper, self._moving & aimed
        self._spring[moves] = self._gains.move_spring / seconds**2
        self._damper[moves] = critical_damper(seconds) if damper is None else damper
        self._beta[moves] = self._correction[moves] = 0.0

    def release(self, joints: Iterable[str]) -> None:
        """Let joints swing freely from now on."""
        for joint in joints:
            if joint not in LIMBS:
                raise ArgumentError(f"the figure has no limb '{joint}' to let go: it has {', '.join(LIMBS)}")
            self._free[LIMBS.index(joint)] = True
            self._moving[LIMBS.index(joint)] = False

    def errors(self, positions: Array) -> Array:
        """Return the rotation from each limb's orientation to its goal, (38,), along the axes of its motors."""
        errors: Array = joint_errors(self._balls, self._hinges, positions)[HUMAN.root_dofs :]
        return errors

    def desired(self, time: float) -> Array:
        """Return the wanted angle between each limb and its goal, (18,) in rad."""
        desired: Array = self._arc * distance_left((time - self._start) / self._seconds)
        return desired

    def programs(self, time: float, positions: Array) -> Programs:
        """Update beta and states, and return the output of the active motor programs."""
        errors = self.errors(positions)
        away = limb_lengths(errors)
        self._moving &= away > _NEAR
        self._feed_back(time, away)
        self._hand_over()
        pull = self._spring * np.expm1(np.minimum(self._beta * away, _LARGEST)) / np.maximum(away, 1e-12)
        spring = np.where(self._free, 0.0, pull)
        damper = np.where(self._free, self._gains.free_damper, self._damper)
        return Programs(spring[LIMB_OF] * errors, damper[LIMB_OF], self._moving[LIMB_OF], self._free[LIMB_OF])

    def _feed_back(self, time: float, away: Array) -> None:
        """Update beta of the moving limbs by their error from the wanted angle."""
        gains, moves = self._gains, self._moving
        late = away - self.desired(time)
        if gains.every_tick:
            self._correction += np.where(moves, late * gains.updates * self._step / self._seconds, 0.0)
        else:
            rings = moves & (time >= self._alarm - 1e-9)
            self._correction = np.where(rings, np.maximum(self._correction + late, 0.0), self._correction)
            self._alarm += np.where(rings, self._seconds / gains.updates, 0.0)
        beta = self._correction
        if gains.predicted:
            fraction = (time - self._start) / self._seconds
            beta = beta + predicted_beta(fraction, self._arc, self._spring, self._damper, self._seconds)
        self._beta = np.where(moves, np.maximum(beta, 0.0), self._beta)

    def _hand_over(self) -> None:
        """Move the constants of maintained limbs towards those of that program."""
        gains = self._gains
        share = np.where(self._moving, 0.0, self._step / max(gains.transfer, self._step))
        self._spring += share * (self._main_spring - self._spring)
        self._damper += share * (self._main_damper - self._damper)
        self._beta += share * (gains.main_beta - self._beta)
