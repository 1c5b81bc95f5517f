"""Memory of values between runs of scripts: what a function gave for the same arguments, library and files.

A script is evaluated anew each time, but a function that is applied to the same values is not computed again. Motions
count as the same if they are the same object, which they are if they come from this memory.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from segue.filling.own_frame import JoinMemory, remembering
from segue.language.values import Value

_Token: TypeAlias = Any
_MOST = 600  # values, about ten per transition of a long script, for dozens of steps of undo


@dataclass(frozen=True)
class Remembered:
    """A value: what it was made of, what was printed, the files that were read with their stamps, ms to compute it."""

    value: Value
    given: tuple[object, ...]
    said: tuple[str, ...]
    files: tuple[tuple[Path, tuple[int, int] | None], ...]
    ms: float


def stamp(path: Path) -> tuple[int, int] | None:
    """Return the time of the last change and the size of a file; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _token(value: object) -> _Token:
    """Return what stands for a value in a key: its content if that is small, else its identity."""
    if isinstance(value, tuple):
        return ("list", *(_token(item) for item in value))
    if value is None or isinstance(value, bool | float | str):
        return type(value).__name__, value
    return "object", id(value)


class Memory:
    """Values by what they were computed from; those unused for longest are forgotten."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._values: OrderedDict[_Token, Remembered] = OrderedDict()
        self._lock = threading.Lock()
        self.joins = JoinMemory()
        """Transitions by the pieces that they join, wherever these are in a motion."""
        self.computed = 0
        """How many values were computed."""
        self.recalled = 0
        """How many values were recalled."""
        self.last: Remembered | None = None
        """The latest value that was computed; None after one was recalled."""

    def __len__(self) -> int:
        return len(self._values)

    def applied(
        self,
        function: str,
        values: Mapping[str, object],
        library: object,
        compute: Callable[[], Value],
        said: list[str],
        opened: list[Path],
    ) -> Value:
        """Return a remembered value, or compute and remember it.

        said, opened: lists that grow while it is computed: printed lines, and files that were read.
        """
        key = (function, tuple((name, _token(value)) for name, value in values.items()), _token(library))
        with self._lock:
            found = self._values.get(key)
        if found is not None and all(stamp(path) == before for path, before in found.files):
            with self._lock:
                self._values[key] = found
                self._values.move_to_end(key)
            said += found.said
            self.recalled += 1
            self.last = None
            return found.value
        lines, files, began = len(said), len(opened), time.perf_counter()
        with remembering(self.joins):
            value = compute()
        ms = 1000.0 * (time.perf_counter() - began)
        read = tuple((path, stamp(path)) for path in dict.fromkeys(opened[files:]))
        # values in the key are kept alive, so that no other object can have their identity
        made = Remembered(value, (*values.values(), library), tuple(said[lines:]), read, ms)
        with self._lock:
            self._values[key] = made
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        self.computed += 1
        self.last = made
        return value
