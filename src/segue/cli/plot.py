"""`segue plot`: a picture of a clip or of a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from segue import view
from segue.cli.console import progress_bar, say
from segue.cli.run import read_script
from segue.cli.source import load_clip
from segue.errors import ArgumentError
from segue.io.files import READERS
from segue.language import Session, parse
from segue.language.operators_seen import operator_of
from segue.motion.motion import Motion
from segue.view.picture import Picture

__all__ = ["plot"]

_OF_MOTION: dict[str, Callable[[Motion], Picture]] = {
    "strip": lambda motion: view.strip(motion.figure, motion.poses, fps=motion.fps),
    "film": lambda motion: view.filmstrip(motion.figure, motion.poses, fps=motion.fps),
    "curves": lambda motion: view.curves(motion.poses, fps=motion.fps),
    "footprints": lambda motion: view.footprints(motion.figure, motion.poses, fps=motion.fps),
    "timeline": view.timeline,
}
_KINDS = (*_OF_MOTION, "tree")


def plot(
    source: Annotated[str, typer.Argument(metavar="CLIP_OR_SCRIPT", help="A clip, clips.NAME, or a script's file.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The picture: .png, .svg or .pdf.")],
    kind: Annotated[str | None, typer.Option(metavar="KIND", help=f"{', '.join(_KINDS)}; strip if not given.")] = None,
    timeline: Annotated[bool, typer.Option("--timeline", help="The same as --kind timeline.")] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="The same as --kind tree; with --timeline, both in one.")
    ] = False,
) -> None:
    """Draw a clip, or what a script gives: exposures, frames, joint curves, footprints, time line or operator tree.

    Example: segue plot walk_wave_walk.segue --timeline --tree -o figure6.png
    """
    kinds = {name for name, wanted in (("timeline", timeline), ("tree", tree)) if wanted} | ({kind} if kind else set())
    kinds = kinds or {"strip"}
    if len(kinds) > 1 and kinds != {"timeline", "tree"}:
        raise ArgumentError(f"{' and '.join(sorted(kinds))} cannot share a picture: only timeline and tree can")
    for name in kinds:
        if name not in _KINDS:
            raise ArgumentError(f"there is no kind of picture '{name}': there are {', '.join(_KINDS)}")
    with progress_bar(f"Drawing {out.name}"):
        _picture(source, kinds).save(out)
    say(f"{out}: {' and '.join(sorted(kinds))}")


def _picture(source: str, kinds: set[str]) -> Picture:
    is_clip = source.startswith("clips.") or Path(source).suffix.lower() in READERS
    if is_clip:
        if "tree" in kinds:
            raise ArgumentError(f"{source} is a clip and has no operators: a tree is drawn of a script")
        return _OF_MOTION[next(iter(kinds))](Motion.from_clip(load_clip(source)))
    text = read_script(Path(source))
    if kinds == {"tree"}:
        return view.operator_tree(operator_of(parse(text, source)))
    motion = Session(say=print).run(text, source)
    if not isinstance(motion, Motion):
        raise ArgumentError(f"{source} does not end in a motion: there is nothing to draw")
    if "tree" in kinds:
        return view.composition(operator_of(parse(text, source)), motion)
    return _OF_MOTION[next(iter(kinds))](motion)
