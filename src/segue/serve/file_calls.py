"""Calls that write a clip to a file and read it back, so that another program can edit it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from segue import io
from segue.errors import ArgumentError
from segue.serve.array_clips import Answer, ClipShape, frames_of

if TYPE_CHECKING:
    from segue.serve.calls import Running


@dataclass(frozen=True)
class WriteFile:
    """Write a clip; the suffix of the path is the format."""

    clips: tuple[ClipShape, ...]
    path: str


@dataclass(frozen=True)
class ReadFile:
    """Read frames of a file. names: the joints that are wanted, in order; the file must have all of them."""

    path: str
    names: tuple[str, ...]
    fps: float


def write_file(asked: WriteFile, run: Running) -> Answer:
    """Write a clip to a file, with a script beside it that loads it."""
    given = run.clip(asked.clips)
    shape, path = asked.clips[0], Path(asked.path)
    io.write(given.clip, path, scale=shape.scale, up=shape.up)
    return {"path": str(path)}, {}


def read_file(asked: ReadFile, run: Running) -> Answer:
    """Return the frames of a file at a rate, as local positions and rotations of the wanted joints."""
    from segue.motion.recognise import at_rate

    clip = io.read(asked.path)
    if clip.fps != asked.fps:
        clip = at_rate(clip, asked.fps)
    missing = [name for name in asked.names if name not in clip.names]
    if missing:
        raise ArgumentError(f"{Path(asked.path).name} has no joint '{missing[0]}': it is a file of another skeleton")
    order = np.array([clip.names.index(name) for name in asked.names])
    frames = {name: part[:, order] for name, part in frames_of(clip).items()}
    return {"frames": len(clip), "fps": clip.fps}, frames
