"""`segue fill`: erase bad spans of a clip and fill them."""

from __future__ import annotations

from typing import Annotated

import typer

from segue.cli.console import progress_bar
from segue.cli.filling import FillSources, Outputs, SolveOptions
from segue.cli.source import ClipName, ReadOptions, grouped, load_motion
from segue.errors import ArgumentError
from segue.filling import fill, variants
from segue.motion.tracks import tracks_of


@grouped
def fill_clip(
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
    sources: FillSources,
    options: SolveOptions,
    read: ReadOptions,
) -> None:
    """Erase spans of a clip and fill them as a body with mass would move: for spikes, dropouts, swapped markers.

    The erased frames are not used. Frames outside, those at START and STOP too, and joints that are not named stay as
    they were. The option --prior proposes a path, after similar frames of the clip itself and of --library. Use
    --prior none with --no-self and no library to fill with least effort.

    Example: segue fill walk.bvh --gap 1.2:1.7 --joints left_arm -o mended.bvh
    """
    spans = [_span(text) for text in gap]
    names = None if joints is None else [name.strip() for text in joints for name in text.split(",")]
    if names is not None:
        tracks_of(names)  # raises for unknown names before any file is read
    sources.check()
    if sources.variants is not None and (len(spans) > 1 or names is not None):
        raise ArgumentError("variants are made of one gap and the whole body: give --gap once, and no --joints")
    outputs.check(variants=sources.variants)
    # priors fill gaps of the whole body only
    options = sources.opened(options, own=True if names is None else None)
    motion = load_motion(clip, read)
    with progress_bar("Solving"):
        made = []
        if sources.variants is not None:
            made = variants(motion, spans[0], sources.variants, options=options)
        made = made or [fill(motion, spans, names, options=options)]
    outputs.deliver(made, variants=sources.variants, misses=sources.asked)


def _span(text: str) -> tuple[float, float]:
    start, _, stop = text.partition(":")
    try:
        return float(start), float(stop)
    except ValueError:
        raise ArgumentError(f"the gap '{text}' is not START:STOP in seconds, such as 1.2:1.7") from None
