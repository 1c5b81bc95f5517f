"""Files that are kept whole: only the channels of the skeleton are replaced when a clip goes back into its file."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import HandMade, random_clip, unpack
from gltf_validator import errors_of
from hypothesis import given, settings
from hypothesis import strategies as st

import segue
from segue import io
from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.io.gltf import read_glb, write_glb
from segue.io.gltf.document import Item
from segue.io.gltf.nodes import NodeMotion, Tree, local_poses, node_poses, read_nodes
from segue.motion.clip import Clip
from segue.motion.resample import resample

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
TIMES = np.arange(4) / 30

pytestmark = pytest.mark.filterwarnings("ignore:.*has [234] animations")


def character() -> HandMade:
    """Return a skinned, textured triangle with a morph target on two bones, a camera, and two animations."""
    made = HandMade()
    document = made.document
    document["nodes"] = [
        {"name": "Armature", "translation": [0, 0.5, 0], "scale": [2, 2, 2], "children": [1, 3], "extras": {"id": 7}},
        {"name": "hip", "translation": [0, 0.5, 0], "children": [2]},
        {"name": "knee", "translation": [0, 0.5, 0], "rotation": [0, 0, 0.6, 0.8]},
        {"name": "body", "mesh": 0, "skin": 0},
        {"name": "camera", "camera": 0, "translation": [0, 1, 5]},
    ]
    document["scenes"] = [{"nodes": [0, 4], "name": "stage"}]
    document["scene"] = 0
    document["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}]
    keys = made.array(TIMES, min=[0.0], max=[float(np.float32(TIMES[-1]))])
    turns = quaternion.exp(np.outer(TIMES, [3.0, 0.0, 0.0]))[:, [1, 2, 3, 0]]
    turned = made.array(turns)
    moved = made.array(np.outer(TIMES, [0.0, 0.0, 1.0]))
    places = [[0, 0, 0], [0.1, 0, 0], [0, 1, 0]]
    attributes = {
        "POSITION": made.array(places, min=[0, 0, 0], max=[0.1, 1, 0]),
        "TEXCOORD_0": made.array([[0, 0], [1, 0], [0, 1]]),
        "JOINTS_0": made.array(np.array([[0, 1, 0, 0]] * 3), "u1"),
        "WEIGHTS_0": made.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]]),
    }
    target = {"POSITION": made.array([[0, 0, 0.1]] * 3, min=[0, 0, 0.1], max=[0, 0, 0.1])}
    document["meshes"] = [
        {"primitives": [{"attributes": attributes, "material": 0, "targets": [target]}], "weights": [0.0]}
    ]
    document["skins"] = [{"joints": [1, 2], "inverseBindMatrices": made.array(np.tile(np.eye(4).ravel(), (2, 1)))}]
    document["images"] = [{"bufferView": made.view(PIXEL), "mimeType": "image/png"}]
    document["textures"] = [{"source": 0}]
    document["materials"] = [
        {
            "name": "cloth",
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
            "extensions": {"KHR_materials_sheen": {"sheenRoughnessFactor": 0.25}},
        }
    ]
    document["extensionsUsed"] = ["KHR_materials_sheen"]
    weights = made.array([0.0, 0.5, 1.0, 0.5])
    made.animate(
        (1, "rotation", keys, turned),
        (3, "weights", keys, weights),
        (0, "translation", keys, moved),
        (4, "translation", keys, made.array(np.linspace([0, 1, 5], [1, 1, 5], 4)), "STEP"),
        name="walk",
    )
    made.animate((2, "rotation", keys, made.array(turns[::-1])), name="wave")
    return made


def contents(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the document without its animations and the bytes behind each accessor, image and skin that it names."""
    document, binary = unpack(data)

    def view(number: int) -> bytes:
        fields = document["bufferViews"][number]
        start = fields.get("byteOffset", 0)
        return binary[start : start + fields["byteLength"]]

    primitive = document["meshes"][0]["primitives"][0]
    used = [*primitive["attributes"].values(), *primitive["targets"][0].values()]
    used.append(document["skins"][0]["inverseBindMatrices"])
    found = {f"accessor {n}": view(document["accessors"][n]["bufferView"]) for n in used}
    found |= {f"accessor {n} fields": json.dumps(document["accessors"][n]).encode() for n in used}
    found["image"] = view(document["images"][0]["bufferView"])
    skipped = ("animations", "accessors", "bufferViews", "buffers")
    return {key: value for key, value in document.items() if key not in skipped}, found


