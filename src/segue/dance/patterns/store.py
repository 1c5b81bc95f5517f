"""The dance library: dances are folders, patterns are files; the shipped ones, and the user's own before them."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from segue.dance.notation.check import check
from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.follower import partner_of
from segue.dance.notation.model import Part, Pattern
from segue.dance.notation.parse import Sheet, read_sheet
from segue.dance.notation.rules import Severity
from segue.dance.notation.write import retitled, write
from segue.dance.patterns.names import SUFFIX, file_stem, folded, split_title, title_words
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.filesystem import atomic_write
from segue.tables import read_text

__all__ = ["FOLDER_VARIABLE", "SHIPPED", "DanceLibrary", "Entry", "read_pattern_file", "user_folder"]

SHIPPED = Path(__file__).parent / "shipped"
"""The folder of the dances that come with Segue; it is only read."""

FOLDER_VARIABLE = "SEGUE_DANCES"
"""The environment variable that says where the user's own dances are kept."""

_FEW = 12  # names that a complaint lists
_FOLLOWER = f".{Part.FOLLOWER}{SUFFIX}"


def user_folder() -> Path:
    """Return where the user's own dances are kept: $SEGUE_DANCES, or dances in Segue's folder of the user's data."""
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
    """A pattern of the library: its names, and the files of its parts, one of which may be missing.

    shipped: whether it comes with Segue as a whole.
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

    def file(self, part: Part) -> Path | None:
        """Return the file of a part, if there is one."""
        return self.leader if part is Part.LEADER else self.follower


def read_pattern_file(path: str | Path) -> tuple[str, Sheet]:
    """Return a pattern file's text, and what it says."""
    text = read_text(path, "pattern", "ballroom notation")
    return text, read_sheet(text, path)


