"""Unit quaternions (w, x, y, z) on arrays of any shape (..., 4); a rotation acts on column vectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.typing import Array

_TINY = 1e-12


def identity(*shape: int) -> Array:
    """Return identity rotations of the given leading shape."""
    q = np.zeros((*shape, 4))
    q[..., 0] = 1.0
    return q


def normalise(q: npt.ArrayLike) -> Array:
    """Scale to unit length."""
    values: Array = np.asarray(q, dtype=float)
    unit: Array = values / np.linalg.norm(values, axis=-1, keepdims=True)
    return unit


def directions(vectors: Array) -> Array:
    """Return vectors (..., 3) scaled to unit length; those of no length stay zero."""
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
    return unit


def about_up(angles: npt.ArrayLike) -> Array:
    """Return the rotations (..., 4) by angles (...) in rad about the vertical, from +Z towards +X."""
    return exp(np.asarray(angles, dtype=float)[..., None] * np.array([0.0, 1.0, 0.0]))


def headings(q: Array) -> Array:
    """Return the angles (...) in rad of rotations (..., 4) about the vertical; the rest of each is its least tilt."""
    angles: Array = 2.0 * np.arctan2(q[..., 2], q[..., 0])
    return angles


def twists(q: Array, axis: npt.ArrayLike) -> Array:
    """Return the angles (...) in rad by which rotations (..., 4) twist about an axis; the rest of each is a swing."""
    angles: Array = 2.0 * np.arctan2(q[..., 1:] @ np.asarray(axis), q[..., 0])
    return angles


def within_half_turn(angles: Array) -> Array:
    """Return angles in rad between -pi and pi that mean the same."""
    angle: Array = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return angle


def conjugate(q: Array) -> Array:
    """Return the inverse rotation of unit quaternions."""
    inverse: Array = q * np.array([1.0, -1.0, -1.0, -1.0])
    return inverse


def multiply(a: Array, b: Array) -> Array:
    """Return the rotation that applies b first, then a."""
    a0, a1, a2, a3 = (a[..., i] for i in range(4))
    b0, b1, b2, b3 = (b[..., i] for i in range(4))
    return _joined(
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
        a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
        a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    )


def _joined(*parts: Array) -> Array:
    """Return parts of one shape (...) as an array (..., N); for a few numbers np.stack takes three times as long."""
    out: Array = np.empty((*parts[0].shape, len(parts)), parts[0].dtype)
    for k, part in enumerate(parts):
        out[..., k] = part
    return out


def rotate(q: Array, v: Array) -> Array:
    """Rotate vectors (..., 3)."""
    # by components: np.cross takes five times as long for a few vectors
    w, x, y, z = (q[..., i] for i in range(4))
    a, b, c = (v[..., i] for i in range(3))
    s, t, u = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return _joined(a + w * s + (y * u - z * t), b + w * t + (z * s - x * u), c + w * u + (x * t - y * s))


def exp(v: Array) -> Array:
    """Return the rotation of rotation vectors (..., 3), in radians."""
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    # sin(x/2)/x as sinc: exact at zero, no division by a small number
    return np.concatenate([np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * np.pi)) * v], axis=-1)


def log(q: Array) -> Array:
    """Return the rotation vectors (..., 3) of length at most pi."""
    q = np.where(q[..., :1] < 0, -q, q)
    vector = q[..., 1:]
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    half = np.arctan2(length, q[..., :1])
    scale = np.where(length > _TINY, 2 * half / np.maximum(length, _TINY), 2.0)
    rotvec: Array = scale * vector
    return rotvec


def angle_between(a: Array, b: Array) -> Array:
    """Return the angle in [0, pi] of the rotation that takes a to b."""
    between = multiply(conjugate(a), b)
    angle: Array = 2.0 * np.arctan2(np.linalg.norm(between[..., 1:], axis=-1), np.abs(between[..., 0]))
    return angle


def slerp(a: Array, b: Array, fraction: npt.ArrayLike) -> Array:
    """Return the point at the given fraction of the shortest great arc from a to b."""
    f = np.asarray(fraction, dtype=float)[..., None]
    return multiply(a, exp(f * log(multiply(conjugate(a), b))))


def mean(q: Array, weights: npt.ArrayLike | None = None) -> Array:
    """Return the chordal mean over the first axis, (N, ..., 4) -> (..., 4); signs do not matter."""
    w = np.ones(len(q)) if weights is None else np.asarray(weights, dtype=float)
    moment = np.einsum("n,n...i,n...j->...ij", w, q, q)
    average: Array = np.linalg.eigh(moment)[1][..., -1]
    return np.where(average[..., :1] < 0, -average, average)


def make_continuous(q: Array) -> Array:
    """Choose signs so that successive quaternions along the first axis lie in one hemisphere."""
    dots = np.sum(q[1:] * q[:-1], axis=-1)
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    out = q.copy()
    out[1:] *= signs[..., None]
    return out


def from_two_vectors(a: npt.ArrayLike, b: npt.ArrayLike, half_turn_axis: npt.ArrayLike) -> Array:
    """Return the least rotation that takes direction a to b; opposite directions turn about half_turn_axis."""
    start: Array = np.asarray(a, dtype=float) / np.linalg.norm(a)
    stop: Array = np.asarray(b, dtype=float) / np.linalg.norm(b)
    cosine = float(start @ stop)
    if cosine < -1.0 + 1e-6:
        axis: Array = np.asarray(half_turn_axis, dtype=float)
        axis = axis - (axis @ start) * start
        return np.concatenate([[0.0], axis / np.linalg.norm(axis)])
    return normalise(np.concatenate([[1.0 + cosine], np.cross(start, stop)]))


def from_matrix(matrix: npt.ArrayLike) -> Array:
    """Convert rotation matrices (..., 3, 3); the first part that is not zero is positive.

    Each of four formulas divides by one part of the quaternion. The largest divisor is used [Shepperd1978].
    """
    m = np.asarray(matrix, dtype=float)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 2, 0] + m[..., 0, 2], m[..., 2, 1] + m[..., 1, 2]
    # 4 q q': any row is a multiple of the quaternion q
    squares = 1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz
    ww, xx, yy, zz = squares
    table = _joined(ww, wx, wy, wz, wx, xx, xy, xz, wy, xy, yy, yz, wz, xz, yz, zz).reshape(-1, 4, 4)
    largest = np.argmax(_joined(*squares), axis=-1).ravel()
    q = normalise(table[np.arange(len(table)), largest])
    first = q[np.arange(len(q)), np.argmax(q != 0.0, axis=-1)]
    return np.where(first[:, None] < 0.0, -q, q).reshape(*xx.shape, 4)


def to_matrix(q: Array) -> Array:
    """Convert to rotation matrices (..., 3, 3)."""
    unit = normalise(q)
    w, x, y, z = (unit[..., i] for i in range(4))
    rows = (
        (x * x - y * y - z * z + w * w, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), -x * x - y * y + z * z + w * w),
    )
    return _joined(*(part for row in rows for part in row)).reshape(*w.shape, 3, 3)


def from_euler(order: str, angles: npt.ArrayLike) -> Array:
    """Convert angles (..., k) in radians; order such as "ZYX" is intrinsic, applied left to right."""
    half: Array = 0.5 * np.asarray(angles, dtype=float)
    q = identity(*half.shape[:-1])
    for k, axis in enumerate(order.upper()):
        turn = np.zeros_like(q)
        turn[..., 0], turn[..., 1 + "XYZ".index(axis)] = np.cos(half[..., k]), np.sin(half[..., k])
        q = turn if k == 0 else multiply(q, turn)
    return q


_LOCKED = 1e-7  # rad from gimbal lock, within which the third angle is set to zero: the rotation is still exact


def to_euler(order: str, q: Array) -> Array:
    """Convert to intrinsic Euler angles (..., 3) in radians, after [Bernardes2022], algorithm 1."""
    # the paper's angles are extrinsic: intrinsic ones in reverse
    third, second, first = ("XYZ".index(axis) for axis in order.upper())
    proper = first == third
    last = 3 - first - second if proper else third
    sign = (first - second) * (second - last) * (last - first) / 2
    w, i, j, k = (q[..., part] for part in (0, 1 + first, 1 + second, 1 + last))
    a, b, c, d = (w, i, j, sign * k) if proper else (w - j, i + sign * k, j + w, sign * k - i)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    low, high = middle <= _LOCKED, middle >= np.pi - _LOCKED
    inner = np.where(low | high, 0.0, half_sum - half_difference)
    outer = np.where(low, 2.0 * half_sum, np.where(high, 2.0 * half_difference, half_sum + half_difference))
    if not proper:
        outer, middle = sign * outer, middle - 0.5 * np.pi
    found = np.stack([outer, middle, inner], axis=-1)
    return np.where(found < -np.pi, found + 2.0 * np.pi, np.where(found > np.pi, found - 2.0 * np.pi, found))
