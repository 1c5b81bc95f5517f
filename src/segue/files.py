"""Motions from files and to files, to pages that play them, and to a widget for notebooks that edits them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from segue import io
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.functions import PoseSource
from segue.motion.motion import Motion
from segue.motion.options import ClipOptionNames, ClipOptions, clip_options
from segue.motion.recognise import at_rate
from segue.motion.resample import joined

if TYPE_CHECKING:
    from segue.studio.notebook import MotionEditor
    from segue.view.web import Page


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
    """Write a motion on its source's skeleton, or several by their names; the suffix sets the format.

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


def show(motions: Motion | Mapping[str, Motion], *, title: str | None = None, height: int = 520) -> Page:
    """Return a page that plays a motion, or several by their labels beside each other, with what was filled in colour.

    As the value of a notebook's cell the page shows itself; `save` writes it to a file that any browser opens. title:
    of the page, the labels where None. height: in a notebook, in pixels.
    """
    from segue.view.web import page  # views need libraries that are slow to import

    return page(motions, fills=lambda motion: motion.fills, title=title, height=height)


def edit(motion: Motion, script: str = "motion\n") -> MotionEditor:
    """Return a widget for notebooks that shows a motion on a stage with its time line, to be edited.

    script: a text of the language in which `motion` stands for the motion. A drag on the time line changes the
    widget's `script`, and its `motion` is the result. Needs the extra `segue[notebook]`.
    """
    try:
        from segue.studio.notebook import MotionEditor  # an extra, and slow to import
    except ModuleNotFoundError as error:
        raise ArgumentError(f"edit needs {error.name}: pip install 'segue[notebook]' installs it") from None
    return MotionEditor(motion, script)
