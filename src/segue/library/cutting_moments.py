"""When to leave one motion and to enter another, as users say it: a moment, between two moments, or "auto"."""

from __future__ import annotations

import math

import numpy as np

from segue.errors import ArgumentError
from segue.motion.interval import TINY
from segue.motion.motion import Motion

__all__ = ["AUTO", "Moment", "Window", "exact_moments", "moment_in_words", "windows_of"]

AUTO = "auto"
"""The best moment there is."""

Window = tuple[float, float]
"""Between when and when, in s; twice the same moment says when exactly."""

Moment = float | Window | str | None
"""A time in s, the best one of a window, the best there is ("auto"), or None: the end of the one, the other's start."""

_AWAY = 0.2  # s from either end within which nothing is looked for unless asked to
_SOME = 10 * TINY  # s that must be left of a motion


def moment_in_words(name: str, text: str | None) -> Moment:
    """Return the moment that a text gives: "1.5", "1..3" or "auto"; name: what it is the moment of, for messages."""
    if text is None or text == AUTO:
        return text
    start, dots, stop = text.partition("..")
    try:
        return (float(start), float(stop)) if dots else float(text)
    except ValueError:
        raise ArgumentError(
            f"{name} is '{text}': a time in seconds as 1.5, two with .. between them as 1..3, or auto is needed"
        ) from None


def exact_moments(leave: Moment, enter: Moment) -> tuple[float | None, float | None] | None:
    """Return both moments as they are given; None where one of them has to be looked for."""
    exact = []
    for moment in (leave, enter):
        if not (moment is None or isinstance(moment, int | float | np.number)):
            return None
        exact.append(None if moment is None else float(moment))
    return exact[0], exact[1]


def windows_of(first: Motion, second: Motion, leave: Moment, enter: Moment) -> tuple[Window, Window]:
    """Return between when and when the first motion is left, and between when and when the second is entered.

    "auto" keeps at least half of each, and stays away from where they end and begin.
    """
    half, other_half = 0.5 * first.duration, 0.5 * second.duration
    away, other_away = min(_AWAY, 0.5 * half), min(_AWAY, 0.5 * other_half)
    return (
        (first.stop - half, first.stop - away)
        if leave == AUTO
        else _window("leave", first, first.stop if leave is None else leave),
        (second.start + other_away, second.start + other_half)
        if enter == AUTO
        else _window("enter", second, second.start if enter is None else enter),
    )


def _window(name: str, motion: Motion, given: float | Window | str) -> Window:
    """Return as much of a window as there is in a motion: some of it must be left before leaving, or after entering."""
    try:
        if isinstance(given, str):
            raise ValueError
        pair = (given, given) if isinstance(given, int | float | np.number) else given
        start, stop = (float(time) for time in pair)
    except (TypeError, ValueError):
        raise ArgumentError(
            f'{name} is {given!r}: a time in seconds, a pair of times (from, to) or "auto" is needed'
        ) from None
    if not (math.isfinite(start) and math.isfinite(stop) and start <= stop):
        raise ArgumentError(f"{name} is from {start:g} to {stop:g} s: the second time must not be before the first")
    which, before, after = ("first", _SOME, 0.0) if name == "leave" else ("second", 0.0, _SOME)
    low, high = max(start, motion.start + before), min(stop, motion.stop - after)
    if low > high:
        raise ArgumentError(
            f"{name} is from {start:g} to {stop:g} s: the {which} motion lasts from {motion.start:g} to "
            f"{motion.stop:g} s, and some of it must be left"
        )
    return low, high
