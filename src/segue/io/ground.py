"""Ground files: boxes, stairs, a slope and a mesh in TOML.

height = 0.0            # m, of the level ground under everything
mesh = "stage.glb"      # triangles, in a file beside this one

[slope]                 # in place of level ground
angle = 5.0             # degrees, rising towards its heading
heading = 90.0          # degrees: 0 is +Z, 90 is +X

[[box]]
centre = [0.0, 0.1, 2.0]
size = [2.0, 0.2, 0.5]
heading = 0.0

[[stairs]]
steps = 4
rise = 0.17
depth = 0.29
width = 2.0
at = [0.0, 1.0]         # x and z of the front edge's middle
heading = 0.0           # where the stairs go up
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError
from segue.io.gltf.accessors import TRIANGLES, AccessorReader, read_triangles
from segue.io.gltf.container import open_container
from segue.io.gltf.nodes import Node, read_nodes
from segue.motion.box import Box
from segue.motion.ground import AUTO, MOST_STEPS, Ground, Mesh, stair_boxes
from segue.tables import Table, read_table
from segue.typing import Array, Ints

_KNOWN = ("height", "mesh", "slope", "box", "stairs")


def read_ground(path: str | Path, beside: Callable[[str], Path] | None = None) -> Ground:
    """Return the ground of a TOML or JSON file, or all triangles of a .glb or .gltf file on level ground at 0.

    beside: returns where the mesh is that the file names; beside the file where None.
    """
    if Path(path).suffix.lower() in (".glb", ".gltf"):
        return Ground.mesh(*read_mesh(path))
    file = read_table(path, "ground file")
    file.check_keys(_KNOWN)
    height = file.number("height", 0.0)
    with file.at("height"):
        ground = Ground.flat(height)
    if "slope" in file:
        ground = _slope(file.table("slope"), height)
    boxes = [_box(row) for row in file.tables("box")]
    for row in file.tables("stairs"):
        boxes += _stairs(row, height)
    if boxes:
        ground = ground.joined(Ground.boxes(boxes))
    if "mesh" in file:
        with file.at("mesh"):
            name = file.text("mesh")
            mesh = Path(path).parent / name if beside is None else beside(name)
            ground = ground.joined(Ground.mesh(*read_mesh(mesh)))
    return ground


def ground_named(text: str) -> Ground | str:
    """Return the ground of a command's option: a height in m, "auto", or the name of a file."""
    if text == AUTO:
        return AUTO
    try:
        height = float(text)
    except ValueError:
        if Path(text).suffix.lower() in (".toml", ".json", ".glb", ".gltf"):
            return read_ground(text)
        raise ArgumentError(
            f"the ground is '{text}': a height in metres, auto, or a .toml, .json, .glb or .gltf file is needed"
        ) from None
    return Ground.flat(height)


def _slope(table: Table, height: float) -> Ground:
    table.check_keys(("angle", "heading"))
    angle, heading = table.number("angle", least=-89.0, most=89.0, unit="degrees"), table.number("heading", 0.0)
    return Ground.slope(math.radians(angle), math.radians(heading), height)


def _box(row: Table) -> Box:
    row.check_keys(("centre", "size", "heading"))
    (x, y, z), (width, height, depth) = row.numbers("centre", 3), row.numbers("size", 3)
    with row.at("size"):
        return Box((x, y, z), (width, height, depth), math.radians(row.number("heading", 0.0)))


def _stairs(row: Table, height: float) -> list[Box]:
    row.check_keys(("steps", "rise", "depth", "width", "at", "heading", "height"))
    x, z = row.numbers("at", 2, (0.0, 0.0))
    with row.at():
        return stair_boxes(
            row.integer("steps", least=1, most=MOST_STEPS),
            row.number("rise", 0.17, above=0.0, unit="metres"),
            row.number("depth", 0.29, above=0.0, unit="metres"),
            row.number("width", 2.0, above=0.0, unit="metres"),
            at=(x, z),
            heading=math.radians(row.number("heading", 0.0)),
            height=row.number("height", height),
        )


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


def _in_world(nodes: list[Node], node: Node, places: Array) -> Array:
    """Return places of a node (V, 3) in the world."""
    while True:
        places = quaternion.rotate(node.rotation, node.scale * places) + node.translation
        if node.parent < 0:
            return places
        node = nodes[node.parent]
