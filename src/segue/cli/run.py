"""`segue run`, `segue eval` and `segue repl`: scripts, expressions and the prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue import io
from segue.cli.console import say
from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import read_bytes
from segue.language import Limits, Session, describe

Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="FILE", help="Save the motion: .bvh, .glb, .usd, .usda or .usdc.")
]
TimeLimit = Annotated[float, typer.Option(metavar="SECONDS", help="Stop the script after so much time.")]


def run_script(
    script: Annotated[Path, typer.Argument(metavar="SCRIPT", help="A text file of motion expressions.")],
    out: Out = None,
    seconds: TimeLimit = 120.0,
) -> None:
    """Run a script and print, or save, the value of its last expression.

    A script reads and writes clips below the current folder and nothing else.

    Example: segue run walk_wave_walk.segue -o out.bvh
    """
    carry_out(read_script(script), str(script), out, seconds)


def read_script(path: Path) -> str:
    """Return the text of a script."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"is not text in UTF-8: byte {error.start} cannot be read", path) from None


def carry_out(text: str, name: str, out: Path | None, seconds: float) -> None:
    """Run a script; print its result, or save it if a file is given."""
    if not seconds > 0:
        raise ArgumentError(f"--seconds is {seconds:g}: it must be positive")
    if out is not None:
        io.check_writable(out)
    session = Session(limits=Limits(seconds=seconds), say=say)
    value = session.run(text, name)
    if out is not None:
        session.save(value, out)
    answer = describe(value)
    if answer:
        say(f"{out}: {answer}" if out is not None else answer)


def evaluate(
    expression: Annotated[str, typer.Argument(metavar="EXPR", help="A motion expression, in quotes.")],
    out: Out = None,
    seconds: TimeLimit = 120.0,
) -> None:
    """Print, or save, the value of a motion expression.

    Example: segue eval 'concat(clips.walk, clips.wave)' -o out.bvh
    """
    carry_out(expression, "expression", out, seconds)


def start_prompt(
    seconds: Annotated[
        float, typer.Option(metavar="SECONDS", help="Stop a computation after so much time; Ctrl-C stops it at once.")
    ] = 3600.0,
) -> None:
    """Type motion expressions and see their values.

    Files are read and written below the current folder. Ctrl-C stops a computation, Ctrl-D leaves.

    Example: segue repl
    """
    from segue.language.repl import Repl  # the prompt's library is slow to import, and no other command needs it

    Repl(Session(limits=Limits(seconds=seconds), say=say), say=say).run()
