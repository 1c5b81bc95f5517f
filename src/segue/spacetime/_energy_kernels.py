"""The energy of a path and its gradient: path, inverse dynamics, costs, adjoint, and back to the unknowns.

`prepare` fills in, once before a descent, what of a gap does not change.
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.dynamics._adjoint import adjoint_block
from segue.dynamics._forward import forward_block
from segue.dynamics._lanes import LANES, doubles_at, load, splat, store, total, window
from segue.dynamics._memory import Memory, memory_of
from segue.spacetime._limit_kernels import limit_energy, write_room
from segue.spacetime._metric_kernels import write_inertia
from segue.spacetime._path_kernels import write_base, write_path
from segue.spacetime._point_kernels import point_energy, write_frames
from segue.spacetime._problem import Problem
from segue.typing import Array


@compiled(seconds=1)
def whole_energy(problem: Problem, y: Array, gradient: Array) -> float:
    """Return the energy of unknowns (F, m) and write its gradient (F, m)."""
    value = 0.0
    for part in range(len(problem.branch)):
        value += energy(problem, part, y, gradient)
    return value


@compiled(seconds=5, fast_math=True)
def energy(problem: Problem, part: int, y: Array, gradient: Array) -> float:
    """Return a part's energy of unknowns (F, m), and write the gradient's rows of that part."""
    memory = memory_of(problem.dynamics)
    first, last = problem.group[part], problem.group[part + 1]
    start, stop = problem.branch[part, 0], problem.branch[part, 1]
    blocks, modes = problem.sample_weights.shape[1] // LANES, y.shape[1]
    write_path(problem, memory, part, y)
    value: float = 0.0
    gradient[first:last] = 0.0
    if problem.has_points[part]:
        # before the adjoint, which writes over the path
        value += point_energy(problem, memory, part)
    if problem.has_torques:
        for block in range(blocks):
            forward_block(memory, block, block, start, stop)
        value += _torque_energy(problem, memory, start, stop)
        for block in range(blocks):
            adjoint_block(memory, block, block, start, stop)
        _by_unknowns(problem, memory, first, last, gradient)
    if problem.has_points[part]:
        _points_by_unknowns(problem, memory, first, last, gradient)
    for f in range(first, last):
        value += problem.constant[f]
        for k in range(modes):
            value += y[f, k] * (y[f, k] + problem.linear[f, k])
            gradient[f, k] += 2.0 * y[f, k] + problem.linear[f, k]
    value += limit_energy(problem, part, y, gradient)
    return value


@compiled(seconds=1, fast_math=True)
def _torque_energy(problem: Problem, memory: Memory, start: int, stop: int) -> float:
    """Return the weighted sums of squared torques and of their squared changes; write the derivatives as the seed."""
    value = splat(0.0)
    samples = problem.sample_weights.shape[1]
    blocks, step = samples // LANES, memory.joints * LANES
    sample_weights = doubles_at(problem.sample_weights.ctypes.data)
    for i in range(start, stop):
        own, change = problem.torque[i], problem.torque_rate_weight[i]
        before = splat(0.0)
        here = load(memory.tau, i * LANES)
        for block in range(blocks):
            at = block * step + i * LANES
            # after the last block comes nothing, and the weight of that change is zero
            there = load(memory.tau, at + step) if block + 1 < blocks else here
            apart = window(here, there, 1) - here
            weighted = change * load(sample_weights, samples + block * LANES) * apart
            alone = own * load(sample_weights, block * LANES) * here
            value = value + weighted * apart + alone * here
            store(memory.seed, at, 2.0 * (window(before, weighted, 7) - weighted + alone))
            before, here = weighted, there
    result: float = total(value)
    return result


@compiled(seconds=1, fast_math=True)
def _by_unknowns(problem: Problem, memory: Memory, first: int, last: int, gradient: Array) -> None:
    """Add the gradient by unknowns from first to last from those by the path."""
    n, modes, blocks = memory.joints, gradient.shape[1], problem.sample_weights.shape[1] // LANES
    phi = doubles_at(problem.modes.ctypes.data)
    for f in range(first, last):
        for k in range(modes):
            sum_ = splat(0.0)
            for block in range(blocks):
                at, mode = (block * n + problem.free[f]) * LANES, (block * modes + k) * 3 * LANES
                sum_ = sum_ + load(phi, mode) * load(memory.by_q, at)
                sum_ = sum_ + load(phi, mode + LANES) * load(memory.by_qd, at)
                sum_ = sum_ + load(phi, mode + 2 * LANES) * load(memory.by_qdd, at)
            gradient[f, k] += total(sum_)


@compiled(seconds=1, fast_math=True)
def _points_by_unknowns(problem: Problem, memory: Memory, first: int, last: int, gradient: Array) -> None:
    """Add the gradient by unknowns from first to last of what the points cost."""
    n, modes, blocks = memory.joints, gradient.shape[1], problem.sample_weights.shape[1] // LANES
    phi, by = doubles_at(problem.modes.ctypes.data), doubles_at(problem.points.joint_grad.ctypes.data)
    for f in range(first, last):
        if not problem.points.carried[f]:
            continue
        for k in range(modes):
            sum_ = splat(0.0)
            for block in range(blocks):
                at, mode = (block * n + problem.free[f]) * LANES, (block * modes + k) * 3 * LANES
                sum_ = sum_ + load(phi, mode) * load(by, at)
                sum_ = sum_ + load(phi, mode + LANES) * load(by, blocks * n * LANES + at)
            gradient[f, k] += total(sum_)


@compiled(seconds=3)
def prepare(problem: Problem) -> None:
    """Fill in what does not change: the root's state at every sample, inertias, and the room before limits."""
    memory = memory_of(problem.dynamics)
    write_base(problem, memory, 0, memory.joints)
    root = memory.joints
    for part in range(len(problem.branch)):
        root = min(root, problem.branch[part, 0])
    # branches without unknowns lie before others, but nothing hangs on them
    for block in range(problem.sample_weights.shape[1] // LANES):
        forward_block(memory, block, block, 0, root)
    write_frames(problem, memory, 0, root)
    write_inertia(problem)
    write_room(problem)
