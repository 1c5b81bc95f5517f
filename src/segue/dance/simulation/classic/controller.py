"""Dance a plan under the motor control of the thesis: every limb by itself goes from goal to goal.

Only the springs of the legs and the outside torque of the autonomic balance keep the body up. As in the thesis, feet
slide and bodies fall. The mode exists for comparison.

Goals of legs are poses of the plan's preview at the lift of a foot, in the middle of its flight (the intermediate goal
of [Lake1990, section 6.3]), and at its landing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.course.course import TICK, Course
from segue.dance.performance.solo import preview
from segue.dance.planning.model import Footstep, Plan
from segue.dance.simulation.assistance import MOST_LEAN, TORSO, HelpingTorque, leaning_moment
from segue.dance.simulation.classic.gains import SCALED
from segue.dance.simulation.classic.limbs import LIMB_OF, LIMBS, Limbs, limb_lengths, within_strength
from segue.dance.simulation.classic.loads import ChainLoad
from segue.dance.simulation.control.body_controller import BodyController, PartnerForces, Sensed
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.model import BodyModel
from segue.motion.tracks import poses_of
from segue.typing import Array

_SHORTEST = 0.16  # s: in less time, springs at 500 Hz would shake; goals that follow sooner are left out
_LEG_HINGES = [track for leg in HUMAN.groups["legs"] for track in HUMAN[leg].tracks if track in HUMAN.hinge_names]


@dataclass(frozen=True, eq=False)
class Goal:
    """Values of tracks that some limbs should reach between two times, s."""

    start: float
    stop: float
    tracks: Mapping[str, Array]


def goals_of(plan: Plan) -> tuple[Goal, ...]:
    """Return the goals of all limbs, in order of their start."""
    return tuple(sorted([*_leg_goals(plan), *_upper_goals(plan)], key=lambda goal: goal.start))


def _leg_goals(plan: Plan) -> Iterator[Goal]:
    """Yield poses of the legs, each from the time of the pose before; the last at the end of the plan."""
    moments = [0.0]
    for step in sorted(flights_of(plan), key=lambda step: step.lift):
        for moment in (step.lift, 0.5 * (step.lift + step.land), step.land):
            if moment - moments[-1] >= _SHORTEST:
                moments.append(moment)
    if plan.stop - moments[-1] >= _SHORTEST:
        moments.append(plan.stop)
    motion = preview(plan)
    poses = motion.at(np.clip(moments, motion.start, motion.stop))
    for k, (start, stop) in enumerate(pairwise(moments), 1):
        tracks = {name: poses.ball(name)[k] for name in HUMAN.ball_names if name in HUMAN.groups["legs"]}
        yield Goal(start, stop, tracks | {name: poses.hinge(name)[k : k + 1] for name in _LEG_HINGES})


def _upper_goals(plan: Plan) -> Iterator[Goal]:
    """Yield the plan's goals of head, trunk and arms; goals that are only passed are reached like all others."""
    for joint, goals in plan.of_joint().items():
        since = goals[0].time
        for goal in goals[1:]:
            if goal.time - since >= _SHORTEST:
                yield Goal(since, goal.time, {joint: goal.value})
                since = goal.time


def flights_of(plan: Plan) -> list[Footstep]:
    """Return a plan's footsteps whose foot leaves the floor."""
    return [step for step in plan.footsteps if step.land > step.lift]


def bearing_shares(plan: Plan, times: Array) -> Array:
    """Return the share of the weight on the left leg at some times, (N,) from 0 to 1; the right leg bears the rest.

    A foot in the air bears nothing. Between two flights the weight shifts linearly. At both ends of the plan both legs
    share it.
    """
    moments, shares = [0.0], [0.5]
    for step in sorted(flights_of(plan), key=lambda step: step.lift):
        moments += [step.lift, step.land]
        shares += [1.0 if step.foot == "right" else 0.0] * 2
    moments.append(plan.stop)
    shares.append(0.5)
    found: Array = np.interp(times, moments, shares)
    return found


_UP = np.array([0.0, 1.0, 0.0])


class Balance(HelpingTorque):
    """The autonomic balance of the thesis: a restoring torque on the torso, from outside.

    The torque equals the moment of the leaning body's weight about its feet. Beyond 20 degrees it is constant, and
    gravity is stronger.
    """

    def __init__(self, model: Any, data: Any) -> None:
        super().__init__()
        self._moment = leaning_moment(model, data)

    def apply(self, time: float, data: Any) -> None:
        """Add the torque of the present lean to the engine's forces, and record it."""
        axis = np.cross(data.xmat[TORSO].reshape(3, 3)[:, 1], _UP)
        sine = max(float(np.linalg.norm(axis)), 1e-12)
        self.torque = self._moment * min(sine, MOST_LEAN) * axis / sine
        super().apply(time, data)


# Springs that can carry a body would throw a foot about that has lost the floor.
_SOLE = 0.15  # m, largest lever arm of a force on the sole about the ankle
_FREE = 5.0  # N m for a foot in the air
_FASTEST = 30.0  # rad/s above which muscles have no strength
_SLOWEST = 0.1  # rad/s below which dampers are not limited further
_FEET = [tuple(LIMBS.index(f"{side}_{joint}") for joint in ("ankle", "toe")) for side in ("left", "right")]


class ClassicController(BodyController):
    """Limb motor feedback in place of whole-body control, with the same senses and records."""

    def __init__(self, model: BodyModel, data: Any, course: Course) -> None:
        super().__init__(model, data, course)
        self._engine_model.actuator_forcelimited[:] = False  # the engine would clip springs before it subtracts dampers
        self._strengths = model.strengths
        self._limbs = Limbs(SCALED, poses_of(data.qpos[None]), TICK)
        self._load = ChainLoad(model.figure, self._engine_model, data, standing=True)
        self._goals = deque(goals_of(course.plan))
        self._shares = bearing_shares(course.plan, course.times)

    def tick(self, time: float, forces: Array, partner: PartnerForces | None = None) -> tuple[Array, Sensed]:
        """Return the motors' torques (38,), springs and dampers together, and the sensed state; forces: (12,) N.

        The dampers are set in the engine's model, which subtracts them again. Forces of a partner are ignored.
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
        # the engine subtracts these dampers until the next decision: none may exceed its joint's strength
        damping[:] = np.minimum(damping, (strengths / np.maximum(rates, _SLOWEST))[LIMB_OF])
        return within_strength(springs - damping * velocities, strengths), sensed

    def _bearable(self, forces: Array) -> Array:
        """Return the joints' strengths (18,), of feet limited to keep their soles on the floor."""
        strengths, loads = self._strengths.copy(), forces.reshape(len(_FEET), -1).sum(axis=1)
        for (ankle, toe), load in zip(_FEET, loads, strict=True):
            strengths[ankle] = min(strengths[ankle], _FREE + _SOLE * load)
            strengths[toe] = min(strengths[toe], _FREE + _SOLE * load)
        return strengths
