"""Messages to Segue's process: length, JSON header, arrays. The layout is that of `segue.serve.framing`."""

from __future__ import annotations

import json
import struct

import numpy as np

_LENGTH = struct.Struct("<I")
_DTYPES = {"f4": "<f4", "f8": "<f8", "u2": "<u2", "u1": "u1", "i4": "<i4"}


def packed(header, arrays):
    """Return a message as bytes."""
    shapes, blocks, offset = [], [], 0
    for name, array in arrays.items():
        array = np.asarray(array)
        dtype = array.dtype.str.lstrip("<|=")
        data = np.ascontiguousarray(array, _DTYPES[dtype]).tobytes()
        shapes.append({"name": name, "dtype": dtype, "shape": list(array.shape), "offset": offset})
        data += bytes(-len(data) % 8)
        blocks.append(data)
        offset += len(data)
    text = json.dumps({**header, "arrays": shapes}, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-(len(text) + 4) % 8)
    body = b"".join([_LENGTH.pack(len(text)), text, *blocks])
    return _LENGTH.pack(len(body)) + body


def unpacked(body):
    """Return the header and the arrays of a message without its first length."""
    (length,) = _LENGTH.unpack_from(body)
    begin = 4 + length
    header = json.loads(body[4:begin])
    arrays = {}
    for each in header.pop("arrays"):
        count = int(np.prod(each["shape"], dtype=np.int64))
        found = np.frombuffer(body, _DTYPES[each["dtype"]], count, begin + each["offset"])
        arrays[each["name"]] = found.reshape(each["shape"]).copy()
    return header, arrays


def read(stream):
    """Return the next message of a stream, or None at its end."""
    prefix = _exactly(stream, 4)
    if prefix is None:
        return None
    body = _exactly(stream, _LENGTH.unpack(prefix)[0])
    return None if body is None else unpacked(body)


def _exactly(stream, count):
    parts = []
    while count:
        part = stream.read(count)
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
