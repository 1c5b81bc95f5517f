"""Find all files below a folder that Segue can read, in an order that does not depend on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from segue.errors import FileFormatError
from segue.io.files import READERS
from segue.library.record import Key, Source
from segue.motion.options import ClipOptions


@dataclass(frozen=True)
class Unreadable:
    """A file or folder that could not be read, with the reason."""

    path: str
    reason: str


@dataclass
class Scan:
    """The clips found, by source; files and folders that could not be read; the folders that were searched."""

    clips: dict[Key, Source] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)

    def miss(self, path: str, error: OSError) -> None:
        """Record that a file or folder could not be read."""
        self.unreadable.append(Unreadable(path, f"cannot be read: the system reports '{error.strerror}'"))

    def hides(self, path: Path) -> bool:
        """Return whether a file is, or may be, in a folder that could not be read."""
        return any(Path(each.path) in (path, *path.parents) for each in self.unreadable)


def find_clips(wanted: Iterable[str | Path], options: ClipOptions) -> Scan:
    """Return the clips below folders, or named files, and the files and folders that could not be read.

    The sources have no checksum yet. Links are followed, each folder once. Hidden files and folders are left alone.
    """
    scan = Scan()
    for given in wanted:
        top = _checked(given)
        if os.path.isdir(top):
            scan.folders.add(top)
            files = sorted((top, os.path.relpath(file, top)) for file in _files_below(top, scan))
        else:
            files = [os.path.split(top)]
        for folder, file in files:
            try:
                size, mtime_ns = size_and_time(Path(folder, file))
            except OSError as error:
                scan.miss(os.path.join(folder, file), error)
                continue
            found = Source(folder, file.replace(os.sep, "/"), size, mtime_ns, "", options)
            scan.clips[found.key] = found
    return scan


def parts_of(path: Path) -> list[Path]:
    """Return the files that a clip is made of: its own, and for a .gltf the buffer of the same name beside it."""
    buffer = path.with_suffix(".bin")
    return [path, buffer] if path.suffix.lower() == ".gltf" and buffer.is_file() else [path]


def size_and_time(path: Path) -> tuple[int, int]:
    """Return the bytes of a clip's files, and when the last of them was changed, in ns."""
    found = [part.stat() for part in parts_of(path)]
    return sum(status.st_size for status in found), max(status.st_mtime_ns for status in found)


def _checked(given: str | Path) -> str:
    """Return the absolute path of a folder or file that a user named."""
    path = os.path.abspath(given)
    if not os.path.exists(path):
        raise FileFormatError("there is no such folder or file", given)
    if not os.path.isdir(path) and not _is_clip(path):
        raise FileFormatError(
            f"is neither a folder nor a clip: clips that can be read end in {', '.join(sorted(READERS))}", given
        )
    return path


def _files_below(folder: str, scan: Scan) -> Iterator[str]:
    """Yield the clips below a folder."""
    seen, pending = set[tuple[int, int]](), [folder]
    while pending:
        here = pending.pop()
        identity = _identity(here)
        if identity in seen:
            continue
        if identity is not None:
            seen.add(identity)
        try:
            inside = sorted((entry for entry in os.scandir(here) if not entry.name.startswith(".")), key=_name)
        except OSError as error:
            scan.miss(here, error)
            continue
        # not the entry's own is_dir, which fails for a link to itself
        folders = [entry.path for entry in inside if os.path.isdir(entry.path)]
        pending += reversed(folders)
        yield from (entry.path for entry in inside if _is_clip(entry.name) and entry.path not in folders)


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_clip(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in READERS


def _identity(folder: str) -> tuple[int, int] | None:
    """Return the identity of a folder, the same for every path to it; None if it is unknown."""
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino
