"""What users hand to the dynamics: looked at once, then written where the kernels want it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from segue.curves.quaternion import Array
from segue.dynamics._memory import Workspace, to_blocks
from segue.dynamics.tree import Tree
from segue.errors import ArgumentError

__all__ = ["checked_gravity", "checked_samples", "load_motion"]

_LARGEST_ANGLE = 1e6  # beyond it the compiled sine loses digits


def load_motion(
    tree: Tree,
    motion: tuple[npt.ArrayLike, ...],
    gravity: Sequence[float],
    wrenches: npt.ArrayLike | None,
) -> Workspace:
    """Return memory with the motion written in."""
    q = checked_samples(tree, "q", motion[0])
    count = len(q)
    work = Workspace(tree.program[0], checked_gravity(gravity), count, slots=1, wrenches=wrenches is not None)
    if np.any(np.abs(q[:, ~tree.sliders]) > _LARGEST_ANGLE):
        where = np.argwhere(np.abs(np.where(tree.sliders, 0.0, q)) > _LARGEST_ANGLE)[0]
        raise ArgumentError(
            f"the angle of {tree.names[where[1]]} at sample {where[0]} is {q[where[0], where[1]]:g} rad, "
            f"but must lie within {_LARGEST_ANGLE:g} rad of zero"
        )
    to_blocks(q, work.q)
    for name, values, target in (("qd", motion[1], work.qd), ("qdd", motion[2], work.qdd)):
        to_blocks(checked_samples(tree, name, values, count), target)
    if wrenches is not None:
        given = checked_samples(tree, "wrenches", wrenches, count, 6).reshape(count, len(tree), 2, 3)
        to_blocks(np.einsum("nji,tnkj->tnki", tree.program[1], given).reshape(count, -1), work.wrench)
    return work


def checked_samples(tree: Tree, name: str, values: npt.ArrayLike, count: int | None = None, *rest: int) -> Array:
    """Return time samples as an array after looking at shape and values."""
    array = np.asarray(values, dtype=float)
    shape = (len(array) if count is None and array.ndim else count, len(tree), *rest)
    if array.shape != shape or not array.size:
        wanted = ", ".join(["samples" if count is None else str(count), *map(str, shape[1:])])
        raise ArgumentError(f"{name} must have shape ({wanted}) for this tree, not {array.shape}")
    if not np.all(np.isfinite(array)):
        where = np.argwhere(~np.isfinite(array))[0]
        raise ArgumentError(f"{name} of {tree.names[where[1]]} at sample {where[0]} must be a finite number")
    return array


def checked_gravity(gravity: Sequence[float]) -> Array:
    """Return gravity as an array of three finite numbers."""
    vector = np.array(gravity, dtype=float)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise ArgumentError(f"gravity must be three finite numbers, not {gravity!r}")
    return vector
