"""The state of a dancer before the dance: feasible steps, a standing pose, and the course to follow.

Steps are refused only if no controller could do them. The simulation shows how well the others are danced.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.course.course import Course
from segue.dance.course.standing import standing
from segue.dance.planning.model import Footstep, Plan, Stance
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.model import BodyModel, joint_strengths
from segue.errors import ArgumentError
from segue.motion.tracks import positions_of
from segue.typing import Array

_PEAK = 10.0 / math.sqrt(3.0)  # largest acceleration of the path of least jerk over 1 m in 1 s
_SHORTEST = 0.1  # s: a shorter plan has too few ticks for a course
_ROUNDING = 1e-6  # degrees
_JUMP = 0.02  # s that both feet may be in the air because times are rounded


def check_steps(plan: Plan) -> None:
    """Raise `ArgumentError` if a plan has a step that the legs cannot reach or swing to in time.

    Also raise for a jump, for a turn in no time, and for a footstep before the beginning or after the end of the plan.
    `segue.dance.planning.plan` checks the reach of patterns. Other plans are checked here for the first time.
    """
    _check_times(plan)
    leg, stands = plan.figure.leg_length, {"left": plan.begins.left, "right": plan.begins.right}
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

    The foot follows the path of least jerk, and the knee is bent at a right angle, which makes the inertia of the leg
    small.
    """
    strength = float(joint_strengths(figure)[HUMAN.joint_names[1:].index("left_hip")])
    return strength * figure.leg_length * seconds**2 / (_PEAK * _folded_inertia(figure))


def _folded_inertia(figure: Figure) -> float:
    """Return the inertia, kg m^2, of a leg with a right-angled knee about the hip's sideways axis."""
    build, total = figure.build, 0.0
    knee, ankle = np.array([0.0, -build.thigh, 0.0]), np.array([0.0, -build.shank, 0.0])
    below = {"left_shank": np.zeros(3), "left_foot": ankle, "left_toes": ankle + build.toe}
    thigh = figure.inertias["left_thigh"]
    total += float(thigh.tensor[0, 0] + thigh.mass * thigh.centre[1:] @ thigh.centre[1:])
    for segment, offset in below.items():
        inertia = figure.inertias[segment]
        x, y, z = inertia.centre + offset
        at = knee + np.array([x, z, y])  # the shank points backwards instead of down
        total += float(inertia.tensor[0, 0] + inertia.mass * at[1:] @ at[1:])
    return total


def _check_times(plan: Plan) -> None:
    """Raise if a plan has no duration, or a footstep lies outside of it."""
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


_STATURES, _MASSES = (0.5, 3.0), (5.0, 500.0)  # m, kg: outside of them the engine's time step does not fit the inertias


_SUNK = 0.0003  # m into the floor, about as deep as a standing body sinks


@dataclass(frozen=True, eq=False)
class InitialState:
    """A dancer at time 0: body model, course, and positions (51,) of the engine."""

    model: BodyModel
    positions: Array
    course: Course

    @classmethod
    def of(cls, plan: Plan, environment: Environment) -> InitialState:
        """Return the initial state of a plan, in a standing pose and with its course."""
        check_plan(plan)
        return cls.of_course(Course.of(plan, environment.gravity), environment)

    @classmethod
    def of_course(cls, course: Course, environment: Environment) -> InitialState:
        """Return the standing pose at the beginning of a course, with the arms of the course."""
        figure = course.plan.figure
        positions = standing_positions(figure, course.plan.begins, course.limbs.first())
        return cls(BodyModel(figure, environment), positions, course)


def standing_positions(figure: Figure, stance: Stance, joints: Mapping[str, Array]) -> Array:
    """Return the engine's positions (51,) of a standing body; joints: as for `standing`."""
    pose = standing(figure, stance, joints)
    pose.root[0, 1] -= _SUNK
    found: Array = positions_of(pose)[0]
    return found


def check_plan(plan: Plan) -> None:
    """Raise ArgumentError if a figure cannot be simulated, or a plan has steps that no controller could do."""
    _check_size(plan.figure)
    check_steps(plan)


def _check_size(figure: Figure) -> None:
    """Raise an `ArgumentError` if a figure is too small, tall, light or heavy to be simulated."""
    for name, value, unit, (least, most) in (
        ("stature", figure.stature, "m", _STATURES),
        ("mass", figure.mass, "kg", _MASSES),
    ):
        if not least <= value <= most:
            raise ArgumentError(
                f"{name} is {value:.3g} {unit}: a simulated dancer needs a {name} from {least:g} to {most:g} {unit}"
            )
