"""Report an evening: laps, gaps, patterns, and the behaviours that decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from segue.dance.behaviour._room_kernels import least_gap, wall_gaps
from segue.dance.behaviour.choreography import Choreography, DancedCouple
from segue.dance.behaviour.couple import Decision
from segue.dance.behaviour.motion_verbs import CELLS
from segue.dance.behaviour.position_verbs import CouplePositions, boxes_over, couple_positions
from segue.typing import Array

_RATE = 20.0  # samples per second of the gaps
_SAID = 3  # behaviours that a log line names


class CoupleReport(NamedTuple):
    """Report of one couple.

    laps, metres: along the line of dance, 0 in a dance without one. patterns: count of each. waited: beats of waiting.
    decided: count of each behaviour as the most decisive one. room: least gap to another couple in m, infinite if there
    is none. wall: least gap to a wall in m. Both gaps include bodies, arms and feet.
    """

    name: str
    laps: float
    metres: float
    patterns: Mapping[str, int]
    waited: int
    decided: Mapping[str, int]
    room: float
    wall: float


def positions_over_time(evening: Choreography, rate: float) -> tuple[Array, list[CouplePositions]]:
    """Return times (T,) of an evening at a rate per second, and the positions of every couple."""
    times = np.arange(round(evening.duration * rate) + 1) / rate
    return times, [couple_positions(couple.plan, times) for couple in evening.couples]


def reports(evening: Choreography) -> tuple[CoupleReport, ...]:
    """Return a report of each couple, from the plan of the whole evening."""
    ground = evening.environment.floor
    boxes = [
        boxes_over(placing, couple.planner.shape, 1)
        for couple, placing in zip(evening.couples, positions_over_time(evening, _RATE)[1], strict=True)
    ]
    found = []
    for k, (couple, own) in enumerate(zip(evening.couples, boxes, strict=True)):
        verbs = [decision.verb for decision in couple.decisions]
        metres = _metres(evening, couple)
        others = [float(least_gap(own, other)) for j, other in enumerate(boxes) if j != k]
        found.append(
            CoupleReport(
                couple.dancer.name,
                metres / evening.line.lap if evening.line else 0.0,
                metres,
                _counted([verb.title for verb in verbs]),
                sum(verb.beats for verb in verbs if verb.waits),
                _counted([decision.votes[0].process for decision in couple.decisions]),
                min(others, default=float("inf")),
                float(wall_gaps(own, 0.5 * ground.width, 0.5 * ground.length).min()),
            )
        )
    return tuple(found)


def _metres(evening: Choreography, couple: DancedCouple) -> float:
    if evening.line is None:
        return 0.0
    along = evening.line.locate(couple.course[:, 0], couple.course[:, 1]).along
    return float(evening.line.advance(along[:-1], along[1:]).sum())


def _counted(names: Sequence[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda each: (-each[1], each[0])))


def decision_lines(evening: Choreography) -> Iterator[str]:
    """Yield a line for every decision: time, couple, choice, decisive behaviours, and refused verbs."""
    return (_line(evening, decision) for decision in evening.decisions)


def _line(evening: Choreography, decision: Decision) -> str:
    bar, beat = divmod(decision.beat, evening.tempo.beats_per_bar)
    name = evening.couples[decision.couple].dancer.name
    votes = ", ".join(f"{each.process} ({each.priority:.2f} x {each.rating:+.2f})" for each in decision.votes[:_SAID])
    refused = ", ".join(dict.fromkeys(f"{each.verb} ({each.obstacle})" for each in decision.refused[:_SAID]))
    more = f" and {len(decision.refused) - _SAID} more" if len(decision.refused) > _SAID else ""
    return f"bar {bar + 1:>3}.{beat + 1}  {name}: {decision.verb.name}, for {votes}" + (
        f"; not safe: {refused}{more}" if refused else ""
    )


def evening_table(evening: Choreography, *, boxes: bool = False) -> dict[str, Any]:
    """Return an evening as a table for JSON: decisions with places, times and votes, and reports.

    boxes: include the floor that every couple claimed in every quarter of a beat.
    """
    found = reports(evening)
    couples = []
    for couple, report in zip(evening.couples, found, strict=True):
        danced = [
            {
                "beat": decision.beat,
                "pattern": decision.verb.title,
                "eighths_added": decision.verb.curve,
                "at": _rounded(decision.frame),
                "votes": {each.process: _rounded((each.priority, each.rating)) for each in decision.votes},
                "not_safe": [list(each) for each in decision.refused],
            }
            for decision in couple.decisions
        ]
        fared = report._asdict() | {
            key: None if value == float("inf") else round(value, 4)
            for key, value in report._asdict().items()
            if isinstance(value, float)
        }
        taken = {"boxes": [_rounded(box) for box in couple.course.tolist()]} if boxes else {}
        couples.append({**fared, "begins": _stance(couple), "decisions": danced, **taken})
    return {
        "environment": asdict(evening.environment),
        "bars_a_minute": evening.tempo.bars,
        "beats_a_bar": evening.tempo.beats_per_bar,
        "beats": evening.beats,
        "seconds": round(evening.duration, 4),
        "lap": None if evening.line is None else round(evening.line.lap, 4),
        **({"boxes_a_beat": CELLS} if boxes else {}),
        "couples": couples,
    }


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(float(each), 4) + 0.0 for each in numbers]


def _stance(couple: DancedCouple) -> dict[str, object]:
    begins = couple.begins
    return {
        "left": _rounded(begins.left),
        "right": _rounded(begins.right),
        "heading": round(begins.heading, 4),
        "weight": begins.weight,
    }
