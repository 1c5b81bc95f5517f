"""Run benchmarks and print a table for each: all of them, or those named on the command line.

`--json` also writes the rows of each benchmark to `docs/figures`, from which `--pages` writes figures into the pages.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

import benchmarks
from benchmarks import Row, _figures


def main(arguments: Sequence[str]) -> int:
    """Run the named benchmarks, or all; return the exit code."""
    console = Console()
    options = {word for word in arguments if word.startswith("--")}
    arguments = [word for word in arguments if word not in options]
    if options - {"--json", "--pages"}:
        console.print(f"unknown option {min(options - {'--json', '--pages'})}: use --json or --pages", highlight=False)
        return 2
    if options == {"--pages"} and not arguments:
        return _figures.write_pages(console.print)
    known = sorted(
        module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")
    )
    unknown = [name for name in arguments if name not in known]
    if unknown:
        console.print(f"no benchmark is named '{unknown[0]}': there are {', '.join(known)}", highlight=False)
        return 2
    for name in arguments or known:
        try:
            module = importlib.import_module(f"benchmarks.{name}")
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in ("segue", "benchmarks"):
                raise
            # peers are development dependencies: without one, the others can still run
            console.print(f"{name}: skipped, {error}", highlight=False)
            continue
        if hasattr(module, "main"):
            about = (module.__doc__ or "").partition("\n")[0]
            rows = module.main()
            _print_report(console, f"{name}: {about}", rows)
            if "--json" in options and rows is not None:
                _figures.save(name, about, rows)
    return _figures.write_pages(console.print) if "--pages" in options else 0


def _print_report(console: Console, title: str, rows: Sequence[Row] | None) -> None:
    """Print what a benchmark returned; one that returned nothing has printed its own report."""
    if rows is None:
        return
    table = Table("measured", "figure", "ratio", "target", "", title=title, title_justify="left")
    for row in rows:
        colour = {"pass": "green", "short": "yellow"}.get(row.verdict, "default")
        table.add_row(
            row.subject,
            row.figure,
            "" if row.ratio is None else f"{row.ratio:.3g}",
            "" if row.target is None else f"{row.target:g}",
            f"[{colour}]{row.verdict}[/]",
        )
    console.print(table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
