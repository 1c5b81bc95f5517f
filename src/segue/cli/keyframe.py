"""`segue loop` and `segue keyframe`: make a seamless loop of a clip, or a motion through keyframes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segue import io
from segue.checks import number
from segue.cli.console import progress_bar, say
from segue.cli.source import ClipName, GroundName, ReadOptions, check_picture, grouped, load_motion
from segue.cycle import find_loops, loop_of, make_loop, repeat
from segue.errors import ArgumentError
from segue.files import save
from segue.filesystem import writable_target
from segue.io.ground import ground_named
from segue.keyframe import Improvement, Settings, State, Status, inbetween_report
from segue.keyframe.file import KeyframeFile, read_keyframes
from segue.keyframe.keys import Load
from segue.motion.ground import AUTO, Ground
from segue.motion.motion import Motion

if TYPE_CHECKING:
    from segue.view.picture import Picture

_BUILT_IN = "clips."
_SLOWEST = 1e-3  # frames a second


def improve_keyframes(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Keyframes: a .toml or .json file.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT", help="Write the motion: .bvh, .glb, ...")
    ] = None,
    show_progress_frames: Annotated[
        bool,
        typer.Option("--show-progress-frames", help="Print after each iteration how much is left to improve."),
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Only interpolate: no improvement.")] = False,
    between: Annotated[
        int | None, typer.Option(metavar="N", help="Variable frames between two keyframes; 1 if not given.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it with the boxes around it: .png, .svg or .pdf.")
    ] = None,
    fps: Annotated[float | None, typer.Option(metavar="RATE", help="Write so many frames a second.")] = None,
    ground: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|HEIGHT|auto",
            help="The ground, in place of the file's floor: a .toml or .glb file, or a height in m. With auto, feet "
            "come as low as in the keyframes.",
        ),
    ] = None,
) -> None:
    """Make a motion through keyframes, whole or partial, and improve what lies between them.

    Keyframes are met exactly from the first iteration on: Ctrl-C ends the improvement, and the best motion so far is
    written.

    Example: segue keyframe examples/13_step.toml -o step.bvh --plot step.png
    """
    if out is None and plot is None:
        raise ArgumentError("there is nothing to do: say where to write the motion (-o OUT) or draw it (--plot FILE)")
    if plain and (between is not None or show_progress_frames):
        raise ArgumentError("--plain does not improve: leave it out, or --between and --show-progress-frames")
    if fps is not None:
        number("--fps", fps, least=_SLOWEST, needed="a positive number of frames a second is needed")
    if out is not None:
        io.check_writable(out)
        writable_target(out)
    if plot is not None:
        check_picture(plot)
    given = read_keyframes(file, _loader(file.parent))
    if ground is not None:
        stage = ground_named(ground)
        given = replace(given, ground=stage if isinstance(stage, Ground) else None)
    motion = given.spline() if plain else _improved(given, between, show_progress_frames)
    if not plain:
        _summarise(inbetween_report(motion))
    picture = None if plot is None else _picture(given, motion)
    if out is not None:
        save(motion, out, fps=fps)
        say(f"{out}: {len(given.keys)} keyframes, {motion.duration:.2f} s")
    if plot is not None and picture is not None:
        picture.save(plot)
        say(f"{plot}: the motion")


def _loader(folder: Path) -> Load:
    """Return a function that loads clips, each once; paths are relative to the keyframe file."""

    @cache
    def load(name: str) -> Motion:
        return load_motion(name if name.startswith(_BUILT_IN) else str(folder / name))

    return load


def _improved(given: KeyframeFile, between: int | None, show: bool) -> Motion:
    settings = None if between is None else Settings(between=between, subdivision=None, samples=6, tolerance=1e-3)
    first = 0.0
    with progress_bar("Improving") as advance, _interruptible() as interrupted:

        def on_step(state: State) -> bool:
            nonlocal first
            first = first or state.objective
            if show:
                say(
                    f"round {state.round + 1}, iteration {state.iteration}: {len(state.path.times)} frames, "
                    f"objective {state.objective:.6g} ({state.objective / first:.1%} of the first)"
                )
            advance(state.iteration, 60)
            return interrupted.is_set()

        return given.inbetween(settings, on_step)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C sets instead of ending the program, in the main thread."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return

    def interrupt(*_: object) -> None:
        if interrupted.is_set():  # a second Ctrl-C ends the program at once
            raise KeyboardInterrupt
        interrupted.set()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _summarise(found: Improvement) -> None:
    for name, value in found.after.items():
        before = found.before[name]
        change = f" ({value / before - 1.0:+.0%})" if before > 0 else ""
        say(f"{name:>14}: {value:.4g}, by the plain spline {before:.4g}{change}")
    what = "stopped: the best so far" if found.status is Status.STOPPED else found.status.value
    say(f"{found.iterations} iterations, {found.seconds:.1f} s, {what}")


def _picture(given: KeyframeFile, motion: Motion) -> Picture:
    from segue.view.box_scene import plot_steps
    from segue.view.strips import plot_strip

    if given.boxes:
        return plot_steps(motion, list(given.boxes.values()), keys=[each.time for each in given.keys])
    return plot_strip(motion.figure, motion.poses, fps=motion.fps)


@grouped
def loop_clip(
    clip: ClipName,
    *,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the loop: .bvh, .glb, ...")
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", metavar="S", help="About where the loop begins, in s.")
    ] = None,
    stop: Annotated[float | None, typer.Option("--to", metavar="S", help="About where it ends, in s.")] = None,
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
        from segue.view.distances import plot_seam

        picture = plot_seam(motion, made, joint or None)
    say(loop_of(made).describe())
    if out is not None:
        save(lasting, out)
        say(f"{out}: {count:g} period{'' if count == 1 else 's'}, {lasting.duration:.3f} s")
    if plot is not None and picture is not None:
        picture.save(plot)
        say(f"{plot}: the seam")
