"""The body controller: every tick it asks all active motor programs what they want, and finds torques that do it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from segue.body.joints import SEGMENTS
from segue.curves.quaternion import Array
from segue.dance.simulation.control import balance
from segue.dance.simulation.control._task_kernels import fill_rows, turn_errors
from segue.dance.simulation.control._whole_body_kernels import Tasks
from segue.dance.simulation.control.positions import FootTask
from segue.dance.simulation.control.task_manager import TaskManager
from segue.dance.simulation.control.whole_body import Contacts, WholeBody
from segue.dance.simulation.course.course import Course
from segue.dance.simulation.course.footing import Foot
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.flesh import SOLE_POINTS
from segue.dance.simulation.model import BodyModel

__all__ = ["BodyController", "Sensed"]

_SIDES = ("left", "right")
_HEEL_POINTS = 2  # of each sole's points, the first
_CONTACT_DAMPING = 40.0  # 1/s
# weights of the tasks
_LEVEL, _HEIGHT, _MOMENTUM = 200.0, 100.0, 0.01
_CONTACT, _SWING, _FOOT_TURN = 300.0, 200.0, 100.0
_TRUNK = (15.0, 20.0, 5.0)  # pelvis, torso, head
_COUNT = 2 * SOLE_POINTS
# rows of the tasks: centre of mass, momentum, contact points, middles of the soles, then frames
_POINTS = slice(6, 6 + 3 * _COUNT)
_SOLES = slice(_POINTS.stop, _POINTS.stop + 6)
_FEET = slice(_SOLES.stop, _SOLES.stop + 6)
_UPPER = slice(_FEET.stop, _FEET.stop + 9)


class Sensed(NamedTuple):
    """What the body feels of itself in a tick, world axes.

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
    """Runs the motor programs of one dancer [Lake1990, section 6.1]."""

    def __init__(self, model: BodyModel, data: Any, course: Course) -> None:
        self.course, self.manager = course, TaskManager(course)
        self.whole_body = WholeBody(model, data, model.environment.friction)
        self._model, self._data = model, data
        self._weight = model.figure.mass * model.environment.gravity
        self._foot = Foot.of(model.figure.build)
        bodies = {name: 1 + k for k, name in enumerate(SEGMENTS)}
        feet = [bodies[f"{side}_foot"] for side in _SIDES]
        soles = model.engine_model.geom_bodyid[model.soles]
        self._point_bodies = np.array([*soles, *feet], np.int64)
        self._frames = np.array([*feet, *(bodies[name] for name in ("pelvis", "torso", "head"))], np.int64)
        self._down = np.array([0.0, model.sole_radius, 0.0])
        rows = _UPPER.stop
        self._rows, self._drift = np.zeros((rows, model.engine_model.nv)), np.zeros(rows)
        self._points = np.zeros((_COUNT + 2, 3))

    def tick(self, time: float, forces: Array) -> tuple[Array, Sensed]:
        """Return the motors' torques (38,) and what was felt; forces: (12,) N, the normal ones on the soles."""
        data, whole = self._data, self.whole_body
        bias = whole.bias
        mujoco().mj_fullM(self._model.engine_model, data, whole.inertia)
        sensed = self._sense(bias)
        self.manager.advance(time)
        tick = self.course.tick(time)
        spins = (self._rows[_FEET.start :] @ data.qvel).reshape(-1, 3)
        feet = self._feet(time, forces, sensed, spins)
        wanted, weights = np.zeros(len(self._drift)), np.zeros(len(self._drift))
        wanted[:3] = balance.mass_centre_acceleration(self.course, tick, sensed.centre, sensed.velocity)
        weights[:3] = _LEVEL, _HEIGHT, _LEVEL
        wanted[3:6], weights[3:6] = balance.momentum_rate(sensed.momentum), _MOMENTUM
        errors = turn_errors(data.xquat[self._frames[2:]], self.course.trunk.turns[tick])
        wanted[_UPPER] = balance.trunk_accelerations(self.course, tick, errors, spins[2:]).ravel()
        weights[_UPPER] = np.repeat(_TRUNK, 3)
        bearing = np.zeros(_COUNT)
        for k, (side, task) in enumerate(feet.items()):
            first = _SOLES.start + 3 * k
            if task.sole is not None:
                wanted[first : first + 3], weights[first : first + 3] = task.sole, _SWING
            first = _FEET.start + 3 * k
            wanted[first : first + 3], weights[first : first + 3] = task.turn, _FOOT_TURN
            bearing[SOLE_POINTS * k : SOLE_POINTS * k + _HEEL_POINTS] = task.heel
            bearing[SOLE_POINTS * k + _HEEL_POINTS : SOLE_POINTS * (k + 1)] = task.fore
            self.manager.limbs.bend_toes(side, task.toes, loaded=task.fore > 0.0)
        bears = np.repeat(bearing > 0.0, 3)
        wanted[_POINTS] = -_CONTACT_DAMPING * sensed.slides.ravel()
        weights[_POINTS] = np.where(bears, _CONTACT, 0.0)
        limbs = self.manager.limbs
        posture = limbs.accelerations(self.course.limbs, tick, data.qpos, data.qvel)
        tasks = Tasks(self._rows, wanted - self._drift, weights, posture, limbs.weights)
        contacts = Contacts(self._rows[_POINTS][bears], self._weight * bearing[bearing > 0.0])
        return whole.solve(tasks, contacts, bias).torques, sensed

    def _sense(self, bias: Array) -> Sensed:
        """Return what is felt, and fill the Jacobians of all that tasks are about."""
        data, whole = self._data, self.whole_body
        feet = self._frames[:2]
        points = self._points
        points[:_COUNT] = data.geom_xpos[self._model.soles] - self._down
        facing = data.xmat.reshape(-1, 3, 3)
        points[_COUNT:] = data.xpos[feet] + facing[feet] @ self._foot.middle_in_foot()
        fill_rows(
            whole.mechanics,
            whole.inertia,
            bias,
            data.xpos[1],
            facing[1],
            self._model.environment.gravity,
            self._point_bodies,
            points,
            self._frames,
            self._rows,
            self._drift,
        )
        moving = self._rows[: _SOLES.stop] @ data.qvel
        speeds = moving[6:].reshape(-1, 3)
        soles = np.stack([points[_COUNT:], speeds[_COUNT:]], axis=1)
        return Sensed(np.array(data.subtree_com[1]), moving[:3], moving[3:6], points[:_COUNT], speeds[:_COUNT], soles)

    def _feet(self, time: float, forces: Array, sensed: Sensed, spins: Array) -> dict[str, FootTask]:
        tasks = {}
        for k, (side, program) in enumerate(self.manager.feet.items()):
            facing = self._data.xmat[self._frames[k]].reshape(3, 3)
            force = float(forces[SOLE_POINTS * k : SOLE_POINTS * (k + 1)].sum())
            program.advance(time, force, sensed.soles[k], facing, spins[k])
            tasks[side] = program.task(time, sensed.soles[k], facing, spins[k])
        return tasks
