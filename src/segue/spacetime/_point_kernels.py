"""Points of the body on their way: where they are and how fast, what that costs, and what it means for the joints.

Frames and velocities are computed here and not by `segue.body.forward_kernels`, because one pass handles eight samples
of any tree as vector lanes, for the joints of one part that carry points.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.dynamics._forward import load3, store3
from segue.dynamics._kinematics_kernels import cross, frame_rows
from segue.dynamics._lanes import LANES, Pointer, doubles_at, load, number, splat, store
from segue.dynamics._memory import Memory, memory_of
from segue.dynamics._program import FLAGS, LINKS, PARENT, SLIDER
from segue.motion._ground_kernels import ASIDE, Surface, ground_height, height_beside
from segue.spacetime._path_kernels import write_path
from segue.spacetime._problem import FRAME, Points, Problem
from segue.typing import Array

_SLOW = 0.3  # m/s below which a point may rest

_Z, _ORIGIN, _RATE, _SPEED = (LANES * k for k in (6, 9, 12, 15))


@compiled(seconds=1, fast_math=True)
def point_energy(problem: Problem, memory: Memory, part: int) -> float:
    """Return what the motion of a part's points costs; leave its derivatives by joint values and rates in `by`."""
    points, n = problem.points, memory.joints
    start, stop = problem.branch[part, 0], problem.branch[part, 1]
    blocks = problem.sample_weights.shape[1] // LANES
    write_points(problem, memory, part)
    value = 0.0
    by = doubles_at(points.joint_grad.ctypes.data)
    for block in range(2 * blocks):
        for i in range(start, stop):
            store(by, (block * n + i) * LANES, splat(0.0))
    for p in range(len(points.body)):
        if start <= points.body[p] < stop:
            value += _cost(points, p)
            for block in range(blocks):
                _backprop_point(problem, memory, by, block, p)
    return value


