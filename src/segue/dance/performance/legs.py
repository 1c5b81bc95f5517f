"""Solve the legs under a pelvis, and keep them within reach and range.

The pelvis sinks or moves, heels rise, and feet in the air lift and turn where a leg would not reach its foot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.dance.performance._leg_kernels import LegShape, solve_legs
from segue.dance.performance.courses import Course, smooth_ceiling, smooth_floor, smoothed
from segue.dance.performance.rolling import FootMotion
from segue.dance.planning.model import Plan
from segue.typing import Array

SIDES = {"left": 1.0, "right": -1.0}

LEAST_FLEXION = float(np.radians(4.0))
"""Least flexion of a knee in rad: a leg that is never quite straight does not snap."""

_STANDING_FLEXION = np.radians(13.0)
_ANGLES = ("knee_flexion", "ankle_flexion", "ankle_inversion")
_SMOOTHING = 0.14  # s to either side over which the height is smoothed
_DIP = 0.03  # m that the pelvis may sink before a heel rises
_STEEPEST = np.radians(58.0)  # most pitch of a heel that rises for reach
_PITCHES = 10
_RISING = 0.12  # s to either side over which the rise of a heel is smoothed
_LIFTING = 0.05  # s to either side over which the lift of a foot in the air is smoothed
_HIGHEST = 0.12  # m, most extra lift of a foot in the air
_DEEPEST = 0.1  # m that the pelvis sinks before the body shifts towards a distant foot
_DRAWING = 0.25  # s to either side over which the shift is smoothed
_HANGING = 0.8  # share of the leg's sideways lean that a foot in the air follows
_EASING = 0.05  # s to either side over which corrections of joint ranges are smoothed
_TURNING = 1.6  # rad of foot turn for each rad of the hip beyond its range, which may be swing instead of twist
_PELVIS_SHARE = 0.35
"""Share of the sway in the pelvis; the lower back has the rest."""


def _reach(figure: Figure, flexion: float) -> float:
    """Return the distance from hip to ankle at a knee flexion, in m."""
    build = figure.build
    return float(np.sqrt(build.thigh**2 + build.shank**2 + 2 * build.thigh * build.shank * np.cos(flexion)))


def standing_height(figure: Figure) -> float:
    """Return the root's height in m over flat feet under the hips, with slightly bent knees."""
    return figure.build.sole + _reach(figure, float(_STANDING_FLEXION))


def highest_roots(figure: Figure, side: str, ground: Array, pelvis: Array, foot: FootMotion) -> Array:
    """Return the greatest height (T,) of the root at which a leg reaches its foot with its knee bent.

    ground: (T, 2), x and z of the root. pelvis: (T, 4). Where the foot is too far away at any height, the leg is
    level.
    """
    out, rise, ankle = _from_hip(figure, side, ground, pelvis, foot)
    reach = _reach(figure, LEAST_FLEXION)
    highest: Array = ankle - rise + np.sqrt(np.maximum(reach**2 - np.sum(out**2, axis=1), 0.0))
    return highest


def beyond_reach(figure: Figure, side: str, ground: Array, pelvis: Array, foot: FootMotion, height: Array) -> Array:
    """Return the vector over the floor (T, 2), in m, by which a foot is out of reach for roots at heights (T,)."""
    out, rise, ankle = _from_hip(figure, side, ground, pelvis, foot)
    most = np.sqrt(np.maximum(_reach(figure, LEAST_FLEXION) ** 2 - (height + rise - ankle) ** 2, 0.0))
    far = np.linalg.norm(out, axis=1)
    beyond: Array = out * (np.maximum(far - most, 0.0) / np.maximum(far, 1e-9))[:, None]
    return beyond


def _from_hip(figure: Figure, side: str, ground: Array, pelvis: Array, foot: FootMotion) -> tuple[Array, Array, Array]:
    """Return the vector over the floor from hip to ankle (T, 2), the hip's height over the root, the ankle's (T,)."""
    hip = quaternion.rotate(pelvis, np.array([SIDES[side] * figure.build.half_hip, 0.0, 0.0]))
    ankle = foot.ankles(figure.build)
    return ankle[:, [0, 2]] - ground - hip[:, [0, 2]], hip[:, 1], ankle[:, 1]


