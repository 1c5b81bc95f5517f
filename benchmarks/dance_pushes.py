"""Pushed dancers: how many of 100 random shoves in a foxtrot are survived, with adjusted steps and without.

As a script it takes how many pushes, a seed and how many processes: python -m benchmarks.dance_pushes 20 1 2
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from tests.support.simulated_plans import foxtrot, plan_of

from benchmarks import Row
from segue.dance.planning.model import Plan
from segue.dance.simulation.dancer import Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.push import Push, PushForces

COUNT, SEED = 100, 1
LASTING, AFTER = 0.1, 4.0  # s of a push, and s after it that the dancer must not fall in
SIZES = ((2.0, 5.0), (5.0, 8.0), (8.0, 11.0), (11.0, 15.0))  # N s
WAYS = ("front", "left", "back", "right")
BEAT, LEAD_IN = 2.0 / 3.0, 1.6  # s
TARGET = 0.9  # of all pushes


class Trial(NamedTuple):
    """A push, and whether it was survived with adjusted steps, and without."""

    push: Push
    adjusting: bool
    stubborn: bool

    @property
    def impulse(self) -> float:
        """In N s."""
        return self.push.force * self.push.duration

    @property
    def way(self) -> str:
        """The side that it pushes to, as the dancer faces."""
        return WAYS[round(self.push.angle / (0.5 * np.pi)) % len(WAYS)]


def plan() -> Plan:
    """Return a foxtrot, forward and back, at 90 beats a minute."""
    return plan_of(foxtrot(1, BEAT), lead_in=LEAD_IN)


def pushes(count: int, seed: int) -> list[Push]:
    """Return random pushes on chest or pelvis, in any direction, from the first shift of weight to the last step."""
    random = np.random.default_rng(seed)
    first, last = 0.5 * LEAD_IN, plan().stop - 1.5
    found = []
    for _ in range(count):
        impulse, degrees = random.uniform(SIZES[0][0], SIZES[-1][1]), random.uniform(0.0, 360.0)
        segment = ("torso", "pelvis")[random.integers(2)]
        time = round(random.uniform(first, last), 3)
        found.append(Push(time, impulse / LASTING, LASTING, f"{degrees:.1f} deg", segment))
    return found


def survives(push: Push, adjusting: bool) -> bool:
    """Return whether a dancer stands until some seconds after a push; who is at the end of the dance stands on."""
    dancer = Dancer(InitialState.of(plan(), Environment()), [PushForces([push])], adjusting=adjusting)
    while dancer.fall is None and dancer.time < push.time + AFTER:
        dancer.tick()
    return dancer.fall is None


def trial(push: Push) -> Trial:
    """Return how a push goes with adjusted steps, and without."""
    return Trial(push, survives(push, True), survives(push, False))


def trials(count: int, seed: int, processes: int) -> list[Trial]:
    """Return the trials of random pushes, with progress shown."""
    cases = pushes(count, seed)
    console = Console(stderr=True)
    if processes == 1:
        return [trial(case) for case in track(cases, "pushing", console=console)]
    with ProcessPoolExecutor(processes) as pool:
        return list(track(pool.map(trial, cases), "pushing", count, console=console))


def _rows(found: Sequence[Trial]) -> Iterator[Row]:
    groups = {"all": list(found)}
    for least, most in SIZES:
        groups[f"{least:g} to {most:g} N s"] = [each for each in found if least <= each.impulse < most]
    groups |= {f"to the {way}": [each for each in found if each.way == way] for way in WAYS}
    for subject, chosen in groups.items():
        if chosen:
            held, stubborn = sum(each.adjusting for each in chosen), sum(each.stubborn for each in chosen)
            figure = f"{held} of {len(chosen)} survived; without adjusted steps {stubborn}"
            yield Row(f"pushes, {subject}", figure, held / len(chosen), TARGET)


def main(count: int = COUNT, seed: int = SEED, processes: int = 1) -> list[Row]:
    """Push dancers, and return the share that survives by size and direction."""
    return list(_rows(trials(count, seed, processes)))


if __name__ == "__main__":
    for row in main(*(int(each) for each in sys.argv[1:])):
        print(f"{row.subject:24} {row.figure}")
