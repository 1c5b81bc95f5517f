"""Reports of filled gaps, which a motion keeps with the spans that were filled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from segue.motion.functions import Piece
from segue.motion.track_table import TrackTable
from segue.motion.tracks import joints_of
from segue.typing import Array

_SAID = 0.005  # s that must be left out of a motion to be mentioned


@dataclass(frozen=True, eq=False)
class Support:
    """A point that is held from start to stop, in seconds, between two places (3,) that hardly differ.

    moved: how far it strays from its place in the filled motion, in m; None before that is known.
    """

    point: str
    start: float
    stop: float
    place: Array
    moved: float | None = None


@dataclass(frozen=True)
class UsedClip:
    """A span of a library clip that a fill uses, from start to stop in s of the clip, mirrored or not.

    weight: the clip's share of all clips that the fill uses, from 0 to 1.
    """

    name: str
    start: float
    stop: float
    mirrored: bool
    weight: float

    def __str__(self) -> str:
        return f"{self.name} {self.start:.2f} to {self.stop:.2f} s" + (" mirrored" if self.mirrored else "")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings, with units in the names."""
        return {
            "clip": self.name,
            "start_s": self.start,
            "stop_s": self.stop,
            "mirrored": self.mirrored,
            "weight": self.weight,
        }


@dataclass(frozen=True)
class Match:
    """How sure a prior is of a gap, and the clips that it uses.

    confidence: in words. cost: distance between the gap and matches in clips; None without a match. share: weight of
    the proposal against least effort in the path, from 0 to 1. used_clips: the matches, largest weight first. rest:
    number of further matches. error: the prior's estimate of its mean joint error in m; None if unknown. reason: why
    the prior is unsure, in plain words. usual: its mean estimate of the error in gaps as long.
    """

    confidence: str
    cost: float | None = None
    share: float = 0.0
    used_clips: tuple[UsedClip, ...] = ()
    rest: int = 0
    error: float | None = None
    reason: str = ""
    usual: float | None = None

    def __str__(self) -> str:
        """Return one sentence without a full stop: the confidence, its reason and the names of the clips."""
        told = [self.confidence]
        if self.error is not None:
            told.append(f"joints are off by about {100.0 * self.error:.0f} cm")
        told += [self.reason] if self.reason else []
        if self.used_clips:
            clips = list(dict.fromkeys(each.name for each in self.used_clips))
            named = ", ".join(clips[:3]) + (" and others" if len(clips) > 3 or self.rest else "")
            told.append(f"drawn from {named} (cost {self.cost:.2f})")
        return ", ".join(told)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings."""
        return {
            "confidence": self.confidence,
            "cost": self.cost,
            "share": self.share,
            "used_clips": [each.to_dict() for each in self.used_clips],
            "more": self.rest,
            "error_cm": None if self.error is None else 100.0 * self.error,
            "reason": self.reason,
        }

    def unused(self, why: str) -> Match:
        """Return the match of a path that uses least effort alone; why: the reason in words."""
        return replace(self, confidence=why, share=0.0, used_clips=(), rest=0)


class CutTimes(NamedTuple):
    """The times at which a transition cuts two motions.

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


def fills_of(tracks: TrackTable) -> tuple[FillReport, ...]:
    """Return the reports of the filled gaps in some tracks, in order of time."""
    found: dict[tuple[int, float, float], FillReport] = {}
    for track in tracks.unique_tracks:
        for function in (each for interval in track for each in interval.functions):
            report = getattr(function.source, "report", None) if isinstance(function, Piece) else None
            if isinstance(function, Piece) and isinstance(report, FillReport):
                found[(id(function.source), *function.time)] = report.retimed(*function.time)
    return tuple(sorted(found.values(), key=lambda report: report.start))
