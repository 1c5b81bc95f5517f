"""Findings: each measure beside its thresholds, and how bad that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from segue.plausibility.flight import Flight
from segue.plausibility.jumps import Break, Interpolation
from segue.plausibility.limits import JointExcess
from segue.plausibility.measures import Measures
from segue.plausibility.push import Push
from segue.plausibility.slide import PlantedFoot
from segue.plausibility.thresholds import Threshold, Thresholds

MEASURES = {
    "slide_cm": ("foot slide", "cm"),
    "drag_cm": ("foot drag", "cm"),
    "sink_cm": ("sink", "cm"),
    "penetration_cm": ("floor penetration", "cm"),
    "limit_deg": ("joint limits", "degrees"),
    "bend_deg": ("knees and elbows", "degrees"),
    "twist_deg": ("twist limits", "degrees"),
    "pop_cm": ("joint pop", "cm"),
    "pop_deg": ("rotation pop", "degrees"),
    "root_pop_cm": ("root pop", "cm"),
    "linear_s": ("interpolation", "s"),
    "jerk": ("jerk", "m/s^3"),
    "fall": ("flight", "m/s^2"),
    "float_s": ("floating", "s"),
    "torque": ("torque", "x strength"),
    "push": ("unexplained push", "N/kg"),
    "rate": ("frame rate", "x too fast"),
    "speed_percent": ("speed", "percent"),
}
"""The measure and the unit that each threshold is for."""
_MANY = 1000.0  # from which a value is written in whole numbers


class Severity(IntEnum):
    """How bad a finding is."""

    FINE = 0
    SUSPICIOUS = 1
    FAULT = 2

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Finding:
    """One measure: its value in its unit, its threshold by name, where it is and when (s).

    added: whether the value is what a motion adds to its source, and not what it shows.
    """

    measure: str
    value: float
    unit: str
    option: str
    threshold: Threshold
    where: str = ""
    time: float | None = None
    added: bool = False

    @property
    def severity(self) -> Severity:
        """How bad the value is."""
        return Severity((self.value > self.threshold.suspicious) + (self.value > self.threshold.fault))

    @property
    def badness(self) -> tuple[int, float]:
        """The severity, and the value as a multiple of what is suspicious: what findings are compared by."""
        return self.severity, self.value / self.threshold.suspicious if self.threshold.suspicious else math.inf

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        more = " more than the source" if self.added and self.option != "speed_percent" else ""
        limit = self.threshold.fault if self.severity is Severity.FAULT else self.threshold.suspicious
        value = f"{self.value:.3g}" if self.value < _MANY else f"{self.value:,.0f}"
        return f"{self.measure}: {value} {self.unit}{more}{place}, {self.severity} above {limit:g}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, which has no infinity: null is a threshold that anything passes."""
        suspicious, fault = (limit if math.isfinite(limit) else None for limit in self.threshold)
        return {
            "measure": self.measure,
            "severity": str(self.severity),
            "value": self.value,
            "unit": self.unit,
            "option": self.option,
            "suspicious_above": suspicious,
            "fault_above": fault,
            "where": self.where,
            "time_s": self.time,
            "added_to_source": self.added,
        }


Place = tuple[str, float | None]


def find(
    option: str, value: float, thresholds: Thresholds, place: Place = ("", None), *, added: bool = False
) -> Finding:
    """Return a finding by the name of its threshold."""
    name, unit = MEASURES[option]
    return Finding(name, float(value), unit, option, thresholds.of(option), *place, added)


def findings_of(measures: Measures, thresholds: Thresholds) -> tuple[Finding, ...]:
    """Return every measure that has a threshold, with it."""
    jumps, jerk, sunk, low = measures.jumps, measures.jerk, measures.sink, measures.penetration
    slid, dragged = (measures.slide.worst_of(with_body=together) for together in (True, False))
    sure = next((entry for entry in measures.limits.joints if not entry.is_unsure), None)
    bend = next((entry for entry in measures.limits.joints if entry.is_bend), None)
    twist = next((entry for entry in measures.limits.joints if entry.is_unsure), None)
    flight, hovering, effort = measures.flights.worst, measures.flights.floating, measures.torques.worst
    values: dict[str, tuple[float, Place]] = {
        "slide_cm": (100 * slid.slide if slid else 0.0, _during(slid)),
        "drag_cm": (100 * dragged.slide if dragged else 0.0, _during(dragged)),
        "sink_cm": (100 * abs(sunk.shift), _at(sunk.point, sunk.time)),
        "penetration_cm": (100 * low.depth, _at(low.point, low.time)),
        "limit_deg": _excess(sure),
        "bend_deg": _excess(bend),
        "twist_deg": _excess(twist),
        "pop_cm": _break(jumps.pop, 100.0),
        "pop_deg": _break(jumps.turn, math.degrees(1.0)),
        "root_pop_cm": _break(jumps.move, 100.0),
        "linear_s": _interpolation(measures.interpolation),
        "jerk": (jerk.largest, _at(jerk.point, jerk.time)),
        "fall": (flight.error, _flight(flight)) if flight and flight.error else (0.0, ("", None)),
        "float_s": (hovering.stop - hovering.start if hovering else 0.0, _flight(hovering)),
        "torque": (effort.effort, _at(effort.joint, effort.time)) if effort else (0.0, ("", None)),
        "push": (measures.push.largest, _between(measures.push)),
        "rate": _rate(measures.push.speed),
    }
    return tuple(find(option, value, thresholds, place) for option, (value, place) in values.items())


def _at(what: str | None, time: float | None) -> Place:
    return ("", None) if what is None or time is None else (f"{what.replace('_', ' ')} at {time:.2f} s", time)


def _during(foot: PlantedFoot | None) -> Place:
    if foot is None:
        return "", None
    named = f"{foot.point.replace('_', ' ')} from {foot.start:.2f} to {foot.stop:.2f} s"
    return named, 0.5 * (foot.start + foot.stop)


def _flight(flight: Flight | None) -> Place:
    if flight is None:
        return "", None
    named = f"falls at {flight.fall:.1f} m/s^2 from {flight.start:.2f} to {flight.stop:.2f} s"
    return named, 0.5 * (flight.start + flight.stop)


def _between(push: Push) -> Place:
    if push.start is None or push.stop is None:
        return "", None
    return f"from {push.start:.2f} to {push.stop:.2f} s", 0.5 * (push.start + push.stop)


def _rate(speed: float | None) -> tuple[float, Place]:
    if speed is None:
        return 1.0, ("", None)
    return speed, (f"the frame rate of this clip is probably wrong ({speed:.1f} times)", None)


def _excess(entry: JointExcess | None) -> tuple[float, Place]:
    return (math.degrees(entry.excess), _at(entry.joint, entry.time)) if entry else (0.0, ("", None))


def _interpolation(found: Interpolation | None) -> tuple[float, Place]:
    if found is None:
        return 0.0, ("", None)
    return found.seconds, (f"all joints from {found.start:.2f} to {found.stop:.2f} s", found.start)


def _break(found: Break | None, factor: float) -> tuple[float, Place]:
    if found is None:
        return 0.0, ("", None)
    return factor * found.size, (f"{found.joint} at {found.time:.2f} s, frame {found.frame}", found.time)
