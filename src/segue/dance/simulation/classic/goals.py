"""What a plan asks of limbs under the thesis's motor control: goal positions with their times, and which legs bear.

Goals of legs are poses of the plan's kinematic performance, at the moments that matter to the feet: where one leaves
the floor, half-way through its flight, which is the intermediate goal of [Lake1990, section 6.3], and where it lands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segue.body.human import HUMAN
from segue.dance.performance.poses import preview
from segue.dance.planning.model import Footstep, Plan
from segue.typing import Array

_SHORTEST = (
    0.16  # s: in less, springs that are decided on every 2 ms would shake; goals that follow sooner are left out
)
_LEG_HINGES = [hinge.name for joint in HUMAN.joints if joint.name in HUMAN.groups["legs"] for hinge in joint.hinges]


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
