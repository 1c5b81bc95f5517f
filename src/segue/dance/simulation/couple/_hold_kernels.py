"""Compiled forces between partners: palms that grip, hands that lie on the other body, and trunks and legs that touch.

Shapes: C contacts, 20 bodies of the engine (the world is the first). A hand touches the round surface of a capsule. A
gripped palm is a capsule of zero size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled, copy_into
from segue.curves.quaternion_kernels import dot
from segue.dance.body._capsule_kernels import nearest_shares
from segue.dance.simulation.control._sense_kernels import Mechanics
from segue.typing import Array, Flags, Ints


class BodyState(NamedTuple):
    """Views of the engine's arrays of one body, which follow its state.

    places (20, 3), axes (20, 9) of segments, masses (20, 3) their centres of mass, spins (20, 6) angular and linear
    velocity, the latter at centre (3,), the whole body's centre of mass.
    """

    places: Array
    axes: Array
    masses: Array
    spins: Array
    centre: Array


class ContactTable(NamedTuple):
    """The contacts of a hold. All (C,) or (C, 3), in segments' frames.

    hand_of: 0 if the leader's hand touches the follower, 1 for the follower's. hands, palms: body of the hand and
    middle of its palm. others, starts, stops, radii: the capsule that it touches. grips: whether the hand grips, or
    only pushes. stiffness N/m, damping N s/m. pads: m of soft flesh on the surface. friction: of a lying hand. seeking:
    N/m, lost: m; the own arm draws a hand that has lost its contact back to it, up to that distance. A grip opens from
    half of that distance on.
    """

    hand_of: Ints
    hands: Ints
    palms: Array
    others: Ints
    starts: Array
    stops: Array
    radii: Array
    grips: Flags
    stiffness: Array
    damping: Array
    pads: Array
    friction: Array
    seeking: Array
    lost: Array


class ContactState(NamedTuple):
    """The state of the contacts, changed in place.

    anchors: (C, 3) in the other's frame, where a lying hand sticks. sticks: (C,). forces: (C, 3) N in the world, on the
    follower. points: (C, 3) where they act. gaps: (C,) m from palm to palm or surface; negative if flesh is compressed.
    """

    anchors: Array
    sticks: Flags
    forces: Array
    points: Array
    gaps: Array


@compiled(seconds=1)
def point_of(body: BodyState, number: int, local: Array) -> Array:
    """Return a point (3,) of a body in world axes."""
    point = np.empty(3)
    for k in range(3):
        point[k] = body.places[number, k]
        for j in range(3):
            point[k] += body.axes[number, 3 * k + j] * local[j]
    return point


@compiled(seconds=1)
def _local(body: BodyState, number: int, point: Array) -> Array:
    """Return a world point (3,) in a body's frame."""
    local = np.zeros(3)
    for j in range(3):
        for k in range(3):
            local[j] += body.axes[number, 3 * k + j] * (point[k] - body.places[number, k])
    return local


@compiled(seconds=1)
def speed_of(body: BodyState, number: int, point: Array) -> Array:
    """Return the velocity (3,) of a body at a world point."""
    spin, at = body.spins[number], point - body.centre
    speed = np.empty(3)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        speed[k] = spin[3 + k] + spin[i] * at[j] - spin[j] * at[i]
    return speed


@compiled(seconds=1)
def _push(body: BodyState, number: int, point: Array, force: Array, wrenches: Array) -> None:
    """Add a force (3,) at a point of a body to wrenches (20, 6)."""
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        across = point[i] - body.masses[number, i], point[j] - body.masses[number, j]
        wrenches[number, k] += force[k]
        wrenches[number, 3 + k] += across[0] * force[j] - across[1] * force[i]


@compiled(seconds=1)
def push_both(
    one: BodyState, first: int, other: BodyState, second: int, point: Array, force: Array, wrenches: Array
) -> None:
    """Add a force (3,) at a point on a body of the second dancer, and its opposite on the first, to wrenches (2, 20,
    6).
    """
    _push(one, first, point, -force, wrenches[0])
    _push(other, second, point, force, wrenches[1])


