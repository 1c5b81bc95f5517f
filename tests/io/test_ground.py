"""Ground files say in one sentence, and on which line, what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from segue.errors import ArgumentError, FileFormatError
from segue.io.ground import ground_named, read_ground
from segue.motion.ground import Ground

STAIRS = """
height = 0.1

[[stairs]]
steps = 3
rise = 0.2
depth = 0.3
at = [0.0, 1.0]

[[box]]
centre = [5.0, 0.25, 0.0]
size = [1.0, 0.5, 1.0]
heading = 45.0
"""


def written(folder: Path, text: str, name: str = "ground.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_boxes_and_stairs_stand_on_the_height(tmp_path: Path) -> None:
    ground = read_ground(written(tmp_path, STAIRS))
    heights = ground.height([0.0, 0.0, 0.0, 0.0, 5.0, 9.0], [0.0, 1.1, 1.4, 1.7, 0.0, 0.0])
    assert heights == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.5, 0.1])


def test_slopes_are_in_degrees(tmp_path: Path) -> None:
    ground = read_ground(written(tmp_path, "[slope]\nangle = 45\nheading = 90\n"))
    assert ground.height([1.0, -2.0], [3.0, 4.0]) == pytest.approx([1.0, -2.0])


def test_json_says_the_same(tmp_path: Path) -> None:
    ground = read_ground(written(tmp_path, json.dumps({"height": 0.5}), "ground.json"))
    assert ground.is_flat
    assert ground.height(0.0, 0.0) == 0.5


def glb(folder: Path, vertices: np.ndarray, triangles: np.ndarray, **node: object) -> Path:  # type: ignore[type-arg]
    """Write a mesh as .gltf with its buffer beside it."""
    data = triangles.astype("<u2").tobytes() + vertices.astype("<f4").tobytes()
    (folder / "mesh.bin").write_bytes(data)
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "mesh.bin", "byteLength": len(data)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": triangles.size * 2},
            {"buffer": 0, "byteOffset": triangles.size * 2, "byteLength": vertices.size * 4},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "count": triangles.size, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(vertices), "type": "VEC3"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "nodes": [{"translation": [0.0, 1.0, 0.0], "children": [1]}, {"mesh": 0, **node}],
    }
    return written(folder, json.dumps(document), "mesh.gltf")


SQUARE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.5, 1.0]])
CORNERS = np.array([[0, 1, 2], [1, 3, 2]])


def test_meshes_stand_where_their_nodes_put_them(tmp_path: Path) -> None:
    path = glb(tmp_path, SQUARE, CORNERS, scale=[2.0, 2.0, 2.0])
    for ground in (read_ground(path), read_ground(written(tmp_path, 'mesh = "mesh.gltf"\n'))):
        assert ground.height([1.0, 1.0, -1.0], [0.0, 2.0, 0.0]) == pytest.approx([1.0, 2.0, 0.0])


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("heigth = 1.0\n", "has no 'heigth': did you mean 'height'", 1),
        ("height = 'low'\n", "'height' is 'low': a number is needed", 1),
        ("\n[[box]]\ncentre = [0, 0]\nsize = [1, 1, 1]\n", "a list of 3 numbers is needed", 3),
        ("[[box]]\ncentre = [0, 0, 0]\nsize = [1, -1, 1]\n", "all three numbers must be positive", 3),
        ("[[box]]\nsize = [1, 1, 1]\n", "has no 'centre'", 1),
        ("[[stairs]]\nrise = 0.2\n", "has no 'steps'", 1),
        ("[[stairs]]\nsteps = 2\ndepth = -1\n", "'depth' is -1: a positive number of metres", 3),
        ("[slope]\nangle = 90\n", "from -89 to 89", 2),
        ("mesh = 'nothing.glb'\n", "nothing.glb", 1),
        ("height = \n", "not TOML", 1),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, said: str, line: int) -> None:
    with pytest.raises(FileFormatError, match=said) as told:
        read_ground(written(tmp_path, text))
    assert told.value.line == line
    assert "\n" not in str(told.value)


def test_files_without_triangles_are_no_ground(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({"asset": {"version": "2.0"}, "nodes": [{}]}), "empty.gltf")
    with pytest.raises(FileFormatError, match="no mesh of triangles"):
        read_ground(path)
    bad = glb(tmp_path, SQUARE, np.array([[0, 1, 7]]))
    with pytest.raises(FileFormatError, match="names vertex 7: there are 4 vertices"):
        read_ground(bad)


def test_options_name_a_height_a_file_or_auto(tmp_path: Path) -> None:
    assert ground_named("auto") == "auto"
    level = ground_named("0.25")
    assert isinstance(level, Ground)
    assert level.height(0.0, 0.0) == 0.25
    stairs = ground_named(str(written(tmp_path, STAIRS)))
    assert isinstance(stairs, Ground)
    with pytest.raises(ArgumentError, match=r"the ground is 'stairs': a height in metres, auto, or a \.toml"):
        ground_named("stairs")
