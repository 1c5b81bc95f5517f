"""The body controller: collect the tasks of all motor programs at every tick, and solve for joint torques.

The task manager takes steps from its queue and passes courses to the programs of limbs and feet [Lake1990, section
6.1].
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.dance.body.shapes import AXIS_POINT, SOLE_POINTS
from segue.dance.course.course import Course
from segue.dance.course.stands import Foot
from segue.dance.planning.model import PlannedStep
from segue.dance.simulation.assistance import Assistance
from segue.dance.simulation.control._sense_kernels import Senses, sense
from segue.dance.simulation.control._whole_body_kernels import Contacts, Tasks
from segue.dance.simulation.control.foot_programs import FootProgram, FootTask
from segue.dance.simulation.control.motor_programs import (
    LimbPrograms,
    mass_centre_acceleration,
    momentum_rate,
    needed_pressure,
    trunk_accelerations,
)
from segue.dance.simulation.control.whole_body import WholeBody
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.model import BodyModel
from segue.typing import Array


class PartnerForces(NamedTuple):
    """Forces of a partner, as the body controller takes them into account.

    torques: (44,) generalized forces. compliance_accel: (44,) accelerations by which limbs yield to them. shift: (3,) m
    by which the centre of mass yields, from its course.
    """

    torques: Array
    compliance_accel: Array
    shift: Array


_SLIDING = 0.01  # m/s from which friction is fully developed


def pivot_friction(rows: Array, weights: Array, points: Array, spins: Array, friction: float) -> Array:
    """Return the Jacobian rows (3P, 44) of contact forces under feet of which some pivot.

    rows: Jacobians of the points. weights: (3P,) of the task that keeps points at rest, set to zero in place for
    sliding points. points: (P, 3). spins: (2,) rad/s of each foot, 0 without pivot. A sliding point has one free force
    component instead of three: normal force with friction against its motion. The row of the vertical force becomes the
    row of that force, and the other two rows become zero. The rotation of the foot decides where the point slides to.
    """
    if not spins.any():
        return rows
    pushes = rows.copy()
    for foot in np.flatnonzero(spins):
        first = SOLE_POINTS * int(foot)
        axis = points[first + AXIS_POINT]
        for p in range(first, first + SOLE_POINTS):
            if p == first + AXIS_POINT:
                continue
            x, z = spins[foot] * (points[p, 2] - axis[2]), spins[foot] * (axis[0] - points[p, 0])
            drag = friction / max(np.hypot(x, z), _SLIDING)
            pushes[3 * p + 1] -= drag * (x * rows[3 * p] + z * rows[3 * p + 2])
            pushes[3 * p] = pushes[3 * p + 2] = 0.0
            weights[3 * p] = weights[3 * p + 2] = 0.0
    return pushes


class TaskManager:
    """Queue of steps, and the motor programs of feet and limbs.

    queue: later steps. step: the current one. feet: the programs of both feet. limbs: the limb programs. Programs
    receive the whole course, so that no limb slows down at a goal that it only passes.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.queue: deque[PlannedStep] = deque(course.plan.steps)
        self.step: PlannedStep | None = None
        self.feet = {side: FootProgram(way) for side, way in course.feet.items()}
        self.limbs = LimbPrograms()

    def advance(self, time: float) -> None:
        """Take the next step from the queue when its time has come."""
        if self.queue and time >= self.queue[0].start:
            self.step = self.queue.popleft()

    def follow(self, course: Course, time: float) -> None:
        """Follow another course, identical so far."""
        self.course = course
        for side, program in self.feet.items():
            program.follow(course.feet[side], time)

    def elapsed(self, time: float) -> float:
        """Return the elapsed share of the current step, or of the lead-in, from 0 to 1."""
        start, stop = (0.0, self.course.plan.lead_in) if self.step is None else (self.step.start, self.step.stop)
        return min(max((time - start) / (stop - start), 0.0), 1.0)


