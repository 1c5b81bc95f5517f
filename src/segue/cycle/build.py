"""Cyclification: from a part of a motion to a cycle without a seam [Rose1996, section 3.3]."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.cycle.closing import ClosedBasis, ClosedResidual, closed_poses, flips_of, seen_poses
from segue.cycle.cycle import BareCycle, Cycle, Seam
from segue.cycle.feet import plant_feet
from segue.cycle.likeness import Likeness
from segue.cycle.search import FAIR, GOOD, Region, Regions, candidates_of, match_ends, search_regions
from segue.cycle.travel import Travel, headings
from segue.errors import ArgumentError, SegueWarning
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Piece
from segue.motion.ground import AUTO, Ground, checked_ground, uneven
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion, check_motion
from segue.motion.track_table import TrackTable
from segue.spacetime.terms.term import Term, Weighted, weighted
from segue.typing import Array, Flags

_PIECES_A_SECOND = 25.0
_FRAMES_A_PIECE = 2.0
_FEWEST_PIECES = 8
_STRAIGHT = math.radians(5.0)  # a period: no more than people stray who walk straight on
_ON_THE_SPOT = 0.05  # of stature a period: no more than people drift who keep their place
_LEVEL = 0.03  # m a period: no more than hips differ in height after a stride on the level
_LONGEST = 120.0  # s
_AROUND = 0.05  # s about a cycle that was found, in which its ends are searched once more


def make_loop(
    motion: Motion,
    start: float | None = None,
    stop: float | None = None,
    *,
    regions: Regions = "centred",
    derivatives: int = 2,
    weights: Mapping[str, float] | None = None,
    straight: bool | None = None,
    plant: bool = True,
    ground: Ground | float | str | None = AUTO,
    terms: Sequence[Term | Weighted | tuple[float, Term]] = (),
) -> Motion:
    """Return one period of a cycle made of a motion, from time 0 on; `repeat` makes it last.

    start, stop: about where the cycle begins and ends, in seconds; the best cycle in the motion where neither is given.
    The ends are searched in regions of one fifth of the marked length, "centred" on the marks or "inside" them.
    derivatives: what is alike there: poses alone (0), velocities too (1), accelerations too (2). weights: factors by
    joint or limb group. straight: whether the path goes straight on; None keeps a turn of 5 degrees or more. plant:
    whether feet that stand are kept where they stand. ground: a `Ground`, a height in m, "auto" to find it under the
    motion, or None for level ground as low as the feet stand. If the ground that "auto" finds is level, it takes that
    of None. On stairs and slopes the cycle rises or sinks by as much each period. terms: costs of your own, such as a
    `UserTerm`, each alone or with its weight before it. They see one period from the frame that travels with the body.
    Their weight is relative to the distance from the clip: a joint that is turned by 0.05 rad for a second, or a root
    moved by 1 cm, costs 1.

    Warns where both ends differ much; `loop_of` returns by how much. Raises ArgumentError for marks without sense.
    """
    check_motion("make_loop makes a loop of", motion)
    costs = weighted(terms) if terms != () else ()
    given = checked_ground(ground)
    stage = uneven(motion.ground) if given == AUTO else given
    assert not isinstance(stage, str)
    uphill = stage is not None and not stage.is_flat
    seam = _find_seam(motion, start, stop, regions, derivatives, weights, uphill)
    _judge(seam)
    sampled = _Sampled.of(motion, seam)
    basis, travel = sampled.basis, _travel(motion, sampled, straight, uphill)
    coefficients, flips = _closed(sampled, travel)
    host = motion.source
    whole = motion.tracks.is_full_body
    residual = (
        ClosedResidual(motion, host, seam.start, basis, travel) if whole and isinstance(host, ClipSource) else None
    )

    def made(rows: Array) -> BareCycle:
        knots = basis.knots(rows, flips)
        return BareCycle(knots, travel, seam) if residual is None else Cycle(knots, travel, seam, residual)

    cycle = made(coefficients)
    if costs and not whole:
        raise ArgumentError("the motion has some joints only: terms need the whole body")
    if whole and (plant or costs):
        cycle = made(plant_feet(motion, basis, coefficients, made, stage, flips=flips, plant=plant, terms=costs))
    tracks = TrackTable.from_shared(Track((Interval(0.0, cycle.period, (Piece(cycle),)),)))
    return Motion(tracks if whole else tracks.only(motion.tracks), host)


def _find_seam(
    motion: Motion,
    start: float | None,
    stop: float | None,
    where: Regions,
    derivatives: int,
    weights: Mapping[str, float] | None,
    uphill: bool,
) -> Seam:
    if (start is None) != (stop is None):
        raise ArgumentError("give both start and stop of the cycle, or neither to have the best one found")
    step = 1.0 / motion.fps
    whole = Region(motion.start, motion.stop)
    if start is None or stop is None:
        likeness = Likeness(motion, *whole, derivatives=derivatives, weights=weights, climbs=uphill)
        found = candidates_of(likeness, min(30.0, motion.fps), count=1)
        if not found:
            raise ArgumentError(
                f"the motion does not come back to itself anywhere in its {motion.duration:.3g} s: "
                "mark where a cycle is to begin and end"
            )
        first, last = (
            Region(max(mark - _AROUND, whole.start), min(mark + _AROUND, whole.stop))
            for mark in (found[0].start, found[0].stop)
        )
    else:
        first, last = search_regions(start, stop, whole, step, where)
        if last.stop - first.start > _LONGEST:
            raise ArgumentError(f"a cycle from {start:g} to {stop:g} s: it may last at most {_LONGEST:g} s")
        likeness = Likeness(motion, first.start, last.stop, derivatives=derivatives, weights=weights, climbs=uphill)
    match = match_ends(likeness, first, last, step)
    spread = likeness.spread(match.start, match.stop, step)
    score = match.distance / spread if spread > 0 else 0.0
    return Seam(match.start, match.stop, match.distance, score, first, last)


def _judge(seam: Seam) -> None:
    if seam.score > GOOD:
        what = "no cycle to speak of: its loop is another motion" if seam.score > FAIR else "not quite a cycle"
        warnings.warn(
            f"from {seam.start:.2f} to {seam.stop:.2f} s this is {what}; the ends differ by {seam.score:.0%} of what "
            f"moves between them (up to {GOOD:.0%} is good), which is spread over all of it",
            SegueWarning,
            stacklevel=3,
        )


class _Sampled(NamedTuple):
    """A part of a motion: poses at the samples of a basis and at both ends, headings without jumps from end to end."""

    basis: ClosedBasis
    seam: Seam
    inside: Poses
    ends: Poses
    turn: float

    @classmethod
    def of(cls, motion: Motion, seam: Seam) -> _Sampled:
        period = seam.stop - seam.start
        rate = min(_PIECES_A_SECOND, motion.fps / _FRAMES_A_PIECE)
        basis = ClosedBasis(period, max(math.ceil(period * rate), _FEWEST_PIECES))
        times = seam.start + np.concatenate([[0.0], basis.times, [period]])
        poses = motion.state(times, tuple(motion.tracks)).poses
        facing = headings(poses.ball("root"))
        ends = Poses(*(part[[0, -1]] for part in (poses.root, poses.balls, poses.hinges)))
        return cls(basis, seam, poses[1:-1], ends, float(facing[-1] - facing[0]))


def _travel(motion: Motion, part: _Sampled, straight: bool | None, uphill: bool) -> Travel:
    """Return the even travel of a part: turns below 5 degrees and small drifts are closed like joints.

    uphill: whether the ground is uneven, so that a difference in height of both ends is part of the travel.
    """
    full = 2.0 * math.pi * round(part.turn / (2.0 * math.pi))
    if straight is None:
        straight = abs(part.turn - full) < _STRAIGHT or abs(_turn_about(motion, part) - full) < _STRAIGHT
    turn = full if straight else part.turn
    first, last = part.ends.root[:, [0, 2]]
    if straight and np.linalg.norm(last - first) < _ON_THE_SPOT * motion.figure.stature:
        last = first
    rise = float(part.ends.root[1, 1] - part.ends.root[0, 1]) if uphill else 0.0
    return Travel.between(part.basis.period, first, last, turn, rise if abs(rise) > _LEVEL else 0.0)


def _turn_about(motion: Motion, part: _Sampled) -> float:
    """Return how far the motion turns in a period, on average over up to three of them."""
    period = part.basis.period
    start, stop = max(part.seam.start - period, motion.start), min(part.seam.stop + period, motion.stop)
    track = motion.tracks.get("root")
    if track is None or track.at(start) is not track.at(stop):
        return part.turn  # there may be a gap, beyond which it is another motion
    times = np.linspace(start, stop, max(int((stop - start) * motion.fps), 8))
    slope = np.polyfit(times - start, headings(motion.sample("root", times).value), 1)[0]
    return float(slope) * period


def _closed(part: _Sampled, travel: Travel) -> tuple[Array, Flags]:
    """Return coefficients (m, 51) of the closed curves, as columns of a spline through poses, and which flip."""
    basis = part.basis
    inside = seen_poses(part.inside, travel, basis.times)
    closed = closed_poses(inside, seen_poses(part.ends, travel, np.array([0.0, basis.period])), basis.shares)
    balls = closed.balls.reshape(len(closed), -1)
    flips = np.zeros(3 + balls.shape[1] + closed.hinges.shape[1], dtype=bool)
    flips[3 : 3 + balls.shape[1]] = np.repeat(flips_of(closed.balls), 4)
    return basis.fit(np.concatenate([closed.root, balls, closed.hinges], axis=1), flips), flips
