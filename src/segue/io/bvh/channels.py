"""Rows of channel values to local positions and rotations, and back for the frames that no file had."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.io.bvh.euler import compose, compose_rows, decompose, reaches_every_rotation
from segue.io.bvh.record import BvhRecord
from segue.io.bvh.source import quoted
from segue.motion.clip import Clip

__all__ = ["decode", "displaced_joints", "fill_rows"]

Frames = npt.NDArray[np.bool_]

_BLOCK = 1 << 16  # rotations converted at a time: they stay in the processor's cache
# how far, as a fraction of the longest bone, a joint may lie from its offset before it counts as displaced
_DISPLACED = 1e-6
_UNREACHED = np.deg2rad(1e-4)
# computed numbers are written to this many decimals: far below what capture resolves, and no noise beyond
_DECIMALS = 8
_LARGEST_ROUNDED = 1e6


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
    missing: Frames = np.logical_not(np.isfinite(rows).all(axis=1))
    if not missing.any():
        return rows, []
    rows = rows.copy()
    for joint, axis, column in record.position_columns:
        rows[missing, column] = _rounded(clip.positions[missing, joint, axis])
    worst = np.zeros(len(record.names))
    for start, stop in _runs(missing):
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


def _runs(mask: Frames) -> Iterator[tuple[int, int]]:
    """Yield start and stop of each unbroken run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]])))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _rounded(values: Array) -> Array:
    return np.where(np.abs(values) < _LARGEST_ROUNDED, np.round(values, _DECIMALS), values)


def _lost_displacement(record: BvhRecord, clip: Clip, frames: Frames) -> list[str]:
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
