"""Compute weight and balance: the weight on each foot, the centre of pressure, and the path of the centre of mass.

The centre of mass c of a linear inverted pendulum over the centre of pressure p obeys c'' = w^2 (c - p), w^2 = g/h
[Kajita2001]. With p known over time, and the body at rest over p at both ends, c is the solution of one tridiagonal
system. The centre of mass then moves towards a foot before the weight does, as in real gait.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import solve_banded

from segue.body.figure import Figure
from segue.dance.performance.courses import Course, smooth_share
from segue.dance.performance.legs import SIDES
from segue.dance.performance.rolling import FootMotion
from segue.dance.planning.model import Footstep, Plan
from segue.dynamics import GRAVITY
from segue.typing import Array

_CENTRE_HEIGHT = 0.55  # of stature
_PUSH_BEFORE = 0.15  # s from the start of the push to the lift of the other foot
_PUSH_SHARE = 0.45  # of the flight, after which the push fades
_FAR = 0.45  # m: longer steps get the full push
_CLOSED = 0.06  # of stature: distance of closed feet
_ROOM_BACK, _ROOM_AHEAD, _ROOM_ASIDE = 0.4, 0.6, 0.013  # of heel, of foot before the ankle, of stature
_ON_TOES = np.radians(10.0)
_ON = {"left": 0.0, "right": 1.0, "both": 0.5}


def weight_course(plan: Plan) -> Course:
    """Return the share of the weight on the right foot over time.

    The body's goals give it while both feet are on the floor. A foot in the air bears no weight.
    """
    flights = [(step.lift, step.land, step.foot) for step in plan.footsteps if step.land > step.lift]
    keys = {0.0: _ON[plan.begins.weight]}
    for goal in plan.body:
        if not any(lift < goal.time < land for lift, land, _ in flights):
            keys[goal.time] = float(np.clip(goal.weight, 0.0, 1.0))
    for lift, land, foot in flights:
        keys[lift] = keys[land] = 1.0 if foot == "left" else 0.0
    keys.setdefault(plan.stop, _ON[plan.ends.weight])
    return Course.through((time, (weight,), False) for time, weight in keys.items())


def pressure_path(plan: Plan, times: Array, feet: Mapping[str, FootMotion]) -> Array:
    """Return the centre of pressure at times, (T, 2) x and z in m."""
    right = weight_course(plan).at(times)
    build = plan.figure.build
    way: Array = (1.0 - right) * feet["left"].bearings(build) + right * feet["right"].bearings(build)
    for step in plan.footsteps:
        if step.land > step.lift and step.weight:
            first, last = np.searchsorted(times, [step.lift - _PUSH_BEFORE, step.land])
            way[first:last] += _push(
                plan, times[first:last], step, feet["right" if step.foot == "left" else "left"], first
            )
    return way


def _push(plan: Plan, times: Array, step: Footstep, standing: FootMotion, first: int) -> Array:
    """Return the shift (T, 2) of the pressure under the standing foot that starts the body towards a step.

    The pressure moves to the side of the sole away from the step, and returns before the other foot lands. first: the
    frame of the first time.
    """
    build = plan.figure.build
    span = step.land - step.lift
    early, middle = step.lift - _PUSH_BEFORE, step.lift + _PUSH_SHARE * span
    share = smooth_share(times, early, step.lift + 0.1 * span) - smooth_share(times, middle, step.land)
    k = first + min(int(np.searchsorted(times, middle)), len(times) - 1)
    ahead = np.array([np.sin(standing.heading[k]), np.cos(standing.heading[k])])
    left = np.array([ahead[1], -ahead[0]])
    goes = np.array([step.end.x, step.end.z]) - standing.place[k]
    far = min(1.0, float(np.linalg.norm(goes)) / _FAR)
    forward, aside = goes @ ahead, goes @ left - SIDES[step.foot] * _CLOSED * plan.figure.stature
    room = _ROOM_BACK * build.heel + _ROOM_AHEAD * build.toe[2] * (forward < 0)
    reach = np.array([room, _ROOM_ASIDE * plan.figure.stature])
    away = np.array([forward, aside]) / max(float(np.hypot(forward, aside)), 1e-9)
    # a foot on its toes cannot push with the heel
    flat = np.clip(1.0 + standing.pitch[first : first + len(times)] / _ON_TOES, 0.0, 1.0)
    moved: Array = -(far * share * flat)[:, None] * (away * reach) @ np.stack([ahead, left])
    return moved


def balanced_path(figure: Figure, times: Array, pressure: Array) -> Array:
    """Return the path of the centre of mass over the floor, (T, 2), for centres of pressure (T, 2) at equal steps."""
    step = float(times[1] - times[0])
    stiff = step**2 * abs(GRAVITY[1]) / (_CENTRE_HEIGHT * figure.stature)
    count = len(times)
    bands = np.zeros((3, count))
    bands[0, 2:], bands[1, 1:-1], bands[2, :-2] = 1.0, -(2.0 + stiff), 1.0
    bands[1, [0, -1]] = 1.0
    right = -stiff * pressure
    right[[0, -1]] = pressure[[0, -1]]
    return np.asarray(solve_banded((1, 1), bands, right), dtype=float)
