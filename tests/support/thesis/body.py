"""A body under the thesis's motor control: physics and feedback at 1 kHz, and a record of both."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.gestures import Pose
from segue.dance.gestures.anatomy import values
from segue.dance.notation.manner import manner_of
from segue.dance.planning.model import Style
from segue.dance.planning.positions import Strides
from segue.dance.planning.walk import closed_stance
from segue.dance.simulation.classic.controller import Balance
from segue.dance.simulation.classic.gains import SCALED, THESIS, Gains
from segue.dance.simulation.classic.limbs import LIMB_OF, Limbs, Programs, within_strength
from segue.dance.simulation.classic.loads import ChainLoad
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import standing_positions
from segue.dance.simulation.model import TIMESTEP, BodyModel
from segue.dance.simulation.passive import Ligaments
from segue.dance.simulation.push import Push
from segue.errors import ArgumentError
from segue.motion.tracks import poses_of
from segue.typing import Array
from tests.support.thesis.record import Record


class Footing(StrEnum):
    """What keeps the body where it is."""

    STANDING = "standing"
    """Its feet on the floor, and the torques of its legs."""

    BALANCED = "balanced"
    """The same, and the thesis's torque on the upper body, from outside."""

    HELD = "held"
    """Its pelvis is held fast, from outside: no experiment in balance."""

    @classmethod
    def of(cls, name: str) -> Footing:
        """Return the footing of a name."""
        if name not in list(cls):
            raise ArgumentError(f"the footing is '{name}': it must be one of {', '.join(cls)}")
        return cls(name)


GAINS = MappingProxyType({gains.name: gains for gains in (SCALED, THESIS)})
"""The choices of constants by name."""


def gains_of(gains: str | Gains) -> Gains:
    """Return constants by name, or those that were given."""
    if isinstance(gains, Gains):
        return gains
    if gains not in GAINS:
        raise ArgumentError(f"the gains are '{gains}': they must be {' or '.join(GAINS)}")
    return GAINS[gains]


DANCE = "Foxtrot"
"""Whose closed feet and ballroom frame are meant."""

_STEPS = 5  # of physics from frame to frame: 200 frames a second


class OwnLoad:
    """Every joint turns and bears its own link, as if nothing hung on it."""

    def __init__(self, figure: Figure, model: Any, data: Any) -> None:
        self._model, self._data = model, data
        self._bodies = 2 + LIMB_OF  # the engine's bodies: world, pelvis, then the limbs' segments
        self._weights = model.body_mass[self._bodies, None] * model.opt.gravity
        self._inertia = np.array(
            [
                axis @ figure.inertias[joint.segment].about(np.zeros(3)) @ axis
                for joint in HUMAN.joints[1:]
                for axis in (np.eye(3) if joint.ball else np.array([hinge.axis for hinge in joint.hinges]))
            ]
        )

    def drive(self, asked: Programs) -> Array:
        """Return torques as `Load` says: the link's inertia times the spring, less the moment of its weight."""
        data = self._data
        self._model.dof_damping[HUMAN.root_dofs :] = self._inertia * asked.dampers
        arms = data.xipos[self._bodies] - data.xpos[self._bodies]
        moments = np.sum(data.cdof[HUMAN.root_dofs :, :3] * np.cross(arms, self._weights), axis=1)
        torques: Array = self._inertia * asked.springs - np.where(asked.free, 0.0, moments)
        return torques


