"""Motions from files and to files."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from segue import io
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.options import ClipOptionNames, ClipOptions, clip_options
from segue.motion.recognise import at_rate
from segue.motion.resample import joined


def load(path: str | Path, options: ClipOptions | None = None, **given: Unpack[ClipOptionNames]) -> Motion:
    """Read a clip and return it as a motion of the figure.

    given: fields of `ClipOptions` by name, as `mass=70.0`; they replace those of `options`.
    """
    return Motion.from_clip(io.read(path), clip_options(options, given))


def save(motion: Motion | Clip, path: str | Path, *, fps: float | None = None) -> None:
    """Write a motion on its source's skeleton; the suffix says the format.

    Frames that nothing changed are written exactly as they were read. Frames that were set aside (`Motion.set_aside`)
    come first, so that a motion that was loaded, or filled, has as many frames as its file. fps: resample to another
    rate; frames that were set aside stay as they are.
    """
    if isinstance(motion, Motion):
        scale, up = (
            (motion.source.space.scale, motion.source.space.up) if isinstance(motion.source, ClipSource) else (1.0, "Y")
        )
        clip = motion.to_clip(fps)
        io.write(clip if motion.set_aside is None else joined(motion.set_aside, clip), path, scale=scale, up=up)
    else:
        io.write(motion if fps is None else at_rate(motion, fps), path)
