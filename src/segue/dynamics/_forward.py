"""Inverse dynamics of one block of eight time samples: out from the root, and back from every tip.

Kinematics and body forces follow [Rose1996] A.2 (after [Balafoutis1991]). The angular acceleration tensor is W =
[dw/dt] + [w][w], where [.] is the cross product as a matrix. A point at r accelerates by W r, so one tensor serves the
body's mass and every joint that starts on the body. The tensor is formed only where something uses it. Torques follow
A.3. Unlike A.2 the moments are taken about the body's origin, not its centre of mass, which saves a sum a body.
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.dynamics._lanes import LANES, Lanes, Pointer, load, number, sincos, splat, store
from segue.dynamics._memory import (
    ACCEL_TENSOR,
    ANGULAR_ACCEL,
    ANGULAR_VELOCITY,
    COSINE,
    FORCE,
    LINEAR_ACCEL,
    SCRATCH,
    SINE,
    STATE,
    TORQUE,
    Memory,
)
from segue.dynamics._program import (
    CARRIER,
    DENSE,
    EULER,
    FIRST,
    FLAGS,
    LAST,
    LINKS,
    MASS,
    MASSIVE,
    MATRIX,
    MOMENT,
    NUMBERS,
    OFFSET,
    PARENT,
    PARENT_MASSIVE,
    PARENT_PLACE,
    PLACE,
    RIGID,
    ROWS,
    SLIDER,
    START,
    TURN,
)

_ONE, _TWO = LANES, 2 * LANES

Vector = tuple[Lanes, Lanes, Lanes]


@compiled(seconds=1, inline=True)
def load3(array: Pointer, at: int) -> tuple[Lanes, Lanes, Lanes]:
    """Return three successive lane values."""
    return load(array, at), load(array, at + _ONE), load(array, at + _TWO)


@compiled(seconds=1, inline=True)
def store3(array: Pointer, at: int, x: Lanes, y: Lanes, z: Lanes) -> None:
    """Write three successive lane values."""
    store(array, at, x)
    store(array, at + _ONE, y)
    store(array, at + _TWO, z)


@compiled(seconds=1, inline=True)
def give(array: Pointer, at: int, r0: int, r1: int, r2: int, x: Lanes, y: Lanes, z: Lanes, add: bool) -> None:
    """Write a vector, or add it to what is there, with its components at three addresses."""
    if add:
        x, y, z = x + load(array, at + r0), y + load(array, at + r1), z + load(array, at + r2)
    store(array, at + r0, x)
    store(array, at + r1, y)
    store(array, at + r2, z)


@compiled(seconds=1, inline=True)
def into_turn(numbers: Pointer, at: int, x: Lanes, y: Lanes, z: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Return a vector of the parent's frame in the frame after the fixed rotation: R' v."""
    at += MATRIX
    return (
        number(numbers, at) * x + number(numbers, at + 3) * y + number(numbers, at + 6) * z,
        number(numbers, at + 1) * x + number(numbers, at + 4) * y + number(numbers, at + 7) * z,
        number(numbers, at + 2) * x + number(numbers, at + 5) * y + number(numbers, at + 8) * z,
    )


