"""The thesis's first experiment under whole-body control, and all its controls side by side [Lake1990, section 7.1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.gestures.anatomy import values
from segue.dance.notation.manner import manner_of
from segue.dance.planning.model import JointGoal, Plan, Style, Tempo
from segue.dance.planning.positions import Strides
from segue.dance.planning.rest import AT_REST
from segue.dance.planning.walk import closed_stance
from segue.dance.simulation.classic.limbs import distance_left, limb_lengths
from segue.dance.simulation.control._task_kernels import joint_errors
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import simulate
from segue.motion.tracks import poses_of
from segue.typing import Array
from tests.support.thesis.body import DANCE, Footing
from tests.support.thesis.reach import (
    SETTLE,
    ArmReach,
    arm_reach,
    checked_seconds,
    dance_position,
)
from tests.support.thesis.record import Record

_TEMPO = Tempo(30.0, 4)  # nothing is danced to it


def torque_arm_reach(
    figure: Figure, seconds: float, *, part: str = "leader", environment: Environment | None = None
) -> ArmReach:
    """Return what comes of `arm_reach` by whole-body control: joint torques alone, the body on its own feet."""
    plan = arm_reach_plan(figure, seconds, part)
    return ArmReach(float(seconds), None, Footing.STANDING, _record(simulate(plan, environment), float(seconds)))


def arm_reach_plan(figure: Figure, seconds: float, part: str = "leader") -> Plan:
    """Return a plan without steps: arms that hang at first are in dance position after so many seconds."""
    checked_seconds(seconds)
    stance = closed_stance(Strides.of(figure, manner_of(DANCE), Style()))
    reached = {
        track: goal for joint, said in dance_position(part).items() for track, goal in values(joint, said).items()
    }
    stop = seconds + SETTLE
    goals = [JointGoal(0.0, track, value, False) for track, value in AT_REST.items()]
    goals += [JointGoal(float(seconds), track, value, False) for track, value in reached.items()]
    return Plan(figure, _TEMPO, stance, (), (), (), tuple(goals), stop, stop)


def compare_arm_reaches(figure: Figure, seconds: Sequence[float] = (1.0, 2.0, 3.0, 4.0)) -> list[dict[str, Any]]:
    """Return the reports of reaches of so many seconds under each control: the thesis's, its scaled one, torque."""
    reaches = [arm_reach(figure, each, gains=gains) for gains in ("thesis", "scaled") for each in seconds]
    return [reach.report() for reach in (*reaches, *(torque_arm_reach(figure, each) for each in seconds))]


def _record(dance: SimulatedDance, seconds: float) -> Record:
    """Return a dance as the record of a reach: how far limbs are from where they end, and from where they should be."""
    begins = poses_of(dance.positions[:1])
    balls, hinges = begins.balls[0].copy(), begins.hinges[0].copy()
    for joint, goals in dance.plan.of_joint().items():
        if joint in HUMAN.ball_names:
            balls[HUMAN.ball_names.index(joint)] = goals[-1].value
        else:
            hinges[HUMAN.hinge_names.index(joint)] = goals[-1].value[0]
    errors = np.array([joint_errors(balls, hinges, now)[HUMAN.root_dofs :] for now in dance.positions])
    left = distance_left(dance.times / seconds)
    desired: Array = left[:, None] * limb_lengths(errors[:1])
    still = np.zeros(len(dance.times))
    return Record(dance.plan.figure, dance.fps, dance.positions, errors, desired, dance.torques, still)
