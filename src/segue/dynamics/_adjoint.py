"""The adjoint of inverse dynamics for one block of eight time samples, and full Jacobians row by row.

Given the derivatives of a scalar by the torques, one pass from the root out and one back give its derivatives by joint
values, velocities and accelerations. This is the recursion of ``_forward`` transposed, at about its cost, whatever the
number of joints. A bar marks the derivative of the scalar by a quantity. Take a body with first moment h and Euler
tensor J, with force bar F and moment bar N. The bar of its acceleration tensor is F h' + [N] J, and that of a child's
start o adds (pull bar) o'. For every hinge, about its own axis z,

    d(scalar)/dq = (f x F + n x N - w x rate bar - dw/dt x rise bar - a x pull bar) . z

because turning a hinge turns everything beyond it against everything before it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.dynamics._forward import back_turn, give, into_turn, load3, store3
from segue.dynamics._lanes import LANES, Lanes, Pointer, load, number, splat, store
from segue.dynamics._memory import (
    ACCEL_TENSOR,
    ANGULAR_ACCEL,
    ANGULAR_ACCEL_BAR,
    ANGULAR_VELOCITY,
    ANGULAR_VELOCITY_BAR,
    COSINE,
    FORCE,
    FORCE_BAR,
    LINEAR_ACCEL,
    LINEAR_ACCEL_BAR,
    SCRATCH,
    SINE,
    STATE,
    TORQUE,
    TORQUE_BAR,
    Memory,
)
from segue.dynamics._program import (
    DENSE,
    EULER,
    FIRST,
    FIRST_OFFSET,
    FLAGS,
    LAST,
    LEAF,
    LINKS,
    MASS,
    MASSIVE,
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


@compiled(seconds=10, fast_math=True)
def adjoint_block(memory: Memory, block: int, slot: int, start: int, stop: int) -> None:
    """Fill by_q, by_qd and by_qdd of one block from its seed; its state must come from ``forward_block``.

    Joints from start to stop alone are looked at, as there.
    """
    links, n = memory.links, memory.joints
    base, first = slot * n * STATE, block * n * LANES
    for i in range(start, stop):
        seed = load(memory.seed, first + i * LANES)
        attached = number(links, i * LINKS + PARENT) >= start
        _outward_step(memory, i, base, first, seed, attached, memory.by_qdd, first)
        done = i
        while done >= start and number(links, done * LINKS + LAST) == i:
            flags = number(links, done * LINKS + FLAGS)
            _inward_step(memory, done, flags, base, first, memory.by_q, memory.by_qd, memory.by_qdd, first, start)
            done = number(links, done * LINKS + PARENT)


@compiled(seconds=10)
def jacobian_row(
    memory: Memory,
    descendants: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.int64],
    by: tuple[Pointer, Pointer, Pointer],
    i: int,
) -> None:
    """Write the row d(tau_i)/d(q, qd, qdd) of the first block, each (joint, lane), over zeros.

    The seed is 1 at joint i, so only the joints beyond it and those on the way back to the root are visited. The
    joints from i on out, in order, are ``descendants[bounds[i] : bounds[i + 1]]``.
    """
    links = memory.links
    by_q, by_qd, by_qdd = by
    for k in range(bounds[i], bounds[i + 1]):
        j = descendants[k]
        _outward_step(memory, j, 0, 0, splat(1.0 if j == i else 0.0), j != i, by_qdd, 0)
        done = j
        while done != i and number(links, done * LINKS + LAST) == j:
            flags = number(links, done * LINKS + FLAGS)
            _inward_step(memory, done, flags, 0, 0, by_q, by_qd, by_qdd, 0, 0)
            done = number(links, done * LINKS + PARENT)
    j = i
    flags = number(links, j * LINKS + FLAGS)
    while j >= 0:
        # on the way to the root each joint is all that its parent hears of
        alone = (flags | FIRST | FIRST_OFFSET) & ~PARENT_MASSIVE
        _inward_step(memory, j, alone, 0, 0, by_q, by_qd, by_qdd, 0, 0)
        started = flags & OFFSET
        j = number(links, j * LINKS + PARENT)
        if j >= 0:
            flags = number(links, j * LINKS + FLAGS) & ~RIGID
            if started:
                flags |= RIGID


@compiled(seconds=3, inline=True)
def _outward_step(
    memory: Memory,
    i: int,
    base: int,
    first: int,
    seed: Lanes,
    attached: bool,
    by_qdd: Pointer,
    out: int,
) -> None:
    """Carry the bars of force and moment from the parent, if attached, to joint i and from there to its body.

    The part of d(scalar)/dq that is known now is left where d(scalar)/d(qdd) will be: the joint values, in whose place
    the results go, are still needed.
    """
    links, numbers, state, scratch = memory.links, memory.numbers, memory.state, memory.scratch
    link, at, here, place = i * LINKS, i * NUMBERS, base + i * STATE, number(links, i * LINKS + PLACE) * SCRATCH
    parent, flags = number(links, link + PARENT), number(links, link + FLAGS)
    if attached and parent >= 0:
        r0, r1, r2 = number(links, link + ROWS), number(links, link + ROWS + 1), number(links, link + ROWS + 2)
        there = number(links, link + PARENT_PLACE) * SCRATCH + FORCE_BAR
        f0, f1, f2 = load(scratch, there + r0), load(scratch, there + r1), load(scratch, there + r2)
        there += TORQUE_BAR - FORCE_BAR
        n0, n1, n2 = load(scratch, there + r0), load(scratch, there + r1), load(scratch, there + r2)
        if flags & OFFSET:
            o0, o1, o2 = number(numbers, at + START), number(numbers, at + START + 1), number(numbers, at + START + 2)
            if o0 != 0.0:
                f1, f2 = f1 + n2 * o0, f2 - n1 * o0
            if o1 != 0.0:
                f0, f2 = f0 - n2 * o1, f2 + n0 * o1
            if o2 != 0.0:
                f0, f1 = f0 + n1 * o2, f1 - n0 * o2
        if flags & TURN:
            f0, f1, f2 = into_turn(numbers, at, f0, f1, f2)
            n0, n1, n2 = into_turn(numbers, at, n0, n1, n2)
        force0, force1 = load(state, here + FORCE), load(state, here + FORCE + LANES)
        if flags & SLIDER:
            q = load(memory.q, first + i * LANES)
            f0, f1 = f0 + n1 * q, f1 - n0 * q
            store(by_qdd, out + i * LANES, force0 * n1 - force1 * n0)
            f2 = f2 + seed
        else:
            c, s = load(state, here + COSINE), load(state, here + SINE)
            f0, f1 = c * f0 + s * f1, c * f1 - s * f0
            n0, n1 = c * n0 + s * n1, c * n1 - s * n0
            turning = force0 * f1 - force1 * f0
            turning = turning + load(state, here + TORQUE) * n1 - load(state, here + TORQUE + LANES) * n0
            store(by_qdd, out + i * LANES, turning)
            n2 = n2 + seed
    else:
        f0 = f1 = f2 = n0 = n1 = n2 = splat(0.0)
        store(by_qdd, out + i * LANES, f0)
        if flags & SLIDER:
            f2 = seed
        else:
            n2 = seed
    if not flags & LEAF:
        store3(scratch, place + FORCE_BAR, f0, f1, f2)
        store3(scratch, place + TORQUE_BAR, n0, n1, n2)
    if flags & MASSIVE:
        mass = number(numbers, at + MASS)
        h0, h1, h2 = number(numbers, at + MOMENT), number(numbers, at + MOMENT + 1), number(numbers, at + MOMENT + 2)
        j0, j1, j2 = number(numbers, at + EULER), number(numbers, at + EULER + 1), number(numbers, at + EULER + 2)
        p0, p1, p2 = mass * f0, mass * f1, mass * f2
        t00 = t11 = t22 = splat(0.0)
        t10, t20 = j0 * n2, -(j0 * n1)
        t01, t21 = -(j1 * n2), j1 * n0
        t02, t12 = j2 * n1, -(j2 * n0)
        if flags & DENSE:
            k01, k02, k12 = (
                number(numbers, at + EULER + 3),
                number(numbers, at + EULER + 4),
                number(numbers, at + EULER + 5),
            )
            t00, t10, t20 = k02 * n1 - k01 * n2, t10 - k02 * n0, t20 + k01 * n0
            t01, t11, t21 = t01 + k12 * n1, k01 * n2 - k12 * n0, t21 - k01 * n1
            t02, t12, t22 = t02 - k12 * n2, t12 + k02 * n2, k12 * n0 - k02 * n1
        if h0 != 0.0:
            p1, p2 = p1 + n2 * h0, p2 - n1 * h0
            t00, t10, t20 = t00 + f0 * h0, t10 + f1 * h0, t20 + f2 * h0
        if h1 != 0.0:
            p0, p2 = p0 - n2 * h1, p2 + n0 * h1
            t01, t11, t21 = t01 + f0 * h1, t11 + f1 * h1, t21 + f2 * h1
        if h2 != 0.0:
            p0, p1 = p0 + n1 * h2, p1 - n0 * h2
            t02, t12, t22 = t02 + f0 * h2, t12 + f1 * h2, t22 + f2 * h2
        store3(scratch, place + LINEAR_ACCEL_BAR, p0, p1, p2)
        store3(scratch, place + ACCEL_TENSOR, t00, t01, t02)
        store3(scratch, place + ACCEL_TENSOR + 3 * LANES, t10, t11, t12)
        store3(scratch, place + ACCEL_TENSOR + 6 * LANES, t20, t21, t22)


@compiled(seconds=3, inline=True)
def _inward_step(
    memory: Memory,
    i: int,
    flags: int,
    base: int,
    first: int,
    by_q: Pointer,
    by_qd: Pointer,
    by_qdd: Pointer,
    out: int,
    start: int,
) -> None:
    """Read the results for joint i off its bars of motion, and pass those on to its parent if that is from start on."""
    links, numbers, state, scratch = memory.links, memory.numbers, memory.state, memory.scratch
    link, at, here, place = i * LINKS, i * NUMBERS, base + i * STATE, number(links, i * LINKS + PLACE) * SCRATCH
    parent = number(links, link + PARENT)
    w0, w1 = load(state, here + ANGULAR_VELOCITY), load(state, here + ANGULAR_VELOCITY + LANES)
    p0, p1, p2 = load3(scratch, place + LINEAR_ACCEL_BAR)
    if flags & LEAF:
        u0 = u1 = u2 = d0 = d1 = d2 = splat(0.0)
    else:
        u0, u1, u2 = load3(scratch, place + ANGULAR_VELOCITY_BAR)
        d0, d1, d2 = load3(scratch, place + ANGULAR_ACCEL_BAR)
    if flags & RIGID:
        t00, t01, t02 = load3(scratch, place + ACCEL_TENSOR)
        t10, t11, t12 = load3(scratch, place + ACCEL_TENSOR + 3 * LANES)
        t20, t21, t22 = load3(scratch, place + ACCEL_TENSOR + 6 * LANES)
        w2 = load(state, here + ANGULAR_VELOCITY + 2 * LANES)
        d0, d1, d2 = d0 + (t21 - t12), d1 + (t02 - t20), d2 + (t10 - t01)
        xy, xz, yz = t01 + t10, t02 + t20, t12 + t21
        v0, v1, v2 = -2.0 * w0, -2.0 * w1, -2.0 * w2
        u0 = u0 + (t11 + t22) * v0 + xy * w1 + xz * w2
        u1 = u1 + (t00 + t22) * v1 + xy * w0 + yz * w2
        u2 = u2 + (t00 + t11) * v2 + xz * w0 + yz * w1
    sample, result = first + i * LANES, out + i * LANES
    qd = load(memory.qd, sample)
    if flags & SLIDER:
        e0, e1 = load(state, here + ANGULAR_ACCEL), load(state, here + ANGULAR_ACCEL + LANES)
        q, w2 = load(memory.q, sample), load(state, here + ANGULAR_VELOCITY + 2 * LANES)
        # the pull is a + W z q + 2 w x z qd + z qdd, with W z = (w0 w2 + e1, w1 w2 - e0, -w0^2 - w1^2)
        straight = p0 * (w0 * w2 + e1) + p1 * (w1 * w2 - e0) - p2 * (w0 * w0 + w1 * w1)
        store(by_q, result, load(by_qdd, result) + straight)
        store(by_qd, result, 2.0 * (p0 * w1 - p1 * w0))
        store(by_qdd, result, p2)
        u0 = u0 + q * (p0 * w2 - 2.0 * (p2 * w0)) - 2.0 * (p1 * qd)
        u1 = u1 + q * (p1 * w2 - 2.0 * (p2 * w1)) + 2.0 * (p0 * qd)
        u2 = u2 + q * (p0 * w0 + p1 * w1)
        d0, d1 = d0 - q * p1, d1 + q * p0
    else:
        e0, e1 = load(state, here + ANGULAR_ACCEL), load(state, here + ANGULAR_ACCEL + LANES)
        x0, x1 = load(state, here + LINEAR_ACCEL), load(state, here + LINEAR_ACCEL + LANES)
        turning = w0 * u1 - w1 * u0 + e0 * d1 - e1 * d0 + x0 * p1 - x1 * p0
        store(by_q, result, load(by_qdd, result) - turning)
        store(by_qd, result, u2 + d0 * w1 - d1 * w0)
        store(by_qdd, result, d2)
        if parent >= start:
            c, s = load(state, here + COSINE), load(state, here + SINE)
            u0, u1 = u0 - d1 * qd, u1 + d0 * qd
            u0, u1 = c * u0 - s * u1, s * u0 + c * u1
            d0, d1 = c * d0 - s * d1, s * d0 + c * d1
            p0, p1 = c * p0 - s * p1, s * p0 + c * p1
    if parent < start:
        return
    if flags & TURN:
        u0, u1, u2 = back_turn(numbers, at, u0, u1, u2)
        d0, d1, d2 = back_turn(numbers, at, d0, d1, d2)
        p0, p1, p2 = back_turn(numbers, at, p0, p1, p2)
    r0, r1, r2 = number(links, link + ROWS), number(links, link + ROWS + 1), number(links, link + ROWS + 2)
    if flags & OFFSET:
        o0, o1, o2 = number(numbers, at + START), number(numbers, at + START + 1), number(numbers, at + START + 2)
        tensor = number(links, link + PARENT_PLACE) * SCRATCH + ACCEL_TENSOR
        add = bool(flags & PARENT_MASSIVE) or not flags & FIRST_OFFSET
        if o0 != 0.0 or not add:
            _give_column(scratch, tensor + r0, r0, r1, r2, o0 * p0, o0 * p1, o0 * p2, add)
        if o1 != 0.0 or not add:
            _give_column(scratch, tensor + r1, r0, r1, r2, o1 * p0, o1 * p1, o1 * p2, add)
        if o2 != 0.0 or not add:
            _give_column(scratch, tensor + r2, r0, r1, r2, o2 * p0, o2 * p1, o2 * p2, add)
    there = number(links, link + PARENT_PLACE) * SCRATCH
    more = not flags & FIRST
    give(scratch, there + ANGULAR_VELOCITY_BAR, r0, r1, r2, u0, u1, u2, more)
    give(scratch, there + ANGULAR_ACCEL_BAR, r0, r1, r2, d0, d1, d2, more)
    give(scratch, there + LINEAR_ACCEL_BAR, r0, r1, r2, p0, p1, p2, more or bool(flags & PARENT_MASSIVE))


@compiled(seconds=1, inline=True)
def _give_column(array: Pointer, at: int, r0: int, r1: int, r2: int, x: Lanes, y: Lanes, z: Lanes, add: bool) -> None:
    """Write or add a column of a tensor that is kept by rows."""
    give(array, at, 3 * r0, 3 * r1, 3 * r2, x, y, z, add)
