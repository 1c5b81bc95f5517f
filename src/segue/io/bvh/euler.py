"""Rotations as turns about up to three axes, as BVH channels have them, and the angles of a rotation over time.

Axes are 0, 1, 2 for x, y, z, the first outermost: R = R_1 R_2 R_3. Fewer than three, or one axis twice, are allowed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves import quaternion
from segue.curves.quaternion import Array

__all__ = ["compose", "compose_rows", "decompose", "reaches_every_rotation"]

Integers = npt.NDArray[np.int64]

_HALF_DEGREE = math.pi / 360.0


def compose(axes: Sequence[int], angles: Array) -> Array:
    """Return the rotations (..., 4) of intrinsic turns by angles (..., k) in radians about k axes."""
    half = np.moveaxis(angles, -1, 0) / 2
    w, v = np.ones(angles.shape[:-1]), [np.zeros(angles.shape[:-1])] * 3
    for a, c, s in zip(axes, np.cos(half), np.sin(half), strict=True):
        # the product with (c, s e_a): half of its terms are zero, which the general product would work through
        b, d = (a + 1) % 3, (a + 2) % 3
        turned = {a: c * v[a] + s * w, b: c * v[b] + s * v[d], d: c * v[d] - s * v[b]}
        w, v = c * w - s * v[a], [turned[axis] for axis in range(3)]
    return np.stack([w, *v], axis=-1)


@compiled(seconds=1)
def compose_rows(rows: Array, columns: Integers, axes: Integers, rotations: Array) -> None:
    """Fill rotations (T, J, 4), continuous in sign over time, from rows (T, C) of angles in degrees.

    columns, axes: (J, 3), where in a row each joint's angles stand and what they turn about; axis -1 ends a joint's
    list. This is `compose` and `quaternion.make_continuous` for all joints in one pass over the memory.
    """
    for t in range(rows.shape[0]):
        for joint in range(axes.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for k in range(axes.shape[1]):
                axis = axes[joint, k]
                if axis < 0:
                    break
                half = rows[t, columns[joint, k]] * _HALF_DEGREE
                c, s = math.cos(half), math.sin(half)
                if axis == 0:
                    w, x, y, z = c * w - s * x, c * x + s * w, c * y + s * z, c * z - s * y
                elif axis == 1:
                    w, x, y, z = c * w - s * y, c * x - s * z, c * y + s * w, c * z + s * x
                else:
                    w, x, y, z = c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w
            q = rotations[t, joint]
            q[0], q[1], q[2], q[3] = w, x, y, z
            if t > 0:
                before = rotations[t - 1, joint]
                if before[0] * w + before[1] * x + before[2] * y + before[3] * z < 0.0:
                    q[0], q[1], q[2], q[3] = -w, -x, -y, -z


def reaches_every_rotation(axes: Sequence[int]) -> bool:
    """Return whether turns about these axes can make any rotation."""
    return len(_independent(axes)) == 3


def decompose(axes: Sequence[int], q: Array, before: Array | None = None) -> Array:
    """Return the angles (T, ..., k) in radians of rotations (T, ..., 4), each as near as can be to the frame before.

    before: (..., k), the angles that precede the first frame. Where the axes cannot make the rotation, the angles are
    those of the nearest rotation that they can make.
    """
    angles = np.zeros((*q.shape[:-1], len(axes)))
    free = _independent(axes)
    kept = [axes[k] for k in free]
    if kept:
        principal = (_one_angle, _two_angles, _three_angles)[len(kept) - 1](kept, q)
        angles[..., free] = _continuous(kept, principal, None if before is None else before[..., free])
    return angles


def _independent(axes: Sequence[int]) -> list[int]:
    """Return which turns matter: one that repeats the axis just before it adds nothing, and stays zero."""
    return [k for k, axis in enumerate(axes) if k == 0 or axis != axes[k - 1]]


def _one_angle(axes: Sequence[int], q: Array) -> Array:
    return 2.0 * np.arctan2(q[..., 1 + axes[0]], q[..., 0])[..., None]


def _two_angles(axes: Sequence[int], q: Array) -> Array:
    """Return the two angles of the nearest reachable rotation.

    The inner product of q with the product of two turns is bilinear in their half-angle vectors (cos, sin), so its
    largest value is the first singular value of a 2 x 2 matrix, and the half angles are its singular vectors.
    """
    a, b = axes
    c = 3 - a - b
    handedness = 1.0 if b == (a + 1) % 3 else -1.0
    upper = np.stack([q[..., 0], q[..., 1 + b]], axis=-1)
    lower = np.stack([q[..., 1 + a], handedness * q[..., 1 + c]], axis=-1)
    left, _, right = np.linalg.svd(np.stack([upper, lower], axis=-2))
    outer = np.arctan2(left[..., 1, 0], left[..., 0, 0])
    inner = np.arctan2(right[..., 0, 1], right[..., 0, 0])
    return 2.0 * np.stack([outer, inner], axis=-1)


def _three_angles(axes: Sequence[int], q: Array) -> Array:
    return quaternion.to_euler("".join("XYZ"[axis] for axis in axes), q)


def _continuous(axes: Sequence[int], angles: Array, before: Array | None) -> Array:
    """Return the same rotations by angles without jumps along the first axis."""
    path = np.concatenate([(angles[0] if before is None else before)[None], angles])
    if len(axes) == 3:
        # three turns make a rotation in two ways; going from one way to the other costs the same in both directions,
        # so each frame's choice is the parity of the changes up to it
        other = _other_solution(axes, path)
        stay = np.sum(_wrapped(path[1:] - path[:-1]) ** 2, axis=-1)
        change = np.sum(_wrapped(other[1:] - path[:-1]) ** 2, axis=-1)
        changed = np.cumsum(change < stay, axis=0) % 2 == 1
        path[1:] = np.where(changed[..., None], other[1:], path[1:])
    unwrapped: Array = np.unwrap(path, axis=0)[1:]
    return unwrapped


def _other_solution(axes: Sequence[int], angles: Array) -> Array:
    """Return the other three angles that make the same rotation."""
    first, second, third = (angles[..., k] for k in range(3))
    mirrored = -second if axes[0] == axes[2] else np.pi - second
    return np.stack([first + np.pi, mirrored, third + np.pi], axis=-1)


def _wrapped(angles: Array) -> Array:
    """Return the angles in [-pi, pi) that differ by whole turns."""
    wrapped: Array = np.mod(angles + np.pi, 2 * np.pi) - np.pi
    return wrapped
