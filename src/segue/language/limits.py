"""Limits of a script, and its use of them."""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.language.alarm import alarm
from segue.language.errors import LimitError, Place
from segue.motion.functions import Blend, Function
from segue.motion.motion import Motion

_GRACE = 1.0  # seconds after the limit, then a computation that does not check the clock is interrupted
_LONGEST_ALARM = 1e6  # seconds; systems refuse to count much longer ones


@dataclass(frozen=True)
class Limits:
    """Limits after which a script is stopped: enough for real work, too low to harm the machine."""

    seconds: float = 120.0
    """Time on the clock."""
    steps: int = 1_000_000
    """Expressions evaluated."""
    depth: int = 4_000
    """Depth of calls."""
    characters: int = 100_000
    """Length of a script."""
    nesting: int = 200
    """Depth of nested brackets and operators."""
    items: int = 10_000
    """Items of a list."""
    text: int = 500
    """Characters of a text."""
    functions: int = 500_000
    """Functions of time of all motions in use."""
    blends: int = 100
    """Blends inside blends."""
    farthest: float = 1_000_000.0
    """Largest time of a motion in seconds, and largest number for a built-in function."""
    frames: int = 200_000
    """Frames written to files."""
    drawn: int = 10_000
    """Intervals in a picture."""
    file_bytes: int = 200_000_000
    """Bytes read from files."""
    compared: int = 200_000
    """Frames of a motion that are searched for loops or cut points."""
    gap: float = 60.0
    """Length of a gap that is filled, in seconds."""
    fills: int = 2_000
    """Gaps filled, and tried."""


