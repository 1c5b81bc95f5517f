"""The node tree of a glTF file: which nodes are the skeleton, and their local poses with all else folded in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from segue.curves import quaternion
from segue.io.gltf.document import Item
from segue.typing import Array

# relative difference below which scale along three axes counts as equal and axes as square: well above float32 noise
_EVEN = 1e-4


@dataclass(frozen=True)
class Node:
    """One node: its parent (-1: none), children and rest transform; item is its place in the document."""

    item: Item
    name: str
    parent: int
    children: tuple[int, ...]
    translation: Array
    rotation: Array
    scale: Array


@dataclass(frozen=True)
class NodeMotion:
    """Local transforms of one node over frames: translation (T, 3), rotation (T, 4) w x y z, scale (T, 3)."""

    translation: Array
    rotation: Array
    scale: Array

    @classmethod
    def at_rest(cls, node: Node) -> NodeMotion:
        """Return the node's rest transform as a single frame."""
        return cls(node.translation[None], node.rotation[None], node.scale[None])


@dataclass(frozen=True)
class Tree:
    """The nodes that are the skeleton, parents before children: their numbers, and parents as places in that list."""

    nodes: tuple[int, ...]
    parents: tuple[int, ...]


def read_nodes(document: Item) -> list[Node]:
    """Return all nodes, after checking that they form trees."""
    items = document.items("nodes")
    children = [item.indices("children", items, "nodes") for item in items]
    parents = [-1] * len(items)
    for number, below in enumerate(children):
        for child in below:
            if parents[child] >= 0:
                items[child].fail(f"is a child of both nodes[{parents[child]}] and nodes[{number}]: one is allowed")
            parents[child] = number
    reached = _below([number for number, parent in enumerate(parents) if parent < 0], children)
    if len(reached) < len(items):
        lost = min(set(range(len(items))) - set(reached))
        items[lost].fail("is its own ancestor: the nodes must form trees")
    return [
        Node(item, item.text("name"), parent, tuple(below), *_rest_transform(item))
        for item, parent, below in zip(items, parents, children, strict=True)
    ]


def _below(tops: Iterable[int], children: Sequence[Sequence[int]]) -> list[int]:
    """Return the given nodes and all below them, each before its children, in the file's order of children."""
    found = []
    waiting = list(tops)[::-1]
    while waiting:
        number = waiting.pop()
        found.append(number)
        waiting.extend(reversed(children[number]))
    return found


def _rest_transform(item: Item) -> tuple[Array, Array, Array]:
    """Return translation, rotation (w, x, y, z) and scale of a node."""
    matrix = item.numbers("matrix", 16)
    if matrix is not None:
        return _decompose(item, np.array(matrix).reshape(4, 4).T)  # columns stand first in the file
    translation = np.array(item.numbers("translation", 3) or [0.0, 0.0, 0.0])
    x, y, z, w = item.numbers("rotation", 4) or [0.0, 0.0, 0.0, 1.0]
    length = np.linalg.norm([w, x, y, z])
    if not 1e-6 < length < np.inf:
        item.fail(f"is {[x, y, z, w]}: a quaternion of length 1 is needed", "rotation")
    scale = np.array(item.numbers("scale", 3) or [1.0, 1.0, 1.0])
    return translation, np.array([w, x, y, z]) / length, scale


def _decompose(item: Item, matrix: Array) -> tuple[Array, Array, Array]:
    """Return translation, rotation and scale of an affine matrix without shear."""
    columns = matrix[:3, :3]
    scale = np.linalg.norm(columns, axis=0)
    if not (np.isfinite(scale).all() and (scale > 0).all()):
        item.fail("flattens space or overflows: a matrix with an inverse is needed", "matrix")
    if np.abs(matrix[3] - [0.0, 0.0, 0.0, 1.0]).max() > _EVEN:
        item.fail("has a last row other than 0 0 0 1: only affine transforms can be read", "matrix")
    axes = columns / scale
    if np.abs(axes.T @ axes - np.eye(3)).max() > _EVEN:
        item.fail("shears space: a matrix of translation, rotation and scale is needed", "matrix")
    if np.linalg.det(axes) < 0:
        axes, scale = -axes, -scale
    return matrix[:3, 3].copy(), quaternion.from_matrix(axes), scale


def connected(nodes: Sequence[Node], chosen: Sequence[int]) -> Tree:
    """Return the tree of the chosen nodes, in the given order as far as parents allow, with the nodes between them."""
    in_tree = set(chosen)
    outside: set[int] = set()  # known to have no chosen node above them
    for number in chosen:
        between = []
        above = nodes[number].parent
        while above >= 0 and above not in in_tree and above not in outside:
            between.append(above)
            above = nodes[above].parent
        (in_tree if above in in_tree else outside).update(between)
    order: dict[int, int] = {}
    for number in chosen:
        branch = []
        while number in in_tree and number not in order:
            branch.append(number)
            number = nodes[number].parent
        for node in reversed(branch):
            order[node] = len(order)
    return Tree(tuple(order), tuple(order.get(nodes[node].parent, -1) for node in order))


