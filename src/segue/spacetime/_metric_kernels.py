"""The metric of the descent: the Gauss-Newton matrix, in blocks that can be factored in microseconds.

A torque is nearly the inertia matrix times accelerations, so with the inertia taken at three times the matrix is a sum
of products of one over joints and one over modes. Modes of time are chosen so that those hardly mix: a group of joints
that carries no point of interest gets one block a mode. If points are held or slowed the cost varies along time and
does mix modes; the groups concerned, mostly legs, get one block for all.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.dynamics._forward import forward_block
from segue.dynamics._lanes import LANES, Pointer, doubles_at, load, number, put, splat, store
from segue.dynamics._memory import Memory, memory_of
from segue.spacetime._limit_kernels import limit_hessian
from segue.spacetime._path_kernels import write_path
from segue.spacetime._point_kernels import robust_size, write_points
from segue.spacetime._problem import FRAME, Problem
from segue.typing import Array

_Z, _ORIGIN = 6 * LANES, 9 * LANES


@compiled(seconds=1)
def write_inertia(problem: Problem) -> None:
    """Write the inertia matrix at start, middle and end of the path without unknowns; the root's columns are left out.

    The memory of the dynamics must hold that path.
    """
    memory, unit = memory_of(problem.dynamics), memory_of(problem.unit)
    n, samples, root = memory.joints, problem.sample_weights.shape[1], problem.branch[0, 0]
    for part in range(1, len(problem.branch)):
        root = min(root, problem.branch[part, 0])
    parts = -(-(n - root) // LANES)
    for s in range(3):
        sample = (0, samples // 2, samples - 1)[s]
        block, lane = sample // LANES, sample % LANES
        for i in range(n):
            value = splat(number(memory.q, (block * n + i) * LANES + lane))
            for part in range(parts):
                at = (part * n + i) * LANES
                store(unit.q, at, value)
                store(unit.qd, at, splat(0.0))
                store(unit.qdd, at, splat(0.0))
        for j in range(n - root):
            # a unit acceleration of each joint in a lane of its own
            put(unit.qdd, ((j // LANES) * n + root + j) * LANES + j % LANES, 1.0)
        for part in range(parts):
            forward_block(unit, part, 0, 0, n)
        for j in range(n - root):
            for i in range(n):
                problem.inertia[s, i, root + j] = number(unit.tau, ((j // LANES) * n + i) * LANES + j % LANES)


@compiled(seconds=1)
def factor_size(problem: Problem, part: int, modes: int) -> int:
    """Return how many numbers the factored metric of a part takes."""
    joints = problem.group[part + 1] - problem.group[part]
    groups = -(-modes // LANES)
    size: int = (joints * modes) ** 2 if problem.has_points[part] else groups * joints**2 * LANES
    return size


@compiled(seconds=1, fast_math=True)
def prepare_metric(problem: Problem) -> None:
    """Write what of the metric does not depend on the unknowns: `gram`, and `mode_blocks` of parts without points."""
    modes = problem.mode_coupling.shape[2]
    for part in range(len(problem.branch)):
        first, last = problem.group[part], problem.group[part + 1]
        row = np.empty(last - first)
        for kind in range(2):
            weights = problem.torque if kind == 0 else problem.torque_rate_weight
            for s in range(3):
                for i in range(problem.branch[part, 0], problem.branch[part, 1]):
                    if weights[i] == 0.0:
                        continue
                    for j in range(len(row)):
                        row[j] = problem.inertia[s, i, problem.free[first + j]]
                    for j in range(len(row)):
                        pull = weights[i] * row[j]
                        if pull != 0.0:
                            for k in range(j + 1):
                                problem.gram[kind, s, first + j, first + k] += pull * row[k]
        if problem.has_points[part]:
            continue
        for kind in range(2):
            for s in range(3):
                for a in range(modes):
                    share = 2.0 * problem.mode_coupling[kind, s, a, a]
                    for j in range(first, last):
                        for k in range(first, j + 1):
                            problem.mode_blocks[a // LANES, j, k, a % LANES] += share * problem.gram[kind, s, j, k]


@compiled(seconds=2, fast_math=True)
def write_metric(problem: Problem, part: int, y: Array, extra: Array, factor: Array) -> None:
    """Write the Cholesky factors of a part's metric at some unknowns (F, m).

    extra: (F, m), to be added to the diagonal; that of limits is added to it here.
    """
    modes = y.shape[1]
    memory = memory_of(problem.dynamics)
    first, joints = problem.group[part], problem.group[part + 1] - problem.group[part]
    limit_hessian(problem, part, y, extra)
    if problem.has_points[part]:
        size = joints * modes
        block = factor.reshape((size, size))
        _dense_block(problem, first, joints, modes, block)
        write_path(problem, memory, part, y)
        write_points(problem, memory, part)
        _add_points(problem, memory, first, joints, modes, block)
        for j in range(joints):
            for a in range(modes):
                block[j * modes + a, j * modes + a] += 2.0 + extra[first + j, a]
        _factor(block)
        return
    # a mode in each lane; those that are left over have a metric too, of no consequence
    blocks, own = doubles_at(factor.ctypes.data), doubles_at(problem.mode_blocks.ctypes.data)
    count = problem.mode_blocks.shape[1]
    for group in range(problem.mode_blocks.shape[0]):
        start = group * joints * joints
        for j in range(joints):
            row = ((group * count + first + j) * count + first) * LANES
            for k in range(j + 1):
                store(blocks, (start + j * joints + k) * LANES, load(own, row + k * LANES))
            diagonal = (start + j * joints + j) * LANES
            store(blocks, diagonal, load(blocks, diagonal) + splat(2.0))
            for a in range(group * LANES, min(modes, (group + 1) * LANES)):
                at = diagonal + a % LANES
                put(blocks, at, number(blocks, at) + extra[first + j, a])
        _factor_lanes(blocks, start * LANES, joints)


@compiled(seconds=1)
def metric_of(problem: Problem, part: int, y: Array, extra: Array) -> Array:
    """Return the factored metric of a part at some unknowns (F, m), with more added to its diagonal (F, m)."""
    factor = np.empty(factor_size(problem, part, y.shape[1]))
    write_metric(problem, part, y, extra, factor)
    return factor


@compiled(seconds=1, fast_math=True)
def _dense_block(problem: Problem, first: int, joints: int, modes: int, block: Array) -> None:
    """Write the lower half of what torques give to a metric in one block."""
    block[:] = 0.0
    for j in range(joints):
        for k in range(j + 1):
            for kind in range(2):
                for s in range(3):
                    both = 2.0 * problem.gram[kind, s, first + j, first + k]
                    if both != 0.0:
                        for a in range(modes):
                            for b in range(modes):
                                share = problem.mode_coupling[kind, s, a, b]
                                block[j * modes + a, k * modes + b] += both * share


@compiled(seconds=1, fast_math=True)
def _add_points(problem: Problem, memory: Memory, first: int, joints: int, modes: int, block: Array) -> None:
    """Add what points give to a metric in one block: J' w J at every sample, times modes or their rates."""
    points, samples, n = problem.points, problem.sample_weights.shape[1], memory.joints
    start, stop = problem.free[first], problem.free[first + joints - 1] + 1
    frames, phi = doubles_at(points.frames.ctypes.data), doubles_at(problem.modes.ctypes.data)
    jacobian = np.empty((joints, 3))
    slow, hold = np.empty((joints, joints)), np.empty((joints, joints))
    value, rate = np.empty(modes), np.empty(modes)
    # every other sample, counted twice, is enough for a metric
    for t in range(0, samples, 2):
        lane, at = t % LANES, t // LANES
        slow[:] = 0.0
        hold[:] = 0.0
        for p in range(len(points.body)):
            if points.body[p] < start or points.body[p] >= stop:
                continue
            weight = 0.0
            if points.speed_weight[p, t] > 0.0:
                weight = 4.0 * points.speed_weight[p, t] * points.proximity[p, t] / robust_size(points, p, t) ** 2
            kept = 4.0 * points.hold[p, t]
            sunk = 4.0 * points.floor_weight[t] if points.moving[p, 1, t] < points.rest[p, t] else 0.0
            if weight == 0.0 and kept == 0.0 and sunk == 0.0:
                continue
            jacobian[:] = 0.0
            for c in range(points.chain_start[p], points.chain_start[p + 1]):
                f = points.chain[c]
                if f < first or f >= first + joints:
                    continue
                here = (at * n + problem.free[f]) * FRAME * LANES + lane
                for k in range(3):
                    # the axis times the way to the point, a component at a time
                    u, v = (k + 1) % 3, (k + 2) % 3
                    to_u = points.moving[p, u, t] - number(frames, here + _ORIGIN + u * LANES)
                    to_v = points.moving[p, v, t] - number(frames, here + _ORIGIN + v * LANES)
                    axis_u, axis_v = number(frames, here + _Z + u * LANES), number(frames, here + _Z + v * LANES)
                    jacobian[f - first, k] = axis_u * to_v - axis_v * to_u
            for j in range(joints):
                for k in range(j + 1):
                    both = 0.0
                    for c in range(3):
                        both += jacobian[j, c] * jacobian[k, c]
                    slow[j, k] += weight * both
                    hold[j, k] += kept * both + sunk * jacobian[j, 1] * jacobian[k, 1]
        for a in range(modes):
            mode = (at * modes + a) * 3 * LANES + lane
            value[a], rate[a] = number(phi, mode), number(phi, mode + LANES)
        for j in range(joints):
            for k in range(j + 1):
                for a in range(modes):
                    by_value, by_rate = hold[j, k] * value[a], slow[j, k] * rate[a]
                    for b in range(modes):
                        block[j * modes + a, k * modes + b] += by_value * value[b] + by_rate * rate[b]