@compiled(seconds=1)
def write_points(problem: Problem, memory: Memory, part: int) -> None:
    """Write positions and velocities of a part's points, and the frames and motions of the joints that carry them."""
    points, samples = problem.points, problem.sample_weights.shape[1]
    start, stop = problem.branch[part, 0], problem.branch[part, 1]
    frames, moving = doubles_at(points.frames.ctypes.data), doubles_at(points.moving.ctypes.data)
    write_frames(problem, memory, start, stop)
    for block in range(samples // LANES):
        for p in range(len(points.body)):
            if points.body[p] < start or points.body[p] >= stop:
                continue
            here = (block * memory.joints + points.body[p]) * FRAME * LANES
            x0, x1, x2 = load3(frames, here)
            y0, y1, y2 = load3(frames, here + 3 * LANES)
            z0, z1, z2 = load3(frames, here + _Z)
            o0, o1, o2 = load3(frames, here + _ORIGIN)
            w0, w1, w2 = load3(frames, here + _RATE)
            v0, v1, v2 = load3(frames, here + _SPEED)
            a, b, c = points.place[p, 0], points.place[p, 1], points.place[p, 2]
            r0, r1, r2 = a * x0 + b * y0 + c * z0, a * x1 + b * y1 + c * z1, a * x2 + b * y2 + c * z2
            c0, c1, c2 = cross(w0, w1, w2, r0, r1, r2)
            at = p * 6 * samples + block * LANES
            store(moving, at, o0 + r0)
            store(moving, at + samples, o1 + r1)
            store(moving, at + 2 * samples, o2 + r2)
            store(moving, at + 3 * samples, v0 + c0)
            store(moving, at + 4 * samples, v1 + c1)
            store(moving, at + 5 * samples, v2 + c2)


@compiled(seconds=1)
def write_frames(problem: Problem, memory: Memory, start: int, stop: int) -> None:
    """Write the frames and motions of those joints from start to stop that carry points."""
    points = problem.points
    frames = doubles_at(points.frames.ctypes.data)
    for block in range(problem.sample_weights.shape[1] // LANES):
        for k in range(len(points.needed)):
            if start <= points.needed[k] < stop:
                _frame_step(memory, frames, block, points.needed[k])


@compiled(seconds=1, inline=True)
def _frame_step(memory: Memory, frames: Pointer, block: int, i: int) -> None:
    """Write the frame of joint i, its angular velocity and the velocity of its origin, in the world's axes."""
    n = memory.joints
    here = (block * n + i) * FRAME * LANES
    parent, flags = number(memory.links, i * LINKS + PARENT), number(memory.links, i * LINKS + FLAGS)
    there = (block * n + parent) * FRAME * LANES
    frame_rows(memory, frames, i, (block * n + i) * LANES, here, there)
    qd = load(memory.qd, (block * n + i) * LANES)
    z0, z1, z2 = load3(frames, here + _Z)
    if parent >= 0:
        w0, w1, w2 = load3(frames, there + _RATE)
        v0, v1, v2 = load3(frames, there + _SPEED)
        o0, o1, o2 = load3(frames, here + _ORIGIN)
        p0, p1, p2 = load3(frames, there + _ORIGIN)
        c0, c1, c2 = cross(w0, w1, w2, o0 - p0, o1 - p1, o2 - p2)
        v0, v1, v2 = v0 + c0, v1 + c1, v2 + c2
    else:
        w0 = w1 = w2 = v0 = v1 = v2 = splat(0.0)
    if flags & SLIDER:
        v0, v1, v2 = v0 + qd * z0, v1 + qd * z1, v2 + qd * z2
    else:
        w0, w1, w2 = w0 + qd * z0, w1 + qd * z1, w2 + qd * z2
    store3(frames, here + _RATE, w0, w1, w2)
    store3(frames, here + _SPEED, v0, v1, v2)


@compiled(seconds=1)
def trace_points(problem: Problem, y: Array) -> None:
    """Write positions and velocities of all points along the path of some unknowns into `points.moving`."""
    memory = memory_of(problem.dynamics)
    for part in range(len(problem.branch)):
        write_path(problem, memory, part, y)
        write_points(problem, memory, part)


@compiled(seconds=1, inline=True)
def robust_size(points: Points, p: int, t: int) -> float:
    """Return 1 + (v / scale)^2 of a point's speed: how far it is from the slow ones that are drawn to rest."""
    square = points.moving[p, 3, t] ** 2 + points.moving[p, 4, t] ** 2 + points.moving[p, 5, t] ** 2
    size: float = 1.0 + square / points.speed**2
    return size


@compiled(seconds=2)
def freeze_ground(problem: Problem, surface: Surface, y: Array) -> float:
    """Write how high the ground is under each point along a path; return by how much that changes at most, in m.

    Points that may go below the ground have no height of rest, and get none.
    """
    points = problem.points
    trace_points(problem, y)
    most = 0.0
    for p in range(points.rest.shape[0]):
        for t in range(points.rest.shape[1]):
            if points.rest[p, t] > -np.inf:
                x, y, z = points.moving[p, 0, t], points.moving[p, 1, t], points.moving[p, 2, t]
                if np.hypot(points.moving[p, 3, t], points.moving[p, 5, t]) < _SLOW:
                    height = height_beside(surface, x, y, z, ASIDE)
                else:
                    height = ground_height(surface, x, z)
                most = max(most, abs(height - points.rest[p, t]))
                points.rest[p, t] = height
    return most


@compiled(seconds=1)
def freeze_heights(problem: Problem, y: Array) -> None:
    """Write how near the ground each point is along a path, from 1 at its height of rest to 0 far above.

    Slow points count by it. It is kept as it was for a whole descent: its own derivative would reward lifting the feet.
    """
    points = problem.points
    trace_points(problem, y)
    for p in range(points.proximity.shape[0]):
        for t in range(points.proximity.shape[1]):
            above = points.moving[p, 1, t] - points.rest[p, t]
            points.proximity[p, t] = np.exp(-max(above, 0.0) / points.height)


@compiled(seconds=1, fast_math=True)
def _cost(points: Points, p: int) -> float:
    """Return the sum of all costs of a point, and write their derivatives by its positions and velocities.

    The cost of speed is that of [Geman1987], v^2 / (1 + (v / scale)^2): a slow point is drawn to rest, a fast one is
    left alone. It fades with height above the ground. A small part of it fades within a few centimetres, and this part
    feels the height, so that a foot which moves is lifted off the ground. Depth below the ground costs too.
    """
    value = 0.0
    for t in range(points.speed_weight.shape[1]):
        for k in range(6):
            points.point_grad[p, k, t] = 0.0
        above = points.moving[p, 1, t] - points.rest[p, t]
        weight = points.speed_weight[p, t]
        if weight > 0.0:
            size = robust_size(points, p, t)
            speed = points.speed**2 * (1.0 - 1.0 / size)
            drag = points.drag * np.exp(-max(above, 0.0) / points.clearance)
            value += weight * (points.proximity[p, t] + drag) * speed
            for k in range(3, 6):
                by = 2.0 * weight * (points.proximity[p, t] + drag) * points.moving[p, k, t] / size**2
                points.point_grad[p, k, t] = by
            if above > 0.0:
                points.point_grad[p, 1, t] = -weight * drag * speed / points.clearance
        if above < 0.0:
            value += points.floor_weight[t] * above * above
            points.point_grad[p, 1, t] += 2.0 * points.floor_weight[t] * above
        weight = points.hold[p, t]
        if weight > 0.0:
            for k in range(3):
                away = points.moving[p, k, t] - points.target[p, t, k]
                value += weight * away * away
                points.point_grad[p, k, t] += 2.0 * weight * away
    return value


@compiled(seconds=1, inline=True)
def _backprop_point(problem: Problem, memory: Memory, by: Pointer, block: int, p: int) -> None:
    """Add what the derivatives by one point's position and velocity mean for the joints that carry it.

    Turning joint j by d moves the point by d a x r and its velocity by d (w x (a x r) + a x u). Here a is the axis, r
    goes from the joint to the point, w is the angular velocity of what carries the joint, and u is the velocity against
    that.
    """
    points, n, samples = problem.points, memory.joints, problem.sample_weights.shape[1]
    frames, moving = doubles_at(points.frames.ctypes.data), doubles_at(points.moving.ctypes.data)
    point_grad = doubles_at(points.point_grad.ctypes.data)
    at = p * 6 * samples + block * LANES
    p0, p1, p2 = load(moving, at), load(moving, at + samples), load(moving, at + 2 * samples)
    v0, v1, v2 = load(moving, at + 3 * samples), load(moving, at + 4 * samples), load(moving, at + 5 * samples)
    f0, f1, f2 = load(point_grad, at), load(point_grad, at + samples), load(point_grad, at + 2 * samples)
    g0, g1, g2 = (
        load(point_grad, at + 3 * samples),
        load(point_grad, at + 4 * samples),
        load(point_grad, at + 5 * samples),
    )
    for c in range(points.chain_start[p], points.chain_start[p + 1]):
        i = problem.free[points.chain[c]]
        here, sample = (block * n + i) * FRAME * LANES, (block * n + i) * LANES
        qd = load(memory.qd, sample)
        a0, a1, a2 = load3(frames, here + _Z)
        o0, o1, o2 = load3(frames, here + _ORIGIN)
        w0, w1, w2 = load3(frames, here + _RATE)
        s0, s1, s2 = load3(frames, here + _SPEED)
        w0, w1, w2 = w0 - qd * a0, w1 - qd * a1, w2 - qd * a2
        r0, r1, r2 = p0 - o0, p1 - o1, p2 - o2
        c0, c1, c2 = cross(w0, w1, w2, r0, r1, r2)
        u0, u1, u2 = v0 - s0 - c0, v1 - s1 - c1, v2 - s2 - c2
        c0, c1, c2 = cross(a0, a1, a2, r0, r1, r2)
        d0, d1, d2 = cross(w0, w1, w2, c0, c1, c2)
        e0, e1, e2 = cross(a0, a1, a2, u0, u1, u2)
        by_q = f0 * c0 + f1 * c1 + f2 * c2 + g0 * (d0 + e0) + g1 * (d1 + e1) + g2 * (d2 + e2)
        by_qd = g0 * c0 + g1 * c1 + g2 * c2
        rates = samples * n + sample
        store(by, sample, load(by, sample) + by_q)
        store(by, rates, load(by, rates) + by_qd)
