"""`segue dance floor`: let couples share a floor and choose their patterns."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from segue.cli.console import output, progress_bar, say
from segue.cli.dance.patterns import Folder
from segue.dance.behaviour import (
    Choreography,
    CoupleReport,
    Dancer,
    Environment,
    both_parts,
    choreograph,
    decision_lines,
    evening_table,
    read_dancer,
    read_environment,
    reports,
)
from segue.dance.patterns import DanceLibrary
from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import atomic_write, writable_target

_PICTURES, _FILMS, _PAGES = (".png", ".svg", ".pdf"), (".gif", ".webp", ".mp4"), (".html", ".htm")
_TABLE = ".json"


def share_floor(
    environment: Annotated[
        Path, typer.Argument(metavar="ENVIRONMENT", help="A .toml file, as `segue dance environment new` writes it.")
    ],
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="A picture (.png, .svg, .pdf), film (.gif, .webp, .mp4), page (.html) or all in numbers (.json); may "
            "be given again.",
        ),
    ] = None,
    couples: Annotated[int | None, typer.Option(metavar="N", help="Number of couples, instead of the file's.")] = None,
    minutes: Annotated[float | None, typer.Option(metavar="MIN", help="Duration, instead of the file's.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Random seed, instead of the file's.")] = None,
    dance: Annotated[str | None, typer.Option(metavar="DANCE", help="The dance, instead of the file's.")] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report with all decisions, as .json.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Print every decision with the behaviours that decided.")] = False,
    performance: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the motion of each dancer there, as .bvh.")
    ] = None,
    fps: Annotated[float, typer.Option(metavar="RATE", help="Frames per second of a film.")] = 20.0,
    speed: Annotated[float, typer.Option(metavar="FACTOR", help="Speed of a film, 1 for real time.")] = 1.0,
    folder: Folder = None,
) -> None:
    """Let couples dance on one floor along the line of dance, each by its own character and without collisions.

    Example: segue dance floor hall.toml --couples 6 --minutes 3 -o floor.png -o floor.html
    """
    outs = out or []
    _check_outputs(outs, report, performance)
    given = changed(read_environment(environment), couples=couples, minutes=minutes, seed=seed, dance=dance)
    patterns = both_parts(DanceLibrary(folder), given.dance)
    with progress_bar("Dancing") as advance:
        evening = choreograph(given, patterns, dancers_of(given, environment.parent), progress=advance)
    if log:
        for line in decision_lines(evening):
            say(line)
    fared = reports(evening)
    _print_table(evening, fared)
    # make everything before writing, so that an error leaves no file
    writers = [(path, _writer(evening, path, fps, speed)) for path in outs]
    if report is not None:
        writers.append((report, _table_writer(evening, boxes=False)))
    for path, write in writers:
        write(path)
        say(f"{path}: {given.dance}, {len(fared)} couples, {evening.duration:.0f} s")
    if performance is not None:
        _perform(evening, performance)


def _check_outputs(outs: list[Path], report: Path | None, performance: Path | None) -> None:
    for path in [*outs, *([report] if report else [])]:
        allowed = (_TABLE,) if path is report else (*_PICTURES, *_FILMS, *_PAGES, _TABLE)
        if path.suffix.lower() not in allowed:
            raise FileFormatError(
                f"suffix '{path.suffix}': what can be written here ends in {', '.join(allowed)}", path
            )
        writable_target(path)
        if path.suffix.lower() == ".mp4":
            from segue.view.video import check_video  # pictures need a library that is slow to import

            check_video(path)
    if performance is not None and os.path.exists(performance) and not os.path.isdir(performance):
        raise FileFormatError("it is a file, and a folder for the motions is needed", performance)


def changed(given: Environment, **options: Any) -> Environment:
    """Return an environment with options of the command line."""
    try:
        return replace(given, **{name: value for name, value in options.items() if value is not None})
    except ArgumentError as error:
        raise ArgumentError(f"on the command line, {error}") from None


def dancers_of(given: Environment, folder: Path) -> list[Dancer]:
    """Read the dancer files of an environment from a folder."""
    return [read_dancer(folder / name) for name in given.dancers]


def _writer(evening: Choreography, path: Path, fps: float, speed: float) -> Callable[[Path], None]:
    """Return a function that writes an evening in the format of a file's suffix."""
    suffix = path.suffix.lower()
    if suffix == _TABLE:
        return _table_writer(evening, boxes=True)
    if suffix in _PAGES:
        from segue.view.dance_floor import floor_page

        return floor_page(evening).save
    if suffix in _PICTURES:
        from segue.view.dance_floor import dance_floor

        return dance_floor(evening).save
    from segue.view.dance_floor_film import floor_film

    film = floor_film(evening, fps=fps, speed=speed)

    def write(target: Path) -> None:
        with progress_bar("Drawing") as advance:
            film.save(target, advance)

    return write


def _table_writer(evening: Choreography, *, boxes: bool) -> Callable[[Path], None]:
    text = json.dumps(evening_table(evening, boxes=boxes), indent=1, allow_nan=False) + "\n"

    def write(target: Path) -> None:
        with atomic_write(target) as beside:
            beside.write_text(text, encoding="utf-8", newline="\n")

    return write


def _print_table(evening: Choreography, fared: tuple[CoupleReport, ...]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("couple", no_wrap=True)
    for column in ("laps", "way, m", "patterns", "waited", "room, m", "wall, m"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("decided mostly by")
    for each in fared:
        table.add_row(
            each.name,
            f"{each.laps:.2f}" if evening.line else "-",
            f"{each.metres:.1f}" if evening.line else "-",
            str(sum(each.patterns.values())),
            str(each.waited),
            f"{each.room:.2f}" if len(fared) > 1 else "-",
            f"{each.wall:.2f}",
            ", ".join(list(each.decided)[:2]),
        )
    output.print(table)


def _perform(evening: Choreography, folder: Path) -> None:
    """Write the motions of all dancers on the common floor."""
    from segue.dance import preview_couple  # compiles functions that only this option needs
    from segue.files import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileFormatError(f"cannot be made: the system reports '{error.strerror}'", folder) from error
    with progress_bar("Performing") as advance:
        for k, couple in enumerate(evening.couples):
            performed = preview_couple(couple.plan)
            for part, motion in performed.motions.items():
                save(motion, folder / f"couple_{k + 1}_{part}.bvh")
            advance(k + 1, len(evening.couples))
    say(f"{folder}: {2 * len(evening.couples)} motions")
