"""`segue fill`: bad stretches of a clip made anew."""

from __future__ import annotations

from typing import Annotated

import typer

from segue.cli.console import progress_bar
from segue.cli.filling import Body, Outputs, Solving
from segue.cli.grouping import grouped
from segue.cli.source import ClipName, MapFile
from segue.errors import ArgumentError
from segue.motion.tracks import tracks_of
from segue.transition import fill as fill_stretches

__all__ = ["fill"]


@grouped
def fill(
    clip: ClipName,
    *,
    gap: Annotated[
        list[str], typer.Option(metavar="START:STOP", help="Between when and when, in s; may be given again.")
    ],
    joints: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Only these joints or groups, such as left_arm; all if not given."),
    ] = None,
    outputs: Outputs,
    solving: Solving,
    body: Body,
    map_file: MapFile = None,
) -> None:
    """Erase stretches of a clip and fill them as a body with mass would move: for spikes, dropouts, swapped markers.

    What is erased is not looked at; frames outside, those at START and STOP too, and joints that are not named, stay
    as they were.

    Example: segue fill walk.bvh --gap 1.2:1.7 --joints left_arm -o mended.bvh
    """
    options = solving.options()
    spans = [_span(text) for text in gap]
    names = None if joints is None else [name.strip() for text in joints for name in text.split(",")]
    if names is not None:
        tracks_of(names)  # unknown names are told before any file is read
    outputs.check()
    motion = body.motion(clip, map_file)
    with progress_bar("Solving"):
        filled = fill_stretches(motion, spans, names, **options)
    outputs.deliver(filled)


def _span(text: str) -> tuple[float, float]:
    start, _, stop = text.partition(":")
    try:
        return float(start), float(stop)
    except ValueError:
        raise ArgumentError(f"the gap '{text}' is not START:STOP in seconds, such as 1.2:1.7") from None