_SIDES = ("left", "right")
_HEEL_POINTS = 2  # the first points of each sole
_MOST_LOAD = 1.5  # of the weight, largest load of a point
_CONTACT_DAMPING = 40.0  # 1/s
_CONTACT_STIFFNESS = 0.25 * _CONTACT_DAMPING**2  # 1/s^2, brings points that should bear back to the floor
_IN_AIR = 0.01  # of its share, what a point of a pivoting foot may bear that has left the floor
# weights of the tasks
_LEVEL, _HEIGHT, _MOMENTUM = 4000.0, 100.0, 0.01
_CONTACT, _SWING, _FOOT_TURN = 300.0, 200.0, 100.0
_SWING_BY_BALL = 1000.0  # of a swing while the other foot stands on its ball
_TRUNK = (15.0, 20.0, 5.0)  # pelvis, torso, head
_FACING = 0.05  # of these, for the heading: the friction of one sole cannot turn a trunk as fast as legs swing
_COUNT = 2 * SOLE_POINTS
# rows of the tasks: centre of mass, momentum, contact points, middles of the soles, then frames
_POINTS = slice(6, 6 + 3 * _COUNT)
_SOLES = slice(_POINTS.stop, _POINTS.stop + 6)
_FEET = slice(_SOLES.stop, _SOLES.stop + 6)
_UPPER = slice(_FEET.stop, _FEET.stop + 9)
_TORSO = slice(_UPPER.start + 3, _UPPER.start + 6)
_UPRIGHT = np.outer(_TRUNK, (1.0, _FACING, 1.0)).ravel()


class Sensed(NamedTuple):
    """The state of the body at a tick, in world axes.

    centre, velocity: (3,) of the centre of mass. momentum: (3,) angular. points, slides: (12, 3) the contact points
    under the soles and their velocities. soles: (2, 2, 3) the middles of the soles, position and velocity.
    """

    centre: Array
    velocity: Array
    momentum: Array
    points: Array
    slides: Array
    soles: Array


