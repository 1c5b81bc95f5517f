"""Find patterns on disk: names of dances and patterns, their folders and their files."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from segue.dance.notation.errors import shown
from segue.dance.notation.header import checked_name
from segue.dance.notation.model import Part, folded
from segue.errors import ArgumentError, FileFormatError

SHIPPED = Path(__file__).parent / "shipped"
"""Folder of the shipped dances, which is only read."""

FOLDER_VARIABLE = "SEGUE_DANCES"
"""Environment variable for the folder of the user's dances."""

NEEDED = "dance/pattern is needed, such as foxtrot/forward basic"
"""Hint for a wrong name of a pattern."""

SUFFIX = ".dance"
"""Suffix of pattern files."""

_FOLLOWER = f".{Part.FOLLOWER}{SUFFIX}"


def file_stem(name: str) -> str:
    """Return the file or folder name of a pattern or dance: new_york for "New York"."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_")


def title_words(stem: str) -> str:
    """Return the words of a file or folder name: "new york" for new_york."""
    return " ".join(re.split(r"[\s_-]+", stem)).strip()


def split_title(title: str) -> tuple[str, str]:
    """Return dance and pattern of "foxtrot/forward basic"."""
    dance, bar, name = (part.strip() for part in title.partition("/"))
    if not (bar and folded(dance) and folded(name)) or "/" in name:
        raise ArgumentError(f"'{shown(title)}' is no name of a pattern: {NEEDED}")
    return dance, name


def new_title(title: str) -> tuple[str, str]:
    """Return dance and pattern of a new title, or raise ArgumentError if a header cannot hold it."""
    dance, name = split_title(title)
    for part in (dance, name):
        try:
            checked_name(part)
        except ValueError as error:
            raise ArgumentError(f"'{shown(title)}' cannot be the name of a pattern: {error}") from None
    return dance, name


def user_folder() -> Path:
    """Return the folder of the user's dances: $SEGUE_DANCES, or dances in Segue's user data folder."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        data = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        data = str(Path.home() / "Library" / "Application Support")
    else:
        data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "segue" / "dances"


@dataclass(frozen=True)
class Entry:
    """A pattern of a library: its names, and the files of its parts, one of which may be missing.

    shipped: whether it is part of Segue.
    """

    dance: str
    name: str
    leader: Path | None
    follower: Path | None
    shipped: bool

    @property
    def title(self) -> str:
        """Dance and name, as commands take them: "foxtrot/forward basic"."""
        return f"{self.dance}/{self.name}"

    @property
    def files(self) -> dict[Part, Path]:
        """Existing files by part."""
        both = {Part.LEADER: self.leader, Part.FOLLOWER: self.follower}
        return {part: path for part, path in both.items() if path is not None}


def file_name(name: str, part: Part) -> str:
    """Return the file name of a pattern's part."""
    return f"{file_stem(name)}{SUFFIX if part is Part.LEADER else _FOLLOWER}"


def partner_path(path: Path) -> Path:
    """Return the file of the partner's part beside a pattern's file: x.follower.dance for x.dance, and back."""
    follows = path.name.endswith(_FOLLOWER)
    stem = path.name.removesuffix(_FOLLOWER if follows else SUFFIX)
    return path.with_name(stem + (SUFFIX if follows else _FOLLOWER))


def dance_folders(folder: Path) -> list[Path]:
    """Return the folders of single dances in a folder of dances, or an empty list if it does not exist."""
    if not os.path.isdir(folder):  # unlike Path.is_dir, also false for invalid names
        return []
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir() and folded(path.name))
    except OSError as error:
        raise FileFormatError(f"cannot be looked into: the system reports '{error.strerror}'", folder) from error


def scan(folder: Path, *, shipped: bool) -> dict[tuple[str, str], Entry]:
    """Return all patterns in a folder of dances, by their folded names."""
    found: dict[tuple[str, str], Entry] = {}
    for dance, name, part, path in _pattern_files(folder):
        key = folded(dance), folded(name)
        entry = found.get(key) or Entry(dance, name, None, None, shipped)
        found[key] = replace(entry, leader=path) if part is Part.LEADER else replace(entry, follower=path)
    return found


def remove(files: list[Path]) -> list[Path]:
    """Delete pattern files, and their folder if it is then empty; return the files."""
    try:
        for path in files:
            path.unlink()
        for folder in {path.parent for path in files}:
            if not any(folder.iterdir()):
                folder.rmdir()
    except OSError as error:
        raise FileFormatError(f"cannot be deleted: the system reports '{error.strerror}'", error.filename) from error
    return files


def _pattern_files(folder: Path) -> Iterator[tuple[str, str, Part, Path]]:
    """Yield dance, name and part of every pattern's file below a folder."""
    for dance in dance_folders(folder):
        for path in sorted(dance.glob(f"*{SUFFIX}")):
            part = Part.FOLLOWER if path.name.endswith(_FOLLOWER) else Part.LEADER
            stem = path.name.removesuffix(_FOLLOWER if part is Part.FOLLOWER else SUFFIX)
            if folded(stem):
                yield title_words(dance.name), title_words(stem), part, path
