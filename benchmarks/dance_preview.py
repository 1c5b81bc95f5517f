"""Dances without dynamics: 16 bars of every shipped pattern, both parts and couples: the worst of each measure."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence

import numpy as np

from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue.dance import measure, measure_couple, preview, preview_couple
from segue.dance import plan as make_plan
from segue.dance.course.hold import Holding
from segue.dance.notation.model import Part
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.performance.measure import CoupleMeasures, Measures
from segue.errors import SegueWarning

BARS = 16
LIBRARY = DanceLibrary(SHIPPED)
PLANTED, LANDING, KNEE = 0.002, 1 / 60, np.radians(2.0)  # m, s, rad
FLOOR = OVERLAP = 0.001  # m
LIMITS = np.radians(1.0)
LEGS, JOINED = 0.02, 0.95  # m that legs of partners may overlap, and a share of the time
REAL_TIME = 20.0


def main() -> list[Row]:
    """Measure on one thread; ratios are what is asked over what was measured, or the other way where more is better."""
    return on_one_thread(_measure)


def _measure() -> list[Row]:
    warnings.simplefilter("ignore", SegueWarning)
    titles = [entry.title for entry in LIBRARY.entries()]
    preview_couple(titles[0], library=LIBRARY)  # compiled functions are loaded
    return [*_alone(titles), *_together(titles)]


def _alone(titles: Sequence[str]) -> list[Row]:
    found: dict[str, Measures] = {}
    danced = seconds = 0.0
    for title in titles:
        for part in Part:
            plan = make_plan(title, part=part, bars=BARS, library=LIBRARY)
            # the processor's time, as others may be using it too
            start = time.process_time()
            motion = preview(plan)
            seconds += time.process_time() - start
            danced += motion.duration
            found[f"{title}, {part}"] = measure(plan, motion)
    return [
        Row(f"{len(found)} dances alone: real time", f"{danced / seconds:.0f} x", danced / seconds / REAL_TIME, 1.0),
        *_own_measures("alone", found),
    ]


def _own_measures(who: str, found: dict[str, Measures]) -> list[Row]:
    """Return the worst of everybody's own measures, and whose it was."""
    rows = []
    for words, unit, scale, most, name in (
        ("planted feet move", "mm", 1e3, PLANTED, "planted"),
        ("landing off the beat", "ms", 1e3, LANDING, "landing"),
        ("foot below the floor", "mm", 1e3, FLOOR, "floor"),
        ("foot in foot", "mm", 1e3, OVERLAP, "overlap"),
        ("joint beyond its range", "degrees", float(np.degrees(1.0)), LIMITS, "limits"),
    ):
        worst, value = max(
            ((title, abs(getattr(each, name))) for title, each in found.items()), key=lambda item: item[1]
        )
        rows.append(Row(f"{who}: {words}", _figure(scale * value, unit, worst), most / max(value, 1e-9), 1.0))
    worst, knee = min(((title, each.knee) for title, each in found.items()), key=lambda item: item[1])
    rows.append(Row(f"{who}: least knee flexion", _figure(float(np.degrees(knee)), "degrees", worst), knee / KNEE, 1.0))
    return rows


def _together(titles: Sequence[str]) -> list[Row]:
    found: dict[str, CoupleMeasures] = {}
    closed: dict[str, CoupleMeasures] = {}
    danced = seconds = 0.0
    for title in titles:
        start = time.process_time()
        pair = preview_couple(title, bars=BARS, library=LIBRARY)
        seconds += time.process_time() - start
        danced += pair.leader.duration
        found[title] = measure_couple(pair)
        if pair.holding is Holding.CLOSED:
            closed[title] = found[title]
    own = {f"{title}, {part}": getattr(each, part) for title, each in found.items() for part in Part}
    feet, legs, trunks = (
        min((getattr(each, name), title) for title, each in found.items()) for name in ("feet", "legs", "trunks")
    )
    joined, embraced = (
        min((getattr(each, name), title) for title, each in closed.items()) for name in ("joined", "embraced")
    )
    return [
        Row(f"{len(found)} couples: real time", f"{danced / seconds:.0f} x", danced / seconds / REAL_TIME, 1.0),
        *_own_measures("couples", own),
        Row("couples: gap of feet", _figure(1e3 * feet[0], "mm", feet[1]), float(feet[0] >= 0.0), 1.0),
        Row("couples: gap of legs", _figure(1e3 * legs[0], "mm", legs[1]), float(legs[0] >= -LEGS), 1.0),
        Row("couples: gap of trunks", _figure(1e3 * trunks[0], "mm", trunks[1]), float(trunks[0] >= 0.0), 1.0),
        Row("closed hold: palms joined", f"{joined[0]:.0%} ({joined[1]})", joined[0] / JOINED, 1.0),
        Row("closed hold: hand on the back", f"{embraced[0]:.0%} ({embraced[1]})", embraced[0] / JOINED, 1.0),
    ]


def _figure(value: float, unit: str, worst: str) -> str:
    return f"{value:.2f} {unit} ({worst})"
