"""The glTF containers: a .glb's chunks and a .gltf's buffers in, one .glb out."""

from __future__ import annotations

import base64
import binascii
import json
import os
import struct
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from segue.errors import ArgumentError, FileFormatError, warn_user
from segue.filesystem import read_bytes
from segue.io.gltf.document import Item, parse_document

_MAGIC = b"glTF"
_PNG = b"\x89PNG"
_VERSION = 2
_HEADER = struct.Struct("<4sII")  # magic, version, length of the whole
_CHUNK = struct.Struct("<II")  # length of the content, kind
_JSON_CHUNK = 0x4E4F534A
_BINARY_CHUNK = 0x004E4942
_LARGEST = 2**32 - 1


def open_container(path: str | Path) -> tuple[Item, bytes | None]:
    """Return the document of a .glb or .gltf file and the binary chunk, if it has one.

    The content decides which of the two it is, not the suffix.
    """
    data = read_bytes(path)
    if data.startswith(_MAGIC):
        return _open_binary(data, path)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        return parse_document(data, path), None
    raise FileFormatError(
        f"is no glTF file: it begins with {data[:4]!r} where a .glb has {_MAGIC!r} and a .gltf has an opening brace",
        path,
    )


def _open_binary(data: bytes, path: str | Path) -> tuple[Item, bytes | None]:
    if len(data) < _HEADER.size:
        raise FileFormatError(f"ends within the header of {_HEADER.size} bytes: the file is cut short", path)
    _, version, length = _HEADER.unpack_from(data)
    if version != _VERSION:
        raise FileFormatError(f"is glTF binary of version {version}: only version 2 can be read", path)
    if length > len(data):
        raise FileFormatError(
            f"should be {length} bytes long by its header and has {len(data)}: the file is cut short", path
        )
    chunks = _chunks(data[:length], path)
    if not chunks or chunks[0][0] != _JSON_CHUNK:
        raise FileFormatError("does not begin with a JSON chunk, as glTF binary must", path)
    binary = chunks[1][1] if len(chunks) > 1 and chunks[1][0] == _BINARY_CHUNK else None
    return parse_document(chunks[0][1], path), binary


def _chunks(data: bytes, path: str | Path) -> list[tuple[int, bytes]]:
    """Return kind and content of each chunk in order."""
    chunks: list[tuple[int, bytes]] = []
    at = _HEADER.size
    while at < len(data):
        if at + _CHUNK.size > len(data):
            raise FileFormatError(f"ends within the head of chunk {len(chunks)}: the file is cut short", path)
        length, kind = _CHUNK.unpack_from(data, at)
        at += _CHUNK.size
        if at + length > len(data):
            raise FileFormatError(
                f"chunk {len(chunks)} should hold {length} bytes and {len(data) - at} are left: "
                "the file is cut short or the chunk's length is wrong",
                path,
            )
        chunks.append((kind, data[at : at + length]))
        at += length
    return chunks


def buffer_bytes(buffer: Item, *, is_first: bool, binary: bytes | None) -> bytes:
    """Return the content of one buffer: the binary chunk, a data URI, or a file beside the document."""
    uri, length = buffer.text("uri"), buffer.integer("byteLength")
    if not uri:
        if not is_first or binary is None:
            buffer.fail("has no data: neither a URI nor a binary chunk of the file belongs to it")
        data = binary
    elif uri.startswith("data:"):
        data = _decode_data_uri(buffer, uri)
    else:
        data = _read_beside(buffer, uri, length)
    if length > len(data):
        buffer.fail(f"is {length} and the buffer has only {len(data)} bytes", "byteLength")
    return data[:length]


def _decode_data_uri(buffer: Item, uri: str) -> bytes:
    head, comma, payload = uri.partition(",")
    if not comma:
        buffer.fail("is a data URI without a comma: its data is missing", "uri")
    try:
        if head.endswith(";base64"):
            return base64.b64decode(unquote(payload), validate=True)
        return unquote(payload, encoding="latin-1").encode("latin-1")
    except (binascii.Error, ValueError):
        buffer.fail("is a data URI that is not valid base64", "uri")


def data_uri(data: bytes, kind: str = "application/octet-stream") -> str:
    """Return bytes as a data URI."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _read_beside(buffer: Item, uri: str, length: int) -> bytes:
    """Return the first `length` bytes of a file beside the document; nothing is read where it is shorter."""
    file = _file_beside(buffer, uri)
    size = os.path.getsize(file)
    if length > size:
        buffer.fail(f"is {length} and '{uri[:80]}' has only {size} bytes", "byteLength")
    return read_bytes(file, length)


def _file_beside(item: Item, uri: str) -> Path:
    """Return the file in the folder of the document, or below it, that a URI names."""
    name = unquote(uri)
    relative = PurePosixPath(name)
    # a document must not make its reader open what lies elsewhere on the machine, or on another one
    if relative.is_absolute() or ".." in relative.parts or ":" in name or "\\" in name or "\0" in name:
        item.fail(f"is '{uri[:80]}': only a file in the folder of the document, or below it, can be read", "uri")
    folder = Path(item.path).parent
    file = folder / relative
    if not os.path.isfile(file):  # unlike Path.is_file, also false for names that no file can have
        item.fail(f"is '{uri[:80]}': there is no such file beside the document", "uri")
    if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
        item.fail(f"is '{uri[:80]}': it is a link that leads out of the document's folder", "uri")
    return file


def image_bytes(image: Item, view: Callable[[Item], bytes]) -> bytes:
    """Return the content of an image file; view: returns the bytes of the buffer view that an item names."""
    uri = image.text("uri")
    if not uri:
        return view(image)
    return _decode_data_uri(image, uri) if uri.startswith("data:") else read_bytes(_file_beside(image, uri))


def embedded_image(image: Item) -> dict[str, Any]:
    """Return an image as it is, or with the file beside the document that it names as a data URI.

    A file that cannot be read stays a name, with a warning: the motion is still worth writing.
    """
    uri = image.text("uri")
    if not uri or uri.startswith("data:"):
        return image.fields
    try:
        data = read_bytes(_file_beside(image, uri))
    except FileFormatError as error:
        warn_user(f"{error}; the written file still names it")
        return image.fields
    return image.fields | {"uri": data_uri(data, "image/png" if data.startswith(_PNG) else "image/jpeg")}


def pack_glb(document: Mapping[str, Any], binary: bytes) -> bytes:
    """Return a .glb of a document and the content of its first buffer."""
    # a name may hold half of a surrogate pair, which is no character and cannot be written as UTF-8
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    length = _HEADER.size + 2 * _CHUNK.size + len(text) + len(binary)
    if length > _LARGEST:
        raise ArgumentError(f"the clip needs {length} bytes as .glb, which can hold {_LARGEST}: write it in parts")
    return b"".join(
        (
            _HEADER.pack(_MAGIC, _VERSION, length),
            _CHUNK.pack(len(text), _JSON_CHUNK),
            text,
            _CHUNK.pack(len(binary), _BINARY_CHUNK),
            binary,
        )
    )
