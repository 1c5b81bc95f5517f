"""One simulated dancer: a body in the physics engine, its controller, and a record of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from segue.body.human import HUMAN
from segue.dance.course.course import TICK
from segue.dance.simulation._contact_kernels import sole_forces
from segue.dance.simulation.assistance import Assistance, Help, HelpingTorque, Mode
from segue.dance.simulation.classic.controller import Balance, ClassicController
from segue.dance.simulation.control.body_controller import BodyController, PartnerForces, Sensed
from segue.dance.simulation.control.step_adjuster import Adjuster
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.model import TIMESTEP
from segue.dance.simulation.observer import Observer
from segue.dance.simulation.passive import FASTEST, Ligaments, make_passive
from segue.dance.simulation.push import Push, PushForces, check_push
from segue.dance.simulation.result import Fall, SimulatedDance
from segue.errors import ArgumentError
from segue.typing import Array


class ExternalForce(Protocol):
    """Something that acts on a body besides gravity and floor: a push, a partner, an outside torque."""

    def apply(self, time: float, data: Any) -> None:
        """Add forces and torques (bodies, 6) in world axes, at the segments' centres of mass, to `data.xfrc_applied`.

        Called before every step of the physics.
        """
        ...


def motor_control(mode: Mode, initial: InitialState, data: Any) -> tuple[BodyController, HelpingTorque | None]:
    """Return the controller of a mode, and its outside torque if the mode has one."""
    engine_model = initial.model.engine_model
    if mode is Mode.CLASSIC:
        return ClassicController(initial.model, data, initial.course), Balance(engine_model, data)
    assistance = Assistance(engine_model, data) if mode is Mode.ASSISTED else None
    return BodyController(initial.model, data, initial.course, assistance), assistance


STEPS = round(TICK / TIMESTEP)
"""Steps of physics per decision."""

TICKS = 5
"""Decisions per recorded frame."""

FPS = 1.0 / (TICK * TICKS)
"""Recorded frames per second."""

_FALLEN = 0.7  # of the initial height of the centre of mass
_AFTER_FALL = 1.5  # s that are still simulated


@dataclass(frozen=True, eq=False)
class _Frame:
    """A recorded frame: see `SimulatedDance`."""

    positions: Array
    torques: Array
    work: Array
    forces: Array
    points: Array
    centre: Array
    unexplained: float


class Dancer:
    """One body and its motor control, advanced tick by tick.

    A tick is `decide`, then `STEPS` times `update_kinematics` and `move`, then `read_contacts`. partner_forces: forces
    of a partner, None for one dancer alone.
    """

    def __init__(
        self,
        initial: InitialState,
        external_forces: Sequence[ExternalForce] = (),
        mode: Mode = Mode.TORQUE,
        *,
        adjusting: bool = False,
    ) -> None:
        engine, plan = mujoco(), initial.course.plan
        self.plan, self.model = plan, initial.model
        self._engine_model = self.model.engine_model
        self.data = engine.MjData(self._engine_model)
        self.data.qpos[:] = initial.positions
        engine.mj_forward(self._engine_model, self.data)
        self.mode = mode
        self.controller, self._help = motor_control(mode, initial, self.data)
        self.adjuster: Adjuster | None = None
        if adjusting and mode is Mode.TORQUE:
            self.adjuster = Adjuster(initial.course, self.controller.manager.feet, self.model.environment.gravity)
        self.observer = Observer(self.controller.manager.feet, plan.figure.mass, self.model.environment.gravity)
        self.external_forces = [*external_forces, *([] if self._help is None else [self._help])]
        self._pushes = PushForces()
        self.partner_forces: PartnerForces | None = None
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
        self._first_failure = int(engine.mjtWarning.mjWARN_BADQPOS)
        self._ticks, self._touch = 0, 0.0
        self._frames: list[_Frame] = []

    @property
    def time(self) -> float:
        """Time of the last decision, or of the one that is due, s."""
        return self._ticks * TICK

    @property
    def done(self) -> bool:
        """Whether the body has fallen and lies, or its simulation has failed."""
        return self.fall is not None and (self.time > self.fall.time + _AFTER_FALL or self._failed())

    @property
    def passive(self) -> bool:
        """Whether no motor drives the body any more, because it has fallen or is about to."""
        return self.controller.manager.limbs.free

    @property
    def recorded(self) -> int:
        """Number of recorded frames."""
        return len(self._frames)

    @property
    def engine(self) -> tuple[Any, Any]:
        """The engine's model and data."""
        return self._engine_model, self.data

    @property
    def facing(self) -> Array:
        """The pelvis's axes in the world as columns, (3, 3)."""
        axes: Array = self.data.xmat[1].reshape(3, 3)
        return axes

    def push(self, push: Push) -> None:
        """Add a push that begins now or later; raise ArgumentError for one that comes too early or too late."""
        check_push(push, self.time, self.plan.stop)
        if not self._pushes:  # the forces of a dancer without pushes cost no time
            self.external_forces.insert(0, self._pushes)
        self._pushes.add(push)

    def tick(self) -> None:
        """Decide once, and step the physics until the next decision."""
        self.decide()
        for step in range(STEPS):
            self.update_kinematics(step)
            self.move(step)
        self.read_contacts()

    def decide(self) -> None:
        """Let the controller choose the torques until the next decision."""
        mujoco().mj_step1(self._engine_model, self.data)
        if self.passive:
            self._torques[:] = self._motors[:] = 0.0
        else:
            self._control(self.time)
            # torques of the classic mode include its dampers, which the engine subtracts again
            np.add(self._torques, (self._damping * self._moving)[HUMAN.root_dofs :], out=self._motors)
        self._velocities[:] = self._moving
        self._ligaments.pull(self._positions, self._moving, self._applied)
        self._impulse[:] = self._floor[:] = 0.0

    def update_kinematics(self, step: int) -> None:
        """Update the engine's kinematics before a step of physics; step: its number since the decision."""
        if step:  # `decide` has updated them already
            mujoco().mj_step1(self._engine_model, self.data)

    def move(self, step: int) -> None:
        """Take a step of physics; step: its number since the decision."""
        engine, data = mujoco(), self.data
        if self.external_forces:
            self._pressed[:] = 0.0
            for external in self.external_forces:
                external.apply(self.time + step * TIMESTEP, data)
        engine.mj_step2(self._engine_model, data)
        self._floor += TIMESTEP * self._constraint[:3]
        if self.external_forces:
            self._impulse += TIMESTEP * self._pressed[:, :3].sum(axis=0)

    def read_contacts(self) -> None:
        """Read the forces of floor and legs, and detect a fall; raise if the physics breaks down."""
        if self.fall is None and self._failed():
            raise ArgumentError(
                f"the body is moved too violently at {self.time:.2f} s for its physics: push it less, or"
                " let it have a more usual height and mass"
            )
        data, contact = self.data, self.data.contact
        touch = sole_forces(contact.geom, contact.efc_address, contact.frame, data.efc_force, self._place, self._forces)
        if self.fall is None:
            self._touch = max(self._touch, touch)
        self._ticks += 1
        # work of a constant torque, exact if the velocity changes linearly
        self._work += 0.5 * TICK * self._torques * (self._velocities + self._moving)[HUMAN.root_dofs :]
        if self.fall is None and self._centre[1] < self._lowest:
            manager = self.controller.manager
            number = None if manager.step is None else manager.step.number
            self.fall = Fall(self.time, number, manager.elapsed(self.time))
        if not self.passive and (self.fall is not None or self._out_of_control()):
            self.let_go()

    def let_go(self) -> None:
        """Make the body passive for the rest of the simulation."""
        self.controller.manager.limbs.release()
        make_passive(self._engine_model, self.model.strengths)
        if self._help is not None:
            self._help.release()

    def _failed(self) -> bool:
        """Whether the engine had to reset an invalid state."""
        return bool(self.data.warning.number[self._first_failure :].any())

    def _out_of_control(self) -> bool:
        """Whether a joint is faster than muscles move; the classic mode limits single joints instead."""
        return self.mode is not Mode.CLASSIC and float(np.abs(self._moving[HUMAN.root_dofs :]).max()) > FASTEST

    def _control(self, time: float) -> None:
        normal = self._forces[:, 1]
        self._torques, sensed = self.controller.tick(time, normal, self.partner_forces)
        self.observer.record_contacts(time, sensed, normal)
        if self._ticks:
            applied = max(map(abs, self._applied[: HUMAN.root_dofs].tolist()))
            self.observer.check_momentum(sensed.velocity, self._floor + self._impulse, applied)
            self._adjust(time, sensed)
        self._velocity = sensed.velocity

    def _adjust(self, time: float, sensed: Sensed) -> None:
        """Revise the footsteps if a force acted that neither floor nor partner explains."""
        if self.adjuster is None:
            return
        explained = self._floor if self.partner_forces is None else self._floor + TICK * self.partner_forces.torques[:3]
        change = sensed.velocity - self._velocity - explained / self.plan.figure.mass
        change[1] += TICK * self.model.environment.gravity
        course = self.adjuster.revise(time, sensed, change)
        self.controller.keep_upright(self.adjuster.uprightness)
        if course is not None:
            self.controller.follow(course, time)

    def record(self) -> None:
        """Record a frame."""
        points = self.data.geom_xpos[self.model.soles] - np.array([0.0, self.model.sole_radius, 0.0])
        self._frames.append(
            _Frame(
                self._positions.copy(),
                self._torques.copy(),
                self._work.copy(),
                self._forces.copy(),
                points,
                self._centre.copy(),
                self.observer.largest_unexplained(),
            )
        )

    def result(self, interrupted: bool, frames: slice | None = None) -> SimulatedDance:
        """Return the recorded frames, or a part of them with the results up to now."""
        chosen = self._frames[frames or slice(None)]
        return SimulatedDance(
            plan=self.plan,
            environment=self.model.environment,
            fps=FPS,
            positions=np.array([frame.positions for frame in chosen]),
            torques=np.array([frame.torques for frame in chosen]),
            work=np.array([frame.work for frame in chosen]),
            forces=np.array([frame.forces for frame in chosen]),
            points=np.array([frame.points for frame in chosen]),
            centre=np.array([frame.centre for frame in chosen]),
            unexplained=np.array([frame.unexplained for frame in chosen]),
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
