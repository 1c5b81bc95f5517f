"""`segue convert`: from one file to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue import io
from segue.cli.console import progress_bar, say
from segue.cli.grouping import grouped
from segue.cli.source import ClipName, ReadOptionsWithoutBody, load_clip
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.options import ClipOptions, RoleMap
from segue.motion.recognise import at_rate


@grouped
def convert_clip(
    clip: ClipName,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write: .bvh, .glb, .usd, .usda or .usdc.")],
    *,
    fps: Annotated[float | None, typer.Option(metavar="RATE", help="Resample to so many frames a second.")] = None,
    drop_tpose: Annotated[
        bool,
        typer.Option("--drop-tpose", help="Leave out a T pose, or other frames, that were added before the motion."),
    ] = False,
    options: ReadOptionsWithoutBody,
) -> None:
    """Convert a clip: the format by the suffix, frames as they are unless --fps or --drop-tpose is given.

    From .bvh to .bvh every number stays as it was; .glb and .usd are written in metres, Y up.

    Example: segue convert walk.bvh walk.glb --fps 30
    """
    io.check_writable(out)
    frames = load_clip(clip)
    if drop_tpose:
        frames = _without_tpose(frames, options.map)
    if fps is not None:
        frames = at_rate(frames, fps, options.map)
    with progress_bar(f"Writing {out.name}"):
        io.write(frames, out, scale=options.scale, up=options.up, map=options.map)
    say(_summary(frames, out))


def _without_tpose(clip: Clip, role_map: RoleMap | None) -> Clip:
    kept = ClipSource.from_clip(clip, ClipOptions(map=role_map)).clip
    if len(kept) == len(clip):
        say("No frame was added before the motion: every frame is kept.")
    return kept


def _summary(clip: Clip, out: Path) -> str:
    frames = "1 frame" if len(clip) == 1 else f"{len(clip)} frames"
    return f"{out}: {frames} at {clip.fps:g} a second, {len(clip.skeleton)} joints"
