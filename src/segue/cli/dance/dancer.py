"""`segue dance dancer`: write and check dancer files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from segue.cli.console import say
from segue.cli.dance.patterns import Folder
from segue.dance.behaviour import Dancer, Proficiency, read_dancer, unknown_patterns, write_dancer
from segue.dance.patterns import DanceLibrary
from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import writable_target

dancer_commands = typer.Typer(
    name="dancer",
    help="Dancers: which patterns they know and how well, their character and habits.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)


def check_suffix(path: Path) -> None:
    """Raise FileFormatError unless a path is a new TOML file that can be written."""
    if path.suffix.lower() != ".toml":
        raise FileFormatError(f"suffix '{path.suffix}': .toml is needed", path)
    writable_target(path)
    if path.exists():
        raise FileFormatError("exists already: choose another name, or delete it first", path)


@dancer_commands.command(no_args_is_help=True)
def new(
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


@dancer_commands.command(no_args_is_help=True)
def check(
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
