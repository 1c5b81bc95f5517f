"""Measured figures, each against a peer or a target, run on request: `python -m benchmarks [name...]`.

A benchmark is a module here with a docstring and a function `main()` that returns its `Row`s.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

__all__ = ["Row", "medians"]


@dataclass(frozen=True)
class Row:
    """One line of a report: what was measured, the figure in words, and where there is one, a ratio and its target."""

    subject: str
    figure: str
    ratio: float | None = None
    target: float | None = None

    @property
    def verdict(self) -> str:
        """Say whether the ratio reaches the target; empty where either is missing."""
        if self.ratio is None or self.target is None:
            return ""
        return "pass" if self.ratio >= self.target else "short"


def medians(
    contenders: Mapping[str, Callable[[], object]],
    repeats: int = 7,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the median seconds of each function, warmed up, taking turns so that a busy machine is unfair to none."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for run in contenders.values():
        run()
    for _ in range(repeats):
        for name, run in contenders.items():
            start = clock()
            run()
            seconds[name].append(clock() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}
