"""`segue transition`: from one clip into another."""

from __future__ import annotations

from typing import Annotated

import typer

from segue.cli.console import progress_bar
from segue.cli.filling import (
    Coefficients,
    Objective,
    Out,
    Plot,
    Rate,
    Report,
    Support,
    check_outputs,
    deliver,
    options_given,
)
from segue.cli.source import MapFile, Mass, Scale, Sex, Up, load_motion
from segue.transition import transition as join

__all__ = ["transition"]


def transition(
    first: Annotated[str, typer.Argument(metavar="A", help="The first clip: a file or clips.NAME.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The second clip: a file or clips.NAME.")],
    out: Out,
    duration: Annotated[str, typer.Option(metavar="SECONDS|auto", help="How long it takes; auto finds out.")] = "0.6",
    leave: Annotated[
        float | None, typer.Option("--from", metavar="T", help="When to leave A, in s; at its end if not given.")
    ] = None,
    enter: Annotated[
        float | None, typer.Option("--to", metavar="T", help="When to enter B, in s; at its start if not given.")
    ] = None,
    mode: Annotated[
        str, typer.Option(metavar="free|pinned", help="free moves B to where A leads; pinned leaves both in place.")
    ] = "free",
    objective: Objective = "natural",
    coefficients: Coefficients = None,
    support: Support = None,
    fps: Rate = None,
    report: Report = None,
    plot: Plot = None,
    mass: Mass = None,
    sex: Sex = "average",
    scale: Scale = None,
    up: Up = None,
    map_file: MapFile = None,
) -> None:
    """Go from clip A into clip B as a body with mass would, and write both with the transition between them.

    The result is on A's skeleton, and A's frames stay as they were; B is moved on the floor as a whole, or not at all
    with --mode pinned. --mass, --sex, --scale, --up and --map are for both clips.

    Example: segue transition walk.bvh clips.kick --duration 0.5 --from 2.4 -o kicking.bvh
    """
    options = options_given(objective, coefficients, support)
    check_outputs(out, report, plot)
    out_of, into = (
        load_motion(name, scale=scale, up=up, map_file=map_file, mass=mass, sex=sex) for name in (first, second)
    )
    with progress_bar("Solving"):
        joined = join(out_of, into, duration, leave=leave, enter=enter, mode=mode, **options)
    deliver(joined, out, fps=fps, report=report, plot=plot)