def turned(clip: Clip, frames: int | None = None) -> Clip:
    """Return another motion of the same skeleton: longer or shorter, and turned about."""
    count = len(clip) if frames is None else frames
    chosen = np.resize(np.arange(len(clip)), count)
    turn = quaternion.exp(np.outer(np.arange(count), [0.0, 0.05, 0.0]))[:, None]
    rotations = quaternion.multiply(turn, clip.rotations[chosen])
    positions = clip.positions[chosen] + np.linspace(0, 0.3, count)[:, None, None]
    return Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps, origin=clip.origin)


@pytest.mark.parametrize("frames", [2, 4, 50])
def test_everything_but_the_animation_stays(frames: int, tmp_path: Path) -> None:
    path, again = character().save(tmp_path), tmp_path / "again.glb"
    clip = turned(read_glb(path), frames)
    write_glb(clip, again)
    assert contents(again.read_bytes()) == contents(path.read_bytes())
    assert errors_of(again) == []
    back = read_glb(again)
    np.testing.assert_allclose(back.world[0], clip.world[0], atol=1e-6)
    assert (
        np.abs(quaternion.log(quaternion.multiply(quaternion.conjugate(back.rotations), clip.rotations))).max() < 1e-6
    )
    assert back.skeleton == clip.skeleton
    assert back.fps == clip.fps


def test_channels_of_other_nodes_and_other_animations_stay(tmp_path: Path) -> None:
    path, again = character().save(tmp_path), tmp_path / "again.glb"
    write_glb(turned(read_glb(path)), again)
    (before, old), (after, new) = unpack(path.read_bytes()), unpack(again.read_bytes())
    assert after["animations"][1] == before["animations"][1]
    walk = after["animations"][0]
    paths = [(each["target"]["node"], each["target"]["path"]) for each in walk["channels"]]
    assert paths[:2] == [(3, "weights"), (4, "translation")]
    assert {node for node, _ in paths[2:]} == {1, 2}  # the armature above the joints is at rest, its motion in theirs
    assert walk["samplers"][1]["interpolation"] == "STEP"

    def output(document: dict[str, Any], binary: bytes, sampler: dict[str, Any]) -> bytes:
        view = document["bufferViews"][document["accessors"][sampler["output"]]["bufferView"]]
        return binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]

    old_samplers = before["animations"][0]["samplers"]
    for k, was in ((0, 1), (1, 3)):
        assert output(after, new, walk["samplers"][k]) == output(before, old, old_samplers[was])
    wave = before["animations"][1]["samplers"][0]
    assert output(after, new, wave) == output(before, old, wave)


def test_a_second_round_trip_adds_nothing(tmp_path: Path) -> None:
    path = character().save(tmp_path)
    once, twice = tmp_path / "once.glb", tmp_path / "twice.glb"
    write_glb(turned(read_glb(path), 40), once)
    write_glb(read_glb(once), twice)
    assert twice.read_bytes() == once.read_bytes()
    write_glb(turned(read_glb(twice), 4), once)
    assert once.stat().st_size < twice.stat().st_size


def test_takes_are_chosen_listed_and_written_together(tmp_path: Path) -> None:
    path, both = character().save(tmp_path), tmp_path / "both.glb"
    walk, wave = io.read(f"{path}#walk"), io.read(f"{path}#1")
    assert wave.origin is not None
    assert (wave.origin.takes, wave.origin.take) == (("walk", "wave"), 1)
    np.testing.assert_array_equal(wave.rotations, io.read(f"{path}#wave").rotations)
    segue.save({"wave": turned(wave), "stroll": turned(walk, 9), "stand": turned(walk, 2)}, both)
    assert errors_of(both) == []
    assert contents(both.read_bytes()) == contents(path.read_bytes())
    stroll = io.read(f"{both}#stroll")
    assert stroll.origin is not None
    assert stroll.origin.takes == ("walk", "wave", "stroll", "stand")
    assert len(io.read(f"{both}#stand")) == 2
    np.testing.assert_allclose(stroll.world[0], turned(walk, 9).world[0], atol=1e-6)
    np.testing.assert_allclose(io.read(f"{both}#walk").world[0], walk.world[0], atol=1e-6)
    np.testing.assert_allclose(io.read(f"{both}#wave").world[0], turned(wave).world[0], atol=1e-6)


