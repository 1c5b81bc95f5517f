"""Messages on a stream of bytes: the length of each message (u4, little-endian), then the message as `framing` has it.

Every message is binary, also without arrays.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy.typing as npt

from segue.errors import ArgumentError
from segue.serve.framing import framed, unframed

_LENGTH = struct.Struct("<I")
LARGEST = 1 << 30
"""Bytes of the largest message."""


def write_message(stream: BinaryIO, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write one message and flush the stream."""
    data = framed(header, arrays)
    if len(data) > LARGEST:
        raise ArgumentError(f"the message has {len(data):,} bytes: at most {LARGEST:,} are possible")
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_message(stream: BinaryIO) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]] | None:
    """Return the next message, or None at the end of the stream; raise ArgumentError at bytes that are none."""
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
