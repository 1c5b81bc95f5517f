"""What users hand to the dynamics, looked at before a kernel gets to see it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from segue.dynamics.tree import Tree
from segue.errors import ArgumentError
from segue.typing import Array

_LARGEST_ANGLE = 1e6  # beyond it the compiled sine loses digits


def checked_motion(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    wrenches: npt.ArrayLike | None = None,
) -> dict[str, Array]:
    """Return joint values and derivatives as C-ordered arrays (T, n), and wrenches, if given, along our axes."""
    values = checked_samples(tree, "q", q)
    count = len(values)
    if max(values.max(), -values.min()) > _LARGEST_ANGLE:
        _check_angles(tree, values)
    motion = {
        "q": values,
        "qd": checked_samples(tree, "qd", qd, count),
        "qdd": checked_samples(tree, "qdd", qdd, count),
    }
    if wrenches is not None:
        given = checked_samples(tree, "wrenches", wrenches, count, 6).reshape(count, len(tree), 2, 3)
        motion["wrench"] = np.ascontiguousarray(np.einsum("nji,tnkj->tnki", tree.program[1], given))
    return motion


def checked_samples(tree: Tree, name: str, values: npt.ArrayLike, count: int | None = None, *rest: int) -> Array:
    """Return time samples as a C-ordered array after looking at shape and values."""
    array = _numbers(name, values)
    shape = (len(array) if count is None and array.ndim else count, len(tree), *rest)
    if array.shape != shape or not array.size:
        wanted = ", ".join(["samples" if count is None else str(count), *map(str, shape[1:])])
        raise ArgumentError(f"{name} must have shape ({wanted}) for this tree, not {array.shape}")
    # a NaN or an infinity anywhere shows in the extremes, and those need no memory
    if not (np.isfinite(array.min()) and np.isfinite(array.max())):
        where = np.argwhere(~np.isfinite(array))[0]
        raise ArgumentError(f"{name} of {tree.names[where[1]]} at sample {where[0]} must be a finite number")
    return array


def _numbers(name: str, values: npt.ArrayLike) -> Array:
    try:
        return np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be an array of numbers, all rows equally long") from None


def _check_angles(tree: Tree, values: Array) -> None:
    """Refuse angles too large for the compiled sine; sliders may be anywhere."""
    sizes = np.abs(np.where(tree.sliders, 0.0, values))
    sample, joint = (int(k) for k in np.unravel_index(sizes.argmax(), sizes.shape))
    if sizes[sample, joint] > _LARGEST_ANGLE:
        raise ArgumentError(
            f"the angle of {tree.names[joint]} at sample {sample} is {values[sample, joint]:g} rad, "
            f"but must lie within {_LARGEST_ANGLE:g} rad of zero"
        )


def checked_gravity(gravity: Sequence[float]) -> Array:
    """Return gravity as an array of three finite numbers."""
    vector = _numbers("gravity", gravity)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise ArgumentError(f"gravity must be three finite numbers, not {gravity!r}")
    return vector