def test_takes_of_any_skeleton_stand_in_one_file(tmp_path: Path) -> None:
    walk, run = random_clip(frames=8), random_clip(frames=12, fps=60.0)
    io.write({"walk": walk, "run": run}, tmp_path / "both.glb", scale=1.0, up="Y")
    assert errors_of(tmp_path / "both.glb") == []
    np.testing.assert_allclose(io.read(f"{tmp_path}/both.glb#run").world[0], run.world[0], atol=1e-5)
    assert len(io.read(f"{tmp_path}/both.glb")) == 8


def test_takes_that_cannot_be_had(tmp_path: Path) -> None:
    path = character().save(tmp_path)
    with pytest.raises(FileFormatError, match=r"has no animation 'run': there are walk, wave"):
        io.read(f"{path}#run")
    with pytest.raises(FileFormatError, match=r"a \.bvh file holds one motion"):
        io.write({"a": random_clip(), "b": random_clip()}, tmp_path / "both.bvh")
    with pytest.raises(FileFormatError, match=r"a \.usda file holds one motion"):
        io.write({"a": random_clip(), "b": random_clip()}, tmp_path / "both.usda")
    with pytest.raises(ArgumentError, match="'b' has other joints than 'a'"):
        io.write({"a": random_clip(), "b": random_clip((-1, 0))}, tmp_path / "both.glb", scale=1.0, up="Y")
    with pytest.raises(ArgumentError, match="nothing to write"):
        io.write({}, tmp_path / "both.glb")


def test_a_file_may_have_a_hash_in_its_name(tmp_path: Path) -> None:
    path = character().save(tmp_path).rename(tmp_path / "a.glb#1.glb")
    assert len(io.read(path)) == 4


def test_a_clip_of_another_skeleton_is_not_put_into_the_file(tmp_path: Path) -> None:
    clip, other = read_glb(character().save(tmp_path)), random_clip()
    write_glb(
        Clip.from_arrays(other.skeleton, other.positions, other.rotations, 30.0, origin=clip.origin), tmp_path / "b.glb"
    )
    assert read_glb(tmp_path / "b.glb").names == other.names


def test_a_matrix_of_a_joint_that_now_moves_becomes_its_parts(tmp_path: Path) -> None:
    made = character()
    knee = made.document["nodes"][2]
    del knee["translation"], knee["rotation"]
    knee["matrix"] = [0.28, 0.96, 0, 0, -0.96, 0.28, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1]
    made.document["animations"].pop()
    path = made.save(tmp_path)
    clip = turned(read_glb(path))
    write_glb(clip, tmp_path / "again.glb")
    assert errors_of(tmp_path / "again.glb") == []
    np.testing.assert_allclose(read_glb(tmp_path / "again.glb").world[0], clip.world[0], atol=1e-6)


def test_keys_begin_when_those_of_the_file_did(tmp_path: Path) -> None:
    made = character()
    made.binary = made.binary.replace(TIMES.astype("<f4").tobytes(), (TIMES + 0.5).astype("<f4").tobytes())
    made.document["accessors"][0] |= {"min": [0.5], "max": [float(np.float32(0.6))]}
    write_glb(resample(read_glb(made.save(tmp_path)), 60.0), tmp_path / "again.glb")
    document, binary = unpack((tmp_path / "again.glb").read_bytes())
    sampler = document["animations"][0]["samplers"][-1]
    view = document["bufferViews"][document["accessors"][sampler["input"]]["bufferView"]]
    assert struct.unpack_from("<f", binary, view["byteOffset"])[0] == 0.5
    assert errors_of(tmp_path / "again.glb") == []


def separate(folder: Path, picture: str = "skin.png") -> Path:
    """Write the character as .gltf with its buffer and its picture in files beside it."""
    made = character()
    document = made.complete(uri="parts/body.bin")
    document["images"] = [{"uri": picture}]
    document["buffers"].append({"byteLength": 3, "uri": "other.bin"})
    (folder / "parts").mkdir()
    (folder / "parts" / "body.bin").write_bytes(made.binary)
    (folder / "other.bin").write_bytes(b"abc")
    (folder / "skin.png").write_bytes(PIXEL)
    (folder / "separate.gltf").write_text(json.dumps(document))
    return folder / "separate.gltf"


