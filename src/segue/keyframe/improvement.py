"""Improvement: variable frames between keyframes, moved until penalties are least, and more where they are needed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy.typing as npt

from segue.checks import integer, number, shown
from segue.errors import ArgumentError
from segue.keyframe.keyframes import VectorKeyframes
from segue.keyframe.subdivision import Adaptive, Subdivision, inner_times
from segue.spacetime.descend import Status, descend
from segue.spacetime.metric import Solver, metric_of
from segue.spacetime.path import DynamicSpline, Sampling
from segue.spacetime.spline_space import Ends
from segue.spacetime.terms.term import Term, TermSum, Weighted
from segue.typing import Array

_MOST = 1000
"""Variable frames in a span, and samples of a piece."""
_REFRESH = 8
"""Iterations after which the metric is made anew."""


@dataclass(frozen=True)
class Settings:
    """How paths are improved.

    between: variable frames between two keyframes at first. ends: see `Ends`; end_velocities: (2, D), for clamped ones.
    renormalise: whether each penalty is divided by what it is on the initial path, equation 7 of [Ramamoorthi1997],
    rather than taken as it is, equation 1. subdivision: see `Adaptive` and `Everywhere`; None for none. samples: a
    piece between two frames. iterations: at most, in each round. tolerance: a round ends when a step would gain
    less than this part of the objective. worthwhile: subdivision ends when a round has gained less than this part.
    """

    between: int = 1
    ends: Ends | str = Ends.NATURAL
    end_velocities: npt.ArrayLike | None = None
    renormalise: bool = False
    subdivision: Subdivision | None = field(default_factory=Adaptive)
    samples: int = 8
    iterations: int = 200
    tolerance: float = 1e-6
    worthwhile: float = 1e-4

    def __post_init__(self) -> None:
        Ends.of(self.ends)
        for name, least, most in (("between", 0, _MOST), ("samples", 2, _MOST), ("iterations", 0, math.inf)):
            integer(name, getattr(self, name), least=least, most=most)
        for name in ("tolerance", "worthwhile"):
            number(name, getattr(self, name), least=0.0)
        if not isinstance(self.subdivision, Subdivision | None):
            raise ArgumentError(f"the subdivision is {shown(self.subdivision)}: Adaptive, Everywhere or None is needed")


_USUAL = Settings()


class State(NamedTuple):
    """How far an improvement has come: a path that meets the keyframes exactly, and what it costs.

    round: 0 before any subdivision. iteration: within the round; 0 is where it began.
    """

    round: int
    iteration: int
    objective: float
    path: DynamicSpline


class Round(NamedTuple):
    """One descent: the times at which variable frames had been added for it, and what came of it."""

    added: Array
    objective: float
    iterations: int
    status: Status


@dataclass(frozen=True, eq=False)
class Improvement:
    """A path that has been improved, and how that went.

    initial: the path before, the C2 spline through the keyframes alone. before, after: each penalty's integral, by
    name, along both paths at the same samples. status: of the last round.
    """

    path: DynamicSpline
    initial: DynamicSpline
    before: dict[str, float]
    after: dict[str, float]
    rounds: tuple[Round, ...]
    seconds: float

    @property
    def objective(self) -> float:
        """The cost of the path: the weighted sum that was minimised."""
        return self.rounds[-1].objective

    @property
    def status(self) -> Status:
        """Why the last round ended."""
        return self.rounds[-1].status

    @property
    def iterations(self) -> int:
        """Steps of all rounds together."""
        return sum(round_.iterations for round_ in self.rounds)


def inbetween_vectors(
    keyframes: VectorKeyframes,
    penalties: Sequence[Term | Weighted | tuple[float, Term]],
    settings: Settings = _USUAL,
    *,
    on_step: Callable[[State], bool | None] | None = None,
) -> Improvement:
    """Return a better path through keyframes, which it meets exactly; the best so far where it was stopped.

    penalties: each alone, or with its weight before it. on_step: called with each state; what it returns says whether
    to stop.
    """
    if on_step is not None and not callable(on_step):
        raise ArgumentError(f"on_step is {shown(on_step)}: a function that takes a state is needed")
    states = improving(keyframes, penalties, settings)
    stop = False
    while True:
        try:
            state = states.send(True) if stop else next(states)
        except StopIteration as end:
            improvement: Improvement = end.value
            return improvement
        stop = on_step is not None and bool(on_step(state))


def improving(
    keyframes: VectorKeyframes,
    penalties: Sequence[Term | Weighted | tuple[float, Term]],
    settings: Settings = _USUAL,
) -> Generator[State, bool | None, Improvement]:
    """Yield each state of an improvement, to be shown as it goes, and return what `inbetween_vectors` returns.

    A generator that is sent True stops; it may also simply be left.
    """
    if not isinstance(keyframes, VectorKeyframes):
        raise ArgumentError(f"the keyframes are {shown(keyframes)}: VectorKeyframes(...) is needed")
    if not isinstance(settings, Settings):
        raise ArgumentError(f"the settings are {shown(settings)}: Settings(...) is needed")
    began = time.perf_counter()
    initial = keyframes.spline(ends=settings.ends, end_velocities=settings.end_velocities)
    added = inner_times(initial.times, settings.between)
    path = initial.with_frames_at(added)
    sampling = path.sampling(settings.samples)
    first = path.samples(sampling)
    TermSum.of(penalties).parts(first)  # says what is wrong with a penalty before anything else is done with it
    objective = TermSum.of(penalties, first if settings.renormalise else None)
    rounds: list[Round] = []
    while True:
        problem = _Problem(path, sampling, objective)
        descent = descend(
            problem.value,
            problem.metric,
            path.variables,
            tolerance=settings.tolerance,
            iterations=settings.iterations,
            refresh=_REFRESH,
        )
        steps, start, value, status = -1, 0.0, 0.0, Status.STOPPED
        while True:
            try:
                point = next(descent)
            except StopIteration as end:
                status = end.value
                break
            steps, value = steps + 1, point.value
            start = value if steps == 0 else start
            path = path.with_variables(point.variables)
            if (yield State(len(rounds), steps, value, path)):
                break
        rounds.append(Round(added, value, steps, status))
        if status is Status.STOPPED or settings.subdivision is None or len(rounds) > settings.subdivision.rounds:
            break
        if len(rounds) > 1 and start - value < settings.worthwhile * start:
            break
        added = settings.subdivision.places(path, objective)
        if not len(added):
            break
        path = path.with_frames_at(added)
        sampling = path.sampling(settings.samples)
    before = initial.samples(Sampling(initial.space, sampling.quadrature))
    return Improvement(
        path,
        initial,
        objective.parts(before),
        objective.parts(path.samples(sampling)),
        tuple(rounds),
        time.perf_counter() - began,
    )


@dataclass(frozen=True, eq=False)
class _Problem:
    """The objective as a function of the variables of a path."""

    path: DynamicSpline
    sampling: Sampling
    objective: TermSum

    def value(self, variables: Array) -> tuple[float, Array]:
        """Return the objective and its gradient (n,)."""
        path = self.path.with_variables(variables)
        value, gradient = self.objective.evaluate(self.sampling.samples(path.coefficients))
        return value, path.gradient(self.sampling, gradient)

    def metric(self, variables: Array) -> Solver:
        """Return the inverse of the metric about the variables."""
        path = self.path.with_variables(variables)
        samples = path.samples(self.sampling)
        return metric_of(path, self.sampling, samples, self.objective.curvatures(samples))
