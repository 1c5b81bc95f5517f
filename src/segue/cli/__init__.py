"""The `segue` command: one verb a task, the format by the file's suffix."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated

import typer

from segue import __version__
from segue._loading import loaded
from segue.cli.check import check
from segue.cli.console import SafeGroup, complain, show_warning
from segue.cli.convert import convert
from segue.cli.dance import dance
from segue.cli.eval import evaluate
from segue.cli.fill import fill
from segue.cli.fit import fit
from segue.cli.info import info
from segue.cli.keyframe import keyframe
from segue.cli.library import library
from segue.cli.loop import loop
from segue.cli.plot import plot
from segue.cli.repl import repl
from segue.cli.run import run
from segue.cli.transition import transition
from segue.cli.view import view
from segue.errors import SegueError
from segue.extensions import load_extensions
from segue.language import LanguageError

__all__ = ["app", "main"]

app = typer.Typer(
    name="segue",
    cls=SafeGroup,
    help="Motion that a body with mass could really do: clips in, clips out, on your own skeleton.\n\n"
    "CLIP is a .bvh, .glb or .gltf file, or a built-in clip such as clips.walk. Try: segue info clips.walk",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
for command in (info, check, convert, fit, transition, fill, loop, keyframe, plot, view, run):
    app.command(no_args_is_help=True)(command)
app.command("eval", no_args_is_help=True)(evaluate)
app.command()(repl)
app.add_typer(library)
app.add_typer(dance)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"segue {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line: bad input gives one sentence on stderr and exit code 2."""
    warnings.showwarning = show_warning
    load_extensions()
    try:
        loaded()
        try:
            app()
        finally:
            if sys.stdout is not None:  # None where the shell closed it
                sys.stdout.flush()
    except LanguageError as error:
        complain(str(error))
        print(error.pointer, file=sys.stderr)
    except SegueError as error:
        complain(str(error))
    except BrokenPipeError:
        # the reader of our output has gone: nothing is left to say, and nowhere to say it
        sys.stderr.close()
    except OSError as error:
        _discard_output()
        complain(f"the output cannot be written: the system says '{error.strerror or error}'")
    except MemoryError:
        complain("there is not enough memory for this clip: cut it into shorter ones")
    sys.exit(2)


def _discard_output() -> None:
    """Send what is still to be written to stdout nowhere, so that leaving does not fail on it again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