@compiled(seconds=1, fast_math=True)
def _factor(block: Array) -> None:
    """Factor a symmetric positive definite matrix, of which the lower half is given, in place; 1 / L_jj is stored."""
    for j in range(len(block)):
        for k in range(j + 1):
            sum_ = block[j, k]
            for r in range(k):
                sum_ -= block[j, r] * block[k, r]
            if k < j:
                block[j, k] = sum_ * block[k, k]
            else:
                block[j, j] = 1.0 / np.sqrt(max(sum_, 1e-12))


@compiled(seconds=1, fast_math=True)
def _solve(block: Array, x: Array) -> None:
    """Solve with a factored matrix in place."""
    for j in range(len(block)):
        sum_ = x[j]
        for r in range(j):
            sum_ -= block[j, r] * x[r]
        x[j] = sum_ * block[j, j]
    for j in range(len(block) - 1, -1, -1):
        value = x[j] * block[j, j]
        x[j] = value
        for r in range(j):
            x[r] -= value * block[j, r]


@compiled(seconds=1)
def _factor_lanes(blocks: Pointer, start: int, size: int) -> None:
    """Factor eight matrices, one a lane, as `_factor` does."""
    for j in range(size):
        row = start + j * size * LANES
        for k in range(j + 1):
            other = start + k * size * LANES
            sum_ = load(blocks, row + k * LANES)
            for r in range(k):
                sum_ = sum_ - load(blocks, row + r * LANES) * load(blocks, other + r * LANES)
            if k < j:
                store(blocks, row + k * LANES, sum_ * load(blocks, other + k * LANES))
                continue
            store(blocks, row + j * LANES, sum_)
            for lane in range(LANES):
                at = row + j * LANES + lane
                put(blocks, at, 1.0 / np.sqrt(max(number(blocks, at), 1e-12)))


