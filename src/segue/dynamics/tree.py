"""A tree of rigid bodies, each on one hinge or one slider: what the dynamics is computed for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.dynamics._program import Program, build_program
from segue.errors import ArgumentError
from segue.typing import Array

_TOLERANCE = 1e-9
_LARGEST_ANGLE = 1e6  # beyond it the compiled sine loses digits


@dataclass(frozen=True, eq=False)
class Tree:
    """Rigid bodies joined by hinges and sliders, every parent before its children.

    Body i moves on joint i. The frame of body i follows from the frame of its parent by a step along ``offsets[i]``, a
    turn by ``rotations[i]``, and then the joint itself. A hinge turns about ``axes[i]`` by the joint's value in
    radians. A slider goes along ``axes[i]`` by the joint's value in metres. A ball joint is three hinges in a row; the
    two bodies in between have no mass.

    parents: (n,), index of the body that carries each joint, -1 for the world.
    axes: (n, 3), made unit length. sliders: (n,), true for a slider, false for a hinge; or one value for all joints.
    rotations: (n, 3, 3), columns are the axes of the joint's frame in its parent's; or one (3, 3) for all.
    offsets: (n, 3) in m. masses: (n,) in kg, may be zero. centres: (n, 3) in m, centre of mass in the body's frame.
    inertias: (n, 3, 3) in kg m^2, about the centre of mass, along the body's axes.
    names: for messages; "joint 0", "joint 1", ... if not given. All arrays are copied and frozen.
    """

    parents: npt.NDArray[np.int64]
    axes: Array
    offsets: Array
    masses: Array
    centres: Array
    inertias: Array
    sliders: npt.NDArray[np.bool_] = field(default_factory=lambda: np.array(False))
    rotations: Array = field(default_factory=lambda: np.eye(3))
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n = np.size(self.parents)
        if n == 0:
            raise ArgumentError("a tree needs at least one joint, but parents is empty")
        names = tuple(self.names) or tuple(f"joint {i}" for i in range(n))
        if len(names) != n:
            raise ArgumentError(f"a tree of {n} joints needs {n} names, not {len(names)}")
        object.__setattr__(self, "names", names)
        self._keep("parents", self._parents_checked(n))
        self._keep("sliders", np.broadcast_to(self.sliders, (n,)) if np.ndim(self.sliders) == 0 else self.sliders, (n,))
        self._keep("axes", self._directions_checked(n))
        turns = np.tile(self.rotations, (n, 1, 1)) if np.ndim(self.rotations) == 2 else self.rotations
        self._keep("rotations", turns, (n, 3, 3))
        self._keep("offsets", self.offsets, (n, 3))
        self._keep("masses", self.masses, (n,))
        self._keep("centres", self.centres, (n, 3))
        self._keep("inertias", self.inertias, (n, 3, 3))
        self._check_rotations()
        self._check_masses()

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def program(self) -> tuple[Program, Array]:
        """The same tree as the kernels read it, structural zeros flagged, and their axes of each body (n, 3, 3)."""
        return build_program(
            parents=self.parents,
            axes=self.axes,
            sliders=self.sliders,
            rotations=self.rotations,
            offsets=self.offsets,
            masses=self.masses,
            centres=self.centres,
            inertias=self.inertias,
        )

    @cached_property
    def descendants(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The joints from each joint on outwards, in order, one list after the other, and where each list begins."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint in range(len(self)):
            ancestor = joint
            while ancestor >= 0:
                lists[ancestor].append(joint)
                ancestor = int(self.parents[ancestor])
        flat = np.array([joint for members in lists for joint in members], np.int64)
        return flat, np.cumsum([0, *map(len, lists)], dtype=np.int64)

    def _keep(self, field: str, value: npt.ArrayLike, shape: tuple[int, ...] | None = None) -> None:
        """Store a frozen copy of an array after looking at its shape and values."""
        array = np.array(value) if shape is None else np.array(value, dtype=bool if field == "sliders" else float)
        if shape is not None and array.shape != shape:
            raise ArgumentError(f"{field} of a tree of {shape[0]} joints must have shape {shape}, not {array.shape}")
        if not np.all(np.isfinite(array)):
            where = self.names[int(np.argwhere(~np.isfinite(array))[0][0])]
            raise ArgumentError(f"{field} of {where} must be finite numbers")
        array.flags.writeable = False
        object.__setattr__(self, field, array)

    def _parents_checked(self, n: int) -> npt.NDArray[np.int64]:
        parents = np.asarray(self.parents)
        if parents.shape != (n,) or not np.issubdtype(parents.dtype, np.integer):
            raise ArgumentError(f"parents must be a list of {n} whole numbers, got {parents.dtype} {parents.shape}")
        for i, parent in enumerate(parents.tolist()):
            if not -1 <= parent < i:
                raise ArgumentError(
                    f"the parent of {self.names[i]} is {parent}, but must come before it: -1 (the world) to {i - 1}"
                )
        return parents.astype(np.int64)

    def _directions_checked(self, n: int) -> Array:
        axes = np.asarray(self.axes, dtype=float)
        if axes.shape != (n, 3):
            raise ArgumentError(f"axes of a tree of {n} joints must have shape ({n}, 3), not {axes.shape}")
        lengths = np.linalg.norm(axes, axis=1)
        if not np.all(lengths > _TOLERANCE):
            raise ArgumentError(f"the axis of {self.names[int(np.argmin(lengths))]} has no direction: its length is 0")
        directions: Array = axes / lengths[:, None]
        return directions

    def _check_rotations(self) -> None:
        products = self.rotations @ self.rotations.transpose(0, 2, 1)
        wrong = np.abs(products - np.eye(3)).max(axis=(1, 2)) > _TOLERANCE
        wrong |= np.linalg.det(self.rotations) < 0
        if wrong.any():
            raise ArgumentError(f"rotations of {self.names[int(np.argmax(wrong))]} is not a proper rotation matrix")

    def _check_masses(self) -> None:
        if (self.masses < 0).any():
            i = int(np.argmin(self.masses))
            raise ArgumentError(f"the mass of {self.names[i]} is {self.masses[i]:g} kg, but must not be negative")
        scale = np.abs(self.inertias).max(axis=(1, 2))
        skew = np.abs(self.inertias - self.inertias.transpose(0, 2, 1)).max(axis=(1, 2))
        if (skew > _TOLERANCE * scale).any():
            raise ArgumentError(f"the inertia of {self.names[int(np.argmax(skew))]} must be a symmetric matrix")
        least = np.linalg.eigvalsh(self.inertias)[:, 0]
        if (least < -_TOLERANCE * scale).any():
            raise ArgumentError(f"the inertia of {self.names[int(np.argmin(least))]} has a negative principal moment")


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
