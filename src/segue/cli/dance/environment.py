"""`segue dance environment`: write and check environment files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import say
from segue.cli.dance.dancer import check_suffix
from segue.cli.dance.patterns import Folder
from segue.dance.behaviour import Environment, Ground, read_dancer, read_environment, write_environment
from segue.dance.patterns import DanceLibrary
from segue.errors import ArgumentError, FileFormatError

environment_commands = typer.Typer(
    name="environment",
    help="Environments: the floor and its friction, gravity, music, and how many couples.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)


@environment_commands.command(no_args_is_help=True)
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The .toml file to write; edit it with any editor.")],
    dance: Annotated[str, typer.Option(metavar="DANCE", help="The dance.")] = "waltz",
    width: Annotated[float, typer.Option(metavar="M", help="Of the floor.")] = 8.0,
    length: Annotated[float, typer.Option(metavar="M", help="Of the floor.")] = 12.0,
    couples: Annotated[int, typer.Option(metavar="N", help="Number of couples.")] = 6,
    minutes: Annotated[float, typer.Option(metavar="MIN", help="Duration.")] = 3.0,
    tempo: Annotated[float | None, typer.Option(metavar="BARS", help="Bars a minute; the dance's usual.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed; the same seed gives the same evening.")] = 1,
    dancers: Annotated[
        list[str] | None, typer.Option("--dancer", metavar="FILE", help="A dancer file; repeatable.")
    ] = None,
    folder: Folder = None,
) -> None:
    """Write an environment file with a comment for every setting.

    Example: segue dance environment new hall.toml --dance waltz --width 8 --length 12 --couples 6
    """
    check_suffix(file)
    DanceLibrary(folder).entries(dance)
    made = Environment(dance, tempo, minutes, couples, seed, Ground(width, length), tuple(dancers or ()))
    write_environment(made, file)
    say(f"{file}: {_described(made)}")


@environment_commands.command(no_args_is_help=True)
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Environments' files.")],
    folder: Folder = None,
) -> None:
    """Check environment files: every setting, that the library has the dance, and that all dancers know it.

    Example: segue dance environment check hall.toml
    """
    library = DanceLibrary(folder)
    for file in files:
        found = read_environment(file)
        try:
            library.entries(found.dance)
            for name in found.dancers:
                read_dancer(file.parent / name).knows(found.dance)
        except ArgumentError as error:
            raise FileFormatError(str(error), file) from error
        say(f"{file}: {_described(found)}, no fault found")


def _described(found: Environment) -> str:
    ground = found.floor
    return f"{found.dance}, {found.couples} couples on {ground.width:g} by {ground.length:g} m, {found.minutes:g} min"
