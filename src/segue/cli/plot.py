"""`segue plot` and `segue view`: pictures, animations and pages of clips and scripts, alone or against each other."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import complain, progress_bar, say
from segue.cli.run import read_script
from segue.cli.source import GroundName, ReadOptionsWithoutBody, grouped, load_motion, names_clip, unused_name
from segue.errors import ArgumentError
from segue.filesystem import writable_target
from segue.io.ground import ground_named
from segue.language import Session
from segue.motion.ground import AUTO
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions

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
    start: Annotated[float | None, typer.Option("--from", metavar="S", help="Only what comes after this time.")] = None,
    stop: Annotated[float | None, typer.Option("--to", metavar="S", help="Only what comes before this time.")] = None,
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


@grouped
def view_motions(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="CLIP_OR_SCRIPT...", help="Clips, clips.NAME or scripts' files; several are compared."),
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The page: .html.")] = Path("view.html"),
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The page's title; its labels if not given.")
    ] = None,
    ground: GroundName = AUTO,
    mesh: Annotated[
        bool, typer.Option("--mesh/--no-mesh", help="Show the meshes of files that have one; else the figure.")
    ] = True,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    options: ReadOptionsWithoutBody,
) -> None:
    """Write a page that plays motions in 3D: one file that any browser opens, with no server and no network.

    Example: segue view walk.bvh mended.bvh -o compare.html
    """
    # pages need a library that is slow to import
    from segue.view.web import page
    from segue.view.web.pages import check_page_suffix

    check_page_suffix(out)
    writable_target(out)
    stage = ground_named(ground)
    motions: dict[str, Motion] = {}
    for source in sources:
        for label, motion in _load(source, options):
            motions[unused_name(label, motions)] = motion
    with progress_bar(f"Writing {out.name}"):
        page(motions, fills=lambda motion: motion.fills, title=title, ground=stage, mesh=mesh).save(out)
    count = f"{len(motions)} motion{'' if len(motions) == 1 else 's'}"
    say(f"{out}: {count}, {out.stat().st_size / 1e3:.0f} kB, open it in a browser")
    if show and not webbrowser.open(out.resolve().as_uri()):
        complain(f"no browser was found: open {out} in one yourself")
        raise typer.Exit(1)


def _load(source: str, options: ClipOptions) -> list[tuple[str, Motion]]:
    """Return the motion of a clip, or the motion or the list of motions that a script gives, with their labels."""
    if names_clip(source):
        return [(Path(source).name, load_motion(source, options))]
    value = Session(say=lambda _: None).run(read_script(Path(source)), source)
    given = value if isinstance(value, tuple) else (value,)
    motions = [motion for motion in given if isinstance(motion, Motion)]
    if not motions or len(motions) < len(given):
        raise ArgumentError(f"{source} does not end in a motion or a list of motions: there is nothing to show")
    return [(Path(source).name, motion) for motion in motions]
