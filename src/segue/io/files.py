"""Which format a suffix means: clips are read and written through this table, to which formats can be added."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from segue.checks import did_you_mean
from segue.errors import ArgumentError, FileFormatError, SkeletonError, warn_user
from segue.filesystem import atomic_write, writable_target
from segue.io.figure_files import FIGURE_FORMATS, FigureFormat, figure_format, later
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions, RoleMap
from segue.motion.recognise import recognise
from segue.motion.space import find_space, turn_to_y_up
from segue.typing import Array


def split_take(path: str | Path) -> tuple[str | Path, str | None]:
    """Return the file and the take that a name such as `walk.fbx#Run` means; None without a take.

    A file whose own name has a # in it is taken as it is.
    """
    text = os.fspath(path)
    file, mark, take = text.partition("#")
    while mark and not Path(file).suffix:
        rest, mark, take = take.partition("#")
        file = f"{file}#{rest}"
    if not mark or not take or os.path.lexists(text):
        return path, None
    return file, take


def choose_take(names: Sequence[str], wanted: str | int | None, path: str | Path, what: str) -> int | None:
    """Return the number of the wanted animation of a file, by default of the first; None if the file is without any.

    A name comes before a number. Blender writes "Armature|Run" for the action Run of an armature: the part behind the
    bar chooses it too. what: the format's word, as "take".
    """
    if wanted is None:
        if len(names) > 1:
            more = ", ".join(f"#{name}" for name in names[1:6])
            warn_user(f"{path}: has {len(names)} {what}s, '{names[0]}' is read; others are {more}")
        return 0 if names else None
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    short = [number for number, name in enumerate(names) if name.rpartition("|")[2] == wanted]
    if len(short) == 1:
        return short[0]
    if str(wanted).isdecimal() and int(wanted) < len(names):
        return int(wanted)
    near = did_you_mean(str(wanted), names) or f"there are {', '.join(names[:20]) or 'none'}"
    raise FileFormatError(f"has no {what} '{wanted}': {near}", path)


Reader: TypeAlias = Callable[..., Clip]
"""Takes a path, returns the clip in that file; if files hold several takes, also `take`, a name or number."""

Writer: TypeAlias = Callable[..., None]
"""Takes a clip and a path; where it writes scenes also `scale` and `rotation`, to metres with Y up.