@compiled(seconds=1)
def _solve_lanes(blocks: Pointer, start: int, size: int, x: Pointer) -> None:
    """Solve with eight factored matrices in place, one a lane; x: size times eight numbers."""
    for j in range(size):
        value = load(x, j * LANES) * load(blocks, start + (j * size + j) * LANES)
        store(x, j * LANES, value)
        for r in range(j + 1, size):
            store(x, r * LANES, load(x, r * LANES) - value * load(blocks, start + (r * size + j) * LANES))
    for j in range(size - 1, -1, -1):
        value = load(x, j * LANES) * load(blocks, start + (j * size + j) * LANES)
        store(x, j * LANES, value)
        for r in range(j):
            store(x, r * LANES, load(x, r * LANES) - value * load(blocks, start + (j * size + r) * LANES))


@compiled(seconds=1, fast_math=True)
def apply_metric(problem: Problem, part: int, factor: Array, vector: Array) -> None:
    """Replace a part's rows (joints, m) of a gradient by what the inverse of the metric makes of them."""
    joints, modes = vector.shape
    if problem.has_points[part]:
        _solve(factor.reshape((vector.size, vector.size)), vector.reshape(vector.size))
        return
    lanes = np.zeros((joints, LANES))
    for group in range(-(-modes // LANES)):
        first, last = group * LANES, min(modes, (group + 1) * LANES)
        for j in range(joints):
            for a in range(first, last):
                lanes[j, a - first] = vector[j, a]
        _solve_lanes(
            doubles_at(factor.ctypes.data), group * joints * joints * LANES, joints, doubles_at(lanes.ctypes.data)
        )
        for j in range(joints):
            for a in range(first, last):
                vector[j, a] = lanes[j, a - first]
