"""Forces and torques of a figure whose bodies move in the world, and the derivatives of a scalar of them.

The net force on a body is its mass times the acceleration of its centre; the net torque about its centre the rate of
its angular momentum, [Ramamoorthi1997] equations 18 to 21, without their dual matrices: I' w + I w' = w x I w + I w'.
What a joint carries is the sum over the bodies beyond it, less gravity: the torque on each body is then the sum of
those at its joints, equal and opposite on the two bodies that a joint holds together, as their section 6 asks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.forward_kernels import Bodies, Links
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
    put_vector,
    rotated,
    times,
    turn_back,
)
from segue.spacetime._body_kernels import BodyMotionGrad
from segue.typing import Array


class Masses(NamedTuple):
    """What the links weigh: masses (L,) kg, centres (L, 3) m, inertias (L, 3, 3) kg m^2 about them; gravity (3,)."""

    masses: Array
    centres: Array
    inertias: Array
    gravity: Array


class Loads(NamedTuple):
    """What the joints carry: forces (T, L, 3) N, moments (T, L, 3) N m about the links' origins, in the world; and

    torques (T, 44): force on the root, then of each link the moment in its parent's frame (a ball joint) or about its
    axis (a hinge), in the order of the figure's degrees of freedom.
    """

    forces: Array
    moments: Array
    torques: Array


@compiled(seconds=1, inline=True)
def _inertia_times(turn: Quat, tensor: Array, v: Vector) -> Vector:
    """Return R I R' v."""
    x, y, z = rotated(turn_back(turn), v)
    along = (
        tensor[0, 0] * x + tensor[0, 1] * y + tensor[0, 2] * z,
        tensor[1, 0] * x + tensor[1, 1] * y + tensor[1, 2] * z,
        tensor[2, 0] * x + tensor[2, 1] * y + tensor[2, 2] * z,
    )
    momentum: Vector = rotated(turn, along)
    return momentum


@compiled(seconds=4)
def joint_loads(links: Links, masses: Masses, bodies: Bodies, loads: Loads) -> None:
    """Write what the joints carry."""
    gravity = (masses.gravity[0], masses.gravity[1], masses.gravity[2])
    count = len(links.parents)
    for t in range(bodies.turns.shape[0]):
        force, moment = loads.forces[t], loads.moments[t]
        column = loads.torques.shape[1]
        force[:] = 0.0
        moment[:] = 0.0
        for i in range(count - 1, -1, -1):
            p, turn = links.parents[i], get_quat(bodies.turns[t], i)
            if masses.masses[i] > 0.0:
                w, b = get_vector(bodies.motion[1, t], i), get_vector(bodies.motion[3, t], i)
                arm = rotated(turn, get_vector(masses.centres, i))
                accel = plus(get_vector(bodies.motion[4, t], i), plus(cross(b, arm), cross(w, cross(w, arm))))
                push = times(masses.masses[i], less(accel, gravity))
                tensor = masses.inertias[i]
                torque = plus(_inertia_times(turn, tensor, b), cross(w, _inertia_times(turn, tensor, w)))
                add_vector(force, i, push)
                add_vector(moment, i, plus(torque, cross(arm, push)))
            n, f = get_vector(moment, i), get_vector(force, i)
            if links.balls[i] >= 0:
                back = turn_back(get_quat(bodies.turns[t], p)) if p >= 0 else (1.0, 0.0, 0.0, 0.0)
                column -= 3
                x, y, z = rotated(back, n)
                loads.torques[t, column], loads.torques[t, column + 1], loads.torques[t, column + 2] = x, y, z
            else:
                column -= 1
                loads.torques[t, column] = dot(n, get_vector(bodies.axes[0, t], i))
            if p >= 0:
                arm = less(get_vector(bodies.motion[0, t], i), get_vector(bodies.motion[0, t], p))
                add_vector(force, p, f)
                add_vector(moment, p, plus(n, cross(arm, f)))
            else:
                loads.torques[t, 0], loads.torques[t, 1], loads.torques[t, 2] = f


