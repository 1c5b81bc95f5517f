"""Rows of channel values to local positions and rotations, and back for frames without a row.

A rotation is up to three turns about axes 0, 1, 2 for x, y, z, the first outermost: R = R_1 R_2 R_3. Fewer than three
turns, or one axis twice, are allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from segue.body.skeleton import Skeleton
from segue.compiled import compiled
from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.io.bvh.record import BvhRecord, quoted
from segue.motion.clip import Clip
from segue.typing import Array, Flags, Ints

_BLOCK = 1 << 16  # rotations converted at a time: they stay in the processor's cache
# how far, as a fraction of the longest bone, a joint may lie from its offset before it counts as displaced
_DISPLACED = 1e-6
_UNREACHED = np.deg2rad(1e-4)
# computed numbers are written to this many decimals: far below what capture resolves, and no noise beyond
_DECIMALS = 8
_LARGEST_ROUNDED = 1e6
_HALF_DEGREE = math.pi / 360.0


def decode(record: BvhRecord, offsets: Array, rows: Array) -> tuple[Array, Array]:
    """Return local positions (T, J, 3) and rotations (T, J, 4), continuous in sign, of rows (T, C) in degrees."""
    frames, joints = len(rows), len(record.names)
    positions = np.empty((frames, joints, 3))
    positions[:] = offsets
    for joint, axis, column in record.position_columns:
        positions[:, joint, axis] = rows[:, column]
    columns, axes = np.zeros((joints, 3), dtype=np.int64), np.full((joints, 3), -1, dtype=np.int64)
    for joint, turns in enumerate(record.rotation_columns):
        for k, (axis, column) in enumerate(turns):
            columns[joint, k], axes[joint, k] = column, axis
    rotations = np.empty((frames, joints, 4))
    compose_rows(rows, columns, axes, rotations)
    return positions, rotations


def fill_rows(record: BvhRecord, clip: Clip, rows: Array) -> tuple[Array, list[str]]:
    """Return the rows (T, C) with those that are not finite computed from the clip, and what could not be expressed.

    Angles continue those of the row before, or lead to those of the row after where the clip begins with a gap.
    """
    missing: Flags = np.logical_not(np.isfinite(rows).all(axis=1))
    if not missing.any():
        return rows, []
    rows = rows.copy()
    for joint, axis, column in record.position_columns:
        rows[missing, column] = _rounded(clip.positions[missing, joint, axis])
    worst = np.zeros(len(record.names))
    for start, stop in runs(missing):
        for axes, members, columns in _alike_joints(record, stop - start):
            wanted = clip.rotations[start:stop, members]
            if start == 0 and stop < len(rows):
                angles = decompose(axes, wanted[::-1], np.deg2rad(rows[stop, columns]))[::-1]
            else:
                angles = decompose(axes, wanted, np.deg2rad(rows[start - 1, columns]) if start else None)
            rows[start:stop, columns] = _rounded(np.rad2deg(angles))
            if not reaches_every_rotation(axes):
                error = quaternion.angle_between(compose(axes, angles), wanted).max(axis=0)
                worst[members] = np.maximum(worst[members], error)
    return rows, _lost_displacement(record, clip, missing) + _lost_rotation(record, worst)


def displaced_joints(skeleton: Skeleton, positions: Array) -> npt.NDArray[np.bool_]:
    """Return, for each joint and axis (J, 3), whether it ever lies off its rest offset."""
    tolerance = _DISPLACED * max(float(np.linalg.norm(skeleton.offsets, axis=1).max()), 1e-300)
    above = positions.max(axis=0) - skeleton.offsets
    below = skeleton.offsets - positions.min(axis=0)
    displaced: npt.NDArray[np.bool_] = np.maximum(above, below) > tolerance
    return displaced


def _alike_joints(record: BvhRecord, frames: int) -> Iterator[tuple[tuple[int, ...], list[int], npt.NDArray[np.int_]]]:
    """Yield rotation axes (k), some joints that have them, and their columns (joints, k)."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for joint, pairs in enumerate(record.rotation_columns):
        groups.setdefault(tuple(axis for axis, _ in pairs), []).append(joint)
    together = max(1, _BLOCK // frames)
    for axes, joints in groups.items():
        for start in range(0, len(joints), together):
            members = joints[start : start + together]
            columns = [[column for _, column in record.rotation_columns[joint]] for joint in members]
            yield axes, members, np.array(columns, dtype=int).reshape(len(members), len(axes))


def _rounded(values: Array) -> Array:
    return np.where(np.abs(values) < _LARGEST_ROUNDED, np.round(values, _DECIMALS), values)


def _lost_displacement(record: BvhRecord, clip: Clip, frames: Flags) -> list[str]:
    displaced = displaced_joints(clip.skeleton, clip.positions[frames])
    for joint, axis, _ in record.position_columns:
        displaced[joint, axis] = False
    lost = np.flatnonzero(displaced.any(axis=1)).tolist()
    if not lost:
        return []
    return [
        f"{_joints(record, lost)} moved off the OFFSET without position channels to say so: "
        "the OFFSET was written, drop the clip's origin to give such joints channels"
    ]


def _lost_rotation(record: BvhRecord, worst: Array) -> list[str]:
    lost = np.flatnonzero(worst > _UNREACHED).tolist()
    if not lost:
        return []
    return [
        f"{_joints(record, lost)} turned in ways that the rotation channels cannot say, by up to "
        f"{np.rad2deg(worst.max()):.3g} degrees: the nearest possible was written, "
        "drop the clip's origin to give such joints three channels"
    ]


def _joints(record: BvhRecord, joints: list[int]) -> str:
    shown = ", ".join(quoted(record.names[joint]) for joint in joints[:3])
    more = f" and {len(joints) - 3} more" if len(joints) > 3 else ""
    return f"joint {shown}" if len(joints) == 1 else f"joints {shown}{more}"


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
def compose_rows(rows: Array, columns: Ints, axes: Ints, rotations: Array) -> None:
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

    before: (..., k), the angles that precede the first frame. If the axes cannot make the rotation, the angles are
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

    The inner product of q with the product of two turns is bilinear in their half-angle vectors (cos, sin). So its
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
        stay = np.sum(quaternion.within_half_turn(path[1:] - path[:-1]) ** 2, axis=-1)
        change = np.sum(quaternion.within_half_turn(other[1:] - path[:-1]) ** 2, axis=-1)
        changed = np.cumsum(change < stay, axis=0) % 2 == 1
        path[1:] = np.where(changed[..., None], other[1:], path[1:])
    unwrapped: Array = np.unwrap(path, axis=0)[1:]
    return unwrapped


def _other_solution(axes: Sequence[int], angles: Array) -> Array:
    """Return the other three angles that make the same rotation."""
    first, second, third = (angles[..., k] for k in range(3))
    mirrored = -second if axes[0] == axes[2] else np.pi - second
    return np.stack([first + np.pi, mirrored, third + np.pi], axis=-1)