def bend_legs(figure: Figure, poses: Poses, feet: Mapping[str, FootMotion]) -> float:
    """Write the legs' joints into poses, in place, for feet by side; return the least room of a leg's reach, in m."""
    for side, foot in feet.items():
        poses.hinge(f"{side}_toe_extension")[:] = foot.toe_extension
    return reach_feet(figure, poses, {side: (foot.ankles(figure.build), foot.turns) for side, foot in feet.items()})


def reach_feet(figure: Figure, poses: Poses, feet: Mapping[str, tuple[Array, Array]]) -> float:
    """Write hips, knees and ankles into poses, in place, for ankles (T, 3) and turns (T, 4) of feet by side.

    Return the least room of a leg's reach, in m.
    """
    build = figure.build
    axis = HUMAN["left_foot"].hinges[1].axis
    shape = LegShape(build.thigh, build.shank, build.half_hip, axis[1], axis[2], _reach(figure, LEAST_FLEXION))
    root, pelvis = kernel_array(poses.root), kernel_array(poses.ball("root"))
    rooms = []
    for side, (ankle, turns) in feet.items():
        hip, angles = np.empty((len(poses), 4)), np.empty((len(poses), len(_ANGLES)))
        rooms.append(solve_legs(shape, SIDES[side], root, pelvis, ankle, turns, hip, angles))
        poses.ball(f"{side}_hip")[:] = hip
        for k, name in enumerate(_ANGLES):
            poses.hinge(f"{side}_{name}")[:] = angles[:, k]
    return float(min(rooms))


@dataclass(frozen=True, eq=False)
class Carriage:
    """Targets of the whole body at T times.

    pelvis: (T, 4), its world rotation. spine: (T, 4), the rotation that sway adds to the lower back. height: (T,) of
    the root in m, without regard to the reach of the legs.
    """

    pelvis: Array
    spine: Array
    height: Array


def carriage(plan: Plan, times: Array) -> Carriage:
    """Return the body's heading, sway and rise at times (T,)."""
    begins = (0.0, (plan.begins.heading, 0.0, 0.0), False)
    goals = [(goal.time, (goal.heading, goal.sway, goal.rise), goal.passing) for goal in plan.body]
    course = Course.through([begins, *goals] if not goals or goals[0][0] > 0.0 else goals)
    heading, sway, rise = course.at(times).T
    upright = np.array([0.0, 0.0, -1.0])
    headed = quaternion.exp(heading[:, None] * np.array([0.0, 1.0, 0.0]))
    return Carriage(
        pelvis=quaternion.multiply(headed, quaternion.exp(_PELVIS_SHARE * sway[:, None] * upright)),
        spine=quaternion.exp((1.0 - _PELVIS_SHARE) * sway[:, None] * upright),
        height=standing_height(plan.figure) + rise,
    )


def reachable_heights(
    figure: Figure, times: Array, body: Carriage, ground: Array, feet: Mapping[str, FootMotion]
) -> Array:
    """Return the root's heights (T,): smooth, as planned where the legs reach, and never beyond their reach.

    ground: (T, 2), x and z of the root.
    """
    limits = [highest_roots(figure, side, ground, body.pelvis, foot) for side, foot in feet.items()]
    return smooth_floor(np.minimum(body.height, np.min(limits, axis=0)), _SMOOTHING, float(times[1] - times[0]))


def shift_to_feet(figure: Figure, times: Array, body: Carriage, ground: Array, feet: Mapping[str, FootMotion]) -> Array:
    """Return the shift of the body (T, 2), in m over the floor, towards standing feet that are out of reach.

    A dancer with feet very far apart stands between them instead of sinking over one of them.
    """
    dt = float(times[1] - times[0])
    drawn = np.zeros_like(ground)
    for side, foot in feet.items():
        far = beyond_reach(figure, side, ground, body.pelvis, foot, body.height - _DEEPEST)
        far[foot.height > 0.0] = 0.0
        if far.any():
            length = np.linalg.norm(far, axis=1)
            towards = smoothed(far / np.maximum(length, 1e-9)[:, None], _DRAWING, dt)
            towards /= np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-9)
            drawn += smooth_ceiling(length, _DRAWING, dt)[:, None] * towards
    return drawn