If files hold several takes, it takes a mapping of names to clips too.
"""


_read_usd = later("segue.io.usd", "read_usd")
_write_usd = later("segue.io.usd", "write_usd")
_readers: dict[str, Reader] = {
    ".bvh": later("segue.io.bvh", "read_bvh"),
    ".fbx": later("segue.io.scene", "read_fbx"),
    ".glb": later("segue.io.gltf", "read_glb"),
    ".gltf": later("segue.io.gltf", "read_glb"),
    ".npz": later("segue.io.npz", "read_npz"),
    ".usd": _read_usd,
    ".usda": _read_usd,
    ".usdc": _read_usd,
}
_writers: dict[str, Writer] = {
    ".bvh": later("segue.io.bvh", "write_bvh"),
    ".glb": later("segue.io.gltf", "write_glb"),
    ".npz": later("segue.io.npz", "write_npz"),
    ".usd": _write_usd,
    ".usda": _write_usd,
    ".usdc": _write_usd,
}
_USD = {".usd", ".usda", ".usdc"}
_scenes = {".glb"} | _USD
_several = {".fbx", ".glb", ".gltf"} | _USD  # files that hold several takes
_several_written = {".glb"}
_METRES = ("fbx", "glb", "usd")  # what is read from these formats is in metres with Y up
_BUILT_IN = (frozenset(_readers), frozenset(_writers))

READERS: Mapping[str, Reader] = MappingProxyType(_readers)
"""Readers of the files that end in a suffix."""

WRITERS: Mapping[str, Writer] = MappingProxyType(_writers)
"""Writers of the files that end in a suffix."""


def register_format(
    suffix: str,
    *,
    read: Reader | None = None,
    write: Writer | None = None,
    scene: bool = False,
    takes: bool = False,
) -> None:
    """Make files with a suffix known to `load`, `save`, the language and the command line.

    suffix: as ".csv". read: takes a path and returns a `Clip`. write: takes a clip and the path of a temporary file,
    which is renamed when all went well. scene: the writer also takes `scale` (metres per unit of the clip) and
    `rotation` (the quaternion to Y up), as formats do that have fixed units and axes. takes: files hold several takes;
    the reader also takes `take` (a name or number), the writer also a mapping of names to clips. A suffix can be
    registered again; what Segue itself reads or writes cannot be replaced.
    """
    if not isinstance(suffix, str) or not re.fullmatch(r"\.[A-Za-z0-9_-]+", suffix):
        raise ArgumentError(f"the suffix is {suffix!r}: it must be a dot with letters and digits behind it, as '.csv'")
    if read is None and write is None:
        raise ArgumentError(f"the format '{suffix}' can neither be read nor written: give read, write or both")
    known = suffix.lower()
    for function, built_in, done in ((read, _BUILT_IN[0], "read"), (write, _BUILT_IN[1], "written")):
        if function is not None and not callable(function):
            raise ArgumentError(f"{suffix} files cannot be {done} by {function!r}: a function is needed")
        if function is not None and known in built_in:
            raise ArgumentError(f"{suffix} files are {done} by Segue itself: choose another suffix")
    if known not in _BUILT_IN[0] | _BUILT_IN[1]:
        for kept in (_several, _several_written):
            (kept.add if takes else kept.discard)(known)
    if read is not None:
        _readers[known] = read
    if write is not None:
        _writers[known] = _whole(write)
        (_scenes.add if scene else _scenes.discard)(known)


def _whole(write: Writer) -> Writer:
    """Return a writer whose file appears whole or not at all."""

    def write_beside(clip: Clip | Mapping[str, Clip], path: str | Path, **space: Any) -> None:
        with atomic_write(path) as beside:
            write(clip, beside, **space)

    return write_beside


def read(path: str | Path) -> Clip:
    """Return the clip in a file; the suffix sets the format.

    `walk.fbx#Run` means the animation Run of a file with several, by its name or its number from 0.
    """
    file, take = split_take(path)
    reader = _function(_readers, file, "read")
    if take is not None and Path(file).suffix.lower() not in _several:
        raise FileFormatError(f"#{take} chooses an animation: only {', '.join(sorted(_several))} hold several", file)
    clip = reader(file) if take is None else reader(file, take=take)
    if not isinstance(clip, Clip):
        raise FileFormatError(f"its reader returns {type(clip).__name__}, not a Clip", path)
    return clip


def write(
    clips: Clip | Mapping[str, Clip],
    path: str | Path,
    *,
    scale: float | None = None,
    up: str | None = None,
    map: RoleMap | None = None,
    format: str | None = None,
) -> None:
    """Write a clip, or several takes of one skeleton by their names, in the format of the suffix.

    The file appears whole or not at all. BVH keeps the clip's own units and axes. Scene formats are in metres with Y
    up. Give scale (metres per unit), up ("Y" or "Z") and map (role -> joint name, or a map file) if the size and stance
    of the person do not determine them. A clip that was read from a scene file goes back into that scene as it was.

    format: the name of a format of the figure's motion, see `write_motion`, to which the figure is fitted.
    """
    figure = _figure_format(path, format)
    if figure is not None:
        if not isinstance(clips, Clip):
            raise FileFormatError("holds one motion: write several takes to .glb", path)
        figure.write(Motion.from_clip(clips, ClipOptions(scale, up, map)), path, None)
        return
    writer = _function(_writers, path, "written")
    suffix = Path(path).suffix.lower()
    if not isinstance(clips, Clip) and suffix not in _several - _USD:
        raise FileFormatError(f"a {suffix} file holds one motion: write several takes to .glb", path)
    if suffix in _scenes:
        first = clips if isinstance(clips, Clip) else next(iter(clips.values()), None)
        if first is None:
            raise ArgumentError("there is nothing to write: at least one clip is needed")
        metres, rotation = _scene_space(first, scale, up, map)
        writer(clips, path, scale=metres, rotation=rotation)
    else:
        writer(clips, path)


def write_motion(motion: Motion, path: str | Path, *, format: str | None = None, fps: float | None = None) -> bool:
    """Write a motion of the figure for simulators; return False if the file is one for clips.

    format: "mjcf" (.xml), "qpos" (.csv), ...; the suffix's own if None. fps: the rate, the motion's own if None.
    """
    figure = _figure_format(path, format)
    if figure is not None:
        figure.write(motion, path, fps)
    return figure is not None


def written_suffixes() -> set[str]:
    """Return the suffixes of all files that can be written."""
    return {*_writers, *(each.suffix for each in FIGURE_FORMATS.values())}


def _figure_format(path: str | Path, name: str | None) -> FigureFormat | None:
    """Return the format of the figure's motion that is meant; a suffix that a user registered is the user's."""
    return None if name is None and Path(path).suffix.lower() in _writers else figure_format(path, name)


def _scene_space(clip: Clip, scale: float | None, up: str | None, map: RoleMap | None) -> tuple[float, Array]:
    """Return metres per unit and the rotation to Y up, from the user, from the source's format, or from the person.

    A skeleton that is no person can be written too if the scale is given.
    """
    if clip.origin is not None and clip.origin.format in _METRES:
        scale, up = 1.0 if scale is None else scale, up or "Y"
    if scale is not None and up is not None:
        return scale, turn_to_y_up(up)
    try:
        roles = recognise(clip, map)
    except SkeletonError as error:
        if scale is None:
            raise SkeletonError(f"{error}; or give the size of a unit (--scale METRES_PER_UNIT)") from None
        return scale, turn_to_y_up(up or "Y")
    space = find_space(clip, roles, scale=scale, up=up)
    return space.scale, space.rotation


def check_writable(path: str | Path, format: str | None = None) -> None:
    """Raise now, before any work is done, if a file could not be written at `path`."""
    if _figure_format(path, format) is None:
        _function(_writers, path, "written")
    writable_target(path)


def _function(table: Mapping[str, Callable[..., Any]], path: str | Path, done: str) -> Callable[..., Any]:
    suffix = Path(path).suffix
    try:
        return table[suffix.lower()]
    except KeyError:
        what = f"suffix '{suffix}'" if suffix else "no suffix"
        known = written_suffixes() if table is _writers else table
        raise FileFormatError(f"{what}: files that can be {done} end in {', '.join(sorted(known))}", path) from None
