"""Rows of poses, 51 numbers a frame, moved on the floor."""

from __future__ import annotations

import numpy as np

from segue.curves import quaternion
from segue.motion.functions import Placement
from segue.typing import Array, Single

_ROOT = slice(3, 7)  # the columns of the root's quaternion


def placed_rows(rows: Single | Array, at: Placement) -> Array:
    """Return rows (T, 51) of poses after a move on the floor."""
    moved = np.array(rows, float)
    moved[:, :3] = at.moved(moved[:, :3])
    moved[:, _ROOT] = quaternion.multiply(at.rotation, moved[:, _ROOT])
    return moved
