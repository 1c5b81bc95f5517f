"""`segue plot`: a picture of a clip or of a script."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import progress_bar, say
from segue.errors import ArgumentError

__all__ = ["plot"]

_KINDS = ("strip", "film", "curves", "footprints", "timeline", "tree")


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
    from segue.cli.drawing import draw  # pictures need a library that is slow to import

    with progress_bar(f"Drawing {out.name}"):
        draw(source, kinds, out)
    say(f"{out}: {' and '.join(sorted(kinds))}")
