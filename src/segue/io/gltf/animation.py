"""The animations of a glTF file: which one, what it moves, and its curves at given frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.io.gltf.accessors import NORMALISED, AccessorReader
from segue.io.gltf.document import Item
from segue.io.gltf.nodes import Node, NodeMotion
from segue.io.gltf.timing import FrameGrid

__all__ = ["Channel", "choose_animation", "moved_nodes", "node_motion", "read_channels"]

Indices = npt.NDArray[np.intp]

_PATHS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


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
        """Return the value at every frame of the grid; before the first key and after the last it stands still."""
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


def choose_animation(document: Item, choice: str | int | None) -> Item | None:
    """Return the animation of a name or number, or the first; None where the file has none and none was asked for."""
    animations = document.items("animations")
    if choice is None:
        return animations[0] if animations else None
    names = [animation.text("name") for animation in animations]
    if isinstance(choice, str) and choice in names:
        return animations[names.index(choice)]
    if isinstance(choice, int) and 0 <= choice < len(animations):
        return animations[choice]
    there = ", ".join(f"{k} '{name}'" for k, name in enumerate(names)) or "none"
    raise ArgumentError(f"{document.path}: there is no animation {choice!r}, the file has: {there}")


def _targets(animation: Item, nodes: Sequence[Node]) -> list[tuple[Item, int, str]]:
    """Return channel, node and path of everything that moves a node; morph targets and the like do not."""
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
    """Return the transforms of a node at every frame; what no channel moves stays at rest, as a single frame."""
    motion = NodeMotion.at_rest(node)
    moved = {path: channels[number, path].at(grid) for path in _PATHS if (number, path) in channels}
    return replace(motion, **moved)
