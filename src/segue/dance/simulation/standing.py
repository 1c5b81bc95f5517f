"""How a dancer stands before the dance: feet on their footprints, weight between them, knees not quite straight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.planning.model import Footprint, Stance
from segue.dance.simulation.control._jacobian_kernels import Mechanics, frame_rows, point_rows
from segue.dance.simulation.control.whole_body import mechanics_of
from segue.dance.simulation.course.footing import Foot
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.model import BodyModel
from segue.dance.simulation.state import positions_of
from segue.errors import ArgumentError
from segue.typing import Array

_REACH = 0.976  # of the straight leg from hip to ankle
_ROUNDS = 60
_NEAR = 1e-4  # m and rad that feet may miss their footprints by
_EXACT = 1e-9
_DAMPING = 1e-8
_SUNK = 0.0003  # m into the floor, about as deep as it yields to a standing body
_LEGS = ("root", "hip", "knee", "ankle")


def standing(model: BodyModel, stance: Stance, joints: Mapping[str, Array]) -> Array:
    """Return the engine's positions (51,) of a body that stands as told, found by Newton's method.

    joints: values of joints that the stance does not decide, such as those of the arms: quaternions (4,) or angles
    (1,). The legs' 12 degrees of freedom and the root's 6 put both feet on their footprints, the pelvis upright and as
    high as the legs reach, and the centre of mass between the feet.
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
    bend = float(np.arccos(_REACH))
    legs = {"hip": quaternion.exp(np.array([-bend, 0.0, 0.0])), "knee_flexion": [2.0 * bend], "ankle_flexion": [bend]}
    bent = {f"{side}_{part}": np.asarray(value) for side in ("left", "right") for part, value in legs.items()}
    for name, value in {**joints, **bent}.items():
        if name in HUMAN.ball_names:
            pose.balls[0, HUMAN.ball_names.index(name)] = value
        else:
            pose.hinges[0, HUMAN.hinge_names.index(name)] = value[0]
    x, z = _middle(Foot.of(model.figure.build), stance)
    build = model.figure.build
    pose.root[0] = [x, build.sole + _REACH * (build.thigh + build.shank), z]
    return pose


def _misses(model: BodyModel, data: Any, mechanics: Mechanics, stance: Stance) -> tuple[Array, Array]:
    """Return Jacobian (18, 44) and misses (18,) of feet, pelvis and centre of mass."""
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
        leg = _REACH * (build.thigh + build.shank)
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
    """Return the point (x, z) between the middles of the soles."""
    middle: Array = 0.5 * (foot.on_floor(stance.left, foot.middle) + foot.on_floor(stance.right, foot.middle))
    return middle


def _turn_to(orientation: Array, heading: float) -> Array:
    """Return the rotation vector (3,), in the world, that turns an orientation upright and to a heading."""
    goal = quaternion.exp(np.array([0.0, heading, 0.0]))
    return quaternion.log(quaternion.multiply(goal, quaternion.conjugate(orientation)))
