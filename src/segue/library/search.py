"""Search clips for the matches of a gap: pieces that begin and end like it, in any place and heading, or mirrored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from segue.filling.features import RATE, Features, frame_features, trace_of
from segue.filling.sides import reach_of
from segue.library._search_kernels import QueryRows, Small, best_matches, match_rows
from segue.library.frame_index import MARGIN, Basis, FrameIndex
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.tracks import State
from segue.typing import Ints, Single

_LOOK = 9
"""Frames on either side of a gap that the query uses."""

_PACES = (0.8, 0.9, 1.0, 1.12, 1.25)
"""Length of matches, as a multiple of the length of the gap."""

_SHORT, _LONG = (6.0, 0.10), (16.0, 0.27)
"""Frames of a gap, and the weight of velocities in s at these lengths, interpolated linearly."""

_CONTEXT = 0.3
_WAY, _TURN = 0.45, 0.134
"""Weights of one leg of displacement across the gap, and of one radian of turn, against one leg of pose distance."""

_APART = 2
"""Successive frames of which only one begins a match, since neighbours are nearly equal."""


@dataclass(frozen=True, eq=False)
class Query:
    """The query for a gap: features of both sides, and the displacement of the root across the gap.

    frames: how long it is, at the library's rate. ends: state at both seams. leg: in m. heading: rad, at the start.
    way: (2,) of the root, aside and ahead as seen at the start, in legs; turn: rad.
    """

    frames: float
    ends: State
    leg: float
    heading: float
    before: Features
    after: Features
    way: Single
    turn: float

    @property
    def velocity_weight(self) -> float:
        """The weight of velocities, in s."""
        (short, low), (long, high) = _SHORT, _LONG
        return float(np.interp(self.frames, (short, long), (low, high)))

    def rows(self, basis: Basis) -> QueryRows:
        """Return the query in a basis, as it is and mirrored."""
        pose_signs, signs = basis.pose.signs, basis.motion_signs
        start, stop = basis.pose.rows(self.before.pose), basis.pose.rows(self.after.pose)
        before, after = basis.motion(self.before), basis.motion(self.after)
        return QueryRows(
            np.concatenate([start, pose_signs * start]),
            np.concatenate([stop, pose_signs * stop]),
            np.concatenate([before, signs * before]),
            np.concatenate([after, signs * after]),
            np.stack([self.way, self.way * np.array([-1.0, 1.0], np.float32)]),
            np.array([self.turn, -self.turn], np.float32),
            basis.motion_weights(self.velocity_weight, _CONTEXT),
            _WAY**2,
            _TURN**2,
            pose_signs,
            signs,
        )

    def missed(self, basis: Basis) -> float:
        """Return the squared cost of what a basis leaves out of the query."""
        missed = 0.0
        for side in (self.before, self.after):
            missed += basis.pose.missed(side.pose[0])
            missed += self.velocity_weight**2 * basis.velocity.missed(side.velocity[0])
            missed += _CONTEXT**2 * basis.context.missed(side.context[0])
        return missed


def query_of(motion: Motion, start: float, stop: float, ends: State, ground: Ground) -> Query:
    """Return the query for the gap of a motion from start to stop, where its state is `ends`.

    Heights before and after the gap are measured from the ground under the body at start and at stop.
    """
    first, last = reach_of(motion, start, stop)
    steps = np.arange(_LOOK + 1) / RATE
    times = np.concatenate([np.maximum(start - steps[::-1], first), np.minimum(stop + steps, last)])
    poses = motion.state(times).poses
    low = np.repeat(ground.under(ends.root.value), _LOOK + 1)
    trace = trace_of(motion.figure, replace(poses, root=poses.root - low[:, None] * np.array([0.0, 1.0, 0.0])))
    # frames beyond the ends of the motion repeat the last frame, and have no weight
    known = [int(min(room * RATE + 1e-6, _LOOK)) for room in (start - first, last - stop)]
    at = np.array([[_LOOK], [_LOOK + 1]])
    before = frame_features(trace, "before", at[0], np.array([[_LOOK - known[0], _LOOK]]))
    after = frame_features(trace, "after", at[1], np.array([[_LOOK + 1, _LOOK + 1 + known[1]]]))
    heading = float(trace.headings[_LOOK])
    x, _, z = (trace.points[_LOOK + 1, 0] - trace.points[_LOOK, 0]).tolist()
    cosine, sine = np.cos(heading), np.sin(heading)
    turn = float(trace.headings[_LOOK + 1]) - heading
    return Query(
        frames=(stop - start) * RATE,
        ends=ends,
        leg=motion.figure.leg_length,
        heading=heading,
        before=before,
        after=after,
        way=np.array([cosine * x - sine * z, sine * x + cosine * z], np.float32),
        turn=float(turn - 2.0 * np.pi * np.round(turn / (2.0 * np.pi))),
    )


@dataclass(frozen=True, eq=False)
class Matches:
    """Matches of a gap, the best first: which index (M,), first frame, frames, mirrored or not, squared cost."""

    index: Ints
    start: Small
    span: Small
    mirrored: npt.NDArray[np.bool_]
    cost: Single

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, which: slice | Ints | npt.NDArray[np.bool_]) -> Matches:
        return Matches(self.index[which], self.start[which], self.span[which], self.mirrored[which], self.cost[which])


def find_matches(indexes: Sequence[FrameIndex], query: Query, count: int) -> Matches:
    """Return up to `count` matches of a query in several indexes of one basis, the best first."""
    if not indexes:
        nothing = np.zeros(0, np.int64)
        small, single = nothing.astype(np.int32), nothing.astype(np.float32)
        return Matches(nothing, small, small, nothing.astype(bool), single)
    lengths = np.array(sorted({max(2, round(query.frames * pace)) for pace in _PACES}))
    scales = (lengths / query.frames).astype(np.float32)
    found = [_nearest(number, index, query, lengths, scales, count) for number, index in enumerate(indexes)]
    joined = Matches(
        np.concatenate([each.index for each in found]),
        np.concatenate([each.start for each in found]),
        np.concatenate([each.span for each in found]),
        np.concatenate([each.mirrored for each in found]),
        np.concatenate([each.cost for each in found]),
    )
    return joined[np.argsort(joined.cost, kind="stable")[:count]]


def _nearest(number: int, index: FrameIndex, query: Query, lengths: Ints, scales: Single, count: int) -> Matches:
    """Return the best matches in one index, in the order of its frames."""
    costs, starts, spans = best_matches(index.rows, query.rows(index.basis), lengths, scales, MARGIN, _APART)
    flat = costs.ravel()
    near = np.argpartition(flat, count)[:count] if len(flat) > count else np.arange(len(flat))
    near = np.sort(near[np.isfinite(flat[near])])
    mirrored = near >= costs.shape[1]
    return Matches(np.full(len(near), number), starts.ravel()[near], spans.ravel()[near], mirrored, flat[near])


def differences(indexes: Sequence[FrameIndex], query: Query, matches: Matches) -> Single:
    """Return the differences (M, F) of matches from a query; their squares add up to the costs."""
    parts = []
    for number, index in enumerate(indexes):
        own = matches[matches.index == number]
        wanted = query.rows(index.basis)
        parts.append(match_rows(index.rows, wanted, own.start, own.span, own.mirrored, query.frames))
    out = np.empty((len(matches), parts[0].shape[1]), np.float32)
    for number, rows in enumerate(parts):
        out[matches.index == number] = rows
    return out
