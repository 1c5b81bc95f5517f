"""The plausibility report: does a body with mass move like this?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.motion.motion import Motion
from segue.plausibility.flight import Flight, Flights, ballistic_error
from segue.plausibility.jerk import Jerk, jerk_peak
from segue.plausibility.jumps import Break, Jumps, find_jumps
from segue.plausibility.limits import JointExcess, LimitExcess, joint_excess
from segue.plausibility.observed import Observed, observe
from segue.plausibility.penetration import Penetration, floor_penetration
from segue.plausibility.slide import PlantedFoot, Slide, foot_slide
from segue.plausibility.thresholds import Thresholds
from segue.plausibility.torque import Torque, Torques, torque_peaks

__all__ = ["Check", "Plausibility", "examine", "plausibility"]


@dataclass(frozen=True)
class Check:
    """One measure against its threshold: its value and the most it may be, in a unit; where that is, and when (s)."""

    name: str
    value: float
    most: float
    unit: str
    where: str = ""
    time: float | None = None

    @property
    def passed(self) -> bool:
        """Whether the value is not above the threshold."""
        return self.value <= self.most


@dataclass(frozen=True)
class Plausibility:
    """What was measured in the frames from start to stop, in s."""

    frames: int
    fps: float
    start: float
    stop: float
    slide: Slide
    penetration: Penetration
    limits: LimitExcess
    jumps: Jumps
    jerk: Jerk
    flights: Flights
    torques: Torques

    def checks(self, thresholds: Thresholds | None = None) -> list[Check]:
        """Return every measure that has a threshold, with it."""
        most = Thresholds() if thresholds is None else thresholds
        foot, sunk, flight, effort = self.slide.worst, self.penetration, self.flights.worst, self.torques.worst
        limit, bend = self.limits.worst, next((entry for entry in self.limits.joints if entry.is_bend), None)
        turn, move = self.jumps.turn, self.jumps.move
        return [
            Check("foot slide", 100 * self.slide.largest, most.slide_cm, "cm", *_during(foot)),
            Check("floor penetration", 100 * sunk.depth, most.penetration_cm, "cm", *_at(sunk.point, sunk.time)),
            Check("joint limits", _degrees(limit.excess if limit else 0.0), most.limit_deg, "degrees", *_excess(limit)),
            Check("knees and elbows", _degrees(bend.excess if bend else 0.0), most.bend_deg, "degrees", *_excess(bend)),
            Check("joint jump", _degrees(turn.size if turn else 0.0), most.jump_deg, "degrees", *_break(turn)),
            Check("root jump", 100 * move.size if move else 0.0, most.jump_cm, "cm", *_break(move)),
            Check("jerk", self.jerk.largest, most.jerk, "m/s^3", *_at(self.jerk.point, self.jerk.time)),
            Check("flight", flight.rms if flight else 0.0, most.flight_error, "m/s^2", *_flight(flight)),
            Check(
                "torque",
                effort.effort if effort else 0.0,
                most.effort,
                "x strength",
                *(_at(effort.joint, effort.time) if effort else ("", None)),
            ),
        ]

    def problems(self, thresholds: Thresholds | None = None) -> list[str]:
        """Return a sentence for each measure above its threshold; none if the motion is plausible."""
        return [
            f"{check.name}: {check.value:.4g} {check.unit} ({check.where}), at most {check.most:g} are plausible"
            for check in self.checks(thresholds)
            if not check.passed
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, units in the names; null where there was nothing to measure."""
        return {
            "frames": self.frames,
            "fps": self.fps,
            "start_s": self.start,
            "stop_s": self.stop,
            "slide": {
                "slide_cm": 100 * self.slide.largest,
                "mean_cm_per_s": 100 * self.slide.speed,
                "worst": self.slide.worst and _planted(self.slide.worst),
                "planted": [_planted(foot) for foot in self.slide.planted],
            },
            "penetration": {
                "depth_cm": 100 * self.penetration.depth,
                "point": self.penetration.point,
                "time_s": self.penetration.time,
                "floor_cm": 100 * self.penetration.floor,
            },
            "limits": {
                "excess_deg": _degrees(self.limits.largest),
                "joints": [
                    {"joint": each.joint, "excess_deg": _degrees(each.excess), "time_s": each.time}
                    for each in self.limits.joints
                ],
            },
            "jumps": {
                "joint": _broken(self.jumps.turn, "jump_deg", np.degrees(1.0)),
                "root": _broken(self.jumps.move, "jump_cm", 100.0),
                "joint_velocity": _broken(self.jumps.turn_kink, "step_deg_per_s", np.degrees(1.0)),
                "root_velocity": _broken(self.jumps.move_kink, "step_m_per_s", 1.0),
            },
            "jerk": {
                "peak_m_per_s3": self.jerk.largest,
                "rms_m_per_s3": self.jerk.rms,
                "point": self.jerk.point,
                "time_s": self.jerk.time,
            },
            "flight": {
                "rms_m_per_s2": self.flights.rms,
                "duration_s": self.flights.seconds,
                "flights": [
                    {
                        "start_s": flight.start,
                        "stop_s": flight.stop,
                        "rms_m_per_s2": flight.rms,
                        "largest_m_per_s2": flight.largest,
                        "fall_m_per_s2": flight.fall,
                    }
                    for flight in self.flights.flights
                ],
            },
            "torque": {
                "effort": self.torques.worst.effort if self.torques.worst else 0.0,
                "joints": [_torque(torque) for torque in self.torques.joints],
            },
        }


