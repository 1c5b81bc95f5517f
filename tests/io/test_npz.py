"""NumPy archives: clips come back bit for bit, and motions of the SMPL models are where they should be."""

from __future__ import annotations

import json
import pickle
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import random_clip
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from tests.mocap import mocap_file, needs_mocap
from typer.testing import CliRunner

import segue as sg
from segue import io
from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.cli import app
from segue.errors import ArgumentError, FileFormatError
from segue.io.npz import ASSUMED_STATURE

JOINTS = {"SMPL": 24, "SMPL-H": 52, "SMPL-X": 55}


def amass(path: Path, joints: int, frames: int = 12, **others: Any) -> dict[str, Any]:
    """Write a standing person with Z up, as AMASS has it, who raises an arm; return the arrays."""
    poses = np.zeros((frames, joints, 3))
    poses[:, 0, 0] = np.pi / 2
    poses[:, 16, 2] = np.linspace(-1.3, 0.5, frames)
    poses[:, 17, 2] = 1.3
    arrays: dict[str, Any] = {
        "poses": poses.reshape(frames, -1),
        "trans": np.tile([0.2, 0.4, 0.93], (frames, 1)),
        "mocap_framerate": np.array(60.0),
        "betas": np.zeros(16),
        "gender": np.array("neutral"),
    } | others
    np.savez(path, **arrays)
    return arrays


@given(st.integers(1, 5), st.integers(1, 4), st.booleans())
def test_a_clip_comes_back_bit_for_bit(joints: int, frames: int, with_end: bool) -> None:
    clip = random_clip(
        tuple(range(-1, joints - 1)), frames=frames, ends={joints - 1: [0, 0.1, 0]} if with_end else None
    )
    with tempfile.TemporaryDirectory() as folder:
        io.write(clip, Path(folder, "a.npz"))
        again = io.read(Path(folder, "a.npz"))
    assert (again.names, again.parents, again.fps) == (clip.names, clip.parents, clip.fps)
    for name in ("offsets", "positions", "rotations"):
        assert np.array_equal(getattr(again, name), getattr(clip, name))
    assert {joint: tip.tolist() for joint, tip in again.skeleton.ends.items()} == {
        joint: tip.tolist() for joint, tip in clip.skeleton.ends.items()
    }


@needs_mocap
def test_arrays_of_a_motion_say_what_they_are(tmp_path: Path) -> None:
    motion = sg.load(mocap_file("jog_16_35"))
    arrays = motion.to_arrays()
    about = json.loads(str(arrays["about"]))
    assert set(about) == set(arrays) - {"about"}
    sizes = {"T": len(motion), "J": len(arrays["names"]), "E": len(arrays["end_joints"])}
    for name, (shape, *_) in about.items():
        wanted = tuple(sizes.get(part.strip(), part.strip()) for part in shape.strip("()").split(",") if part.strip())
        assert tuple(map(str, wanted)) == tuple(map(str, np.shape(arrays[name]))), name
    source = motion.clip_source
    np.testing.assert_allclose(arrays["world_positions"], source.space.to_metres(source.clip.world[0]), atol=1e-9)
    poses = Poses(arrays["figure_root"], arrays["figure_balls"], arrays["figure_hinges"])
    np.testing.assert_array_equal(poses.rows, motion.poses.rows)
    np.savez(tmp_path / "a.npz", **arrays)
    again = sg.load(tmp_path / "a.npz")
    assert again.clip_source.space.scale == 1.0
    np.testing.assert_array_equal(again.clip_source.clip.rotations, arrays["rotations"])


@pytest.mark.parametrize("model", JOINTS)
def test_joints_of_the_models_are_rotated_as_their_axis_angles_say(model: str, tmp_path: Path) -> None:
    rest = np.random.default_rng(3).normal(size=(JOINTS[model], 3))
    arrays = amass(tmp_path / "a.npz", JOINTS[model], rest_joints=rest)
    arrays["poses"][:] += np.random.default_rng(4).normal(size=arrays["poses"].shape)
    np.savez(tmp_path / "a.npz", **arrays)
    clip = io.read(tmp_path / "a.npz")
    assert clip.origin is not None
    assert clip.origin.details is not None
    assert clip.origin.details["model"] == model
    turns = Rotation.from_rotvec(arrays["poses"].reshape(-1, 3)).as_matrix().reshape(12, -1, 3, 3)
    places, world = np.empty((12, JOINTS[model], 3)), np.empty_like(turns)
    for joint, parent in enumerate(clip.parents):
        if parent < 0:
            places[:, joint], world[:, joint] = arrays["trans"] + rest[0], turns[:, joint]
        else:
            bone = rest[joint] - rest[parent]
            places[:, joint] = places[:, parent] + world[:, parent] @ bone
            world[:, joint] = world[:, parent] @ turns[:, joint]
    np.testing.assert_allclose(clip.world[0], places, atol=1e-9)


