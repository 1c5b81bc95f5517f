"""The file system: reading whole files, writing beside and renaming, and plain words for what goes wrong."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from segue.errors import FileFormatError, SegueError

_count: ContextVar[Callable[[Path, int], None] | None] = ContextVar("count", default=None)


@contextlib.contextmanager
def counted_reads(count: Callable[[Path, int], None]) -> Iterator[None]:
    """Call `count` with the path and the bytes of every file that `read_bytes` is about to read; it may raise."""
    token = _count.set(count)
    try:
        yield
    finally:
        _count.reset(token)


def read_bytes(path: str | Path, most: int = -1) -> bytes:
    """Return the content of a file, or say in one sentence why it cannot be had.

    most: the number of bytes that are read from its beginning, all of them where negative.
    """
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            wanted = size if most < 0 else min(most, size)
            if (count := _count.get()) is not None:
                count(Path(path), wanted)
            return file.read(most)
    except (OSError, ValueError) as error:
        if isinstance(error, SegueError):  # what is counted is too much
            raise
        raise FileFormatError(f"cannot be read: {_reason(error)}", path) from error


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Give a temporary file beside `path` to write to, with its suffix; it takes the name `path` when all went well.

    On any failure the temporary file is removed and whatever stood at `path` stays as it was. An existing file keeps
    its permissions and a symbolic link keeps pointing at the file that is replaced.
    """
    target = writable_target(path)
    beside = target.with_name(f".segue-{secrets.token_hex(8)}{target.suffix}")
    try:
        # not tempfile: its files are private to the user, these are to have the permissions of any new file
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        try:
            yield beside
            if target.exists():
                os.chmod(beside, stat.S_IMODE(target.stat().st_mode))
            os.replace(beside, target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileFormatError(f"cannot be written: {_reason(error)}", path) from error


def writable_target(path: str | Path) -> Path:
    """Return where the file will really stand, after checking what can be checked before any work is done."""
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise FileFormatError("cannot be written: it is a folder, the name of a file is needed", path)
        if not target.parent.is_dir():
            raise FileFormatError(f"cannot be written: there is no folder '{Path(path).parent}', create it first", path)
        if target.exists() and not target.is_file():
            raise FileFormatError("cannot be written: it is a device or pipe, an ordinary file is needed", path)
        if target.exists() and not os.access(target, os.W_OK):
            # a file can be replaced without writing to it, but who protected it did not mean that
            raise FileFormatError(
                "cannot be written: it is write-protected, allow writing or choose another name", path
            )
    except (OSError, ValueError) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(f"cannot be written: {_reason(error)}", path) from error
    return target


_REASONS: Mapping[int, str] = MappingProxyType(
    {
        errno.ENOENT: "there is no such file",
        errno.ENOTDIR: "a part of its path is a file where a folder is needed",
        errno.EISDIR: "it is a folder, the name of a file is needed",
        errno.EACCES: "permission is denied, check the permissions of the file and its folder",
        errno.EPERM: "permission is denied, check the permissions of the file and its folder",
        errno.EROFS: "the file system is read-only, choose another folder",
        errno.ENOSPC: "no space is left on the device, free some or choose another folder",
        errno.ENAMETOOLONG: "its name is too long for the file system, choose a shorter one",
        errno.ELOOP: "its symbolic links form a loop, name the file itself",
    }
)


def _reason(error: OSError | ValueError) -> str:
    """Return a plain phrase for an error of the file system; a ValueError comes from a path such as one with NUL."""
    if isinstance(error, OSError) and error.errno is not None:
        return _REASONS.get(error.errno) or f"the system reports '{os.strerror(error.errno)}'"
    return f"its path is not a valid one ({error})"
