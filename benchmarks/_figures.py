"""Figures in the documentation: written by benchmarks as JSON, and from there into the pages.

`docs/figures/NAME.json` holds the rows of a benchmark with the version that was measured. A page shows them between
comments, which readers do not see:

    <!-- figures: NAME --> a table of all rows <!-- /figures -->
    <!-- figure: NAME: subject of a row -->the figure of that row<!-- /figure -->
    <!-- figure: NAME: subject of a row #2 -->the second number in the figure of that row<!-- /figure -->
    <!-- figure: NAME: subject of a row #ratio -->the ratio of that row<!-- /figure -->
    <!-- all figures --> a section with a table for every file in docs/figures <!-- /all figures -->

A row whose subject is indented belongs to the row above that is not. Its subject in a page is `ROW ABOVE / SUBJECT`.
A comment whose benchmark has no file yet leaves its text as it is: `missing()` lists those benchmarks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import segue as sg
from benchmarks import Row

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "figures"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
_TABLE = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
_FIGURE = re.compile(r"(<!-- figure: (\w+): ([^>]+?)(?: #(\d+|ratio))? -->).*?(<!-- /figure -->)", re.DOTALL)
_ALL = re.compile(r"(<!-- all figures -->\n).*?(<!-- /all figures -->)", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?")


def save(name: str, about: str, rows: Sequence[Row]) -> None:
    """Write the rows of a benchmark to its JSON file."""
    FOLDER.mkdir(exist_ok=True)
    values = [{key: value for key, value in vars(row).items() if value is not None} for row in rows]
    record = {"benchmark": name, "about": about, "version": sg.__version__, "rows": values}
    (FOLDER / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def update(name: str, about: str, rows: Sequence[Row]) -> None:
    """Write some rows of a benchmark to its JSON file, in place of those of the same subject; keep all others."""
    try:
        known = _by_place([Row(**row) for row in read(name)["rows"]])
    except FileNotFoundError:
        known = {}
    save(name, about, list((known | _by_place(rows)).values()))


def _by_place(rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
    """Return rows by their subject and that of the row above that is not indented."""
    found, above = {}, ""
    for row in rows:
        above = above if row.subject.startswith(" ") else row.subject
        found[above, row.subject] = row
    return found


def read(name: str) -> dict[str, Any]:
    """Return what a benchmark wrote; raise FileNotFoundError if nothing was."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def with_figures(text: str) -> str:
    """Return a page with every table and figure as its JSON file has them, and others as they are."""
    text = _ALL.sub(lambda match: match[1] + "\n" + _sections() + match[2], text)
    text = _TABLE.sub(lambda match: match[1] + "\n" + _table(match[2]) + match[3] if _known(match) else match[0], text)
    return _FIGURE.sub(
        lambda match: match[1] + _figure(match[2], match[3], match[4]) + match[5] if _known(match) else match[0], text
    )


def marked(text: str) -> set[str]:
    """Return the benchmarks whose figures a page shows."""
    return {match[2] for pattern in (_TABLE, _FIGURE) for match in pattern.finditer(text)}


def missing() -> dict[str, list[str]]:
    """Return each benchmark that has no file yet, with the pages that show its figures."""
    found: dict[str, list[str]] = {}
    for page in PAGES:
        for name in sorted(marked(page.read_text(encoding="utf-8"))):
            if not (FOLDER / f"{name}.json").exists():
                found.setdefault(name, []).append(str(page.relative_to(ROOT)))
    return found


def write_pages(report: Callable[[str], object]) -> int:
    """Write the figures into all pages; return the exit code, 1 if a page shows a row that its file lacks."""
    code = 0
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        try:
            after = with_figures(before)
        except KeyError as error:
            report(f"{page.relative_to(ROOT)}: {error.args[0]}")
            code = 1
            continue
        if after != before:
            page.write_text(after, encoding="utf-8")
            report(f"wrote {page.relative_to(ROOT)}")
    for name, pages in missing().items():
        report(f"no figures of {name} yet, for {', '.join(pages)}")
    return code


def _known(mark: re.Match[str]) -> bool:
    return (FOLDER / f"{mark[2]}.json").exists()


def _table(name: str) -> str:
    record = read(name)
    with_target = any("target" in row for row in record["rows"])
    lines = ["| measured | figure | ratio | target |", "|---|---|---|---|"]
    if not with_target:
        lines = ["| measured | figure |", "|---|---|"]
    for row in record["rows"]:
        indent = "&emsp;" if row["subject"].startswith(" ") else ""
        cells = [indent + row["subject"].strip(), row["figure"]]
        if with_target:
            cells += [f"{row[key]:.3g}" if key in row else "" for key in ("ratio", "target")]
        lines.append("| " + " | ".join(cell.strip().replace("|", "/").replace("\n", " ") for cell in cells) + " |")
    return "\n".join([*lines, "", f"`python -m benchmarks {name}`, version {record['version']}.", "", ""])


def _sections() -> str:
    """Return a section for each file, in the order of their names."""
    parts = []
    for path in sorted(FOLDER.glob("*.json")):
        about = read(path.stem)["about"]
        parts += [f"## {path.stem.replace('_', ' ').capitalize()}", "", about, "", _table(path.stem).rstrip(), ""]
    return "\n".join([*parts, ""])


def _figure(name: str, subject: str, number: str | None) -> str:
    above = ""
    for row in read(name)["rows"]:
        inner = row["subject"].startswith(" ")
        above = above if inner else row["subject"]
        if subject in (row["subject"], f"{above} / {row['subject'].strip()}"):
            if number == "ratio":
                return f"{row['ratio']:.3g}"
            figure = str(row["figure"])
            return figure if number is None else _NUMBER.findall(figure)[int(number) - 1]
    raise KeyError(f"{name}.json has no row '{subject}'")
