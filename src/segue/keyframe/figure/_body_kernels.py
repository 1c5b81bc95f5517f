"""The bodies of the figure in the world, and what derivatives by their motion mean for its joints.

A chain of 27 links: each ball joint is one link, each hinge another. Ball joints are quaternions, so that no pose is
near the edge of a chart, however long a motion goes on turning. World quaternions of the bodies follow from parent to
child as in [Ramamoorthi1997], equation 13, with velocities and accelerations by differentiation.

Shapes: T samples, L links, B ball joints, H hinges. A derivative by a rotation is the vector m for which the scalar
changes by m . e when the rotation is followed by a small turn e.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    Quat,
    Vector,
    get_quat,
    get_vector,
    put_quat,
    put_vector,
    rotated,
    turn_after,
    turn_back,
)
from segue.keyframe.figure._vectors import add_vector, cross, dot, less, plus, times
from segue.typing import Array, Ints


class Links(NamedTuple):
    """The chain: parents (L,) -1 for the root; offsets (L, 3) m; balls (L,) and hinges (L,) or -1; axes (L, 3)."""

    parents: Ints
    offsets: Array
    balls: Ints
    hinges: Ints
    axes: Array


class Drive(NamedTuple):
    """How the joints move: value, velocity and acceleration of each.

    root: (3, T, 3). turns: (T, B, 4) unit quaternions. spins: (2, T, B, 3) angular velocity and acceleration in the
    parent's frame. hinges: (3, T, H).
    """

    root: Array
    turns: Array
    spins: Array
    hinges: Array


class DrivePull(NamedTuple):
    """Derivatives by how the joints move, as in `Drive`; moments: (T, B, 3) by rotation, in the parent's frame."""

    root: Array
    moments: Array
    spins: Array
    hinges: Array


class Bodies(NamedTuple):
    """How the links move in the world: turns (T, L, 4); motion (5, T, L, 3); axes (2, T, L, 3).

    motion: position of the link's origin, angular velocity, velocity, angular acceleration, acceleration. axes: of a
    hinge its axis; of a ball joint its angular velocity and acceleration relative to the parent; all in the world.
    """

    turns: Array
    motion: Array
    axes: Array


class BodyPull(NamedTuple):
    """Derivatives by how the links move in the world, as in `Bodies`; moments: (T, L, 3) those by rotation."""

    moments: Array
    motion: Array


@compiled(seconds=1, inline=True)
def _hinge_turn(axis: Vector, angle: float) -> Quat:
    sine = np.sin(0.5 * angle)
    return np.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2]


@compiled(seconds=4)
def move_bodies(links: Links, drive: Drive, bodies: Bodies) -> None:
    """Write how the links move in the world."""
    for t in range(drive.root.shape[1]):
        place, spin, rate = bodies.motion[0, t], bodies.motion[1, t], bodies.motion[2, t]
        rise, pull = bodies.motion[3, t], bodies.motion[4, t]
        for i in range(len(links.parents)):
            p = links.parents[i]
            if p < 0:
                turn = (1.0, 0.0, 0.0, 0.0)
                w = b = (0.0, 0.0, 0.0)
                put_vector(place, i, get_vector(drive.root[0], t))
                put_vector(rate, i, get_vector(drive.root[1], t))
                put_vector(pull, i, get_vector(drive.root[2], t))
            else:
                turn, w, b = get_quat(bodies.turns[t], p), get_vector(spin, p), get_vector(rise, p)
                arm = rotated(turn, get_vector(links.offsets, i))
                swing = cross(w, arm)
                put_vector(place, i, plus(get_vector(place, p), arm))
                put_vector(rate, i, plus(get_vector(rate, p), swing))
                put_vector(pull, i, plus(get_vector(pull, p), plus(cross(b, arm), cross(w, swing))))
            k = links.balls[i]
            if k >= 0:
                own = rotated(turn, get_vector(drive.spins[0, t], k))
                growth = rotated(turn, get_vector(drive.spins[1, t], k))
                put_quat(bodies.turns[t], i, turn_after(turn, get_quat(drive.turns[t], k)))
                put_vector(bodies.axes[0, t], i, own)
                put_vector(bodies.axes[1, t], i, growth)
            else:
                h = links.hinges[i]
                axis = get_vector(links.axes, i)
                along = rotated(turn, axis)
                own, growth = times(drive.hinges[1, t, h], along), times(drive.hinges[2, t, h], along)
                put_quat(bodies.turns[t], i, turn_after(turn, _hinge_turn(axis, drive.hinges[0, t, h])))
                put_vector(bodies.axes[0, t], i, along)
            put_vector(spin, i, plus(w, own))
            put_vector(rise, i, plus(b, plus(growth, cross(w, own))))


@compiled(seconds=6)
def pull_bodies(links: Links, drive: Drive, bodies: Bodies, by_bodies: BodyPull, by: DrivePull) -> None:
    """Write derivatives by the joints' motion, given those by the bodies', which are used up."""
    for t in range(drive.root.shape[1]):
        moment = by_bodies.moments[t]
        by_place, by_spin, by_rate = by_bodies.motion[0, t], by_bodies.motion[1, t], by_bodies.motion[2, t]
        by_rise, by_pull = by_bodies.motion[3, t], by_bodies.motion[4, t]
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
                along, rate, gain = get_vector(bodies.axes[0, t], i), drive.hinges[1, t, h], drive.hinges[2, t, h]
                by_own = plus(s, cross(g, w))
                own = times(rate, along)
                by.hinges[0, t, h] = dot(m, along)
                by.hinges[1, t, h] = dot(by_own, along)
                by.hinges[2, t, h] = dot(g, along)
                turning = cross(along, plus(times(rate, by_own), times(gain, g)))
            x, v, a = get_vector(by_place, i), get_vector(by_rate, i), get_vector(by_pull, i)
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
            add_vector(by_pull, p, a)
