"""Reading files that others made: every way in which glTF can say the same thing."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import CMU, CMU_SCALE, HandMade, mocap_clip, random_clip, two_bones
from hypothesis import given, settings
from hypothesis import strategies as st

from segue import io
from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.io.gltf import read_glb, write_glb
from segue.motion.clip import Clip
from segue.typing import Array

TURN = np.sqrt(0.5)


def about_z(angles: Any) -> Array:
    """Return quaternions x y z w about Z."""
    angles = np.asarray(angles, dtype=float)
    return np.stack([0 * angles, 0 * angles, np.sin(angles / 2), np.cos(angles / 2)], axis=-1)


def one_channel(path: str, times: Any, values: Any, interpolation: str = "LINEAR", **array: Any) -> HandMade:
    """Return a file in which one node moves."""
    made = HandMade()
    made.document["nodes"] = [{"name": "only"}]
    made.animate((0, path, made.array(times), made.array(values, **array), interpolation))
    return made


def assert_same_motion(a: Clip, b: Clip, atol: float = 1e-6) -> None:
    assert a.names == b.names
    assert a.parents == b.parents
    assert a.fps == b.fps
    np.testing.assert_allclose(a.offsets, b.offsets, atol=atol)
    np.testing.assert_allclose(a.positions, b.positions, atol=atol)
    assert quaternion.angle_between(a.rotations, b.rotations).max() < 10 * atol
    assert a.skeleton.ends.keys() == b.skeleton.ends.keys()
    for joint, tip in a.skeleton.ends.items():
        np.testing.assert_allclose(tip, b.skeleton.ends[joint], atol=atol)


# --- round trips


@pytest.mark.parametrize("fps", [5.0, 24.0, 30000 / 1001, 30.0, 60000 / 1001, 120.0, 37.123, 240.0])
def test_write_and_read_again(fps: float, tmp_path: Path) -> None:
    clip = random_clip((-1, 0, 1, 1, -1, 4), 200, fps=fps, ends={2: [0, 0.1, 0], 3: [0.0, 0.0, 0.0]})
    write_glb(clip, tmp_path / "a.glb")
    once = read_glb(tmp_path / "a.glb")
    assert_same_motion(
        once, Clip(clip.names, clip.parents, once.offsets, clip.positions, clip.rotations, fps, ends=clip.skeleton.ends)
    )
    np.testing.assert_allclose(once.offsets[[1, 2, 3, 5]], clip.offsets[[1, 2, 3, 5]], atol=1e-6)
    write_glb(once, tmp_path / "b.glb")
    twice = read_glb(tmp_path / "b.glb")
    assert_same_motion(twice, once)
    for clips in (once, twice):
        assert clips.origin is not None
        assert clips.origin.details is not None
        np.testing.assert_allclose(clips.origin.details["rest_rotations"], np.array(clip.rotations[0]), atol=1e-6)


@pytest.mark.parametrize("frames", [1, 2])
def test_few_frames_keep_their_rate(frames: int, tmp_path: Path) -> None:
    write_glb(random_clip(frames=frames, fps=48.0), tmp_path / "a.glb")
    clip = read_glb(tmp_path / "a.glb")
    assert (len(clip), clip.fps) == (frames, 48.0)


def test_rest_rotations_of_a_file_are_written_again(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"][1]["rotation"] = [TURN, 0, 0, TURN]
    made.document["nodes"][0]["rotation"] = [0, TURN, 0, TURN]
    clip = read_glb(made.save(tmp_path))
    write_glb(clip, tmp_path / "again.glb")
    again = read_glb(tmp_path / "again.glb")
    assert_same_motion(again, clip)
    assert clip.origin is not None
    assert clip.origin.details is not None
    assert again.origin is not None
    assert again.origin.details is not None
    rest = clip.origin.details["rest_rotations"]
    np.testing.assert_allclose(rest[0], [0.5, 0.5, 0.5, -0.5], atol=1e-7)
    np.testing.assert_allclose(again.origin.details["rest_rotations"], rest, atol=1e-6)
    assert (again.origin.takes, again.origin.take) == (("bend",), 0)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_tree_comes_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 8))
    parents = tuple(data.draw(st.integers(-1, joint - 1)) for joint in range(count))
    frames = data.draw(st.integers(1, 6))
    fps = data.draw(st.sampled_from([24.0, 30.0, 30000 / 1001, 120.0]) | st.floats(1.0, 500.0))
    clip = random_clip(parents, frames, fps=fps, seed=data.draw(st.integers(0, 99)))
    path = tmp_path_factory.mktemp("tree") / "clip.glb"
    write_glb(clip, path, mesh=data.draw(st.booleans()))
    back = read_glb(path)
    assert_same_motion(back, Clip(clip.names, parents, back.offsets, clip.positions, clip.rotations, fps))


def test_a_real_clip_comes_back(tmp_path: Path) -> None:
    clip = mocap_clip(CMU)
    write_glb(clip, tmp_path / "cmu.glb", scale=CMU_SCALE)
    back = io.read(tmp_path / "cmu.glb")
    assert (back.names, back.parents, back.fps) == (clip.names, clip.parents, clip.fps)
    np.testing.assert_allclose(back.world[0], CMU_SCALE * clip.world[0], atol=1e-5)


# --- curves between keys


def test_linear_translation_and_shortest_arc_of_rotation(tmp_path: Path) -> None:
    clip = read_glb(one_channel("translation", [0, 1], [[0, 0, 0], [3, 6, 9]]).save(tmp_path), fps=10)
    np.testing.assert_allclose(clip.positions[:, 0], np.linspace([0, 0, 0], [3, 6, 9], 11), atol=1e-6)
    keys = about_z([0.0, 2.0]) * [[1], [-1]]  # the second on the other hemisphere
    clip = read_glb(one_channel("rotation", [0, 1], keys).save(tmp_path), fps=10)
    np.testing.assert_allclose(quaternion.log(clip.rotations[:, 0])[:, 2], np.linspace(0, 2, 11), atol=1e-6)


def test_step_holds_each_value_until_the_next(tmp_path: Path) -> None:
    values = [[1, 0, 0], [2, 0, 0], [3, 0, 0]]
    clip = read_glb(one_channel("translation", [0, 0.5, 1.0], values, "STEP").save(tmp_path), fps=4)
    assert clip.positions[:, 0, 0].tolist() == [1, 1, 2, 2, 3]


def test_cubic_spline_of_a_cubic_is_that_cubic(tmp_path: Path) -> None:
    times = np.array([0.0, 0.7, 2.0])
    cubic = np.polynomial.Polynomial([0.3, -1.0, 2.0, 0.5])
    slopes = cubic.deriv()(times)
    keys = np.zeros((9, 3))
    keys[0::3, 1], keys[1::3, 1], keys[2::3, 1] = slopes, cubic(times), slopes
    clip = read_glb(one_channel("translation", times, keys, "CUBICSPLINE").save(tmp_path), fps=20)
    np.testing.assert_allclose(clip.positions[:, 0, 1], cubic(clip.times), atol=1e-5)


def test_cubic_spline_rotations_are_unit(tmp_path: Path) -> None:
    keys = np.zeros((6, 4))
    keys[1], keys[4] = about_z(0.0), about_z(1.5)
    clip = read_glb(one_channel("rotation", [0, 1], keys, "CUBICSPLINE").save(tmp_path), fps=30)
    angles = quaternion.log(clip.rotations[:, 0])[:, 2]
    assert angles[15] == pytest.approx(0.75, abs=1e-6)
    assert (np.diff(angles) > 0).all()


def test_before_the_first_and_after_the_last_key_a_channel_stands_still(tmp_path: Path) -> None:
    made = HandMade()
    made.document["nodes"] = [{"name": "a", "children": [1]}, {"name": "b"}]
    long, short = made.array(np.arange(7) / 30), made.array(np.array([2, 4]) / 30)
    xs = np.arange(7.0)[:, None] * [1, 0, 0]
    made.animate((0, "translation", long, made.array(xs)), (1, "translation", short, made.array(xs[[1, 3]])))
    assert read_glb(made.save(tmp_path)).positions[:, 1, 0].tolist() == [1, 1, 1, 2, 3, 3, 3]


# --- time


@pytest.mark.parametrize("fps", [24, 25, 30000 / 1001, 30, 48, 50, 60000 / 1001, 60, 90, 100, 120, 240, 17.5])
@pytest.mark.parametrize("start", [0.0, 1 / 30, 100.0])
def test_the_rate_is_that_of_the_keys(fps: float, start: float, tmp_path: Path) -> None:
    times = start + np.arange(500) / fps
    made = one_channel("translation", times, np.random.default_rng(0).normal(size=(500, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clip = read_glb(made.save(tmp_path))
    assert len(clip) == 500
    assert clip.fps == pytest.approx(fps, rel=1e-5)
    values = np.frombuffer(made.binary[made.document["bufferViews"][1]["byteOffset"] :], "<f4").reshape(-1, 3)
    np.testing.assert_array_equal(clip.positions[:, 0], values)  # keys are taken, not interpolated


def test_keys_that_an_exporter_left_out_do_not_lower_the_rate(tmp_path: Path) -> None:
    made = HandMade()
    made.document["nodes"] = [{"name": "a", "children": [1]}, {"name": "b"}]
    some, others = np.array([0, 4, 10, 60]), np.array([0, 9, 15, 60])
    for number, frames in enumerate((some, others)):
        made.document.setdefault("animations", [{"samplers": [], "channels": []}])
        values = frames[:, None] * np.array([1.0, 0, 0])
        animation = made.document["animations"][0]
        animation["samplers"].append({"input": made.array(frames / 60), "output": made.array(values)})
        animation["channels"].append({"sampler": number, "target": {"node": number, "path": "translation"}})
    clip = read_glb(made.save(tmp_path))
    assert (clip.fps, len(clip)) == (60, 61)
    np.testing.assert_allclose(clip.positions[:, :, 0], np.arange(61)[:, None] * [1, 1], atol=1e-5)


def test_irregular_keys_are_sampled_with_a_warning(tmp_path: Path) -> None:
    times = np.sort(np.random.default_rng(1).uniform(0, 2, 80))
    made = one_channel("translation", times, times[:, None] * [1, 0, 0])
    with pytest.warns(SegueWarning, match="irregular times, it is sampled at"):
        clip = read_glb(made.save(tmp_path))
    assert 24 <= clip.fps <= 240
    assert clip.duration >= times[-1] - times[0] > clip.duration - 1 / clip.fps
    np.testing.assert_allclose(clip.positions[:-1, 0, 0], times[0] + clip.times[:-1], atol=1e-5)


@pytest.mark.parametrize("gap", [0.2, 1.0])
def test_keys_of_a_drawn_curve_are_sampled_in_between_with_a_warning(gap: float, tmp_path: Path) -> None:
    made = one_channel("rotation", [0, gap, 2 * gap], about_z([0, 1, 0]))
    with pytest.warns(SegueWarning, match=f"only every {gap:g} s, it is sampled at 30 "):
        clip = read_glb(made.save(tmp_path))
    assert (clip.fps, len(clip)) == (30, 60 * gap + 1)


def test_the_file_may_be_sampled_at_another_rate(tmp_path: Path) -> None:
    clip = read_glb(two_bones().save(tmp_path), fps=60)
    assert (clip.fps, len(clip)) == (60, 9)
    np.testing.assert_allclose(quaternion.log(clip.rotations[:, 1])[:, 2], np.linspace(0, 1, 9), atol=1e-6)
    with pytest.raises(ArgumentError, match="fps is -1"):
        read_glb(two_bones().save(tmp_path), fps=-1)


# --- nodes


def test_a_matrix_says_the_same_as_its_parts(tmp_path: Path) -> None:
    parts, whole = two_bones(), two_bones()
    angle = 0.4
    parts.document["nodes"][0] |= {
        "translation": [1, 2, 3],
        "rotation": about_z(angle).tolist(),
        "scale": [0.5, 0.5, 0.5],
    }
    c, s = 0.5 * np.cos(angle), 0.5 * np.sin(angle)
    whole.document["nodes"][0]["matrix"] = [c, s, 0, 0, -s, c, 0, 0, 0, 0, 0.5, 0, 1, 2, 3, 1]
    a, b = read_glb(parts.save(tmp_path)), read_glb(whole.save(tmp_path))
    assert_same_motion(a, b)
    expected = [1, 2, 3] + 0.5 * np.array([-np.sin(angle), np.cos(angle), 0])
    np.testing.assert_allclose(a.offsets[0], expected, atol=1e-7)
    np.testing.assert_allclose(a.offsets[1], [0, -0.25, 0.05], atol=1e-7)


def test_a_mirroring_matrix_with_even_scale_is_understood(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"][0]["matrix"] = [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]
    clip = read_glb(made.save(tmp_path))
    np.testing.assert_allclose(clip.world[0][0], [[0, -1, 0], [0, -0.5, -0.1]], atol=1e-6)


def test_moving_ancestors_and_scaled_joints_are_folded_in(tmp_path: Path) -> None:
    """Every node moves, turns and is scaled; matrices composed by hand say where the joints are."""
    rng = np.random.default_rng(5)
    made = HandMade()
    frames, count = 6, 4
    made.document["nodes"] = [{"name": f"n{k}", "children": [k + 1]} for k in range(count - 1)] + [{"name": "n3"}]
    made.document["skins"] = [{"joints": [2, 3]}]
    moves = rng.normal(size=(count, frames, 3))
    turns = quaternion.exp(rng.normal(size=(count, frames, 3)))
    sizes = rng.uniform(0.5, 2.0, size=(count, frames, 1)).repeat(3, axis=2)
    times = made.array(np.arange(frames) / 30)
    made.animate(
        *((k, "translation", times, made.array(moves[k])) for k in range(count)),
        *((k, "rotation", times, made.array(turns[k][:, [1, 2, 3, 0]])) for k in range(count)),
        *((k, "scale", times, made.array(sizes[k])) for k in range(count)),
    )
    clip = read_glb(made.save(tmp_path))
    assert clip.names == ("n2", "n3")
    for frame in range(frames):
        matrix = np.eye(4)
        for node in range(count):
            local = np.eye(4)
            local[:3, :3] = quaternion.to_matrix(turns[node, frame]) * sizes[node, frame]
            local[:3, 3] = moves[node, frame]
            matrix = matrix @ local
            if node >= 2:
                np.testing.assert_allclose(clip.world[0][frame, node - 2], matrix[:3, 3], atol=1e-5)
                rotation = matrix[:3, :3] / np.linalg.norm(matrix[:3, 0])
                np.testing.assert_allclose(quaternion.to_matrix(clip.world[1][frame, node - 2]), rotation, atol=1e-5)


@pytest.mark.parametrize("node", [0, 1])
def test_uneven_scale_above_joints_is_refused(node: int, tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"][node]["scale"] = [1, 2, 1]
    with pytest.raises(FileFormatError, match=r"nodes\[. *\d*\].*scales what is below it by \[1.0, 2.0, 1.0\]"):
        read_glb(made.save(tmp_path))


def test_uneven_scale_with_nothing_below_is_no_matter(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"][2]["scale"] = [1, 2, 1]
    assert len(read_glb(made.save(tmp_path))) == 5


def test_nodes_between_joints_belong_to_the_skeleton_and_order_is_that_of_the_skin(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"] = [
        {"name": "top", "children": [2, 4]},
        {"name": "leaf"},
        {"name": "between", "translation": [0, 1, 0], "children": [1]},
        {"name": "mesh of no skin"},
        {"name": "other"},
    ]
    made.document["skins"] = [{"joints": [4, 0, 1]}]
    clip = read_glb(made.save(tmp_path))
    assert clip.names == ("top", "other", "between", "leaf")
    assert clip.parents == (-1, 0, 0, 2)


def test_skins_that_share_joints_are_one_skeleton(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"] += [{"name": "Toe"}, {"name": "Stranger"}]
    made.document["nodes"][2]["children"] = [3]
    made.document["skins"] = [{"joints": [1]}, {"joints": [2, 3]}, {"joints": [1, 2]}, {"joints": [4]}]
    with pytest.warns(SegueWarning, match="1 skins on other skeletons"):
        clip = read_glb(made.save(tmp_path))
    assert clip.names == ("Hips", "Knee", "Toe")


def test_without_a_skin_the_moving_tree_is_the_skeleton(tmp_path: Path) -> None:
    made = two_bones()
    del made.document["skins"]
    made.document["nodes"] = [
        {"name": "scene", "children": [3, 4], "translation": [5, 0, 0]},
        {"name": "left leg"},
        {"name": "right leg", "children": [5]},
        {"name": "pelvis", "children": [1, 2]},
        {"name": "camera"},
        {"name": "right foot"},
    ]
    clip = read_glb(made.save(tmp_path))
    assert clip.names == ("pelvis", "left leg", "right leg", "right foot")
    np.testing.assert_allclose(clip.offsets[0], [5, 0, 0])


def test_joints_without_a_name_or_with_the_same_name(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"] += [{"name": "Hips"}, {}]
    made.document["nodes"][2]["children"] = [3, 4]
    made.document["skins"][0]["joints"] += [3, 4]
    with pytest.warns(SegueWarning, match="several joints are named 'Hips'"):
        clip = read_glb(made.save(tmp_path))
    assert clip.names == ("Hips", "Knee", "Hips_2", "node_4")


# --- arrays


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2"])
def test_normalised_integers(dtype: str, tmp_path: Path) -> None:
    largest = np.iinfo(dtype).max
    angles = np.linspace(0, 1.5, 10)
    made = one_channel(
        "rotation", np.arange(10) / 30, np.round(about_z(angles) * largest), dtype=dtype, normalized=True
    )
    clip = read_glb(made.save(tmp_path))
    np.testing.assert_allclose(quaternion.log(clip.rotations[:, 0])[:, 2], angles, atol=3 / largest)


def test_interleaved_and_offset_arrays(tmp_path: Path) -> None:
    made = HandMade()
    made.document["nodes"] = [{"name": "only"}]
    rows = np.arange(5 * 4, dtype="<f4").reshape(5, 4)
    rows[:, 0] = np.arange(5) / 30
    view = made.view(b"skip" + rows.tobytes(), byteStride=16)
    shared = {"bufferView": view, "componentType": 5126, "count": 5}
    made.document["accessors"] = [
        shared | {"type": "SCALAR", "byteOffset": 4},
        shared | {"type": "VEC3", "byteOffset": 8},
    ]
    made.animate((0, "translation", 0, 1))
    np.testing.assert_array_equal(read_glb(made.save(tmp_path)).positions[:, 0], rows[:, 1:])


@pytest.mark.parametrize("over_zeros", [False, True])
def test_sparse_arrays(over_zeros: bool, tmp_path: Path) -> None:
    base = np.ones((5, 3))
    made = one_channel("translation", np.arange(5) / 30, base)
    output = made.document["accessors"][1]
    output["sparse"] = {
        "count": 2,
        "indices": {"bufferView": made.view(np.array([1, 4], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": made.view(np.array([[7, 8, 9], [4, 5, 6]], "<f4").tobytes())},
    }
    if over_zeros:
        del output["bufferView"]
        base[:] = 0
    base[[1, 4]] = [[7, 8, 9], [4, 5, 6]]
    np.testing.assert_array_equal(read_glb(made.save(tmp_path)).positions[:, 0], base)


# --- containers


def test_text_files_with_their_buffer_inside_or_beside(tmp_path: Path) -> None:
    made = two_bones()
    expected = read_glb(made.save(tmp_path))
    inside, beside = tmp_path / "inside.gltf", tmp_path / "beside.gltf"
    inside.write_text(json.dumps(made.complete(uri=made.data_uri())))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a b.bin").write_bytes(made.binary)
    beside.write_bytes(b"\xef\xbb\xbf" + json.dumps(made.complete(uri="data/a%20b.bin")).encode())
    for path in (inside, beside):
        assert_same_motion(io.read(path), expected, atol=1e-12)


def test_a_buffer_that_links_out_of_the_folder_is_not_opened(tmp_path: Path) -> None:
    made = two_bones()
    (tmp_path / "secret.bin").write_bytes(made.binary)
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "data.bin").symlink_to(tmp_path / "secret.bin")
    (folder / "clip.gltf").write_text(json.dumps(made.complete(uri="data.bin")))
    with pytest.raises(FileFormatError, match="leads out of the document's folder"):
        io.read(folder / "clip.gltf")


# --- animations


def test_an_animation_is_chosen_by_name_or_number(tmp_path: Path) -> None:
    made = two_bones()
    made.animate((2, "translation", 0, 2), name="slide")
    path = made.save(tmp_path)
    with pytest.warns(SegueWarning, match="has 2 animations, 'bend' is read; others are #slide"):
        assert np.ptp(read_glb(path).positions[:, 1]) == pytest.approx(0.6)
    for choice in ("slide", 1):
        assert np.ptp(read_glb(path, take=choice).positions[:, 1, 0]) == pytest.approx(1.0)
    for wrong in ("jump", 2, -1):
        with pytest.raises(FileFormatError, match=r"has no animation .*: (there are bend, slide|did you mean)"):
            read_glb(path, take=wrong)


def test_without_animation_the_clip_is_the_rest_pose(tmp_path: Path) -> None:
    made = two_bones()
    del made.document["animations"]
    with pytest.warns(SegueWarning, match="no animation"):
        clip = read_glb(made.save(tmp_path))
    assert len(clip) == 1
    np.testing.assert_allclose(clip.positions[0], [[0, 1, 0], [0, -0.5, 0.1]])
    with pytest.raises(FileFormatError, match="there are none"):
        read_glb(made.save(tmp_path), take="walk")


def test_an_animation_of_something_else_leaves_the_skeleton_at_rest(tmp_path: Path) -> None:
    made = two_bones()
    made.document["nodes"].append({"name": "Ball"})
    made.document["animations"][0]["channels"] = [{"sampler": 0, "target": {"node": 3, "path": "translation"}}]
    with pytest.warns(SegueWarning, match="does not move the skeleton"):
        assert len(read_glb(made.save(tmp_path))) == 1


def test_morph_targets_and_channels_without_a_node_are_passed_over(tmp_path: Path) -> None:
    made = two_bones()
    made.document["animations"][0]["channels"] += [
        {"sampler": 0, "target": {"node": 1, "path": "weights"}},
        {"sampler": 0, "target": {"path": "translation"}},
    ]
    assert len(read_glb(made.save(tmp_path))) == 5
