"""Keep the dance library: shipped patterns, the user's own that replace them, and everything wrong with either."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

from segue.dance.notation.check import Finding, Severity, check
from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.follower import check_pair, partner_of
from segue.dance.notation.model import Part, Pattern, folded
from segue.dance.notation.parse import Sheet, read_sheet
from segue.dance.notation.write import retitled, write
from segue.dance.patterns.folders import (
    NEEDED,
    SHIPPED,
    SUFFIX,
    Entry,
    dance_folders,
    file_name,
    file_stem,
    new_title,
    remove,
    scan,
    split_title,
    title_words,
    user_folder,
)
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.filesystem import atomic_write
from segue.tables import read_text

_FEW = 12  # names that a complaint lists


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
        if os.path.exists(self.folder) and not os.path.isdir(self.folder):
            raise FileFormatError("it is a file, and a folder of dances is needed", self.folder)

    def dances(self) -> list[str]:
        """Return the names of all dances, in order of the alphabet."""
        folders = [*dance_folders(self.shipped), *dance_folders(self.folder)]
        return sorted({folded(path.name): title_words(path.name) for path in folders}.values())

    def entries(self, dance: str | None = None) -> list[Entry]:
        """Return all patterns, or those of one dance, in order of their names."""
        found = sorted(self._entries().values(), key=lambda entry: (entry.dance, entry.name))
        if dance is None:
            return found
        if not self.has_dance(dance):
            raise ArgumentError(f"there is no dance '{shown(dance)}'{_near(dance, self.dances())}")
        return [entry for entry in found if folded(entry.dance) == folded(dance)]

    def has_dance(self, dance: str) -> bool:
        """Whether there is a dance of this name."""
        return folded(dance) in map(folded, self.dances())

    def find(self, title: str) -> Entry:
        """Return the pattern of a name; the dance may be left out where only one has a pattern of this name."""
        entries = self._entries()
        if "/" in title:
            dance, name = split_title(title)
            found = entries.get((folded(dance), folded(name)))
            if found is None:
                names = [entry.name for entry in self.entries(dance)]
                raise ArgumentError(f"the dance {dance} has no pattern '{shown(name)}'{_near(name, names)}")
            return found
        same = [entry for entry in entries.values() if folded(entry.name) == folded(title)]
        if not same:
            names = [entry.name for entry in entries.values()]
            raise ArgumentError(f"there is no pattern '{shown(title)}'{_near(title, names) or f': {NEEDED}'}")
        if len(same) > 1:
            named = " and ".join(sorted(entry.title for entry in same))
            raise ArgumentError(f"more than one pattern is named '{shown(title)}': {named}, so name the dance too")
        return same[0]

    def pattern(self, title: str | Path, part: Part = Part.LEADER) -> Pattern:
        """Return a part of a pattern, by its name or by a file of one's own (.dance).

        A part that has no file of its own is derived from the other's, in closed hold.
        """
        given = _read(title) if _is_file(title) else self.read(self.find(str(title)), part)
        return given if given.part is part else partner_of(given)

    def read(self, entry: Entry, part: Part = Part.LEADER) -> Pattern:
        """Return what an entry's file for a part says, or the other part's where there is none."""
        written = part if part in entry.files else next(iter(entry.files))
        path = entry.files[written]
        pattern = _read(path)
        if pattern.part is not written:
            raise NotationError(f"its part is {pattern.part}, but by its name it is the {written}'s", path)
        if (folded(pattern.dance), folded(pattern.name)) != (folded(entry.dance), folded(entry.name)):
            said = f"{path}: its header says {pattern.title}, but by its file it is {entry.title}, which holds"
            warnings.warn(said, SegueWarning, stacklevel=3)
            pattern = replace(pattern, dance=entry.dance, name=entry.name)
        return pattern

    def create(self, pattern: Pattern) -> Path:
        """Write a pattern to the user's folder and return its file; there must be none of its name and part yet."""
        return self.add(write(pattern))

    def add(self, text: str) -> Path:
        """Write a pattern's text to the user's folder as it is, and return its file."""
        return self._write([text])[0]

    def copy(self, source: str | Path, target: str) -> list[Path]:
        """Copy all parts of a pattern, or a file of one's own, to the user's folder under another name."""
        dance, name = new_title(target)
        sources = [Path(source)] if _is_file(source) else list(self.find(str(source)).files.values())
        read = [read_pattern_file(path) for path in sources]
        return self._write([retitled(text, sheet, dance, name) for text, sheet in read])

    def delete(self, title: str) -> list[Path]:
        """Delete all parts of a pattern from the user's folder and return the files that are gone."""
        return remove(self.own_files(title))

    def delete_dance(self, dance: str) -> list[Path]:
        """Delete all patterns of a dance from the user's folder and return the files that are gone."""
        return remove(self.own_files_of_dance(dance))

    def own_files(self, title: str) -> list[Path]:
        """Return the files of a pattern in the user's folder, which alone may be deleted."""
        entry = self.find(title)
        own = [path for path in entry.files.values() if path.is_relative_to(self.folder)]
        if not own:
            raise ArgumentError(f"{entry.title} comes with Segue and stays: only patterns of your own can be deleted")
        return own

    def own_files_of_dance(self, dance: str) -> list[Path]:
        """Return the files of all patterns of a dance in the user's folder."""
        files = [path for entry in self.entries(dance) for path in entry.files.values()]
        own = [path for path in files if path.is_relative_to(self.folder)]
        if not own:
            said = f"the dance {dance} has no patterns of your own"
            raise ArgumentError(f"{said}: what comes with Segue stays, so there is nothing to delete")
        return own

    def _write(self, texts: list[str]) -> list[Path]:
        """Write patterns' texts to their files, all of them or none."""
        named = [(self._path(text), text) for text in texts]
        for path, _ in named:
            if path.exists():
                raise ArgumentError(f"{path} exists: choose another name, or delete it first")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise FileFormatError(f"cannot be made: the system says '{reason}'", path.parent) from error
        for path, text in named:
            with atomic_write(path) as beside:
                beside.write_text(text, encoding="utf-8", newline="\n")
        return [path for path, _ in named]

    def _path(self, text: str) -> Path:
        """Return where a pattern's text belongs by what its header says."""
        pattern = read_sheet(text).pattern
        own = (path for path in dance_folders(self.folder) if folded(path.name) == folded(pattern.dance))
        folder = next(own, self.folder / file_stem(pattern.dance))
        return folder / file_name(pattern.name, pattern.part)

    def _entries(self) -> dict[tuple[str, str], Entry]:
        found = scan(self.shipped, shipped=True)
        for key, entry in scan(self.folder, shipped=False).items():
            # steps of one's own come with the follower's part that fits them, never with the shipped one
            below = found.get(key) if entry.leader is None else None
            found[key] = entry if below is None else replace(entry, leader=below.leader)
        return found


