"""What pushes a dancer from outside: shoves, a partner's hands, a helping torque. Without any, only the floor does.

The motor control of each mode: who decides a body's torques, and what helps it from outside.

A simulated dancer: a body in the physics engine, the controller that moves it, and what is noted down of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from segue.body.human import HUMAN
from segue.dance.simulation._contact_kernels import sole_forces
from segue.dance.simulation.assistance import Assistance, Help, HelpingTorque, Mode
from segue.dance.simulation.classic.controller import Balance, ClassicController
from segue.dance.simulation.control.body_controller import BodyController, Felt, Sensed
from segue.dance.simulation.control.step_adjuster import Adjuster
from segue.dance.simulation.course.course import TICK
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.initial_state import Ready
from segue.dance.simulation.model import TIMESTEP
from segue.dance.simulation.observer import Observer
from segue.dance.simulation.passive import FASTEST, Ligaments, make_passive
from segue.dance.simulation.result import Fall, SimulatedDance
from segue.errors import ArgumentError
from segue.typing import Array


class Influence(Protocol):
    """Something that acts on a body besides gravity and floor."""

    def press(self, time: float, data: Any) -> None:
        """Add forces and torques in the world (bodies, 6), at the segments' centres of mass, to `data.xfrc_applied`.

        It is asked before every step of the physics, and finds the engine's `data` as they are then.
        """
        ...


def motor_control(mode: Mode, ready: Ready, data: Any) -> tuple[BodyController, HelpingTorque | None]:
    """Return the controller of a dancer who stands ready, and the helping torque of its mode, if any."""
    engine_model = ready.model.engine_model
    if mode is Mode.CLASSIC:
        return ClassicController(ready.model, data, ready.course), Balance(engine_model, data)
    assistance = Assistance(engine_model, data) if mode is Mode.ASSISTED else None
    return BodyController(ready.model, data, ready.course, assistance), assistance


STEPS = round(TICK / TIMESTEP)
"""Steps of physics from decision to decision."""

TICKS = 5
"""Decisions from frame to frame."""

FPS = 1.0 / (TICK * TICKS)
"""Frames a second that are noted down."""

_FALLEN = 0.7  # of the height of the centre of mass at the beginning
_AFTER_FALL = 1.5  # s that are still simulated


class Dancer:
    """One body and its motor control, to be taken through time tick by tick.

    A tick is `decide`, `STEPS` times `look` and `move`, and `feel`. felt: what it feels of a partner, None alone.
    """

    def __init__(
        self,
        ready: Ready,
        influences: Sequence[Influence] = (),
        mode: Mode = Mode.TORQUE,
        *,
        adjusting: bool = False,
    ) -> None:
        engine, plan = mujoco(), ready.course.plan
        self.plan, self.model = plan, ready.model
        self._engine_model = self.model.engine_model
        self.data = engine.MjData(self._engine_model)
        self.data.qpos[:] = ready.positions
        engine.mj_forward(self._engine_model, self.data)
        self.mode = mode
        self.controller, self._help = motor_control(mode, ready, self.data)
        self.adjuster: Adjuster | None = None
        if adjusting and mode is Mode.TORQUE:
            self.adjuster = Adjuster(ready.course, self.controller.manager.feet, self.model.environment.gravity)
        self.observer = Observer(self.controller.manager.feet, plan.figure.mass, self.model.environment.gravity)
        self.influences = [*influences, *([] if self._help is None else [self._help])]
        self.felt: Felt | None = None
        self.fall: Fall | None = None
        self._ligaments = Ligaments(plan.figure)
        self._place = np.full(self._engine_model.ngeom, -1, np.int64)
        self._place[self.model.soles] = np.arange(len(self.model.soles))
        self._lowest = _FALLEN * float(self.data.subtree_com[1][1])
        self._forces = np.zeros((len(self.model.soles), 3))
        self._torques, self._work = np.zeros((2, self._engine_model.nu))
        self._velocities = np.zeros(self._engine_model.nv)
        # the engine's own arrays, which follow its state
        self._positions, self._moving = self.data.qpos, self.data.qvel
        self._motors, self._applied = self.data.ctrl, self.data.qfrc_applied
        self._constraint, self._centre = self.data.qfrc_constraint, self.data.subtree_com[1]
        self._pressed, self._impulse, self._floor = self.data.xfrc_applied, np.zeros(3), np.zeros(3)
        self._velocity = np.zeros(3)
        self._damping = self._engine_model.dof_damping
        # how often the engine gave up on a state, and began anew from none
        self._failures = self.data.warning.number[int(engine.mjtWarning.mjWARN_BADQPOS) :]
        self._ticks, self._touch = 0, 0.0
        self._rows: list[tuple[Array, ...]] = []
        self._unexplained: list[float] = []

    @property
    def time(self) -> float:
        """Seconds since the beginning, at the last decision or the one that is due."""
        return self._ticks * TICK

    @property
    def done(self) -> bool:
        """Whether the body has fallen and lies, or cannot be reckoned with any more."""
        return self.fall is not None and (self.time > self.fall.time + _AFTER_FALL or bool(self._failures.any()))

    @property
    def passive(self) -> bool:
        """Whether no muscle drives the body any more: it has fallen, or is thrown and going to fall."""
        return self.controller.manager.limbs.free

    @property
    def recorded(self) -> int:
        """How many frames were noted down."""
        return len(self._rows)

    def tick(self) -> None:
        """Decide once, and go on with the physics until the next decision."""
        self.decide()
        for step in range(STEPS):
            self.look(step)
            self.move(step)
        self.feel()

    def decide(self) -> None:
        """Let the controller choose the torques that hold until the next decision."""
        mujoco().mj_step1(self._engine_model, self.data)
        if self.passive:
            self._torques[:] = self._motors[:] = 0.0
        else:
            self._control(self.time)
            # dampers of the classic mode are part of its torques, and the engine takes them off again
            np.add(self._torques, (self._damping * self._moving)[HUMAN.root_dofs :], out=self._motors)
        self._velocities[:] = self._moving
        self._ligaments.pull(self._positions, self._moving, self._applied)
        self._impulse[:] = self._floor[:] = 0.0

    def look(self, step: int) -> None:
        """Bring all that is reckoned from positions and velocities up to date, before the step of that number."""
        if step:  # the decision itself has looked
            mujoco().mj_step1(self._engine_model, self.data)

    def move(self, step: int) -> None:
        """Take a step of physics, of that number since the decision."""
        engine, data = mujoco(), self.data
        if self.influences:
            self._pressed[:] = 0.0
            for influence in self.influences:
                influence.press(self.time + step * TIMESTEP, data)
        engine.mj_step2(self._engine_model, data)
        self._floor += TIMESTEP * self._constraint[:3]
        if self.influences:
            self._impulse += TIMESTEP * self._pressed[:, :3].sum(axis=0)

    def feel(self) -> None:
        """Take note of the floor's forces, of legs that touch, and of a fall; raise where the physics breaks down."""
        if self.fall is None and self._failures.any():
            raise ArgumentError(
                f"the body is moved too violently at {self.time:.2f} s for its physics to be reckoned: push it less, or"
                " let it have a more usual height and mass"
            )
        data, contact = self.data, self.data.contact
        touch = sole_forces(contact.geom, contact.efc_address, contact.frame, data.efc_force, self._place, self._forces)
        if self.fall is None:
            self._touch = max(self._touch, touch)
        self._ticks += 1
        # a torque that holds while velocities change does this much: exact where they change evenly
        self._work += 0.5 * TICK * self._torques * (self._velocities + self._moving)[HUMAN.root_dofs :]
        if self.fall is None and self._centre[1] < self._lowest:
            manager = self.controller.manager
            number = None if manager.step is None else manager.step.number
            self.fall = Fall(self.time, number, manager.elapsed(self.time))
        if not self.passive and (self.fall is not None or self._out_of_control()):
            self.let_go()

    def let_go(self) -> None:
        """Make the body passive for good: it falls, or has fallen."""
        self.controller.manager.limbs.release()
        make_passive(self._engine_model, self.model.strengths)
        if self._help is not None:
            self._help.release()

    def _out_of_control(self) -> bool:
        """Whether a joint is thrown faster than muscles move; the classic mode limits its own joints one by one."""
        return self.mode is not Mode.CLASSIC and float(np.abs(self._moving[HUMAN.root_dofs :]).max()) > FASTEST

    def _control(self, time: float) -> None:
        normal = self._forces[:, 1]
        self._torques, sensed = self.controller.tick(time, normal, self.felt)
        self.observer.feel(time, sensed, normal)
        if self._ticks:
            applied = max(map(abs, self._applied[: HUMAN.root_dofs].tolist()))
            self.observer.account(sensed.velocity, self._floor + self._impulse, applied)
            self._adjust(time, sensed)
        self._velocity = sensed.velocity

    def _adjust(self, time: float, sensed: Sensed) -> None:
        """Let feet land elsewhere if something pushed that neither the floor nor a partner explains."""
        if self.adjuster is None:
            return
        explained = self._floor if self.felt is None else self._floor + TICK * self.felt.torques[:3]
        change = sensed.velocity - self._velocity - explained / self.plan.figure.mass
        change[1] += TICK * self.model.environment.gravity
        course = self.adjuster.revise(time, sensed, change)
        self.controller.keep_upright(self.adjuster.uprightness)
        if course is not None:
            self.controller.follow(course, time)

    def record(self) -> None:
        """Note down a frame."""
        points = self.data.geom_xpos[self.model.soles] - np.array([0.0, self.model.sole_radius, 0.0])
        now = (self._positions, self._torques, self._work, self._forces, points, self._centre)
        self._unexplained.append(self.observer.largest_miss())
        self._rows.append(tuple(np.array(part) for part in now))

    def result(self, interrupted: bool, frames: int | None = None) -> SimulatedDance:
        """Return all that was noted down, or as many frames of it."""
        rows = self._rows[:frames]
        positions, torques, work, forces, points, centre = (np.array(part) for part in zip(*rows, strict=True))
        return SimulatedDance(
            plan=self.plan,
            environment=self.model.environment,
            fps=FPS,
            positions=positions,
            torques=torques,
            work=work,
            forces=forces,
            points=points,
            centre=centre,
            unexplained=np.array(self._unexplained[: len(positions)]),  # Ctrl-C may come in between
            landings=tuple(self.observer.landings),
            slip=self.observer.slip,
            touch=self._touch,
            outside=self.observer.outside,
            fall=self.fall,
            interrupted=interrupted,
            mode=self.mode,
            help=Help() if self._help is None else self._help.given,
            unplanned=self.observer.unplanned,
        )
