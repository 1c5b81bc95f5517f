"""Distance maps: how far two motions are apart, for every pair of cut points.

A transition from `leave` to `enter` is natural if both motions are similar for as long as it lasts: the first motion
after `leave`, and the second before `enter`. So the map compares spans and not single poses, as in [Kovar2002]. It
uses the poses and velocities of `segue.filling.features` and how firmly each foot stands. In mode "pinned" it also
uses the place and the heading of the figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from segue.errors import ArgumentError
from segue.filling.cut_times import Window
from segue.filling.features import POINTS, RATE, Trace, frame_features, trace_of
from segue.filling.sides import reach_of
from segue.filling.stances import stance_of
from segue.motion.ground import uneven
from segue.motion.motion import Motion
from segue.typing import Array, Flags, Single

_MOST = 4000  # frames of a motion that are compared: longer motions are compared at a lower frame rate
_FEW = 150  # frames of both motions up to which one thread compares
_SPAN_FRAMES = 5  # frames of a span that are compared, from the first to the last
_ANKLES = [POINTS.index(name) for name in ("left_foot", "right_foot")]
_PLANTED = 0.15  # legs: distance of a sole that stands in one motion and is lifted in the other
_NEIGHBOURS = 0.15  # s within which only one minimum is kept
_AROUND = 0.5  # s beside a window that are sampled too, for the floor, flights and velocities


class Minimum(NamedTuple):
    """A local minimum of a map: cut points in s, distance and cost in legs."""

    leave: float
    enter: float
    distance: float
    cost: float


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """How unlike two motions are during a transition of one duration, for cut points (L,) and (E,).

    leaves: (L,), enters: (E,), duration: s. distances: (L, E), root mean square over the transition, in leg lengths:
    distances between points of the body, with weighted differences of velocities and of standing feet.
    """

    leaves: Array
    enters: Array
    duration: float
    distances: Single

    def at(self, leave: float, enter: float) -> float:
        """Return the distance at the cut points of the map nearest to two times in s."""
        row, column = np.abs(self.leaves - leave).argmin(), np.abs(self.enters - enter).argmin()
        return float(self.distances[row, column])

    def minima(self, leave: Window, enter: Window, count: int, costs: Single | None = None) -> list[Minimum]:
        """Return the lowest minima within two windows of cut points, at most `count`.

        costs: (L, E) in legs; if given, minima of the costs are returned in place of minima of the distances.
        """
        rows, columns = _within(self.leaves, leave), _within(self.enters, enter)
        part = self.distances[rows, columns]
        if not part.size:
            return []
        leaves, enters = self.leaves[rows], self.enters[columns]
        weighed = part if costs is None else costs[rows, columns]
        step = float(self.leaves[1] - self.leaves[0]) if len(self.leaves) > 1 else 1.0
        places = _lowest(weighed, max(round(_NEIGHBOURS / step), 1), count)
        return [Minimum(float(leaves[i]), float(enters[j]), float(part[i, j]), float(weighed[i, j])) for i, j in places]


class Stances(NamedTuple):
    """How the figure stands in N frames.

    aloft: (N,) whether it is in the air. stands: (N, 2) how firmly the left and the right foot stand, from 0 to 1.
    places: (N, 2, 2) where these feet are on the floor, in legs. pace: (N, 2) how the root moves, in legs a second.
    Both are in the frame of the figure. In mode "pinned" places are in the world, and pace is zero.
    """

    aloft: Flags
    stands: Single
    places: Single
    pace: Single


@dataclass(frozen=True, eq=False)
class Comparison:
    """Squared distances (L + K, K + E), in square legs, between all frames of two motions.

    The last frame of the first motion is repeated K times, and so is the first frame of the second motion, so that both
    can be cut anywhere. step: s between frames. stances: of both motions.
    """

    leaves: Array
    enters: Array
    squares: Single
    step: float
    stances: tuple[Stances, Stances]

    def during(self, duration: float) -> DistanceMap:
        """Return the distance map for transitions of one duration in s."""
        rows, columns = len(self.leaves), len(self.enters)
        ahead = self.squares.shape[0] - rows
        frames = min(max(round(duration / self.step), 0), ahead)
        total = np.zeros((rows, columns), np.float32)
        offsets = np.unique(np.linspace(0, frames, _SPAN_FRAMES).round().astype(int)).tolist()
        for offset in offsets:
            across = ahead - frames + offset
            total += self.squares[offset : offset + rows, across : across + columns]
        return DistanceMap(self.leaves, self.enters, duration, np.sqrt(total / len(offsets)))


def compare(
    first: Motion,
    second: Motion,
    longest: float,
    *,
    pinned: bool = False,
    windows: tuple[Window, Window] | None = None,
) -> Comparison:
    """Compare all frames of two motions, for transitions of at most `longest` s.

    pinned: whether place and heading of the figure count. windows: of the cut points; frames that do not matter for
    these windows are left out. The end of the first window and the start of the second are among the frames.
    """
    leave, enter = ((first.start, first.stop), (second.start, second.stop)) if windows is None else windows
    spans = _span(first, leave, _AROUND, max(longest, _AROUND)), _span(second, enter, max(longest, _AROUND), _AROUND)
    stride = max(-(-int(max(stop - start for start, stop in spans) * RATE) // _MOST), 1)
    out, into = _rows(first, spans[0], leave[1], stride, pinned), _rows(second, spans[1], enter[0], stride, pinned)
    # the padding beyond the ends need not be longer than the motions
    ahead = min(round(longest * RATE / stride) + 1, max(len(out.times), len(into.times)))
    rows = np.concatenate([out.values, np.repeat(out.values[-1:], ahead, axis=0)])
    columns = np.concatenate([np.repeat(into.values[:1], ahead, axis=0), into.values])
    # on a busy machine the threads of a matrix product wait for each other, which does not pay for few frames
    few = len(rows) * len(columns) <= _FEW**2
    # in place: for motions of minutes this array is most of the memory
    squares = np.einsum("id,jd->ij", rows, columns) if few else rows @ columns.T
    squares *= -2.0
    squares += (rows**2).sum(axis=1)[:, None]
    squares += (columns**2).sum(axis=1)
    np.maximum(squares, 0.0, out=squares)
    return Comparison(out.times, into.times, squares, stride / RATE, (out.stances, into.stances))


class _Rows(NamedTuple):
    """Times (N,) of a motion in s, rows (N, D) whose Euclidean distance is compared, and stances."""

    times: Array
    values: Single
    stances: Stances


def _span(motion: Motion, window: Window, before: float, after: float) -> Window:
    """Return the span of a motion that is sampled for cut points in a window, in s."""
    return max(window[0] - before, motion.start), min(window[1] + after, motion.stop)


def _rows(motion: Motion, span: Window, anchor: float, stride: int, pinned: bool) -> _Rows:
    """Return rows of a motion in a span of time, one of them at the anchor.

    Velocities are those of neighbouring frames, even if only every `stride`-th frame is kept.
    """
    try:
        before, times = _frame_times(motion, span, anchor)
        poses = motion.state(times).poses
    except ArgumentError:
        # the motion has a gap: only the part next to the anchor without a break can be sampled
        first, last = reach_of(motion, anchor, anchor)
        before, times = _frame_times(motion, (max(span[0], first), min(span[1], last)), anchor)
        poses = motion.state(times).poses
    trace = trace_of(motion.figure, poses)
    ground = uneven(motion.ground)
    stance = stance_of(motion.figure, poses, trace, ground)
    every = np.arange(len(times))
    edges = np.tile(np.array([0, len(times) - 1]), (len(times), 1))
    features = frame_features(trace, "both", every, edges)
    if ground is not None and not pinned:  # a motion that may be moved is also raised to where the other one stands
        features.pose[:, 1::3] -= (stance.ground / motion.figure.leg_length).astype(np.float32)[:, None]
    blocks: list[Array | Single] = [features.rows(), _PLANTED * stance.standing]
    seen, pace = features.pose.reshape(trace.points.shape), features.velocity[:, [0, 2]]
    if pinned:
        blocks.append(_whereabouts(trace))
        seen, pace = trace.points, np.zeros_like(pace)
    kept = every[before % stride :: stride]
    stances = Stances(
        stance.aloft[kept],
        stance.feet[kept].astype(np.float32),
        seen[kept][:, _ANKLES][..., [0, 2]],
        pace[kept],
    )
    return _Rows(times[kept], np.concatenate(blocks, axis=1, dtype=np.float32)[kept], stances)


def _frame_times(motion: Motion, span: Window, anchor: float) -> tuple[int, Array]:
    """Return the number of frames of a span before the anchor, and the times (N,) of all its frames, in s."""
    before, after = (int(max(part, 0.0) * RATE + 1e-6) for part in (anchor - span[0], span[1] - anchor))
    return before, np.clip(anchor + np.arange(-before, after + 1) / RATE, motion.start, motion.stop)


def _whereabouts(trace: Trace) -> Array:
    """Return the place on the floor in legs, and sine and cosine of the heading, (T, 4)."""
    places = trace.points[:, 0]
    return np.stack([places[:, 0], places[:, 2], np.sin(trace.headings), np.cos(trace.headings)], axis=1)


def _lowest(values: Single, size: int, count: int) -> list[tuple[int, int]]:
    """Return the local minima of values (R, C), lowest first, at most one in each `size` by `size` block."""
    rows, columns = (-(-length // size) * size for length in values.shape)
    padded = np.full((rows, columns), np.inf, np.float32)
    padded[: values.shape[0], : values.shape[1]] = values
    blocks = padded.reshape(rows // size, size, columns // size, size)
    least = blocks.min(axis=(1, 3))
    around = sliding_window_view(np.pad(least, 1, constant_values=np.inf), (3, 3)).min(axis=(2, 3))
    minima = np.argwhere(least == around)
    order = np.argsort(least[tuple(minima.T)], kind="stable")[:count]
    found = []
    for i, j in minima[order].tolist():
        row, column = np.unravel_index(blocks[i, :, j].argmin(), (size, size))
        found.append((i * size + int(row), j * size + int(column)))
    return found


def _within(times: Array, window: tuple[float, float]) -> slice:
    return slice(*np.searchsorted(times, [window[0] - 1e-9, window[1] + 1e-9]).tolist())
