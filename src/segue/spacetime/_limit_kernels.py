"""Joint limits as costs on control points: a spline stays within the hull of its control points, and so within limits.

A hinge's control points have an interval; those of a ball joint, three angles each, are taken as an orientation, whose
swing must stay in an elliptic cone and whose twist in an interval. An orientation also costs what it turns beyond a
margin from the nearest of some that are known to be usual.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.spacetime._problem import Balls, Problem
from segue.typing import Array


@compiled(seconds=2, fast_math=True)
def limit_energy(problem: Problem, part: int, y: Array, gradient: Array) -> float:
    """Return what a part's control points beyond the limits cost, and add its gradient (F, m)."""
    if problem.stiff == 0.0:
        return 0.0
    value = 0.0
    modes, balls = y.shape[1], problem.balls
    first, last = problem.group[part], problem.group[part + 1]
    point, slope = np.empty(3), np.empty(3)
    for f in range(first, last):
        if problem.low[f] == -np.inf and problem.high[f] == np.inf:
            continue
        for k in range(modes):
            at = _control(problem, y, f, k)
            over = max(at - problem.high[f], 0.0) - max(problem.low[f] - at, 0.0)
            if over != 0.0:
                value += problem.stiff * over * over
                for a in range(modes):
                    gradient[f, a] += 2.0 * problem.stiff * over * problem.to_control[k, a]
    for b in range(len(balls.first)):
        if balls.first[b] < first or balls.first[b] >= last:
            continue
        for k in range(modes):
            turned = 0.0
            for axis in range(3):
                f = balls.first[b] + axis
                point[axis] = _control(problem, y, f, k)
                turned += abs(point[axis] - problem.control[f, k])
            if turned < balls.room[b, k]:
                continue
            cost = _ball_cost(balls, b, point, slope, True)
            if cost > 0.0:
                value += problem.stiff * cost
                for axis in range(3):
                    for a in range(modes):
                        by = problem.stiff * slope[axis] * problem.to_control[k, a]
                        gradient[balls.first[b] + axis, a] += by
    return value


@compiled(seconds=1, fast_math=True)
def limit_hessian(problem: Problem, part: int, y: Array, diagonal: Array) -> None:
    """Add the Gauss-Newton curvature of what limits cost a part to a diagonal (F, m)."""
    if problem.stiff == 0.0:
        return
    modes, balls = y.shape[1], problem.balls
    first, last = problem.group[part], problem.group[part + 1]
    point, slope = np.empty(3), np.empty(3)
    for f in range(first, last):
        for k in range(modes):
            at = _control(problem, y, f, k)
            if at > problem.high[f] or at < problem.low[f]:
                for a in range(modes):
                    diagonal[f, a] += 2.0 * problem.stiff * problem.to_control[k, a] ** 2
    for b in range(len(balls.first)):
        if balls.first[b] < first or balls.first[b] >= last:
            continue
        for k in range(modes):
            for axis in range(3):
                point[axis] = _control(problem, y, balls.first[b] + axis, k)
            cost = _ball_cost(balls, b, point, slope, True)
            if cost > 0.0:
                for axis in range(3):
                    for a in range(modes):
                        bend = 0.5 * problem.stiff * slope[axis] ** 2 / cost * problem.to_control[k, a] ** 2
                        diagonal[balls.first[b] + axis, a] += bend


@compiled(seconds=1, inline=True)
def _control(problem: Problem, y: Array, f: int, k: int) -> float:
    at = problem.control[f, k]
    for a in range(y.shape[1]):
        at += problem.to_control[k, a] * y[f, a]
    value: float = at
    return value


@compiled(seconds=1)
def ball_slack(balls: Balls, angles: Array) -> None:
    """Widen the limits of ball joints to take in angles (B, 3) that are outside them."""
    turned, across, out = np.empty((3, 3)), np.empty(3), np.empty(3)
    for b in range(len(balls.first)):
        q = _turn(balls, b, angles[b], turned)
        twist, _, _, _ = _swing(balls, b, q, out, across)
        reach, _ = _reach(balls, b, across)
        balls.slack[b, 0] = max(balls.slack[b, 0], reach - 1.0)
        balls.slack[b, 1] = max(balls.slack[b, 1], balls.twist[b, 0] - twist)
        balls.slack[b, 2] = max(balls.slack[b, 2], twist - balls.twist[b, 1])


