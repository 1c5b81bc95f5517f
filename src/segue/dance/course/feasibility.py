"""Warn of what a body or a couple cannot do in a course, before anything is danced."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.dance.body.shapes import BodyCapsules, gaps_between
from segue.dance.course.feet import FootCourse
from segue.dance.course.rehearsal import Rehearsal
from segue.dance.planning.model import Plan
from segue.errors import SegueWarning

_STRAINED = np.radians(5.0)  # rad beyond a range that a body yields by
_BRUSHING = 0.02  # m that legs may overlap as they brush past each other
_LEGS = ("left_leg", "right_leg")


def warn_of_ranges(plan: Plan, rehearsal: Rehearsal, who: str = "dancer") -> None:
    """Warn if a joint of a rehearsal is more than 5 degrees beyond its range; who: the dancer, in words."""
    poses = rehearsal.poses
    eased = Rehearsal(
        rehearsal.figure,
        Poses(poses.root, poses.balls, poses.hinges.copy()),
        rehearsal.feet,
        rehearsal.step,
        rehearsal.gravity,
    )
    eased.ease_ankles()
    excess = rehearsal.figure.limit_excess(eased.poses)
    frame, joint = np.unravel_index(int(excess.argmax()), excess.shape)
    if excess[frame, joint] > _STRAINED:
        name = (*HUMAN.ball_names, *HUMAN.hinge_names)[joint].replace("_", " ")
        _warn(
            f"{step_at(plan, frame * rehearsal.step)}: the {who}'s {name} has to go"
            f" {np.degrees(excess[frame, joint]):.0f} degrees beyond its range: take shorter steps or turn less"
        )


def warn_of_pivots(plan: Plan, feet: Mapping[str, FootCourse], who: str = "dancer") -> None:
    """Warn of the fastest pivot, if it has too little time; who: the dancer, in words."""
    found = [pivot for course in feet.values() for stand in course.stands for pivot in stand.pivots]
    fastest = max(found, key=lambda pivot: pivot.speed, default=None)
    if fastest is not None and fastest.hurried:
        step = plan.steps[fastest.step.step]
        turn = abs(fastest.after.heading - fastest.before.heading)
        _warn(
            f"{step.pattern.title}, step {step.number}: the {who}'s {fastest.step.foot} foot has to pivot by"
            f" {np.degrees(turn):.0f} degrees in {fastest.stop - fastest.start:.2f} s: turn less, or dance more slowly"
        )


def warn_of_legs(plan: Plan, one: BodyCapsules, other: BodyCapsules, step: float) -> None:
    """Warn if the legs of two partners overlap; plan: the leader's; step: s between frames."""
    gaps = gaps_between(one, _LEGS, other, _LEGS)
    frame = int(gaps.argmin())
    if gaps[frame] < -_BRUSHING:
        _warn(
            f"{step_at(plan, frame * step)}: the legs of the partners overlap by {-1e3 * gaps[frame]:.0f} mm: take"
            " shorter steps or turn less"
        )


def step_at(plan: Plan, time: float) -> str:
    """Return the step of a plan at a time, in words."""
    coming = [planned for planned in plan.steps if planned.stop > time] or list(plan.steps[-1:])
    return f"{coming[0].pattern.title}, step {coming[0].number}" if coming else f"at {time:.2f} s"


def _warn(said: str) -> None:
    warnings.warn(said, SegueWarning, stacklevel=5)
