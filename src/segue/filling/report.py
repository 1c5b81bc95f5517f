"""How gaps were filled, in numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from segue.filling.patch import Patch
from segue.filling.prior import Match
from segue.filling.supports import Support
from segue.motion.functions import Piece
from segue.motion.motion import Motion, check_motion
from segue.motion.tracks import joints_of

_SAID = 0.005  # s that must be left out of a motion to be mentioned


class CutTimes(NamedTuple):
    """Where a transition cuts two motions.

    leave: a time of the first motion, enter: a time of the second, both in s. left_out: seconds of the first motion
    after `leave`, and of the second motion before `enter`; the result contains neither.
    """

    leave: float
    enter: float
    left_out: tuple[float, float]

    def loss(self, first: str = "the first motion", second: str = "the second motion") -> str:
        """Return what the cut leaves out, in words; nothing where that is nothing. first, second: names of motions."""
        parts = [
            f"{seconds:.{1 if seconds >= 0.1 else 2}f} s of {name}"
            for seconds, name in zip(self.left_out, (first, second), strict=True)
            if seconds >= _SAID
        ]
        return f"leaves out {' and '.join(parts)}" if parts else ""

    def to_dict(self) -> dict[str, Any]:
        """Return the cut as plain numbers, with units in the names."""
        first, second = self.left_out
        return {"leave_s": self.leave, "enter_s": self.enter, "left_out_s": {"first": first, "second": second}}


@dataclass(frozen=True, eq=False)
class FillReport:
    """How one gap was filled.

    start, stop: s. tracks: what was filled. coefficients: free ones a joint. energy: what the path costs by the
    objective; start_energy: the same of the cubic Hermite path it began with, brought within joint limits where these
    are kept. seconds: to prepare and to solve. status: why the solve ended. supports: what was held, and how far it
    strayed. notes: sentences on what could not be kept. match: how well a prior knew the like of it, and what it drew
    on; None where there was no prior. cut: where a transition left the first motion and
    entered the second; None where the gap is no transition.
    """

    start: float
    stop: float
    tracks: tuple[str, ...]
    coefficients: int
    energy: float
    start_energy: float
    iterations: int
    evaluations: int
    seconds: tuple[float, float]
    status: str
    supports: tuple[Support, ...] = ()
    notes: tuple[str, ...] = ()
    match: Match | None = None
    cut: CutTimes | None = None

    def retimed(self, rate: float, shift: float) -> FillReport:
        """Return the report of the same gap when its own time is rate * t + shift."""
        begin = -shift / rate

        def moved(at: float) -> float:
            return begin + (at - self.start) / rate

        supports = []
        for support in self.supports:
            start, stop = sorted((moved(support.start), moved(support.stop)))
            supports.append(replace(support, start=start, stop=stop))
        start, stop = sorted((moved(self.start), moved(self.stop)))
        return replace(self, start=start, stop=stop, supports=tuple(supports))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain numbers and strings, with units in the names."""
        told = {
            "start_s": self.start,
            "stop_s": self.stop,
            "joints": list(joints_of(self.tracks)),
            "coefficients": self.coefficients,
            "energy": self.energy,
            "start_energy": self.start_energy,
            "iterations": self.iterations,
            "evaluations": self.evaluations,
            "prepare_ms": 1000.0 * self.seconds[0],
            "solve_ms": 1000.0 * self.seconds[1],
            "status": self.status,
            "supports": [
                {
                    "point": support.point,
                    "start_s": support.start,
                    "stop_s": support.stop,
                    "moved_cm": None if support.moved is None else 100.0 * support.moved,
                }
                for support in self.supports
            ],
            "notes": list(self.notes),
        }
        told |= {} if self.match is None else {"match": self.match.to_dict()}
        return told | ({} if self.cut is None else {"cut": self.cut.to_dict()})


def fills(motion: Motion) -> tuple[FillReport, ...]:
    """Return how the gaps in a motion were filled, in order of time; nothing where none was."""
    check_motion("fills tells of", motion)
    found: dict[tuple[int, float, float], FillReport] = {}
    for track in motion.tracks.values():
        for function in (each for interval in track for each in interval.functions):
            patch = function.source if isinstance(function, Piece) else None
            if isinstance(function, Piece) and isinstance(patch, Patch) and isinstance(patch.report, FillReport):
                found[(id(patch), *function.time)] = patch.report.retimed(*function.time)
    return tuple(sorted(found.values(), key=lambda report: report.start))
