"""What a plan asks of limbs under the thesis's motor control: goal positions with their times, and which legs bear.

Goals of legs are poses of the plan's kinematic performance, at the moments that matter to the feet: where one leaves
the floor, half-way through its flight, which is the intermediate goal of [Lake1990, section 6.3], and where it lands.


The thesis's autonomic balance: a torque from nowhere that keeps the upper body upright.

Whole dances under the thesis's motor control: every limb by itself goes from goal to goal of the plan.

Nobody looks after the body as a whole: what keeps it up are the springs of its legs, and the autonomic balance's torque
from nowhere. As in the thesis, feet slide and bodies fall; it is here to be compared with.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.performance.poses import preview
from segue.dance.planning.model import Footstep, Plan
from segue.dance.simulation.assistance import MOST_LEAN, TORSO, HelpingTorque, leaning_moment
from segue.dance.simulation.classic.gains import SCALED
from segue.dance.simulation.classic.limbs import LIMB_OF, LIMBS, Limbs, limb_lengths, within_strength
from segue.dance.simulation.classic.loads import ChainLoad
from segue.dance.simulation.control.body_controller import BodyController, Felt, Sensed
from segue.dance.simulation.course.course import TICK, Course
from segue.dance.simulation.engine import mujoco, poses_of
from segue.dance.simulation.model import BodyModel
from segue.typing import Array

_SHORTEST = (
    0.16  # s: in less, springs that are decided on every 2 ms would shake; goals that follow sooner are left out
)
_LEG_HINGES = [track for leg in HUMAN.groups["legs"] for track in HUMAN[leg].tracks if track in HUMAN.hinge_names]


@dataclass(frozen=True, eq=False)
class Goal:
    """A position that some limbs are to reach between two times, s: values of their tracks."""

    start: float
    stop: float
    tracks: Mapping[str, Array]


def goals_of(plan: Plan) -> tuple[Goal, ...]:
    """Return the goals of legs and of all other limbs, in the order in which they begin."""
    return tuple(sorted([*_leg_goals(plan), *_upper_goals(plan)], key=lambda goal: goal.start))


def _leg_goals(plan: Plan) -> Iterator[Goal]:
    """Yield poses of the legs, each from the moment of the one before; the last at the end of the plan."""
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
    """Yield what the plan says of head, trunk and arms: goals that are only passed are reached like all others."""
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
    """Return how much of the weight the left leg is to bear at some times, (N,) from 0 to 1; the right bears the rest.

    A foot in the air bears nothing. Between two flights the weight goes over evenly; at both ends both legs share it.
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
    """A restoring torque on the torso: as much as the weight of a body that leans so makes about its feet.

    Beyond 20 degrees it grows no more, and gravity is the stronger. No muscle gives it: it acts from outside.
    """

    def __init__(self, model: Any, data: Any) -> None:
        super().__init__()
        self._moment = leaning_moment(model, data)

    def press(self, time: float, data: Any) -> None:
        """Add the torque of this moment's lean to the engine's, and take note of it."""
        axis = np.cross(data.xmat[TORSO].reshape(3, 3)[:, 1], _UP)
        sine = max(float(np.linalg.norm(axis)), 1e-12)
        self.torque = self._moment * min(sine, MOST_LEAN) * axis / sine
        super().press(time, data)


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