def plausibility(
    motion: Motion, *, start: float | None = None, stop: float | None = None, floor: float | None = None
) -> Plausibility:
    """Return how plausible a motion is, or the part of it from start to stop (s), such as a seam.

    Frames outside the window do not count, but those next to it are seen: derivatives, contacts and what is usual for
    a joint come from the whole motion. floor: its height in m, found where not given.
    """
    return examine(observe(motion, floor), start, stop)


def examine(seen: Observed, start: float | None = None, stop: float | None = None) -> Plausibility:
    """Return how plausible is what was observed of a motion, from start to stop (s)."""
    chosen = seen.within(start, stop)
    body = list(seen.body)
    names = [seen.names[joint] for joint in body]
    return Plausibility(
        frames=int(chosen.sum()),
        fps=seen.fps,
        start=float(seen.times[chosen][0]),
        stop=float(seen.times[chosen][-1]),
        slide=foot_slide(seen.times, seen.soles, seen.bearing, chosen),
        penetration=floor_penetration(seen.times, seen.soles, seen.floor, chosen),
        limits=joint_excess(seen.times, seen.segments, chosen),
        jumps=find_jumps(seen.times, names, seen.local[:, body], seen.root, chosen, struck=seen.struck),
        jerk=jerk_peak(seen.times, seen.extremes, chosen),
        flights=ballistic_error(seen.times, seen.centre_of_mass, seen.aloft, chosen),
        torques=torque_peaks(seen.times, seen.torques, chosen),
    )


_Where = tuple[str, float | None]


def _at(what: str | None, time: float | None) -> _Where:
    return ("", None) if what is None or time is None else (f"{what.replace('_', ' ')} at {time:.2f} s", time)


def _during(foot: PlantedFoot | None) -> _Where:
    if foot is None:
        return "", None
    named = f"{foot.point.replace('_', ' ')} from {foot.start:.2f} to {foot.stop:.2f} s"
    return named, 0.5 * (foot.start + foot.stop)


def _flight(flight: Flight | None) -> _Where:
    if flight is None:
        return "", None
    named = f"falls at {flight.fall:.1f} m/s^2 from {flight.start:.2f} to {flight.stop:.2f} s"
    return named, 0.5 * (flight.start + flight.stop)


def _excess(entry: JointExcess | None) -> _Where:
    return _at(entry.joint, entry.time) if entry else ("", None)


def _break(found: Break | None) -> _Where:
    return (f"{found.joint} at {found.time:.2f} s, frame {found.frame}", found.time) if found else ("", None)


def _degrees(angle: float) -> float:
    return float(np.degrees(angle))


def _planted(foot: PlantedFoot) -> dict[str, Any]:
    return {
        "point": foot.point,
        "start_s": foot.start,
        "stop_s": foot.stop,
        "slide_cm": 100 * foot.slide,
        "path_cm": 100 * foot.path,
    }


def _broken(found: Break | None, name: str, factor: float) -> dict[str, Any] | None:
    if found is None:
        return None
    return {name: float(factor * found.size), "name": found.joint, "time_s": found.time, "frame": found.frame}


def _torque(torque: Torque) -> dict[str, Any]:
    return {
        "joint": torque.joint,
        "peak_n_m_per_kg": torque.largest,
        "time_s": torque.time,
        "strength_n_m_per_kg": torque.strength,
        "effort": torque.effort,
    }
