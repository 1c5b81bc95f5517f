"""`segue loop`: make a seamless loop on the clip's own skeleton."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue import io
from segue.cli.console import say
from segue.cli.source import ClipName, GroundName, ReadOptions, grouped, load_motion
from segue.cycle import find_loops, loop_of, make_loop, repeat
from segue.errors import ArgumentError
from segue.files import save
from segue.filesystem import writable_target
from segue.io.ground import ground_named
from segue.motion.ground import AUTO


@grouped
def loop_clip(
    clip: ClipName,
    *,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the loop: .bvh, .glb, ...")
    ] = None,
    start: Annotated[float | None, typer.Option(metavar="S", help="About where the loop begins, in s.")] = None,
    stop: Annotated[float | None, typer.Option("--end", metavar="S", help="About where it ends, in s.")] = None,
    count: Annotated[float, typer.Option("--repeat", metavar="N", help="Periods to write, such as 20 or 2.5.")] = 1.0,
    straight: Annotated[
        bool | None,
        typer.Option(
            "--straight/--turning", help="Go straight on, or turn as the clip does; by how much it turns if not given."
        ),
    ] = None,
    inside: Annotated[bool, typer.Option("--inside", help="Look for the ends between the marks only.")] = False,
    derivatives: Annotated[
        int, typer.Option(metavar="N", help="Compare poses (0), velocities too (1), accelerations too (2).")
    ] = 2,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the seam: .png, .svg or .pdf.")] = None,
    joint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A degree of freedom to draw, such as left_knee_flexion; may be given again."
        ),
    ] = None,
    ground: GroundName = AUTO,
    candidates: Annotated[bool, typer.Option("--list", help="List the loops in the clip, best first.")] = False,
    options: ReadOptions,
) -> None:
    """Make a part of a clip repeat without a seam, with its feet where they stand and its travel kept.

    Without marks, Segue finds the best loop in the clip.

    Example: segue loop walk.bvh --repeat 20 -o walking.bvh --plot seam.png
    """
    if out is None and plot is None and not candidates:
        raise ArgumentError("there is nothing to do: say where to write the loop (-o FILE), --plot FILE or --list")
    if out is not None:
        io.check_writable(out)
    if plot is not None:
        from segue.view.picture import check_suffix  # pictures need a library that is slow to import

        check_suffix(plot)
        writable_target(plot)
    stage = ground_named(ground)
    motion = load_motion(clip, options)
    if candidates:
        for found in find_loops(motion, derivatives=derivatives):
            say(f"{found.start:8.3f} to {found.stop:8.3f} s  ends differ by {found.score:.0%}")
    if out is None and plot is None:
        return
    made = make_loop(
        motion,
        start,
        stop,
        regions="inside" if inside else "centred",
        derivatives=derivatives,
        straight=straight,
        ground=stage,
    )
    # make both before writing either, so that bad input leaves no file
    lasting, picture = repeat(made, count), None
    if plot is not None:
        from segue.view.distances import seam

        picture = seam(motion, made, joint or None)
    say(loop_of(made).describe())
    if out is not None:
        save(lasting, out)
        say(f"{out}: {count:g} period{'' if count == 1 else 's'}, {lasting.duration:.3f} s")
    if plot is not None and picture is not None:
        picture.save(plot)
        say(f"{plot}: the seam")
