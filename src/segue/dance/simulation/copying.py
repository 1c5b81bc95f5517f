"""Copy simulated dancers with all that may change: the engine's state, controllers, observers and records.

Controllers hold views of the engine's arrays. A copy has an engine of its own, and its controllers view the arrays of
that engine. Objects that never change, such as plans, courses and recorded frames, are shared.
"""

from __future__ import annotations

import copy
import io
import pickle
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.model import BodyModel

T = TypeVar("T")


def copy_of(whole: T, engines: Sequence[tuple[Any, Any]]) -> T:
    """Return a copy of an object that goes on by itself; engines: all models and data of the engine that it uses."""
    fresh = [_fresh(model, data) for model, data in engines]
    owned = [each for pair in engines for each in pair]
    others = [each for pair in fresh for each in pair]
    text = io.BytesIO()
    writer = _Writer(text, owned)
    writer.dump(whole)
    text.seek(0)
    copied: T = _Reader(text, others, writer.shared).load()
    return copied


def _fresh(model: Any, data: Any) -> tuple[Any, Any]:
    """Return copies of a model and its data; only the part of the data's memory is copied that is in use."""
    other = copy.copy(model)
    target = mujoco().MjData(other)
    mujoco().mj_copyData(target, other, data)
    return other, target


class _Arrays:
    """Finds the array of the engine that another array is a view of."""

    def __init__(self, owned: Sequence[Any]) -> None:
        found = []
        for number, each in enumerate(owned):
            first = each.qpos if hasattr(each, "qpos") else each.qpos0
            start = _address(first)  # where the memory of the model or the data begins; contacts lie elsewhere
            for name in dir(each):
                value = None if name.startswith("_") else getattr(each, name, None)
                if isinstance(value, np.ndarray) and value.nbytes:
                    address = _address(value)
                    if start <= address < start + each.nbuffer:
                        found.append((address, value.nbytes, number, name))
        self._known = sorted(found)
        self._starts = [start for start, *_ in self._known]

    def place(self, view: npt.NDArray[Any]) -> tuple[int, str, int] | None:
        """Return the number of the owner, the name of its array and an offset in bytes; None for any other array."""
        address = _address(view)
        k = bisect_right(self._starts, address) - 1
        if k < 0 or view.nbytes == 0:
            return None
        start, length, number, name = self._known[k]
        return (number, name, address - start) if address < start + length else None


def _address(array: npt.NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


class _Writer(pickle.Pickler):
    """Writes an object; what is shared or belongs to the engine is written as a reference."""

    def __init__(self, file: io.BytesIO, owned: Sequence[Any]) -> None:
        super().__init__(file)
        self._owned = {id(each): number for number, each in enumerate(owned)}
        self._arrays = _Arrays(owned)
        self.shared: list[Any] = []
        self._numbers: dict[int, int] = {}

    def persistent_id(self, obj: Any) -> Any:
        """Return the reference to an object, None if it is copied."""
        if id(obj) in self._owned:
            return "engine", self._owned[id(obj)]
        if isinstance(obj, np.ndarray):
            place = self._arrays.place(obj)
            return None if place is None else ("view", *place, obj.dtype.str, obj.shape, obj.strides)
        if is_dataclass(obj) and not isinstance(obj, (type, BodyModel)) and _is_frozen(obj):
            if id(obj) not in self._numbers:
                self._numbers[id(obj)] = len(self.shared)
                self.shared.append(obj)
            return "shared", self._numbers[id(obj)]
        return None

    def reducer_override(self, obj: Any) -> Any:
        """Copy arrays that own their memory, and keep views of them views of the copies."""
        if type(obj) is not np.ndarray:
            return NotImplemented
        root = obj
        while isinstance(root.base, np.ndarray):
            root = root.base
        if root is obj:
            return _array, (obj.tobytes("A"), obj.dtype.str, obj.shape, "F" if obj.flags.fnc else "C")
        return _view, (root, _address(obj) - _address(root), obj.dtype.str, obj.shape, obj.strides)


class _Reader(pickle.Unpickler):
    """Reads what `_Writer` wrote, with other objects of the engine in the place of the first ones."""

    def __init__(self, file: io.BytesIO, owned: Sequence[Any], shared: Sequence[Any]) -> None:
        super().__init__(file)
        self._owned, self._shared = owned, shared

    def persistent_load(self, pid: Any) -> Any:
        """Return the object of a reference."""
        kind, number, *rest = pid
        if kind == "shared":
            return self._shared[number]
        if kind == "engine":
            return self._owned[number]
        name, *layout = rest
        return _view(getattr(self._owned[number], name), *layout)


def _is_frozen(obj: Any) -> bool:
    return bool(type(obj).__dataclass_params__.frozen)


def _array(data: bytes, dtype: str, shape: tuple[int, ...], order: Literal["C", "F"]) -> npt.NDArray[Any]:
    """Return an array that owns its memory."""
    return np.frombuffer(data, dtype).reshape(shape, order=order).copy(order)


def _view(
    base: npt.NDArray[Any], offset: int, dtype: str, shape: tuple[int, ...], strides: tuple[int, ...]
) -> npt.NDArray[Any]:
    """Return a view of an array's memory."""
    return np.ndarray(shape, dtype, base, offset, strides)
