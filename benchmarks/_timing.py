"""Fair comparison on a busy machine: contestants take turns in one process, and each keeps its best time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping


def best_times(contestants: Mapping[str, tuple[Callable[[], object], int]], rounds: int = 60) -> dict[str, float]:
    """Return the least seconds a call of each contestant, given as a function and how often to call it in a turn."""
    best = dict.fromkeys(contestants, float("inf"))
    for function, _ in contestants.values():
        function()
    for _ in range(rounds):
        for name, (function, calls) in contestants.items():
            start = time.perf_counter()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (time.perf_counter() - start) / calls)
    return best
