"""The push that soles can give: from under them, never pulling, and aside only as far as friction allows."""

from __future__ import annotations

import numpy as np

from segue.dynamics._push_kernels import nonnegative_fit
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
    aside = np.cross(normals, [0.0, 0.0, 1.0])
    aside /= np.maximum(np.linalg.norm(aside, axis=-1, keepdims=True), 1e-9)
    ahead = np.cross(aside, normals)
    angles = np.arange(_EDGES) * 2 * np.pi / _EDGES
    level = np.cos(angles)[:, None] * aside[..., None, :] + np.sin(angles)[:, None] * ahead[..., None, :]
    return np.asarray(normals[..., None, :] + _FRICTION * level)