class ClassicBody:
    """A figure that stands with its feet closed, its limbs in a pose, under the limb motor feedback system."""

    def __init__(
        self, figure: Figure, pose: Pose, gains: Gains, footing: Footing, environment: Environment | None = None
    ) -> None:
        engine, model = mujoco(), BodyModel(figure, environment or Environment())
        self.figure, self._ligaments = figure, Ligaments(figure)
        stance = closed_stance(Strides.of(figure, manner_of(DANCE), Style()))
        positions = standing_positions(model.figure, stance, _tracks(pose))
        self._model = model.engine_model if footing is not Footing.HELD else _held(model, positions)
        self._data = data = engine.MjData(self._model)
        data.qpos[:] = positions
        engine.mj_forward(self._model, data)
        self.limbs = Limbs(gains, poses_of(positions[None]))
        self._load: ChainLoad | OwnLoad = (
            ChainLoad(figure, self._model, data, footing is not Footing.HELD)
            if gains.chained
            else OwnLoad(figure, self._model, data)
        )
        self._balance = Balance(self._model, data) if footing is Footing.BALANCED else None
        self._model.actuator_forcelimited[:] = False  # the engine would cut springs before dampers are taken off
        self._strengths, self._torques = model.strengths, np.zeros(self._model.nu)
        self._outside, self._ticks = (np.nan if footing is Footing.HELD else 0.0), 0
        self._rows: list[tuple[Array, ...]] = []

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self._ticks * TIMESTEP

    def aim(self, pose: Pose, seconds: float) -> None:
        """Give the joints that a pose names new goals, to be reached in so many seconds; others keep theirs."""
        self.limbs.aim(_tracks(pose), self.time, seconds, self._data.qpos)

    def run(self, seconds: float, pushes: Sequence[Push] = ()) -> None:
        """Let time pass."""
        for _ in range(round(seconds / TIMESTEP)):
            self._tick(pushes)

    def _tick(self, pushes: Sequence[Push]) -> None:
        engine, data = mujoco(), self._data
        engine.mj_step1(self._model, data)
        springs = self._load.drive(self.limbs.programs(self.time, data.qpos))
        damped = (self._model.dof_damping * data.qvel)[HUMAN.root_dofs :]
        self._torques = within_strength(springs - damped, self._strengths)
        data.ctrl[:] = self._torques + damped  # of which the engine takes the damper off again
        self._ligaments.pull(data.qpos, data.qvel, data.qfrc_applied)
        data.xfrc_applied[:] = 0.0
        if self._balance is not None:
            self._balance.apply(self.time, data)
            self._outside = float(np.linalg.norm(self._balance.torque))
        facing = data.xmat[1].reshape(3, 3)
        for push in pushes:
            data.xfrc_applied[1 + HUMAN.segments.index(push.segment), :3] += push.at(self.time, facing)
        if self._ticks % _STEPS == 0:
            self._note()
        engine.mj_step2(self._model, data)
        self._ticks += 1

    def _note(self) -> None:
        data, limbs = self._data, self.limbs
        errors = limbs.errors(data.qpos)
        desired = limbs.desired(self.time)
        self._rows.append((data.qpos.copy(), errors, desired, self._torques, np.array(self._outside)))

    @property
    def record(self) -> Record:
        """What was noted down so far."""
        positions, errors, desired, torques, outside = (np.array(part) for part in zip(*self._rows, strict=True))
        return Record(self.figure, 1.0 / (_STEPS * TIMESTEP), positions, errors, desired, torques, outside)


def _tracks(pose: Pose) -> dict[str, Array]:
    return {track: value for joint, said in pose.items() for track, value in values(joint, said).items()}


def _held(model: BodyModel, positions: Array) -> Any:
    """Return the engine's model of a body whose pelvis is welded to where it is."""
    engine, spec = mujoco(), model.specification()
    weld = spec.add_equality(name="held", type=engine.mjtEq.mjEQ_WELD, objtype=engine.mjtObj.mjOBJ_BODY)
    weld.name1, weld.name2 = "world", HUMAN.segments[0]
    weld.data[:11] = [0.0, 0.0, 0.0, *positions[:7], 1.0]  # anchor, where the pelvis is, how much turning counts
    weld.solref, weld.solimp = [2.0 * TIMESTEP, 1.0], [0.999, 0.9999, 0.001, 0.5, 2.0]
    return spec.compile()