def spanned_subtrees(nodes: Sequence[Node], chosen: Iterable[int]) -> list[int]:
    """Return, for each tree that holds chosen nodes, their lowest common ancestor and all nodes below it."""
    weight = [0] * len(nodes)
    for number in chosen:
        weight[number] = 1
    children = [node.children for node in nodes]
    tops = [number for number, node in enumerate(nodes) if node.parent < 0]
    for number in reversed(_below(tops, children)):
        weight[number] += sum(weight[child] for child in children[number])
    found = []
    for top in tops:
        total = weight[top]
        if total == 0:
            continue
        while (holder := next((child for child in children[top] if weight[child] == total), None)) is not None:
            top = holder
        found.append(top)
    return _below(found, children)


def local_poses(
    nodes: Sequence[Node], tree: Tree, motion: Callable[[int], NodeMotion], frames: int = 1
) -> tuple[Array, Array]:
    """Return positions (T, J, 3) and rotations (T, J, 4) of the skeleton's joints, in the frame of the parent joint.

    motion: the transforms of a node over all frames, or over one where it stands still. Transforms above a root in the
    file are folded into it, so that a root's pose is in the world. Scale is folded into the positions of what it
    scales, exactly: it must be the same along all axes where joints stand below.
    """
    positions, rotations = np.empty((frames, len(tree.nodes), 3)), np.empty((frames, len(tree.nodes), 4))
    sizes: list[Array] = []  # by joint: what one unit below it measures in the world, (T, 1)
    carries = set(tree.parents)
    above: dict[int, tuple[Array, Array, Array]] = {}
    for joint, (number, parent) in enumerate(zip(tree.nodes, tree.parents, strict=True)):
        own = motion(number)
        position, rotation = own.translation, own.rotation
        if parent >= 0:
            size = sizes[parent]
            position = size * position
        else:
            holder = nodes[number].parent
            if holder not in above:
                above[holder] = _above(nodes, holder, motion)
            place, turn, size = above[holder]
            position = place + quaternion.rotate(turn, size * position)
            rotation = quaternion.multiply(turn, rotation)
        sizes.append(size * _even_scale(nodes[number], own.scale) if joint in carries else size)
        positions[:, joint] = position
        rotations[:, joint] = rotation
    return positions, rotations


def node_poses(nodes: Sequence[Node], tree: Tree, positions: Array, rotations: Array) -> tuple[Array, Array]:
    """Return translations (T, J, 3) and rotations (T, J, 4) of the joints' nodes, the inverse of `local_poses`.

    All nodes above the joints are at rest, and so is the scale of every joint.
    """
    translations, turns = np.empty_like(positions), np.array(rotations)
    sizes: list[Array] = []
    carries = set(tree.parents)
    for joint, (number, parent) in enumerate(zip(tree.nodes, tree.parents, strict=True)):
        place = positions[:, joint]
        if parent >= 0:
            size = sizes[parent]
        else:
            above, turn, size = _above(nodes, nodes[number].parent, lambda node: NodeMotion.at_rest(nodes[node]))
            place = quaternion.rotate(quaternion.conjugate(turn), place - above)
            turns[:, joint] = quaternion.multiply(quaternion.conjugate(turn), rotations[:, joint])
        if not size.all():
            nodes[number].item.fail("is below a node of scale 0: its motion cannot be written back")
        translations[:, joint] = place / size
        own = nodes[number].scale[None]
        sizes.append(size * _even_scale(nodes[number], own) if joint in carries else size)
    return translations, quaternion.make_continuous(quaternion.normalise(turns))


def joint_scales(nodes: Sequence[Node], tree: Tree) -> Array:
    """Return the scale (J, 3) of each joint at rest, in the world along its own axes."""
    scales: list[Array] = []
    for number, parent in zip(tree.nodes, tree.parents, strict=True):
        if parent >= 0:
            above = scales[parent]
        else:
            above = _above(nodes, nodes[number].parent, lambda node: NodeMotion.at_rest(nodes[node]))[2][0]
        scales.append(above * nodes[number].scale)
    return np.array(scales)


def _above(nodes: Sequence[Node], number: int, motion: Callable[[int], NodeMotion]) -> tuple[Array, Array, Array]:
    """Return world position, rotation and size (T or 1, ...) of the frame that a node gives to its children."""
    chain = []
    while number >= 0:
        chain.append(number)
        number = nodes[number].parent
    place, turn, size = np.zeros((1, 3)), quaternion.identity(1), np.ones((1, 1))
    for node in reversed(chain):
        own = motion(node)
        place = place + quaternion.rotate(turn, size * own.translation)
        turn = quaternion.multiply(turn, own.rotation)
        size = size * _even_scale(nodes[node], own.scale)
    return place, turn, size


def _even_scale(node: Node, scale: Array) -> Array:
    """Return scale (T, 3) as one number a frame (T, 1)."""
    middle: Array = scale.mean(axis=1, keepdims=True)
    uneven = np.abs(scale - middle).max(axis=1) > _EVEN * np.abs(scale).max(axis=1)
    if uneven.any():
        node.item.fail(
            f"('{node.name}') scales what is below it by {scale[np.argmax(uneven)].tolist()}: "
            "only the same scale along all axes can be read, apply the scale before export"
        )
    return middle
