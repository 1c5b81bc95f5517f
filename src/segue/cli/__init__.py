"""The `segue` command: one verb a task, the format by the file's suffix."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from typing import Annotated

import typer

from segue import __version__
from segue._loading import loaded
from segue.cli.check import check_clips
from segue.cli.console import SafeGroup, complain, show_warning
from segue.cli.dance import dance as dance_commands
from segue.cli.fill import fill_clip
from segue.cli.info import convert_clip, describe_clip, fit_clip
from segue.cli.keyframe import improve_keyframes
from segue.cli.library import library_commands
from segue.cli.loop import loop_clip
from segue.cli.plot import draw_picture
from segue.cli.run import evaluate, run_script, start_prompt
from segue.cli.transition import join_clips
from segue.cli.view import view_motions
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
_COMMANDS: dict[str, Callable[..., None]] = {
    "info": describe_clip,
    "check": check_clips,
    "convert": convert_clip,
    "fit": fit_clip,
    "transition": join_clips,
    "fill": fill_clip,
    "loop": loop_clip,
    "keyframe": improve_keyframes,
    "plot": draw_picture,
    "view": view_motions,
    "run": run_script,
    "eval": evaluate,
}
for _name, _command in _COMMANDS.items():
    app.command(_name, no_args_is_help=True)(_command)
app.command("repl")(start_prompt)
app.add_typer(library_commands)
app.add_typer(dance_commands)


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
        # the reader of the output has closed the pipe
        sys.stderr.close()
    except OSError as error:
        _discard_output()
        complain(f"the output cannot be written: the system reports '{error.strerror or error}'")
    except MemoryError:
        complain("there is not enough memory for this clip: cut it into shorter ones")
    sys.exit(2)


def _discard_output() -> None:
    """Redirect the rest of stdout to the null device, so that the exit does not fail on it again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
