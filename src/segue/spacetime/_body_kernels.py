"""Derivatives by the motion of the figure's bodies, carried back to its joints, and points on the bodies.

A chain of 27 links: each ball joint is one link, each hinge another. Ball joints are quaternions, so that no pose is
near the edge of a chart, however long a motion goes on turning. World quaternions of the bodies follow from parent to
child as in [Ramamoorthi1997], equation 13, with velocities and accelerations by differentiation, see
`segue.body.forward_kernels.forward_motion`.

Shapes: T samples, L links, B ball joints, H hinges. A derivative by a rotation is the vector m for which the scalar
changes by m . e when the rotation is followed by a small turn e.
"""

from __future__ import annotations

from typing import NamedTuple

from segue.body.forward_kernels import Bodies, JointMotion, Links
from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    Quat,
    Vector,
    add_vector,
    cross,
    dot,
    get_quat,
    get_vector,
    less,
    plus,
    put_quat,
    put_vector,
    rotated,
    times,
    turn_after,
    turn_back,
)
from segue.typing import Array, Ints


@compiled(seconds=1, inline=True)
def _vector_part(a: Quat, b: Quat) -> Vector:
    """Return the vector part of a b*."""
    _, x, y, z = turn_after(a, turn_back(b))
    return x, y, z


@compiled(seconds=1, inline=True)
def _pure(v: Vector, q: Quat) -> Quat:
    """Return the product of a vector and a quaternion."""
    product: Quat = turn_after((0.0, v[0], v[1], v[2]), q)
    return product


