"""All measures of a motion, or of some of its frames, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.plausibility.flight import Flights, ballistic_error
from segue.plausibility.jumps import Break, Interpolation, Jerk, Jumps, find_interpolation, find_jumps, jerk_peak
from segue.plausibility.limits import LimitExcess, joint_excess
from segue.plausibility.observed import Observed
from segue.plausibility.push import Push, largest_push
from segue.plausibility.slide import Penetration, PlantedFoot, Sink, Slide, body_sink, foot_slide, ground_penetration
from segue.plausibility.torque import Torque, Torques, torque_peaks
from segue.typing import Flags

_TRUNK = ("pelvis", "torso", "head")


@dataclass(frozen=True)
class Measures:
    """All measures of the frames from start to stop, in s."""

    frames: int
    fps: float
    start: float
    stop: float
    slide: Slide
    sink: Sink
    penetration: Penetration
    limits: LimitExcess
    jumps: Jumps
    interpolation: Interpolation | None
    jerk: Jerk
    flights: Flights
    torques: Torques
    push: Push

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
            "sink": {"shift_cm": 100 * self.sink.shift, "point": self.sink.point, "time_s": self.sink.time},
            "penetration": {
                "depth_cm": 100 * self.penetration.depth,
                "point": self.penetration.point,
                "time_s": self.penetration.time,
                "ground_cm": None if self.penetration.ground is None else 100 * self.penetration.ground,
            },
            "limits": {
                "excess_deg": _degrees(self.limits.largest),
                "joints": [
                    {"joint": each.joint, "excess_deg": _degrees(each.excess), "time_s": each.time}
                    for each in self.limits.joints
                ],
            },
            "jumps": {
                "joint": _broken(self.jumps.pop, "pop_cm", 100.0),
                "joint_rotation": _broken(self.jumps.turn, "pop_deg", np.degrees(1.0)),
                "root": _broken(self.jumps.move, "pop_cm", 100.0),
                "joint_velocity": _broken(self.jumps.turn_kink, "step_deg_per_s", np.degrees(1.0)),
                "root_velocity": _broken(self.jumps.move_kink, "step_m_per_s", 1.0),
            },
            "interpolation": self.interpolation
            and {"linear_s": self.interpolation.seconds, "start_s": self.interpolation.start},
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
            "push": {
                "unexplained_n_per_kg": self.push.largest,
                "start_s": self.push.start,
                "stop_s": self.push.stop,
                "times_too_fast": self.push.speed,
            },
        }


def measure(seen: Observed, chosen: Flags) -> Measures:
    """Return all measures of the chosen frames (T,), of which there must be at least one.

    Other frames do not count, but are seen: derivatives and contacts come from the whole motion.
    """
    body = list(seen.body)
    return Measures(
        frames=int(chosen.sum()),
        fps=seen.fps,
        start=float(seen.times[chosen][0]),
        stop=float(seen.times[chosen][-1]),
        slide=foot_slide(seen.times, seen.soles, seen.bearing, chosen, seen.centre_of_mass),
        sink=body_sink(seen.times, seen.soles, {name: seen.origins[name] for name in _TRUNK}, chosen),
        penetration=ground_penetration(seen.times, seen.soles, seen.ground, chosen),
        limits=joint_excess(seen.times, seen.segments, chosen),
        jumps=find_jumps(
            seen.times,
            [seen.names[joint] for joint in body],
            seen.local[:, body],
            seen.root,
            chosen,
            kinds=seen.kinds,
            points=seen.points,
            point_names=seen.point_names,
            toes=seen.toes,
        ),
        interpolation=find_interpolation(seen.times, seen.local[:, body], chosen),
        jerk=jerk_peak(seen.times, seen.extremes, chosen),
        flights=ballistic_error(seen.times, seen.centre_of_mass, seen.aloft, chosen),
        torques=torque_peaks(seen.times, seen.torques, chosen),
        push=largest_push(seen.push, chosen),
    )


def _degrees(angle: float) -> float:
    return float(np.degrees(angle))


def _planted(foot: PlantedFoot) -> dict[str, Any]:
    return {
        "point": foot.point,
        "start_s": foot.start,
        "stop_s": foot.stop,
        "slide_cm": 100 * foot.slide,
        "path_cm": 100 * foot.path,
        "with_body": foot.with_body,
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
