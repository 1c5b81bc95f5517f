"""Figures in the documentation: written by benchmarks as JSON, and from there into the pages.

`docs/figures/NAME.json` holds the rows of a benchmark with the version that was measured. A page shows them between
comments, which readers do not see:

    <!-- figures: NAME --> a table of all rows <!-- /figures -->
    <!-- figure: NAME: subject of a row -->the figure of that row<!-- /figure -->
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
_FIGURE = re.compile(r"(<!-- figure: (\w+): ([^>]+?) -->).*?(<!-- /figure -->)", re.DOTALL)


def save(name: str, about: str, rows: Sequence[Row]) -> None:
    """Write the rows of a benchmark to its JSON file."""
    FOLDER.mkdir(exist_ok=True)
    values = [{key: value for key, value in vars(row).items() if value is not None} for row in rows]
    record = {"benchmark": name, "about": about, "version": sg.__version__, "rows": values}
    (FOLDER / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(name: str) -> dict[str, Any]:
    """Return what a benchmark wrote; raise FileNotFoundError if nothing was."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def with_figures(text: str) -> str:
    """Return a page with every table and figure as its JSON file has them."""
    text = _TABLE.sub(lambda match: match[1] + "\n" + _table(match[2]) + match[3], text)
    return _FIGURE.sub(lambda match: match[1] + _figure(match[2], match[3]) + match[4], text)


def write_pages(report: Callable[[str], object]) -> int:
    """Write the figures into all pages; return the exit code."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = with_figures(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            report(f"wrote {page.relative_to(ROOT)}")
    return 0


def _table(name: str) -> str:
    record = read(name)
    with_target = any("target" in row for row in record["rows"])
    lines = ["| measured | figure | ratio | target |", "|---|---|---|---|"]
    if not with_target:
        lines = ["| measured | figure |", "|---|---|"]
    for row in record["rows"]:
        cells = [row["subject"], row["figure"]]
        if with_target:
            cells += [f"{row[key]:.3g}" if key in row else "" for key in ("ratio", "target")]
        lines.append("| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |")
    return "\n".join([*lines, "", f"`python -m benchmarks {name}`, version {record['version']}.", "", ""])


def _figure(name: str, subject: str) -> str:
    rows = [row for row in read(name)["rows"] if row["subject"] == subject]
    if not rows:
        raise KeyError(f"{name}.json has no row '{subject}'")
    return str(rows[0]["figure"])
