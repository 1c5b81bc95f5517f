"""Weight over the feet: which foot bears it, where it presses on the floor, and how the body's centre then goes.

The centre of mass c of a body that neither spins nor leaps over a pressure point p obeys c'' = w^2 (c - p), w^2 = g/h
[Kajita2001]. With p given throughout, and the body at rest over it at both ends, c is the solution of one tridiagonal
system: a way that a real body can go, which leads from foot to foot before the weight does.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import solve_banded

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance.courses import Course, smooth_share
from segue.dance.performance.legs import SIDES
from segue.dance.performance.rolling import FootMotion
from segue.dance.planning.model import Footstep, Plan
from segue.dynamics import GRAVITY
from segue.typing import Array

_CENTRE_HEIGHT = 0.55  # of stature
_PUSH_BEFORE = 0.15  # s before a foot leaves from when the other pushes
_PUSH_SHARE = 0.45  # of its time in the air until when it does
_FAR = 0.45  # m of a step from which the push is a full one
_CLOSED = 0.06  # of stature: to the side of the other foot, where closed feet stand
_ROOM_BACK, _ROOM_AHEAD, _ROOM_ASIDE = 0.4, 0.6, 0.013  # of heel, of foot before the ankle, of stature
_ON_TOES = np.radians(10.0)
_ON = {"left": 0.0, "right": 1.0, "both": 0.5}


def weight_course(plan: Plan) -> Course:
    """Return the share of the weight on the right foot over time.

    The body's goals say it while both feet are on the floor; a foot in the air bears nothing.
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


def pressure_way(plan: Plan, times: Array, feet: Mapping[str, FootMotion]) -> Array:
    """Return where the weight presses on the floor at times, (T, 2) x and z in m."""
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
    """Return how far the pressure under a standing foot is moved at times from a frame on, so that the body falls.

    It goes to the side of the sole from which the step leads away, and comes back before the other foot lands: so the
    body is under way by then, as a dancer's is.
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
    # who stands on the toes has no heel to push from
    flat = np.clip(1.0 + standing.pitch[first : first + len(times)] / _ON_TOES, 0.0, 1.0)
    moved: Array = -(far * share * flat)[:, None] * (away * reach) @ np.stack([ahead, left])
    return moved


def balanced_way(figure: Figure, times: Array, pressure: Array) -> Array:
    """Return the way of the centre of mass over the floor, (T, 2), for pressure points (T, 2) at equal time steps."""
    step = float(times[1] - times[0])
    stiff = step**2 * abs(GRAVITY[1]) / (_CENTRE_HEIGHT * figure.stature)
    count = len(times)
    bands = np.zeros((3, count))
    bands[0, 2:], bands[1, 1:-1], bands[2, :-2] = 1.0, -(2.0 + stiff), 1.0
    bands[1, [0, -1]] = 1.0
    right = -stiff * pressure
    right[[0, -1]] = pressure[[0, -1]]
    return np.asarray(solve_banded((1, 1), bands, right), dtype=float)


def centre_of_mass(figure: Figure, poses: Poses) -> Array:
    """Return the centre of mass in the world, (T, 3)."""
    positions, rotations = figure.forward(poses)
    inertias = [figure.inertias[segment] for segment in HUMAN.segments]
    masses = np.array([inertia.mass for inertia in inertias])
    places = np.broadcast_to(np.stack([inertia.centre for inertia in inertias]), positions.shape)
    centres = positions + quaternion.rotate(rotations, places)
    centre: Array = np.einsum("s,tsi->ti", masses / masses.sum(), centres)
    return centre
