"""`segue dance list`, `show`, `new`, `copy`, `check` and `delete`: the dance library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from segue.cli.console import output, say
from segue.dance.notation import Part, Pattern, abbreviation, finish, write
from segue.dance.patterns import (
    FOLDER_VARIABLE,
    SUFFIX,
    DanceLibrary,
    Entry,
    Remark,
    examine,
    examine_file,
    template,
    template_text,
)
from segue.dance.patterns.folders import new_title
from segue.errors import ArgumentError, FileFormatError

PatternName = Annotated[
    str, typer.Argument(metavar="PATTERN", help=f"Such as 'foxtrot/forward basic', or a {SUFFIX} file.")
]
PartName = Annotated[Part, typer.Option(help="Part to use.")]
Folder = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help=f"Folder of your own dances; ${FOLDER_VARIABLE}, or your user data folder, if not given.",
    ),
]
_CHECK_FPS = 24.0
_Target = Annotated[str, typer.Argument(metavar="DANCE/PATTERN", help="Its name; a new dance may be named.")]


def list_patterns(
    dance: Annotated[str | None, typer.Argument(metavar="DANCE", help="Only patterns of this dance.")] = None,
    folder: Folder = None,
) -> None:
    """List all patterns: yours, and those shipped with Segue.

    Example: segue dance list waltz
    """
    library = DanceLibrary(folder)
    table = Table(box=None, pad_edge=False)
    table.add_column("pattern", no_wrap=True)
    for column in ("level", "steps", "bars", "time", "tempo"):
        table.add_column(column, justify="right")
    for column in ("faces", "from"):
        table.add_column(column, no_wrap=True)
    for entry in library.entries(dance):
        table.add_row(entry.title, *_summary(library, entry), "Segue" if entry.shipped else "you")
    output.print(table)


def show(pattern: PatternName, part: PartName = Part.LEADER, folder: Folder = None) -> None:
    """Show a pattern as its grid of steps.

    Example: segue dance show "foxtrot/forward basic" --part follower
    """
    say(write(DanceLibrary(folder).pattern(pattern, part)).rstrip())


def new(
    target: _Target,
    like: Annotated[
        str | None, typer.Option("--from", metavar="PATTERN", help="Begin with a copy of this pattern.")
    ] = None,
    folder: Folder = None,
) -> None:
    """Write a new pattern to edit, and print its file.

    Example: segue dance new "waltz/my turn" --from "waltz/left turning waltz"
    """
    library = DanceLibrary(folder)
    _tell([library.add(template_text(_plain(library, target)))] if like is None else library.copy(like, target))


def copy(
    pattern: PatternName,
    target: _Target,
    folder: Folder = None,
) -> None:
    """Copy all parts of a pattern to a new name.

    Example: segue dance copy "tango/corte" "tango/slow corte"
    """
    _tell(DanceLibrary(folder).copy(pattern, target))


def check(
    pattern: Annotated[
        str | None, typer.Argument(metavar="PATTERN|FILE", help=f"A pattern's name, or a {SUFFIX} file.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Check every pattern of the library.")] = False,
    folder: Folder = None,
) -> None:
    """Check a pattern: symbols, which foot is free, turns, bars, and how the partners' parts fit.

    A pattern of the library is also previewed by a couple, to warn where bodies would collide or joints go beyond
    their range. With --all that is left out, because it takes minutes.

    The exit code is 1 if a pattern cannot be danced, 0 if all can, 2 if there is no such pattern.

    Example: segue dance check "waltz/box step"
    """
    if (pattern is None) != everything:
        raise ArgumentError("there is nothing to check: name a pattern or a file, or use --all")
    remarks: list[Remark] = []
    if pattern is not None and Path(pattern).suffix == SUFFIX:
        checked = [pattern]
        remarks = examine_file(Path(pattern))
    else:
        library = DanceLibrary(folder)
        entries = library.entries() if pattern is None else [library.find(pattern)]
        checked = [entry.title for entry in entries]
        for entry in entries:
            remarks += examine(entry)
    _show(remarks)
    errors = sum(remark.is_error for remark in remarks)
    what = checked[0] if len(checked) == 1 else f"{len(checked)} patterns"
    say(f"{what}: {_count(errors, 'error')}, {_count(len(remarks) - errors, 'warning')}")
    if errors:
        raise typer.Exit(1)
    if not everything and Path(str(pattern)).suffix != SUFFIX:
        from segue.dance.performance.couple import preview_couple  # slow to import, and only needed here

        preview_couple(checked[0], library=DanceLibrary(folder), fps=_CHECK_FPS)


def delete(
    name: Annotated[str, typer.Argument(metavar="DANCE[/PATTERN]", help="A pattern of yours, or a whole dance.")],
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    folder: Folder = None,
) -> None:
    """Delete a pattern of yours, or all your patterns of a dance. Shipped patterns stay.

    Example: segue dance delete "waltz/my turn" --yes
    """
    library = DanceLibrary(folder)
    whole = "/" not in name
    doomed = library.own_files_of_dance(name) if whole else library.own_files(name)
    if not yes:
        for path in doomed:
            say(f"  {path}")
        try:
            sure = typer.confirm("Delete for good?")
        except typer.Abort:
            raise ArgumentError("there is no answer to the question: pass --yes to delete without asking") from None
        if not sure:
            say("nothing was deleted")
            return
    for path in library.delete_dance(name) if whole else library.delete(name):
        say(f"{path}: deleted")


def _summary(library: DanceLibrary, entry: Entry) -> tuple[str, ...]:
    """Return the columns of a pattern in the list, also for a file that cannot be read."""
    try:
        pattern: Pattern = library.read(entry)
    except FileFormatError:
        return "", "", "", "", "", "cannot be read"
    begins, ends = (abbreviation(each) for each in (pattern.commence, finish(pattern)))
    return (
        str(pattern.difficulty),
        str(len(pattern.steps)),
        f"{pattern.beats / pattern.beats_per_bar:g}",
        f"{pattern.beats_per_bar}/{pattern.beat_unit}",
        f"{pattern.tempo:g}",
        begins if begins == ends else f"{begins} → {ends}",
    )


def _plain(library: DanceLibrary, target: str) -> Pattern:
    """Return a plain new pattern, in the time and tempo of its dance."""
    dance, name = new_title(target)
    entries = library.entries(dance) if library.has_dance(dance) else []
    return template(dance, name, library.read(entries[0]) if entries else None)


def _show(remarks: list[Remark]) -> None:
    """Print a table of remarks for every file."""
    for path in dict.fromkeys(remark.path for remark in remarks):
        say(f"{path}:")
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for column in ("", "line", "step", "row", "finding"):
            table.add_column(column, justify="right" if column in ("line", "step") else "left")
        for remark in remarks:
            if remark.path == path:
                finding = remark.finding
                numbers = ("" if number is None else str(number) for number in (remark.line, finding.step))
                severity = Text(finding.severity, style="bold red" if remark.is_error else "yellow")
                table.add_row(severity, *numbers, finding.row or "", finding.message)
        output.print(table)


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _tell(made: list[Path]) -> None:
    for path in made:
        say(f"{path}: written, edit it and then: segue dance check '{path}'")
