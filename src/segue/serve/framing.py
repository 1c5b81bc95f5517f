"""Messages as bytes, alone and on a stream: JSON text, or a JSON header with arrays behind it.

A binary message is little-endian and has three parts: the length of the header in bytes (u4), the header, and the
arrays in C order. The header is JSON in UTF-8. Spaces pad it so that the first array begins at a multiple of 8 bytes
from the message's start. The header is the message with `arrays`: the name, dtype ("f4", "f8", "u2", "u1", "i4"), shape
and offset of each array. Offsets count from the end of the padded header. Each array begins at a multiple of 8 bytes.
On a stream of bytes, every message is binary, and its length (u4) comes before it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError

_LENGTH = struct.Struct("<I")
_ALIGNED = 8
_STEP = 8
DTYPES = {"f4": "<f4", "f8": "<f8", "u2": "<u2", "u1": "u1", "i4": "<i4"}
"""Names of number formats, and NumPy's names for them."""
LARGEST = 1 << 30
"""Bytes of the largest message."""


def framed(message: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return a binary message. Each array has one of the formats in `DTYPES`."""
    shapes, blocks, offset = [], [], 0
    for name, array in arrays.items():
        dtype = array.dtype.str.lstrip("<|=")
        if dtype not in DTYPES:
            raise ArgumentError(f"the array '{name}' is of type {array.dtype}: one of {', '.join(DTYPES)} is needed")
        data = np.ascontiguousarray(array, dtype=DTYPES[dtype]).tobytes()
        shapes.append({"name": name, "dtype": dtype, "shape": list(array.shape), "offset": offset})
        data += bytes(-len(data) % _STEP)
        blocks.append(data)
        offset += len(data)
    header = json.dumps({**message, "arrays": shapes}, separators=(",", ":"), allow_nan=False).encode()
    header += b" " * (-(len(header) + _LENGTH.size) % _ALIGNED)
    return b"".join([_LENGTH.pack(len(header)), header, *blocks])


def unframed(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return the header and the arrays of a binary message; raise ArgumentError at bytes of another form."""
    try:
        (length,) = _LENGTH.unpack_from(data)
        begin = _LENGTH.size + length
        header = json.loads(data[_LENGTH.size : begin])
        arrays = {}
        for each in header["arrays"]:
            shape = tuple(int(size) for size in each["shape"])
            count, offset = int(np.prod(shape, dtype=np.int64)), int(each["offset"])
            if offset < 0 or min(shape, default=0) < 0:
                raise ValueError(offset)
            found = np.frombuffer(data, DTYPES[each["dtype"]], count, begin + offset)
            arrays[str(each["name"])] = found.reshape(shape)
    except (struct.error, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise ArgumentError("the message is not a header with arrays behind it") from error
    return header, arrays


def write_message(stream: BinaryIO, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write one message and flush the stream."""
    data = framed(header, arrays)
    if len(data) > LARGEST:
        raise ArgumentError(f"the message has {len(data):,} bytes: at most {LARGEST:,} are possible")
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_message(stream: BinaryIO) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]] | None:
    """Return the next message, or None at the end of the stream; raise ArgumentError at bytes of another form."""
    prefix = _exactly(stream, _LENGTH.size)
    if prefix is None:
        return None
    (length,) = _LENGTH.unpack(prefix)
    if length > LARGEST:
        raise ArgumentError(f"the next message has {length:,} bytes: at most {LARGEST:,} are possible")
    data = _exactly(stream, length)
    return None if data is None else unframed(data)


def _exactly(stream: BinaryIO, count: int) -> bytes | None:
    """Return so many bytes; None if the stream ends before."""
    parts: list[bytes] = []
    while count:
        part = stream.read(count)
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