@compiled(seconds=1)
def balls_outside(problem: Problem, y: Array, outside: Array) -> None:
    """Write by how much, in rad^2, control points (B, m) of ball joints exceed their limits."""
    balls, point, slope = problem.balls, np.empty(3), np.empty(3)
    for b in range(len(balls.first)):
        for k in range(y.shape[1]):
            for axis in range(3):
                point[axis] = _control(problem, y, balls.first[b] + axis, k)
            outside[b, k] = _ball_cost(balls, b, point, slope, False)


@compiled(seconds=1)
def write_room(problem: Problem) -> None:
    """Write by how much each control point of a ball joint may turn from where it begins before it reaches a limit.

    A turn changes the swing by no more than itself, and the twist by no more than sqrt(2 / (1 + cos swing)) times that.
    """
    balls = problem.balls
    turned, swing, out, angles = np.empty((3, 3)), np.empty(3), np.empty(3), np.empty(3)
    for b in range(len(balls.first)):
        for k in range(balls.room.shape[1]):
            for axis in range(3):
                angles[axis] = problem.control[balls.first[b] + axis, k]
            q = _turn(balls, b, angles, turned)
            twist, cosine, _, _ = _swing(balls, b, q, out, swing)
            reach, least = _reach(balls, b, swing)
            room = (1.0 - reach) * least if least < np.inf else np.pi
            room = min(room, 0.5)
            # the swing grows by at most the room that is left to it
            steep = np.sqrt(2.0 / max(1.0 + np.cos(min(np.arccos(cosine) + room, 3.0)), 1e-3))
            aside = min(balls.twist[b, 1] - twist, twist - balls.twist[b, 0])
            room = min(room, aside / steep)
            if balls.usual.shape[1] > 0:
                room = min(room, balls.margin - _nearest(balls, b, q)[0])
            balls.room[b, k] = max(room, 0.0)


@compiled(seconds=1)
def _turn(balls: Balls, b: int, angles: Array, turned: Array) -> Array:
    """Return the orientation of three angles against the limit's centre; write the axes they turn about (3, 3)."""
    q: Array = balls.before[b].copy()
    axis = np.zeros(3)
    for k in range(3):
        j = (balls.leading[b] + k) % 3
        axis[:] = 0.0
        axis[j] = 1.0
        _rotate(q, axis, turned[k])
        c, s = np.cos(0.5 * angles[k]), np.sin(0.5 * angles[k])
        # times a turn about axis j: the part along j mixes with w, the two others with each other
        u, v = 1 + (j + 1) % 3, 1 + (j + 2) % 3
        w, along, one, two = q[0], q[1 + j], q[u], q[v]
        q[0], q[1 + j] = w * c - along * s, along * c + w * s
        q[u], q[v] = one * c + two * s, two * c - one * s
    return q


@compiled(seconds=1)
def _swing(balls: Balls, b: int, q: Array, out: Array, across: Array) -> tuple[float, float, float, float]:
    """Return the twist, the cosine of the swing, and angle / sine with its derivative by the cosine.

    Writes where the bone points, and its cross product with where it pointed at rest.
    """
    bone = balls.axis[b]
    _rotate(q, bone, out)
    for k in range(3):
        u, v = (k + 1) % 3, (k + 2) % 3
        across[k] = bone[u] * out[v] - bone[v] * out[u]
    cosine = bone[0] * out[0] + bone[1] * out[1] + bone[2] * out[2]
    sine = np.sqrt(across[0] ** 2 + across[1] ** 2 + across[2] ** 2)
    angle = np.arctan2(sine, cosine)
    # near rest from the series
    ratio, bend = 1.0 + angle * angle / 6.0, -1.0 / 3.0
    if sine > 1e-3:
        ratio = angle / sine
        bend = (angle * cosine - sine) / sine**3
    half = np.arctan2(q[1] * bone[0] + q[2] * bone[1] + q[3] * bone[2], q[0])
    twist: float = 2.0 * (half - np.pi * np.round(half / np.pi))
    for k in range(3):
        across[k] *= ratio
    return twist, cosine, ratio, bend


@compiled(seconds=1)
def _reach(balls: Balls, b: int, swing: Array) -> tuple[float, float]:
    """Return the swing as a fraction of the cone, and the cone's least half-angle."""
    reach, least = 0.0, np.inf
    for k in range(3):
        limit = balls.swing[b, k]
        if limit < np.inf and abs(balls.axis[b, k]) < 0.5:
            reach += (swing[k] / limit) ** 2
            least = min(least, limit)
    return np.sqrt(reach), least


