"""Compiled rotation arithmetic: on tuples of numbers, which cost nothing to pass, and on arrays the caller owns."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array

Quat = tuple[float, float, float, float]
Vector = tuple[float, float, float]


def kernel_array(values: Array) -> Array:
    """Return an array as compiled functions take it: any other layout would be compiled for anew."""
    flags = values.flags
    return values if flags.c_contiguous and flags.writeable else np.array(values, order="C")


@compiled(seconds=1, inline=True)
def get_quat(rows: Array, k: int) -> Quat:
    """Return row k of (N, 4)."""
    return rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3]


@compiled(seconds=1, inline=True)
def put_quat(rows: Array, k: int, q: Quat) -> None:
    """Write row k of (N, 4)."""
    rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3] = q


@compiled(seconds=1, inline=True)
def get_vector(rows: Array, k: int) -> Vector:
    """Return row k of (N, 3)."""
    return rows[k, 0], rows[k, 1], rows[k, 2]


@compiled(seconds=1, inline=True)
def put_vector(rows: Array, k: int, v: Vector) -> None:
    """Write row k of (N, 3)."""
    rows[k, 0], rows[k, 1], rows[k, 2] = v


@compiled(seconds=1, inline=True)
def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled(seconds=1, inline=True)
def less(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled(seconds=1, inline=True)
def times(factor: float, a: Vector) -> Vector:
    """Return factor * a."""
    return factor * a[0], factor * a[1], factor * a[2]


@compiled(seconds=1, inline=True)
def dot(a: Vector, b: Vector) -> float:
    """Return a . b."""
    product: float = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


@compiled(seconds=1, inline=True)
def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled(seconds=1, inline=True)
def add_vector(rows: Array, k: int, v: Vector) -> None:
    """Add to row k of (N, 3)."""
    rows[k, 0] += v[0]
    rows[k, 1] += v[1]
    rows[k, 2] += v[2]


@compiled(seconds=1, inline=True)
def turn_after(a: Quat, b: Quat) -> Quat:
    """Return the quaternion that applies b first, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@compiled(seconds=1, inline=True)
def turn_back(q: Quat) -> Quat:
    """Return the inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@compiled(seconds=1, inline=True)
def rotated(q: Quat, v: Vector) -> Vector:
    """Return a vector turned by a unit quaternion."""
    w, x, y, z = q
    s, t, u = 2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])
    return v[0] + w * s + y * u - z * t, v[1] + w * t + z * s - x * u, v[2] + w * u + x * t - y * s


@compiled(seconds=1, inline=True)
def turn_exp(x: float, y: float, z: float) -> Quat:
    """Return the quaternion of a rotation vector in radians."""
    angle = np.sqrt(x * x + y * y + z * z)
    scale = 0.5 - angle * angle / 48.0 if angle < 1e-4 else np.sin(0.5 * angle) / angle
    return np.cos(0.5 * angle), scale * x, scale * y, scale * z


@compiled(seconds=1, inline=True)
def turn_log(q: Quat) -> Vector:
    """Return the rotation vector, of length at most pi."""
    sign = -1.0 if q[0] < 0 else 1.0
    length = np.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    scale = 2.0 * sign
    if length > 1e-12:
        scale = 2.0 * sign * np.arctan2(length, sign * q[0]) / length
    return scale * q[1], scale * q[2], scale * q[3]


@compiled(seconds=1)
def align_signs(q: Array) -> None:
    """Choose signs in place so that successive quaternions along the first axis of (T, N, 4) lie in one hemisphere."""
    for t in range(1, q.shape[0]):
        for n in range(q.shape[1]):
            dot = 0.0
            for i in range(4):
                dot += q[t - 1, n, i] * q[t, n, i]
            if dot < 0:
                for i in range(4):
                    q[t, n, i] = -q[t, n, i]


@compiled(seconds=1)
def quat_multiply(a: Array, b: Array, out: Array) -> None:
    """Write the unit quaternion that applies b first, then a; out may be a or b."""
    w, x, y, z = turn_after((a[0], a[1], a[2], a[3]), (b[0], b[1], b[2], b[3]))
    norm = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    out[0] = w * norm
    out[1] = x * norm
    out[2] = y * norm
    out[3] = z * norm


@compiled(seconds=1)
def quat_exp(x: float, y: float, z: float, out: Array) -> None:
    """Write the quaternion of a rotation vector in radians."""
    out[0], out[1], out[2], out[3] = turn_exp(x, y, z)


@compiled(seconds=1)
def quat_to_matrix(q: Array, out: Array) -> None:
    """Write the rotation matrix of a unit quaternion."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0] = 1 - 2 * (y * y + z * z)
    out[0, 1] = 2 * (x * y - w * z)
    out[0, 2] = 2 * (x * z + w * y)
    out[1, 0] = 2 * (x * y + w * z)
    out[1, 1] = 1 - 2 * (x * x + z * z)
    out[1, 2] = 2 * (y * z - w * x)
    out[2, 0] = 2 * (x * z - w * y)
    out[2, 1] = 2 * (y * z + w * x)
    out[2, 2] = 1 - 2 * (x * x + y * y)
