"""`segue plot`: a picture or an animation of a clip or of a script, or of two of them against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import progress_bar, say
from segue.cli.source import GroundName
from segue.errors import ArgumentError
from segue.io.ground import ground_named
from segue.motion.ground import AUTO

_KINDS = ("strip", "film", "curves", "footprints", "timeline", "tree", "compare", "torques", "push")
_ANIMATION = "animation"


def draw_picture(
    source: Annotated[str, typer.Argument(metavar="CLIP_OR_SCRIPT", help="A clip, clips.NAME, or a script's file.")],
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="FILE", help="The picture: .png, .svg or .pdf; or animation: .gif, .webp or .mp4."
        ),
    ],
    other: Annotated[
        str | None, typer.Argument(metavar="[OTHER]", help="Motion to compare it with: a clip or a script as well.")
    ] = None,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help=f"{', '.join(_KINDS)}; strip if not given.")] = None,
    timeline: Annotated[bool, typer.Option("--timeline", help="The same as --kind timeline.")] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="The same as --kind tree; with --timeline, both in one.")
    ] = False,
    animate: Annotated[
        bool, typer.Option("--animate", help="Write an animation, as a suffix such as .gif does.")
    ] = False,
    joint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Joints that curves, compare and torques draw: left_knee_flexion, left_knee, ..."
        ),
    ] = None,
    frames: Annotated[
        int | None, typer.Option(metavar="N", help="Exposures of strip and compare, frames of film.")
    ] = None,
    start: Annotated[float | None, typer.Option(metavar="S", help="Only what comes after this time.")] = None,
    stop: Annotated[float | None, typer.Option("--end", metavar="S", help="Only what comes before this time.")] = None,
    fps: Annotated[float, typer.Option(metavar="RATE", help="Frames a second of an animation.")] = 30.0,
    speed: Annotated[
        float, typer.Option(metavar="TIMES", help="How fast an animation goes: 0.5 is half as fast.")
    ] = 1.0,
    ground: GroundName = AUTO,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels of an animation, for each motion.")] = "480x360",
) -> None:
    """Draw a clip or the motion of a script, or animate it.

    Pictures show exposures, frames, joint curves, torques, the ground's push, footprints, a time line or an operator
    tree. Filled gaps are coloured blue to red, those of limbs green.

    Example: segue plot walk_wave_walk.segue --timeline --tree -o figure6.png
    """
    from segue.cli.drawing import PictureOptions, draw, moves  # pictures need a library that is slow to import

    kinds = {name for name, wanted in (("timeline", timeline), ("tree", tree)) if wanted} | ({kind} if kind else set())
    for name in kinds:
        if name not in _KINDS:
            raise ArgumentError(f"there is no kind of picture '{name}': there are {', '.join(_KINDS)}")
    if animate or moves(out):
        if kinds - {"compare"}:
            raise ArgumentError(f"{out} is an animation, and {' and '.join(sorted(kinds))} stands still: leave one out")
        kinds = {_ANIMATION}
    kinds = kinds or {"strip" if other is None else "compare"}
    if len(kinds) > 1 and kinds != {"timeline", "tree"}:
        raise ArgumentError(f"{' and '.join(sorted(kinds))} cannot share a picture: only timeline and tree can")
    if "compare" in kinds and other is None:
        raise ArgumentError("compare needs two motions: name another clip or script after the first")
    if other is not None and not kinds & {"compare", "torques", _ANIMATION}:
        raise ArgumentError(f"{' and '.join(sorted(kinds))} draws one motion: --kind compare or torques draw two")
    options = PictureOptions(tuple(joint or ()), frames, start, stop, fps, speed, _size(size), ground_named(ground))
    with progress_bar(f"Drawing {out.name}") as advance:
        draw([source] if other is None else [source, other], kinds, out, options, advance)
    say(f"{out}: {' and '.join(sorted(kinds))}")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise ArgumentError(f"--size is '{text}': width and height in pixels are needed, as 480x360")
    return int(width), int(height)
