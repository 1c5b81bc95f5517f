"""Cut times as users give them: a time, a window, "auto", "end" or "start"."""

from __future__ import annotations

import math

import numpy as np

from segue.errors import ArgumentError
from segue.filling.joining import END, START, enter_time, leave_time
from segue.motion.interval import TINY
from segue.motion.motion import Motion

AUTO = "auto"
"""Search half of the motion."""

NEAR = 1.0
"""Seconds next to the end of the first motion, and to the start of the second, that are searched by default."""

Window = tuple[float, float]
"""The first and the last time in s; equal for an exact time."""

CutTime = float | Window | str | None
"""A time in s, a window to search, "auto", or "end" for the first motion and "start" for the second.

None searches the last second of the first motion, the first second of the second.
"""

_AWAY = 0.2  # s from either end within which "auto" does not cut
_SOME = 10 * TINY  # s that must be left of a motion
_EDGES = {"leave": END, "enter": START}


def exact_times(leave: CutTime, enter: CutTime) -> tuple[float | str, float | str] | None:
    """Return both times if neither must be searched, as times in s, "end" or "start"; else None."""
    exact: list[float | str] = []
    for name, time in (("leave", leave), ("enter", enter)):
        if not _is_exact(name, time):
            return None
        exact.append(time if isinstance(time, str) else float(time))  # type: ignore[arg-type]
    return exact[0], exact[1]


def is_near(leave: CutTime, enter: CutTime) -> bool:
    """Return whether neither time is "auto" or a window, so that at most a second of each motion is searched."""
    return all(time is None or _is_exact(name, time) for name, time in (("leave", leave), ("enter", enter)))


def windows_of(first: Motion, second: Motion, leave: CutTime, enter: CutTime) -> tuple[Window, Window]:
    """Return the window in which to leave the first motion, and the window in which to enter the second.

    Without a given window, at least half of each motion is kept. "auto" keeps 0.2 s away from the ends.
    """
    return _window("leave", first, leave), _window("enter", second, enter)


def _is_exact(name: str, time: CutTime) -> bool:
    return time == _EDGES[name] if isinstance(time, str) else isinstance(time, int | float | np.number)


def _window(name: str, motion: Motion, given: CutTime) -> Window:
    """Return a window clipped to a motion, some of which must remain before `leave`, or after `enter`."""
    if isinstance(given, float | str | int | np.number) and _is_exact(name, given):
        time = leave_time(motion, given) if name == "leave" else enter_time(motion, given)
        return time, time
    which, before, after = ("first", _SOME, 0.0) if name == "leave" else ("second", 0.0, _SOME)
    if given is None or (isinstance(given, str) and given == AUTO):
        half = 0.5 * motion.duration
        far = half if given == AUTO else min(NEAR, half)
        near = min(_AWAY, 0.5 * half) if given == AUTO else 0.0
        start, stop = (motion.stop - far, motion.stop - near) if before else (motion.start + near, motion.start + far)
    else:
        start, stop = _times(name, given)
    low, high = max(start, motion.start + before), min(stop, motion.stop - after)
    if low > high:
        raise ArgumentError(
            f"{name} is from {start:g} to {stop:g} s: the {which} motion lasts from {motion.start:g} to "
            f"{motion.stop:g} s, and some of it must be left"
        )
    return low, high


def _times(name: str, given: CutTime) -> Window:
    try:
        if isinstance(given, str):
            raise ValueError
        start, stop = (float(time) for time in given)  # type: ignore[union-attr]
    except (TypeError, ValueError):
        raise ArgumentError(
            f'{name} is {given!r}: a time in seconds, a pair of times (from, to), "auto" or "{_EDGES[name]}" is needed'
        ) from None
    if not (math.isfinite(start) and math.isfinite(stop) and start <= stop):
        raise ArgumentError(f"{name} is from {start:g} to {stop:g} s: the second time must not be before the first")
    return start, stop
