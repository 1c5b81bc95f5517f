"""Many transitions at once, on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Unpack

from segue.errors import ArgumentError
from segue.filling.options import OptionNames
from segue.library.cutting_moments import Moment
from segue.library.filling import ClipIndexes, transition
from segue.motion.motion import Motion


@dataclass(frozen=True)
class Join:
    """One transition among many: the arguments of `transition`."""

    first: Motion
    second: Motion
    duration: float | str = 0.6
    leave: Moment = None
    enter: Moment = None
    mode: str = "free"


def transitions(
    joins: Iterable[Join],
    *,
    threads: int | None = None,
    library: ClipIndexes | None = None,
    self_prior: bool | None = None,
    **options: Unpack[OptionNames],
) -> list[Motion]:
    """Return many transitions, made on all cores at once; the same motions as one after another.

    threads: how many to use; as many as the machine has cores where None. All else: as for `transition`.
    """
    wanted: Sequence[Join] = list(joins)
    if threads is not None and not (isinstance(threads, int) and threads > 0):
        raise ArgumentError(f"threads is {threads!r}: it must be a whole number above zero")

    for join in wanted:
        if not isinstance(join, Join):
            raise ArgumentError(f"transitions are made of Join(first, second, ...), not of {join!r}")

    def make(join: Join) -> Motion:
        return transition(
            join.first,
            join.second,
            join.duration,
            leave=join.leave,
            enter=join.enter,
            mode=join.mode,
            library=library,
            self_prior=self_prior,
            **options,
        )

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(make, wanted))
