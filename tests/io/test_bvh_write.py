"""Writing BVH: back as it was read, gaps filled without jumps, and clips that no BVH file laid out."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from malformed import VALID

from segue import io
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.io.bvh import BvhRecord, EndSite, bvh_record, read_bvh, write_bvh
from segue.motion.clip import Clip, Origin
from segue.typing import Array

Save = Callable[[str | bytes], Path]


def _written(clip: Clip, tmp_path: Path) -> Clip:
    path = tmp_path / "written.bvh"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_bvh(clip, path)
        return read_bvh(path)


def _rows(clip: Clip) -> Array:
    assert clip.origin is not None
    assert clip.origin.rows is not None
    return clip.origin.rows


def _record(clip: Clip) -> BvhRecord:
    record = bvh_record(clip)
    assert record is not None
    return record


def _with_gap(clip: Clip, gap: slice) -> Clip:
    """Return the clip with the rows of some frames forgotten, so that they must be computed."""
    rows = _rows(clip).copy()
    rows[gap] = np.nan
    assert clip.origin is not None
    origin = dataclasses.replace(clip.origin, rows=rows)
    return Clip.from_arrays(clip.skeleton, clip.positions, clip.rotations, clip.fps, origin=origin)


def _without_origin(clip: Clip) -> Clip:
    return Clip.from_arrays(clip.skeleton, clip.positions, clip.rotations, clip.fps)


def _clip(
    axes: str, degrees: Array, save: Save, *, position: str = "Xposition Yposition Zposition ", frame_time: str = "0.01"
) -> Clip:
    """Return a clip of one joint that turns by given angles a frame, read from a file."""
    channels = position + " ".join(f"{axis}rotation" for axis in axes)
    place = "0 0 0 " if position else ""
    rows = "\n".join(place + " ".join(map(repr, row)) for row in degrees.tolist())
    return read_bvh(
        save(
            f"HIERARCHY\nROOT Hips\n{{\nOFFSET 0 1 0\nCHANNELS {len(channels.split())} {channels}\n}}\n"
            f"MOTION\nFrames: {len(degrees)}\nFrame Time: {frame_time}\n{rows}\n"
        )
    )


def _worst_angle(one: Clip, other: Clip) -> float:
    """Return the largest difference of rotations in degrees."""
    return float(np.rad2deg(quaternion.angle_between(one.rotations, other.rotations).max()))


ODD_LAYOUT = """\
HIERARCHY
ROOT mixamorig:Hips
{
\tOFFSET -287.536011 92.46843 338.071991
\tCHANNELS 6 zRotation YROTATION Xrotation Xposition Yposition Zposition
\tEnd Site
\t{
\t\tOFFSET 0 0 1
\t}
\tJOINT Bip001 L Thigh
\t{
\t\tOFFSET 0.00001 -0 100000
\t\tCHANNELS 0
\t\tJOINT toe
\t\t{
\t\t\tOFFSET 1 2 3
\t\t\tCHANNELS 2 Xrotation Zposition
\t\t}
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 0 0
\t\t}
\t}
\tEnd Site
\t{
\t\tOFFSET 3 4 5
\t}
}
ROOT Prop
{
\tOFFSET 0 0 0
\tCHANNELS 1 Yrotation
}
MOTION
Frames: 2
Frame Time: .0083333
1.5 -0 0.000001 1000000 0 7.25 33 0.1 720
0.30000000000000004 1 2 3 4 5 6 7 8
"""


@pytest.mark.filterwarnings("ignore:.*two End Sites")
def test_a_file_is_written_back_character_for_character(save: Save, tmp_path: Path) -> None:
    path = tmp_path / "written.bvh"
    write_bvh(read_bvh(save(ODD_LAYOUT)), path)
    assert path.read_text() == ODD_LAYOUT


def test_repeated_names_are_written_as_they_were(save: Save, tmp_path: Path) -> None:
    path = tmp_path / "written.bvh"
    with pytest.warns(SegueWarning, match="stands twice"):
        clip = read_bvh(save(VALID.replace(b"Chest", b"Hips")))
    write_bvh(clip, path)
    assert b"JOINT Hips\n" in path.read_bytes()


def test_names_that_are_not_utf_8_keep_their_bytes(save: Save, tmp_path: Path) -> None:
    path = tmp_path / "written.bvh"
    with pytest.warns(SegueWarning, match="Latin-1"):
        clip = read_bvh(save(VALID.replace(b"Head", b"T\xeate\x85")))
    write_bvh(clip, path)
    assert b"JOINT T\xeate\x85\n" in path.read_bytes()


def test_what_changed_since_reading_is_what_is_written(save: Save, tmp_path: Path) -> None:
    clip = read_bvh(save(VALID))
    names = ("Pelvis", *clip.names[1:])
    skeleton = Skeleton(names, clip.parents, clip.offsets * 2, {1: np.array([1.0, 0, 0]), 3: np.array([0, 9.0, 0])})
    again = _written(Clip.from_arrays(skeleton, clip.positions, clip.rotations, 31.0, origin=clip.origin), tmp_path)
    assert again.skeleton == skeleton
    assert again.fps == pytest.approx(31.0, rel=1e-12)
    assert _record(again).ends == (EndSite(1, 1, (1.0, 0.0, 0.0)), EndSite(3, 0, (0.0, 9.0, 0.0)))
    np.testing.assert_array_equal(_rows(again), _rows(clip))


@pytest.mark.parametrize("axes", ["ZYX", "ZXY", "XYZ", "YXZ", "ZXZ", "YXY", "XZ", "YX", "Z", "ZZX", "YYY", ""])
def test_computed_angles_continue_those_before_and_are_the_same_rotations(
    axes: str, save: Save, tmp_path: Path
) -> None:
    time = np.linspace(0.0, 4.0, 200)[:, None]
    # beyond a full turn, and the middle angle beyond a quarter turn: where principal angles jump
    degrees = np.array([700.0, 300.0, -500.0])[: len(axes)] * np.sin(time + np.arange(len(axes))) + 20.0
    degrees = np.where([k > 0 and axis == axes[k - 1] for k, axis in enumerate(axes)], 0.0, degrees)
    clip = _clip(axes, degrees, save)
    again = _written(_with_gap(clip, slice(60, None)), tmp_path)
    assert _worst_angle(clip, again) < 1e-7
    np.testing.assert_array_equal(_rows(again)[:60], _rows(clip)[:60])
    np.testing.assert_allclose(_rows(again), _rows(clip), atol=1e-6)


def test_a_gap_at_the_start_leads_to_the_row_after_it(save: Save, tmp_path: Path) -> None:
    degrees = np.linspace([900.0, 100.0, 3.0], [1000.0, 80.0, -900.0], 50)
    clip = _clip("ZYX", degrees, save)
    again = _written(_with_gap(clip, slice(0, 30)), tmp_path)
    np.testing.assert_allclose(_rows(again), _rows(clip), atol=1e-6)


def test_a_gap_in_the_middle_leaves_the_rest_untouched(save: Save, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    clip = _clip("YXZ", rng.normal(scale=50.0, size=(40, 3)), save)
    again = _written(_with_gap(clip, slice(10, 20)), tmp_path)
    kept = np.r_[0:10, 20:40]
    assert _rows(again)[kept].tobytes() == _rows(clip)[kept].tobytes()
    assert _worst_angle(clip, again) < 1e-7


def test_computed_numbers_have_at_most_eight_decimals(save: Save, tmp_path: Path) -> None:
    clip = _clip("ZYX", np.random.default_rng(1).normal(size=(20, 3)), save)
    path = tmp_path / "written.bvh"
    write_bvh(_without_origin(clip), path)
    words = path.read_text().split("Frame Time:")[1].split()[1:]
    assert max(len(word.partition(".")[2]) for word in words) == 8


@pytest.mark.parametrize("axes", ["X", "XY", "ZX", "YZ", ""])
def test_rotations_beyond_the_channels_give_the_nearest_and_a_warning(axes: str, save: Save, tmp_path: Path) -> None:
    clip = _clip(axes, np.zeros((5, len(axes))), save)
    wanted = quaternion.exp(np.random.default_rng(len(axes)).normal(size=(5, 1, 3)))
    turned = _with_gap(
        Clip.from_arrays(clip.skeleton, clip.positions, wanted, clip.fps, origin=clip.origin), slice(None)
    )
    path = tmp_path / "written.bvh"
    with pytest.warns(SegueWarning, match="joint 'Hips' turned in ways that the rotation channels cannot say"):
        write_bvh(turned, path)
    written = read_bvh(path)
    error = quaternion.angle_between(written.rotations[:, 0], wanted[:, 0])
    for column in range(3, 3 + len(axes)):
        for step in (-0.01, 0.01):
            rows = _rows(written).copy()
            rows[:, column] += step
            nudged = _clip(axes, rows[:, 3:], save)
            assert (quaternion.angle_between(nudged.rotations[:, 0], wanted[:, 0]) >= error - 1e-12).all()


def test_displacement_without_position_channels_gives_a_warning(save: Save, tmp_path: Path) -> None:
    clip = read_bvh(save(VALID))
    positions = clip.positions.copy()
    positions[1, 2] += [0.0, 0.5, 0.0]
    moved = Clip.from_arrays(clip.skeleton, positions, clip.rotations, clip.fps, origin=clip.origin)
    write_bvh(moved, tmp_path / "rows_known.bvh")
    with pytest.warns(SegueWarning, match="joint 'Head' moved off the OFFSET"):
        write_bvh(_with_gap(moved, slice(1, 2)), tmp_path / "gap.bvh")


def test_displaced_joints_get_position_channels_where_no_file_laid_the_clip_out(save: Save, tmp_path: Path) -> None:
    clip = read_bvh(save(VALID))
    positions = clip.positions.copy()
    positions[1, 2] += [0.0, 0.5, 0.0]
    again = _written(Clip.from_arrays(clip.skeleton, positions, clip.rotations, clip.fps), tmp_path)
    assert [len(names) for names in _record(again).channels] == [6, 3, 6, 3]
    np.testing.assert_allclose(again.positions, positions, atol=1e-8)


def test_a_plain_layout(tmp_path: Path) -> None:
    clip = Clip(
        ["root", "left", "right"],
        [-1, 0, 0],
        [[0, 0, 0], [1, 0, 0], [-1, 0, 0]],
        [[[0, 5, 0], [1, 0, 0], [-1, 0, 0]]],
        quaternion.identity(1, 3),
        60.0,
        ends={1: [0.5, 0, 0]},
    )
    path = tmp_path / "plain.bvh"
    io.write(clip, path)
    assert path.read_text().replace("\t", "") == (
        "HIERARCHY\nROOT root\n{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
        "JOINT left\n{\nOFFSET 1 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0.5 0 0\n}\n}\n"
        "JOINT right\n{\nOFFSET -1 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\n"
        "}\nMOTION\nFrames: 1\nFrame Time: 0.016666666666666666\n0 5 0 0 0 0 0 0 0 0 0 0\n"
    )
    assert read_bvh(path).fps == 60.0


def test_joints_are_written_depth_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    parents = [-1, 0, 0, -1, 1, 2, 1]  # breadth first, as other formats store them
    offsets = rng.normal(size=(7, 3))
    clip = Clip(
        list("abcdefg"),
        parents,
        offsets,
        np.repeat(offsets[None], 4, axis=0),
        quaternion.exp(rng.normal(size=(4, 7, 3))),
        25.0,
        ends={5: [1, 2, 3]},
    )
    again = _written(clip, tmp_path)
    assert "".join(again.names) == "abegcfd"
    order = [clip.names.index(name) for name in again.names]
    np.testing.assert_allclose(again.world[0], clip.world[0][:, order], atol=1e-7)
    np.testing.assert_array_equal(again.skeleton.ends[again.names.index("f")], [1, 2, 3])


def test_ten_thousand_joints_deep_and_back(tmp_path: Path) -> None:
    depth = 10_000
    offsets = np.tile([0.0, 1.0, 0.0], (depth, 1))
    names = [f"j{k}" for k in range(depth)]
    clip = Clip(names, range(-1, depth - 1), offsets, offsets[None], quaternion.identity(1, depth), 30.0)
    again = _written(clip, tmp_path)
    assert again.parents == clip.parents
    assert (tmp_path / "written.bvh").stat().st_size < 20_000_000


@pytest.mark.parametrize("name", ["two\nlines", "return\r", "a{b", "a}b", "", " edge", "edge\t", "lone \ud800 half"])
def test_names_that_bvh_cannot_carry_are_refused(name: str, tmp_path: Path) -> None:
    clip = Clip([name], [-1], np.zeros((1, 3)), np.zeros((1, 1, 3)), quaternion.identity(1, 1), 30.0)
    with pytest.raises(FileFormatError, match="rename") as caught:
        write_bvh(clip, tmp_path / "out.bvh")
    assert str(caught.value).isprintable()
    assert not list(tmp_path.iterdir())


def test_rows_that_do_not_fit_are_refused(save: Save, tmp_path: Path) -> None:
    clip = read_bvh(save(VALID))
    assert clip.origin is not None
    short = Clip.from_arrays(clip.skeleton, clip.positions[:2], clip.rotations[:2], clip.fps, origin=clip.origin)
    with pytest.raises(ArgumentError, match=r"shape \(3, 15\): \(2, 15\) is needed"):
        write_bvh(short, tmp_path / "out.bvh")


@pytest.mark.parametrize("origin", [None, Origin("glb", None, None, {"animation": "walk"})])
def test_clips_of_other_formats_are_computed(origin: Origin | None, save: Save, tmp_path: Path) -> None:
    clip = read_bvh(save(VALID))
    other = Clip.from_arrays(clip.skeleton, clip.positions, clip.rotations, clip.fps, origin=origin)
    again = _written(other, tmp_path)
    assert _worst_angle(clip, again) < 1e-7
    assert all(names[-3:] == ("Zrotation", "Yrotation", "Xrotation") for names in _record(again).channels)


def test_a_failure_in_the_middle_leaves_the_old_file(
    save: Save, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(VALID)
    clip = read_bvh(path)

    def fails(_: Array) -> list[bytes]:
        raise KeyboardInterrupt

    monkeypatch.setattr("segue.io.bvh.write.format_rows", fails)
    with pytest.raises(KeyboardInterrupt):
        write_bvh(clip, path)
    assert path.read_bytes() == VALID
    assert os.listdir(tmp_path) == [path.name]
