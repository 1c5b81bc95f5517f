"""NumPy archives (.npz): arrays by name, checked as they are read and written whole or not at all."""

from __future__ import annotations

import io
import lzma
import math
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from segue.errors import FileFormatError
from segue.filesystem import atomic_write, read_bytes

_MOST_BYTES = 2**30  # of an array, unpacked
_DAMAGED = (
    *(ArithmeticError, EOFError, LookupError, MemoryError, OSError, RuntimeError, SyntaxError, TypeError, ValueError),
    *(lzma.LZMAError, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)


class Archive(Mapping[str, Any]):
    """The arrays of a .npz file, each read when it is asked for; texts and numbers alone, never pickled objects."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(read_bytes(path)))
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as error:
            if isinstance(error, FileFormatError):
                raise
            raise FileFormatError("is no .npz file: a zip archive of arrays is needed", path) from None
        self._infos = {info.filename.removesuffix(".npy"): info for info in infos}

    def __len__(self) -> int:
        return len(self._infos)

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __getitem__(self, name: str) -> Any:
        info = self._infos[name]
        if info.file_size > _MOST_BYTES:
            self.fail(name, f"has {info.file_size} bytes: {_MOST_BYTES} can be read")
        try:
            with self._zip.open(info) as packed:
                file = io.BytesIO(packed.read(info.file_size + 1))
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, columns_first, kind = read(file)
            if kind.hasobject:
                self.fail(name, "holds Python objects: only numbers and texts are read")
            # NumPy's own reader would first make room for whatever the header claims
            flat = np.frombuffer(file.getbuffer()[file.tell() :], kind, math.prod(shape))
            return flat.reshape(shape, order="F" if columns_first else "C")
        except FileFormatError:
            raise
        except _DAMAGED:
            self.fail(name, "cannot be read: it is damaged")

    def numbers(self, name: str, *shape: int | None) -> Any:
        """Return an array of finite numbers; shape: the wanted one, None where any length will do."""
        value = self[name]
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        if value.dtype.kind not in "fiu":
            self.fail(name, f"has the type {value.dtype}: numbers are needed")
        fits = value.ndim == len(shape) and all(s in (None, n) for s, n in zip(shape, value.shape, strict=True))
        if not fits:
            self.fail(name, f"has the shape {value.shape}: ({wanted}) is needed")
        if not np.isfinite(value).all():
            self.fail(name, "has a number that is not finite")
        return np.asarray(value, float) if value.dtype.kind == "f" else value

    def fail(self, name: str, problem: str) -> NoReturn:
        """Raise the error that names the array."""
        raise FileFormatError(f"the array '{name[:80]}' {problem}", self.path) from None


def save_arrays(path: str | Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays as a compressed archive."""
    with atomic_write(path) as beside, beside.open("wb") as file:  # given a path, NumPy may add a suffix
        np.savez_compressed(file, **arrays)
