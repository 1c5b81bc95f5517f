"""Text of keyframe files: TOML or JSON to tables, and the lines on which things stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from segue.errors import FileFormatError
from segue.tables import json_table, read_text, toml_table


@dataclass(frozen=True)
class FileText:
    """A file's text, to say on which line of it something is wrong."""

    path: Path
    text: str

    @property
    def is_json(self) -> bool:
        """Whether it is JSON, by its suffix, and not TOML."""
        return self.path.suffix.lower() == ".json"

    def error(self, message: str, word: str = "", table: str = "", index: int = 0) -> FileFormatError:
        """Return an error at the line of a word, within the index-th table of a name where there are several."""
        return FileFormatError(message, self.path, self.line_of(word, table, index))

    def line_of(self, word: str, table: str = "", index: int = 0) -> int | None:
        """Return the line, from 1, of a word that is a name there; of its table's beginning where it is not found."""
        lines = self.text.splitlines()
        first, last = 0, len(lines)
        if table:
            starts = self._starts(lines, table)
            if index < len(starts):
                first, last = starts[index], [*starts, last][index + 1]
        named = re.compile(rf"""(^|[\s,{{\[."'])["']?{re.escape(word)}["']?\s*[=:\].]""")
        for number in range(first, last):
            if word and named.search(lines[number]):
                return number + 1
        return first + 1 if table and first < len(lines) else None

    def _starts(self, lines: list[str], table: str) -> list[int]:
        """Return where the tables of a name begin: headers in TOML, in JSON the braces after the name."""
        if not self.is_json:
            return [k for k, line in enumerate(lines) if re.match(rf"\s*\[\[?\s*{re.escape(table)}\s*\]", line)]
        place = self.text.find(f'"{table}"')
        starts, depth = [], 0
        for at in range(place if place >= 0 else len(self.text), len(self.text)):
            character = self.text[at]
            if character == "{":
                if depth == 0:
                    starts.append(self.text.count("\n", 0, at))
                depth += 1
            elif character == "}":
                depth -= 1
            elif character == "]" and depth == 0:
                break
        return starts


def read_tables(path: str | Path) -> tuple[dict[str, Any], FileText]:
    """Return what a TOML or, by its suffix, JSON file holds, and its text."""
    text = read_text(path, "keyframe file", "TOML or JSON")
    file = FileText(Path(path), text)
    tables = json_table(text, path) if file.is_json else toml_table(text, path)
    if not isinstance(tables, dict):
        raise FileFormatError("a keyframe file is a table with the fields keyframe, penalties, ...", path, 1)
    return tables, file
