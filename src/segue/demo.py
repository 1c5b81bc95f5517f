"""`make demo`: the paper's figures, made by Segue from its built-in clips and from captured ones where there are any.

Makes a folder of pictures, animations, motions and viewers with a page that shows them, and ends by saying where to
look.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

import segue as sg
from segue import gallery
from segue.errors import SegueError
from segue.filesystem import atomic_write

__all__ = ["main", "make"]

_READY = 8.0  # of the time that figures take, for getting ready


def main() -> None:
    """Make the gallery, as the command line says."""
    options = argparse.ArgumentParser(description="Make the paper's figures: pictures, animations, motions, viewers.")
    options.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for the gallery")
    options.add_argument("--mocap", type=Path, default=Path("../shared/mocap"), help="folder with real clips, if any")
    options.add_argument("--small", action="store_true", help="small pictures, quickly made")
    given = options.parse_args()
    console = Console(highlight=False)
    try:
        timings = make(given.out, given.mocap, console, small=given.small)
    except KeyboardInterrupt:
        console.print(f"Stopped; what was finished is in {given.out}.")
        sys.exit(130)
    except (SegueError, OSError) as error:
        console.print(f"segue: {error}", markup=False)
        sys.exit(2)
    console.print(_printed(timings))
    console.print(f"Look at {given.out / 'index.html'}", soft_wrap=True)


def make(out: Path, mocap: Path, console: Console, *, small: bool = False) -> list[gallery.Timing]:
    """Make the gallery in a folder, showing on the console what is being made; return the times that were measured."""
    out.mkdir(parents=True, exist_ok=True)
    parts = list(gallery.makers(mocap))
    whole = sum(weight for _, weight, _ in parts) + (0.0 if small else _READY)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    exhibits = []
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(*columns, console=console, transient=True))
        task = progress.add_task("Getting ready", total=whole)
        done = 0.0
        if not small:
            gallery.get_ready(lambda what, share: progress.update(task, description=what, completed=_READY * share))
            stack.enter_context(gallery.readying_the_dancer())
            done = _READY
        for name, weight, maker in parts:

            def tell(what: str, share: float, name: str = name, weight: float = weight, done: float = done) -> None:
                label = name if what == name else f"{name}: {what}"
                progress.update(task, description=label, completed=done + weight * share)

            tell(name, 0.0)
            made = maker(gallery.Workshop(out, tell, small))
            exhibits += [made] if made is not None else []
            done += weight
        progress.update(task, description="timings", completed=done)
        timings = gallery.measured()
        gallery.table(timings).save(out / "timings.png")
    with atomic_write(out / "index.html") as beside:
        beside.write_text(gallery.front_page(exhibits, timings, sg.__version__), encoding="utf-8", newline="\n")
    return timings


def _printed(timings: list[gallery.Timing]) -> Table:
    """Return the columns that a narrow terminal has room for."""
    table = Table(
        title="Measured in this run, beside the paper's 100 MHz Pentium", title_justify="left", box=SIMPLE_HEAD
    )
    shown = [k for k, column in enumerate(gallery.COLUMNS) if column not in ("coefficients", "iterations")]
    for k in shown:
        table.add_column(gallery.COLUMNS[k].replace("degrees of freedom", "DOF"), no_wrap=True)
    for row in gallery.cells(timings):
        table.add_row(*(row[k] for k in shown))
    return table


if __name__ == "__main__":
    main()
