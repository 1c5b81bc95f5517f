"""Compiled warping: departures of matches from the plain path between their own ends.

A plain path is a fixed mixture of values and velocities at both ends: shapes (U, 4) at U times from 0 to 1, for value
and velocity at the start, then at the end. Velocities are per unit of that time. Rotations are mixed as rotation
vectors about the middle between both ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    Quat,
    Vector,
    get_quat,
    get_vector,
    put_quat,
    turn_after,
    turn_back,
    turn_exp,
    turn_log,
)
from segue.library._search_kernels import Small
from segue.typing import Array, Ints, Single


class Mirror(NamedTuple):
    """Which ball joint (B,) and which hinge (H,) each becomes in a mirror."""

    balls: Ints
    hinges: Ints


class Departure(NamedTuple):
    """The difference of a path from the plain path at U times.

    root: (U, 3) in legs, as seen by one who faces ahead at the start. balls: (U, B, 3) rotation vectors in the joint's
    own frame. hinges: (U, H) rad. stances: (U, 4) how much the feet rest: not a departure, but what goes with it.
    """

    root: Array
    balls: Array
    hinges: Array
    stances: Array


@compiled(seconds=1, inline=True)
def _chart_rate(vector: Vector, turning: Vector) -> Vector:
    """Return how fast a rotation vector changes with an angular velocity in the turned frame, [Sola2018] (144)."""
    x, y, z = vector
    square = x * x + y * y + z * z
    angle = np.sqrt(square)
    near = angle < 1e-4
    factor = 1.0 / 12.0 if near else 1.0 / square - (1.0 + np.cos(angle)) / (2.0 * angle * np.sin(angle))
    cx = y * turning[2] - z * turning[1]
    cy = z * turning[0] - x * turning[2]
    cz = x * turning[1] - y * turning[0]
    dx, dy, dz = y * cz - z * cy, z * cx - x * cz, x * cy - y * cx
    return (
        turning[0] + 0.5 * cx + factor * dx,
        turning[1] + 0.5 * cy + factor * dy,
        turning[2] + 0.5 * cz + factor * dz,
    )


@compiled(seconds=1, inline=True)
def _plain_ends(first: Quat, last: Quat, leaving: Vector, arriving: Vector) -> tuple[Quat, Vector, Vector, Vector]:
    """Return the middle between two rotations, the vector from it to the last, and the vectors' rates at both ends."""
    x, y, z = turn_log(turn_after(turn_back(first), last))
    half = (0.5 * x, 0.5 * y, 0.5 * z)
    middle = turn_after(first, turn_exp(half[0], half[1], half[2]))
    return middle, half, _chart_rate((-half[0], -half[1], -half[2]), leaving), _chart_rate(half, arriving)


@compiled(seconds=1, inline=True)
def _plain(shape: Array, middle: Quat, half: Vector, leaving: Vector, arriving: Vector) -> Quat:
    """Return the plain path's rotation at a time of some shape (4,)."""
    across = shape[2] - shape[0]
    x = across * half[0] + shape[1] * leaving[0] + shape[3] * arriving[0]
    y = across * half[1] + shape[1] * leaving[1] + shape[3] * arriving[1]
    z = across * half[2] + shape[1] * leaving[2] + shape[3] * arriving[2]
    turned: Quat = turn_after(middle, turn_exp(x, y, z))
    return turned


@compiled(seconds=2)
def plain_turns(shapes: Array, ends: Array, turning: Array) -> Array:
    """Return the plain path (U, B, 4) between rotations (2, B, 4) with angular velocities (2, B, 3) in their frames."""
    out = np.empty((len(shapes), ends.shape[1], 4))
    for b in range(ends.shape[1]):
        plain = _plain_ends(
            get_quat(ends[0], b), get_quat(ends[1], b), get_vector(turning[0], b), get_vector(turning[1], b)
        )
        for u in range(len(shapes)):
            put_quat(out[u], b, _plain(shapes[u], plain[0], plain[1], plain[2], plain[3]))
    return out


@compiled(seconds=1, inline=True)
def _mixed(one: Quat, other: Quat, part: float) -> Quat:
    """Return a rotation between two that are near each other."""
    dot = one[0] * other[0] + one[1] * other[1] + one[2] * other[2] + one[3] * other[3]
    far = part if dot >= 0 else -part
    w = (1.0 - part) * one[0] + far * other[0]
    x = (1.0 - part) * one[1] + far * other[1]
    y = (1.0 - part) * one[2] + far * other[2]
    z = (1.0 - part) * one[3] + far * other[3]
    scale = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    return w * scale, x * scale, y * scale, z * scale


@compiled(seconds=1, inline=True)
def _turning(balls: Single, at: int, b: int, towards: int, span: float) -> Vector:
    """Return the angular velocity at a frame, to second order from the two beyond it, in the time of `span` frames."""
    back = turn_back(get_quat(balls[at], b))
    near = turn_log(turn_after(back, get_quat(balls[at + towards], b)))
    far = turn_log(turn_after(back, get_quat(balls[at + 2 * towards], b)))
    scale = 0.5 * towards * span
    return (
        scale * (4.0 * near[0] - far[0]),
        scale * (4.0 * near[1] - far[1]),
        scale * (4.0 * near[2] - far[2]),
    )