class Budget:
    """The use of limits by one run of a script.

    Motions are counted as long as they are alive; everything else adds up.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._stop = time.monotonic() + limits.seconds
        self._steps = 0
        self._frames = 0
        self._bytes = 0
        self._functions = 0
        self._fills = 0
        self._halt: npt.NDArray[np.int64] | None = None

    def cancel(self) -> None:
        """End the time, from another thread."""
        self._stop = -math.inf
        halt = self._halt
        if halt is not None:
            halt.fill(1)

    def step(self, place: Place, depth: int) -> None:
        """Count one expression at a depth of calls."""
        self._steps += 1
        if self._steps > self.limits.steps:
            raise LimitError(f"the script takes more than {self.limits.steps:,} steps: it must do less", place)
        if depth > self.limits.depth:
            raise LimitError(
                f"definitions call each other more than {self.limits.depth:,} expressions deep: does one call itself "
                "without end?",
                place,
            )
        self.check_time(place)

    def check_time(self, place: Place) -> None:
        """Raise if the time limit is exceeded."""
        if time.monotonic() > self._stop:
            raise LimitError(f"the script takes longer than {self.limits.seconds:g} seconds: it must do less", place)

    @contextmanager
    def watched(self, place: Place) -> Iterator[None]:
        """Interrupt even one long computation at the time limit, as Ctrl-C does, if the system and thread allow it."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return

        rang = False

        def ring(*_: object) -> None:
            nonlocal rang
            if time.monotonic() > self._stop:
                rang = True
                raise KeyboardInterrupt  # no code handles this as an error in a file

        before = signal.signal(signal.SIGALRM, ring)
        left = min(max(self._stop - time.monotonic(), 0.0), _LONGEST_ALARM)
        signal.setitimer(signal.ITIMER_REAL, left + _GRACE, _GRACE)
        try:
            yield
        except KeyboardInterrupt:
            if rang:
                self.check_time(place)
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before or signal.SIG_DFL)

    @contextmanager
    def until_time_is_up(self, place: Place) -> Iterator[npt.NDArray[np.int64]]:
        """Give an array of one number that becomes 1 at the time limit, for solvers that check it.

        They end there and then, in any thread and on any system, and the script is stopped.
        """
        with alarm(self._stop) as halt:
            self._halt = halt
            try:
                yield halt
            finally:
                self._halt = None
        if halt[0]:
            self.check_time(place)

    def number(self, value: float, place: Place) -> float:
        """Return a number that can be computed with."""
        if not math.isfinite(value):
            raise LimitError("the number is too large: numbers go up to about 1e308", place)
        return value

    def given(self, name: str, value: object, place: Place) -> None:
        """Check a number, or a list of them, that a built-in function is to compute with."""
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, float) and not abs(number) <= self.limits.farthest:
                raise LimitError(
                    f"'{name}' is {number:g}: numbers given to functions go from {-self.limits.farthest:,.0f} to "
                    f"{self.limits.farthest:,.0f}",
                    place,
                )

    def items(self, count: float, place: Place) -> None:
        """Check the length of a list."""
        if count > self.limits.items:
            raise LimitError(
                f"a list of {_amount(count)} items is too long: at most {self.limits.items:,} are allowed", place
            )

    def text(self, text: str, place: Place) -> str:
        """Return a text that is not too long."""
        if len(text) > self.limits.text:
            raise LimitError(
                f"a text of {len(text):,} characters is too long: at most {self.limits.text:,} are allowed", place
            )
        return text

    def writing(self, count: float, place: Place) -> None:
        """Count frames before they are written."""
        if not self._frames + count <= self.limits.frames:
            raise LimitError(
                f"{_amount(count)} more frames are too many: a script writes at most {self.limits.frames:,}; lower the "
                "frame rate or the duration",
                place,
            )
        self._frames += int(count)

    def drawing(self, count: int, place: Place) -> None:
        """Check the number of intervals in a picture."""
        if count > self.limits.drawn:
            raise LimitError(
                f"{count:,} intervals are too many for a picture: at most {self.limits.drawn:,} are drawn", place
            )

    def reading(self, count: int, place: Place) -> None:
        """Count bytes before they are read."""
        if self._bytes + count > self.limits.file_bytes:
            raise LimitError(
                f"the script reads more than {self.limits.file_bytes:,} bytes: load fewer or smaller files", place
            )
        self._bytes += count

    def comparing(self, motion: Motion, place: Place) -> None:
        """Check the number of frames that are compared to find loops or cut points."""
        count = motion.duration * motion.fps
        if count > self.limits.compared:
            raise LimitError(
                f"{_amount(count)} frames are too many to compare: at most {self.limits.compared:,} are "
                "allowed; take a part of the motion with clip",
                place,
            )

    def filling(self, seconds: float, place: Place) -> None:
        """Count a gap before it is filled."""
        if seconds > self.limits.gap:
            raise LimitError(
                f"a gap of {seconds:g} s is too long to fill: at most {self.limits.gap:g} s are allowed", place
            )
        self._fills += 1
        if self._fills > self.limits.fills:
            raise LimitError(f"the script fills more than {self.limits.fills:,} gaps: it must do less", place)

    def motion(self, motion: Motion, place: Place) -> Motion:
        """Return a motion and count its functions until it is garbage collected."""
        if max(-motion.start, motion.stop) > self.limits.farthest or not math.isfinite(motion.duration):
            raise LimitError(
                f"the motion would last from {motion.start:g} to {motion.stop:g} s: times go from "
                f"{-self.limits.farthest:,.0f} to {self.limits.farthest:,.0f} s",
                place,
            )
        count = self._count(motion, place)
        self._functions += count
        weakref.finalize(motion, self._forget, count).atexit = False
        return motion

    def _forget(self, count: int) -> None:
        self._functions -= count

    def _count(self, motion: Motion, place: Place) -> int:
        """Return the number of functions of a motion's tracks, at most the number left."""
        shares = Counter(map(id, motion.tracks.values()))
        waiting: list[tuple[Function, int, int]] = [
            (function, 0, shares[id(track)])
            for track in motion.tracks.unique_tracks
            for part in track
            for function in part.functions
        ]
        count = 0
        while waiting:
            function, depth, times = waiting.pop()
            count += times
            if isinstance(function, Blend):
                waiting += [(function.first, depth + 1, times), (function.second, depth + 1, times)]
                if depth >= self.limits.blends:
                    raise LimitError(f"more than {self.limits.blends} blends lie inside one another", place)
            if self._functions + count > self.limits.functions:
                raise LimitError(
                    f"the motions of the script carry more than {self.limits.functions:,} functions of time together: "
                    "join fewer or shorter ones",
                    place,
                )
        return count


def _amount(count: float) -> str:
    # an integer may be too large for a floating point number, which formatting needs
    return f"{count:,.0f}" if count < 1e15 else f"{min(count, sys.float_info.max):.3g}"
