"""Whether a body could dance a plan at all: steps that its legs cannot reach, or swing to in time, are refused at once.

Only what no controller could do is refused: whether the rest is danced well, the simulation shows.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.planning.model import Footstep, Plan
from segue.dance.planning.strides import leg_length
from segue.dance.simulation.strength import joint_strengths
from segue.errors import ArgumentError

_PEAK = 10.0 / math.sqrt(3.0)  # largest acceleration of the course of least jerk, for a way and a time of 1
_SHORTEST = 0.1  # s of a dance: with less there is nothing to reckon a course from
_ROUNDING = 1e-6  # degrees
_JUMP = 0.02  # s that both feet may be in the air by the rounding of times


def check_steps(plan: Plan) -> None:
    """Raise where a plan asks for a step that its figure's legs can neither reach nor swing to in time, for a jump, or
    for a footstep before it begins or after it ends.

    Plans of patterns were checked for reach when they were made [`segue.dance.planning.plan`]; others were not.
    """
    _check_times(plan)
    leg, stands = leg_length(plan.figure), {"left": plan.begins.left, "right": plan.begins.right}
    flights = sorted((step for step in plan.footsteps if step.land > step.lift), key=lambda step: step.lift)
    for step in flights:
        other = stands["right" if step.foot == "left" else "left"]
        apart = math.dist(step.end[:2], other[:2])
        if apart > leg:
            raise ArgumentError(
                f"{_where(plan, step)}: the {step.foot} foot has to go {apart:.2f} m away from the other, and this body"
                f" reaches {leg:.2f} m, {apart - leg:.2f} m less: take shorter steps"
            )
        way, seconds = math.dist(step.start[:2], step.end[:2]), step.land - step.lift
        reach = farthest_swing(plan.figure, seconds)
        if way > reach:
            raise ArgumentError(
                f"{_where(plan, step)}: the {step.foot} foot has to go {way:.2f} m in {seconds:.2f} s, and this body's"
                f" hip is strong enough for {reach:.2f} m: take a slower tempo or shorter steps"
            )
        stands[step.foot] = step.end
    for step in plan.footsteps:
        turn = math.degrees(abs(step.end.heading - step.start.heading))
        if turn > _ROUNDING and step.land == step.lift >= step.settled:
            raise ArgumentError(
                f"{_where(plan, step)}: the {step.foot} foot has to turn by {turn:.0f} degrees where it stands in no"
                " time: let it settle later than it lands"
            )
    for before, after in pairwise(flights):
        if after.lift < before.land - _JUMP:
            raise ArgumentError(
                f"{_where(plan, after)}: both feet would be in the air from {after.lift:.2f} to {before.land:.2f} s,"
                " and this body does not jump: let one foot land before the other leaves"
            )


def farthest_swing(figure: Figure, seconds: float) -> float:
    """Return how far, in m, a hip of full strength swings a foot in some seconds, from rest to rest.

    The knee is bent at a right angle, which makes the leg easy to swing, and the foot goes along the course of least
    jerk; so no dancer with such hips does better by much.
    """
    strength = float(joint_strengths(figure)[HUMAN.joint_names[1:].index("left_hip")])
    return strength * leg_length(figure) * seconds**2 / (_PEAK * _folded_inertia(figure))


def _folded_inertia(figure: Figure) -> float:
    """Return the inertia, kg m^2, of a leg about its hip's axis across, the knee bent at a right angle."""
    build, total = figure.build, 0.0
    knee, ankle = np.array([0.0, -build.thigh, 0.0]), np.array([0.0, -build.shank, 0.0])
    below = {"left_shank": np.zeros(3), "left_foot": ankle, "left_toes": ankle + build.toe}
    thigh = figure.inertias["left_thigh"]
    total += float(thigh.tensor[0, 0] + thigh.mass * thigh.centre[1:] @ thigh.centre[1:])
    for segment, offset in below.items():
        inertia = figure.inertias[segment]
        x, y, z = inertia.centre + offset
        at = knee + np.array([x, z, y])  # what hung down from the knee lies behind it
        total += float(inertia.tensor[0, 0] + inertia.mass * at[1:] @ at[1:])
    return total


def _check_times(plan: Plan) -> None:
    """Raise where a plan is no stretch of time, or footsteps lie outside of it."""
    if not (math.isfinite(plan.stop) and plan.stop >= _SHORTEST):
        raise ArgumentError(f"the plan ends at {plan.stop} s: it must last a number of seconds, at least {_SHORTEST:g}")
    for step in plan.footsteps:
        if not 0.0 <= step.lift <= step.land <= plan.stop:
            raise ArgumentError(
                f"{_where(plan, step)}: the {step.foot} foot leaves the floor at {step.lift:.2f} s and lands at"
                f" {step.land:.2f} s, and the plan goes from 0 to {plan.stop:.2f} s: let it begin sooner, or end later"
            )


def _where(plan: Plan, step: Footstep) -> str:
    if step.step >= len(plan.steps):
        return f"the footstep that lands at {step.land:.2f} s"
    planned = plan.steps[step.step]
    return f"{planned.pattern.title}, step {planned.number}"
