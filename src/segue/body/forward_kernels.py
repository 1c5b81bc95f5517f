"""Compiled forward kinematics of the figure: positions and rotations of its segments, with rates if asked.

`child_frame` and `child_rates` are the one step from a parent to its child; every forward pass over the figure inlines
them. The solver's passes in `segue.dynamics` and `segue.spacetime` work on any tree and on eight samples at once.

Shapes: T frames, S segments, L links, B ball joints, H hinges, D degrees of freedom.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    Quat,
    Vector,
    cross,
    get_quat,
    get_vector,
    plus,
    put_quat,
    put_vector,
    rotated,
    times,
    turn_after,
)
from segue.typing import Array, Ints

Frame = tuple[Quat, Vector]
"""Rotation and origin of a segment or link in the world."""

Rates = tuple[Vector, Vector, Vector, Vector]
"""Angular velocity, velocity of the origin, angular acceleration and acceleration of the origin, in the world."""


class Tree(NamedTuple):
    """The figure's segments: parents (S,), offsets (S, 3) m; what moves each: a ball joint or hinges; axes (H, 3).

    balls: (S,) index of the ball joint, or -1. hinges: (S, 2) the first hinge, and the one after the last. dofs: (S,)
    the first degree of freedom of each segment's rotation. dof_segments: (D,) the segment that each degree of freedom
    moves. ancestors: (D, D), depths: (D,) the degrees of freedom on the way to the root, and how many these are.
    """

    parents: Ints
    offsets: Array
    balls: Ints
    hinges: Ints
    axes: Array
    dofs: Ints
    dof_segments: Ints
    ancestors: npt.NDArray[np.uint64]  # unsigned: an index that cannot count from the end needs no look at its sign
    depths: Ints


class Links(NamedTuple):
    """The figure as a chain with one joint a link: parents (L,) -1 for the root; offsets (L, 3) m; axes (L, 3).

    balls: (L,) and hinges: (L,) the joint that moves each link, or -1.
    """

    parents: Ints
    offsets: Array
    balls: Ints
    hinges: Ints
    axes: Array


class JointMotion(NamedTuple):
    """How the joints move: value, velocity and acceleration of each.

    root: (3, T, 3). turns: (T, B, 4) unit quaternions. spins: (2, T, B, 3) angular velocity and acceleration in the
    parent's frame. hinges: (3, T, H).
    """

    root: Array
    turns: Array
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


@compiled(seconds=1, inline=True)
def hinge_turn(axis: Vector, angle: float) -> Quat:
    """Return the rotation by an angle in radians about a unit axis."""
    sine = np.sin(0.5 * angle)
    return np.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2]


@compiled(seconds=1, inline=True)
def child_frame(parent: Frame, arm: Vector, turn: Quat) -> Frame:
    """Return the frame of a child, whose joint is at an arm from the parent's origin, in the world, and turns it."""
    return turn_after(parent[0], turn), plus(parent[1], arm)


@compiled(seconds=1, inline=True)
def child_rates(parent: Rates, arm: Vector, spin: Vector, rise: Vector) -> Rates:
    """Return the rates of a child from its parent's.

    arm: from the parent's origin to the child's. spin, rise: the child's angular velocity and acceleration relative to
    the parent. All are in the world.
    """
    w, velocity, b, acceleration = parent
    swing = cross(w, arm)
    return (
        plus(w, spin),
        plus(velocity, swing),
        plus(b, plus(rise, cross(w, spin))),
        plus(acceleration, plus(cross(b, arm), cross(w, swing))),
    )


