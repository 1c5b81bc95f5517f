"""The path of some unknowns: the cubic Hermite between the ends, or what is given, plus modes of time."""

from __future__ import annotations

from segue.compiled import compiled
from segue.dynamics._lanes import LANES, doubles_at, load, store
from segue.dynamics._memory import Memory
from segue.spacetime._problem import Problem
from segue.typing import Array


@compiled(seconds=1)
def write_base(problem: Problem, memory: Memory, start: int, stop: int) -> None:
    """Write the path without unknowns of joints from start to stop into the memory of the dynamics."""
    n, samples = memory.joints, problem.sample_weights.shape[1]
    base, whole = doubles_at(problem.base.ctypes.data), samples * n
    for block in range(samples // LANES):
        for i in range(start, stop):
            at = (block * n + i) * LANES
            store(memory.q, at, load(base, at))
            store(memory.qd, at, load(base, whole + at))
            store(memory.qdd, at, load(base, 2 * whole + at))


@compiled(seconds=1)
def write_path(problem: Problem, memory: Memory, part: int, y: Array) -> None:
    """Write the joint values of a part and their derivatives, with unknowns (F, m), into the memory of the dynamics."""
    n, modes, samples = memory.joints, y.shape[1], problem.sample_weights.shape[1]
    phi = doubles_at(problem.modes.ctypes.data)
    # what is not solved for too: the adjoint has written over it
    write_base(problem, memory, problem.branch[part, 0], problem.branch[part, 1])
    for f in range(problem.group[part], problem.group[part + 1]):
        for block in range(samples // LANES):
            at = (block * n + problem.free[f]) * LANES
            q, qd, qdd = load(memory.q, at), load(memory.qd, at), load(memory.qdd, at)
            for k in range(modes):
                c = y[f, k]
                mode = (block * modes + k) * 3 * LANES
                q = q + c * load(phi, mode)
                qd = qd + c * load(phi, mode + LANES)
                qdd = qdd + c * load(phi, mode + 2 * LANES)
            store(memory.q, at, q)
            store(memory.qd, at, qd)
            store(memory.qdd, at, qdd)
