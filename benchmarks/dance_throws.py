"""Thrown dancers: 200 random hard pushes, each from a state off by 1e-9, which imitates another processor.

As a script it takes how many pushes and a seed: python -m benchmarks.dance_throws 20 1
"""

from __future__ import annotations

import sys
from collections import Counter

from rich.console import Console
from rich.progress import track
from tests.support.thrown import Thrown, hard_pushes, throw

from benchmarks import Row
from segue.errors import SegueError

COUNT, SEED = 200, 1


def main(count: int = COUNT, seed: int = SEED) -> list[Row]:
    """Throw dancers, and return how many fell, what raised and how fast joints became."""
    outcomes: list[Thrown] = []
    raised: Counter[str] = Counter()
    for k, push in enumerate(track(hard_pushes(count, seed), "throwing", console=Console(stderr=True))):
        try:
            outcomes.append(throw(push, k))
        except SegueError as error:
            raised[str(error)] += 1
    fell = sum(each.fell for each in outcomes)
    stable = sum(each.stable for each in outcomes)
    fastest = max((each.speed for each in outcomes), default=0.0)
    gained = max((each.gained for each in outcomes), default=0.0)
    return [
        Row("hard pushes that fell the dancer", f"{fell} of {count}", fell / count, 1.0),
        Row("simulated without an exception", f"{len(outcomes)} of {count}", len(outcomes) / count, 1.0),
        Row("states that the engine could integrate", f"{stable} of {count}", stable / count, 1.0),
        Row("fastest joint", f"{fastest:.0f} rad/s"),
        Row("energy that a passive body gained", f"{gained:.1f} J"),
        *(Row(sentence, f"{times} times") for sentence, times in raised.items()),
    ]


if __name__ == "__main__":
    for row in main(*(int(each) for each in sys.argv[1:])):
        print(f"{row.subject:40} {row.figure}")
