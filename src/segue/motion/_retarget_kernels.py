"""Compiled map between poses of the figure and frames of a user's skeleton, and residuals across a gap.

Shapes: T frames or times, J joints, S segments of the figure.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.forward_kernels import Tree, forward_pose
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
    turn_exp,
    turn_log,
)
from segue.typing import Array, Ints

PoseArrays = tuple[Array, Array, Array]
"""Root (T, 3), balls (T, 7, 4), hinges (T, 20)."""


class Joints(NamedTuple):
    """How the joints of a skeleton follow the figure, and its unit and axes.

    parents (J,). A joint turns with the segment `below` (J,), -1 if the figure does not predict it, or with a
    `fraction` of the rotation to the segment `above`. A `share` of the angle of a `hinge` is subtracted, -1 if it has
    none; a `constant` (J, 4) follows. pelvis: the joint at the figure's root. scale: metres per unit. upright: (4,)
    from the skeleton's axes to Y up.
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
def skeleton_frames(
    joints: Joints, tree: Tree, poses: PoseArrays, turns: Array, pelvis_offset: Array, positions: Array
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
        x, y, z = rotated(get_quat(segments, 0), get_vector(pelvis_offset, t))
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
    """Return turns (T, J, 4) and pelvis offset (T, 3) of the residual against local positions and rotations."""
    frames, count = rotations.shape[0], rotations.shape[1]
    turns, pelvis_offset = rotations.copy(), np.empty((frames, 3))
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
        put_vector(pelvis_offset, t, rotated(turn_back(get_quat(segments, 0)), apart))
    return turns, pelvis_offset


Edge = tuple[Array, Array, Array]
"""Turns (3, J, 4), pelvis offset (3, 3) and positions (3, J, 3), at the edge and one and two fine steps outside."""


@compiled(seconds=1)
def _coasting(since: float, settling: float) -> float:
    """Return the displacement of a value with rate 1 at time 0 that returns to rest at its old place.

    It is the cubic that is 0 with slope 1 at 0, and 0 with slope 0 from `settling` seconds away on either side.
    """
    away = abs(since) / settling
    return since * (1.0 - away) ** 2 if away < 1.0 else 0.0


@compiled(seconds=1)
def _rest(rate: Vector, settling: float, excursion: float) -> float:
    """Return the seconds in which a rotation at a rate comes to rest: its cubic reaches 4/27 of rate times seconds."""
    speed = np.sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2])
    return min(settling, 6.75 * excursion / speed) if speed > 0.0 else settling


@compiled(seconds=1)
def _between(a: Quat, b: Quat) -> Vector:
    """Return the rotation vector, in a's frame, that leads from a to b."""
    x, y, z = turn_log(turn_after(turn_back(a), b))
    return x, y, z


@compiled(seconds=1)
def _turn_rate(turns: Array, j: int, outwards: float) -> Vector:
    """Return a joint's rate at an edge, in its own frame; outwards: seconds from a row to the next, either way."""
    here = get_quat(turns[0], j)
    near, far = _between(here, get_quat(turns[1], j)), _between(here, get_quat(turns[2], j))
    scale = 0.5 / outwards
    return scale * (4.0 * near[0] - far[0]), scale * (4.0 * near[1] - far[1]), scale * (4.0 * near[2] - far[2])


@compiled(seconds=1)
def _advanced(q: Quat, rate: Vector, seconds: float) -> Quat:
    """Return q after turning at a rate, in its own frame, for so many seconds."""
    w, x, y, z = turn_after(q, turn_exp(seconds * rate[0], seconds * rate[1], seconds * rate[2]))
    return w, x, y, z


@compiled(seconds=1)
def _bridge_vectors(before: Array, after: Array, weights: Array, step: float, out: Array) -> None:
    """Write vectors (N,) between two edges (3, N); weights: the interpolation weight and both edges' displacements."""
    leaving, arriving = -0.5 * weights[1] / step, 0.5 * weights[2] / step
    for i in range(len(out)):
        first, last = before[0, i], after[0, i]
        out[i] = first + weights[0] * (last - first)
        out[i] += leaving * (4.0 * before[1, i] - 3.0 * first - before[2, i])
        out[i] += arriving * (4.0 * after[1, i] - 3.0 * last - after[2, i])


@compiled(seconds=3)
def bridge_residual(
    times: Array, start: float, stop: float, before: Edge, after: Edge, step: float, settling: float, excursion: float
) -> Edge:
    """Return turns (T, J, 4), pelvis_offset (T, 3) and positions (T, J, 3) between two edges.

    step: seconds between the rows of an edge. settling: seconds in which a changing residual comes to rest; a rotation
    rests sooner if it would go further than `excursion` rad.
    """
    count, joints = len(times), before[0].shape[1]
    turns, pelvis_offset, positions = np.empty((count, joints, 4)), np.empty((count, 3)), np.empty((count, joints * 3))
    weights = np.empty((count, 3))
    beside = before[2].reshape((3, joints * 3)), after[2].reshape((3, joints * 3))
    for t in range(count):
        u = min(max((times[t] - start) / (stop - start), 0.0), 1.0)
        weights[t, 0] = u * u * (3.0 - 2.0 * u)
        weights[t, 1] = _coasting(times[t] - start, settling)
        weights[t, 2] = _coasting(times[t] - stop, settling)
        _bridge_vectors(before[1], after[1], weights[t], step, pelvis_offset[t])
        _bridge_vectors(beside[0], beside[1], weights[t], step, positions[t])
    for j in range(joints):
        first, last = get_quat(before[0][0], j), get_quat(after[0][0], j)
        way = _between(first, last)
        leaving, arriving = _turn_rate(before[0], j, -step), _turn_rate(after[0], j, step)
        rest_first, rest_last = _rest(leaving, settling, excursion), _rest(arriving, settling, excursion)
        for t in range(count):
            q = _advanced(first, way, weights[t, 0])
            if times[t] - start < rest_first:
                q = _advanced(q, leaving, _coasting(times[t] - start, rest_first))
            if stop - times[t] < rest_last:
                q = _advanced(q, arriving, _coasting(times[t] - stop, rest_last))
            turns[t, j, 0], turns[t, j, 1], turns[t, j, 2], turns[t, j, 3] = q
    return turns, pelvis_offset, positions.reshape((count, joints, 3))
