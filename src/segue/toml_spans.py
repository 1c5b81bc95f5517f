"""Find where the values of a text in TOML stand, and set or remove single values without touching any other byte.

    text = edited(text, {("floor", "width"): 9.5, ("tempo",): REMOVED})

A place is the keys and indices that lead from the whole text to a value, such as ("box", 0, "size"). All functions
take texts that `tomllib` reads. Comments, order and spaces stay as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from segue.errors import ArgumentError

Place = tuple[str | int, ...]
"""Keys and indices that lead from the whole text to a value."""

REMOVED = object()
"""The value of a key that is to be removed."""

_KEY = re.compile(r"""\"(?:[^"\\\n]|\\.)*\"|'[^'\n]*'|[\w-]+""")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r"""\"{3}(?:[^\\]|\\.)*?\"{3}(?!\") | '{3}.*?'{3}(?!') | \"(?:[^"\\\n]|\\.)*\" | '[^'\n]*'""",
    re.DOTALL | re.VERBOSE,
)
_PLAIN = re.compile(r"[^,\]}#\r\n]+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class Span(NamedTuple):
    """The text from start to stop, in characters. key: where the key begins, or the value where it has none."""

    key: int
    start: int
    stop: int


@dataclass
class Section:
    """A header and the lines below it. entries: where its last entry ends, or the header; stop: of its lines."""

    place: Place
    start: int
    entries: int
    stop: int = 0


class TomlSpans:
    """Places of tables and values in a text.

    values: spans by place, of entries, of items of lists, and of tables in braces. keys: where each place is mentioned
    first, tables of headers and of dotted keys too. dotted: tables that dotted keys define. sections: all headers in
    order; the first has none. counts: how many tables each list of tables has.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: dict[Place, Span] = {}
        self.keys: dict[Place, int] = {}
        self.dotted: set[Place] = set()
        self.sections = [Section((), 0, 0)]
        self.counts: dict[Place, int] = {}
        at = self._after(_BLANK, 0)
        while at < len(text):
            at = self._after(_BLANK, self._header(at) if text[at] == "[" else self._entry(at))
        self.sections[-1].stop = len(text)

    @property
    def lines(self) -> dict[Place, int]:
        """The line on which each place is mentioned first, counted from 1."""
        return {place: self.text.count("\n", 0, at) + 1 for place, at in self.keys.items()}

    def braces_around(self, place: Place) -> Place | None:
        """Return the innermost list or table in braces around a place; None where it has a line of its own."""
        return next((place[:n] for n in range(len(place) - 1, 0, -1) if place[:n] in self.values), None)

    def entries_of(self, braces: Place) -> list[Span]:
        """Return the entries of a table in braces, or the items of a list."""
        inside = (each for each in self.values if len(each) > len(braces) and each[: len(braces)] == braces)
        return [self.values[each] for each in inside if self.braces_around(each) == braces]

    def _after(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self.text, at)
        assert found is not None, "the text is TOML"
        return found.end()

    def _keys(self, at: int) -> tuple[list[str], int]:
        """Return the parts of a dotted key, and where it ends."""
        parts = []
        while True:
            start = self._after(_SPACE, at)
            at = self._after(_KEY, start)
            key = self.text[start:at]
            parts.append(tomllib.loads(f"key = {key}")["key"] if key[0] in "\"'" else key)
            at = self._after(_SPACE, at)
            if not self.text.startswith(".", at):
                return parts, at
            at += 1

    def _header(self, start: int) -> int:
        several = self.text.startswith("[[", start)
        parts, at = self._keys(start + 1 + several)
        place: Place = ()
        for k, key in enumerate(parts):
            place = (*place, key)
            self.keys.setdefault(place, start)
            if several and k == len(parts) - 1:
                self.counts[place] = self.counts.get(place, 0) + 1
            if place in self.counts:
                place = (*place, self.counts[place] - 1)
                self.keys.setdefault(place, start)
        at += 1 + several
        self.sections[-1].stop = start
        self.sections.append(Section(place, start, at))
        return at

    def _entry(self, start: int, table: Place | None = None) -> int:
        """Take a key and its value; table: in braces, that of the section if not given."""
        parts, at = self._keys(start)
        place = self.sections[-1].place if table is None else table
        for k, key in enumerate(parts):
            place = (*place, key)
            self.keys.setdefault(place, start)
            if k < len(parts) - 1:
                self.dotted.add(place)
        at = self._value(place, self._after(_SPACE, at + 1), start)
        if table is None:
            self.sections[-1].entries = at
        return at

    def _value(self, place: Place, start: int, key: int) -> int:
        opened = self.text[start]
        if opened in "[{":
            stop = self._inside(place, start + 1, "]" if opened == "[" else "}")
        elif opened in "\"'":
            stop = self._after(_STRING, start)
        else:
            stop = start + len(self.text[start : self._after(_PLAIN, start)].rstrip())
        self.values[place] = Span(key, start, stop)
        return stop

    def _inside(self, place: Place, at: int, end: str) -> int:
        """Take the items of a list or the entries of a table in braces, and return where it ends."""
        count = 0
        while True:
            at = self._after(_BLANK, at)
            if self.text[at] == end:
                return at + 1
            if self.text[at] == ",":
                at += 1
            elif end == "]":
                self.keys.setdefault((*place, count), at)
                at, count = self._value((*place, count), at, at), count + 1
            else:
                at = self._entry(at, place)


Change = tuple[int, int, str]
"""Start and stop of the text that is replaced, and what replaces it."""


def edited(text: str, values: Mapping[Place, object]) -> str:
    """Return a text with other values at some places; REMOVED takes an entry away.

    A key that is not there is written into its table, and a table that is not there is made. The settings of
    `settings.table_text` that are not set are comments such as `# tempo =`, which are filled in and made again.
    """
    for place, value in values.items():
        spans = TomlSpans(text)
        if value is REMOVED:
            start, stop, new = _removal(spans, place)
        elif place in spans.values:
            _, start, stop = spans.values[place]
            new = toml_value(value)
        else:
            start, stop, new = _insertion(spans, place, value)
        text = text[:start] + new + text[stop:]
    return text


def with_table(text: str, place: Place, entries: Mapping[str, object]) -> str:
    """Return a text with one more table at the end of a list of tables, such as another `[[box]]`."""
    line = _new_line(text)
    rows = [f"[[{_dotted(place)}]]", *(f"{_dotted((key,))} = {toml_value(value)}" for key, value in entries.items())]
    listed = [each for each in TomlSpans(text).sections if each.place[: len(place)] == place]
    return _with_paragraph(text, _line_end(text, listed[-1].entries) if listed else len(text), line.join(rows))


def without_table(text: str, place: Place) -> str:
    """Return a text without a table of a list of tables, such as ("box", 1). A comment above it stays."""
    own = [each for each in TomlSpans(text).sections if each.place[: len(place)] == place]
    if not own:
        raise ArgumentError(f"there is no table '{_dotted(place)}' of this number")
    stop, line = _line_end(text, own[-1].entries), _new_line(text)
    return text[: own[0].start] + text[stop:].removeprefix(line)


def toml_value(value: object) -> str:
    """Return a truth, a text, a number, a list or a table of those as TOML writes it, tables in braces."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_dotted((str(key),))} = {toml_value(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(each) for each in value)}]"
    return str(value) if isinstance(value, int) else repr(float(cast(float, value)))


def quoted(text: str) -> str:
    """Return a text in quotes, as TOML writes it; characters that do not print are escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    signs = (sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in escaped)
    return f'"{"".join(signs)}"'


def _insertion(spans: TomlSpans, place: Place, value: object) -> Change:
    """Return the change that writes a new entry into its table, or into a new table."""
    if any(key[: len(place)] == place for key in spans.keys):
        raise ArgumentError(f"'{_dotted(place)}' is a table: set the values in it")
    braces = spans.braces_around(place)
    sections = [each for each in spans.sections if place[: len(each.place)] == each.place]
    section = max(sections, key=lambda each: len(each.place))
    table = section.place if braces is None else braces
    known = next(n for n in range(len(table) + 1, len(place) + 1) if place[:n] not in spans.dotted)
    new = range(len(table) + 1, len(place))
    if not all(isinstance(key, str) for key in place[len(table) :]) or any(place[:n] in spans.counts for n in new):
        raise ArgumentError(f"there is no '{_dotted(place[:-1])}' of this number")
    nested = value
    for key in reversed(place[known:]):
        nested = {key: nested}
    entry = f"{_dotted(place[len(table) : known])} = {toml_value(nested)}"
    if braces is not None:
        return _into_braces(spans, braces, entry)
    if known < len(place) and (not table or place[:known] in spans.keys):  # a table deserves a header of its own
        at = len(spans.text) if not table else _line_end(spans.text, section.entries)
        made = _with_paragraph(
            spans.text, at, f"[{_dotted(place[:-1])}]{_new_line(spans.text)}{_dotted(place[-1:])} = {toml_value(value)}"
        )
        return 0, len(spans.text), made
    return _into_section(spans, section, entry)


def _into_braces(spans: TomlSpans, table: Place, entry: str) -> Change:
    _, start, stop = spans.values[table]
    if spans.text[start] != "{":
        raise ArgumentError(f"'{_dotted(table)}' is no table: it has no keys")
    inside = spans.entries_of(table)
    return (inside[-1].stop, inside[-1].stop, f", {entry}") if inside else (start, stop, f"{{ {entry} }}")


def _into_section(spans: TomlSpans, section: Section, entry: str) -> Change:
    """Write an entry after the others of a section, or over the comment that stands for it."""
    text, key, line = spans.text, entry.partition(" = ")[0], _new_line(spans.text)
    unset = re.compile(rf"^[ \t]*(# {re.escape(key)} =)(?=[ \t]*(?:#|\r?$))", re.MULTILINE)
    for found in unset.finditer(text, section.start, section.stop):
        if not any(span.start <= found.start(1) < span.stop for span in spans.values.values()):
            return *found.span(1), entry
    if not section.place and not section.entries:
        return 0, 0, entry + line
    at = _line_end(text, section.entries)
    return at, at, entry + line if text[:at].endswith("\n") else line + entry


def _removal(spans: TomlSpans, place: Place) -> Change:
    """Return the change that takes an entry away; a comment on its line stays, after the key as a comment."""
    if place not in spans.values:
        return 0, 0, ""
    text, span, braces = spans.text, spans.values[place], spans.braces_around(place)
    if braces is None:
        end, begin = _line_end(text, span.stop), text.rfind("\n", 0, span.key) + 1
        commented = text[span.stop : end].strip().startswith("#")
        return (span.key, span.stop, f"# {text[span.key : span.start].rstrip()}") if commented else (begin, end, "")
    inside = spans.entries_of(braces)
    k = inside.index(span)
    if k:
        return inside[k - 1].stop, span.stop, ""
    if len(inside) > 1:
        return span.key, inside[1].key, ""
    comma = re.compile(r"\s*,").match(text, span.stop)
    return span.key, comma.end() if comma else span.stop, ""


def _with_paragraph(text: str, at: int, paragraph: str) -> str:
    """Return a text with lines at the beginning of a line, and an empty line before them."""
    line, before = _new_line(text), text[:at]
    gap = "" if not before else line if before.endswith("\n") else 2 * line
    return f"{before}{gap}{paragraph}{line}{text[at:]}"


def _line_end(text: str, at: int) -> int:
    """Return where the line of an offset ends, with its end of line."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _new_line(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _dotted(place: Iterable[str | int]) -> str:
    """Return keys as a dotted key; indices are left out."""
    keys = (key for key in place if isinstance(key, str))
    return ".".join(key if _BARE_KEY.fullmatch(key) else quoted(key) for key in keys)
