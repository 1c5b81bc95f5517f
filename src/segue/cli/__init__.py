"""The `segue` command: one verb a task, the format by the file's suffix."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from importlib import import_module
from typing import Annotated, Any

import typer

from segue import __version__
from segue._loading import loaded
from segue.cli.console import SafeGroup, complain, show_warning
from segue.errors import SegueError
from segue.extensions import load_extensions

__all__ = ["app", "main"]

COMMANDS = {
    "info": ("info.describe_clip", "Describe a clip: skeleton, units, frames, the person's height, foot contacts."),
    "check": (
        "check.check_clips",
        "Find faults in motion: foot slide, sinks, pops, joint limits, flight, torques and more.",
    ),
    "convert": (
        "info.convert_clip",
        "Convert a clip: the format by the suffix, frames as they are unless --fps or --drop-tpose is given.",
    ),
    "fit": ("info.fit_clip", "Fit the 44-DOF figure to a clip, within joint limits, and report the distance."),
    "transition": (
        "transition.join_clips",
        "Go from clip A into clip B as a body with mass would, and write both with the transition between them.",
    ),
    "fill": (
        "transition.fill_clip",
        "Erase spans of a clip and fill them as a body with mass would move: for spikes, dropouts, swapped markers.",
    ),
    "loop": (
        "keyframe.loop_clip",
        "Make a part of a clip repeat without a seam, with its feet where they stand and its travel kept.",
    ),
    "keyframe": (
        "keyframe.improve_keyframes",
        "Make a motion through keyframes, whole or partial, and improve what lies between them.",
    ),
    "plot": (
        "plot.draw_picture",
        "Draw a clip or the motion of a script, or animate it.",
    ),
    "view": (
        "plot.view_motions",
        "Write a page that plays motions in 3D: one file that any browser opens, with no server and no network.",
    ),
    "studio": (
        "studio.open_studio",
        "Open the studio in the browser: time line, stage, script and expression tree of one document.",
    ),
    "serve": (
        "studio.serve",
        "Run the engine for another program, such as the Blender add-on, over standard input and output.",
    ),
    "run": ("run.run_script", "Run a script and print, or save, the value of its last expression."),
    "eval": ("run.evaluate", "Print, or save, the value of a motion expression."),
    "repl": ("run.start_prompt", "Type motion expressions and see their values."),
    "warm": ("warm.warm_up", "Compile all kernels now, so that no later command waits for them."),
    "library": ("library.library_commands", "An index of your own clips, to fill gaps from."),
    "graph": ("graph.graph_commands", "A library as a motion graph: build it, walk through it, export it."),
    "prior": (
        "prior.prior_commands",
        "The network that predicts steps in gaps: describe it, or train one on your own clips.",
    ),
    "dance": ("dance.dance", "Ballroom dance from notation: patterns, plans, previews, and simulated dances."),
}
"""The module of each command, below `segue.cli`, and its line in the help: listing commands imports none of them."""

_NEEDS_NOTHING = ("repl", "warm", "studio")
_SOLVING = ("transition", "fill")  # commands that are quicker if a second process compiles the solver meanwhile


class LazyGroup(SafeGroup):
    """Commands that are imported when they are used."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # names, for suggestions

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].rpartition(".")
        command = getattr(import_module(f"segue.cli.{module}"), name)
        loaded()
        gc.freeze()  # modules stay as long as the process
        gc.enable()
        if cmd_name in _SOLVING:
            import_module("segue.compiled.kernel").helper[:] = [
                sys.executable,
                "-m",
                "segue.compiled.build",
                "--worker",
                "--all",
            ]
        if not isinstance(command, typer.Typer):
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(cmd_name, no_args_is_help=cmd_name not in _NEEDS_NOTHING)(command)
            command = alone
        return typer.main.get_command(command)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


app = typer.Typer(
    name="segue",
    cls=LazyGroup,
    help="Motion that a body with mass could really do: clips in, clips out, on your own skeleton.\n\n"
    "CLIP is a .bvh, .glb or .gltf file, or a built-in clip such as clips.walk. Try: segue info clips.walk",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"segue {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line: bad input gives one sentence on stderr and exit code 2."""
    gc.disable()  # nothing that imports make is garbage
    warnings.showwarning = show_warning
    load_extensions()
    try:
        try:
            app(prog_name="segue")  # also as `python -m segue`, or the shell would not complete it
        finally:
            if sys.stdout is not None:  # None where the shell closed it
                sys.stdout.flush()
    except SegueError as error:
        complain(str(error))
        if pointer := getattr(error, "pointer", None):  # an error in a script shows the place
            print(pointer, file=sys.stderr)
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
