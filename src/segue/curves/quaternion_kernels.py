"""Compiled rotation arithmetic on single quaternions (4,) and matrices (3, 3), written into arrays the caller owns."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion import Array

__all__ = ["matrix_multiply", "quat_exp", "quat_log", "quat_multiply", "quat_to_matrix"]


@compiled(seconds=1)
def quat_multiply(a: Array, b: Array, out: Array) -> None:
    """Write the unit quaternion that applies b first, then a; out may be a or b."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    norm = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    out[0] = w * norm
    out[1] = x * norm
    out[2] = y * norm
    out[3] = z * norm


@compiled(seconds=1)
def quat_exp(x: float, y: float, z: float, out: Array) -> None:
    """Write the quaternion of a rotation vector in radians."""
    angle = np.sqrt(x * x + y * y + z * z)
    scale = 0.5 - angle * angle / 48.0 if angle < 1e-4 else np.sin(0.5 * angle) / angle
    out[0] = np.cos(0.5 * angle)
    out[1] = scale * x
    out[2] = scale * y
    out[3] = scale * z


@compiled(seconds=1)
def quat_log(q: Array, out: Array) -> None:
    """Write the rotation vector, of length at most pi."""
    sign = -1.0 if q[0] < 0 else 1.0
    length = np.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    scale = 2.0 * sign
    if length > 1e-12:
        scale = 2.0 * sign * np.arctan2(length, sign * q[0]) / length
    out[0] = scale * q[1]
    out[1] = scale * q[2]
    out[2] = scale * q[3]


@compiled(seconds=1)
def matrix_multiply(a: Array, b: Array, out: Array) -> None:
    """Write the product a b; out must be neither."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


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