def with_heel_raised(
    figure: Figure, side: str, times: Array, body: Carriage, ground: Array, foot: FootMotion
) -> FootMotion:
    """Return a foot whose heel rises where the body has moved on so far that the leg would not reach.

    Only a foot behind or beside the pelvis rises, and only while it does not bear on its heel.
    """
    steep = np.linspace(0.0, _STEEPEST, _PITCHES)
    reached = np.stack(
        [
            highest_roots(figure, side, ground, body.pelvis, replace(foot, pitch=np.minimum(foot.pitch, -pitch)))
            for pitch in steep
        ]
    )
    # the smallest sampled pitch that is enough
    enough = np.maximum.accumulate(reached, axis=0) >= body.height - _DIP
    needed = np.where(enough.any(axis=0), steep[enough.argmax(axis=0)], _STEEPEST)
    front = quaternion.rotate(body.pelvis, np.array([0.0, 0.0, 1.0]))[:, [0, 2]]
    behind = np.sum((ground - foot.place) * front, axis=1) > 0.0
    rolls_freely = foot.heel_share == 0.0
    standing = behind & rolls_freely & (foot.height < 1e-4)
    wanted = np.where(standing, np.maximum(needed + np.minimum(foot.pitch, 0.0), 0.0), 0.0)
    dt = float(times[1] - times[0])
    rise = smooth_ceiling(wanted, _RISING, dt) * smooth_floor(rolls_freely.astype(float), _RISING, dt)
    return replace(foot, pitch=foot.pitch - rise)


def with_foot_hanging(
    figure: Figure, side: str, times: Array, body: Carriage, ground: Array, foot: FootMotion
) -> FootMotion:
    """Return a foot that, in the air, is lifted to where its leg reaches, and leans with the leg."""
    dt = float(times[1] - times[0])
    flying = smooth_floor((foot.height > 0.0).astype(float), _LIFTING, dt)
    missing = body.height - _DIP - highest_roots(figure, side, ground, body.pelvis, foot)
    wanted = np.where(foot.height > 0.0, np.clip(missing, 0.0, _HIGHEST), 0.0)
    lift = smooth_ceiling(wanted, _LIFTING, dt)
    out = SIDES[side] * figure.build.half_hip
    hip = np.stack([ground[:, 0], body.height, ground[:, 1]], axis=1)
    hip = hip + quaternion.rotate(body.pelvis, np.array([out, 0.0, 0.0]))
    seen = quaternion.rotate(quaternion.conjugate(foot.turns), hip - foot.ankles(figure.build))
    lean = -np.arctan2(seen[:, 0], seen[:, 1])
    return replace(foot, height=foot.height + flying * lift, roll=_HANGING * flying * lean)


def moved_aside(times: Array, foot: FootMotion, aside: Array) -> FootMotion:
    """Return a foot displaced over the floor by (T, 2), in m, while it is in the air."""
    flying = smooth_floor((foot.height > 0.0).astype(float), _LIFTING, float(times[1] - times[0]))
    return replace(foot, place=foot.place + flying[:, None] * aside)


def with_hip_in_range(side: str, poses: Poses, foot: FootMotion, dt: float) -> FootMotion:
    """Return a foot that, in the air, turns towards the pelvis's heading where its hip is beyond its range."""
    limit = HUMAN[f"{side}_thigh"].ball
    assert limit is not None, "a hip is a ball joint"
    beyond = limit.excess(poses.ball(f"{side}_hip"))
    if not beyond[foot.height > 0.0].any():
        return foot
    front = quaternion.rotate(poses.ball("root"), np.array([0.0, 0.0, 1.0]))
    away = foot.heading - np.arctan2(front[:, 0], front[:, 2])
    away -= 2 * np.pi * np.round(away / (2 * np.pi))
    turn = np.minimum(_TURNING * smooth_ceiling(beyond, _EASING, dt), np.abs(away)) * np.sign(away)
    return replace(foot, heading=foot.heading - _flying(foot, dt) * turn)


def limit_ankles(side: str, poses: Poses, foot: FootMotion, dt: float) -> None:
    """Turn a foot in the air about its ankle, in place, into the ankle's ranges."""
    flying = _flying(foot, dt)
    for hinge in HUMAN[f"{side}_foot"].hinges:
        angle = poses.hinge(hinge.name)
        above, below = np.maximum(angle - hinge.limit.high, 0.0), np.maximum(hinge.limit.low - angle, 0.0)
        angle[:] -= flying * (smooth_ceiling(above, _EASING, dt) - smooth_ceiling(below, _EASING, dt))


def _flying(foot: FootMotion, dt: float) -> Array:
    """Return 1 where a foot is in the air and 0 on the floor, (T,), with smooth changes in the air."""
    return smooth_floor((foot.height > 0.0).astype(float), _EASING, dt)
