"""Preparation of a gap, once before its descent: the root's motion, inertias, and how far limits are."""

from __future__ import annotations

from segue.compiled import compiled
from segue.dynamics._forward import forward_block
from segue.dynamics._lanes import LANES
from segue.dynamics._memory import memory_of
from segue.spacetime._limit_kernels import write_room
from segue.spacetime._metric_kernels import write_inertia
from segue.spacetime._path_kernels import write_base
from segue.spacetime._point_kernels import write_frames
from segue.spacetime._problem import Problem


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
