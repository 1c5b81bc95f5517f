"""Simulations that run frame by frame: they can be watched, pushed, copied, and taken back to an earlier time."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from segue import checks
from segue.dance.notation.model import Part
from segue.dance.simulation.copying import copy_of
from segue.dance.simulation.dancer import FPS, TICKS, Dancer
from segue.dance.simulation.push import Push

Progress = Callable[[int, int], None]
"""Called after each frame with the number of frames done and of all frames."""

R = TypeVar("R")
_EVERY = 50  # frames between two copies that a history keeps
_ROUNDING = 1e-6


class Simulation(ABC, Generic[R]):
    """A dance that is simulated frame by frame, 100 frames per second.

    dancers: the simulated dancers by part. frames: number of frames of the whole dance. `result` returns the dance as
    `simulate` or `simulate_couple` would, and the same steps give the same bytes. contacts: names of a couple's hold.
    """

    contacts: tuple[str, ...] = ()

    def __init__(self, dancers: dict[Part, Dancer]) -> None:
        self.dancers = dancers
        self.frames = int(max(dancer.plan.stop for dancer in dancers.values()) * FPS) + 1
        self.frame = 0

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self.frame / FPS

    @property
    def done(self) -> bool:
        """Whether the dance is over, or a dancer lies on the floor."""
        return self.frame >= self.frames or any(dancer.done for dancer in self.dancers.values())

    @property
    @abstractmethod
    def recorded(self) -> int:
        """Number of recorded frames."""

    def step(self) -> None:
        """Record a frame and simulate until the next one."""
        self._record()
        for _ in range(TICKS):
            self._tick()
        self.frame += 1

    def advance(self, seconds: float) -> None:
        """Simulate for some time, or until the dance is over."""
        checks.number("seconds", seconds, least=0.0)
        last = self.frame + math.ceil(seconds * FPS - _ROUNDING)
        while self.frame < last and not self.done:
            self.step()

    def push(self, push: Push, part: Part | str | None = None) -> None:
        """Push a dancer, from now on or later; part: whom, the only dancer or the leader by default.

        A push that is added while the simulation runs has the same effect, to the last bit, as one that was given
        before it began.
        """
        chosen = next(iter(self.dancers)) if part is None else checks.choice("the part", part, Part)
        checks.choice("the part", chosen, tuple(self.dancers))
        self.dancers[chosen].push(push)

    def copy(self: S) -> S:
        """Return a copy, which goes on by itself from the same state."""
        return copy_of(self, [dancer.engine for dancer in self.dancers.values()])

    def run(self, progress: Progress | None = None) -> R:
        """Simulate to the end and return the result. Ctrl-C ends the dance early."""
        interrupted = False
        try:
            while not self.done:
                self.step()
                if progress is not None:
                    progress(self.frame, self.frames)
        except KeyboardInterrupt:
            if not self.recorded:
                raise
            interrupted = True
        return self.result(interrupted)

    @abstractmethod
    def result(self, interrupted: bool = False, first: int = 0) -> R:
        """Return the recorded dance, from a frame on; interrupted: whether Ctrl-C ended it."""

    @abstractmethod
    def _record(self) -> None:
        """Record a frame."""

    @abstractmethod
    def _tick(self) -> None:
        """Let all dancers decide, and step the physics until the next decision."""


S = TypeVar("S", bound=Simulation)  # type: ignore[type-arg]


class History(Generic[R]):
    """A simulation with copies of its past, from which it can go on differently.

    now: the simulation. Take steps by `advance`, so that copies are kept.
    """

    def __init__(self, simulation: Simulation[R]) -> None:
        self.now = simulation
        self._kept = [simulation.copy()]

    def advance(self, frames: int) -> None:
        """Simulate some frames, or until the dance is over."""
        last = self.now.frame + frames
        while self.now.frame < last and not self.now.done:
            self.now.step()
            if self.now.frame >= self._kept[-1].frame + _EVERY:
                self._kept.append(self.now.copy())

    def branch(self, time: float) -> None:
        """Go back to a time, s, and forget what came later, with the pushes that were added since then."""
        checks.number("the time", time, least=0.0, most=self.now.time)
        frame = round(time * FPS)
        while self._kept[-1].frame > frame:
            self._kept.pop()
        self.now = self._kept[-1].copy()
        while self.now.frame < frame:
            self.now.step()
