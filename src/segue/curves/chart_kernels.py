"""Compiled charts of ball joints. Shapes: T samples, B joints; what is written is the caller's.

A chart is a reference (B, 4) followed by turns about three moving axes, of which `leading` (B,) is the first: 0, 1 or
2, the others in cyclic order. Angular velocities and accelerations are those in the parent's frame.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    get_quat,
    put_quat,
    quat_to_matrix,
    turn_after,
    turn_back,
    turn_exp,
    turn_log,
)
from segue.typing import Array, Ints


@compiled(seconds=1)
def charts_between(first: Array, last: Array, far: float) -> tuple[Array, Ints]:
    """Return references (B, 4) midway between two sets of orientations (B, 4), and leading axes (B,).

    The leading axis is the one about which most is turned, if it is more than `far` rad, else the first.
    """
    reference, leading = np.empty((len(first), 4)), np.zeros(len(first), dtype=np.int64)
    for b in range(len(first)):
        start = get_quat(first, b)
        apart = turn_log(turn_after(turn_back(start), get_quat(last, b)))
        put_quat(reference, b, turn_after(start, turn_exp(0.5 * apart[0], 0.5 * apart[1], 0.5 * apart[2])))
        x, y, z = abs(apart[0]), abs(apart[1]), abs(apart[2])
        if np.sqrt(x * x + y * y + z * z) > far:
            leading[b] = 0 if x >= y and x >= z else (1 if y >= z else 2)
    return reference, leading


@compiled(seconds=1)
def chart_matrices(reference: Array) -> Array:
    """Return the rotation matrices (B, 3, 3) of references (B, 4)."""
    out = np.empty((len(reference), 3, 3))
    for b in range(len(reference)):
        quat_to_matrix(reference[b], out[b])
    return out


@compiled(seconds=1)
def chart_coordinates(reference: Array, leading: Ints, orientations: Array, out: Array) -> None:
    """Write the coordinates (T, B, 3) of orientations (T, B, 4)."""
    for t in range(orientations.shape[0]):
        for b in range(orientations.shape[1]):
            r, q = reference[b], orientations[t, b]
            small = np.empty(3)
            w = r[0] * q[0] + r[1] * q[1] + r[2] * q[2] + r[3] * q[3]
            small[0] = r[0] * q[1] - r[1] * q[0] - r[2] * q[3] + r[3] * q[2]
            small[1] = r[0] * q[2] + r[1] * q[3] - r[2] * q[0] - r[3] * q[1]
            small[2] = r[0] * q[3] - r[1] * q[2] + r[2] * q[1] - r[3] * q[0]
            k = leading[b]
            # in a cyclic exchange of axes every order looks like XYZ
            x, y, z = small[k], small[(k + 1) % 3], small[(k + 2) % 3]
            to_x, to_y = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z)
            out[t, b, 0] = np.arctan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))
            out[t, b, 1] = np.arctan2(2 * (x * z + w * y), np.hypot(to_x, to_y))
            out[t, b, 2] = np.arctan2(-to_y, to_x)


@compiled(seconds=1)
def chart_orientations(reference: Array, leading: Ints, coordinates: Array, out: Array) -> None:
    """Write the orientations (T, B, 4) of coordinates (T, B, 3)."""
    small = np.empty(3)
    for t in range(coordinates.shape[0]):
        for b in range(coordinates.shape[1]):
            half = 0.5 * coordinates[t, b]
            ca, cb, cc = np.cos(half[0]), np.cos(half[1]), np.cos(half[2])
            sa, sb, sc = np.sin(half[0]), np.sin(half[1]), np.sin(half[2])
            k = leading[b]
            w = ca * cb * cc - sa * sb * sc
            small[k] = sa * cb * cc + ca * sb * sc
            small[(k + 1) % 3] = ca * sb * cc - sa * cb * sc
            small[(k + 2) % 3] = ca * cb * sc + sa * sb * cc
            r, (x, y, z) = reference[b], (small[0], small[1], small[2])
            out[t, b, 0] = r[0] * w - r[1] * x - r[2] * y - r[3] * z
            out[t, b, 1] = r[0] * x + r[1] * w + r[2] * z - r[3] * y
            out[t, b, 2] = r[0] * y - r[1] * z + r[2] * w + r[3] * x
            out[t, b, 3] = r[0] * z + r[1] * y - r[2] * x + r[3] * w


@compiled(seconds=1, inline=True)
def _drift(c1: float, s1: float, c2: float, s2: float, r: Array) -> tuple[float, float, float]:
    """Return the angular acceleration along the moving axes of coordinates that change steadily; see `EulerChart`."""
    return (
        -r[0] * (s1 * c2 * r[1] + c1 * s2 * r[2]) + c2 * r[1] * r[2],
        r[0] * (s1 * s2 * r[1] - c1 * c2 * r[2]) - s2 * r[1] * r[2],
        c1 * r[0] * r[1],
    )


@compiled(seconds=1, inline=True)
def _turned(q: Array, v: Array, sign: float, out: Array) -> None:
    """Write a vector turned by a unit quaternion, or, with sign -1, by its inverse."""
    w, x, y, z = q[0], sign * q[1], sign * q[2], sign * q[3]
    a, b, c = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    out[0] = v[0] + 2 * (w * a + y * c - z * b)
    out[1] = v[1] + 2 * (w * b + z * a - x * c)
    out[2] = v[2] + 2 * (w * c + x * b - y * a)


@compiled(seconds=2)
def chart_rates(
    leading: Ints,
    orientations: Array,
    coordinates: Array,
    velocities: Array,
    accelerations: Array,
    rate: Array,
    rise: Array,
) -> None:
    """Write the first two derivatives of coordinates, from angular velocities and accelerations, all (T, B, 3)."""
    body = np.empty((2, 3))
    for t in range(orientations.shape[0]):
        for b in range(orientations.shape[1]):
            q, k = orientations[t, b], leading[b]
            _turned(q, velocities[t, b], -1.0, body[0])
            _turned(q, accelerations[t, b], -1.0, body[1])
            c1, s1 = np.cos(coordinates[t, b, 1]), np.sin(coordinates[t, b, 1])
            c2, s2 = np.cos(coordinates[t, b, 2]), np.sin(coordinates[t, b, 2])
            for order in range(2):
                x, y, z = body[order, k], body[order, (k + 1) % 3], body[order, (k + 2) % 3]
                if order == 1:
                    dx, dy, dz = _drift(c1, s1, c2, s2, rate[t, b])
                    x, y, z = x - dx, y - dy, z - dz
                out = rate if order == 0 else rise
                out[t, b, 0] = (c2 * x - s2 * y) / c1
                out[t, b, 1] = s2 * x + c2 * y
                out[t, b, 2] = z - s1 * out[t, b, 0]


@compiled(seconds=2)
def chart_turning(
    leading: Ints,
    orientations: Array,
    coordinates: Array,
    rates: Array,
    rises: Array,
    velocity: Array,
    acceleration: Array,
) -> None:
    """Write angular velocities and accelerations, from the first two derivatives of coordinates, all (T, B, 3)."""
    body = np.empty(3)
    for t in range(orientations.shape[0]):
        for b in range(orientations.shape[1]):
            q, k = orientations[t, b], leading[b]
            c1, s1 = np.cos(coordinates[t, b, 1]), np.sin(coordinates[t, b, 1])
            c2, s2 = np.cos(coordinates[t, b, 2]), np.sin(coordinates[t, b, 2])
            for order in range(2):
                r = rates[t, b] if order == 0 else rises[t, b]
                x, y, z = c1 * c2 * r[0] + s2 * r[1], c2 * r[1] - c1 * s2 * r[0], s1 * r[0] + r[2]
                if order == 1:
                    dx, dy, dz = _drift(c1, s1, c2, s2, rates[t, b])
                    x, y, z = x + dx, y + dy, z + dz
                body[k], body[(k + 1) % 3], body[(k + 2) % 3] = x, y, z
                _turned(q, body, 1.0, velocity[t, b] if order == 0 else acceleration[t, b])