@compiled(seconds=6)
def backprop_loads(
    links: Links, masses: Masses, bodies: Bodies, loads: Loads, by_torques: Array, by: BodyMotionGrad
) -> None:
    """Add derivatives by the bodies' motion, given those by the torques (T, 44)."""
    count = len(links.parents)
    by_force, by_moment = np.empty((count, 3)), np.empty((count, 3))
    gravity = (masses.gravity[0], masses.gravity[1], masses.gravity[2])
    for t in range(bodies.turns.shape[0]):
        column = 3
        for i in range(count):
            p, turn = links.parents[i], get_quat(bodies.turns[t], i)
            n, f = get_vector(loads.moments[t], i), get_vector(loads.forces[t], i)
            if p < 0:
                seed_force, seed = (by_torques[t, 0], by_torques[t, 1], by_torques[t, 2]), (0.0, 0.0, 0.0)
            else:
                arm = less(get_vector(bodies.motion[0, t], i), get_vector(bodies.motion[0, t], p))
                seed = get_vector(by_moment, p)
                seed_force = plus(get_vector(by_force, p), cross(seed, arm))
                shift = cross(f, seed)
                add_vector(by.motion[0, t], i, shift)
                add_vector(by.motion[0, t], p, times(-1.0, shift))
            if links.balls[i] >= 0:
                own = (by_torques[t, column], by_torques[t, column + 1], by_torques[t, column + 2])
                column += 3
                if p >= 0:
                    own = rotated(get_quat(bodies.turns[t], p), own)
                    add_vector(by.moments[t], p, cross(own, n))
                seed = plus(seed, own)
            else:
                share = by_torques[t, column]
                column += 1
                axis = get_vector(bodies.axes[0, t], i)
                seed = plus(seed, times(share, axis))
                # the axis is carried by the parent, and turns with it
                add_vector(by.moments[t], p, times(share, cross(axis, n)))
            put_vector(by_force, i, seed_force)
            put_vector(by_moment, i, seed)
            if masses.masses[i] > 0.0:
                _pull_body(masses, bodies, t, i, turn, gravity, seed_force, seed, by)


@compiled(seconds=2, inline=True)
def _pull_body(
    masses: Masses,
    bodies: Bodies,
    t: int,
    i: int,
    turn: Quat,
    gravity: Vector,
    by_push: Vector,
    by_torque: Vector,
    by: BodyMotionGrad,
) -> None:
    """Add derivatives by one body's motion, given those by its net force and by its moment about the link's origin."""
    w, b = get_vector(bodies.motion[1, t], i), get_vector(bodies.motion[3, t], i)
    arm = rotated(turn, get_vector(masses.centres, i))
    swing = cross(w, arm)
    accel = plus(get_vector(bodies.motion[4, t], i), plus(cross(b, arm), cross(w, swing)))
    push = times(masses.masses[i], less(accel, gravity))
    by_pull = times(masses.masses[i], plus(by_push, cross(by_torque, arm)))
    inward = cross(by_pull, w)
    by_arm = plus(cross(push, by_torque), plus(cross(by_pull, b), cross(inward, w)))
    tensor = masses.inertias[i]
    across = cross(by_torque, w)
    spun, grown = _inertia_times(turn, tensor, w), _inertia_times(turn, tensor, b)
    seen, seen_across = _inertia_times(turn, tensor, by_torque), _inertia_times(turn, tensor, across)
    add_vector(by.motion[4, t], i, by_pull)
    add_vector(by.motion[3, t], i, plus(cross(arm, by_pull), seen))
    turned = plus(cross(swing, by_pull), cross(arm, inward))
    add_vector(by.motion[1, t], i, plus(turned, plus(cross(spun, by_torque), seen_across)))
    carried = less(plus(cross(grown, by_torque), cross(spun, across)), plus(cross(b, seen), cross(w, seen_across)))
    add_vector(by.moments[t], i, plus(cross(arm, by_arm), carried))
