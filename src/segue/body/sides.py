"""Left and right, told from how a body is made: feet point forward, knees bend forward, elbows backward."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.body.skeleton import Skeleton
from segue.typing import Array

_TINY = 1e-9


def rest_positions(skeleton: Skeleton) -> Array:
    """Return the world positions (1, J, 3) of the joints when nothing is rotated, the roots at the origin."""
    positions = np.zeros((1, len(skeleton), 3))
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            positions[0, j] = positions[0, parent] + skeleton.offsets[j]
    return positions


def _forward_directions(
    positions: Array, limbs: Mapping[str, int], sides: tuple[str, str] = ("left", "right")
) -> Array:
    """Return the direction (T, 3) in which the body's make says it faces, longer where the signs are clearer.

    positions: (T, J, 3). limbs: role -> joint, such as "left_thigh"; toes and arms may be absent.
    """
    forward = np.zeros((len(positions), 3))
    for side in sides:
        thigh, shin, foot = (positions[:, limbs[f"{side}_{role}"]] for role in ("thigh", "shin", "foot"))
        forward += _bend(thigh, shin, foot)
        if f"{side}_toe" in limbs:
            forward += _unit(positions[:, limbs[f"{side}_toe"]] - foot)
        if f"{side}_hand" in limbs:
            arm = (positions[:, limbs[f"{side}_{role}"]] for role in ("upper_arm", "forearm", "hand"))
            forward -= 0.5 * _bend(*arm)
    return forward


def leftness(
    positions: Array, limbs: Mapping[str, int], chest: int, sides: tuple[str, str] = ("left", "right")
) -> float:
    """Return how clearly the first side is the left one in a right-handed world: 1 surely, 0 unknown, -1 the right one.

    positions: (T, J, 3), any axes. limbs: as for `_forward_directions`.
    """
    first, second = (positions[:, limbs[f"{side}_thigh"]] for side in sides)
    up = _unit(positions[:, chest] - 0.5 * (first + second))
    # with Y up and facing +Z, left is +X: up x forward
    left = np.cross(up, _forward_directions(positions, limbs, sides))
    signs = np.einsum("ti,ti->t", left, _unit(first - second))
    return float(np.clip(signs.mean(), -1.0, 1.0))


def _bend(near: Array, middle: Array, far: Array) -> Array:
    """Return how far the middle joint stands off the line from near to far, as a fraction of the limb, times four."""
    length = np.linalg.norm(middle - near, axis=1) + np.linalg.norm(far - middle, axis=1)
    line = _unit(far - near)
    along = np.einsum("ti,ti->t", middle - near, line)[:, None]
    offset: Array = 4.0 * (middle - near - along * line) / np.maximum(length, _TINY)[:, None]
    return offset


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1), _TINY)[:, None]
    return unit
