"""Animations of a glTF file: the choice of one, its frame rate, and its channels sampled at frames."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.errors import SegueWarning
from segue.io.bvh.record import frame_rate
from segue.io.gltf.accessors import NORMALISED, AccessorReader
from segue.io.gltf.document import Item
from segue.io.gltf.nodes import Node, NodeMotion
from segue.typing import Array

Indices = npt.NDArray[np.intp]

_PATHS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")

DEFAULT_RATE = 30.0
# in the order in which a file with gaps between its keys is tried: what is common comes first
_USUAL_RATES = (30.0, 24.0, 25.0, 60.0, 50.0, 120.0, 48.0, 100.0, 90.0, 240.0, 30000 / 1001, 60000 / 1001)
# keys further apart than this are points of a curve that someone drew, not samples of a motion
_WIDEST_SAMPLING = 0.1
_OFF_GRID = 0.01  # frames by which a key may miss its frame
_SAME_RATE = 1e-3  # relative difference of rates that were meant to be one
_SAME_TIME = 1e-5  # seconds: keys of different channels nearer than this were meant to be one


@dataclass(frozen=True)
class FrameGrid:
    """Frames at equal distances: `count` of them, `spacing` seconds apart in the file, the first at `start`.

    fps: the usual rate nearest to the spacing. slack: the largest distance in frames of a key from its frame, beyond
    the rounding of 32-bit seconds.
    """

    start: float
    spacing: float
    count: int
    fps: float
    slack: float = 0.0

    def frames_of(self, times: Array) -> Array:
        """Return key times as frame numbers, integers where the difference is rounding."""
        frames: Array = (times - self.start) / self.spacing
        whole = np.round(frames)
        return np.where(np.abs(frames - whole) <= _tolerance(times[-1], self.spacing, self.slack), whole, frames)


@dataclass(frozen=True)
class Channel:
    """One animated value of one node; path is "translation", "rotation" (w, x, y, z) or "scale".

    times: (K,) seconds. values: (K, 3 or 4), or (K, 3, 3 or 4) for CUBICSPLINE: tangent in, value, tangent out.
    """

    node: int
    path: str
    interpolation: str
    times: Array
    values: Array

    def at(self, grid: FrameGrid) -> Array:
        """Return the value at every frame of the grid. It is constant before the first key and after the last."""
        keys = grid.frames_of(self.times)
        frames = np.clip(np.arange(grid.count, dtype=float), keys[0], keys[-1])
        left = np.clip(np.searchsorted(keys, frames, side="right") - 1, 0, max(len(keys) - 2, 0))
        right = np.minimum(left + 1, len(keys) - 1)
        gap = keys[right] - keys[left]
        fraction = (frames - keys[left]) / np.where(gap > 0, gap, 1.0)
        values = self._between(left, right, fraction, gap * grid.spacing)
        return quaternion.normalise(values) if self.path == "rotation" else values

    def _between(self, left: Indices, right: Indices, fraction: Array, seconds: Array) -> Array:
        s = fraction[:, None]
        if self.interpolation == "STEP" or not ((fraction > 0.0) & (fraction < 1.0)).any():
            keys = self.values[:, 1] if self.interpolation == "CUBICSPLINE" else self.values
            held: Array = np.where(s < 1.0, keys[left], keys[right])
            return held
        if self.interpolation == "LINEAR":
            if self.path == "rotation":
                return quaternion.slerp(self.values[left], self.values[right], fraction)
            blend: Array = (1.0 - s) * self.values[left] + s * self.values[right]
            return blend
        # cubic Hermite spline of values and tangents a second, glTF 2.0 specification, appendix C
        start, leaving = self.values[left, 1], self.values[left, 2] * seconds[:, None]
        stop, arriving = self.values[right, 1], self.values[right, 0] * seconds[:, None]
        curve: Array = (
            (2 * s**3 - 3 * s**2 + 1) * start
            + (s**3 - 2 * s**2 + s) * leaving
            + (3 * s**2 - 2 * s**3) * stop
            + (s**3 - s**2) * arriving
        )
        return curve


def _targets(animation: Item, nodes: Sequence[Node]) -> list[tuple[Item, int, str]]:
    """Return channel, node and path of every target that moves a node. Morph targets are left out."""
    found = []
    for channel in animation.items("channels"):
        target = channel.needed_item("target")
        path = target.text("path")
        if path in _PATHS and "node" in target.fields:
            found.append((channel, target.index("node", nodes, "nodes"), path))
    return found


def moved_nodes(animation: Item, nodes: Sequence[Node]) -> set[int]:
    """Return the numbers of the nodes that an animation moves."""
    return {node for _, node, _ in _targets(animation, nodes)}


def read_channels(
    animation: Item, nodes: Sequence[Node], wanted: set[int], accessors: AccessorReader
) -> dict[tuple[int, str], Channel]:
    """Return the channels of the wanted nodes by node and path."""
    samplers = animation.items("samplers")
    channels: dict[tuple[int, str], Channel] = {}
    times: dict[int, Array] = {}  # by accessor: most channels of a file share one
    for item, node, path in _targets(animation, nodes):
        if node not in wanted:
            continue
        if (node, path) in channels:
            item.fail(f"moves the {path} of nodes[{node}], as a channel before it does: one is allowed")
        sampler = samplers[item.index("sampler", samplers, f"samplers in {animation.place}")]
        source = sampler.integer("input")
        if source not in times:
            times[source] = accessors.read(sampler, "input", "SCALAR")[:, 0]
            if (np.diff(times[source]) <= 0).any():
                sampler.fail("has times that do not increase from key to key", "input")
        channels[node, path] = _read_channel(sampler, node, path, times[source], accessors)
    return channels


def _read_channel(sampler: Item, node: int, path: str, times: Array, accessors: AccessorReader) -> Channel:
    interpolation = sampler.text("interpolation", "LINEAR")
    if interpolation not in _INTERPOLATIONS:
        sampler.fail(f"is '{interpolation}': {', '.join(_INTERPOLATIONS)} are known", "interpolation")
    values = accessors.read(sampler, "output", _PATHS[path], NORMALISED if path == "rotation" else ())
    cubic = interpolation == "CUBICSPLINE"
    if len(values) != len(times) * (3 if cubic else 1):
        each = "three (tangent, value, tangent)" if cubic else "one"
        sampler.fail(f"has {len(values)} values for {len(times)} times: {each} for each is needed", "output")
    if cubic:
        values = values.reshape(len(times), 3, -1)
    if path == "rotation":
        values = values[..., [3, 0, 1, 2]]
        lengths = np.linalg.norm(values[:, 1] if cubic else values, axis=-1)
        if (lengths < 1e-6).any():
            sampler.fail(f"has a quaternion of length zero at key {int(np.argmin(lengths))}", "output")
        if not cubic:  # tangents belong to the quaternions as they stand
            values = values / lengths[:, None]
    return Channel(node, path, interpolation, times, values)


def node_motion(node: Node, number: int, channels: dict[tuple[int, str], Channel], grid: FrameGrid) -> NodeMotion:
    """Return the transforms of a node at every frame. Values without a channel stay at rest, as a single frame."""
    motion = NodeMotion.at_rest(node)
    moved = {path: channels[number, path].at(grid) for path in _PATHS if (number, path) in channels}
    return replace(motion, **moved)


def find_frames(
    key_times: Sequence[Array], path: str | Path, *, stated_fps: float | None = None, fps: float | None = None
) -> FrameGrid:
    """Return the frames on which the keys of all channels lie, or frames close enough together to follow them.

    key_times: strictly increasing seconds for each channel. stated_fps: the rate in the file, used if the keys agree
    with it. fps: the rate to sample at, for any keys.
    """
    times = np.unique(np.concatenate(key_times))
    times = times[np.concatenate(([True], np.diff(times) > _SAME_TIME))]
    start, stop = float(times[0]), float(times[-1])
    if len(times) == 1:
        rate = fps or stated_fps or DEFAULT_RATE
        return FrameGrid(start, 1.0 / rate, 1, rate)
    if fps is not None:
        return _covering(start, stop, fps)
    key_rate = _rate_through(times, stated_fps)
    if key_rate is None:
        rate = _rate_for_gap(float(np.median(np.diff(times))))
        _warn(path, f"has keyframes at irregular times, it is sampled at {rate:g} frames a second")
        return _covering(start, stop, rate)
    if stated_fps is not None and abs(key_rate / stated_fps - 1.0) < _SAME_RATE:
        return _through(start, stop, key_rate, stated_fps)
    if key_rate * _WIDEST_SAMPLING < 1.0:
        between = math.ceil(DEFAULT_RATE / key_rate * (1.0 - _SAME_RATE))
        _warn(
            path,
            f"has keyframes only every {1.0 / key_rate:.3g} s, it is sampled at {key_rate * between:g} frames a second",
        )
        key_rate *= between
    return _through(start, stop, key_rate, frame_rate(1.0 / key_rate))


def _warn(path: str | Path, sentence: str) -> None:
    warnings.warn(f"{path}: {sentence} (fps= chooses another rate)", SegueWarning, stacklevel=6)


def _through(start: float, stop: float, rate: float, fps: float) -> FrameGrid:
    """Return frames at the rate of the keys, labelled with fps."""
    return FrameGrid(start, 1.0 / rate, round((stop - start) * rate) + 1, fps, _OFF_GRID)


def _covering(start: float, stop: float, rate: float) -> FrameGrid:
    """Return frames at a rate from start to stop, the last one not before stop."""
    return FrameGrid(start, 1.0 / rate, math.ceil((stop - start) * rate - _OFF_GRID) + 1, rate)


def _rate_through(times: Array, stated_fps: float | None) -> float | None:
    """Return the rate at which every time is a whole number of frames after the first, or None."""
    gaps = np.diff(times)
    span = float(times[-1] - times[0])
    claimed = () if stated_fps is None else (stated_fps,)
    for candidate in (*claimed, 1.0 / float(np.median(gaps)), 1.0 / float(gaps.min()), *_USUAL_RATES):
        frames = round(span * candidate)
        if frames < 1:
            continue
        rate = float(frames / span)  # the ends are the best measure of the spacing, float32 rounds each gap
        places = (times - times[0]) * rate
        if np.abs(places - np.round(places)).max() <= _tolerance(times[-1], 1.0 / rate, _OFF_GRID):
            return rate
    return None


def _tolerance(latest: float, spacing: float, slack: float) -> float:
    """Return the largest distance in frames of a key from its frame. 32-bit seconds get coarser with time."""
    rounding = 2.0 * float(np.spacing(np.float32(abs(latest)))) / spacing
    return min(max(slack, rounding), 0.25)


def _rate_for_gap(gap: float) -> float:
    """Return the lowest usual integer rate whose frames are at most the gap apart, or the highest rate."""
    rates = sorted(rate for rate in _USUAL_RATES if rate.is_integer())
    return next((rate for rate in rates if rate * gap >= 1.0 - _SAME_RATE), rates[-1])
