"""Whole dances under the thesis's motor control: every limb by itself goes from goal to goal of the plan.

Nobody looks after the body as a whole: what keeps it up are the springs of its legs, and the autonomic balance's torque
from nowhere. As in the thesis, feet slide and bodies fall; it is here to be compared with.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.simulation.classic.gains import SCALED
from segue.dance.simulation.classic.goals import bearing_shares, goals_of
from segue.dance.simulation.classic.limbs import LIMB_OF, LIMBS, Limbs, limb_lengths, within_strength
from segue.dance.simulation.classic.loads import ChainLoad
from segue.dance.simulation.control.body_controller import BodyController, Sensed
from segue.dance.simulation.control.felt import Felt
from segue.dance.simulation.course.course import TICK, Course
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.model import BodyModel
from segue.dance.simulation.state import poses_of
from segue.typing import Array

# Springs that are to carry a body would throw about a foot that has lost the floor.
_SOLE = 0.15  # m from the ankle that a push on the sole can be
_FREE = 5.0  # N m that move a foot in the air
_FASTEST = 30.0  # rad/s at which no muscle can push or hold any more
_SLOWEST = 0.1  # rad/s below which dampers are not limited any further
_FEET = [tuple(LIMBS.index(f"{side}_{joint}") for joint in ("ankle", "toe")) for side in ("left", "right")]


class ClassicController(BodyController):
    """Runs limb motor feedback in place of whole-body control; what is sensed and noted down is the same."""

    def __init__(self, model: BodyModel, data: Any, course: Course) -> None:
        super().__init__(model, data, course)
        self._engine_model.actuator_forcelimited[:] = False  # the engine would cut springs before dampers are taken off
        self._strengths = model.strengths
        self._limbs = Limbs(SCALED, poses_of(data.qpos[None]), TICK)
        self._load = ChainLoad(model.figure, self._engine_model, data, standing=True)
        self._goals = deque(goals_of(course.plan))
        self._shares = bearing_shares(course.plan, course.times)

    def tick(self, time: float, forces: Array, felt: Felt | None = None) -> tuple[Array, Sensed]:
        """Return the motors' torques (38,), springs and dampers together, and what was sensed; forces: (12,) N.

        The dampers are set in the engine's model, which takes them off again. A partner is not felt.
        """
        mujoco().mj_fullM(self._engine_model, self._data, self.whole_body.inertia)
        sensed, spins = self._sense(self.whole_body.bias)
        self.manager.advance(time)
        self._feet(time, forces, sensed, spins)
        while self._goals and time >= self._goals[0].start:
            goal = self._goals.popleft()
            self._limbs.aim(goal.tracks, time, goal.stop - time, self._positions)
        self._load.stand(float(self._shares[self.course.tick(time)]))
        springs = self._load.drive(self._limbs.programs(time, self._positions))
        damping, velocities = self._engine_model.dof_damping[HUMAN.root_dofs :], self._velocities[HUMAN.root_dofs :]
        rates = limb_lengths(velocities)
        strengths = np.where(rates > _FASTEST, 0.0, self._bearable(forces))
        # until the next decision the engine takes off what it was given: no damper may hold harder than its joint can
        damping[:] = np.minimum(damping, (strengths / np.maximum(rates, _SLOWEST))[LIMB_OF])
        return within_strength(springs - damping * velocities, strengths), sensed

    def _bearable(self, forces: Array) -> Array:
        """Return the joints' strengths (18,), of feet no more than what keeps their soles on the floor."""
        strengths, loads = self._strengths.copy(), forces.reshape(len(_FEET), -1).sum(axis=1)
        for (ankle, toe), load in zip(_FEET, loads, strict=True):
            strengths[ankle] = min(strengths[ankle], _FREE + _SOLE * load)
            strengths[toe] = min(strengths[toe], _FREE + _SOLE * load)
        return strengths
