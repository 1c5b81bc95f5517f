"""Dancing a plan: physics at 1 kHz, motor control at 500 Hz, and a record of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from segue.body.joints import SEGMENTS
from segue.curves.quaternion import Array
from segue.dance.planning.model import Plan
from segue.dance.simulation._contact_kernels import sole_forces
from segue.dance.simulation.control.body_controller import BodyController
from segue.dance.simulation.course.course import TICK, Course
from segue.dance.simulation.course.limbs import initial_joints
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.ligaments import Ligaments
from segue.dance.simulation.model import ACTUATED, TIMESTEP, BodyModel
from segue.dance.simulation.observer import Observer
from segue.dance.simulation.push import Push
from segue.dance.simulation.result import Fall, SimulatedDance
from segue.dance.simulation.standing import standing

__all__ = ["Progress", "simulate"]

Progress = Callable[[int, int], None]
"""Called now and then with how many frames are done, and of how many."""

_STEPS = round(TICK / TIMESTEP)
_TICKS = 5  # from frame to frame: 100 frames a second
_FALLEN = 0.7  # of the height of the centre of mass at the beginning
_AFTER_FALL = 1.5  # s that are still simulated


def simulate(
    plan: Plan,
    environment: Environment | None = None,
    *,
    pushes: Sequence[Push] = (),
    progress: Progress | None = None,
) -> SimulatedDance:
    """Dance a plan by joint torques alone, and return what came of it.

    A body that falls is let go: it falls like one, and the result says so. Ctrl-C ends the dance early; what was
    simulated so far is returned.
    """
    dancer = _Dancer(plan, environment or Environment(), pushes)
    frames = int(plan.stop / (TICK * _TICKS)) + 1
    interrupted = False
    try:
        for frame in range(frames):
            dancer.record()
            for _ in range(_TICKS):
                dancer.tick()
            if progress is not None:
                progress(frame + 1, frames)
            if dancer.fall is not None and dancer.time > dancer.fall.time + _AFTER_FALL:
                break
    except KeyboardInterrupt:
        interrupted = True
    return dancer.result(interrupted)


class _Dancer:
    """A body, its controller, and what is noted down of both."""

    def __init__(self, plan: Plan, environment: Environment, pushes: Sequence[Push]) -> None:
        engine = mujoco()
        self.plan, self.model = plan, BodyModel(plan.figure, environment)
        self._engine_model = self.model.engine_model
        self.data = engine.MjData(self._engine_model)
        self.data.qpos[:] = standing(self.model, plan.begins, initial_joints(plan))
        engine.mj_forward(self._engine_model, self.data)
        self.controller = BodyController(self.model, self.data, Course.of(plan, self.model, self.data))
        self.observer = Observer(self.controller.manager.feet, plan.figure.mass, environment.gravity)
        self.fall: Fall | None = None
        self._ligaments = Ligaments(plan.figure)
        self._pushes = [(push, 1 + SEGMENTS.index(push.segment)) for push in pushes]
        self._place = np.full(self._engine_model.ngeom, -1, np.int64)
        self._place[self.model.soles] = np.arange(len(self.model.soles))
        self._lowest = _FALLEN * float(self.data.subtree_com[1][1])
        self._forces = np.zeros((len(self.model.soles), 3))
        self._torques = np.zeros(self._engine_model.nu)
        self._constraint, self._centre = self.data.qfrc_constraint, self.data.subtree_com[1]
        self._ticks = 0
        self._rows: list[tuple[Array, ...]] = []

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self._ticks * TICK

    def tick(self) -> None:
        """Decide once, and go on with the physics until the next decision."""
        engine, data, time = mujoco(), self.data, self.time
        engine.mj_step1(self._engine_model, data)
        if self.controller.manager.limbs.free:
            self._torques[:] = 0.0
        else:
            self._control(time)
        data.ctrl[:] = self._torques
        data.qfrc_applied[:] = self._ligaments.torques(data.qpos, data.qvel)
        pushed = self._push(time)
        impulse = np.zeros(3)
        for step in range(_STEPS):
            if step:
                engine.mj_step1(self._engine_model, data)
            engine.mj_step2(self._engine_model, data)
            impulse += TIMESTEP * (self._constraint[:3] + pushed)
        self._impulse = impulse
        contact = data.contact
        sole_forces(contact.geom, contact.efc_address, contact.frame, data.efc_force, self._place, self._forces)
        self._ticks += 1
        if self.fall is None and self._centre[1] < self._lowest:
            manager = self.controller.manager
            number = None if manager.step is None else manager.step.number
            self.fall = Fall(self.time, number, manager.elapsed(self.time))
            manager.limbs.release()

    def _control(self, time: float) -> None:
        normal = self._forces[:, 1]
        self._torques, sensed = self.controller.tick(time, normal)
        self.observer.feel(time, sensed, normal)
        if self._ticks:
            applied = float(np.abs(self.data.qfrc_applied[:ACTUATED]).max())
            self.observer.account(sensed.velocity, self._impulse, applied)

    def _push(self, time: float) -> Array:
        """Apply the pushes of this moment, and return their sum (3,), N."""
        total = np.zeros(3)
        if self._pushes:
            facing = self.data.xmat[1].reshape(3, 3)
            self.data.xfrc_applied[:] = 0.0
            for push, body in self._pushes:
                force = push.at(time, facing)
                self.data.xfrc_applied[body, :3] += force
                total += force
        return total

    def record(self) -> None:
        """Note down a frame."""
        points = self.data.geom_xpos[self.model.soles] - np.array([0.0, self.model.sole_radius, 0.0])
        now = (self.data.qpos, self._torques, self._forces, points, self.data.subtree_com[1])
        self._rows.append(tuple(np.array(part) for part in now))

    def result(self, interrupted: bool) -> SimulatedDance:
        """Return all that was noted down."""
        positions, torques, forces, points, centre = (np.array(part) for part in zip(*self._rows, strict=True))
        return SimulatedDance(
            plan=self.plan,
            environment=self.model.environment,
            fps=1.0 / (TICK * _TICKS),
            positions=positions,
            torques=torques,
            forces=forces,
            points=points,
            centre=centre,
            landings=tuple(self.observer.landings),
            slip=self.observer.slip,
            outside=self.observer.outside,
            fall=self.fall,
            interrupted=interrupted,
        )
