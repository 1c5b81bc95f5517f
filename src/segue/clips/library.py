"""The built-in clips by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType

from segue.body.figure import Figure, Poses
from segue.clips.kicking import kick
from segue.clips.running import run
from segue.clips.standing import REACH, SALUTE, WAVE, act, stand
from segue.clips.walking import walk
from segue.errors import ArgumentError
from segue.motion.clip import Clip, Origin
from segue.motion.motion import Motion
from segue.motion.retarget import figure_clip

FPS = 60.0
STATURE = 1.75

_MAKERS: Mapping[str, Callable[[Figure, float], Poses]] = MappingProxyType(
    {
        "kick": kick,
        "reach": partial(act, gesture=REACH),
        "run": run,
        "salute": partial(act, gesture=SALUTE),
        "stand": stand,
        "walk": walk,
        "wave": partial(act, gesture=WAVE),
    }
)

NAMES: tuple[str, ...] = tuple(_MAKERS)
"""Every name that `clip` knows."""


@lru_cache(maxsize=len(_MAKERS))
def clip(name: str) -> Clip:
    """Return a built-in clip on `figure_skeleton(Figure.standard(1.75))`, 60 frames a second. It is made once."""
    made = figure_clip(Figure.standard(STATURE), poses(name), FPS)
    origin = Origin("segue", name)
    return Clip.on(made.skeleton, made.positions, made.rotations, FPS, origin=origin)


@lru_cache(maxsize=len(_MAKERS))
def motion(name: str) -> Motion:
    """Return a built-in clip as a motion. Its figure is fitted once."""
    return Motion.from_clip(clip(name))


def poses(name: str) -> Poses:
    """Make the poses of a built-in clip on `Figure.standard(1.75)`."""
    if name not in _MAKERS:
        raise ArgumentError(f"there is no built-in clip '{name}': there are {', '.join(NAMES)}")
    return _MAKERS[name](Figure.standard(STATURE), FPS)
