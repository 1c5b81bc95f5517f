"""How long a transition should last: until it takes hardly more effort than going on in what it joins would."""

from __future__ import annotations

import math

import numpy as np

from segue.errors import ArgumentError
from segue.filling.gaps import fill_gap
from segue.filling.options import Options
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS

DURATIONS = tuple(np.round(np.arange(0.2, 1.25, 0.1), 10).tolist())
MODEST = 1.25
"""How much more effort than its surroundings a transition may take."""

_MARGIN = 0.05  # s that must be left outside the stretch that is filled for comparison


def checked_duration(duration: float | str) -> float:
    """Return how long a transition is to take, in s, checked."""
    try:
        seconds = float(duration)
    except (TypeError, ValueError):
        raise ArgumentError(f'the duration is {duration!r}: a number of seconds or "auto" is needed') from None
    if not (math.isfinite(seconds) and seconds > TINY):
        raise ArgumentError(f"a transition of {seconds:g} s is none: its duration must be positive")
    return seconds


def effort_inside(motion: Motion, at: float, towards: int, duration: float, options: Options) -> float:
    """Return what it would cost per second to fill a gap in a motion that ends (-1) or begins (1) at a time.

    The gap is as long as the transition in question, or as what is there allows, and filled by the same objective: so
    the noise of capture, of which a filled gap is free, does not count.
    """
    start, stop = (at - duration, at) if towards < 0 else (at, at + duration)
    start, stop = max(start, motion.start + _MARGIN), min(stop, motion.stop - _MARGIN)
    if stop - start < _MARGIN:
        return np.inf
    without = Motion(motion.tracks.erased(start, stop, tuple(TRACKS)), motion.source)
    report = fill_gap(without, start, stop, tuple(TRACKS), options).fills[0]
    return report.energy / (stop - start)
