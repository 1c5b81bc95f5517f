"""Reading glTF: the skeleton and one animation of a .glb or .gltf file as a clip."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from segue.body.skeleton import Skeleton
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.io.bvh.record import unique_names
from segue.io.files import choose_take
from segue.io.gltf.accessors import AccessorReader
from segue.io.gltf.animation import (
    DEFAULT_RATE,
    FrameGrid,
    find_frames,
    moved_nodes,
    node_motion,
    read_channels,
)
from segue.io.gltf.container import open_container
from segue.io.gltf.document import END_EXTRA, FPS_EXTRA, Item
from segue.io.gltf.nodes import Node, NodeMotion, Tree, connected, local_poses, read_nodes, spanned_subtrees
from segue.io.gltf.scene import GltfScene
from segue.motion.clip import Clip, Origin
from segue.typing import Array

# a file of a few bytes can ask for any number of frames: so many poses of single joints (about 100 MB) it can have, or
# one for each byte of its buffers, which is well above what a sampled motion needs
_MOST_POSES = 2_000_000


@np.errstate(over="ignore", invalid="ignore")  # absurd numbers become infinite, which is refused at the end
def read_glb(path: str | Path, *, take: str | int | None = None, fps: float | None = None) -> Clip:
    """Return the skeleton and an animation of a .glb or .gltf file, in metres with Y up.

    The skeleton is the joints of the file's skin, or without a skin the tree of nodes that the animation moves. Nodes
    above it are folded into its roots, and scale into positions. Offsets are the rest translations; the rest rotations,
    (J, 4), stand in `origin.details["rest_rotations"]`. The whole file stands in `origin.scene`, so that a clip on this
    skeleton is written back into it.

    take: name or number of an animation, the first if not given. fps: frames a second to sample at; if not given, the
    rate at which the keyframes lie. Without any animation the clip is one frame, the rest pose.
    """
    if fps is not None and not 0 < fps < np.inf:
        raise ArgumentError(f"fps is {fps}: it must be a positive number of frames a second")
    document, binary = open_container(path)
    nodes, accessors = read_nodes(document), AccessorReader(document, binary)
    animations = document.items("animations")
    takes = tuple(each.text("name") for each in animations)
    number = choose_take(takes, take, path, "animation")
    chosen = None if number is None else animations[number]
    tree = _find_skeleton(document, nodes, chosen)
    offsets, rest_rotations = local_poses(nodes, tree, lambda number: NodeMotion.at_rest(nodes[number]))
    if chosen is None:
        warnings.warn(f"{path}: has no animation, the clip is its rest pose", SegueWarning, stacklevel=3)
        positions, rotations, rate, start = offsets, rest_rotations, fps or DEFAULT_RATE, 0.0
    else:
        positions, rotations, rate, start = _sample(nodes, tree, chosen, accessors, fps)
    names = _joint_names(nodes, tree, path)
    for values in (offsets, positions, rotations):
        if not np.isfinite(values).all():
            frame, joint = np.argwhere(~np.isfinite(values).all(axis=2))[0]
            raise FileFormatError(f"the pose of joint '{names[joint]}' is not finite in frame {frame}", path)
    rest_rotations.flags.writeable = False
    skeleton = Skeleton(names, tree.parents, offsets[0], _ends(nodes, tree))
    origin = Origin(
        "glb",
        str(path),
        details={"rest_rotations": rest_rotations[0]},
        takes=takes,
        take=number,
        scene=GltfScene(document, accessors, nodes, tree, skeleton, start),
    )
    return Clip.from_arrays(skeleton, positions, rotations, rate, origin=origin)


def _find_skeleton(document: Item, nodes: Sequence[Node], animation: Item | None) -> Tree:
    skins = document.items("skins")
    if skins:
        return connected(nodes, _skin_joints(skins, nodes))
    moved = moved_nodes(animation, nodes) if animation is not None else set()
    if not moved:
        raise FileFormatError(
            "has no skin, and no animation that moves a node: there is no skeleton to read", document.path
        )
    return connected(nodes, spanned_subtrees(nodes, moved))


def _skin_joints(skins: Sequence[Item], nodes: Sequence[Node]) -> list[int]:
    """Return the joints of the first skin and of all that share joints with it, as body and clothes do."""
    joint_lists = [skin.indices("joints", nodes, "nodes") for skin in skins]
    for skin, joints in zip(skins, joint_lists, strict=True):
        if not joints:
            skin.fail("has no joints: a skin needs at least one", "joints")
    found = dict.fromkeys(joint_lists[0])
    others = joint_lists[1:]
    while joined := [joints for joints in others if not found.keys().isdisjoint(joints)]:
        others = [joints for joints in others if found.keys().isdisjoint(joints)]
        found |= dict.fromkeys(joint for joints in joined for joint in joints)
    if others:
        warnings.warn(
            f"{skins[0].path}: has {len(others)} skins on other skeletons, only the skeleton of the first is read",
            SegueWarning,
            stacklevel=5,
        )
    return list(found)


def _sample(
    nodes: Sequence[Node], tree: Tree, animation: Item, accessors: AccessorReader, fps: float | None
) -> tuple[Array, Array, float, float]:
    """Return positions and rotations of the skeleton's joints at every frame, the frame rate, and the first time."""
    wanted = set(tree.nodes)
    for number in tree.nodes:
        while (number := nodes[number].parent) >= 0 and number not in wanted:
            wanted.add(number)
    channels = read_channels(animation, nodes, wanted, accessors)
    if channels:
        key_times = {id(channel.times): channel.times for channel in channels.values()}  # most channels share them
        grid = find_frames(list(key_times.values()), animation.path, stated_fps=_stated_fps(animation), fps=fps)
    else:
        warnings.warn(f"{animation.path}: the animation does not move the skeleton", SegueWarning, stacklevel=4)
        grid = FrameGrid(0.0, 1.0, 1, fps or DEFAULT_RATE)
    most = max(_MOST_POSES, accessors.loaded_bytes) // len(tree.nodes)
    if grid.count > most:
        animation.fail(
            f"lasts {(grid.count - 1) * grid.spacing:g} s, which is {grid.count} frames of {len(tree.nodes)} joints at "
            f"{grid.fps:g} frames a second: of this file {most} frames can be read, a lower fps= may do"
        )
    positions, rotations = local_poses(
        nodes, tree, lambda number: node_motion(nodes[number], number, channels, grid), grid.count
    )
    return positions, rotations, grid.fps, grid.start


def _stated_fps(animation: Item) -> float | None:
    """Return the frame rate that Segue wrote into the animation, if it did."""
    stated = animation.extra_numbers(FPS_EXTRA, 1)
    return stated[0] if stated is not None and stated[0] > 0 else None


def _joint_names(nodes: Sequence[Node], tree: Tree, path: str | Path) -> tuple[str, ...]:
    written = [nodes[number].name or f"node_{number}" for number in tree.nodes]
    names = unique_names(written)
    if list(names) != written:
        twice = next(old for old, new in zip(written, names, strict=True) if old != new)
        warnings.warn(f"{path}: several joints are named '{twice}', they are numbered", SegueWarning, stacklevel=4)
    return names


def _ends(nodes: Sequence[Node], tree: Tree) -> dict[int, Array]:
    """Return the tips of bones that Segue wrote beside their joints: glTF itself has none."""
    tips = {joint: nodes[number].item.extra_numbers(END_EXTRA, 3) for joint, number in enumerate(tree.nodes)}
    return {joint: np.array(tip) for joint, tip in tips.items() if tip is not None}
