"""Add rest to a plan: the arms are raised before the first step and lowered after the last."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

from segue.body.human import HUMAN
from segue.dance.gestures.anatomy import Pose, values
from segue.dance.planning.model import JointGoal, Plan
from segue.errors import ArgumentError

HANGING: Pose = MappingProxyType(
    {
        f"{side}_{joint}": MappingProxyType(said)
        for side in ("left", "right")
        for joint, said in (("shoulder", {"elevation": 10.0, "plane": 10.0}), ("elbow", {"flexion": 12.0}))
    }
)
"""Orientation of hanging arms."""

AT_REST = MappingProxyType(
    {track: value for joint in HUMAN.groups["arms"] for track, value in values(joint, HANGING.get(joint, {})).items()}
)
"""Values of all tracks of hanging arms."""

_SHORTEST, _LONGEST = 0.3, 30.0  # s
_STILL = 0.5  # s of rest after the arms are lowered


def from_rest(plan: Plan, seconds: float = 2.0) -> Plan:
    """Return a plan that begins and ends with the arms at the sides of the body [Lake1990, section 7.5].

    seconds: duration of raising them before the plan, and of lowering them after it.
    """
    if not (math.isfinite(seconds) and _SHORTEST <= seconds <= _LONGEST):
        raise ArgumentError(f"the arms are given {seconds} s: it must be from {_SHORTEST:g} to {_LONGEST:g} s")
    later = delayed(plan, seconds)
    moved = {joint: goals for joint, goals in later.of_joint().items() if joint in AT_REST}
    stop = later.stop + seconds
    goals = [goal for goal in later.goals if goal.joint not in moved or goal.time >= seconds]
    goals += [moved[joint][-1]._replace(time=later.stop, passing=False) for joint in moved]
    goals += [JointGoal(time, joint, AT_REST[joint], False) for joint in moved for time in (0.0, stop)]
    return replace(later, goals=tuple(sorted(goals, key=lambda goal: goal.time)), stop=stop + _STILL)


def delayed(plan: Plan, seconds: float) -> Plan:
    """Return a plan delayed by some seconds, in which the dancer stands in the first stance."""
    first = [goal._replace(passing=False) for goal in plan.body if goal.time <= 0.0]
    held = [goals[0] for goals in plan.of_joint().values() if goals[0].time <= 0.0]
    return replace(
        plan,
        steps=tuple(replace(step, start=step.start + seconds, stop=step.stop + seconds) for step in plan.steps),
        footsteps=tuple(
            replace(step, lift=step.lift + seconds, land=step.land + seconds, settled=step.settled + seconds)
            for step in plan.footsteps
        ),
        body=(*first, *(goal._replace(time=goal.time + seconds) for goal in plan.body)),
        goals=(*held, *(goal._replace(time=goal.time + seconds) for goal in plan.goals)),
        lead_in=plan.lead_in + seconds,
        stop=plan.stop + seconds,
    )
