"""Pattern files for pages: the grid with spans, also of a text with errors, and all that is wrong with it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from segue.dance.notation import (
    SYMBOLS,
    Finding,
    NotationError,
    Part,
    Pattern,
    Severity,
    check,
    check_pair,
    errors_of,
    finish,
    grid,
    parse,
    partner_of,
    row_of,
    write,
)
from segue.dance.patterns import SHIPPED, SUFFIX, DanceLibrary, template
from segue.dance.patterns.folders import file_name, file_stem, new_title, partner_path
from segue.dance.planning import Footprint, Plan, plan
from segue.dance.planning.feet import FootShape
from segue.errors import SegueError
from segue.serve.document import read_script_file, utf16
from segue.serve.outlines import (
    FloorPlan,
    GridCell,
    GridRow,
    HeaderField,
    PatternOutline,
    Sole,
    StepOnFloor,
    SymbolShape,
)
from segue.serve.shapes import Diagnostic
from segue.serve.text_kinds import ReadText, TextKind, line_diagnostic

_HEADER = re.compile(r"\s*([^\s|:#][^|:#]*):[^\S\n]*(.*)")
_COMMENT = re.compile(r"(?:^|\s+)#.*")


def read_pattern(text: str, path: Path) -> ReadText:
    """Return the outline of a pattern's text, and what is wrong with it; path: of its file, beside its partner's."""
    headers, rows = _lines(text)
    values = {each.name: each.value for each in headers}
    beside = partner_path(path)
    other = beside if beside.is_file() else None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        errors = errors_of(text)
        pattern = None if errors else parse(text)
    found = [_of_error(error, text, rows) for error in errors]
    if pattern is not None:
        found += [_of_finding(finding, rows) for finding in [*check(pattern), *_conflicts(pattern, other)]]
    found += [Diagnostic(str(each.message).partition(": ")[2], 0, 0, "warning") for each in caught]
    danced = pattern is not None and not any(each.severity == "error" for each in found)
    return ReadText(
        PatternOutline(
            "pattern",
            f"{values.get('dance', '')}/{values.get('pattern', '')}",
            Part.FOLLOWER if values.get("part", "").startswith(("f", "lady")) else Part.LEADER,
            headers,
            rows,
            str(finish(pattern)) if pattern is not None else _finish(text),
            tuple(_cells(line) for line in grid(partner_of(pattern))) if pattern is not None and danced else (),
            "" if other is None else other.name,
            floor_of(plan(pattern)) if pattern is not None and danced else None,
        ),
        tuple(found),
    )


def described_pattern(text: str, path: Path) -> tuple[str, str, str]:
    """Return the name, the dance and the part of a pattern's text."""
    values = {each.name: each.value for each in _lines(text)[0]}
    return values.get("pattern", path.stem), values.get("dance", ""), values.get("part", Part.LEADER)


def new_pattern(name: str) -> tuple[str, str]:
    """Return the path and the text of a plain pattern; name: its dance and name."""
    dance, called = new_title(name)
    library = DanceLibrary(SHIPPED)
    like = library.read(library.entries(dance)[0]) if library.has_dance(dance) else None
    made = template(dance, called, like)
    return f"{file_stem(made.dance)}/{file_name(made.name, made.part)}", write(made)


def partner_written(path: Path) -> Pattern | None:
    """Return the partner's part of a pattern if it has a file of its own beside the pattern's."""
    beside = partner_path(path)
    return _pattern_in(beside) if beside.is_file() else None


def symbol_shapes() -> tuple[SymbolShape, ...]:
    """Return the symbols of the notation in the order of tables."""
    return tuple(SymbolShape(each.text, each.row, each.kind, each.many, each.name, each.meaning) for each in SYMBOLS)


def partner_text(name: str, text: str) -> tuple[str, str]:
    """Return the path and the text of the part that a pattern's partner dances in closed hold."""
    return partner_path(Path(name)).as_posix(), write(partner_of(parse(text)))


PATTERN = TextKind(SUFFIX, read_pattern, described_pattern, new_pattern, SHIPPED, partner_text)
"""Patterns of the dance library."""


