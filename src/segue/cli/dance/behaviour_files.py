"""`segue dance dancer` and `segue dance environment`: write and check files of dancers and of environments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from segue.cli.console import command_group, say
from segue.cli.dance.patterns import Folder
from segue.dance.behaviour import (
    Dancer,
    Environment,
    Ground,
    Proficiency,
    read_dancer,
    read_environment,
    unknown_patterns,
    write_dancer,
    write_environment,
)
from segue.dance.patterns import DanceLibrary
from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import writable_target

dancer_commands = command_group("dancer", "Dancers: which patterns they know and how well, their character and habits.")


def check_suffix(path: Path) -> None:
    """Raise FileFormatError unless a path is a new TOML file that can be written."""
    if path.suffix.lower() != ".toml":
        raise FileFormatError(f"suffix '{path.suffix}': .toml is needed", path)
    writable_target(path)
    if path.exists():
        raise FileFormatError("exists already: choose another name, or delete it first", path)


@dancer_commands.command("new", no_args_is_help=True)
def new_dancer(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The .toml file to write; edit it with any editor.")],
    dances: Annotated[
        list[str] | None,
        typer.Option("--dance", metavar="DANCE", help="A known dance; repeatable; all dances if not given."),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the couple.")] = "couple",
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Random character, habits and skill from this seed.")
    ] = None,
    folder: Folder = None,
) -> None:
    """Write a dancer file with all patterns of some dances, and a comment for every setting.

    Example: segue dance dancer new ada.toml --dance waltz --dance tango --seed 3
    """
    check_suffix(file)
    library = DanceLibrary(folder)
    entries = [entry for each in dances or library.dances() for entry in library.entries(each)]
    patterns = [library.read(entry) for entry in entries]
    if seed is None:
        vocabulary: dict[str, dict[str, Proficiency]] = {}
        for pattern in patterns:
            vocabulary.setdefault(pattern.dance, {})[pattern.name] = Proficiency()
        made = Dancer(name, vocabulary=vocabulary)
    elif seed < 0:
        raise ArgumentError(f"--seed is {seed}: a whole number of 0 or more is needed")
    else:
        made = Dancer.random(name, patterns, np.random.default_rng(seed))
    write_dancer(made, file)
    say(f"{file}: {made.name}, {len(patterns)} patterns of {len(made.vocabulary)} dances")


@dancer_commands.command("check", no_args_is_help=True)
def check_dancers(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Dancers' files.")],
    folder: Folder = None,
) -> None:
    """Check dancer files: every setting, and that the library has every pattern.

    Example: segue dance dancer check ada.toml
    """
    library = DanceLibrary(folder)
    for file in files:
        found = read_dancer(file)
        for _, _, sentence in unknown_patterns(found, library):
            raise FileFormatError(sentence, file)
        count = sum(map(len, found.vocabulary.values()))
        if not count:
            raise FileFormatError("this dancer knows no pattern: add some under [vocabulary.waltz] or so", file)
        say(f"{file}: {found.name}, {count} patterns of {len(found.vocabulary)} dances, no fault found")


environment_commands = command_group(
    "environment", "Environments: the floor and its friction, gravity, music, and how many couples."
)


@environment_commands.command("new", no_args_is_help=True)
def new_environment(
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


@environment_commands.command("check", no_args_is_help=True)
def check_environments(
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
