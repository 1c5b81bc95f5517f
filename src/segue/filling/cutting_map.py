"""How unlike two motions are, for every moment of leaving the one and of entering the other.

A transition from `leave` to `enter` is natural where both motions would have done about the same for as long as it
lasts: the first one had it gone on, and the second one before it was entered. So what is compared is not a pair of
poses but a pair of stretches, as in [Kovar2002]: poses and velocities as `segue.filling.features` sees them, how firmly
each foot stands, and, where neither motion may be moved, where the figure is and faces as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from segue.errors import ArgumentError
from segue.filling.cut_times import Window
from segue.filling.features import POINTS, RATE, Trace, moment_features, trace_of
from segue.filling.sides import reach_of
from segue.filling.stances import stance_of
from segue.motion.motion import Motion
from segue.typing import Array, Flags, Single

_MOST = 4000  # moments of a motion that are compared: what is longer is compared at fewer frames a second
_FEW = 150  # moments of both motions that are compared by one thread
_LOOKS = 5  # moments of a stretch that are compared, from its first to its last
_ANKLES = [POINTS.index(name) for name in ("left_foot", "right_foot")]
_PLANTED = 0.15  # legs: what a sole that stands in the one motion and is lifted in the other counts
_NEIGHBOURS = 0.15  # s within which only one minimum is kept
_AROUND = 0.5  # s next to a window that are looked at besides, for the floor, flights and velocities


class Minimum(NamedTuple):
    """A place of a map that is lower than all around it: moments in s, the distance and the cost in legs."""

    leave: float
    enter: float
    distance: float
    cost: float


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """How unlike two motions are during a transition of some duration, by when the one is left and the other entered.

    leaves: (L,), enters: (E,), duration: s. distances: (L, E), root mean square over the transition, in legs: how far
    points of the body are from each other's, with what their velocities and standing feet add.
    """

    leaves: Array
    enters: Array
    duration: float
    distances: Single

    def at(self, leave: float, enter: float) -> float:
        """Return the distance at the moments of the map that are next to two others."""
        row, column = np.abs(self.leaves - leave).argmin(), np.abs(self.enters - enter).argmin()
        return float(self.distances[row, column])

    def minima(self, leave: Window, enter: Window, count: int, costs: Single | None = None) -> list[Minimum]:
        """Return the lowest minima between two moments of leaving and two of entering, at most so many.

        costs: (L, E) in legs, of which minima are returned, lowest first, in place of those of the distances.
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