@compiled(seconds=1, inline=True)
def _rate(values: Single, at: int, i: int, towards: int, span: float) -> float:
    """Return the velocity of column i at a frame, to second order from the two beyond it."""
    apart = 4.0 * values[at + towards, i] - values[at + 2 * towards, i] - 3.0 * values[at, i]
    rate: float = 0.5 * towards * span * apart
    return rate


@compiled(seconds=1)
def _unwind(turns: Array) -> bool:
    """Make rotation vectors (U, 3) go on beyond half a turn instead of leaping; whether they end a whole turn away."""
    size = 0.0
    for u in range(1, len(turns)):
        x, y, z = turns[u, 0], turns[u, 1], turns[u, 2]
        ahead = x * turns[u - 1, 0] + y * turns[u - 1, 1] + z * turns[u - 1, 2]
        size = np.sqrt(x * x + y * y + z * z)
        # the same rotation, by the multiple of a turn that is nearest to the one before
        whole = np.round((ahead / size - size) / (2.0 * np.pi)) if size > 1e-6 else 0.0
        if whole != 0.0:
            turns[u] *= 1.0 + 2.0 * np.pi * whole / size
            size = abs(size + 2.0 * np.pi * whole)
    return bool(size > np.pi)


@compiled(seconds=8)
def add_departures(
    root: Single,
    balls: Single,
    hinges: Single,
    headings: Single,
    stances: Single,
    starts: Small,
    spans: Small,
    mirrored: npt.NDArray[np.bool_],
    weights: Array,
    times: Array,
    joint_shapes: Array,
    root_shapes: Array,
    mirror: Mirror,
    out: Departure,
) -> None:
    """Add the weighted departures of matches (M,) from their own plain paths, at times (U,) from 0 to 1.

    A joint that gets a whole turn away from its plain path meets the gap's end only as it is: where it is one of
    several, it stays on the plain path.
    """
    turns = np.empty((len(times), 3))
    for k in range(len(starts)):
        weight, first, span = weights[k], starts[k], float(spans[k])
        last = first + spans[k]
        for b in range(balls.shape[1]):
            plain = _plain_ends(
                get_quat(balls[first], b),
                get_quat(balls[last], b),
                _turning(balls, first, b, -1, span),
                _turning(balls, last, b, 1, span),
            )
            target = mirror.balls[b] if mirrored[k] else b
            side = -weight if mirrored[k] else weight
            for u in range(len(times)):
                at = first + times[u] * span
                frame = min(int(at), last - 1)
                here = _mixed(get_quat(balls[frame], b), get_quat(balls[frame + 1], b), at - frame)
                back = turn_back(_plain(joint_shapes[u], plain[0], plain[1], plain[2], plain[3]))
                turns[u] = turn_log(turn_after(back, here))
            if _unwind(turns) and weight != 1.0:
                continue
            for u in range(len(times)):
                # the axis of a turn is a pseudovector
                out.balls[u, target, 0] += weight * turns[u, 0]
                out.balls[u, target, 1] += side * turns[u, 1]
                out.balls[u, target, 2] += side * turns[u, 2]
        for h in range(hinges.shape[1]):
            leaving, arriving = _rate(hinges, first, h, -1, span), _rate(hinges, last, h, 1, span)
            target = mirror.hinges[h] if mirrored[k] else h
            for u in range(len(times)):
                at = first + times[u] * span
                frame = min(int(at), last - 1)
                here = hinges[frame, h] + (at - frame) * (hinges[frame + 1, h] - hinges[frame, h])
                shape = joint_shapes[u]
                plain_value = shape[0] * hinges[first, h] + shape[2] * hinges[last, h]
                plain_value += shape[1] * leaving + shape[3] * arriving
                out.hinges[u, target] += weight * (here - plain_value)
        cosine, sine = np.cos(headings[first]), np.sin(headings[first])
        for u in range(len(times)):
            at = first + times[u] * span
            frame = min(int(at), last - 1)
            shape = root_shapes[u]
            away = np.empty(3)
            for i in range(3):
                here = root[frame, i] + (at - frame) * (root[frame + 1, i] - root[frame, i])
                away[i] = here - shape[0] * root[first, i] - shape[2] * root[last, i]
                away[i] -= shape[1] * _rate(root, first, i, -1, span) + shape[3] * _rate(root, last, i, 1, span)
            for f in range(4):
                rests = stances[frame, f] + (at - frame) * (stances[frame + 1, f] - stances[frame, f])
                # left comes before right, and a mirror exchanges them
                out.stances[u, (f + 2) % 4 if mirrored[k] else f] += weight * rests
            side = -weight if mirrored[k] else weight
            out.root[u, 0] += side * (cosine * away[0] - sine * away[2])
            out.root[u, 1] += weight * away[1]
            out.root[u, 2] += weight * (sine * away[0] + cosine * away[2])
