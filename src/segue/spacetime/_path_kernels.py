"""The path of some unknowns: the cubic Hermite between the ends, or what is given, plus modes of time."""

from __future__ import annotations

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.dynamics._lanes import LANES, doubles_at, load, store
from segue.dynamics._memory import Memory
from segue.spacetime._problem import Problem

__all__ = ["write_path"]


@compiled(seconds=1)
def write_path(problem: Problem, memory: Memory, y: Array) -> None:
    """Write the joint values and their derivatives of unknowns (F, m) into the memory of the dynamics."""
    n, modes, samples = memory.joints, y.shape[1], problem.clock.shape[1]
    base, phi = doubles_at(problem.base.ctypes.data), doubles_at(problem.modes.ctypes.data)
    part = samples * n
    # what is not solved for: the adjoint has written over it
    for at in range(0, part, LANES):
        store(memory.q, at, load(base, at))
        store(memory.qd, at, load(base, part + at))
        store(memory.qdd, at, load(base, 2 * part + at))
    for f in range(y.shape[0]):
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
