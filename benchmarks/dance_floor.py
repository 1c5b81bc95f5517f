"""Dance floors: 6 couples on 8 by 12 m for 3 minutes: room, laps, the seed, and how much faster than real time."""

from __future__ import annotations

import json
import time
import warnings
from dataclasses import replace

from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue.dance.behaviour import Environment, Ground, both_parts, choreograph, evening_table, reports
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.errors import SegueWarning

DANCES = ("foxtrot", "waltz", "tango", "rumba")
ENVIRONMENT = Environment("waltz", None, 3.0, 6, 1, Ground(8.0, 12.0))
REAL_TIME = 1.0
LEAST_ROOM = 0.02  # m
LEAST_LAPS = 0.5
SHORT = 0.3  # min, danced twice for the seed


def main() -> list[Row]:
    """Measure on one thread; ratios are what was measured over what is asked."""
    return on_one_thread(_measure)


def _measure() -> list[Row]:
    warnings.simplefilter("ignore", SegueWarning)
    rows = []
    for dance in DANCES:
        rows += _evening(dance)
    return rows


def _evening(dance: str) -> list[Row]:
    parts, given = both_parts(DanceLibrary(SHIPPED), dance), replace(ENVIRONMENT, dance=dance)
    choreograph(replace(given, minutes=0.1, couples=1), parts)  # compiled functions are loaded
    # the processor's time, as others may be using it too
    start = time.process_time()
    evening = choreograph(given, parts)
    plans = [couple.plan for couple in evening.couples]
    seconds = time.process_time() - start
    fared = reports(evening)
    room, wall = min(each.room for each in fared), min(each.wall for each in fared)
    factor = evening.duration / seconds
    twice = [json.dumps(evening_table(choreograph(replace(given, minutes=SHORT), parts), boxes=True)) for _ in range(2)]
    rows = [
        Row(f"{dance}: real time, with {2 * len(plans)} plans", f"{factor:.1f} x", factor / REAL_TIME, 1.0),
        Row(f"{dance}: least room between couples", f"{100 * room:.0f} cm", room / LEAST_ROOM, 1.0),
        Row(f"{dance}: least room to the walls", f"{100 * wall:.0f} cm", wall / LEAST_ROOM, 1.0),
        Row(
            f"{dance}: twice from one seed",
            "the same" if twice[0] == twice[1] else "different",
            float(twice[0] == twice[1]),
            1.0,
        ),
    ]
    if evening.line is not None:
        laps = [each.laps for each in fared]
        rows.append(Row(f"{dance}: laps", f"{min(laps):.2f} to {max(laps):.2f}", min(laps) / LEAST_LAPS, 1.0))
    waited = sum(each.waited for each in fared) / (len(fared) * evening.beats)
    rows.append(Row(f"{dance}: time that was waited", f"{waited:.1%}"))
    return rows