@compiled(seconds=1)
def _nearest(balls: Balls, b: int, q: Array) -> tuple[float, int]:
    """Return how far, in rad, an orientation is from the nearest of those that are usual, and which one that is."""
    best, which = -1.0, 0
    for r in range(balls.usual.shape[1]):
        p = balls.usual[b, r]
        dot = abs(q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3])
        if dot > best:
            best, which = dot, r
    return 2.0 * np.arccos(min(best, 1.0)), which


@compiled(seconds=1)
def _stray(balls: Balls, b: int, q: Array, by_turn: Array) -> float:
    """Return the squared turn beyond the margin from the nearest usual orientation; add its derivative by a turn."""
    angle, which = _nearest(balls, b, q)
    over = angle - balls.margin
    if over <= 0.0:
        return 0.0
    p = balls.usual[b, which]
    # the axis of the turn from the usual orientation to this one, in the frame of both
    x = -q[0] * p[1] + q[1] * p[0] - q[2] * p[3] + q[3] * p[2]
    y = -q[0] * p[2] + q[2] * p[0] - q[3] * p[1] + q[1] * p[3]
    z = -q[0] * p[3] + q[3] * p[0] - q[1] * p[2] + q[2] * p[1]
    scale = 2.0 * over / np.sqrt(x * x + y * y + z * z)
    if q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3] < 0.0:
        scale = -scale
    by_turn[0] += scale * x
    by_turn[1] += scale * y
    by_turn[2] += scale * z
    square: float = over * over
    return square


@compiled(seconds=1, fast_math=True)
def _ball_cost(balls: Balls, b: int, angles: Array, slope: Array, usual: bool) -> float:
    """Return the squared excess of swing and twist of three angles, in rad^2, and write its derivatives by them.

    usual: whether what is not usual counts as well.
    With a the bone at rest and b where it points, the swing is the rotation vector about a x b that takes a to b. A
    small turn d changes a x b by d (a.b) - b (a.d), and the twist by d.(a + b) / (1 + a.b).
    """
    turned, out, swing = np.empty((3, 3)), np.empty(3), np.empty(3)
    bone = balls.axis[b]
    q = _turn(balls, b, angles, turned)
    twist, cosine, ratio, bend = _swing(balls, b, q, out, swing)
    reach, least = _reach(balls, b, swing)
    cost, by_turn, pull = 0.0, np.zeros(3), np.zeros(3)
    over = reach - 1.0 - balls.slack[b, 0]
    if over > 0.0 and least < np.inf:
        cost += (least * over) ** 2
        along, with_swing = 0.0, 0.0
        for k in range(3):
            limit = balls.swing[b, k]
            if limit < np.inf and abs(bone[k]) < 0.5:
                pull[k] = swing[k] / (limit**2 * reach)
            along += pull[k] * out[k]
            with_swing += pull[k] * swing[k] / ratio
        for k in range(3):
            by_reach = ratio * (cosine * pull[k] - along * bone[k]) - bend * with_swing * swing[k] / ratio
            by_turn[k] += 2.0 * least**2 * over * by_reach
    over = max(twist - balls.twist[b, 1] - balls.slack[b, 2], 0.0)
    over -= max(balls.twist[b, 0] - balls.slack[b, 1] - twist, 0.0)
    if over != 0.0 and 1.0 + cosine > 1e-6:
        cost += over * over
        for k in range(3):
            by_turn[k] += 2.0 * over * (bone[k] + out[k]) / (1.0 + cosine)
    if usual and balls.usual.shape[1] > 0:
        cost += _stray(balls, b, q, by_turn)
    for k in range(3):
        slope[k] = turned[k, 0] * by_turn[0] + turned[k, 1] * by_turn[1] + turned[k, 2] * by_turn[2]
    return cost


@compiled(seconds=1, inline=True)
def _rotate(q: Array, v: Array, out: Array) -> None:
    a = q[2] * v[2] - q[3] * v[1]
    b = q[3] * v[0] - q[1] * v[2]
    c = q[1] * v[1] - q[2] * v[0]
    out[0] = v[0] + 2 * (q[0] * a + q[2] * c - q[3] * b)
    out[1] = v[1] + 2 * (q[0] * b + q[3] * a - q[1] * c)
    out[2] = v[2] + 2 * (q[0] * c + q[1] * b - q[2] * a)