class Footing(NamedTuple):
    """How the figure stands at N moments.

    aloft: (N,) whether it is in the air. stands: (N, 2) how firmly the left and the right foot stand, from 0 to 1.
    places: (N, 2, 2) where these feet are on the floor, in legs. pace: (N, 2) how the root moves, in legs a second.
    Both are seen by the one who moves; where neither motion may be moved, places are in the world, and pace is zero.
    """

    aloft: Flags
    stands: Single
    places: Single
    pace: Single


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every moment of a motion against every moment of another: squared distances (L + K, K + E), in legs.

    The first motion is taken to stand still for K moments after its end, the second for K moments before its start, so
    that both can be cut anywhere. step: s between moments. footing: how the figure stands at both.
    """

    leaves: Array
    enters: Array
    squares: Single
    step: float
    footing: tuple[Footing, Footing]

    def during(self, duration: float) -> DistanceMap:
        """Return how unlike both are during transitions of some duration."""
        rows, columns = len(self.leaves), len(self.enters)
        ahead = self.squares.shape[0] - rows
        frames = min(max(round(duration / self.step), 0), ahead)
        total = np.zeros((rows, columns), np.float32)
        looks = np.unique(np.linspace(0, frames, _LOOKS).round().astype(int)).tolist()
        for look in looks:
            across = ahead - frames + look
            total += self.squares[look : look + rows, across : across + columns]
        return DistanceMap(self.leaves, self.enters, duration, np.sqrt(total / len(looks)))


def compare(
    first: Motion,
    second: Motion,
    longest: float,
    *,
    pinned: bool = False,
    windows: tuple[Window, Window] | None = None,
) -> Comparison:
    """Return every moment of one motion against every moment of another, for transitions of at most some seconds.

    pinned: whether it counts where the figure is and faces. windows: between when and when the first motion is left
    and the second entered; moments that do not matter for that are left out, and the end of the first window and the
    start of the second are among those compared.
    """
    leave, enter = ((first.start, first.stop), (second.start, second.stop)) if windows is None else windows
    spans = _span(first, leave, _AROUND, max(longest, _AROUND)), _span(second, enter, max(longest, _AROUND), _AROUND)
    stride = max(-(-int(max(stop - start for start, stop in spans) * RATE) // _MOST), 1)
    out, into = _rows(first, spans[0], leave[1], stride, pinned), _rows(second, spans[1], enter[0], stride, pinned)
    # beyond the end of both nothing changes any more
    ahead = min(round(longest * RATE / stride) + 1, max(len(out.times), len(into.times)))
    rows = np.concatenate([out.values, np.repeat(out.values[-1:], ahead, axis=0)])
    columns = np.concatenate([np.repeat(into.values[:1], ahead, axis=0), into.values])
    # the threads of a matrix product wait for each other where other programs are busy: not worth it for few moments
    few = len(rows) * len(columns) <= _FEW**2
    # in place: with minutes of both motions this is most of the memory that is needed
    squares = np.einsum("id,jd->ij", rows, columns) if few else rows @ columns.T
    squares *= -2.0
    squares += (rows**2).sum(axis=1)[:, None]
    squares += (columns**2).sum(axis=1)
    np.maximum(squares, 0.0, out=squares)
    return Comparison(out.times, into.times, squares, stride / RATE, (out.footing, into.footing))


class _Rows(NamedTuple):
    """Moments (N,) of a motion, rows (N, D) whose distance says how unlike they are, and how the figure stands."""

    times: Array
    values: Single
    footing: Footing


def _span(motion: Motion, window: Window, before: float, after: float) -> Window:
    """Return from when to when a motion is looked at that is cut in a window."""
    return max(window[0] - before, motion.start), min(window[1] + after, motion.stop)


def _rows(motion: Motion, span: Window, anchor: float, stride: int, pinned: bool) -> _Rows:
    """Return moments of a motion in a span of time, the anchor among them.

    Velocities are those of neighbouring frames, also where only every `stride`-th moment is kept.
    """
    try:
        before, times = _moments(motion, span, anchor)
        poses = motion.state(times).poses
    except ArgumentError:
        # the motion has a gap: only what lies next to the anchor without a break can be looked at
        first, last = reach_of(motion, anchor, anchor)
        before, times = _moments(motion, (max(span[0], first), min(span[1], last)), anchor)
        poses = motion.state(times).poses
    trace = trace_of(motion.figure, poses)
    stance = stance_of(motion.figure, poses, trace)
    every = np.arange(len(times))
    edges = np.tile(np.array([0, len(times) - 1]), (len(times), 1))
    features = moment_features(trace, "both", every, edges)
    blocks: list[Array | Single] = [features.rows(), _PLANTED * stance.standing]
    seen, pace = features.pose.reshape(trace.points.shape), features.velocity[:, [0, 2]]
    if pinned:
        blocks.append(_whereabouts(trace))
        seen, pace = trace.points, np.zeros_like(pace)
    kept = every[before % stride :: stride]
    footing = Footing(
        stance.aloft[kept],
        stance.feet[kept].astype(np.float32),
        seen[kept][:, _ANKLES][..., [0, 2]],
        pace[kept],
    )
    return _Rows(times[kept], np.concatenate(blocks, axis=1, dtype=np.float32)[kept], footing)


def _moments(motion: Motion, span: Window, anchor: float) -> tuple[int, Array]:
    """Return how many moments of a span come before the anchor, and all its moments (N,), in s."""
    before, after = (int(max(part, 0.0) * RATE + 1e-6) for part in (anchor - span[0], span[1] - anchor))
    return before, np.clip(anchor + np.arange(-before, after + 1) / RATE, motion.start, motion.stop)


def _whereabouts(trace: Trace) -> Array:
    """Return where the figure is on the floor, in legs, and which way it faces, (T, 4)."""
    places = trace.points[:, 0]
    return np.stack([places[:, 0], places[:, 2], np.sin(trace.headings), np.cos(trace.headings)], axis=1)


def _lowest(values: Single, size: int, count: int) -> list[tuple[int, int]]:
    """Return where values (R, C) are lower than all around, lowest first: at most one place in `size` by `size`."""
    rows, columns = (-(-length // size) * size for length in values.shape)
    padded = np.full((rows, columns), np.inf, np.float32)
    padded[: values.shape[0], : values.shape[1]] = values
    blocks = padded.reshape(rows // size, size, columns // size, size)
    least = blocks.min(axis=(1, 3))
    minima = np.argwhere(least == ndimage.minimum_filter(least, 3, mode="nearest"))
    order = np.argsort(least[tuple(minima.T)], kind="stable")[:count]
    found = []
    for i, j in minima[order].tolist():
        row, column = np.unravel_index(blocks[i, :, j].argmin(), (size, size))
        found.append((i * size + int(row), j * size + int(column)))
    return found


def _within(moments: Array, window: tuple[float, float]) -> slice:
    return slice(*np.searchsorted(moments, [window[0] - 1e-9, window[1] + 1e-9]).tolist())