class DanceLibrary:
    """Patterns by name, such as "foxtrot/forward basic", over the shipped folder and the user's own.

    folder: the user's own, `user_folder()` if not given; it need not exist. A pattern there takes the place of the
    shipped one of the same name. Case, spaces and hyphens in names make no difference.
    """

    def __init__(self, folder: str | Path | None = None, shipped: str | Path = SHIPPED) -> None:
        self.folder = user_folder() if folder is None else Path(folder)
        self.shipped = Path(shipped)
        if self.folder.exists() and not self.folder.is_dir():
            raise FileFormatError("it is a file, and a folder of dances is needed", self.folder)

    def dances(self) -> list[str]:
        """Return the names of all dances, in order of the alphabet."""
        return sorted({entry.dance for entry in self._entries().values()} | set(self._empty_dances()))

    def entries(self, dance: str | None = None) -> list[Entry]:
        """Return all patterns, or those of one dance, in order of their names."""
        found = sorted(self._entries().values(), key=lambda entry: (entry.dance, entry.name))
        if dance is None:
            return found
        if folded(dance) not in map(folded, self.dances()):
            raise ArgumentError(f"there is no dance '{shown(dance)}'{_near(dance, self.dances())}")
        return [entry for entry in found if folded(entry.dance) == folded(dance)]

    def find(self, title: str) -> Entry:
        """Return the pattern of a name; the dance may be left out where only one has a pattern of this name."""
        entries = self._entries()
        if "/" not in title:
            same = [entry for entry in entries.values() if folded(entry.name) == folded(title)]
            if len(same) == 1:
                return same[0]
            if same:
                named = " and ".join(sorted(entry.title for entry in same))
                raise ArgumentError(f"more than one pattern is named '{shown(title)}': {named}, so name the dance too")
            names = [entry.name for entry in entries.values()]
            raise ArgumentError(f"there is no pattern '{shown(title)}'{_near(title, names)}")
        dance, name = split_title(title)
        found = entries.get((folded(dance), folded(name)))
        if found is None:
            names = [entry.name for entry in self.entries(dance)]
            raise ArgumentError(f"the dance {dance} has no pattern '{shown(name)}'{_near(name, names)}")
        return found

    def pattern(self, title: str | Path, part: Part = Part.LEADER) -> Pattern:
        """Return a part of a pattern, by its name or by a file of one's own (.dance).

        A part that has no file of its own is derived from the other's, in closed hold.
        """
        if Path(title).suffix == SUFFIX:
            given = _danceable(read_pattern_file(title)[1])
        else:
            entry = self.find(str(title))
            given = self.read(entry, part)
        return given if given.part is part else partner_of(given)

    def read(self, entry: Entry, part: Part = Part.LEADER) -> Pattern:
        """Return the pattern of an entry's file for a part, or of the other part's where it has none."""
        path = entry.file(part) or entry.leader or entry.follower
        assert path is not None
        sheet = read_pattern_file(path)[1]
        pattern = _danceable(sheet)
        if (folded(pattern.dance), folded(pattern.name)) != (folded(entry.dance), folded(entry.name)):
            said = f"{path}: its header says {pattern.title}, but by its file it is {entry.title}, which holds"
            warnings.warn(said, SegueWarning, stacklevel=3)
            pattern = replace(pattern, dance=entry.dance, name=entry.name)
        wanted = Part.FOLLOWER if path == entry.follower else Part.LEADER
        if pattern.part is not wanted:
            raise NotationError(f"its part is {pattern.part}, but by its name it is the {wanted}'s", path)
        return pattern

    def create(self, pattern: Pattern) -> Path:
        """Write a pattern to the user's folder and return its file; there must be none of its name and part yet."""
        return self.add(write(pattern))

    def add(self, text: str) -> Path:
        """Write a pattern's text to the user's folder as it is, and return its file."""
        pattern = read_sheet(text).pattern
        return self._add(pattern.dance, pattern.name, pattern.part, text)

    def copy(self, source: str, target: str) -> list[Path]:
        """Copy all parts of a pattern to the user's folder under another name, and return the files."""
        entry = self.find(source)
        dance, name = split_title(target)
        made = []
        for part in Part:
            path = entry.file(part)
            if path is not None:
                text, sheet = read_pattern_file(path)
                made.append(self._add(dance, name, part, retitled(text, sheet, dance, name)))
        return made

    def delete(self, title: str) -> list[Path]:
        """Delete all parts of a pattern from the user's folder and return the files that are gone."""
        own = self.own_files(title)
        for path in own:
            path.unlink()
        folder = own[0].parent
        if not any(folder.iterdir()):
            folder.rmdir()
        return own

    def own_files(self, title: str) -> list[Path]:
        """Return the files of a pattern in the user's folder, which alone may be deleted."""
        entry = self.find(title)
        own = [path for path in (entry.leader, entry.follower) if path is not None and path.is_relative_to(self.folder)]
        if not own:
            raise ArgumentError(f"{entry.title} comes with Segue and stays: only patterns of your own can be deleted")
        return own

    def dance_folder(self, dance: str) -> Path:
        """Return the folder of a dance of the user's own."""
        for path in _folders(self.folder):
            if folded(path.name) == folded(dance):
                return path
        self.entries(dance)
        raise ArgumentError(f"the dance {dance} comes with Segue and stays: only dances of your own can be deleted")

    def delete_dance(self, dance: str) -> Path:
        """Delete the user's own folder of a dance with all its patterns, and return it."""
        folder = self.dance_folder(dance)
        shutil.rmtree(folder)
        return folder

    def _add(self, dance: str, name: str, part: Part, text: str) -> Path:
        suffix = SUFFIX if part is Part.LEADER else _FOLLOWER
        own = next((path for path in _folders(self.folder) if folded(path.name) == folded(dance)), None)
        folder = own or self.folder / file_stem(dance)
        path = folder / f"{file_stem(name)}{suffix}"
        read_sheet(text, path)  # names that cannot be read again are told before anything is written
        if path.exists():
            raise ArgumentError(f"{path} exists: choose another name, or delete {dance}/{name} first")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileFormatError(f"cannot be made: the system says '{error.strerror}'", folder) from error
        with atomic_write(path) as beside:
            beside.write_text(text, encoding="utf-8", newline="\n")
        return path

    def _entries(self) -> dict[tuple[str, str], Entry]:
        found: dict[tuple[str, str], Entry] = {}
        for shipped, folder in ((True, self.shipped), (False, self.folder)):
            own: dict[tuple[str, str], Entry] = {}
            for dance, name, part, path in _pattern_files(folder):
                key = folded(dance), folded(name)
                entry = own.get(key) or Entry(dance, name, None, None, shipped)
                own[key] = replace(entry, leader=path) if part is Part.LEADER else replace(entry, follower=path)
            for key, entry in own.items():
                below = found.get(key)
                # steps of one's own come with the follower's part that fits them, never with the shipped one
                if below is not None and entry.leader is None:
                    entry = replace(entry, leader=below.leader)
                found[key] = entry
        return found

    def _empty_dances(self) -> Iterator[str]:
        return (title_words(path.name) for path in _folders(self.folder))


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _pattern_files(folder: Path) -> Iterator[tuple[str, str, Part, Path]]:
    """Yield dance, name and part of every pattern's file below a folder."""
    for dance in _folders(folder):
        for path in sorted(dance.glob(f"*{SUFFIX}")):
            part = Part.FOLLOWER if path.name.endswith(_FOLLOWER) else Part.LEADER
            stem = path.name.removesuffix(_FOLLOWER if part is Part.FOLLOWER else SUFFIX)
            if folded(stem) and folded(dance.name):
                yield title_words(dance.name), title_words(stem), part, path


def _danceable(sheet: Sheet) -> Pattern:
    """Return a sheet's pattern, or raise the first thing that keeps it from being danced."""
    for finding in check(sheet.pattern):
        if finding.severity is Severity.ERROR:
            line, column = sheet.place(finding.step, finding.row)
            raise NotationError(
                finding.message, sheet.source, line, column, step=finding.step, row=finding.row, symbol=finding.symbol
            )
    return sheet.pattern


def _near(name: str, known: list[str]) -> str:
    """Return the nearest names that there are, or all of them where they are few."""
    listed = f": there are {', '.join(sorted(known))}" if 0 < len(known) <= _FEW else ""
    return nearest(name, known) or listed
