"""Try a transition between two frames that are alike: find its cut points, make it, and check it.

A trial needs only some three seconds of both clips, and its result depends on nothing else. So any process can do it,
and a build remembers it by the content of its input.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.filling.cutting import DURATIONS, CutPoint, ranked_cuts
from segue.filling.features import RATE
from segue.filling.operators import transition
from segue.filling.options import Options
from segue.motion.contacts import SOLE_POINTS, contact_flags
from segue.motion.functions import IDENTITY, Placement
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.plausibility.findings import Severity
from segue.plausibility.observed import observe
from segue.plausibility.report import Report, examine
from segue.plausibility.slide import foot_slide
from segue.plausibility.thresholds import Thresholds
from segue.typing import Array, Flags, Single

LONGEST = round(max(DURATIONS) * RATE)
"""Frames of the longest transition."""

KEPT = 10
"""Frames that must remain of a section before a transition, and after it."""

_SHIFT = 6  # frames by which cut points may lie beside those that the search found
_SEEN = 30  # frames before and after a transition that the solver and the check see
BEFORE, AFTER = LONGEST // 2 + _SHIFT + _SEEN, LONGEST // 2 + _SHIFT + 9
"""Frames of the first clip before and after the frame at which both are alike; the second clip has them mirrored."""

_CUTS = 3  # cuts that are tried until one passes
_SEAM = 0.1  # s on either side of a transition that are checked with it, as `segue check` does against a baseline
# captured people drag their feet at times, but a transition has no reason to: as `segue check` against a baseline
SEAM_LIMITS = Thresholds().changed({"drag_cm": Thresholds().of("drag_cm").suspicious})
"""Thresholds of frames that no clip shows."""

_FLOOR = Ground.flat(0.0)


class Window(NamedTuple):
    """Frames of a clip from `first` on: rows (N, 51) of poses, and whether the body is at the floor, (N,)."""

    first: int
    rows: Single
    on_floor: Flags

    def motion(self, figure: Figure) -> Motion:
        """Return the frames as a motion from time 0 on."""
        return Motion.from_poses(figure, Poses.from_rows(self.rows.astype(float)), RATE)


class Candidate(NamedTuple):
    """Two windows, and the frame of each at which they are alike."""

    leaving: Window
    entering: Window
    left: int
    entered: int


@dataclass(frozen=True, eq=False)
class Trial:
    """A transition that was tried.

    leave, enter: frames of the first and the second clip, `frames` apart. cost: of the cut points in legs, see
    `CutPoint`. slide: of planted feet, m. severity: of the worst finding of the check. findings: option and value of
    each finding that is not fine. rows: (frames - 1, 51) poses between leave and enter, in the place of the first clip.
    placement: of the second clip in the place of the first. reason: why there is no transition, or "".
    """

    leave: int = 0
    enter: int = 0
    frames: int = 0
    cost: float = 0.0
    distance: float = 0.0
    slide: float = 0.0
    severity: Severity = Severity.FAULT
    findings: tuple[tuple[str, float], ...] = ()
    rows: Single | None = None
    placement: Placement = IDENTITY
    reason: str = ""

    def passes(self, slide: float) -> bool:
        """Return whether the check found no fault, and planted feet slide at most so far, in m."""
        return not self.reason and self.severity < Severity.FAULT and self.slide <= slide

    def rank(self, slide: float) -> tuple[bool, float]:
        """Return what trials are compared by, the better less."""
        return not self.passes(slide), self.cost

    def to_values(self) -> tuple[dict[str, Any], dict[str, Single]]:
        """Return plain values and arrays to store."""
        values = {
            "leave": self.leave,
            "enter": self.enter,
            "frames": self.frames,
            "cost": round(self.cost, 6),
            "distance": round(self.distance, 6),
            "slide": round(self.slide, 6),
            "severity": int(self.severity),
            "findings": [[option, round(value, 4)] for option, value in self.findings],
            "placement": [self.placement.turn, self.placement.x, self.placement.z],
            "reason": self.reason,
        }
        return values, {} if self.rows is None else {"rows": self.rows}

    @classmethod
    def of_values(cls, values: dict[str, Any], arrays: Any) -> Trial:
        """Return a trial from what was stored."""
        given = values | {
            "severity": Severity(values["severity"]),
            "findings": tuple((option, value) for option, value in values["findings"]),
            "placement": Placement(*values["placement"]),
            "rows": arrays.get("rows"),
        }
        return cls(**given)


def try_cut(figure: Figure, candidate: Candidate, options: Options, farthest: float, slide: float) -> Trial:
    """Find cut points of a candidate, make the transition between them, and check it.

    The cheapest cuts are tried until one passes. farthest: the distance of cut points in legs up to which a transition
    is made. slide: m that planted feet may slide.
    """
    best = Trial(reason="no cut points at the floor")
    first, second = (window.motion(figure) for window in (candidate.leaving, candidate.entering))
    for cut in _cuts_of(first, second, candidate):
        if cut.distance > farthest:
            found = Trial(distance=cut.distance, cost=cut.cost, reason="the motions are too unlike")
        else:
            try:
                joined = transition(first, second, cut.duration, leave=cut.leave, enter=cut.enter, options=options)
                found = _judged(figure, candidate, cut, joined, slide)
            except ArgumentError as error:  # for example a foot that must be held is in the air
                found = Trial(reason=str(error))
        if best.reason or (not found.reason and found.rank(slide) < best.rank(slide)):
            best = found
        if not best.reason and best.passes(slide):
            break
    return best


def _judged(figure: Figure, candidate: Candidate, cut: CutPoint, joined: Motion, most: float) -> Trial:
    """Return a transition with what the check finds; most: m that planted feet may slide."""
    start, enter, frames = (round(each * RATE) for each in (cut.leave, cut.enter, cut.duration))
    between = joined.at(np.arange(start + 1, start + frames) / RATE).rows.astype(np.float32)
    landed = Poses.from_rows(candidate.entering.rows[[enter]].astype(float))
    placement = _placement(landed, joined.at([cut.leave + cut.duration]))
    before, after = candidate.leaving.rows[: start + 1], placed_rows(candidate.entering.rows[enter:], placement)
    report, slide = judge_frames(figure, before, between, after, _SEEN)
    if report.severity < Severity.FAULT and slide <= most:  # which foot is planted may depend on how much is seen
        again, more = judge_frames(figure, before, between, after, KEPT)
        report, slide = max(report, again, key=lambda each: each.severity), max(slide, more)
    return Trial(
        candidate.leaving.first + start,
        candidate.entering.first + enter,
        frames,
        cut.cost,
        cut.distance,
        slide,
        report.severity,
        tuple((each.option, each.value) for each in report.findings if each.severity > Severity.FINE),
        between,
        placement,
    )


def judge_frames(figure: Figure, before: Single, between: Single, after: Array, seen: int) -> tuple[Report, float]:
    """Judge a transition from its frames, with at most `seen` frames before and after it: see `judge_seam`."""
    rows = np.concatenate([before[-seen - 1 :], between, after[: seen + 1]]).astype(float)
    start = min(seen, len(before) - 1) / RATE
    motion = Motion.from_poses(figure, Poses.from_rows(rows), RATE)
    return judge_seam(motion, start, start + (len(between) + 1) / RATE)


def judge_seam(motion: Motion, start: float, stop: float) -> tuple[Report, float]:
    """Check a transition from start to stop (s), on a level floor at height 0; return how far planted feet slide, too.

    The check is that of frames that no clip shows, a tenth of a second beside the transition among them. The slide is
    the largest of any foot that is planted in the transition itself, in m.
    """
    seen = observe(motion, _FLOOR)
    planted = contact_flags(seen.times, seen.contacts_of(SOLE_POINTS), SOLE_POINTS)
    standing = {name: flags & ~seen.on_flesh for name, flags in planted.items()}
    slide = foot_slide(seen.times, seen.soles, standing, seen.within(start, stop)).largest
    return examine(seen, start - _SEAM, stop + _SEAM, thresholds=SEAM_LIMITS), slide


def _cuts_of(first: Motion, second: Motion, candidate: Candidate) -> list[CutPoint]:
    """Return the cheapest cuts around the two frames that are alike, at which both bodies are at the floor."""
    leaving, entering = candidate.leaving, candidate.entering
    left, entered = candidate.left - leaving.first, candidate.entered - entering.first
    half = LONGEST // 2
    leave = max(left - half - _SHIFT, KEPT), min(left + _SHIFT - 4, len(leaving.rows) - 1)
    enter = max(entered - _SHIFT + 4, 0), min(entered + half + _SHIFT, len(entering.rows) - 1 - KEPT)
    if leave[0] > leave[1] or enter[0] > enter[1]:
        return []
    leaves, enters = ((low / RATE, high / RATE) for low, high in (leave, enter))
    found = [
        cut
        for cut in ranked_cuts(first, second, leaves, enters, count=2)
        if leaving.on_floor[round(cut.leave * RATE)] and entering.on_floor[round(cut.enter * RATE)]
    ]
    return found[:_CUTS]


def _placement(own: Poses, placed: Poses) -> Placement:
    """Return the move on the floor that brings one pose to where another is."""
    turned = quaternion.multiply(placed.balls[0, 0], quaternion.conjugate(own.balls[0, 0]))
    turn = 2.0 * float(np.arctan2(turned[2], turned[0]))
    moved = Placement(turn).moved(own.root[0])
    return Placement(turn, float(placed.root[0, 0] - moved[0]), float(placed.root[0, 2] - moved[2]))


def placed_rows(rows: Single | Array, at: Placement) -> Array:
    """Return rows (T, 51) of poses after a move on the floor."""
    moved = np.array(rows, float)
    moved[:, :3] = at.moved(moved[:, :3])
    root = slice(3, 7)  # the columns of its quaternion
    moved[:, root] = quaternion.multiply(at.rotation, moved[:, root])
    return moved
