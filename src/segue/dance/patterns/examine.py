"""Patterns looked over: everything that is wrong with a file or with an entry of the library, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from segue.dance.notation.check import check
from segue.dance.notation.errors import NotationError
from segue.dance.notation.follower import check_pair
from segue.dance.notation.parse import Sheet
from segue.dance.notation.rules import Finding, Severity
from segue.dance.patterns.folders import Entry
from segue.dance.patterns.names import folded
from segue.dance.patterns.store import read_pattern_file


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
