"""Keep the dance library: shipped patterns, the user's own that replace them, and everything wrong with either."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

from segue.dance.notation.checking import Finding, Severity, check
from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.follower import check_pair, partner_of
from segue.dance.notation.model import Part, Pattern, folded
from segue.dance.notation.parsing import Sheet, read_sheet
from segue.dance.notation.writing import retitled, write
from segue.dance.patterns.folders import (
    NEEDED,
    SHIPPED,
    SUFFIX,
    Entry,
    dance_folders,
    file_name,
    file_stem,
    new_title,
    partner_path,
    remove,
    scan,
    split_title,
    title_words,
    user_folder,
)
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.filesystem import atomic_write
from segue.tables import read_text

_FEW = 12  # most names in an error message


def read_pattern_file(path: str | Path) -> tuple[str, Sheet]:
    """Return the text and the sheet of a pattern file."""
    text = read_text(path, "pattern", "ballroom notation")
    return text, read_sheet(text, path)


class DanceLibrary:
    """Patterns by name, such as "foxtrot/forward basic", over the shipped folder and the user's own.

    folder: the user's, `user_folder()` if not given; it need not exist. A pattern there replaces the shipped pattern of
    the same name. Names are compared without case, spaces and hyphens.
    """

    def __init__(self, folder: str | Path | None = None, shipped: str | Path = SHIPPED) -> None:
        self.folder = user_folder() if folder is None else Path(folder)
        self.shipped = Path(shipped)
        if os.path.exists(self.folder) and not os.path.isdir(self.folder):
            raise FileFormatError("it is a file, and a folder of dances is needed", self.folder)

    def dances(self) -> list[str]:
        """Return the names of all dances, sorted."""
        folders = [*dance_folders(self.shipped), *dance_folders(self.folder)]
        return sorted({folded(path.name): title_words(path.name) for path in folders}.values())

    def entries(self, dance: str | None = None) -> list[Entry]:
        """Return all patterns, or those of one dance, sorted by name."""
        found = sorted(self._entries().values(), key=lambda entry: (entry.dance, entry.name))
        if dance is None:
            return found
        if not self.has_dance(dance):
            raise ArgumentError(f"there is no dance '{shown(dance)}'{_near(dance, self.dances())}")
        return [entry for entry in found if folded(entry.dance) == folded(dance)]

    def has_dance(self, dance: str) -> bool:
        """Return whether a dance of this name exists."""
        return folded(dance) in map(folded, self.dances())

    def find(self, title: str) -> Entry:
        """Return a pattern by name; the dance is optional if the pattern's name is unique."""
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
        """Return a part of a pattern, by its name or its .dance file.

        A part without a file is derived from the other part, in closed hold. The partner of x.dance
        may have a file x.follower.dance beside it.
        """
        if not _is_file(title):
            given = self.read(self.find(str(title)), part)
        else:
            given = _read(title)
            beside = partner_path(Path(title))
            given = _read(beside) if given.part is not part and beside.is_file() else given
        return given if given.part is part else partner_of(given)

    def read(self, entry: Entry, part: Part = Part.LEADER) -> Pattern:
        """Read an entry's part, or the other part if there is no file for it."""
        written = part if part in entry.files else next(iter(entry.files))
        path = entry.files[written]
        pattern = _read(path)
        if pattern.part is not written:
            raise NotationError(f"its part is {pattern.part}, but by its name it is the {written}'s", path)
        if (folded(pattern.dance), folded(pattern.name)) != (folded(entry.dance), folded(entry.name)):
            said = f"{path}: its header has {pattern.title}, but by its file it is {entry.title}, which holds"
            warnings.warn(said, SegueWarning, stacklevel=3)
            pattern = replace(pattern, dance=entry.dance, name=entry.name)
        return pattern

    def create(self, pattern: Pattern) -> Path:
        """Write a new pattern to the user's folder and return its file."""
        return self.add(write(pattern))

    def add(self, text: str) -> Path:
        """Write a pattern's text unchanged to the user's folder, and return its file."""
        return self._write([text])[0]

    def copy(self, source: str | Path, target: str) -> list[Path]:
        """Copy all parts of a pattern, or a file, to the user's folder under another name."""
        dance, name = new_title(target)
        sources = [Path(source)] if _is_file(source) else list(self.find(str(source)).files.values())
        read = [read_pattern_file(path) for path in sources]
        return self._write([retitled(text, sheet, dance, name) for text, sheet in read])

    def delete(self, title: str) -> list[Path]:
        """Delete all parts of a pattern from the user's folder and return the deleted files."""
        return remove(self.own_files(title))

    def delete_dance(self, dance: str) -> list[Path]:
        """Delete all patterns of a dance from the user's folder and return the deleted files."""
        return remove(self.own_files_of_dance(dance))

    def own_files(self, title: str) -> list[Path]:
        """Return the files of a pattern in the user's folder, or raise ArgumentError if it is shipped."""
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
        """Write texts of patterns to their files, all or none."""
        named = [(self._path(text), text) for text in texts]
        for path, _ in named:
            if path.exists():
                raise ArgumentError(f"{path} exists: choose another name, or delete it first")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise FileFormatError(f"cannot be made: the system reports '{reason}'", path.parent) from error
        for path, text in named:
            with atomic_write(path) as beside:
                beside.write_text(text, encoding="utf-8", newline="\n")
        return [path for path, _ in named]

    def _path(self, text: str) -> Path:
        """Return the file for a pattern's text, from its header."""
        pattern = read_sheet(text).pattern
        own = (path for path in dance_folders(self.folder) if folded(path.name) == folded(pattern.dance))
        folder = next(own, self.folder / file_stem(pattern.dance))
        return folder / file_name(pattern.name, pattern.part)

    def _entries(self) -> dict[tuple[str, str], Entry]:
        found = scan(self.shipped, shipped=True)
        for key, entry in scan(self.folder, shipped=False).items():
            # the user's leader part never goes with the shipped follower part
            below = found.get(key) if entry.leader is None else None
            found[key] = entry if below is None else replace(entry, leader=below.leader)
        return found