@compiled(seconds=1)
def forward_pose(
    tree: Tree,
    root: Array,
    balls: Array,
    hinges: Array,
    positions: Array,
    rotations: Array,
    dof_axes: Array | None = None,
) -> None:
    """Write world positions (S, 3) and rotations (S, 4) of the segments in a pose: (3,), (B, 4), (H,).

    dof_axes: (D, 3), if given, receives the axes in the world about which degrees of freedom turn their segments.
    """
    # a field that is read inside the loop would be counted as one reference more, and one less, every time
    parents, offsets, ball_of, hinges_of, axes = tree.parents, tree.offsets, tree.balls, tree.hinges, tree.axes
    dofs = tree.dofs
    for s in range(len(parents)):
        parent, ball, first, last = parents[s], ball_of[s], hinges_of[s, 0], hinges_of[s, 1]
        if parent < 0:
            turn, place = get_quat(balls, ball), (root[0], root[1], root[2])
        else:
            above = get_quat(rotations, parent)
            arm = rotated(above, get_vector(offsets, s))
            if ball >= 0:
                own = get_quat(balls, ball)
            else:
                axis = get_vector(axes, first)
                own = hinge_turn(axis, hinges[first])
                if dof_axes is not None:
                    put_vector(dof_axes, dofs[s], rotated(above, axis))
            turn, place = child_frame((above, get_vector(positions, parent)), arm, own)
            for h in range(first + 1, last):
                axis = get_vector(axes, h)
                if dof_axes is not None:
                    put_vector(dof_axes, dofs[s] + h - first, rotated(turn, axis))
                turn = turn_after(turn, hinge_turn(axis, hinges[h]))
        if dof_axes is not None and ball >= 0:
            put_vector(dof_axes, dofs[s], rotated(turn, (1.0, 0.0, 0.0)))
            put_vector(dof_axes, dofs[s] + 1, rotated(turn, (0.0, 1.0, 0.0)))
            put_vector(dof_axes, dofs[s] + 2, rotated(turn, (0.0, 0.0, 1.0)))
        put_vector(positions, s, place)
        put_quat(rotations, s, turn)


@compiled(seconds=2)
def forward_frames(tree: Tree, root: Array, balls: Array, hinges: Array) -> tuple[Array, Array]:
    """Return world positions (T, S, 3) and rotations (T, S, 4) of the segments in poses (T, 3), (T, B, 4), (T, H)."""
    positions = np.empty((len(root), len(tree.parents), 3))
    rotations = np.empty((len(root), len(tree.parents), 4))
    for t in range(len(root)):
        forward_pose(tree, root[t], balls[t], hinges[t], positions[t], rotations[t])
    return positions, rotations


@compiled(seconds=4)
def forward_motion(links: Links, joints: JointMotion, bodies: Bodies) -> None:
    """Write how the links move in the world."""
    for t in range(joints.root.shape[1]):
        turns, balls, place, axes = bodies.turns[t], joints.turns[t], bodies.motion[0, t], bodies.axes[0, t]
        spin, velocity = bodies.motion[1, t], bodies.motion[2, t]
        rise, acceleration = bodies.motion[3, t], bodies.motion[4, t]
        for i in range(len(links.parents)):
            p = links.parents[i]
            if p < 0:
                frame = (1.0, 0.0, 0.0, 0.0), get_vector(joints.root[0], t)
                at_rest = (0.0, 0.0, 0.0)
                rates = at_rest, get_vector(joints.root[1], t), at_rest, get_vector(joints.root[2], t)
            else:
                frame = get_quat(turns, p), get_vector(place, p)
                rates = get_vector(spin, p), get_vector(velocity, p), get_vector(rise, p), get_vector(acceleration, p)
            k, turn = links.balls[i], frame[0]
            if k >= 0:
                own = get_quat(balls, k)
                own_spin = rotated(turn, get_vector(joints.spins[0, t], k))
                own_rise = rotated(turn, get_vector(joints.spins[1, t], k))
                put_vector(axes, i, own_spin)
                put_vector(bodies.axes[1, t], i, own_rise)
            else:
                h, axis = links.hinges[i], get_vector(links.axes, i)
                own = hinge_turn(axis, joints.hinges[0, t, h])
                along = rotated(turn, axis)
                own_spin, own_rise = times(joints.hinges[1, t, h], along), times(joints.hinges[2, t, h], along)
                put_vector(axes, i, along)
            arm = rotated(turn, get_vector(links.offsets, i))
            frame, rates = child_frame(frame, arm, own), child_rates(rates, arm, own_spin, own_rise)
            put_quat(turns, i, frame[0])
            put_vector(place, i, frame[1])
            put_vector(spin, i, rates[0])
            put_vector(velocity, i, rates[1])
            put_vector(rise, i, rates[2])
            put_vector(acceleration, i, rates[3])