def test_files_beside_a_text_file_go_into_the_one_that_is_written(tmp_path: Path) -> None:
    write_glb(turned(read_glb(separate(tmp_path))), tmp_path / "again.glb")
    document, _ = unpack((tmp_path / "again.glb").read_bytes())
    assert base64.b64decode(document["images"][0]["uri"].removeprefix("data:image/png;base64,")) == PIXEL
    assert document["buffers"][1]["uri"].endswith(base64.b64encode(b"abc").decode())
    assert errors_of(tmp_path / "again.glb") == []


@pytest.mark.parametrize("picture", ["../skin.png", "absent.png", "https://example.org/skin.png", "/etc/hostname"])
def test_pictures_elsewhere_stay_names(picture: str, tmp_path: Path) -> None:
    clip = read_glb(separate(tmp_path, picture))
    with pytest.warns(SegueWarning, match="still names it"):
        write_glb(clip, tmp_path / "again.glb")
    assert unpack((tmp_path / "again.glb").read_bytes())[0]["images"] == [{"uri": picture}]


NUMBER = st.floats(-3.0, 3.0).map(lambda x: round(x, 3))
SCALE = st.sampled_from([0.01, 0.5, 1.0, 2.0, -1.0])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.tuples(*[NUMBER] * 7), SCALE), min_size=2, max_size=5), st.integers(0, 100))
def test_poses_of_nodes_are_the_inverse_of_folding(chain: list[Any], seed: int) -> None:
    nodes = []
    for k, ((x, y, z, a, b, c, d), scale) in enumerate(chain):
        turn = np.array([a, b, c, d + 4.0])
        rest = {"translation": [x, y, z], "rotation": (turn / np.linalg.norm(turn)).tolist(), "scale": [scale] * 3}
        nodes.append(rest | ({"children": [k + 1]} if k + 1 < len(chain) else {}))
    read = read_nodes(Item("x.glb", "", {"nodes": nodes}))
    tree = Tree(tuple(range(1, len(chain))), tuple(range(-1, len(chain) - 2)))
    clip = random_clip(tree.parents, 3, seed=seed)
    translations, rotations = node_poses(read, tree, clip.positions, clip.rotations)

    def motion(number: int) -> Any:
        rest = NodeMotion.at_rest(read[number])
        if number == 0:
            return rest
        return NodeMotion(translations[:, number - 1], rotations[:, number - 1], rest.scale)

    positions, turns = local_poses(read, tree, motion, 3)
    np.testing.assert_allclose(positions, clip.positions, atol=1e-9)
    np.testing.assert_allclose(np.abs((turns * clip.rotations).sum(axis=2)), 1.0, atol=1e-9)


MALFORMED = {
    "no such accessor": lambda d: d["animations"][1]["samplers"][0].update(output=99),
    "a sampler of text": lambda d: d["animations"][1]["samplers"][0].update(input="x"),
    "samplers that are no list": lambda d: d["animations"][1].update(samplers=3),
    "no such sampler": lambda d: d["animations"][0]["channels"][1].update(sampler=9),
    "a channel without a target": lambda d: d["animations"][0]["channels"][1].pop("target"),
    "an image in no view": lambda d: d["images"][0].update(bufferView=99),
    "images that are no list": lambda d: d.update(images={}),
    "a view without a length": lambda d: d["bufferViews"][4].pop("byteLength"),
    "an accessor in no view": lambda d: d["accessors"][4].update(bufferView=77),
    "an accessor that is no object": lambda d: d["accessors"].append(1),
    "matrices that are no number": lambda d: d["skins"][0].update(inverseBindMatrices="x"),
    "a sparse accessor without indices": lambda d: d["accessors"][4].update(sparse={"count": 1}),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_malformed_parts_that_no_motion_needs_are_one_sentence_on_writing(kind: str, tmp_path: Path) -> None:
    made = character()
    MALFORMED[kind](made.document)
    with pytest.raises(FileFormatError) as raised:
        write_glb(read_glb(made.save(tmp_path), take=0), tmp_path / "again.glb")
    assert "hand_made.glb" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "again.glb").exists()