@compiled(seconds=6)
def hold_forces(
    leader: BodyState,
    follower: BodyState,
    table: ContactTable,
    shares: Array,
    state: ContactState,
    wrenches: Array,
    drawn: Array,
) -> None:
    """Compute the force of each contact, and add it to wrenches (2, 20, 6) of leader and follower.

    drawn: (2, 20, 6) likewise, receives the virtual forces that draw lost hands back; they do not act in the physics.
    shares: (C,) from 0, released, to 1. A lying hand pushes along the surface normal with friction: it sticks to an
    anchor until friction no longer holds it.
    """
    for c in range(len(table.hand_of)):
        led = table.hand_of[c] == 0
        own, partner = (leader, follower) if led else (follower, leader)
        hand, other = table.hands[c], table.others[c]
        palm = point_of(own, hand, table.palms[c])
        start, stop = point_of(partner, other, table.starts[c]), point_of(partner, other, table.stops[c])
        along, off = stop - start, palm - start
        length = dot(along, along)
        share = min(max(dot(off, along) / length, 0.0), 1.0) if length > 0.0 else 0.0
        away = palm - (start + share * along)
        distance = np.sqrt(dot(away, away))
        normal = away / max(distance, 1e-9)
        state.gaps[c] = distance - table.radii[c]
        force = np.zeros(3)
        point = palm - 0.5 * away if table.grips[c] else palm
        stiffness, damping = shares[c] * table.stiffness[c], shares[c] * table.damping[c]
        moving = speed_of(own, hand, point) - speed_of(partner, other, point)
        depth = table.pads[c] - state.gaps[c]
        if table.grips[c]:
            closed = min(max(2.0 * (1.0 - distance / table.lost[c]), 0.0), 1.0)
            copy_into(force, -closed * (stiffness * away + damping * moving))
        elif depth > 0.0 and stiffness > 0.0:
            push = max(stiffness * depth - damping * dot(moving, normal), 0.0)
            if not state.sticks[c]:
                state.anchors[c] = _local(partner, other, palm)
            stretch = palm - point_of(partner, other, state.anchors[c])
            stretch -= dot(stretch, normal) * normal
            sliding = moving - dot(moving, normal) * normal
            rub = -stiffness * stretch - damping * sliding
            most, size = table.friction[c] * push, np.sqrt(dot(rub, rub))
            if size > most:
                rub *= most / size
                state.anchors[c] = _local(partner, other, palm + (rub + damping * sliding) / stiffness)
            copy_into(force, push * normal + rub)
        state.sticks[c] = not table.grips[c] and depth > 0.0
        # the force on the hand is the opposite of the force on the partner
        sign = -1.0 if led else 1.0
        state.forces[c] = sign * force
        state.points[c] = point
        if led:
            push_both(leader, hand, follower, other, point, -force, wrenches)
        else:
            push_both(leader, other, follower, hand, point, force, wrenches)
        wish = -shares[c] * table.seeking[c] * min(max(state.gaps[c], 0.0), table.lost[c]) * normal
        _push(own, hand, palm, wish, drawn[table.hand_of[c]])


@compiled(seconds=2)
def generalized_forces(mechanics: Mechanics, masses: Array, wrenches: Array) -> Array:
    """Return the generalized forces (n,) of wrenches (20, 6) at the segments' centres of mass (20, 3)."""
    axes, moves, n = mechanics.axes, mechanics.moves, len(mechanics.velocity)
    torques = np.zeros(n)
    for body in range(1, len(wrenches)):
        if not wrenches[body].any():
            continue
        at = masses[body] - mechanics.centre
        for i in range(n):
            if moves[body, i]:
                for k in range(3):
                    a, b = (k + 1) % 3, (k + 2) % 3
                    speed = axes[i, 3 + k] + axes[i, a] * at[b] - axes[i, b] * at[a]
                    torques[i] += wrenches[body, k] * speed + wrenches[body, 3 + k] * axes[i, k]
    return torques


@compiled(seconds=1)
def record_forces(forces: Array, gaps: Array, shares: Array, squares: Array, largest: Array, drift: Array) -> None:
    """Add the squares of forces (C, 3) to squares (C,), and update the largest square, and the largest gap in full
    hold.
    """
    for c in range(len(forces)):
        square = forces[c, 0] ** 2 + forces[c, 1] ** 2 + forces[c, 2] ** 2
        squares[c] += square
        largest[c] = max(largest[c], square)
        if shares[c] >= 1.0:
            drift[c] = max(drift[c], gaps[c])


class Capsules(NamedTuple):
    """Capsules of a body: bodies (K,) that they belong to, starts, stops (K, 3) in the bodies' frames, radii (K,)."""

    bodies: npt.NDArray[np.int64]
    starts: Array
    stops: Array
    radii: Array


@compiled(seconds=6)
def touch_forces(
    leader: BodyState,
    follower: BodyState,
    led: Capsules,
    followed: Capsules,
    stiffness: float,
    damping: float,
    wrenches: Array,
) -> float:
    """Add the forces between overlapping capsules to wrenches (2, 20, 6), and return the largest force, N.

    stiffness: N/m of overlap. damping: N s/m. The force is never attractive.
    """
    starts, ways = np.empty((len(led.radii), 3)), np.empty((len(led.radii), 3))
    for i in range(len(led.radii)):
        starts[i] = point_of(leader, led.bodies[i], led.starts[i])
        ways[i] = point_of(leader, led.bodies[i], led.stops[i]) - starts[i]
    largest = 0.0
    for j in range(len(followed.radii)):
        start = point_of(follower, followed.bodies[j], followed.starts[j])
        way = point_of(follower, followed.bodies[j], followed.stops[j]) - start
        v = (way[0], way[1], way[2])
        for i in range(len(led.radii)):
            w = (starts[i, 0] - start[0], starts[i, 1] - start[1], starts[i, 2] - start[2])
            s, t = nearest_shares(w, (ways[i, 0], ways[i, 1], ways[i, 2]), v)
            x = w[0] + s * ways[i, 0] - t * v[0]
            y = w[1] + s * ways[i, 1] - t * v[1]
            z = w[2] + s * ways[i, 2] - t * v[2]
            distance = np.sqrt(x * x + y * y + z * z)
            depth = led.radii[i] + followed.radii[j] - distance
            if depth <= 0.0 or distance <= 0.0:
                continue
            normal = np.array([-x, -y, -z]) / distance
            point = start + t * way - (followed.radii[j] - 0.5 * depth) * normal
            moving = speed_of(follower, followed.bodies[j], point) - speed_of(leader, led.bodies[i], point)
            push = max(stiffness * depth - damping * dot(moving, normal), 0.0)
            largest = max(largest, push)
            push_both(leader, led.bodies[i], follower, followed.bodies[j], point, push * normal, wrenches)
    return largest
