"""Clips that come with Segue, made by its own code on a figure of 1.75 m: to try things out, and to compose with.

They stand on the floor y = 0 and face +Z. Gestures begin and end as `stand` begins; `walk` and `run` begin and end in
the middle of a stride. `clips.walk` is the walk as a motion, `clips.clip("walk")` as a clip; `clips.NAMES` lists all.
"""

from segue.clips.library import FPS, NAMES, STATURE, clip, motion
from segue.motion.motion import Motion

__all__ = ["FPS", "NAMES", "STATURE", "clip", "motion"]


def __getattr__(name: str) -> Motion:
    if name in NAMES:
        return motion(name)
    raise AttributeError(f"there is no built-in clip '{name}': there are {', '.join(NAMES)}")


def __dir__() -> list[str]:
    return sorted([*__all__, *NAMES])
