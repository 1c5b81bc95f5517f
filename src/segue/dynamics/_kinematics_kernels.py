"""Positions of the bodies of a tree, in the world's axes, for one block of eight time samples.

The figure's own forward kinematics is `segue.body.forward_kernels`. These kernels stand beside it because they work on
any tree, on eight samples at once, and are fused into the solver's passes.
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.dynamics._forward import load3, store3
from segue.dynamics._lanes import LANES, Lanes, Pointer, doubles_at, load, number, sincos, splat, store
from segue.dynamics._memory import Memory, MemoryArrays, memory_of
from segue.dynamics._program import FLAGS, LINKS, MATRIX, NUMBERS, PARENT, ROWS, SLIDER, START, TURN

# doubles that a joint takes in one block: frame (three axes and origin), push
FRAME, PUSH = 12 * LANES, 6 * LANES
_ORIGIN = 9 * LANES
_Z = 6 * LANES


@compiled(seconds=1)
def world_frames(arrays: MemoryArrays, blocks: int, result: int) -> None:
    """Write the axes x, y, z and the origin of every body as (block, joint, 4, 3, lane) at an address."""
    memory, frames = memory_of(arrays), doubles_at(result)
    for block in range(blocks):
        for i in range(memory.joints):
            parent = number(memory.links, i * LINKS + PARENT)
            here, there = (block * memory.joints + i) * FRAME, (block * memory.joints + parent) * FRAME
            frame_rows(memory, frames, i, (block * memory.joints + i) * LANES, here, there)


@compiled(seconds=2, inline=True)
def frame_rows(memory: Memory, frames: Pointer, i: int, sample: int, here: int, there: int) -> None:
    """Write the axes and the origin of body i, whose joint value is at `sample`, from those of its parent."""
    links, numbers = memory.links, memory.numbers
    link, at = i * LINKS, i * NUMBERS
    parent, flags = number(links, link + PARENT), number(links, link + FLAGS)
    q = load(memory.q, sample)
    s, c = sincos(q)
    for row in range(3):
        # one row of the rotation matrix: the components along one axis of the world of the three axes of a body
        r0, r1, r2 = number(links, link + ROWS), number(links, link + ROWS + 1), number(links, link + ROWS + 2)
        if parent >= 0:
            above = there + row * LANES
            x, y, z = load(frames, above + 3 * r0), load(frames, above + 3 * r1), load(frames, above + 3 * r2)
            origin = load(frames, above + _ORIGIN)
        else:
            x = splat(1.0 if r0 == row * LANES else 0.0)
            y = splat(1.0 if r1 == row * LANES else 0.0)
            z = splat(1.0 if r2 == row * LANES else 0.0)
            origin = splat(0.0)
        start = at + START
        origin = origin + x * number(numbers, start) + y * number(numbers, start + 1) + z * number(numbers, start + 2)
        x, y, z = _times_turn(numbers, at, flags, x, y, z)
        if flags & SLIDER:
            origin = origin + z * q
        else:
            x, y = c * x + s * y, c * y - s * x
        store(frames, here + row * LANES, x)
        store(frames, here + (3 + row) * LANES, y)
        store(frames, here + _Z + row * LANES, z)
        store(frames, here + _ORIGIN + row * LANES, origin)


@compiled(seconds=1, inline=True)
def _times_turn(numbers: Pointer, at: int, flags: int, x: Lanes, y: Lanes, z: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Return a row of a rotation matrix times the fixed rotation of a joint, if it has one."""
    if not flags & TURN:
        return x, y, z
    at += MATRIX
    return (
        x * number(numbers, at) + y * number(numbers, at + 3) + z * number(numbers, at + 6),
        x * number(numbers, at + 1) + y * number(numbers, at + 4) + z * number(numbers, at + 7),
        x * number(numbers, at + 2) + y * number(numbers, at + 5) + z * number(numbers, at + 8),
    )


@compiled(seconds=1)
def gather_pushes(arrays: MemoryArrays, blocks: int, frames_at: int, pushes_at: int, result: int) -> None:
    """Write what pushes on bodies amount to at each joint, as samples, at an address.

    The pushes are (block, joint, 2, 3, lane): forces, and moments about the world's origin.
    They are used up: afterwards each joint holds the sum over everything beyond it.
    """
    memory, frames, pushes = memory_of(arrays), doubles_at(frames_at), doubles_at(pushes_at)
    by_q = doubles_at(result)
    n = memory.joints
    for block in range(blocks):
        for i in range(n - 1, -1, -1):
            here, push = (block * n + i) * FRAME, (block * n + i) * PUSH
            parent, flags = number(memory.links, i * LINKS + PARENT), number(memory.links, i * LINKS + FLAGS)
            f0, f1, f2 = load3(pushes, push)
            m0, m1, m2 = load3(pushes, push + 3 * LANES)
            z0, z1, z2 = load3(frames, here + _Z)
            if flags & SLIDER:
                along = z0 * f0 + z1 * f1 + z2 * f2
            else:
                o0, o1, o2 = load3(frames, here + _ORIGIN)
                c0, c1, c2 = cross(o0, o1, o2, f0, f1, f2)
                along = z0 * (m0 - c0) + z1 * (m1 - c1) + z2 * (m2 - c2)
            store(by_q, (block * n + i) * LANES, along)
            if parent >= 0:
                there = (block * n + parent) * PUSH
                p0, p1, p2 = load3(pushes, there)
                store3(pushes, there, p0 + f0, p1 + f1, p2 + f2)
                p0, p1, p2 = load3(pushes, there + 3 * LANES)
                store3(pushes, there + 3 * LANES, p0 + m0, p1 + m1, p2 + m2)


@compiled(seconds=1, inline=True)
def cross(a0: Lanes, a1: Lanes, a2: Lanes, b0: Lanes, b1: Lanes, b2: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Return the cross product a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
