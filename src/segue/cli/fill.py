"""`segue fill`: bad stretches of a clip made anew."""

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
from segue.cli.source import ClipName, MapFile, Mass, Scale, Sex, Up, load_motion
from segue.errors import ArgumentError
from segue.motion.tracks import tracks_of
from segue.transition import fill as fill_stretches

__all__ = ["fill"]


def fill(
    clip: ClipName,
    gap: Annotated[
        list[str], typer.Option(metavar="START:STOP", help="Between when and when, in s; may be given again.")
    ],
    out: Out,
    joints: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Only these joints or groups, such as left_arm; all if not given."),
    ] = None,
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
    """Erase stretches of a clip and fill them as a body with mass would move: for spikes, dropouts, swapped markers.

    What is erased is not looked at; frames outside, those at START and STOP too, and joints that are not named, stay
    as they were.

    Example: segue fill walk.bvh --gap 1.2:1.7 --joints left_arm -o mended.bvh
    """
    options = options_given(objective, coefficients, support)
    spans = [_span(text) for text in gap]
    names = None if joints is None else [name.strip() for text in joints for name in text.split(",")]
    if names is not None:
        tracks_of(names)  # unknown names are told before any file is read
    check_outputs(out, report, plot)
    motion = load_motion(clip, scale=scale, up=up, map_file=map_file, mass=mass, sex=sex)
    with progress_bar("Solving"):
        filled = fill_stretches(motion, spans, names, **options)
    deliver(filled, out, fps=fps, report=report, plot=plot)


def _span(text: str) -> tuple[float, float]:
    start, _, stop = text.partition(":")
    try:
        return float(start), float(stop)
    except ValueError:
        raise ArgumentError(f"the gap '{text}' is not START:STOP in seconds, such as 1.2:1.7") from None
