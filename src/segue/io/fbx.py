"""FBX in: the skeleton and one take of a binary or ASCII file, through ufbx."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from segue.errors import FileFormatError, warn_user
from segue.io.bvh.record import unique_names
from segue.io.gltf.animation import DEFAULT_RATE, FrameGrid, find_frames
from segue.io.gltf.document import Item
from segue.io.gltf.nodes import Node, NodeMotion, Tree, connected, local_poses, spanned_subtrees
from segue.io.isolated import names_of, parse_isolated
from segue.io.takes import choose_take
from segue.motion.clip import Clip, Origin
from segue.typing import Array

_MOST_POSES = 2_000_000  # poses of single nodes, or one for each byte of the file


def read_fbx(path: str | Path, *, take: str | int | None = None, fps: float | None = None) -> Clip:
    """Return the skeleton and a take of an FBX file, in metres with Y up.

    The skeleton is the file's bones (limb nodes and what a skin names), or without bones the nodes that the take moves.
    ufbx evaluates rotation orders, pre- and post-rotations, pivots, layers and units. Nodes above the skeleton are
    folded into its roots. Offsets are the translations at rest; the rest rotations, (J, 4), stand in
    `origin.details["rest_rotations"]`.

    take: name or number, the first if not given. fps: frames a second to sample at; if not given, the rate of the keys.
    Without any take the clip is one frame, the rest pose.
    """
    scene = _parse(path)
    takes = names_of(scene, "takes")
    chosen = choose_take(takes, take, path, "take")
    if chosen is not None and chosen > 0:
        scene = _parse(path, chosen)
    names, rest = names_of(scene, "names"), scene["rest"]
    nodes = _nodes(names, scene["parents"].tolist(), rest, path)
    tree = _skeleton(nodes, scene, path)
    offsets, rest_rotations = _poses(nodes, tree, rest[None])
    if chosen is None or not scene["keys"].size:
        warn_user(f"{path}: {'the take moves no node' if takes else 'has no take'}, the clip is its rest pose")
        positions, rotations, rate = offsets, rest_rotations, fps or DEFAULT_RATE
    else:
        grid = find_frames([scene["keys"]], path, stated_fps=_stated(scene), fps=fps)
        frames = _frames(path, chosen, grid, len(nodes))
        positions, rotations = _poses(nodes, tree, frames)
        rate = grid.fps
    joints = unique_names([names[number] or f"node_{number}" for number in tree.nodes])
    for values in (offsets, rest_rotations, positions, rotations):
        if not np.isfinite(values).all():
            frame, joint = np.argwhere(~np.isfinite(values).all(axis=2))[0]
            raise FileFormatError(f"the pose of joint '{joints[joint]}' is not finite in frame {frame}", path)
    details: dict[str, Any] = {"rest_rotations": rest_rotations[0]}
    origin = Origin("fbx", str(path), details=details, takes=takes, take=chosen)
    return Clip(joints, tree.parents, offsets[0], positions, rotations, rate, origin=origin)


def _parse(path: str | Path, take: int = 0, times: tuple[float, float, int] | None = None) -> dict[str, Any]:
    return parse_isolated("_fbx_worker.py", path, "FBX", "fbx", take=take, times=times)


def _frames(path: str | Path, take: int, grid: FrameGrid, nodes: int) -> Array:
    """Return the local transforms of all nodes at the frames of a grid, (T, N, 10)."""
    most = max(_MOST_POSES, Path(path).stat().st_size) // nodes
    if grid.count > most:
        raise FileFormatError(
            f"lasts {(grid.count - 1) * grid.spacing:g} s, which is {grid.count} frames of {nodes} nodes: "
            f"of this file {most} frames can be read",
            path,
        )
    frames: Array = _parse(path, take, (grid.start, grid.spacing, grid.count))["frames"]
    return frames


def _stated(scene: dict[str, Any]) -> float | None:
    fps = float(scene["fps"])
    return fps if 0.1 <= fps <= 10_000.0 else None


def _nodes(names: Sequence[str], parents: Sequence[int], rest: Array, path: str | Path) -> list[Node]:
    children: list[list[int]] = [[] for _ in names]
    for number, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(number)
    still = [_motion(rest[None], number) for number in range(len(names))]
    return [
        Node(
            Item(path, f"node {number}", {}),
            names[number],
            parents[number],
            tuple(children[number]),
            still[number].translation[0],
            still[number].rotation[0],
            still[number].scale[0],
        )
        for number in range(len(names))
    ]


@np.errstate(over="ignore", invalid="ignore")  # absurd numbers become infinite, which is refused at the end
def _poses(nodes: Sequence[Node], tree: Tree, frames: Array) -> tuple[Array, Array]:
    return local_poses(nodes, tree, lambda number: _motion(frames, number), len(frames))


def _motion(frames: Array, number: int) -> NodeMotion:
    """Return a node's part of transforms (T, N, 10) that have their quaternions as x y z w."""
    own = frames[:, number]
    return NodeMotion(own[:, :3], own[:, [6, 3, 4, 5]], own[:, 7:])


def _skeleton(nodes: Sequence[Node], scene: dict[str, Any], path: str | Path) -> Tree:
    bones = np.flatnonzero(scene["bones"]).tolist()
    if bones:
        return connected(nodes, bones)
    moved = scene["moved"].tolist() if "moved" in scene else []
    if not moved:
        raise FileFormatError("has no bone, and no take that moves a node: there is no skeleton to read", path)
    return connected(nodes, spanned_subtrees(nodes, moved))
