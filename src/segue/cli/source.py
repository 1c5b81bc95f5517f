"""Where a clip on the command line comes from: a file or a built-in clip; and the options that say how to take it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from segue import clips, io
from segue.body.roles import load_map
from segue.cli.console import progress_bar
from segue.cli.grouping import Group
from segue.io.files import READERS, WRITERS
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions

_BUILT_IN = "clips."

ClipName = Annotated[str, typer.Argument(metavar="CLIP", help="A .bvh, .glb or .gltf file, or clips.NAME.")]
GroundName = Annotated[
    str,
    typer.Option(
        metavar="FILE|HEIGHT|auto",
        help="The ground: a .toml or .glb file, or a height in m; auto finds it under the feet.",
    ),
]
Mass = Annotated[float | None, typer.Option(metavar="KG", help="The body's mass; from its height if not given.")]
Sex = Annotated[str, typer.Option(metavar="SEX", help="female, male or average: which table of segment masses.")]


def _clip_options(
    mass: Mass = None,
    sex: Sex = "average",
    scale: Annotated[
        float | None, typer.Option(metavar="METRES", help="Metres per unit of the clip; found if not given.")
    ] = None,
    up: Annotated[str | None, typer.Option(metavar="Y|Z", help="The axis that points up; found if not given.")] = None,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="A .toml file that says which joint is what.")
    ] = None,
) -> ClipOptions:
    return ClipOptions(scale, up, None if map_file is None else load_map(map_file), mass, sex)


ReadOptions = Annotated[ClipOptions, Group(_clip_options)]
"""The options --mass, --sex, --scale, --up and --map as one parameter of a command."""

ReadOptionsWithoutMap = Annotated[ClipOptions, Group(_clip_options, "map_file")]
ReadOptionsWithoutBody = Annotated[ClipOptions, Group(_clip_options, "mass", "sex")]


def names_clip(source: str) -> bool:
    """Whether a name on the command line is a clip's, also of a format that cannot be read; else it is a script's."""
    return source.startswith(_BUILT_IN) or Path(source).suffix.lower() in READERS.keys() | WRITERS.keys()


def load_clip(name: str) -> Clip:
    """Read a file, or make a built-in clip."""
    if name.startswith(_BUILT_IN) and not os.path.exists(name):
        return clips.clip(name.removeprefix(_BUILT_IN))
    with progress_bar(f"Reading {Path(name).name}"):
        return io.read(name)


def load_take(name: str, options: ClipOptions) -> ClipSource:
    """Read a clip and understand its skeleton."""
    return ClipSource.from_clip(load_clip(name), options)


def load_motion(name: str, options: ClipOptions | None = None) -> Motion:
    """Read a clip as a motion of the figure, fitted."""
    motion = Motion.from_clip(load_clip(name), options)
    with progress_bar("Fitting") as advance:
        motion.fit(advance)
    return motion
