"""Parameters that commands share: clips by name, how to read them, and groups of options."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Container
from dataclasses import is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from segue import clips, io
from segue.body.roles import load_map
from segue.cli.console import progress_bar
from segue.filesystem import writable_target
from segue.io.files import READERS, WRITERS, split_take
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions

_BUILT_IN = "clips."

ClipName = Annotated[
    str, typer.Argument(metavar="CLIP", help="A file (.bvh, .fbx, .glb, .npz, .usd, ...), FILE#TAKE, or clips.NAME.")
]
GroundName = Annotated[
    str,
    typer.Option(
        metavar="FILE|HEIGHT|auto",
        help="The ground: a .toml or .glb file, or a height in m; auto finds it under the feet.",
    ),
]
Mass = Annotated[float | None, typer.Option(metavar="KG", help="The body's mass; from its height if not given.")]
Sex = Annotated[str, typer.Option(metavar="SEX", help="female, male or average: which table of segment masses.")]


class Group:
    """Marks a parameter that a function or a dataclass makes from options: `Annotated[ClipOptions, Group(make)]`.

    The parameters of `make` are annotated as Typer's options are. without: parameters of `make` that the command
    does not offer.
    """

    def __init__(self, make: Callable[..., Any], *without: str) -> None:
        self.make = make
        hints = get_type_hints(make, include_extras=True)
        self.options = [
            option.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            for name, option in inspect.signature(make).parameters.items()
            if name not in without
        ]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command as Typer takes it: a parameter with a `Group`, or of a dataclass, becomes its options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Group] = {name: group for name, hint in hints.items() if (group := _group(hint)) is not None}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            options += groups[name].options
        else:
            options.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group.make(**{option.name: given.pop(option.name) for option in group.options})
        command(**given)

    # Typer looks at both
    run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _group(hint: Any) -> Group | None:
    if isinstance(hint, type) and is_dataclass(hint):
        return Group(hint)
    found = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((each for each in found if isinstance(each, Group)), None)


def _clip_options(
    mass: Mass = None,
    sex: Sex = "average",
    scale: Annotated[
        float | None, typer.Option(metavar="METRES", help="Metres per unit of the clip; found if not given.")
    ] = None,
    up: Annotated[str | None, typer.Option(metavar="Y|Z", help="The axis that points up; found if not given.")] = None,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="A .toml file with the role of each joint.")
    ] = None,
    fps_of_source: Annotated[
        float | None, typer.Option(metavar="RATE", help="Frames a second of the clip, if its file has a wrong number.")
    ] = None,
    stature: Annotated[
        float | None, typer.Option(metavar="METRES", help="The person's height, for files without bone lengths.")
    ] = None,
) -> ClipOptions:
    map = None if map_file is None else load_map(map_file)
    return ClipOptions(scale, up, map, mass, sex, fps_of_source, stature)


ReadOptions = Annotated[ClipOptions, Group(_clip_options)]
"""The options --mass, --sex, --scale, --up, --map, --fps-of-source and --stature as one parameter of a command."""

ReadOptionsWithoutMap = Annotated[ClipOptions, Group(_clip_options, "map_file", "fps_of_source", "stature")]
ReadOptionsOfTwo = Annotated[ClipOptions, Group(_clip_options, "fps_of_source", "stature")]
ReadOptionsWithoutBody = Annotated[ClipOptions, Group(_clip_options, "mass", "sex")]


def names_clip(source: str) -> bool:
    """Return whether a name on the command line is that of a clip, even of an unknown format; else it is a script."""
    return source.startswith(_BUILT_IN) or Path(split_take(source)[0]).suffix.lower() in READERS.keys() | WRITERS.keys()


def load_clip(name: str) -> Clip:
    """Read a file, or make a built-in clip."""
    if name.startswith(_BUILT_IN) and not os.path.exists(name):
        return clips.clip(name.removeprefix(_BUILT_IN))
    with progress_bar(f"Reading {Path(name).name}"):
        return io.read(name)


def load_take(name: str, options: ClipOptions) -> ClipSource:
    """Read a clip and recognise its skeleton."""
    return ClipSource.from_clip(load_clip(name), options)


def load_motion(name: str, options: ClipOptions | None = None) -> Motion:
    """Read a clip as a motion of the figure, fitted."""
    motion = Motion.from_clip(load_clip(name), options)
    with progress_bar("Fitting") as advance:
        motion.fit(advance)
    return motion


def unused_name(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the given one, or with a number behind it."""
    number, chosen = 1, name
    while chosen in taken:
        number += 1
        chosen = f"{name} ({number})"
    return chosen


def check_picture(path: Path) -> None:
    """Raise if a picture cannot be written, before any work is done."""
    from segue.view.picture import check_suffix  # pictures need a library that is slow to import

    check_suffix(path)
    writable_target(path)
