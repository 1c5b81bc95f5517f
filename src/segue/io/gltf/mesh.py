"""Reading the triangles of a glTF file, such as a stage or a flight of stairs, without its skeleton."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from segue.curves import quaternion
from segue.errors import FileFormatError
from segue.io.gltf.accessors import AccessorReader
from segue.io.gltf.container import open_container
from segue.io.gltf.document import Item
from segue.io.gltf.nodes import Node, read_nodes
from segue.motion.ground import Mesh
from segue.typing import Array, Ints

TRIANGLES = 4  # the mode of a primitive


def read_mesh(path: str | Path) -> Mesh:
    """Return all triangles of a .glb or .gltf file where its nodes have them at rest, in metres with Y up."""
    document, binary = open_container(path)
    nodes, meshes = read_nodes(document), document.items("meshes")
    accessors = AccessorReader(document, binary)
    vertices: list[Array] = []
    triangles: list[Ints] = []
    count = 0
    for node in nodes:
        if "mesh" not in node.item.fields:
            continue
        for primitive in meshes[node.item.index("mesh", meshes, "meshes")].items("primitives"):
            if primitive.integer("mode", TRIANGLES) != TRIANGLES:
                continue  # lines and points are no ground
            places, corners = read_triangles(primitive, accessors)
            vertices.append(_in_world(nodes, node, places))
            triangles.append(corners + count)
            count += len(places)
    if not triangles:
        raise FileFormatError("there is no mesh of triangles in this file", path)
    return Mesh(np.concatenate(vertices), np.concatenate(triangles))


def read_triangles(primitive: Item, accessors: AccessorReader) -> tuple[Array, Ints]:
    """Return the vertices (V, 3) and the triangles (N, 3) of one primitive."""
    if "KHR_draco_mesh_compression" in primitive.fields.get("extensions", ()):
        primitive.fail(
            "is compressed (Draco): export the file without compression, or run gltf-transform cp IN.glb OUT.glb"
        )
    places = accessors.read(primitive.needed_item("attributes"), "POSITION", "VEC3")
    if "indices" not in primitive.fields:
        corners = np.arange(len(places) - len(places) % 3)
    else:
        corners = accessors.indices(primitive, "indices")[:, 0]
        if corners.max() >= len(places):
            primitive.fail(f"names vertex {corners.max()}: there are {len(places)} vertices", "indices")
    if len(corners) % 3:
        primitive.fail(f"has {len(corners)} indices: three a triangle are needed", "indices")
    return places, corners.reshape(-1, 3)


def _in_world(nodes: list[Node], node: Node, places: Array) -> Array:
    """Return places of a node (V, 3) in the world."""
    while True:
        places = quaternion.rotate(node.rotation, node.scale * places) + node.translation
        if node.parent < 0:
            return places
        node = nodes[node.parent]
