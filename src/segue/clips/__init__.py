"""Clips that come with Segue, made by its own code on a figure of 1.75 m: to try things out, and to compose with.

They stand on the floor y = 0 and face +Z. Gestures begin and end as `stand` begins; `walk` and `run` begin and end in
the middle of a stride. `clips.walk` is the walk as a motion, `clips.clip("walk")` as a clip; `clips.NAMES` lists all.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType

from segue.body.figure import Figure, Poses
from segue.clips import gestures, running, walking
from segue.errors import ArgumentError
from segue.motion.clip import Clip, Origin
from segue.motion.motion import Motion
from segue.motion.retarget import figure_clip

__all__ = ["FPS", "NAMES", "STATURE", "clip", "motion", "poses"]

FPS = 60.0
STATURE = 1.75

# modules are imported, not functions: `clips.walk` is a motion
_MAKERS: Mapping[str, Callable[[Figure, float], Poses]] = MappingProxyType(
    {
        "kick": gestures.kick,
        "reach": partial(gestures.act, gesture=gestures.REACH),
        "run": running.run,
        "salute": partial(gestures.act, gesture=gestures.SALUTE),
        "stand": gestures.stand,
        "walk": walking.walk,
        "wave": partial(gestures.act, gesture=gestures.WAVE),
    }
)

NAMES: tuple[str, ...] = tuple(_MAKERS)
"""Every name that `clip` knows."""


@lru_cache(maxsize=len(_MAKERS))
def clip(name: str) -> Clip:
    """Return a built-in clip on `figure_skeleton(Figure.standard(1.75))`, 60 frames a second. It is made once."""
    made = figure_clip(Figure.standard(STATURE), poses(name), FPS)
    origin = Origin("segue", name)
    return Clip.from_arrays(made.skeleton, made.positions, made.rotations, FPS, origin=origin)


@lru_cache(maxsize=len(_MAKERS))
def motion(name: str) -> Motion:
    """Return a built-in clip as a motion. Its figure is fitted once."""
    return Motion.from_clip(clip(name))


def poses(name: str) -> Poses:
    """Make the poses of a built-in clip on `Figure.standard(1.75)`."""
    if name not in _MAKERS:
        raise ArgumentError(f"there is no built-in clip '{name}': there are {', '.join(NAMES)}")
    return _MAKERS[name](Figure.standard(STATURE), FPS)


def __getattr__(name: str) -> Motion:
    if name in NAMES:
        return motion(name)
    raise AttributeError(f"there is no built-in clip '{name}': there are {', '.join(NAMES)}")


def __dir__() -> list[str]:
    return sorted([*__all__, *NAMES])
