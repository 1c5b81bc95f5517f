"""Named arrays and plain values in one block of bytes: the format of a graph's file, and of what a build remembers.

A block has 8 bytes of magic, the length of a header as an unsigned 64-bit number, the header as JSON, and the arrays
one after another, each from a multiple of 8 bytes on. All numbers are little-endian. Reading checks every size before
use, runs no code of the file, and maps large files instead of loading them.
"""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.errors import FileFormatError
from segue.filesystem import atomic_write

MAGIC = b"SegueGr1"
_DTYPES = ("<f4", "<f8", "<i4", "|u1")
_ALIGN = 8
_LARGEST_HEADER = 1 << 28  # bytes

Arrays = Mapping[str, npt.NDArray[Any]]


def pack(values: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Return plain values and arrays as bytes; the same contents give the same bytes."""
    return b"".join(_parts(values, {name: (each.dtype.str, each.shape) for name, each in arrays.items()}, arrays))


def unpack(block: bytes | memoryview | mmap.mmap, path: str | Path | None = None) -> tuple[dict[str, Any], Arrays]:
    """Return plain values and read-only arrays, without copying them; path: of the file, for the error."""
    view = memoryview(block)
    try:
        values, places = _header(view)
        arrays = {
            name: np.frombuffer(view, np.dtype(dtype), math.prod(shape), start).reshape(shape)
            for name, (dtype, shape, start) in places.items()
        }
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FileFormatError(f"is not a motion graph, or is damaged ({error}): build the graph again", path) from None
    return values, arrays


def write_container(
    path: str | Path, values: Mapping[str, Any], shapes: Mapping[str, tuple[str, tuple[int, ...]]], parts: Parts
) -> None:
    """Write a file in one step.

    shapes: dtype and shape of each array, in the order of `parts`. parts: the arrays of each name piece by piece, so
    that a file may be larger than memory.
    """
    with atomic_write(path) as beside, beside.open("wb") as file:
        for part in _parts(values, shapes, parts):
            file.write(part)


def read_container(path: str | Path) -> tuple[dict[str, Any], Arrays]:
    """Return the contents of a file; its arrays are mapped from the disk and read when used."""
    try:
        with Path(path).open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        advice = f"'segue graph build LIB -o {path}' makes one"
        raise FileFormatError(f"there is no motion graph: {advice}", path) from None
    except (OSError, ValueError) as error:
        raise FileFormatError(f"cannot be read as a motion graph: {error}", path) from None
    return unpack(mapped, path)


Parts = Mapping[str, npt.NDArray[Any] | Iterator[npt.NDArray[Any]]]
"""An array by name, or its pieces along the first axis."""


def _parts(
    values: Mapping[str, Any], shapes: Mapping[str, tuple[str, tuple[int, ...]]], parts: Parts
) -> Iterator[bytes]:
    places, start = {}, 0
    for name, (dtype, shape) in shapes.items():
        if dtype not in _DTYPES:
            raise ValueError(f"arrays of {dtype} are not stored")
        places[name] = {"dtype": dtype, "shape": list(shape), "start": start}
        start += _padded(math.prod(shape) * np.dtype(dtype).itemsize)
    given = {"values": values, "arrays": places}
    header = json.dumps(given, separators=(",", ":"), sort_keys=True, allow_nan=False).encode()
    header += b" " * (-len(header) % _ALIGN)
    yield MAGIC + len(header).to_bytes(8, "little") + header
    for name, (dtype, shape) in shapes.items():
        count, part = 0, parts[name]
        for piece in [part] if isinstance(part, np.ndarray) else part:
            data = np.ascontiguousarray(piece, dtype).tobytes()
            count += len(data)
            yield data
        if count != math.prod(shape) * np.dtype(dtype).itemsize:
            raise ValueError(f"the pieces of {name} do not make up its shape")
        yield b"\0" * (_padded(count) - count)


def _header(view: memoryview) -> tuple[dict[str, Any], dict[str, tuple[str, tuple[int, ...], int]]]:
    """Return the plain values, and dtype, shape and first byte of each array, all checked."""
    if len(view) < 16 or bytes(view[:8]) != MAGIC:
        raise ValueError("it begins otherwise")
    length = int.from_bytes(view[8:16], "little")
    if length > min(len(view) - 16, _LARGEST_HEADER):
        raise ValueError("its header is cut off")
    header = json.loads(bytes(view[16 : 16 + length]))
    values, places = header["values"], {}
    if not isinstance(values, dict):
        raise ValueError("its values are not named")
    for name, place in header["arrays"].items():
        dtype, shape, start = place["dtype"], tuple(place["shape"]), place["start"]
        whole = all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in (*shape, start))
        if dtype not in _DTYPES or not whole:
            raise ValueError(f"the array {name!r} has no valid shape")
        first = 16 + length + start
        if first + math.prod(shape) * np.dtype(dtype).itemsize > len(view):
            raise ValueError(f"the array {name!r} is cut off")
        places[name] = (dtype, shape, first)
    return values, places


def _padded(size: int) -> int:
    return size + -size % _ALIGN