@pytest.mark.parametrize("model", JOINTS)
def test_a_file_without_bone_lengths_gets_those_of_a_stature(model: str, tmp_path: Path) -> None:
    amass(tmp_path / "a.npz", JOINTS[model])
    usual, tall = sg.load(tmp_path / "a.npz"), sg.load(tmp_path / "a.npz", stature=2.0)
    assert any(f"no bone lengths: they are those of Segue's figure of {ASSUMED_STATURE:g} m" in n for n in usual.notes)
    assert any("figure of 2 m" in note for note in tall.notes)
    assert usual.figure.stature == pytest.approx(ASSUMED_STATURE, rel=0.05)
    assert tall.figure.build.thigh == pytest.approx(2.0 / ASSUMED_STATURE * usual.figure.build.thigh, rel=1e-3)
    assert usual.clip_source.space.up == "Z"
    hand = tall.figure.point("left_knuckles", tall.poses)
    assert hand[-1, 1] > hand[0, 1] + 0.4  # the arm that is raised
    with pytest.raises(ArgumentError, match="stature is only for files without bone lengths"):
        sg.Motion.from_clip(sg.clips.clip("walk"), stature=1.7)


@pytest.mark.parametrize("name", ["walk", "kick"])
def test_a_motion_that_is_written_as_amass_is_read_back(name: str, tmp_path: Path) -> None:
    motion = sg.clips.motion(name)
    sg.save(motion, tmp_path / "a.npz", format="amass")
    clip = io.read(tmp_path / "a.npz")
    x, y, z = np.moveaxis(clip.world[0], -1, 0)
    found = dict(zip(clip.names, np.moveaxis(np.stack([x, z, -y], axis=-1), 1, 0), strict=True))
    known = dict(zip(HUMAN.segments, np.moveaxis(motion.figure.forward(motion.poses)[0], 1, 0), strict=True))
    pairs = {"pelvis": "pelvis", "neck": "head", "left_knee": "left_shank", "right_wrist": "right_hand"}
    pairs |= {"left_foot": "left_toes", "right_ankle": "right_foot", "left_elbow": "left_forearm"}
    for joint, segment in pairs.items():
        np.testing.assert_allclose(found[joint], known[segment], atol=1e-9)
    assert (clip.fps, len(clip)) == (motion.fps, len(motion))
    again = sg.load(tmp_path / "a.npz")
    np.testing.assert_allclose(
        again.poses.hinge("left_knee_flexion"), motion.poses.hinge("left_knee_flexion"), atol=0.06
    )


def test_the_command_line_takes_a_stature_and_a_format(tmp_path: Path) -> None:
    amass(tmp_path / "a.npz", 52)
    run = CliRunner().invoke(app, ["convert", str(tmp_path / "a.npz"), str(tmp_path / "a.bvh"), "--stature", "1.6"])
    assert run.exit_code == 0, run.output
    assert "figure of 1.6 m" in run.output
    run = CliRunner().invoke(app, ["convert", str(tmp_path / "a.bvh"), str(tmp_path / "b.npz"), "--format", "amass"])
    assert run.exit_code == 0, run.output
    with np.load(tmp_path / "b.npz") as arrays:
        assert arrays["poses"].shape == (12, 156)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"poses": np.zeros((12, 100))}, r"'poses' has 100 columns: 72 \(SMPL\), 156 \(SMPL-H\), 165 \(SMPL-X\)"),
        ({"poses": np.full((12, 156), np.nan)}, "'poses' has a number that is not finite"),
        ({"poses": np.array(["a"])}, "'poses' has the type <U1: numbers are needed"),
        ({"poses": np.zeros((0, 156)), "trans": np.zeros((0, 3))}, "'poses' has no frame"),
        ({"trans": np.zeros((3, 3))}, r"'trans' has the shape \(3, 3\): \(12, 3\) is needed"),
        ({"mocap_framerate": np.array(0.0)}, "positive number of frames a second"),
        ({"mocap_framerate": None}, "has no array 'mocap_framerate'"),
        ({"trans": None}, "has no array 'names': a clip has"),
        ({"rest_joints": np.zeros((3, 3))}, r"'rest_joints' has the shape"),
    ],
)
def test_arrays_that_do_not_fit_are_named(change: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    arrays = amass(tmp_path / "a.npz", 52) | change
    np.savez(tmp_path / "a.npz", **{name: value for name, value in arrays.items() if value is not None})
    with pytest.raises(FileFormatError, match=sentence):
        io.read(tmp_path / "a.npz")


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("unpickled"),))


def test_no_python_object_is_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    amass(tmp_path / "a.npz", 52, trans=np.array([Bomb()], object))
    with pytest.raises(FileFormatError, match="'trans' holds Python objects: only numbers and texts are read"):
        io.read("a.npz")
    Path("b.npz").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(FileFormatError, match=r"is no \.npz file"):
        io.read("b.npz")
    assert not Path("unpickled").exists()


def test_a_header_that_claims_too_much_is_refused(tmp_path: Path) -> None:
    amass(tmp_path / "a.npz", 52)
    with zipfile.ZipFile(tmp_path / "a.npz") as old, zipfile.ZipFile(tmp_path / "b.npz", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b"(12, 156), }  ", b"(12, 156000)}") if name == "poses.npy" else data)
    with pytest.raises(FileFormatError, match="'poses' cannot be read: it is damaged"):
        io.read(tmp_path / "b.npz")
