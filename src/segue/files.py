"""Motions from files and to files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from segue import io
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.options import ClipOptionNames, ClipOptions, clip_options
from segue.motion.pose_source import PoseSource
from segue.motion.recognise import at_rate
from segue.motion.resample import joined


def load(path: str | Path, options: ClipOptions | None = None, **given: Unpack[ClipOptionNames]) -> Motion:
    """Read a clip and return it as a motion of the figure.

    given: fields of `ClipOptions` by name, as `mass=70.0`; they replace those of `options`.
    """
    return Motion.from_clip(io.read(path), clip_options(options, given))


def save(
    motion: Motion | Clip | Mapping[str, Motion | Clip],
    path: str | Path,
    *,
    fps: float | None = None,
    format: str | None = None,
) -> None:
    """Write a motion on its source's skeleton, or several by their names; the suffix says the format.

    Frames that nothing changed are written exactly as they were read. Frames that were set aside (`Motion.set_aside`)
    come first, so that a motion that was loaded, or filled, has as many frames as its file. A motion of a glTF file
    goes back into that file: meshes, skins and all else in it stay. fps: resample to another rate; frames that were
    set aside stay as they are.

    format: the name of a format for simulators, such as "qpos", which holds the figure's motion; that of the suffix if
    None.
    """
    if isinstance(motion, Motion) and io.write_motion(motion, path, format=format, fps=fps):
        return
    takes = motion if isinstance(motion, Mapping) else {"": motion}
    first = next(iter(takes.values()), None)
    source = first.source if isinstance(first, Motion) else None
    scale, up = (source.space.scale, source.space.up) if isinstance(source, ClipSource) else (None, None)
    if isinstance(source, PoseSource):
        scale, up = 1.0, "Y"
    clips = {name: _frames(each, fps) for name, each in takes.items()}
    io.write(clips if isinstance(motion, Mapping) else clips[""], path, scale=scale, up=up, format=format)


def _frames(motion: Motion | Clip, fps: float | None) -> Clip:
    if isinstance(motion, Clip):
        return motion if fps is None else at_rate(motion, fps)
    clip = motion.to_clip(fps)
    return clip if motion.set_aside is None else joined(motion.set_aside, clip)
