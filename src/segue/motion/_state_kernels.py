"""Compiled states of the figure, moved, mirrored and combined track by track, and frames of a clip at any times.

Shapes: T times. Columns of a spline through poses: root 3, ball joints 7 x 4, hinges 20. For a clip: F frames, J
joints, M joints that move in their parent's frame.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    Quat,
    Vector,
    align_signs,
    get_quat,
    put_quat,
    put_vector,
    turn_after,
    turn_back,
)
from segue.curves.spline_kernels import Knots, evaluate_row
from segue.typing import Array, Ints

_SAME_TIME = 1e-6  # of a frame

Parts = tuple[Array, Array, Array, Array, Array, Array, Array, Array, Array]
"""Value, velocity and acceleration of the root (T, 3), of the balls (T, 7, 4 or 3) and of the hinges (T, 20)."""


@compiled(seconds=1, inline=True)
def _unit(p: Quat, dp: Quat, ddp: Quat) -> tuple[Quat, Vector, Vector]:
    """Return the rotation along p / |p| with its angular velocity and acceleration in the parent's frame.

    With q = p / |p|: omega = 2 vec(q' q*) and alpha = 2 vec(q'' q*), since q' q'* is a real number.
    """
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
    scale, inverse = 1.0 / np.sqrt(square), 2.0 / square
    growth = 2.0 * (p[0] * dp[0] + p[1] * dp[1] + p[2] * dp[2] + p[3] * dp[3]) / square
    _, x, y, z = turn_after(dp, turn_back(p))
    _, u, v, w = turn_after(ddp, turn_back(p))
    return (
        (p[0] * scale, p[1] * scale, p[2] * scale, p[3] * scale),
        (inverse * x, inverse * y, inverse * z),
        (inverse * (u - growth * x), inverse * (v - growth * y), inverse * (w - growth * z)),
    )


@compiled(seconds=2)
def angular(p: Array, dp: Array, ddp: Array) -> tuple[Array, Array, Array]:
    """Return unit quaternions (T, 4), angular velocity and acceleration (T, 3) of quaternions and their derivatives."""
    value, velocity, acceleration = np.empty((len(p), 4)), np.empty((len(p), 3)), np.empty((len(p), 3))
    for t in range(len(p)):
        turn, rate, growth = _unit(get_quat(p, t), get_quat(dp, t), get_quat(ddp, t))
        put_quat(value, t, turn)
        put_vector(velocity, t, rate)
        put_vector(acceleration, t, growth)
    return value, velocity, acceleration


@compiled(seconds=3)
def figure_state(knots: Knots, times: Array, balls: int) -> Parts:
    """Return the whole figure's state along a spline through its poses."""
    columns = knots.values.shape[1]
    count, after = len(times), 3 + 4 * balls
    hinges = columns - after
    row = np.empty((3, columns))
    turning = np.empty((3 * balls, 4))
    root = np.empty((3, count, 3))
    turns, rates = np.empty((count * balls, 4)), np.empty((2, count * balls, 3))
    angles = np.empty((3, count, hinges))
    for t in range(count):
        evaluate_row(knots, times[t], 0, columns, row)
        for order in range(3):
            for i in range(3):
                root[order, t, i] = row[order, i]
            for b in range(balls):
                for i in range(4):
                    turning[order * balls + b, i] = row[order, 3 + 4 * b + i]
            for i in range(hinges):
                angles[order, t, i] = row[order, after + i]
        for b in range(balls):
            turn, rate, growth = _unit(
                get_quat(turning, b), get_quat(turning, balls + b), get_quat(turning, 2 * balls + b)
            )
            put_quat(turns, t * balls + b, turn)
            put_vector(rates[0], t * balls + b, rate)
            put_vector(rates[1], t * balls + b, growth)
    shape = (count, balls, 3)
    return (
        root[0],
        root[1],
        root[2],
        turns.reshape((count, balls, 4)),
        rates[0].reshape(shape),
        rates[1].reshape(shape),
        angles[0],
        angles[1],
        angles[2],
    )


@compiled(seconds=1)
def retime_state(parts: Parts, rate: float) -> None:
    """Scale velocities and accelerations in place for another time rate."""
    for k in range(len(parts[0])):
        parts[1][k] *= rate
        parts[2][k] *= rate * rate
        parts[4][k] *= rate
        parts[5][k] *= rate * rate
        parts[7][k] *= rate
        parts[8][k] *= rate * rate


@compiled(seconds=2)
def reflected_state(parts: Parts, other_balls: Ints, other_hinges: Ints) -> Parts:
    """Return the state reflected in the plane x = 0, left and right exchanged by the indices."""
    root, turns, angles = (parts[0], parts[1], parts[2]), (parts[3], parts[4], parts[5]), (parts[6], parts[7], parts[8])
    new_root = (np.copy(root[0]), np.copy(root[1]), np.copy(root[2]))
    new_turns = (np.empty_like(turns[0]), np.empty_like(turns[1]), np.empty_like(turns[2]))
    new_angles = (np.empty_like(angles[0]), np.empty_like(angles[1]), np.empty_like(angles[2]))
    for order in range(3):
        skip = 1 if order == 0 else 0  # the quaternion's real part comes first
        for t in range(len(root[0])):
            new_root[order][t, 0] *= -1.0
            for b in range(len(other_balls)):
                source, target = turns[order][t, other_balls[b]], new_turns[order][t, b]
                if order == 0:
                    target[0] = source[0]
                # an axis of rotation is a pseudovector
                target[skip] = source[skip]
                target[skip + 1] = -source[skip + 1]
                target[skip + 2] = -source[skip + 2]
            for h in range(len(other_hinges)):
                new_angles[order][t, h] = angles[order][t, other_hinges[h]]
    return (
        new_root[0],
        new_root[1],
        new_root[2],
        new_turns[0],
        new_turns[1],
        new_turns[2],
        new_angles[0],
        new_angles[1],
        new_angles[2],
    )


@compiled(seconds=1)
def _turn_about_y(cosine: float, sine: float, vector: Array) -> None:
    x, z = vector[0], vector[2]
    vector[0] = cosine * x + sine * z
    vector[2] = cosine * z - sine * x


@compiled(seconds=2)
def placed_state(parts: Parts, turn: float, x: float, z: float, scale: float, rise: float) -> None:
    """Scale the root's path, turn it about the vertical through the origin, then move and lift it, in place."""
    cosine, sine = np.cos(turn), np.sin(turn)
    half_cosine, half_sine = np.cos(0.5 * turn), np.sin(0.5 * turn)
    for t in range(len(parts[0])):
        for part in (parts[0], parts[1], parts[2]):
            _turn_about_y(scale * cosine, scale * sine, part[t])
            part[t, 1] *= scale
        parts[0][t, 0] += x
        parts[0][t, 1] += rise
        parts[0][t, 2] += z
        q = parts[3][t, 0]
        a, b, c, d = q[0], q[1], q[2], q[3]
        q[0] = half_cosine * a - half_sine * c
        q[1] = half_cosine * b + half_sine * d
        q[2] = half_cosine * c + half_sine * a
        q[3] = half_cosine * d - half_sine * b
        _turn_about_y(cosine, sine, parts[4][t, 0])
        _turn_about_y(cosine, sine, parts[5][t, 0])


@compiled(seconds=2)
def copy_tracks(source: Parts, first: int, tracks: npt.NDArray[np.bool_], out: Parts) -> None:
    """Copy some tracks of a state, root position, balls, then hinges, to the times of another from `first` on."""
    balls = source[3].shape[1]
    for t in range(len(source[0])):
        if tracks[0]:
            out[0][first + t] = source[0][t]
            out[1][first + t] = source[1][t]
            out[2][first + t] = source[2][t]
        for b in range(balls):
            if tracks[1 + b]:
                out[3][first + t, b] = source[3][t, b]
                out[4][first + t, b] = source[4][t, b]
                out[5][first + t, b] = source[5][t, b]
        for h in range(source[6].shape[1]):
            if tracks[1 + balls + h]:
                out[6][first + t, h] = source[6][t, h]
                out[7][first + t, h] = source[7][t, h]
                out[8][first + t, h] = source[8][t, h]


@compiled(seconds=2)
def rest_tracks(parts: Parts, kept: npt.NDArray[np.bool_]) -> None:
    """Set all tracks but the kept ones to zero, in place; tracks are numbered as in `copy_tracks`."""
    balls = parts[3].shape[1]
    for t in range(len(parts[0])):
        if not kept[0]:
            parts[0][t] = 0.0
            parts[1][t] = 0.0
            parts[2][t] = 0.0
        for b in range(balls):
            if not kept[1 + b]:
                parts[3][t, b] = 0.0
                parts[3][t, b, 0] = 1.0
                parts[4][t, b] = 0.0
                parts[5][t, b] = 0.0
        for h in range(parts[6].shape[1]):
            if not kept[1 + balls + h]:
                parts[6][t, h] = 0.0
                parts[7][t, h] = 0.0
                parts[8][t, h] = 0.0


@compiled(seconds=2)
def segment_runs(edges: Array, times: Array, tiny: float) -> Ints:
    """Return runs (R, 3) of successive times in one segment: the first, the one after the last, and the segment.

    Segment 2 k is edge k within a `tiny` time, and 2 k + 1 lies between it and the next. -1 is before all edges.
    """
    runs = np.empty((len(times), 3), dtype=np.int64)
    count = 0
    for t in range(len(times)):
        k = np.searchsorted(edges, times[t] + tiny, side="right") - 1
        place = 2 * k if k >= 0 and times[t] <= edges[k] + tiny else 2 * k + 1
        if count and runs[count - 1, 2] == place:
            runs[count - 1, 1] = t + 1
        else:
            runs[count, 0], runs[count, 1], runs[count, 2] = t, t + 1, place
            count += 1
    return runs[:count]


@compiled(seconds=3)
def clip_frames(
    knots: Knots, times: Array, positions: Array, rotations: Array, moving: Ints
) -> tuple[Array, Array, Ints]:
    """Return local positions (T, J, 3), rotations (T, J, 4), and which frame each is, or -1 where it lies between two.

    knots: the spline through all rotations (F, J, 4), then the positions (F, J, 3) of the joints that move (M,).
    """
    count, joints, last = len(times), rotations.shape[1], rotations.shape[0] - 1
    out_positions, out_rotations = np.empty((count, joints, 3)), np.empty((count, joints, 4))
    frames = np.empty(count, dtype=np.int64)
    row = np.empty((3, 4 * joints + 3 * len(moving)))
    for t in range(count):
        place = times[t] * knots.fps
        nearest = min(max(int(np.round(place)), 0), last)
        frames[t] = nearest
        out_positions[t] = positions[nearest]
        out_rotations[t] = rotations[nearest]
        if abs(place - nearest) < _SAME_TIME:
            continue
        frames[t] = -1
        evaluate_row(knots, times[t], 0, row.shape[1], row)
        for j in range(joints):
            square = 0.0
            for i in range(4):
                square += row[0, 4 * j + i] ** 2
            for i in range(4):
                out_rotations[t, j, i] = row[0, 4 * j + i] / np.sqrt(square)
        for m in range(len(moving)):
            for i in range(3):
                out_positions[t, moving[m], i] = row[0, 4 * joints + 3 * m + i]
    align_signs(out_rotations)
    return out_positions, out_rotations, frames


@compiled(seconds=1)
def worst_norm(positions: Array, rotations: Array) -> float:
    """Return how far the length of any rotation (T, J, 4) is from 1, infinity where any number is not finite."""
    for t in range(positions.shape[0]):
        for j in range(positions.shape[1]):
            for i in range(3):
                if not np.isfinite(positions[t, j, i]):
                    return np.inf
    worst = 0.0
    for t in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            square = 0.0
            for i in range(4):
                square += rotations[t, j, i] * rotations[t, j, i]
            if not np.isfinite(square):
                return np.inf
            worst = max(worst, abs(np.sqrt(square) - 1.0))
    return worst
