"""Files that are written: what the Khronos validator says, and what a reader that is not ours makes of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest
from gltf_samples import (
    CMU,
    CMU_SCALE,
    LAFAN1,
    LAFAN1_SCALE,
    Z_UP,
    first_frames,
    mocap_clip,
    random_clip,
    unpack,
    world_in_metres,
)
from gltf_validator import validate

from segue.errors import ArgumentError, FileFormatError
from segue.io.gltf import read_glb, write_glb
from segue.io.placement import side_of
from segue.motion.clip import Clip
from segue.typing import Array

ODD_NAMES = ("mixamorig:Hips", "", "Bip001 L Thigh", 'a"b\\c', "腰/äß\n", "\ud800x")


def still(clip: Clip) -> Clip:
    return Clip.from_arrays(
        clip.skeleton, np.repeat(clip.positions[:1], 9, axis=0), np.repeat(clip.rotations[:1], 9, axis=0), clip.fps
    )


def no_length() -> Clip:
    return Clip(["a", "b"], [-1, 0], np.zeros((2, 3)), np.zeros((3, 2, 3)), np.tile([1.0, 0, 0, 0], (3, 2, 1)), 30)


KINDS: dict[str, tuple[Callable[[], Clip], dict[str, Any]]] = {
    "plain": (random_clip, {}),
    "with ends": (lambda: random_clip(ends={3: [0, 0.1, 0], 5: [0, 0, 0]}), {}),
    "scaled and turned": (lambda: random_clip(seed=3), {"scale": 0.01, "rotation": Z_UP}),
    "without a mesh": (random_clip, {"mesh": False}),
    "several roots": (lambda: random_clip((-1, 0, -1, 2, -1)), {"rotation": Z_UP}),
    "one frame": (lambda: random_clip(frames=1), {}),
    "one joint": (lambda: random_clip((-1,)), {}),
    "one joint, one frame, no mesh": (lambda: random_clip((-1,), 1), {"mesh": False}),
    "nothing moves": (lambda: still(random_clip()), {}),
    "no length": (no_length, {}),
    "odd names": (lambda: random_clip(names=ODD_NAMES), {}),
    "300 joints": (lambda: random_clip((-1, *range(299)), 3), {}),
    "29.97 a second": (lambda: random_clip(fps=30000 / 1001, frames=400), {}),
    "CMU": (lambda: mocap_clip(CMU), {"scale": CMU_SCALE}),
    "LAFAN1": (lambda: first_frames(mocap_clip(LAFAN1), 900), {"scale": LAFAN1_SCALE}),
}


@pytest.fixture(params=KINDS, scope="module")
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Clip, dict[str, Any], Path]:
    make, options = KINDS[request.param]
    clip = make()
    path = tmp_path_factory.mktemp("glb") / "clip.glb"
    write_glb(clip, path, **options)
    return clip, options, path


def test_the_validator_finds_no_fault(written: tuple[Clip, dict[str, Any], Path]) -> None:
    _, options, path = written
    report = validate(path)
    # the only thing it may remark on: a skin that no mesh uses
    allowed = [] if options.get("mesh", True) else ["/skins/0"]
    assert [message for message in report["issues"]["messages"] if message["pointer"] not in allowed] == []
    assert report["issues"]["numErrors"] == report["issues"]["numWarnings"] == 0
    assert report["info"]["generator"] == "Segue"
    assert report["info"]["animationCount"] == 1


def test_the_validator_can_find_faults(tmp_path: Path) -> None:
    path = tmp_path / "clip.glb"
    write_glb(random_clip(), path)
    path.write_bytes(path.read_bytes().replace(b'"VEC3"', b'"VEC2"', 1))
    assert validate(path)["issues"]["numErrors"] > 0


class Peer:
    """An evaluation of a file by pygltflib and matrices, independent of the code under test."""

    def __init__(self, path: Path) -> None:
        self.file = pygltflib.GLTF2().load(str(path))
        self.blob = self.file.binary_blob()
        self.skin = self.file.skins[0]

    def array(self, number: int) -> Array:
        accessor = self.file.accessors[number]
        view = self.file.bufferViews[accessor.bufferView]
        dtype = {5121: "<u1", 5123: "<u2", 5126: "<f4"}[accessor.componentType]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
        start = view.byteOffset + (accessor.byteOffset or 0)
        flat = np.frombuffer(self.blob, dtype, accessor.count * width, start)
        return flat.reshape(-1, width).astype(float)

    def animated(self, time: float) -> dict[int, dict[str, Array]]:
        """Return by node what the animation sets, at a time that is a key or after the last key."""
        animation = self.file.animations[0]
        values: dict[int, dict[str, Array]] = {}
        for channel in animation.channels:
            sampler = animation.samplers[channel.sampler]
            times = self.array(sampler.input)[:, 0]
            key = int(np.argmin(np.abs(times - time)))
            values.setdefault(channel.target.node, {})[channel.target.path] = self.array(sampler.output)[key]
        return values

    def matrices(self, time: float) -> Array:
        """Return the world matrix of every node."""
        animated = self.animated(time)
        world = np.tile(np.eye(4), (len(self.file.nodes), 1, 1))
        waiting = [(number, np.eye(4)) for number in self.file.scenes[0].nodes]
        while waiting:
            number, parent = waiting.pop()
            node = self.file.nodes[number]
            own = animated.get(number, {})
            x, y, z, w = own.get("rotation", node.rotation or [0, 0, 0, 1])
            local = np.eye(4)
            local[:3, :3] = [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
            local[:3, 3] = own.get("translation", node.translation or [0, 0, 0])
            world[number] = parent @ local
            waiting += [(child, world[number]) for child in node.children or []]
        return world


def some_frames(clip: Clip) -> list[int]:
    return sorted({*range(0, len(clip), max(1, len(clip) // 12)), len(clip) - 1})


def test_another_reader_finds_every_joint_where_it_is(written: tuple[Clip, dict[str, Any], Path]) -> None:
    clip, options, path = written
    expected = world_in_metres(clip, options.get("scale", 1.0), options.get("rotation", (1.0, 0.0, 0.0, 0.0)))
    peer = Peer(path)
    assert [peer.file.nodes[node].name for node in peer.skin.joints][1:] == [
        name.encode("utf-8", "replace").decode() for name in clip.names[1:]
    ]
    for frame in some_frames(clip):
        shown = peer.matrices(frame / clip.fps)[peer.skin.joints, :3, 3]
        np.testing.assert_allclose(shown, expected[frame], atol=1e-5)


def test_the_skin_rests_in_its_bind_pose(written: tuple[Clip, dict[str, Any], Path]) -> None:
    _, _, path = written
    peer = Peer(path)
    peer.file.animations[0].channels = []
    inverse = peer.array(peer.skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    np.testing.assert_allclose(
        peer.matrices(0.0)[peer.skin.joints] @ inverse, np.tile(np.eye(4), (len(inverse), 1, 1)), atol=1e-4
    )


def test_bones_reach_from_joint_to_joint_in_every_frame(tmp_path: Path) -> None:
    clip = random_clip()
    write_glb(clip, tmp_path / "clip.glb")
    peer = Peer(tmp_path / "clip.glb")
    attributes = peer.file.meshes[0].primitives[0].attributes
    points = np.column_stack([peer.array(attributes.POSITION), np.ones(peer.file.accessors[attributes.POSITION].count)])
    carriers = peer.array(attributes.JOINTS_0)[:, 0].astype(int)
    inverse = peer.array(peer.skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    for frame in (0, 7, 19):
        skinning = peer.matrices(frame / clip.fps)[peer.skin.joints] @ inverse
        skinned = np.einsum("vab,vb->va", skinning[carriers], points)[:, :3]
        for joint, parent in enumerate(clip.parents):
            if parent < 0:
                continue
            own = skinned[carriers == parent]
            for end in (clip.world[0][frame, joint], clip.world[0][frame, parent]):
                assert np.linalg.norm(own - end, axis=1).min() < 1e-5


def test_triangles_face_outwards(tmp_path: Path) -> None:
    write_glb(random_clip(ends={3: [0.0, 0.1, 0.0]}), tmp_path / "clip.glb")
    peer = Peer(tmp_path / "clip.glb")
    attributes = peer.file.meshes[0].primitives[0].attributes
    triangles = peer.array(attributes.POSITION).reshape(-1, 3, 3)
    normals = peer.array(attributes.NORMAL).reshape(-1, 3, 3)
    faces = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert (np.einsum("fa,fca->fc", faces, normals) > 0).all()
    carriers = peer.array(attributes.JOINTS_0).reshape(-1, 3, 4)[:, 0, 0]
    # a bone has 8 triangles, a ball 20: each closed surface holds a positive volume
    volumes = np.linalg.det(triangles - triangles.mean(axis=(0, 1)))
    assert len(carriers) == 6 * 8 + 2 * 20
    assert sum(volumes) > 0


def test_only_what_moves_has_keys_and_only_one_channel_has_them_always(tmp_path: Path) -> None:
    write_glb(random_clip(frames=30), tmp_path / "moving.glb")
    document, _ = unpack((tmp_path / "moving.glb").read_bytes())
    paths = [channel["target"] for channel in document["animations"][0]["channels"]]
    assert [target["node"] for target in paths if target["path"] == "translation"] == [0]
    assert sum(target["path"] == "rotation" for target in paths) == 6
    write_glb(still(random_clip()), tmp_path / "still.glb")
    document, _ = unpack((tmp_path / "still.glb").read_bytes())
    assert document["animations"][0]["channels"] == [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]
    assert len(read_glb(tmp_path / "still.glb")) == 9


def test_quaternions_keep_to_one_hemisphere(tmp_path: Path) -> None:
    clip = random_clip(frames=40)
    flipped = clip.rotations * np.where(np.arange(40) % 3 == 0, -1.0, 1.0)[:, None, None]
    write_glb(Clip.from_arrays(clip.skeleton, clip.positions.copy(), flipped, 30), tmp_path / "clip.glb")
    peer = Peer(tmp_path / "clip.glb")
    animation = peer.file.animations[0]
    for channel in animation.channels:
        values = peer.array(animation.samplers[channel.sampler].output)
        if channel.target.path == "rotation":
            assert (np.sum(values[1:] * values[:-1], axis=1) > 0).all()
            np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1.0, atol=2e-7)


def test_a_root_that_leaves_its_child_behind_is_no_bone(tmp_path: Path) -> None:
    clip = random_clip((-1, 0, 1), frames=10)
    positions = clip.positions.copy()
    positions[:, 1] *= np.linspace(1, 3, 10)[:, None]
    write_glb(Clip.from_arrays(clip.skeleton, positions, clip.rotations.copy(), 30), tmp_path / "clip.glb")
    document, _ = unpack((tmp_path / "clip.glb").read_bytes())
    vertices = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["count"]
    assert vertices == 3 * (8 + 20 + 20)  # the bone 1 to 2, its ball at 2, and a ball for the root


def test_the_same_clip_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.glb", "b.glb"):
        write_glb(random_clip(), tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


@pytest.mark.parametrize(
    ("name", "side"),
    [
        *(
            (name, "left")
            for name in ("LeftArm", "mixamorig:LeftLeg", "upperarm_l", "lThigh", "LThumb", "arm.L", "Bip001 L Calf")
        ),
        *((name, "right") for name in ("RightArm", "right_knee", "R", "RHipJoint", "thigh_r")),
        *((name, "centre") for name in ("Hips", "LowerBack", "ROOT", "L5", "root", "Head", "")),
    ],
)
def test_side_of_a_name(name: str, side: str) -> None:
    assert side_of(name) == side


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 0.0}, "scale is 0"),
        ({"scale": float("nan")}, "scale is nan"),
        ({"scale": 1e39}, "choose a smaller scale"),
        ({"rotation": (0, 0, 0, 0)}, "rotation is"),
        ({"rotation": (1, 0, 0)}, "rotation is"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=message):
        write_glb(random_clip(), tmp_path / "clip.glb", **options)
    assert list(tmp_path.iterdir()) == []


def test_frames_that_32_bit_times_cannot_tell_apart(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="cannot tell its frames apart"):
        write_glb(random_clip(fps=1e46), tmp_path / "clip.glb")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no folder"):
        write_glb(random_clip(), tmp_path / "no" / "clip.glb")


@pytest.mark.parametrize("far", ["positions", "offsets", "ends"])
def test_lengths_beyond_single_precision_are_refused(far: str, tmp_path: Path) -> None:
    clip = random_clip(frames=3, ends={2: np.array([0.0, 1e300 if far == "ends" else 0.1, 0.0])})
    offsets, positions = np.array(clip.offsets), np.array(clip.positions)
    (positions if far == "positions" else offsets)[..., 1, 0] = 0.1 if far == "ends" else 1e300
    huge = Clip(clip.names, clip.parents, offsets, positions, clip.rotations, clip.fps, ends=clip.skeleton.ends)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ArgumentError, match="the clip spans more than"):
            write_glb(huge, tmp_path / "out.glb", scale=1e9)
    assert not list(tmp_path.iterdir())
