"""Make the gallery: a folder of pictures, animations, motions and viewers, with a page that shows them all.

Run it in the root of a clone with `make demo` or `python -m examples.gallery`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

import segue as sg
from examples.gallery import compiling, page
from examples.gallery.clips import built_in_clips, captured_clips, filled_from_library
from examples.gallery.dance import can_simulate, dance_floor, dance_from_notation, simulated_dance
from examples.gallery.exhibit import Exhibit, Timing, Workshop
from examples.gallery.figures_2_to_6 import cycle, feet, walk_wave_walk
from examples.gallery.figures_7_to_10 import forearm, salute, transition
from examples.gallery.six_motions import captured_motions, six_motions
from segue.errors import SegueError
from segue.filesystem import atomic_write

_COMPILE_WEIGHT = 8.0  # share of the progress bar for compiling, in the unit of the weights of `exhibits`
_CAPTURED_WALK = "walk_07_01"


def main() -> None:
    """Make the gallery that the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.gallery",
        description="Make the paper's figures: pictures, animations, motions and viewers.",
    )
    parser.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for the gallery")
    parser.add_argument("--mocap", type=Path, help="folder whose subfolders hold captured .bvh clips (default: none)")
    parser.add_argument("--small", action="store_true", help="draw small pictures, which is faster")
    options = parser.parse_args()
    console = Console(highlight=False)
    try:
        timings = make(options.out, options.mocap, console, small=options.small)
    except KeyboardInterrupt:
        console.print(f"Stopped. The finished files are in {options.out}.")
        sys.exit(130)
    except (SegueError, OSError) as error:
        console.print(f"segue: {error}", markup=False, soft_wrap=True)
        sys.exit(2)
    console.print(_printed(timings))
    console.print(f"Look at {options.out / 'index.html'}", soft_wrap=True)


def make(out: Path, mocap: Path | None, console: Console, *, small: bool = False) -> list[Timing]:
    """Make the gallery in a folder, with a progress bar on the console, and return the measured times."""
    if mocap is not None and not mocap.is_dir():
        raise sg.ArgumentError(f"--mocap {mocap}: there is no such folder")
    out.mkdir(parents=True, exist_ok=True)
    parts = list(exhibits(mocap))
    total = sum(weight for _, weight, _ in parts) + (0.0 if small else _COMPILE_WEIGHT)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    made = []
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(*columns, console=console, transient=True))
        task = progress.add_task("compiling", total=total)
        done = 0.0
        if not small:
            compiling.compile_kernels(
                lambda what, share: progress.update(task, description=what, completed=_COMPILE_WEIGHT * share)
            )
            stack.enter_context(compiling.compiling_the_simulation())
            done = _COMPILE_WEIGHT
        for name, weight, make_exhibit in parts:

            def report(what: str, share: float, name: str = name, weight: float = weight, done: float = done) -> None:
                label = name if what == name else f"{name}: {what}"
                progress.update(task, description=label, completed=done + weight * share)

            report(name, 0.0)
            exhibit = make_exhibit(Workshop(out, report, small))
            made += [exhibit] if exhibit is not None else []
            done += weight
        progress.update(task, description="timings", completed=done)
        timings = page.measured()
        page.table(timings).save(out / "timings.png")
    with atomic_write(out / "index.html") as beside:
        beside.write_text(page.front_page(made, timings, sg.__version__), encoding="utf-8", newline="\n")
    return timings


def exhibits(mocap: Path | None) -> Iterator[tuple[str, float, Callable[[Workshop], Exhibit | None]]]:
    """Yield the name of each exhibit, its share of the time, and the function that makes it.

    mocap: folder whose subfolders hold captured clips, if any.
    """
    clips = {} if mocap is None else {path.stem: path for path in sorted(mocap.glob("*/*.bvh"))}
    yield "figure 2", 2.0, feet
    yield "figure 3", 6.0, lambda shop: cycle(shop, clips.get(_CAPTURED_WALK))
    yield "figure 6", 6.0, walk_wave_walk
    yield "figures 7 and 8", 5.0, transition
    yield "six motions", 10.0, six_motions
    yield "figure 9", 5.0, salute
    yield "figure 10", 2.0, forearm
    yield "from a library", 4.0, filled_from_library
    yield "dancing", 5.0, dance_from_notation
    if can_simulate():
        yield "simulated dance", 6.0, simulated_dance
    yield "a floor of couples", 6.0, dance_floor
    if clips:
        yield "captured motions", 5.0, lambda shop: captured_motions(shop, clips)
        yield "captured people", 4.0, lambda shop: captured_clips(shop, clips)
    yield "built-in clips", 4.0, built_in_clips


def _printed(timings: list[Timing]) -> Table:
    """Return the columns that fit a narrow terminal."""
    table = Table(
        title="Measured in this run, beside the paper's 100 MHz Pentium", title_justify="left", box=SIMPLE_HEAD
    )
    shown = [k for k, column in enumerate(page.COLUMNS) if column not in ("coefficients", "iterations")]
    for k in shown:
        table.add_column(page.COLUMNS[k].replace("degrees of freedom", "DOF"), no_wrap=True)
    for row in page.cells(timings):
        table.add_row(*(row[k] for k in shown))
    return table


if __name__ == "__main__":
    main()
