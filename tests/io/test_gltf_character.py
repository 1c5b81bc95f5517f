"""A skinned, textured character that Blender exported: it comes back whole, and its mesh follows the motion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import pack, unpack
from gltf_validator import validate

import segue as sg
from segue import io
from segue.curves import quaternion
from segue.errors import FileFormatError, SegueWarning
from segue.io.gltf import read_glb
from segue.language import Session
from segue.motion.clip import Clip
from segue.motion.skinned_mesh import SkinnedMesh
from segue.typing import Array

CHARACTER = Path(__file__).with_name("character") / "character.glb"

pytestmark = pytest.mark.filterwarnings("ignore:.*has [23] animations")


def kept_parts(path: Path) -> dict[str, Any]:
    """Return everything in a file but its animations and the bytes that only those use."""
    document, binary = unpack(path.read_bytes())
    found = {key: value for key, value in document.items() if key not in ("accessors", "bufferViews", "buffers")}
    found.pop("animations")
    numbers = [skin["inverseBindMatrices"] for skin in document["skins"]]
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            numbers += [*primitive["attributes"].values(), primitive["indices"]]
            numbers += [number for target in primitive["targets"] for number in target.values()]
    views = {image["bufferView"] for image in document["images"]}
    for number in numbers:
        accessor = found[f"accessor {number}"] = document["accessors"][number]
        sparse = accessor.get("sparse", {})
        holders = (accessor, sparse.get("indices", {}), sparse.get("values", {}))
        views |= {holder["bufferView"] for holder in holders if "bufferView" in holder}
    for number in views:
        view = document["bufferViews"][number]
        found[f"view {number}"] = view
        found[f"bytes {number}"] = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    return found


def written_by(way: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Clip | None]:
    """Return the file that a way of writing leaves, and the clip that it must hold where we know it."""
    out = folder / "out.glb"
    walk = sg.load(f"{CHARACTER}#Walk")
    if way == "convert":
        clip = io.read(f"{CHARACTER}#Walk")
        io.write(clip, out)
        return out, clip
    if way == "transition":
        motion = sg.transition(walk, sg.load(f"{CHARACTER}#Wave"), 0.5)
    elif way == "fill":
        motion = sg.fill(walk, [(1.0, 1.4)])
    elif way == "loop":
        motion = sg.make_loop(walk, 1.0, 2.0)
    else:
        (folder / "hero.glb").write_bytes(CHARACTER.read_bytes())
        monkeypatch.chdir(folder)
        Session().run('save(mirror(load("hero.glb#Walk")), "out.glb")')
        return out, None
    sg.save(motion, out)
    return out, motion.to_clip()


@pytest.mark.parametrize("way", ["convert", "transition", "fill", "loop", "language"])
def test_the_character_comes_back(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, clip = written_by(way, tmp_path, monkeypatch)
    assert kept_parts(path) == kept_parts(CHARACTER)
    assert validate(path)["issues"]["numErrors"] == 0
    back = io.read(f"{path}#Walk")
    np.testing.assert_allclose(io.read(f"{path}#Wave").rotations, io.read(f"{CHARACTER}#Wave").rotations, atol=1e-12)
    if clip is not None:
        assert np.linalg.norm(back.world[0] - clip.world[0], axis=2).max() < 1e-5
    else:
        assert np.linalg.norm(back.world[0] - io.read(f"{CHARACTER}#Walk").world[0], axis=2).max() > 0.05


def test_a_transition_keeps_the_scene_of_the_first(tmp_path: Path) -> None:
    sg.save(sg.clips.run, tmp_path / "run.glb")
    joined = sg.transition(sg.load(f"{CHARACTER}#Walk"), sg.load(tmp_path / "run.glb"), 0.4)
    sg.save(joined, tmp_path / "out.glb")
    assert kept_parts(tmp_path / "out.glb") == kept_parts(CHARACTER)


def mesh_of(clip: Clip) -> SkinnedMesh:
    assert clip.origin is not None
    assert clip.origin.scene is not None
    mesh = clip.origin.scene.skinned_mesh()
    assert mesh is not None
    return mesh


def matrices_of(path: Path, clip: Clip) -> Array:
    """Return the skinning matrices (T, J, 4, 4) by the formula of the glTF specification, 3.7.3.3."""
    document, binary = unpack(path.read_bytes())
    accessor = document["accessors"][document["skins"][0]["inverseBindMatrices"]]
    start = document["bufferViews"][accessor["bufferView"]]["byteOffset"]
    inverse = np.frombuffer(binary, "<f4", 16 * accessor["count"], start).reshape(-1, 4, 4).transpose(0, 2, 1)
    names = [document["nodes"][number]["name"] for number in document["skins"][0]["joints"]]
    order = [clip.names.index(name) for name in names]
    world = np.tile(np.eye(4), (len(clip), len(names), 1, 1))
    world[..., :3, :3] = quaternion.to_matrix(clip.world[1][:, order])
    world[..., :3, 3] = clip.world[0][:, order]
    return np.asarray(world @ inverse)


def test_the_mesh_follows_the_joints() -> None:
    clip = read_glb(CHARACTER, take="Walk")
    mesh = mesh_of(clip)
    vertices, normals = mesh.posed(*clip.world)
    matrices = matrices_of(CHARACTER, clip)
    for vertex in range(0, len(mesh.vertices), 97):
        bones, weights = mesh.bones[vertex], mesh.weights[vertex]
        assert weights.sum() == pytest.approx(1.0)
        blend = np.einsum("k,tkij->tij", weights, matrices[:, bones])
        np.testing.assert_allclose(vertices[:, vertex], (blend @ [*mesh.vertices[vertex], 1.0])[:, :3], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1.0, atol=1e-9)
    assert mesh.parts[0].texture == 0
    assert mesh.textures[0].startswith(b"\x89PNG")


def test_the_body_that_we_draw_ourselves_is_no_mesh_of_the_user(tmp_path: Path) -> None:
    sg.save(sg.clips.walk, tmp_path / "walk.glb")
    clip = io.read(tmp_path / "walk.glb")
    assert clip.origin is not None
    assert clip.origin.scene is not None
    assert clip.origin.scene.skinned_mesh() is None


def altered(folder: Path, change: Any) -> Clip:
    """Return the character read from a file in which something was changed."""
    document, binary = unpack(CHARACTER.read_bytes())
    change(document)
    path = folder / "altered.glb"
    path.write_bytes(pack(document, binary))
    return read_glb(path, take="Walk")


def compress(document: dict[str, Any]) -> None:
    document["meshes"][0]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0}}


def test_a_compressed_mesh_is_kept_and_its_reader_says_what_to_do(tmp_path: Path) -> None:
    clip = altered(tmp_path, compress)
    with pytest.raises(FileFormatError, match=r"is compressed \(Draco\): export the file without compression"):
        mesh_of(clip)
    io.write(clip, tmp_path / "again.glb")
    assert kept_parts(tmp_path / "again.glb") == kept_parts(tmp_path / "altered.glb")


def set_weights(document: dict[str, Any]) -> None:
    document["meshes"][0]["weights"] = [1.0]


def test_morph_targets_have_the_weights_of_the_file(tmp_path: Path) -> None:
    moved = mesh_of(altered(tmp_path, set_weights)).vertices - mesh_of(read_glb(CHARACTER, take="Walk")).vertices
    assert np.abs(moved).max() == pytest.approx(0.02, abs=1e-6)


def fix_to_hand(document: dict[str, Any]) -> None:
    node = next(each for each in document["nodes"] if each["name"] == "right_hand")
    body = next(number for number, each in enumerate(document["nodes"]) if "mesh" in each)
    del document["nodes"][body]["skin"]
    for above in document["nodes"]:
        above["children"] = [number for number in above.get("children", []) if number != body]
        if not above["children"]:
            del above["children"]
    node["children"] = [*node.get("children", []), body]
    document["nodes"][body]["translation"] = [0.1, 0.0, 0.0]
    document["scenes"][0]["nodes"] = [number for number in document["scenes"][0]["nodes"] if number != body]


def test_a_mesh_without_a_skin_is_fixed_to_its_joint(tmp_path: Path) -> None:
    clip = altered(tmp_path, fix_to_hand)
    mesh = mesh_of(clip)
    vertices, _ = mesh.posed(*clip.world)
    hand = clip.names.index("right_hand")
    expected = quaternion.rotate(clip.world[1][:, hand], mesh.vertices[0] + [0.1, 0.0, 0.0]) + clip.world[0][:, hand]
    np.testing.assert_allclose(vertices[:, 0], expected, atol=1e-9)


def lose_picture(document: dict[str, Any]) -> None:
    document["images"] = [{"uri": "../elsewhere.png"}]


def test_a_picture_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    clip = altered(tmp_path, lose_picture)
    with pytest.warns(SegueWarning, match="the mesh is shown without it"):
        assert mesh_of(clip).parts[0].texture is None


BROKEN = {
    "joints": lambda document: document["meshes"][0]["primitives"][0]["attributes"].update(JOINTS_0=0),
    "weights": lambda document: document["meshes"][0]["primitives"][0]["attributes"].update(WEIGHTS_0=999),
    "material": lambda document: document["meshes"][0]["primitives"][0].update(material=7),
    "texture": lambda document: document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"].update(index=9),
    "source": lambda document: document["textures"][0].update(source=9),
    "skin": lambda document: document["skins"][0].update(inverseBindMatrices=2),
    "indices": lambda document: document["meshes"][0]["primitives"][0].update(indices=0),
    "target": lambda document: document["meshes"][0].update(weights=[1.0, 2.0]),
    "normal": lambda document: document["meshes"][0]["primitives"][0]["attributes"].update(NORMAL="x"),
    "colour": lambda document: document["materials"][0]["pbrMetallicRoughness"].update(baseColorFactor=[1, 2]),
    "mesh": lambda document: next(each for each in document["nodes"] if "mesh" in each).update(mesh=3),
    "primitives": lambda document: document["meshes"][0].update(primitives=[1]),
    "attributes": lambda document: document["meshes"][0]["primitives"][0].pop("attributes"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_mesh_is_one_sentence(kind: str, tmp_path: Path) -> None:
    clip = altered(tmp_path, BROKEN[kind])
    with pytest.raises(FileFormatError) as raised:
        mesh_of(clip)
    assert "\n" not in str(raised.value)
    assert "altered.glb" in str(raised.value)
