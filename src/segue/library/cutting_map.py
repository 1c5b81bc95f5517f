"""How unlike two motions are, for every moment of leaving the one and of entering the other.

A transition from `leave` to `enter` is natural where both motions would have done about the same for as long as it
lasts: the first one had it gone on, and the second one before it was entered. So what is compared is not a pair of
poses but a pair of stretches, as in [Kovar2002]: poses and velocities as `segue.library.features` sees them, how firmly
each foot stands, and, where neither motion may be moved, where the figure is and faces as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from segue.body.figure import Figure, Poses
from segue.curves.quaternion import Array
from segue.library.features import Trace, moment_features, trace_of
from segue.library.library_clip import RATE, Single
from segue.motion.motion import Motion

__all__ = ["Comparison", "DistanceMap", "Minimum", "compare"]

_MOST = 4000  # moments of a motion that are compared: what is longer is compared at fewer frames a second
_LOOKS = 5  # moments of a stretch that are compared, from its first to its last
_SOLES = ("left_heel", "left_toe", "right_heel", "right_toe")
_PLANTED = 0.15  # legs: what a sole that stands in the one motion and is lifted in the other counts
_SPEED, _SPEED_STEP = 0.4, 0.1  # m/s: at this speed a sole half stands, and how quickly that changes
_HEIGHT, _HEIGHT_STEP = 0.08, 0.02  # m above the floor, likewise
_FLOOR = 0.05  # quantile of the lowest soles that counts as the floor
_NEIGHBOURS = 0.15  # s within which only one minimum is kept


class Minimum(NamedTuple):
    """A place of a map that is lower than all around it: moments in s, and the distance in legs."""

    leave: float
    enter: float
    distance: float


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

    def minima(
        self, leave: tuple[float, float], enter: tuple[float, float], count: int, keep: float = 0.0
    ) -> list[Minimum]:
        """Return the lowest minima between two moments of leaving and two of entering, at most so many.

        keep: by which part a place counts as higher that would drop the whole of both motions.
        """
        rows, columns = _within(self.leaves, leave), _within(self.enters, enter)
        part = self.distances[rows, columns]
        if not part.size:
            return []
        leaves, enters = self.leaves[rows], self.enters[columns]
        unused = _share(self.leaves[-1] - leaves, self.leaves), _share(enters - self.enters[0], self.enters)
        weighed = part * (1.0 + 0.5 * keep * (unused[0][:, None] + unused[1])).astype(np.float32)
        step = float(self.leaves[1] - self.leaves[0]) if len(self.leaves) > 1 else 1.0
        places = _lowest(weighed, max(round(_NEIGHBOURS / step), 1), count)
        return [Minimum(float(leaves[i]), float(enters[j]), float(part[i, j])) for i, j in places]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every moment of a motion against every moment of another: squared distances (L + K, K + E), in legs.

    The first motion is taken to stand still for K moments after its end, the second for K moments before its start, so
    that both can be cut anywhere. step: s between moments.
    """

    leaves: Array
    enters: Array
    squares: Single
    step: float

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
    first: Motion, second: Motion, longest: float, *, pinned: bool = False, anchors: tuple[float, float] | None = None
) -> Comparison:
    """Return every moment of one motion against every moment of another, for transitions of at most some seconds.

    pinned: whether it counts where the figure is and faces. anchors: moments of the first and of the second motion that
    must be among those compared.
    """
    at = (first.stop, second.start) if anchors is None else anchors
    stride = max(-(-int(max(first.duration, second.duration) * RATE) // _MOST), 1)
    leaves, out = _rows(first, at[0], stride, pinned)
    enters, into = _rows(second, at[1], stride, pinned)
    # beyond the end of both nothing changes any more
    ahead = min(round(longest * RATE / stride) + 1, max(len(leaves), len(enters)))
    out = np.concatenate([out, np.repeat(out[-1:], ahead, axis=0)])
    into = np.concatenate([np.repeat(into[:1], ahead, axis=0), into])
    # in place: with minutes of both motions this is most of the memory that is needed
    squares = out @ into.T
    squares *= -2.0
    squares += (out**2).sum(axis=1)[:, None]
    squares += (into**2).sum(axis=1)
    return Comparison(leaves, enters, np.maximum(squares, 0.0, out=squares), stride / RATE)


def _rows(motion: Motion, anchor: float, stride: int, pinned: bool) -> tuple[Array, Single]:
    """Return moments (N,) of a motion, the anchor among them, and rows (N, D) whose distance says how unlike they are.

    Velocities are those of neighbouring frames, also where only every `stride`-th moment is kept.
    """
    before, after = (int(max(span, 0.0) * RATE + 1e-6) for span in (anchor - motion.start, motion.stop - anchor))
    times = np.clip(anchor + np.arange(-before, after + 1) / RATE, motion.start, motion.stop)
    poses = motion.state(times).poses
    trace = trace_of(motion.figure, poses)
    every = np.arange(len(times))
    edges = np.tile(np.array([0, len(times) - 1]), (len(times), 1))
    blocks: list[Array | Single] = [
        moment_features(trace, "both", every, edges).rows(),
        _PLANTED * _standing(motion.figure, poses),
    ]
    if pinned:
        blocks.append(_whereabouts(trace))
    kept = every[before % stride :: stride]
    return times[kept], np.concatenate(blocks, axis=1, dtype=np.float32)[kept]


def _standing(figure: Figure, poses: Poses) -> Array:
    """Return how firmly each sole point stands, (T, 4): 1 where it rests on the floor, 0 where it is up or moves."""
    soles = np.stack([figure.point(name, poses) for name in _SOLES], axis=1)
    speeds = np.linalg.norm(np.gradient(soles, 1.0 / RATE, axis=0), axis=-1) if len(soles) > 1 else np.zeros((1, 4))
    heights = soles[..., 1] - np.quantile(soles[..., 1].min(axis=1), _FLOOR)
    return _low(speeds, _SPEED, _SPEED_STEP) * _low(heights, _HEIGHT, _HEIGHT_STEP)


def _low(values: Array, middle: float, step: float) -> Array:
    """Return 1 where values are low, 0 where they are high, and a smooth step between."""
    return 0.5 - 0.5 * np.tanh(0.5 * (values - middle) / step)


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


def _share(spans: Array, moments: Array) -> Array:
    """Return spans of time as parts of all the time there is."""
    return spans / max(float(moments[-1] - moments[0]), 1e-9)
