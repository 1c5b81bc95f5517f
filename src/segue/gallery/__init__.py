"""The figures of [Rose1996] and what goes beyond them, made by us: one a file, and the page that shows them.

`makers` says how each is made; `segue.demo` is the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from segue.gallery.dancing import dancing, sharing_a_floor
from segue.gallery.dancing_by_torques import can_simulate, dancing_by_torques
from segue.gallery.exhibit import Exhibit, Shown, Timing, Workshop
from segue.gallery.figure_2 import feet
from segue.gallery.figure_3 import cycling
from segue.gallery.figure_6 import composing
from segue.gallery.figure_8 import joining
from segue.gallery.figure_9 import saluting
from segue.gallery.figure_10 import lowering
from segue.gallery.from_library import filling
from segue.gallery.index import front_page
from segue.gallery.library import built_in_clips, captured_clips
from segue.gallery.readiness import get_ready, readying_the_dancer
from segue.gallery.six_motions import captured_chain, chain
from segue.gallery.timings import COLUMNS, cells, measured, table

__all__ = [
    "COLUMNS",
    "Exhibit",
    "Shown",
    "Timing",
    "Workshop",
    "cells",
    "front_page",
    "get_ready",
    "makers",
    "measured",
    "readying_the_dancer",
    "table",
]

_REAL_WALK = "walk_07_01"


def makers(mocap: Path) -> Iterator[tuple[str, float, Callable[[Workshop], Exhibit | None]]]:
    """Yield what is made, about how much of the time it takes, and what makes it; mocap: a folder of real clips."""
    real_walk = next(iter(sorted(mocap.glob(f"*/{_REAL_WALK}.bvh"))), None)
    yield "figure 2", 2.0, feet
    yield "figure 3", 6.0, lambda shop: cycling(shop, real_walk)
    yield "figure 6", 6.0, composing
    yield "figures 7 and 8", 5.0, joining
    yield "six motions", 10.0, chain
    yield "figure 9", 5.0, saluting
    yield "figure 10", 2.0, lowering
    yield "from a library", 4.0, lambda shop: filling(shop, mocap)
    yield "dancing", 5.0, dancing
    if can_simulate():
        yield "dancing by torques", 6.0, dancing_by_torques
    yield "a floor of couples", 6.0, sharing_a_floor
    if any(mocap.glob("*/*.bvh")):
        yield "captured motions", 5.0, lambda shop: captured_chain(shop, mocap)
        yield "captured people", 4.0, lambda shop: captured_clips(shop, mocap)
    yield "built-in clips", 4.0, built_in_clips
