"""The mesh that a skeleton of a glTF file carries: skins, meshes fixed to a joint, and the look of their materials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.curves import quaternion
from segue.errors import FileFormatError, warn_user
from segue.io.gltf.accessors import NORMALISED, TRIANGLES, AccessorReader, read_triangles
from segue.io.gltf.container import image_bytes
from segue.io.gltf.document import BODY_EXTRA, Item
from segue.io.gltf.nodes import Node, Tree, joint_scales
from segue.motion.skinned_mesh import MeshPart, SkinnedMesh
from segue.typing import Array, Ints

_INFLUENCES = 4  # joints that carry a vertex; weaker ones are left out, as viewers do
_PICTURES = (b"\x89PNG", b"\xff\xd8")  # how files of PNG and JPEG begin


class _Piece(NamedTuple):
    """One primitive: vertices, normals, texture coordinates, triangles, bones and weights of its vertices."""

    vertices: Array
    normals: Array
    coordinates: Array
    triangles: Ints
    bones: Ints
    weights: Array


@np.errstate(over="ignore", invalid="ignore")  # numbers that are not finite are refused
def read_skinned_mesh(document: Item, arrays: AccessorReader, nodes: Sequence[Node], tree: Tree) -> SkinnedMesh | None:
    """Return all triangles that the joints of a tree carry, or None if there are none.

    Meshes of other skeletons, meshes that no joint carries, and the simple body that Segue writes are left out. Morph
    targets have the file's own weights.
    """
    reader = _Reader(document, arrays, nodes, tree)
    for node in nodes:
        reader.add(node)
    return reader.mesh()


class _Reader:
    def __init__(self, document: Item, arrays: AccessorReader, nodes: Sequence[Node], tree: Tree) -> None:
        self._document = document
        self._arrays = arrays
        self._nodes = nodes
        self._joints = {number: joint for joint, number in enumerate(tree.nodes)}
        self._scales = joint_scales(nodes, tree)
        self._meshes, self._skins = document.items("meshes"), document.items("skins")
        self._materials, self._textures = document.items("materials"), document.items("textures")
        self._pieces: list[_Piece] = []
        self._parts: list[MeshPart] = []
        self._binds: list[Array] = []
        self._carriers: list[int] = []
        self._pictures: dict[int, int | None] = {}  # by number of the image: its place below
        self._files: list[bytes] = []

    def add(self, node: Node) -> None:
        """Add the triangles of a node's mesh, if a joint carries them."""
        if "mesh" not in node.item.fields:
            return
        mesh = self._meshes[node.item.index("mesh", self._meshes, "meshes")]
        bones = self._skin_bones(node) if "skin" in node.item.fields else self._fixed_bone(node)
        if not bones or mesh.extra_numbers(BODY_EXTRA, 1):
            return
        first = len(self._binds)
        self._carriers += [joint for joint, _ in bones]
        self._binds += [bind for _, bind in bones]
        for primitive in mesh.items("primitives"):
            if primitive.integer("mode", TRIANGLES) == TRIANGLES:
                self._add_piece(primitive, node.item, mesh, first, len(bones))

    def _skin_bones(self, node: Node) -> list[tuple[int, Array]]:
        """Return joint and bind matrix (3, 4) of each joint of a node's skin; none for a skin of another skeleton."""
        skin = self._skins[node.item.index("skin", self._skins, "skins")]
        numbers = skin.indices("joints", self._nodes, "nodes")
        if any(number not in self._joints for number in numbers):
            return []
        binds = np.tile(np.eye(4), (len(numbers), 1, 1))
        if "inverseBindMatrices" in skin.fields:
            given = self._arrays.read(skin, "inverseBindMatrices", "MAT4")
            if len(given) < len(numbers):
                skin.fail(f"has {len(given)} matrices for {len(numbers)} joints", "inverseBindMatrices")
            binds = given[: len(numbers)].reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = [self._joints[number] for number in numbers]
        return [(joint, self._scales[joint][:, None] * bind[:3]) for joint, bind in zip(joints, binds, strict=True)]

    def _fixed_bone(self, node: Node) -> list[tuple[int, Array]]:
        """Return the joint that a mesh without a skin is fixed to, and its transform there, if there is one."""
        transform = np.eye(4)
        number = next(k for k, each in enumerate(self._nodes) if each is node)
        while number >= 0 and number not in self._joints:
            each = self._nodes[number]
            local = np.eye(4)
            local[:3, :3] = quaternion.to_matrix(each.rotation) * each.scale
            local[:3, 3] = each.translation
            transform, number = local @ transform, each.parent
        if number < 0:
            return []
        joint = self._joints[number]
        return [(joint, self._scales[joint][:, None] * transform[:3])]

    def _add_piece(self, primitive: Item, node: Item, mesh: Item, first: int, bones: int) -> None:
        vertices, triangles = read_triangles(primitive, self._arrays)
        attributes = primitive.needed_item("attributes")
        vertices = vertices + self._morphed(primitive, node, mesh, len(vertices))
        count = sum(len(piece.triangles) for piece in self._pieces)
        self._parts.append(self._look(primitive, count, len(triangles)))
        carried, weights = self._influences(attributes, len(vertices), bones)
        piece = _Piece(
            vertices,
            self._values(attributes, "NORMAL", "VEC3", len(vertices))
            if "NORMAL" in attributes.fields
            else _normals(vertices, triangles),
            self._values(attributes, "TEXCOORD_0", "VEC2", len(vertices)),
            triangles + sum(len(piece.vertices) for piece in self._pieces),
            carried + first,
            weights,
        )
        self._pieces.append(piece)

    def _values(self, attributes: Item, name: str, width: str, count: int) -> Array:
        """Return an attribute of all vertices, zeros if the file has none."""
        if name not in attributes.fields:
            return np.zeros((count, int(width[-1])))
        values = self._arrays.read(attributes, name, width, NORMALISED)
        if len(values) != count:
            attributes.fail(f"has {len(values)} values for {count} vertices", name)
        return values

    def _morphed(self, primitive: Item, node: Item, mesh: Item, count: int) -> Array:
        """Return how far morph targets move the vertices, (V, 3), with the weights of the node or of the mesh."""
        targets = primitive.items("targets")
        weights = node.numbers("weights", len(targets)) or mesh.numbers("weights", len(targets)) or []
        moved = np.zeros((count, 3))
        for target, weight in zip(targets, weights, strict=False):
            if weight:
                moved += weight * self._values(target, "POSITION", "VEC3", count)
        return moved

    def _influences(self, attributes: Item, count: int, bones: int) -> tuple[Ints, Array]:
        """Return the bones (V, 4) and weights (V, 4) of vertices: the strongest, with a sum of 1."""
        if bones == 1 or "JOINTS_0" not in attributes.fields:
            return np.zeros((count, _INFLUENCES), np.int64), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
        sets = [k for k in range(8) if f"JOINTS_{k}" in attributes.fields]
        carriers = [self._arrays.indices(attributes, f"JOINTS_{k}", "VEC4") for k in sets]
        if any(len(each) != count for each in carriers):
            attributes.fail(f"do not have a value for each of {count} vertices", "JOINTS_0")
        found = np.concatenate(carriers, axis=1)
        weights = np.concatenate([self._values(attributes, f"WEIGHTS_{k}", "VEC4", count) for k in sets], axis=1)
        order = np.argsort(-weights, axis=1, kind="stable")[:, :_INFLUENCES]
        found, weights = np.take_along_axis(found, order, 1), np.take_along_axis(weights, order, 1)
        found = np.where(weights > 0, found, 0)
        if found.max() >= bones:
            attributes.fail(f"names joint {found.max()} of a skin that has {bones}", "JOINTS_0")
        sums = weights.sum(axis=1, keepdims=True)
        weights = np.where(sums > 1e-6, weights / np.maximum(sums, 1e-6), [1.0, 0.0, 0.0, 0.0])
        return found, weights

    def _look(self, primitive: Item, first: int, count: int) -> MeshPart:
        if "material" not in primitive.fields:
            return MeshPart(first, count, (1.0, 1.0, 1.0))
        material = self._materials[primitive.index("material", self._materials, "materials")]
        surface = material.item("pbrMetallicRoughness") or Item(material.path, material.place, {})
        red, green, blue, _ = surface.numbers("baseColorFactor", 4) or [1.0] * 4
        chosen = surface.item("baseColorTexture")
        return MeshPart(
            first,
            count,
            (_on_screen(red), _on_screen(green), _on_screen(blue)),
            None if chosen is None else self._picture(chosen),
            material.flag("doubleSided"),
            material.text("alphaMode", "OPAQUE") != "OPAQUE",
        )

    def _picture(self, chosen: Item) -> int | None:
        """Return the number of a picture, None with a warning if it cannot be had."""
        texture = self._textures[chosen.index("index", self._textures, "textures")]
        images = self._document.items("images")
        if "source" not in texture.fields:
            return None
        number = texture.index("source", images, "images")
        if number not in self._pictures:
            self._pictures[number] = None
            try:
                data = image_bytes(images[number], self._arrays.view)
                if data.startswith(_PICTURES):
                    self._pictures[number] = len(self._files)
                    self._files.append(data)
            except FileFormatError as error:
                warn_user(f"{error}; the mesh is shown without it")
        return self._pictures[number]

    def mesh(self) -> SkinnedMesh | None:
        """Return everything that was added."""
        if not self._pieces:
            return None
        joined = _Piece(*(np.concatenate(column) for column in zip(*self._pieces, strict=True)))
        return SkinnedMesh(
            *joined, np.array(self._binds), np.array(self._carriers), tuple(self._parts), tuple(self._files)
        )


def _normals(vertices: Array, triangles: Ints) -> Array:
    """Return unit normals of vertices (V, 3), the mean of those of their triangles by area."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, triangles[:, k], np.cross(b - a, c - a))
    return quaternion.directions(normals)


def _on_screen(linear: float) -> float:
    """Return a linear colour from 0 to 1 as screens show it, IEC 61966-2-1."""
    value = min(max(linear, 0.0), 1.0)
    return 12.92 * value if value <= 0.0031308 else float(1.055 * value ** (1 / 2.4) - 0.055)
