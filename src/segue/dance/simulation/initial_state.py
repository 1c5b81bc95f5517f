"""The state of a dancer before the dance: feasible steps, a standing pose, and the course to follow.

Steps are refused only if no controller could do them. The simulation shows how well the others are danced.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.planning.model import Footprint, Footstep, Plan, Stance
from segue.dance.simulation.control._sense_kernels import Mechanics, frame_rows, point_rows
from segue.dance.simulation.control.whole_body import mechanics_of
from segue.dance.simulation.course.course import Course
from segue.dance.simulation.course.limbs import initial_joints
from segue.dance.simulation.course.stands import Foot
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.model import BodyModel, joint_strengths
from segue.errors import ArgumentError
from segue.motion.engine_coordinates import positions_of
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


_STANDING_REACH = 0.976  # of the straight leg from hip to ankle
_ROUNDS = 60
_NEAR = 1e-4  # m and rad, residual that is accepted
_EXACT = 1e-9
_DAMPING = 1e-8
_SUNK = 0.0003  # m into the floor, about as deep as a standing body sinks
_LEGS = ("root", "hip", "knee", "ankle")


def standing(model: BodyModel, stance: Stance, joints: Mapping[str, Array]) -> Array:
    """Return the engine's positions (51,) of a standing body, found by Gauss-Newton iterations.

    joints: values of joints that the stance does not decide, such as those of the arms: quaternions (4,) or angles
    (1,). The 12 degrees of freedom of the legs and the 6 of the root put both feet on their footprints, the pelvis
    upright and as high as the legs reach, and the centre of mass between the feet.
    """
    engine, engine_model = mujoco(), model.engine_model
    data = engine.MjData(engine_model)
    data.qpos[:] = positions_of(_first_guess(model, stance, joints))[0]
    mechanics = mechanics_of(engine_model, data)
    free = np.zeros(engine_model.nv, bool)
    free[:3] = True
    for joint, span in zip(HUMAN.joints, HUMAN.joint_dofs, strict=True):
        free[span] = joint.name.removeprefix("left_").removeprefix("right_") in _LEGS
    miss = np.full(1, np.inf)
    for _ in range(_ROUNDS):
        engine.mj_kinematics(engine_model, data)
        engine.mj_comPos(engine_model, data)
        rows, miss = _misses(model, data, mechanics, stance)
        if np.abs(miss).max() < _EXACT:
            break
        chosen = rows[:, free]
        change = np.zeros(engine_model.nv)
        change[free] = np.linalg.solve(chosen.T @ chosen + _DAMPING * np.eye(chosen.shape[1]), chosen.T @ miss)
        engine.mj_integratePos(engine_model, data.qpos, change, 1.0)
    if not np.abs(miss).max() < _NEAR:
        raise ArgumentError(
            "the figure cannot stand as the plan begins: a foot is out of the leg's reach or turned too far, "
            "begin with feet closer together"
        )
    return np.array(data.qpos)


def _first_guess(model: BodyModel, stance: Stance, joints: Mapping[str, Array]) -> Poses:
    """Return a pose with knees bent above the middle of the footprints."""
    pose = Poses.zero(1)
    pose.balls[0, 0] = quaternion.exp(np.array([0.0, stance.heading, 0.0]))
    bend = float(np.arccos(_STANDING_REACH))
    legs = {"hip": quaternion.exp(np.array([-bend, 0.0, 0.0])), "knee_flexion": [2.0 * bend], "ankle_flexion": [bend]}
    bent = {f"{side}_{part}": np.asarray(value) for side in ("left", "right") for part, value in legs.items()}
    for name, value in {**joints, **bent}.items():
        if name in HUMAN.ball_names:
            pose.balls[0, HUMAN.ball_names.index(name)] = value
        else:
            pose.hinges[0, HUMAN.hinge_names.index(name)] = value[0]
    x, z = _middle(Foot.of(model.figure.build), stance)
    build = model.figure.build
    pose.root[0] = [x, build.sole + _STANDING_REACH * (build.thigh + build.shank), z]
    return pose


def _misses(model: BodyModel, data: Any, mechanics: Mechanics, stance: Stance) -> tuple[Array, Array]:
    """Return Jacobian (18, 44) and residuals (18,) of feet, pelvis and centre of mass."""
    build, foot = model.figure.build, Foot.of(model.figure.build)
    across = build.half_hip * np.array([np.cos(stance.heading), -np.sin(stance.heading)])
    rows = np.zeros((18, model.engine_model.nv))
    miss, drift, heights = np.zeros(18), np.zeros(3), []
    feet: tuple[tuple[str, float, Footprint], ...] = (("left", 1.0, stance.left), ("right", -1.0, stance.right))
    for k, (side, sign, each) in enumerate(feet):
        body, first = 1 + HUMAN.segments.index(f"{side}_foot"), 6 * k
        point_rows(mechanics, body, data.xpos[body], rows[first : first + 3], drift)
        frame_rows(mechanics, body, rows[first + 3 : first + 6], drift)
        miss[first : first + 3] = np.array([each.x, foot.sole - _SUNK, each.z]) - data.xpos[body]
        miss[first + 3 : first + 6] = _turn_to(data.xquat[body], each.heading)
        away = data.qpos[[0, 2]] + sign * across - np.array([each.x, each.z])
        leg = _STANDING_REACH * (build.thigh + build.shank)
        heights.append(foot.sole + np.sqrt(max(leg**2 - away @ away, 0.1 * leg**2)))
    frame_rows(mechanics, 1, rows[12:15], drift)
    miss[12:15] = _turn_to(data.xquat[1], stance.heading)
    rows[15, 1] = 1.0
    miss[15] = min(heights) - data.qpos[1]
    centre = np.empty((3, model.engine_model.nv))
    mujoco().mj_jacSubtreeCom(model.engine_model, data, centre, 1)
    rows[16:] = centre[[0, 2]]
    miss[16:] = _middle(foot, stance) - data.subtree_com[1][[0, 2]]
    return rows, miss


def _middle(foot: Foot, stance: Stance) -> Array:
    """Return the point (x, z) midway between the middles of both soles."""
    middle: Array = 0.5 * (foot.on_floor(stance.left, foot.middle) + foot.on_floor(stance.right, foot.middle))
    return middle


def _turn_to(orientation: Array, heading: float) -> Array:
    """Return the rotation vector (3,), in the world, that turns an orientation upright and to a heading."""
    goal = quaternion.exp(np.array([0.0, heading, 0.0]))
    return quaternion.log(quaternion.multiply(goal, quaternion.conjugate(orientation)))


_STATURES, _MASSES = (0.5, 3.0), (5.0, 500.0)  # m, kg: outside of them the engine's time step does not fit the inertias


@dataclass(frozen=True, eq=False)
class InitialState:
    """A dancer at time 0: body model, course, and positions (51,) of the engine."""

    model: BodyModel
    positions: Array
    course: Course

    @classmethod
    def of(cls, plan: Plan, environment: Environment) -> InitialState:
        """Return the initial state of a plan, in a standing pose and with its course."""
        _check_size(plan.figure)
        check_steps(plan)
        engine, model = mujoco(), BodyModel(plan.figure, environment)
        data = engine.MjData(model.engine_model)
        data.qpos[:] = standing(model, plan.begins, initial_joints(plan))
        engine.mj_forward(model.engine_model, data)
        return cls(model, data.qpos.copy(), Course.of(plan, model, data))


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