def _is_file(title: str | Path) -> bool:
    return Path(title).suffix == SUFFIX


def _read(path: str | Path) -> Pattern:
    """Return a file's pattern, or raise the first thing that keeps it from being danced."""
    sheet = read_pattern_file(path)[1]
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


@dataclass(frozen=True)
class Remark:
    """A finding and where in which file it stands, line and column from 1."""

    path: Path
    finding: Finding
    line: int | None = None
    column: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether it keeps the pattern from being danced."""
        return self.finding.severity is Severity.ERROR

    @property
    def where(self) -> str:
        """The file, and line and column where they are known."""
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)


def examine_file(path: Path) -> list[Remark]:
    """Return what there is to say about a pattern's file."""
    return _looked_over(path)[1]


def examine(entry: Entry) -> list[Remark]:
    """Return what there is to say about the files of an entry, and about how its two parts fit."""
    remarks: list[Remark] = []
    sheets: list[Sheet] = []
    for path in entry.files.values():
        sheet, found = _looked_over(path)
        remarks += found
        if sheet is not None:
            sheets.append(sheet)
            remarks += _misnamed(sheet, entry, path)
    if len(sheets) == 2 and entry.follower is not None:
        leader, follower = sheets
        remarks += [
            Remark(entry.follower, finding, *follower.place(finding.step, finding.row))
            for finding in check_pair(leader.pattern, follower.pattern)
        ]
    return remarks


def _looked_over(path: Path) -> tuple[Sheet | None, list[Remark]]:
    try:
        sheet = read_pattern_file(path)[1]
    except NotationError as error:
        message = error.sentence
        return None, [Remark(path, Finding(Severity.ERROR, message, error.step, error.row), error.line, error.column)]
    found = check(sheet.pattern)
    return sheet, [Remark(path, finding, *sheet.place(finding.step, finding.row)) for finding in found]


def _misnamed(sheet: Sheet, entry: Entry, path: Path) -> list[Remark]:
    """Return a warning where the header tells another name than the file."""
    pattern = sheet.pattern
    if (folded(pattern.dance), folded(pattern.name)) == (folded(entry.dance), folded(entry.name)):
        return []
    said = f"the header says {pattern.title}, but by its file it is {entry.title}, which holds"
    return [Remark(path, Finding(Severity.WARNING, said))]