class BodyController:
    """Runs the motor programs of one dancer [Lake1990, section 6.1]; assistance: outside torque, if any."""

    def __init__(self, model: BodyModel, data: Any, course: Course, assistance: Assistance | None = None) -> None:
        self.course, self.manager, self._assistance = course, TaskManager(course), assistance
        self.whole_body = WholeBody(model, data, model.environment.expected_friction)
        self._engine_model, self._data = model.engine_model, data
        self._gravity, self._friction = model.environment.gravity, model.environment.expected_friction
        self._weight = model.figure.mass * self._gravity
        bodies = {name: 1 + k for k, name in enumerate(HUMAN.segments)}
        feet = [bodies[f"{side}_foot"] for side in _SIDES]
        frames = [*feet, *(bodies[name] for name in ("pelvis", "torso", "head"))]
        # views of the engine's arrays: access through the engine's data is slow
        self._positions, self._velocities, self._centre = data.qpos, data.qvel, data.subtree_com[1]
        self._turns, facing = data.xquat, data.xmat.reshape(-1, 3, 3)
        self._feet_facing, self._trunk = [facing[foot] for foot in feet], np.array(frames[len(feet) :], np.int64)
        self._senses = Senses(
            self.whole_body.mechanics,
            data.xpos,
            facing,
            data.geom_xpos,
            model.soles,
            model.sole_radius,
            Foot.of(model.figure.build).middle_in_foot(),
            np.array([*self._engine_model.geom_bodyid[model.soles], *feet], np.int64),
            np.array(frames, np.int64),
        )
        self._rows, self._drift = np.zeros((_UPPER.stop, self._engine_model.nv)), np.zeros(_UPPER.stop)
        self._wanted, self._weights = np.zeros(_UPPER.stop), np.zeros(_UPPER.stop)
        self._point_wanted, self._point_weights = (
            each[_POINTS].reshape(-1, 3) for each in (self._wanted, self._weights)
        )
        self._weights[:3] = _LEVEL, _HEIGHT, _LEVEL
        self._weights[3:6] = _MOMENTUM
        self._weights[_FEET] = _FOOT_TURN
        self.keep_upright(1.0)
        # points that slide in a pivot
        places = np.arange(_COUNT)
        self._round_axis = [(places // SOLE_POINTS == k) & (places % SOLE_POINTS != AXIS_POINT) for k in range(2)]

    def tick(self, time: float, forces: Array, partner: PartnerForces | None = None) -> tuple[Array, Sensed]:
        """Return the motors' torques (38,) and the sensed state.

        forces: (12,) N, normal forces on the soles. partner: forces of a partner, if any.
        """
        whole, wanted, weights = self.whole_body, self._wanted, self._weights
        bias = whole.bias
        mujoco().mj_fullM(self._engine_model, self._data, whole.inertia)
        sensed, spins = self._sense(bias)
        self.manager.advance(time)
        tick, limbs = self.course.tick(time), self.manager.limbs
        centre = sensed.centre if partner is None else sensed.centre - partner.shift
        wanted[:3] = mass_centre_acceleration(self.course, tick, centre, sensed.velocity)
        wanted[3:6] = momentum_rate(sensed.momentum)
        trunk = trunk_accelerations(self.course, tick, self._turns, self._trunk, spins[2:])
        wanted[_UPPER] = trunk.ravel()
        bearing, spinning = np.zeros(_COUNT), np.zeros(len(_SIDES))
        feet = self._feet(time, forces, sensed, spins)
        # a foot on its ball can hardly twist against the floor, so the trunk yields and not the swing
        on_ball = any(task.sole is None and task.heel == 0.0 for task in feet.values())
        for k, (side, task) in enumerate(feet.items()):
            sole, turn, first = _SOLES.start + 3 * k, _FEET.start + 3 * k, SOLE_POINTS * k
            weights[sole : sole + 3] = 0.0 if task.sole is None else _SWING_BY_BALL if on_ball else _SWING
            wanted[sole : sole + 3] = 0.0 if task.sole is None else task.sole
            wanted[turn : turn + 3] = task.turn
            bearing[first : first + _HEEL_POINTS] = task.heel
            bearing[first + _HEEL_POINTS : first + SOLE_POINTS] = task.fore
            np.minimum(bearing, task.round_axis, out=bearing, where=self._round_axis[k])
            if task.spin:
                # a force that is not there would let the foot slap down
                bearing[self._round_axis[k] & (forces == 0.0)] *= _IN_AIR
            limbs.bend_toes(side, task.toes, loaded=task.fore > 0.0)
            spinning[k] = task.spin
        bears = bearing > 0.0
        np.multiply(sensed.slides, -_CONTACT_DAMPING, out=self._point_wanted)
        self._point_wanted[:, 1] -= _CONTACT_STIFFNESS * np.maximum(sensed.points[:, 1], 0.0)
        np.multiply(bears[:, None], _CONTACT, out=self._point_weights)
        pushes = pivot_friction(self._rows[_POINTS], weights[_POINTS], sensed.points, spinning, self._friction)
        posture = limbs.accelerations(self.course.limbs, tick, self._positions, self._velocities)
        if partner is not None:
            posture, bias = posture + partner.compliance_accel, bias - partner.torques
        tasks = Tasks(self._rows, wanted - self._drift, weights, posture, limbs.weights)
        contacts = Contacts(pushes, _MOST_LOAD * self._weight * bearing)
        if self._assistance is not None:
            stray, pressure = needed_pressure(self.course, tick, centre, sensed.velocity)
            helped = self._assistance.decide(stray, pressure, sensed.points[bears][:, [0, 2]])
            bias = bias - helped @ self._rows[_TORSO]
        return whole.solve(tasks, contacts, bias).torques, sensed

    def keep_upright(self, share: float) -> None:
        """Scale the weights of the rotations of pelvis, torso and head by a share, 0 to 1."""
        self._weights[_UPPER] = share * _UPRIGHT

    def follow(self, course: Course, time: float) -> None:
        """Follow another course, identical so far."""
        self.course = course
        self.manager.follow(course, time)

    def _sense(self, bias: Array) -> tuple[Sensed, Array]:
        """Return the state, and angular velocities (5, 3) of feet, pelvis, torso and head; fill all Jacobians."""
        points, moving = np.empty((_COUNT + len(_SIDES), 3)), np.empty((_UPPER.stop // 3, 3))
        sense(self._senses, self.whole_body.inertia, bias, self._gravity, points, self._rows, self._drift, moving)
        speeds = moving[2 : 2 + len(points)]
        soles = np.empty((len(_SIDES), 2, 3))
        soles[:, 0], soles[:, 1] = points[_COUNT:], speeds[_COUNT:]
        felt = Sensed(self._centre.copy(), moving[0], moving[1], points[:_COUNT], speeds[:_COUNT], soles)
        return felt, moving[2 + len(points) :]

    def _feet(self, time: float, forces: Array, sensed: Sensed, spins: Array) -> dict[str, FootTask]:
        tasks, loads = {}, forces.reshape(len(_SIDES), -1).sum(axis=1)
        for k, (side, program) in enumerate(self.manager.feet.items()):
            facing, force = self._feet_facing[k], float(loads[k])
            program.advance(time, force, sensed.soles[k], facing, spins[k])
            tasks[side] = program.task(time, sensed.soles[k], facing, spins[k])
        return tasks
