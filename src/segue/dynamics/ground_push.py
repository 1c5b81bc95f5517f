"""The push that soles can give: from under them, never pulling, and aside only as far as friction allows."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves import quaternion
from segue.typing import Array, Flags

PUSH_POINTS = ("left_heel", "left_ball", "left_toe_tip", "right_heel", "right_ball", "right_toe_tip")
"""Named points of the figure from which the soles push."""
ARM = 0.3
"""Metres: a moment counts as the force that has this arm."""

_FRICTION = 0.8
_EDGES = 8  # of the pyramid in the cone of friction
_HALF_WIDTH = 0.035  # m, from the middle of a sole to its sides


def push_edges(points: Array, normals: Array, centre: Array, pushing: Flags) -> list[Array | None]:
    """Return the wrench about a centre of each edge of each pyramid, (6, E), at T times; None where nobody pushes.

    points, normals: (T, 6, 3) the `PUSH_POINTS` and the normals of the ground under them. centre: (T, 3) in m. pushing:
    (T, 6) which points may push.
    """
    along = np.repeat(np.stack([points[:, 2] - points[:, 0], points[:, 5] - points[:, 3]], axis=1), 3, axis=1)
    across = np.cross(normals, along)
    across *= _HALF_WIDTH / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    places = np.concatenate([points + across, points - across], axis=1)
    edges = np.tile(_pyramids(normals), (1, 2, 1, 1))
    arms = np.cross((places - centre[:, None])[:, :, None], edges) / ARM
    wrenches = np.concatenate([edges, arms], axis=3)
    both = np.tile(pushing, (1, 2))
    return [
        np.ascontiguousarray(each[chosen].reshape(-1, 6).T) if chosen.any() else None
        for each, chosen in zip(wrenches, both, strict=True)
    ]


def best_push(edges: Array | None, needed: Array) -> Array:
    """Return the strengths (E,) of the edges whose push is nearest to what a body needs, (6,)."""
    return np.zeros(0) if edges is None else np.asarray(nonnegative_fit(edges, needed))


def _pyramids(normals: Array) -> Array:
    """Return (..., E, 3) the edges of a pyramid in the cone of friction about each normal (..., 3)."""
    aside = quaternion.directions(np.cross(normals, [0.0, 0.0, 1.0]))
    ahead = np.cross(aside, normals)
    angles = np.arange(_EDGES) * 2 * np.pi / _EDGES
    level = np.cos(angles)[:, None] * aside[..., None, :] + np.sin(angles)[:, None] * ahead[..., None, :]
    return np.asarray(normals[..., None, :] + _FRICTION * level)


_ROUNDS = 10  # exchanges for each column; about one is usual
_EPSILON = 1e-13  # of the largest gradient, or of a column that depends on others


@compiled(seconds=2)
def nonnegative_fit(columns: Array, wanted: Array) -> Array:
    """Return the x >= 0, (E,), for which `wanted - columns @ x` is least, [Lawson1974] chapter 23: algorithm NNLS.

    columns: (M, E). wanted: (M,).
    """
    size, count = columns.shape
    chosen, used = np.zeros(size + 1, dtype=np.int64), 0  # the columns in use: no more than there are rows
    values, trial, rest = np.zeros(size + 1), np.zeros(size + 1), wanted.copy()
    basis, upper = np.zeros((size + 1, size)), np.zeros((size + 1, size + 1))
    scale = 0.0
    for _ in range(_ROUNDS * count):
        best, steepest = -1, 0.0
        for j in range(count):
            slope = 0.0
            for i in range(size):
                slope += columns[i, j] * rest[i]
            scale = max(scale, abs(slope))
            if slope > steepest and not np.any(chosen[:used] == j):
                best, steepest = j, slope
        if best < 0 or steepest <= _EPSILON * scale or used == size:
            break
        chosen[used], values[used] = best, 0.0
        used += 1
        while used > 0:
            if not _solve(columns, wanted, chosen[:used], basis, upper, trial):
                used -= 1  # the newest column depends on the others
                steepest = 0.0
                break
            # go to the solution, but only until the first value is zero, whose column then leaves
            step = 1.0
            for k in range(used):
                if trial[k] <= 0.0:
                    step = min(step, values[k] / (values[k] - trial[k]) if values[k] > 0.0 else 0.0)
            kept = 0
            for k in range(used):
                value = values[k] + step * (trial[k] - values[k])
                if step == 1.0 or (value > 0.0 and not (trial[k] <= 0.0 and value <= _EPSILON * values[k])):
                    chosen[kept], values[kept] = chosen[k], value
                    kept += 1
            if step == 1.0:
                break
            used = kept
        for i in range(size):
            rest[i] = wanted[i]
            for k in range(used):
                rest[i] -= columns[i, chosen[k]] * values[k]
        if steepest == 0.0:
            break
    fit = np.zeros(count)
    for k in range(used):
        fit[chosen[k]] = values[k]
    return fit


@compiled(seconds=1, inline=True)
def _solve(columns: Array, wanted: Array, chosen: Array, basis: Array, upper: Array, solution: Array) -> bool:
    """Write the least-squares solution for some columns, by orthogonal ones; return False if one depends on others."""
    size, used = len(wanted), len(chosen)
    for k in range(used):
        before = 0.0
        for i in range(size):
            basis[k, i] = columns[i, chosen[k]]
            before += basis[k, i] ** 2
        upper[:, k] = 0.0
        for _ in range(2):  # twice is enough for orthogonality to rounding
            for j in range(k):
                along = 0.0
                for i in range(size):
                    along += basis[j, i] * basis[k, i]
                upper[j, k] += along
                for i in range(size):
                    basis[k, i] -= along * basis[j, i]
        length = 0.0
        for i in range(size):
            length += basis[k, i] ** 2
        if length <= _EPSILON * before:
            return False
        upper[k, k] = np.sqrt(length)
        for i in range(size):
            basis[k, i] /= upper[k, k]
    for k in range(used - 1, -1, -1):
        solution[k] = 0.0
        for i in range(size):
            solution[k] += basis[k, i] * wanted[i]
        for j in range(k + 1, used):
            solution[k] -= upper[k, j] * solution[j]
        solution[k] /= upper[k, k]
    return True
