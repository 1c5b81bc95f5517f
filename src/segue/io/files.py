"""Which format a suffix means: clips are read and written through this table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from segue.errors import FileFormatError
from segue.filesystem import writable_target
from segue.io.scene_space import scene_space
from segue.motion.clip import Clip
from segue.motion.take import RoleMap

__all__ = ["READERS", "WRITERS", "check_writable", "read", "write"]

# module and function by suffix: a format's libraries are imported when a file of that format is met, not before
READERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        ".bvh": ("segue.io.bvh", "read_bvh"),
        ".glb": ("segue.io.gltf", "read_glb"),
        ".gltf": ("segue.io.gltf", "read_glb"),
    }
)
WRITERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        ".bvh": ("segue.io.bvh", "write_bvh"),
        ".glb": ("segue.io.gltf", "write_glb"),
        ".usd": ("segue.io.usd", "write_usd"),
        ".usda": ("segue.io.usd", "write_usd"),
        ".usdc": ("segue.io.usd", "write_usd"),
    }
)


def read(path: str | Path) -> Clip:
    """Return the clip in a file; the suffix says which format it is."""
    clip: Clip = _function(READERS, path, "read")(path)
    return clip


def write(
    clip: Clip,
    path: str | Path,
    *,
    scale: float | None = None,
    up: str | None = None,
    map: RoleMap | None = None,
) -> None:
    """Write a clip to a file in the format that the suffix says; the file appears whole or not at all.

    BVH keeps the clip's own units and axes. Scene formats are in metres with Y up: scale (metres per unit), up ("Y" or
    "Z") and map (role -> joint name, or a map file) help where the size and stance of the person do not tell.
    """
    writer = _function(WRITERS, path, "written")
    if Path(path).suffix.lower() == ".bvh":
        writer(clip, path)
    else:
        metres, rotation = scene_space(clip, scale, up, map)
        writer(clip, path, scale=metres, rotation=rotation)


def check_writable(path: str | Path) -> None:
    """Say now, before any work is done, if a file could not be written at `path`."""
    _function(WRITERS, path, "written")
    writable_target(path)


def _function(table: Mapping[str, tuple[str, str]], path: str | Path, done: str) -> Callable[..., Any]:
    suffix = Path(path).suffix
    try:
        module, name = table[suffix.lower()]
    except KeyError:
        what = f"suffix '{suffix}'" if suffix else "no suffix"
        raise FileFormatError(f"{what}: files that can be {done} end in {', '.join(sorted(table))}", path) from None
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
