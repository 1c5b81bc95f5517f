"""Preview one dancer: a motion of the figure, without dynamics, whose feet follow the plan exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypedDict, Unpack

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.checks import number
from segue.curves import quaternion
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import Dances
from segue.dance.performance.balance import balanced_path, pressure_path
from segue.dance.performance.courses import Course, TurnCourse, smoothed
from segue.dance.performance.footwork import foot_motion, own_footsteps
from segue.dance.performance.legs import (
    SIDES,
    bend_legs,
    carriage,
    limit_ankles,
    moved_aside,
    reachable_heights,
    shift_to_feet,
    with_foot_hanging,
    with_heel_raised,
    with_hip_in_range,
)
from segue.dance.planning.model import Plan, Tempo
from segue.dance.planning.planner import plan
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.typing import Array

FPS = 120.0
"""Frames per second of a preview by default: enough for feet to keep to the floor between frames."""

_SLOWEST = 24.0
_CALM = 0.12  # s to either side over which corrections of the pelvis are smoothed
_CENTRINGS = 2
"""Corrections of the pelvis towards the path of the centre of mass: each leaves a tenth of the error."""
# arms without goals: rotation vectors and hinge angles in degrees
_HANGING = {side: (0.0, 0.0, -sign * 78.0) for side, sign in SIDES.items()}
_EASE = {"elbow_flexion": 18.0, "forearm_pronation": 12.0, "wrist_flexion": 4.0}
_LEGS = tuple(f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "ankle", "toe"))


class DanceOptions(TypedDict, total=False):
    """Options of `preview`, with the meaning that they have for `plan`."""

    figure: Figure | None
    part: Part | str | None
    tempo: Tempo | str | float | None
    repeat: int
    bars: int | None
    library: DanceLibrary | None


def preview(dances: Dances | Plan, *, fps: float = FPS, **options: Unpack[DanceOptions]) -> Motion:
    """Return patterns, or a plan, danced by one figure without dynamics, from the plan's start to its end.

    Feet stand, leave, land and roll as planned. The pelvis keeps its balance over them, as high as the legs reach.
    Head, trunk and arms pass through their goals. fps: frames per second, at least 24. options: figure, part, tempo,
    repeat, bars and library, see `plan`; a plan has them already.
    """
    if isinstance(dances, Plan):
        if options:
            raise ArgumentError(f"{next(iter(options))} was given with a plan, which has it already: leave it out")
        made = dances
    else:
        made = plan(dances, **options)
    return Motion.from_poses(made.figure, preview_poses(made, frame_times(made, fps)), fps)


def frame_times(plan: Plan, fps: float) -> Array:
    """Return the times of a preview's frames in s, from 0 to the first frame at or after the end of the plan."""
    number("fps", fps, least=_SLOWEST, needed=f"a preview needs at least {_SLOWEST:g} frames a second")
    return np.arange(int(np.ceil(plan.stop * fps - 1e-9)) + 1) / fps


@dataclass(frozen=True, eq=False)
class Avoidance:
    """Displacement of a dancer who avoids a partner, in m over the floor at T times.

    body: (T, 2), of the centre of mass. feet: (T, 2) by side, of feet in the air.
    """

    body: Array
    feet: Mapping[str, Array]

    @classmethod
    def none(cls, frames: int) -> Avoidance:
        """Return no displacement, for a number of frames."""
        return cls(np.zeros((frames, 2)), {side: np.zeros((frames, 2)) for side in SIDES})


def preview_poses(plan: Plan, times: Array, avoidance: Avoidance | None = None) -> Poses:
    """Return the figure's poses at times (T,), which are at equal steps from the start of the plan."""
    _check_footsteps(plan)
    figure = plan.figure
    poses = Poses.zero(len(times))
    body = carriage(plan, times)
    move_upper_body(plan, times, poses)
    poses.ball("lower_back")[:] = quaternion.multiply(body.spine, poses.ball("lower_back"))
    poses.ball("root")[:] = body.pelvis

    feet = {side: foot_motion(plan, side, times) for side in SIDES}
    centre = balanced_path(figure, times, pressure_path(plan, times, feet))
    if avoidance is not None:
        centre = centre + avoidance.body
        feet = {side: moved_aside(times, foot, avoidance.feet[side]) for side, foot in feet.items()}
    raised = {side: with_heel_raised(figure, side, times, body, centre, foot) for side, foot in feet.items()}
    drawn = shift_to_feet(figure, times, body, centre, raised)
    if drawn.any():
        centre = centre + drawn
        raised = {side: with_heel_raised(figure, side, times, body, centre, foot) for side, foot in feet.items()}
    ground = centre
    feet = {side: with_foot_hanging(figure, side, times, body, ground, foot) for side, foot in raised.items()}
    dt = float(times[1] - times[0])
    for _ in range(_CENTRINGS):
        poses.root[:, [0, 2]] = ground
        poses.root[:, 1] = reachable_heights(figure, times, body, ground, feet)
        bend_legs(figure, poses, feet)
        feet = {side: with_hip_in_range(side, poses, foot, dt) for side, foot in feet.items()}
        # smoothed, so that the pelvis does not jolt when a foot lands
        ground = ground + smoothed(centre - figure.centre_of_mass(poses)[:, [0, 2]], _CALM, dt)
    poses.root[:, [0, 2]] = ground
    poses.root[:, 1] = reachable_heights(figure, times, body, ground, feet)
    bend_legs(figure, poses, feet)
    for side, foot in feet.items():
        limit_ankles(side, poses, foot, dt)
    return Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)


def _check_footsteps(plan: Plan) -> None:
    """Raise ArgumentError if the footsteps of one foot overlap in time."""
    for side in SIDES:
        steps = own_footsteps(plan, side)
        for step in steps:
            if step.land < step.lift:
                raise ArgumentError(f"the {side} foot lands at {step.land:g} s, before it leaves at {step.lift:g} s")
        for before, after in pairwise(steps):
            if after.lift < before.land:
                raise ArgumentError(
                    f"the {side} foot leaves at {after.lift:g} s, before it has landed at {before.land:g} s"
                )


def move_upper_body(plan: Plan, times: Array, poses: Poses) -> None:
    """Write head, trunk and arms at times (T,) into poses, in place; arms without goals hang."""
    _stand_at_ease(poses)
    for joint, goals in plan.of_joint().items():
        _check_joint(joint)
        passed = [(goal.time, np.asarray(goal.value, dtype=float), goal.passing) for goal in goals]
        if joint in HUMAN.ball_names:
            poses.ball(joint)[:] = TurnCourse.through(passed).at(times)
        else:
            poses.hinge(joint)[:] = Course.through(passed).at(times)[:, 0]


def _stand_at_ease(poses: Poses) -> None:
    for side, vector in _HANGING.items():
        poses.ball(f"{side}_shoulder")[:] = quaternion.exp(np.radians(vector))
        for name, degrees in _EASE.items():
            poses.hinge(f"{side}_{name}")[:] = np.radians(degrees)


def _check_joint(joint: str) -> None:
    if joint not in (*HUMAN.ball_names, *HUMAN.hinge_names):
        raise ArgumentError(f"a goal is for '{joint}': there is no such joint, see segue.body.human for all names")
    if joint == "root" or joint.startswith(_LEGS):
        raise ArgumentError(f"a goal is for '{joint}': footsteps and the body's goals decide where legs and root are")