def _lines(text: str) -> tuple[tuple[HeaderField, ...], tuple[GridRow, ...]]:
    """Return the header lines and rows of a text, whatever else it has."""
    headers: list[HeaderField] = []
    rows: list[GridRow] = []
    start = 0
    for line in text.split("\n"):
        header = _HEADER.match(line)
        said = line.partition("#")[0]
        if header is not None:
            headers.append(_header(header, text, start))
        elif "|" in said:
            rows.append(_row(said.rstrip(), text, start))
        start += len(line) + 1
    return tuple(headers), tuple(rows)


def _header(found: re.Match[str], text: str, start: int) -> HeaderField:
    name = " ".join(found[1].casefold().split())
    value = found[2] if name.startswith("note") else _COMMENT.sub("", found[2])
    value = value.rstrip()
    first = start + found.start(2)
    return HeaderField(name, value, utf16(text, first), utf16(text, first + len(value)))


def _row(said: str, text: str, start: int) -> GridRow:
    framed = said.lstrip().startswith("|")
    bars = [at for at, sign in enumerate(said) if sign == "|"]
    label = said[bars[0] + 1 if framed else 0 : bars[1 if framed and len(bars) > 1 else 0]].strip()
    edges = bars[1:] if framed else bars
    if said[edges[-1] + 1 :].strip() if edges else False:
        edges.append(len(said))
    cells = [
        GridCell(said[a + 1 : b].strip(), utf16(text, start + a + 1), utf16(text, start + b))
        for a, b in pairwise(edges)
    ]
    return GridRow(str(row_of(label) or ""), label, utf16(text, start), utf16(text, start + len(said)), tuple(cells))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.rstrip().rstrip("|").split("|"))


def _place(step: int | None, row: str | None, rows: tuple[GridRow, ...]) -> tuple[int, int]:
    """Return the span of a cell's words, or of an empty cell; of nothing where the grid has no such cell."""
    for each in rows:
        if row is not None and each.name == row and step is not None and step <= len(each.cells):
            return each.cells[step - 1].start, each.cells[step - 1].stop
        if row is not None and each.name == row and step is None:
            return each.start, each.stop
    return 0, 0


def _of_error(error: NotationError, text: str, rows: tuple[GridRow, ...]) -> Diagnostic:
    start, stop = _place(error.step, error.row, rows)
    if stop:
        return Diagnostic(error.sentence, start, stop)
    return line_diagnostic(error, error.sentence, text)


def _of_finding(finding: Finding, rows: tuple[GridRow, ...]) -> Diagnostic:
    start, stop = _place(finding.step, finding.row, rows)
    return Diagnostic(finding.message, start, stop, "error" if finding.severity is Severity.ERROR else "warning")


def _conflicts(pattern: Pattern, other: Path | None) -> Iterator[Finding]:
    """Yield where a part does not fit its partner's own file."""
    partner = None if other is None else _pattern_in(other)
    if partner is None:
        return
    pair = (pattern, partner) if pattern.part is Part.LEADER else (partner, pattern)
    yield from check_pair(*pair)


def _pattern_in(path: Path) -> Pattern | None:
    """Return the pattern of a file, None where it cannot be read: that file's own findings say why."""
    try:
        return parse(read_script_file(path), path.name)
    except SegueError:
        return None


def _finish(text: str) -> str:
    """Return where the turns lead, if nothing but the header's finish is wrong."""
    kept = "\n".join(line for line in text.split("\n") if not line.casefold().lstrip().startswith("finish"))
    try:
        return str(finish(parse(kept)))
    except SegueError:
        return ""


def floor_of(plan: Plan) -> FloorPlan:
    """Return where the feet of a plan stand at the end of each step."""
    shape = FootShape.of(plan.figure)
    steps = []
    for planned, done in zip(plan.steps, plan.step_ends, strict=True):
        after = planned.stance
        moves = {"LF": "left", "RF": "right"}.get(planned.step.foot, "")
        steps.append(
            StepOnFloor(
                planned.start,
                planned.stop,
                float(done),
                _sole(after.left),
                _sole(after.right),
                moves,  # type: ignore[arg-type]
                after.weight,
            )
        )
    part = plan.steps[0].pattern.part if plan.steps else ""
    begins = plan.begins
    return FloorPlan(
        str(part),
        begins.heading,
        _sole(begins.left),
        _sole(begins.right),
        tuple(steps),
        shape.heel,
        shape.tip,
        shape.half_width,
    )


def _sole(foot: Footprint) -> Sole:
    return Sole(*(round(float(value), 4) for value in foot))
