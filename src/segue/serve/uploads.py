"""Files that a page sends: they arrive in parts and appear below the folder when they are whole."""

from __future__ import annotations

import base64
import binascii
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from segue.errors import ArgumentError, printable
from segue.filesystem import atomic_write
from segue.io.files import READERS
from segue.language.workspace import Workspace
from segue.serve.replies import Uploaded
from segue.serve.requests import Upload

PART = 512 * 1024
"""Bytes of one part, at most."""

LARGEST = 200_000_000
"""Bytes of one file, at most, as a script may read."""

_OTHERS = (".segue", ".toml", ".obj")  # scripts, maps of joints and grounds
_TOGETHER = 4  # files that may arrive at the same time
_NAMES = 1000


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that a page may send."""
    return tuple(sorted({*READERS, *_OTHERS}))


@dataclass
class _Arriving:
    path: str
    size: int
    beside: Path
    received: int = field(default=0)


class Uploads:
    """The files that are arriving from one page."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._arriving: dict[str, _Arriving] = {}

    def take(self, part: Upload) -> Uploaded:
        """Keep a part of a file; raise ArgumentError, and drop the file, if it does not fit."""
        try:
            return self._take(part)
        except ArgumentError:
            self._drop(part.path)
            raise

    def close(self) -> None:
        """Remove the files that did not become whole."""
        for path in list(self._arriving):
            self._drop(path)

    def _take(self, part: Upload) -> Uploaded:
        try:
            data = base64.b64decode(part.data, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ArgumentError("the part of the file is not base64") from error
        if len(data) > PART:
            raise ArgumentError(f"the part of the file has {len(data):,} bytes: at most {PART:,} are allowed")
        if part.offset == 0:
            self._drop(part.path)
            self._arriving[part.path] = self._begun(part)
        arriving = self._arriving.get(part.path)
        if arriving is None or part.offset != arriving.received or part.size != arriving.size:
            raise ArgumentError(f"a part of '{printable(part.path)}' is missing: send the file again")
        arriving.received += len(data)
        if arriving.received > arriving.size:
            raise ArgumentError(f"'{printable(part.path)}' is longer than {arriving.size:,} bytes: send the file again")
        with arriving.beside.open("ab") as file:
            file.write(data)
        if arriving.received == arriving.size:
            arriving.path = self._kept(arriving)
        return Uploaded(arriving.path, arriving.received, arriving.size, request=part.request)

    def _begun(self, part: Upload) -> _Arriving:
        if not 0 < part.size <= LARGEST:
            raise ArgumentError(f"'{printable(part.path)}' has {part.size:,} bytes: 1 to {LARGEST:,} can be sent")
        if len(self._arriving) >= _TOGETHER:
            raise ArgumentError(f"{_TOGETHER} files are arriving already: wait until one is here")
        target = self.workspace.to_write(part.path, suffixes())
        if any(name.startswith(".") for name in PurePosixPath(part.path).parts):
            raise ArgumentError(f"'{printable(part.path)}' has a hidden name: choose another name")
        beside = target.with_name(f".segue-upload-{secrets.token_hex(8)}")
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        return _Arriving(part.path, part.size, beside)

    def _kept(self, arriving: _Arriving) -> str:
        """Give a whole file its name, or the next free one; return the name."""
        name, asked = arriving.path, PurePosixPath(arriving.path)
        for k in range(2, _NAMES):
            target = self.workspace.to_write(name, suffixes())
            if not os.path.lexists(target):
                break
            name = str(asked.with_name(f"{asked.stem}-{k}{asked.suffix}"))
        with atomic_write(target) as beside:
            os.replace(arriving.beside, beside)
        self._arriving = {path: each for path, each in self._arriving.items() if each is not arriving}
        return name

    def _drop(self, path: str) -> None:
        arriving = self._arriving.pop(path, None)
        if arriving is not None:
            arriving.beside.unlink(missing_ok=True)
