"""Compiled way between poses of the figure and frames of a user's skeleton.

Shapes: T frames, J joints, S segments of the figure.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.forward_kernels import Tree, forward_pose
from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    get_quat,
    get_vector,
    put_quat,
    put_vector,
    rotated,
    turn_after,
    turn_back,
    turn_exp,
    turn_log,
)
from segue.typing import Array, Ints

PoseArrays = tuple[Array, Array, Array]
"""Root (T, 3), balls (T, 7, 4), hinges (T, 20)."""


class Joints(NamedTuple):
    """How the joints of a skeleton follow the figure, and what its numbers mean.

    parents (J,). A joint turns with the segment `below` (J,), -1 where the figure does not know it, or with a
    `fraction` of the way to the segment `above`; less a `share` of the angle of a `hinge`, -1 where there is none; then
    by a `constant` (J, 4). pelvis: which joint sits on the figure's root. scale: metres per unit. upright: (4,) from
    the skeleton's axes to Y up.
    """

    parents: Ints
    below: Ints
    above: Ints
    fraction: Array
    hinge: Ints
    share: Array
    constant: Array
    pelvis: int
    scale: float
    upright: Array


@compiled(seconds=1)
def _expect(joints: Joints, axes: Array, segments: Array, hinges: Array, out: Array) -> None:
    """Write the rotations (J, 4), Y up, that the figure's segments (S, 4) and hinges (20,) expect of its joints."""
    # a field that is read inside the loop would be counted as one reference more, and one less, every time
    below, above, fraction, constant = joints.below, joints.above, joints.fraction, joints.constant
    hinge, untwisted = joints.hinge, joints.share
    for j in range(len(below)):
        if below[j] < 0:
            continue
        turn = get_quat(segments, below[j])
        if below[j] != above[j]:
            x, y, z = turn_log(turn_after(turn_back(turn), get_quat(segments, above[j])))
            share = fraction[j]
            turn = turn_after(turn, turn_exp(share * x, share * y, share * z))
        if hinge[j] >= 0:
            back = -untwisted[j] * hinges[hinge[j]]
            x, y, z = get_vector(axes, hinge[j])
            turn = turn_after(turn, turn_exp(back * x, back * y, back * z))
        put_quat(out, j, turn_after(turn, get_quat(constant, j)))


@compiled(seconds=5)
def dress_frames(
    joints: Joints, tree: Tree, poses: PoseArrays, turns: Array, seat: Array, positions: Array
) -> tuple[Array, Array]:
    """Return local positions (T, J, 3) and rotations (T, J, 4) of poses with a residual, see `Residual`."""
    frames, count = turns.shape[0], turns.shape[1]
    local_positions, local_rotations = positions.copy(), turns.copy()
    origins, segments = np.empty((len(tree.parents), 3)), np.empty((len(tree.parents), 4))
    world_positions, world_rotations, expected = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 4))
    parents, below, pelvis, scale = joints.parents, joints.below, joints.pelvis, joints.scale
    fallen = turn_back((joints.upright[0], joints.upright[1], joints.upright[2], joints.upright[3]))
    for t in range(frames):
        frame_positions, frame_rotations = local_positions[t], local_rotations[t]
        forward_pose(tree, poses[0][t], poses[1][t], poses[2][t], origins, segments)
        _expect(joints, tree.axes, segments, poses[2][t], expected)
        x, y, z = rotated(get_quat(segments, 0), get_vector(seat, t))
        x, y, z = rotated(fallen, (x + origins[0, 0], y + origins[0, 1], z + origins[0, 2]))
        place = (x / scale, y / scale, z / scale)
        for j in range(count):
            base, before = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
            if parents[j] >= 0:
                base, before = get_vector(world_positions, parents[j]), get_quat(world_rotations, parents[j])
            turn = get_quat(frame_rotations, j)
            if below[j] >= 0:
                world = turn_after(fallen, turn_after(get_quat(expected, j), turn))
                put_quat(frame_rotations, j, turn_after(turn_back(before), world))
            else:
                world = turn_after(before, turn)
            put_quat(world_rotations, j, world)
            if j == pelvis:
                apart = (place[0] - base[0], place[1] - base[1], place[2] - base[2])
                put_vector(frame_positions, j, rotated(turn_back(before), apart))
                put_vector(world_positions, j, place)
            else:
                x, y, z = rotated(before, get_vector(frame_positions, j))
                put_vector(world_positions, j, (base[0] + x, base[1] + y, base[2] + z))
    return local_positions, local_rotations


@compiled(seconds=4)
def residual_frames(
    joints: Joints, tree: Tree, poses: PoseArrays, positions: Array, rotations: Array
) -> tuple[Array, Array]:
    """Return turns (T, J, 4) and seat (T, 3) of the residual that poses leave of local positions and rotations."""
    frames, count = rotations.shape[0], rotations.shape[1]
    turns, seat = rotations.copy(), np.empty((frames, 3))
    origins, segments = np.empty((len(tree.parents), 3)), np.empty((len(tree.parents), 4))
    world_positions, world_rotations, expected = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 4))
    parents, below, pelvis, scale = joints.parents, joints.below, joints.pelvis, joints.scale
    upright = (joints.upright[0], joints.upright[1], joints.upright[2], joints.upright[3])
    for t in range(frames):
        frame_turns, frame_positions = turns[t], positions[t]
        forward_pose(tree, poses[0][t], poses[1][t], poses[2][t], origins, segments)
        _expect(joints, tree.axes, segments, poses[2][t], expected)
        for j in range(count):
            world, place = get_quat(frame_turns, j), get_vector(frame_positions, j)
            if parents[j] >= 0:
                before, base = get_quat(world_rotations, parents[j]), get_vector(world_positions, parents[j])
                world = turn_after(before, world)
                x, y, z = rotated(before, place)
                place = (base[0] + x, base[1] + y, base[2] + z)
            put_quat(world_rotations, j, world)
            put_vector(world_positions, j, place)
            if below[j] >= 0:
                put_quat(frame_turns, j, turn_after(turn_back(get_quat(expected, j)), turn_after(upright, world)))
        x, y, z = get_vector(world_positions, pelvis)
        x, y, z = rotated(upright, (x * scale, y * scale, z * scale))
        apart = (x - origins[0, 0], y - origins[0, 1], z - origins[0, 2])
        put_vector(seat, t, rotated(turn_back(get_quat(segments, 0)), apart))
    return turns, seat
