"""`segue transition` and `segue fill`: join two clips; erase bad spans of a clip and fill them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segue.cli.console import progress_bar
from segue.cli.filling import FillSources, Outputs, SolveOptions
from segue.cli.source import ClipName, ReadOptions, ReadOptionsOfTwo, grouped, load_motion
from segue.errors import ArgumentError
from segue.filling import Join, fill, transition, transition_variants, variants
from segue.filling.cut_times import AUTO, CutTime, Window, windows_of
from segue.filling.cutting import CutPoint, check_pair, cuts_between, distance_map
from segue.filling.joining import END, START
from segue.motion.fills import FillReport
from segue.motion.motion import Motion
from segue.motion.tracks import tracks_of

if TYPE_CHECKING:
    from segue.view.picture import Picture


@grouped
def join_clips(
    first: Annotated[str, typer.Argument(metavar="A", help="The first clip: a file or clips.NAME.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The second clip: a file or clips.NAME.")],
    *,
    duration: Annotated[
        str, typer.Option(metavar="SECONDS|auto", help="Duration of the transition; auto finds it.")
    ] = "0.6",
    leave: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="T|FROM..TO|auto|end",
            help="When to leave A, in s, or where to search: two times, half of A; its last second if not given.",
        ),
    ] = None,
    enter: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="T|FROM..TO|auto|start",
            help="When to enter B, in s, or where to search: two times, half of B; its first second if not given.",
        ),
    ] = None,
    mode: Annotated[
        str, typer.Option(metavar="free|pinned", help="free moves B to where A leads; pinned leaves both in place.")
    ] = "free",
    cut_map: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A .png, .svg or .pdf: draw the distance of A and B at all cut points."),
    ] = None,
    outputs: Outputs,
    sources: FillSources,
    options: SolveOptions,
    read: ReadOptionsOfTwo,
) -> None:
    """Go from clip A into clip B as a body with mass would, and write both with the transition between them.

    The result is on A's skeleton, and A's frames are not changed. B is moved on the floor as a whole, or not at all
    with --mode pinned. Without --from and --to Segue searches the last second of A and the first second of B for cut
    points. Use --from end --to start to keep every frame. The options --mass, --sex, --scale, --up and --map are
    for both clips.

    Example: segue transition walk.bvh clips.kick --from auto --to 0.2..1 -o kicking.bvh --cut-map map.png
    """
    leaving, entering = _cut_time("--from", leave), _cut_time("--to", enter)
    sources.check()
    outputs.check(cut_map, variants=sources.variants)
    options = sources.opened(options)
    out_of = load_motion(first, read)
    # one clip is read once: a second fit would differ by rounding
    into = out_of if second == first else load_motion(second, read)
    with progress_bar("Solving"):
        check_pair(out_of, into, mode)
        cuts = cuts_between(out_of, into, duration, leaving, entering, mode, options)
        best = cuts[0] if cuts else Join(out_of, into, duration, leaving, entering)
        join = partial(transition, leave=best.leave, enter=best.enter, mode=mode, options=options)
        several = partial(transition_variants, leave=best.leave, enter=best.enter, mode=mode, options=options)
        made = [] if sources.variants is None else several(out_of, into, best.duration, sources.variants)
        made = made or [join(out_of, into, best.duration)]
    report = made[0].fills[0]
    pictures = {}
    if cut_map is not None:
        with progress_bar(f"Drawing {cut_map.name}"):
            pictures[cut_map] = map_of(
                out_of,
                into,
                report,
                cuts,
                windows=windows_of(out_of, into, leaving, entering),
                names=(first, second),
                mode=mode,
            )
    heads = [cuts[0].describe("A", "B")] if cuts else []
    if report.cut is not None:
        heads.append(report.cut.loss(Path(first).name, Path(second).name))
    outputs.deliver(made, variants=sources.variants, pictures=pictures, heads=[head for head in heads if head])


def _cut_time(option: str, text: str | None) -> CutTime:
    """Return the cut time that a text gives: "1.5", "1..3", "auto", and "end" for --from or "start" for --to."""
    edge = END if option == "--from" else START
    if text is None or text in (AUTO, edge):
        return text
    start, dots, stop = text.partition("..")
    try:
        return (float(start), float(stop)) if dots else float(text)
    except ValueError:
        raise ArgumentError(
            f"{option} is '{text}': a time in seconds as 1.5, two with .. between them as 1..3, auto, or {edge} "
            "is needed"
        ) from None


def map_of(
    first: Motion,
    second: Motion,
    fill: FillReport,
    cuts: Sequence[CutPoint],
    *,
    windows: tuple[Window, Window],
    names: tuple[str, str],
    mode: str,
) -> Picture:
    """Return the distance map of two motions for the duration of a transition.

    cuts: the cuts that were found, the chosen one first; empty if the user gave both times, which the windows hold.
    names: of the clips on the command line.
    """
    from segue.view.distances import plot_distance_map as draw  # pictures need a library that is slow to import

    duration = fill.stop - fill.start
    compared = distance_map(first, second, duration, mode=mode)
    if not cuts:
        leave, enter = windows[0][0], windows[1][0]
        distance = compared.at(leave, enter)
        cuts = [CutPoint(leave, enter, duration, distance, fill.energy * duration, fill.notes)]
    first_name, second_name = (Path(name).stem if os.path.isfile(name) else name for name in names)
    return draw(first, second, compared, cuts, windows=windows, names=(first_name, second_name))


@grouped
def fill_clip(
    clip: ClipName,
    *,
    gap: Annotated[list[str], typer.Option(metavar="START:STOP", help="Two times in s; may be given again.")],
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