@compiled(seconds=1, inline=True)
def _sum(a: Quat, b: Quat, factor: float) -> Quat:
    """Return a + factor * b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2], a[3] + factor * b[3]


@compiled(seconds=1)
def backprop_angular(
    paths: tuple[Array, Array, Array], by: tuple[Array, Array, Array], out: tuple[Array, Array, Array]
) -> None:
    """Write derivatives by quaternions and their first two time derivatives, (N, 4) each, which need no unit length.

    paths: the quaternions p, p' and p''. by: (N, 3) each, derivatives by rotation, by angular velocity w = 2 vec(p' p*)
    / |p|^2, and by angular acceleration a = 2 (vec(p'' p*) - g vec(p' p*)) / |p|^2. Here g = 2 p.p' / |p|^2. All are in
    the parent's frame.
    """
    for n in range(len(paths[0])):
        p, dp, ddp = get_quat(paths[0], n), get_quat(paths[1], n), get_quat(paths[2], n)
        moment, by_spin, by_rise = get_vector(by[0], n), get_vector(by[1], n), get_vector(by[2], n)
        square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
        growth = 2.0 * (p[0] * dp[0] + p[1] * dp[1] + p[2] * dp[2] + p[3] * dp[3]) / square
        first, second = _vector_part(dp, p), _vector_part(ddp, p)
        by_second = times(2.0 / square, by_rise)
        by_first = less(times(2.0 / square, by_spin), times(growth, by_second))
        by_growth = -dot(by_second, first)
        spin_rate, rise_rate = dot(by_spin, first), dot(by_rise, second) - growth * dot(by_rise, first)
        by_square = -2.0 * (spin_rate + rise_rate) / square**2 - by_growth * growth / square
        whole = _sum(_pure(times(2.0 / square, moment), p), _pure(by_first, dp), -1.0)
        whole = _sum(_sum(whole, _pure(by_second, ddp), -1.0), dp, 2.0 * by_growth / square)
        put_quat(out[0], n, _sum(whole, p, 2.0 * by_square))
        put_quat(out[1], n, _sum(_pure(by_first, p), p, 2.0 * by_growth / square))
        put_quat(out[2], n, _pure(by_second, p))


class JointMotionGrad(NamedTuple):
    """Derivatives by the fields of `JointMotion`; moments: (T, B, 3) by rotation, in the parent's frame."""

    root: Array
    moments: Array
    spins: Array
    hinges: Array


class BodyMotionGrad(NamedTuple):
    """Derivatives by how the links move in the world, as in `Bodies`; moments: (T, L, 3) those by rotation."""

    moments: Array
    motion: Array


@compiled(seconds=1)
def backprop_bodies(
    links: Links, joints: JointMotion, bodies: Bodies, by_bodies: BodyMotionGrad, by: JointMotionGrad
) -> None:
    """Write derivatives by the joints' motion, given those by the bodies', which are used up."""
    for t in range(joints.root.shape[1]):
        moment = by_bodies.moments[t]
        by_place, by_spin, by_rate = by_bodies.motion[0, t], by_bodies.motion[1, t], by_bodies.motion[2, t]
        by_rise, by_accel = by_bodies.motion[3, t], by_bodies.motion[4, t]
        spin, rise = bodies.motion[1, t], bodies.motion[3, t]
        for i in range(len(links.parents) - 1, -1, -1):
            p = links.parents[i]
            turn, w, b = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            if p >= 0:
                turn, w, b = get_quat(bodies.turns[t], p), get_vector(spin, p), get_vector(rise, p)
            m, s, g = get_vector(moment, i), get_vector(by_spin, i), get_vector(by_rise, i)
            back = turn_back(turn)
            k = links.balls[i]
            if k >= 0:
                own, growth = get_vector(bodies.axes[0, t], i), get_vector(bodies.axes[1, t], i)
                by_own = plus(s, cross(g, w))
                put_vector(by.moments[t], k, rotated(back, m))
                put_vector(by.spins[0, t], k, rotated(back, by_own))
                put_vector(by.spins[1, t], k, rotated(back, g))
                turning = plus(cross(own, by_own), cross(growth, g))
            else:
                h = links.hinges[i]
                along, rate, gain = get_vector(bodies.axes[0, t], i), joints.hinges[1, t, h], joints.hinges[2, t, h]
                by_own = plus(s, cross(g, w))
                own = times(rate, along)
                by.hinges[0, t, h] = dot(m, along)
                by.hinges[1, t, h] = dot(by_own, along)
                by.hinges[2, t, h] = dot(g, along)
                turning = cross(along, plus(times(rate, by_own), times(gain, g)))
            x, v, a = get_vector(by_place, i), get_vector(by_rate, i), get_vector(by_accel, i)
            if p < 0:
                put_vector(by.root[0], t, x)
                put_vector(by.root[1], t, v)
                put_vector(by.root[2], t, a)
                continue
            arm = less(get_vector(bodies.motion[0, t], i), get_vector(bodies.motion[0, t], p))
            inward = cross(a, w)
            by_arm = plus(plus(x, cross(v, w)), plus(cross(a, b), cross(inward, w)))
            add_vector(moment, p, plus(m, plus(turning, cross(arm, by_arm))))
            turned = plus(cross(arm, v), plus(cross(cross(w, arm), a), cross(arm, inward)))
            add_vector(by_spin, p, plus(plus(s, cross(own, g)), turned))
            add_vector(by_rise, p, plus(g, cross(arm, a)))
            add_vector(by_place, p, x)
            add_vector(by_rate, p, v)
            add_vector(by_accel, p, a)


@compiled(seconds=1)
def trace_points(bodies: Bodies, links: Ints, places: Array, positions: Array, velocities: Array) -> None:
    """Write positions and velocities (T, P, 3) of points at places (P, 3) in the frames of links (P,)."""
    for t in range(positions.shape[0]):
        for k in range(len(links)):
            i = links[k]
            arm = rotated(get_quat(bodies.turns[t], i), get_vector(places, k))
            put_vector(positions[t], k, plus(get_vector(bodies.motion[0, t], i), arm))
            swing = cross(get_vector(bodies.motion[1, t], i), arm)
            put_vector(velocities[t], k, plus(get_vector(bodies.motion[2, t], i), swing))


@compiled(seconds=1)
def backprop_points(
    bodies: Bodies, links: Ints, places: Array, by_positions: Array, by_velocities: Array, by: BodyMotionGrad
) -> None:
    """Add derivatives by the links' motion, given those by the points' positions and velocities (T, P, 3)."""
    for t in range(by_positions.shape[0]):
        for k in range(len(links)):
            i = links[k]
            arm = rotated(get_quat(bodies.turns[t], i), get_vector(places, k))
            x, v = get_vector(by_positions[t], k), get_vector(by_velocities[t], k)
            by_arm = plus(x, cross(v, get_vector(bodies.motion[1, t], i)))
            add_vector(by.motion[0, t], i, x)
            add_vector(by.motion[2, t], i, v)
            add_vector(by.motion[1, t], i, cross(arm, v))
            add_vector(by.moments[t], i, cross(arm, by_arm))


@compiled(seconds=1)
def lever_arms(
    chain: Links, bodies: Bodies, links: Ints, positions: Array, strengths: Array, balls: Array, hinges: Array
) -> None:
    """Add strength (T, P) times the square of how far a unit turn of each joint moves each point.

    positions: (T, P, 3) of the points. balls: (B, T), of a turn about any axis, on average. hinges: (H, T).
    """
    for t in range(positions.shape[0]):
        for k in range(len(links)):
            if strengths[t, k] == 0.0:
                continue
            i = links[k]
            while i >= 0:
                arm = less(get_vector(positions[t], k), get_vector(bodies.motion[0, t], i))
                if chain.balls[i] >= 0:
                    # only what lies across the arm moves it: two of three directions
                    balls[chain.balls[i], t] += strengths[t, k] * 2.0 / 3.0 * dot(arm, arm)
                else:
                    moved = cross(get_vector(bodies.axes[0, t], i), arm)
                    hinges[chain.hinges[i], t] += strengths[t, k] * dot(moved, moved)
                i = chain.parents[i]