def _is_file(title: str | Path) -> bool:
    return Path(title).suffix == SUFFIX


def _read(path: str | Path) -> Pattern:
    """Return a file's pattern, or raise its first error."""
    sheet = read_pattern_file(path)[1]
    for finding in check(sheet.pattern):
        if finding.severity is Severity.ERROR:
            line, column = sheet.place(finding.step, finding.row)
            raise NotationError(
                finding.message, sheet.source, line, column, step=finding.step, row=finding.row, symbol=finding.symbol
            )
    return sheet.pattern


def _near(name: str, known: list[str]) -> str:
    """Return the nearest names, or all names if they are few."""
    listed = f": there are {', '.join(sorted(known))}" if 0 < len(known) <= _FEW else ""
    return nearest(name, known) or listed


@dataclass(frozen=True)
class Remark:
    """A finding with its file, line and column from 1."""

    path: Path
    finding: Finding
    line: int | None = None
    column: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether it is an error."""
        return self.finding.severity is Severity.ERROR

    @property
    def where(self) -> str:
        """File, line and column, as far as known."""
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)


def examine_file(path: Path) -> list[Remark]:
    """Return the findings of a pattern file."""
    return _looked_over(path)[1]


def examine(entry: Entry) -> list[Remark]:
    """Return the findings of an entry's files, and the conflicts between its two parts."""
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
    """Return a warning if header and file name differ."""
    pattern = sheet.pattern
    if (folded(pattern.dance), folded(pattern.name)) == (folded(entry.dance), folded(entry.name)):
        return []
    said = f"the header has {pattern.title}, but by its file it is {entry.title}, which holds"
    return [Remark(path, Finding(Severity.WARNING, said))]