@compiled(seconds=1, inline=True)
def back_turn(numbers: Pointer, at: int, x: Lanes, y: Lanes, z: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """Return a vector of the frame after the fixed rotation in the parent's frame: R v."""
    at += MATRIX
    return (
        number(numbers, at) * x + number(numbers, at + 1) * y + number(numbers, at + 2) * z,
        number(numbers, at + 3) * x + number(numbers, at + 4) * y + number(numbers, at + 5) * z,
        number(numbers, at + 6) * x + number(numbers, at + 7) * y + number(numbers, at + 8) * z,
    )


@compiled(seconds=6, fast_math=True)
def forward_block(memory: Memory, block: int, slot: int, start: int, stop: int) -> None:
    """Fill the state and the torques of one block from its joint values; slot: the place of the state.

    Joints from start to stop alone are looked at: all of them, or a branch, whose parent's state must be in the slot
    already and hears nothing of it.
    """
    links = memory.links
    first, base = block * memory.joints * LANES, slot * memory.joints * STATE
    _turn_hinges(memory, first, base, start, stop)
    parent = number(links, start * LINKS + PARENT)
    if parent >= 0:
        _reload_accel_tensor(memory, parent, base)
    for i in range(start, stop):
        _outward_step(memory, i, first, base)
        # go back at once over all that is done now, while it is still in the cache
        done = i
        while done >= start and number(links, done * LINKS + LAST) == i:
            _inward_step(memory, done, first, base, start)
            done = number(links, done * LINKS + PARENT)


@compiled(seconds=1, fast_math=True)
def _turn_hinges(memory: Memory, first: int, base: int, start: int, stop: int) -> None:
    """Fill in cosines and sines, apart from the recursion so that no joint waits for another one's."""
    for i in range(start, stop):
        s, c = sincos(load(memory.q, first + i * LANES))
        store(memory.state, base + i * STATE + COSINE, c)
        store(memory.state, base + i * STATE + SINE, s)


@compiled(seconds=4, inline=True)
def _outward_step(memory: Memory, i: int, first: int, base: int) -> None:
    """Compute how joint i and its body move, and the force and moment that the body itself needs."""
    links, numbers, state, scratch = memory.links, memory.numbers, memory.state, memory.scratch
    link, at, here, sample = i * LINKS, i * NUMBERS, base + i * STATE, first + i * LANES
    parent, flags = number(links, link + PARENT), number(links, link + FLAGS)
    r0, r1, r2 = number(links, link + ROWS), number(links, link + ROWS + 1), number(links, link + ROWS + 2)
    qd, qdd = load(memory.qd, sample), load(memory.qdd, sample)
    if parent >= 0:
        there = base + parent * STATE
        w0, w1, w2 = load(state, there + r0), load(state, there + r1), load(state, there + r2)
        there += ANGULAR_ACCEL
        d0, d1, d2 = load(state, there + r0), load(state, there + r1), load(state, there + r2)
        there += LINEAR_ACCEL - ANGULAR_ACCEL
        x0, x1, x2 = load(state, there + r0), load(state, there + r1), load(state, there + r2)
        if flags & OFFSET:
            tensor = number(links, link + PARENT_PLACE) * SCRATCH + ACCEL_TENSOR
            o0, o1, o2 = (
                number(numbers, at + START),
                number(numbers, at + START + 1),
                number(numbers, at + START + 2),
            )
            if o0 != 0.0:
                column = tensor + r0
                x0 = x0 + o0 * load(scratch, column + 3 * r0)
                x1 = x1 + o0 * load(scratch, column + 3 * r1)
                x2 = x2 + o0 * load(scratch, column + 3 * r2)
            if o1 != 0.0:
                column = tensor + r1
                x0 = x0 + o1 * load(scratch, column + 3 * r0)
                x1 = x1 + o1 * load(scratch, column + 3 * r1)
                x2 = x2 + o1 * load(scratch, column + 3 * r2)
            if o2 != 0.0:
                column = tensor + r2
                x0 = x0 + o2 * load(scratch, column + 3 * r0)
                x1 = x1 + o2 * load(scratch, column + 3 * r1)
                x2 = x2 + o2 * load(scratch, column + 3 * r2)
    else:
        w0 = w1 = w2 = d0 = d1 = d2 = splat(0.0)
        # a field of gravity g is the same as a world that accelerates by -g
        x0 = splat(-number(memory.gravity, r0 // LANES))
        x1 = splat(-number(memory.gravity, r1 // LANES))
        x2 = splat(-number(memory.gravity, r2 // LANES))
    if flags & TURN:
        w0, w1, w2 = into_turn(numbers, at, w0, w1, w2)
        d0, d1, d2 = into_turn(numbers, at, d0, d1, d2)
        x0, x1, x2 = into_turn(numbers, at, x0, x1, x2)
    if flags & SLIDER:
        q = load(memory.q, sample)
        x0 = x0 + (w0 * w2 + d1) * q + 2.0 * (w1 * qd)
        x1 = x1 + (w1 * w2 - d0) * q - 2.0 * (w0 * qd)
        x2 = x2 - (w0 * w0 + w1 * w1) * q + qdd
    else:
        c, s = load(state, here + COSINE), load(state, here + SINE)
        w0, w1, w2 = c * w0 + s * w1, c * w1 - s * w0, w2 + qd
        d0, d1, d2 = c * d0 + s * d1 + w1 * qd, c * d1 - s * d0 - w0 * qd, d2 + qdd
        x0, x1 = c * x0 + s * x1, c * x1 - s * x0
    store3(state, here + ANGULAR_VELOCITY, w0, w1, w2)
    store3(state, here + ANGULAR_ACCEL, d0, d1, d2)
    store3(state, here + LINEAR_ACCEL, x0, x1, x2)
    if flags & RIGID:
        (t00, t01, t02), (t10, t11, t12), (t20, t21, t22) = _accel_tensor((w0, w1, w2), (d0, d1, d2))
        if flags & CARRIER:
            tensor = number(links, link + PLACE) * SCRATCH + ACCEL_TENSOR
            store3(scratch, tensor, t00, t01, t02)
            store3(scratch, tensor + 3 * LANES, t10, t11, t12)
            store3(scratch, tensor + 6 * LANES, t20, t21, t22)
        if flags & MASSIVE:
            mass = number(numbers, at + MASS)
            h0, h1, h2 = (
                number(numbers, at + MOMENT),
                number(numbers, at + MOMENT + 1),
                number(numbers, at + MOMENT + 2),
            )
            f0, f1, f2 = mass * x0, mass * x1, mass * x2
            j0, j1, j2 = (
                number(numbers, at + EULER),
                number(numbers, at + EULER + 1),
                number(numbers, at + EULER + 2),
            )
            n0, n1, n2 = t21 * j1 - t12 * j2, t02 * j2 - t20 * j0, t10 * j0 - t01 * j1
            if h0 != 0.0:
                f0, f1, f2 = f0 + t00 * h0, f1 + t10 * h0, f2 + t20 * h0
                n1, n2 = n1 - h0 * x2, n2 + h0 * x1
            if h1 != 0.0:
                f0, f1, f2 = f0 + t01 * h1, f1 + t11 * h1, f2 + t21 * h1
                n0, n2 = n0 + h1 * x2, n2 - h1 * x0
            if h2 != 0.0:
                f0, f1, f2 = f0 + t02 * h2, f1 + t12 * h2, f2 + t22 * h2
                n0, n1 = n0 - h2 * x1, n1 + h2 * x0
            if flags & DENSE:
                k01, k02, k12 = (
                    number(numbers, at + EULER + 3),
                    number(numbers, at + EULER + 4),
                    number(numbers, at + EULER + 5),
                )
                n0 = n0 + k01 * t20 - k02 * t10 + k12 * (t22 - t11)
                n1 = n1 + k12 * t01 - k01 * t21 + k02 * (t00 - t22)
                n2 = n2 + k02 * t12 - k12 * t02 + k01 * (t11 - t00)
            store3(state, here + FORCE, f0, f1, f2)
            store3(state, here + TORQUE, n0, n1, n2)
    if memory.wrenched:
        _apply_wrench(memory, 6 * sample, here, flags)


@compiled(seconds=1, inline=True)
def _accel_tensor(rate: Vector, rise: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the rows of the angular acceleration tensor [dw/dt] + [w][w]."""
    w0, w1, w2 = rate
    d0, d1, d2 = rise
    xx, yy, zz = w0 * w0, w1 * w1, w2 * w2
    xy, xz, yz = w0 * w1, w0 * w2, w1 * w2
    return (-(yy + zz), xy - d2, xz + d1), (xy + d2, -(xx + zz), yz - d0), (xz - d1, yz + d0, -(xx + yy))


@compiled(seconds=1)
def _reload_accel_tensor(memory: Memory, i: int, base: int) -> None:
    """Put joint i's tensor, which other joints have written over since, back in its place."""
    here = base + i * STATE
    x, y, z = _accel_tensor(load3(memory.state, here + ANGULAR_VELOCITY), load3(memory.state, here + ANGULAR_ACCEL))
    tensor = number(memory.links, i * LINKS + PLACE) * SCRATCH + ACCEL_TENSOR
    store3(memory.scratch, tensor, x[0], x[1], x[2])
    store3(memory.scratch, tensor + 3 * LANES, y[0], y[1], y[2])
    store3(memory.scratch, tensor + 6 * LANES, z[0], z[1], z[2])


@compiled(seconds=1, inline=True)
def _apply_wrench(memory: Memory, at: int, here: int, flags: int) -> None:
    """Take what the outside world gives a body off what its joint must give."""
    for k in range(6):
        given = load(memory.wrench, at + k * LANES)
        where = here + FORCE + k * LANES
        store(memory.state, where, load(memory.state, where) - given if flags & MASSIVE else -given)


@compiled(seconds=2, inline=True)
def _inward_step(memory: Memory, i: int, first: int, base: int, start: int) -> None:
    """Read off the torque of joint i and pass force and moment on to its parent, unless that comes before start."""
    links, numbers, state = memory.links, memory.numbers, memory.state
    link, at, here, sample = i * LINKS, i * NUMBERS, base + i * STATE, first + i * LANES
    parent, flags = number(links, link + PARENT), number(links, link + FLAGS)
    f0, f1, f2 = load3(state, here + FORCE)
    n0, n1, n2 = load3(state, here + TORQUE)
    store(memory.tau, sample, f2 if flags & SLIDER else n2)
    if parent < start:
        return
    if flags & SLIDER:
        q = load(memory.q, sample)
        n0, n1 = n0 - q * f1, n1 + q * f0
    else:
        c, s = load(state, here + COSINE), load(state, here + SINE)
        f0, f1 = c * f0 - s * f1, s * f0 + c * f1
        n0, n1 = c * n0 - s * n1, s * n0 + c * n1
    if flags & TURN:
        f0, f1, f2 = back_turn(numbers, at, f0, f1, f2)
        n0, n1, n2 = back_turn(numbers, at, n0, n1, n2)
    if flags & OFFSET:
        o0, o1, o2 = number(numbers, at + START), number(numbers, at + START + 1), number(numbers, at + START + 2)
        if o0 != 0.0:
            n1, n2 = n1 - o0 * f2, n2 + o0 * f1
        if o1 != 0.0:
            n0, n2 = n0 + o1 * f2, n2 - o1 * f0
        if o2 != 0.0:
            n0, n1 = n0 - o2 * f1, n1 + o2 * f0
    r0, r1, r2 = number(links, link + ROWS), number(links, link + ROWS + 1), number(links, link + ROWS + 2)
    add = bool(memory.wrenched) or bool(flags & PARENT_MASSIVE) or not flags & FIRST
    there = base + parent * STATE
    give(state, there + FORCE, r0, r1, r2, f0, f1, f2, add)
    give(state, there + TORQUE, r0, r1, r2, n0, n1, n2, add)
