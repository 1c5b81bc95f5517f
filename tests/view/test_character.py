"""Pictures of the user's own mesh: where it stands, in its own colours, and what is drawn if it cannot be read."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

import segue as sg
from segue import view
from segue.errors import SegueWarning
from segue.motion.ground import Ground
from segue.motion.skinned_mesh import MeshPart, SkinnedMesh
from segue.view._raster_kernels import cast_triangles, empty_buffers
from segue.view.camera import Camera
from segue.view.character import base_colours, character_of, mesh_of, triangles_of

CHARACTER = Path(__file__).parents[1] / "io" / "character" / "character.glb"


@pytest.fixture(scope="module")
def walk() -> sg.Motion:
    return sg.load(f"{CHARACTER}#Walk")


def altered(folder: Path, change: Any) -> sg.Motion:
    """Return the motion of the character's file after a change of its document."""
    data = CHARACTER.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    change(document)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + data[20 + length :]
    (folder / "altered.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)
    return sg.load(folder / "altered.glb#Walk")


def test_the_character_stands_where_its_joints_are_at_any_times(walk: sg.Motion) -> None:
    own, some = character_of(walk), character_of(walk, walk.times[[40, 10, 10]])
    assert own is not None
    assert some is not None
    np.testing.assert_allclose(some.vertices()[0], own.vertices()[0][[40, 10, 10]], atol=1e-12)
    figure, _ = walk.figure.forward(walk.poses)
    lowest = own.vertices()[0][..., 1].min(axis=1)
    assert np.abs(own.vertices()[0].mean(axis=1) - figure.mean(axis=1)).max() < 0.2
    assert (np.abs(lowest) < 0.06).all()
    lifted = own.moved(np.array([0.0, 0.5, 0.0])).vertices()[0]
    np.testing.assert_allclose(lifted, own.vertices()[0] + [0.0, 0.5, 0.0], atol=1e-9)


def test_a_picture_shows_the_mesh_in_its_colours(walk: sg.Motion, tmp_path: Path) -> None:
    colourful = []
    for mesh in (True, False):
        view.plot_fills(walk, [], times=3, mesh=mesh, height=160).save(tmp_path / "shown.png")
        pixels = np.asarray(Pillow.open(tmp_path / "shown.png").convert("RGB"), dtype=int)
        colourful.append(int((np.ptp(pixels, axis=2) > 60).sum()))
    assert colourful[0] > 1000 > colourful[1]


def test_film_strips_and_comparisons_show_the_mesh(walk: sg.Motion) -> None:
    plain = view.plot_filmstrip(walk.figure, walk.poses, frames=2, height=90).pixels()
    shown = view.plot_filmstrip(walk.figure, walk.poses, frames=2, height=90, character=character_of(walk)).pixels()
    assert plain.shape == shown.shape
    assert (np.abs(plain.astype(float) - shown) > 0.1 * plain.max()).any(axis=2).sum() > 500
    pair = view.plot_comparison({"a": walk, "b": sg.clips.walk}, times=2, height=120).pixels()
    assert pair.shape[0] > 120


def test_filled_gaps_tint_the_mesh(walk: sg.Motion) -> None:
    character = character_of(walk, np.array([0.5]))
    assert character is not None
    rest = np.array([0.5, 0.5, 0.5])
    tints = np.tile(rest, (1, 19, 1))
    plain = triangles_of(character, slice(None), np.zeros((1, 3)), tints, rest).colours
    np.testing.assert_allclose(plain, base_colours(character.mesh))
    tints[0, 3] = [1.0, 0.0, 0.0]
    changed = np.abs(triangles_of(character, slice(None), np.zeros((1, 3)), tints, rest).colours - plain).max(axis=1)
    assert 0 < (changed > 0.01).sum() < 0.5 * len(changed)


def test_animations_and_ground(walk: sg.Motion) -> None:
    shown = view.animate(walk, size=(96, 96), mesh=True, ground=Ground.boxes([])).frame(5)
    assert np.ptp(shown.astype(int), axis=2).max() > 60


def compress(document: dict[str, Any]) -> None:
    document["meshes"][0]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0}}


def break_picture(document: dict[str, Any]) -> None:
    document["images"][0] = {"uri": "data:image/png;base64,iVBORw0KGgo="}


def test_a_compressed_mesh_leaves_the_figure_with_a_warning(tmp_path: Path) -> None:
    motion = altered(tmp_path, compress)
    with pytest.warns(SegueWarning, match=r"compressed \(Draco\).*the figure is shown instead"):
        assert mesh_of(motion) is None


def test_a_broken_texture_is_left_out_with_a_warning(tmp_path: Path) -> None:
    mesh = mesh_of(altered(tmp_path, break_picture))
    assert mesh is not None
    with pytest.warns(SegueWarning, match="drawn without it"):
        np.testing.assert_allclose(base_colours(mesh), 1.0, atol=1e-6)


def test_too_many_triangles_leave_the_figure(walk: sg.Motion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.view.character._MOST_TRIANGLES", 100)
    with pytest.warns(SegueWarning, match="has 2208 triangles, of which 100 can be shown"):
        assert mesh_of(walk) is None


def test_a_motion_without_a_file_has_no_mesh() -> None:
    assert mesh_of(sg.clips.walk) is None


def test_textures_repeat_and_colours_multiply() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = SkinnedMesh(
        corners,
        np.tile([0.0, 0, 1], (3, 1)),
        np.zeros((3, 2)),
        np.array([[0, 1, 2]]),
        np.zeros((3, 4), np.int64),
        np.tile([1.0, 0, 0, 0], (3, 1)),
        np.eye(4)[None, :3],
        np.zeros(1, np.int64),
        (MeshPart(0, 1, (0.25, 0.5, 1.0)),),
    )
    np.testing.assert_allclose(base_colours(mesh), [[0.25, 0.5, 1.0]])


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1)])
def test_normals_are_smooth_over_a_triangle_and_face_the_viewer(order: tuple[int, ...]) -> None:
    corners = np.array([[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]])[:, order]
    camera = Camera(0.0, 0.0, None)
    seen_from = camera.framing(corners[0], np.zeros(3), 40)
    normals = np.array([[[-0.6, 0.0, 0.8], [0.6, 0.0, 0.8], [0.0, 0.0, 1.0]]])[:, order]
    width, height = seen_from.size
    seen = empty_buffers(height, width)
    cast_triangles(seen_from.rays(), corners, normals, np.array([7]), np.array([[0, width - 1, 0, height - 1]]), seen)
    hit = seen.owner == 7
    assert hit.sum() > 100
    np.testing.assert_allclose(np.linalg.norm(seen.normal[hit], axis=1), 1.0)
    towards = -(camera.axes[2])
    assert (seen.normal[hit] @ towards > 0).all()
    left, right = (seen.normal[hit][np.nonzero(hit)[1] == column].mean(axis=0) for column in _ends(hit))
    assert np.linalg.norm(left - right) > 0.5


def _ends(hit: np.ndarray) -> tuple[int, int]:
    columns = np.nonzero(hit.any(axis=0))[0]
    return int(columns[0]), int(columns[-1])
