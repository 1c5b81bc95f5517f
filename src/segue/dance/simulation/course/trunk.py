"""How pelvis, torso and head are turned over a dance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.planning.model import Plan
from segue.dance.simulation.course.limbs import LimbCourse, with_rotations
from segue.dance.simulation.course.polynomial import rates_of, through
from segue.typing import Array

_TRUNK = ("pelvis", "torso", "head")


@dataclass(frozen=True, eq=False)
class TrunkCourse:
    """Pelvis, torso and head at N ticks: turns (N, 3, 4) in the world, spins (N, 3, 3) and their rates."""

    turns: Array
    spin: Array
    spin_rate: Array


def body_course(plan: Plan, times: Array) -> Array:
    """Return heading, rise and sway (N, 3) of the body."""
    goals = sorted(plan.body, key=lambda goal: goal.time)
    moments = [0.0] if not goals or goals[0].time > 0.0 else []
    rows = [(plan.begins.heading, 0.0, 0.0)] * len(moments)
    passing = [False] * len(moments)
    for goal in goals:
        if moments and goal.time <= moments[-1]:
            moments[-1], rows[-1], passing[-1] = moments[-1], (goal.heading, goal.rise, goal.sway), goal.passing
            continue
        moments.append(goal.time)
        rows.append((goal.heading, goal.rise, goal.sway))
        passing.append(goal.passing)
    return through(np.array(moments), np.array(rows, dtype=float), np.array(passing), times)


def trunk_course(
    heading: Array, twist: Array, sway: Array, limbs: LimbCourse, step: float
) -> tuple[TrunkCourse, LimbCourse]:
    """Return how the trunk is to be turned, and the joints' course with a spine that does it.

    twist: (N,) rad that the pelvis alone turns besides. sway leans the pelvis to the left. step: s between times.
    """
    none = np.zeros_like(heading)
    leaning = quaternion.exp(np.stack([none, none, -sway], axis=1))
    facing, turned = (quaternion.exp(np.stack([none, angle, none], axis=1)) for angle in (heading, heading + twist))
    back, neck = (limbs.balls[:, HUMAN.ball_names.index(joint)] for joint in ("lower_back", "neck"))
    turns = np.empty((len(heading), len(_TRUNK), 4))
    turns[:, 0] = quaternion.multiply(turned, leaning)
    turns[:, 1] = quaternion.multiply(quaternion.multiply(facing, leaning), back)
    turns[:, 2] = quaternion.multiply(turns[:, 1], neck)
    if twist.any():
        bent = quaternion.multiply(quaternion.conjugate(turns[:, 0]), turns[:, 1])
        limbs = with_rotations(limbs, "lower_back", bent, step)
    spin = np.zeros((len(heading), len(_TRUNK), 3))
    spin[:, :, 1] = rates_of(heading, step)[:, None]
    spin[:, 0, 1] += rates_of(twist, step)
    return TrunkCourse(turns, spin, rates_of(spin, step)), limbs
