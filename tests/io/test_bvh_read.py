"""Reading BVH: every dialect gives the joints, frames and rotations that it means."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from malformed import VALID
from scipy.spatial.transform import Rotation

from segue import io
from segue.curves import quaternion
from segue.errors import FileFormatError, SegueWarning
from segue.io.bvh import BvhRecord, EndSite, bvh_record, read_bvh
from segue.io.bvh import decimals as decimals_module
from segue.motion.clip import Clip
from segue.typing import Array

Save = Callable[[str | bytes], Path]


def _one_joint(channels: str, row: str, frame_time: str = "0.01") -> str:
    return (
        f"HIERARCHY\nROOT Hips\n{{\nOFFSET 1 2 3\nCHANNELS {len(channels.split())} {channels}\n"
        f"End Site\n{{\nOFFSET 0 1 0\n}}\n}}\nMOTION\nFrames: 1\nFrame Time: {frame_time}\n{row}\n"
    )


def _record(clip: Clip) -> BvhRecord:
    record = bvh_record(clip)
    assert record is not None
    return record


def _rows(clip: Clip) -> Array:
    assert clip.origin is not None
    assert clip.origin.rows is not None
    return clip.origin.rows


def _same_clip(one: Clip, other: Clip) -> bool:
    return (
        one.skeleton == other.skeleton
        and one.fps == other.fps
        and one.positions.tobytes() == other.positions.tobytes()
        and one.rotations.tobytes() == other.rotations.tobytes()
    )


def test_what_the_file_says_is_what_the_clip_has(save: Save) -> None:
    path = save(VALID)
    clip = read_bvh(path)
    assert clip.names == ("Hips", "Chest", "Head", "Leg")
    assert clip.parents == (-1, 0, 1, 0)
    np.testing.assert_array_equal(clip.offsets[1], [0.0, 20.5, 0.25])
    assert {joint: tip.tolist() for joint, tip in clip.skeleton.ends.items()} == {2: [0, 15, 0], 3: [0, -80, 5]}
    assert clip.fps == 120.0
    np.testing.assert_array_equal(clip.positions[:, 0], [[0.5, 90.25, -1.5], [0.6, 90.35, -1.4], [0.7, 90.45, -1.3]])
    assert clip.origin is not None
    assert (clip.origin.format, clip.origin.path) == ("bvh", str(path))
    assert _rows(clip).shape == (3, 15)
    assert _record(clip) == BvhRecord(
        names=clip.names,
        parents=clip.parents,
        channels=(
            ("Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation"),
            ("Zrotation", "Xrotation", "Yrotation"),
            ("Yrotation", "Zrotation", "Xrotation"),
            ("Zrotation", "Yrotation", "Xrotation"),
        ),
        ends=(EndSite(2, 0, (0.0, 15.0, 0.0)), EndSite(3, 0, (0.0, -80.0, 5.0))),
        frame_time="0.008333",
    )


def test_the_suffix_chooses_the_reader_in_any_case(save: Save) -> None:
    path = save(VALID)
    loud = path.rename(path.with_suffix(".BVH"))
    assert _same_clip(io.read(loud), read_bvh(str(loud)))


def test_the_rows_cannot_be_changed(save: Save) -> None:
    with pytest.raises(ValueError, match="read-only"):
        _rows(read_bvh(save(VALID)))[0, 0] = 1.0


@pytest.mark.parametrize("axes", ["".join(axes) for k in (1, 2, 3) for axes in itertools.product("XYZ", repeat=k)])
def test_channels_left_to_right_are_intrinsic(axes: str, save: Save) -> None:
    degrees = [37.5, -61.25, 118.0][: len(axes)]
    channels = " ".join(f"{axis}rotation" for axis in axes)
    clip = read_bvh(save(_one_joint(channels, " ".join(map(str, degrees)))))
    turns = [Rotation.from_euler(axis, angle, degrees=True) for axis, angle in zip(axes, degrees, strict=True)]
    expected = np.linalg.multi_dot([np.eye(3), np.eye(3), *(turn.as_matrix() for turn in turns)])
    np.testing.assert_allclose(quaternion.to_matrix(clip.rotations[0, 0]), expected, atol=1e-14)
    np.testing.assert_array_equal(clip.positions[0, 0], [1, 2, 3])


@pytest.mark.parametrize(
    ("channels", "row", "position"),
    [
        ("Xposition Yposition Zposition Zrotation Yrotation Xrotation", "7 8 9 0 0 0", (7, 8, 9)),
        ("Zrotation Yrotation Xrotation Xposition Yposition Zposition", "0 0 0 7 8 9", (7, 8, 9)),
        ("Zposition Xrotation Xposition", "9 0 7", (7, 2, 9)),
        ("Yposition", "8", (1, 8, 3)),
    ],
)
def test_position_channels_replace_the_offset(channels: str, row: str, position: tuple[float, ...], save: Save) -> None:
    clip = read_bvh(save(_one_joint(channels, row)))
    np.testing.assert_array_equal(clip.positions[0, 0], position)


def _with_rows(content: bytes, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """Return a file with each row's numbers changed."""
    head, rows = content.split(b"0.008333\n")
    changed = [b" ".join(change(row.split())) for row in rows.splitlines()]
    return head + b"0.008333\n" + b"\n".join(changed) + b"\n"


def test_position_channels_on_an_inner_joint_replace_its_offset(save: Save) -> None:
    content = VALID.replace(
        b"CHANNELS 3 Zrotation Xrotation Yrotation", b"CHANNELS 4 Yposition Zrotation Xrotation Yrotation"
    )
    clip = read_bvh(save(_with_rows(content, lambda row: [*row[:6], b"99", *row[6:]])))
    np.testing.assert_array_equal(clip.positions[:, 1], [[0, 99, 0.25]] * 3)
    np.testing.assert_array_equal(clip.rotations, read_bvh(save(VALID)).rotations)


def test_joints_without_channels_stand_still(save: Save) -> None:
    content = VALID.replace(b"CHANNELS 3 Zrotation Xrotation Yrotation", b"CHANNELS 0")
    content = _with_rows(content, lambda row: row[:6] + row[9:])
    still = read_bvh(save(content))
    np.testing.assert_array_equal(still.rotations[:, 1], quaternion.identity(3))
    np.testing.assert_array_equal(still.rotations[:, 2], read_bvh(save(VALID)).rotations[:, 2])
    without_line = content.replace(b"\t\tCHANNELS 0\n", b"")
    assert _same_clip(read_bvh(save(without_line)), still)


def _one_line(content: bytes) -> bytes:
    hierarchy, motion = content.split(b"MOTION")
    # names end at a brace or at the end of the line
    return b" ".join(hierarchy.split()) + b" MOTION" + motion


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: text.replace(b"\n", b"\r\n"), id="crlf"),
        pytest.param(lambda text: text.replace(b"\n", b"\r"), id="cr"),
        pytest.param(lambda text: text.replace(b"\n", b"\r\n", 20), id="mixed_line_ends"),
        pytest.param(lambda text: b"\xef\xbb\xbf" + text, id="byte_order_mark"),
        pytest.param(lambda text: text.replace(b" ", b"\t").replace(b"\tSite", b" Site"), id="tabs"),
        pytest.param(lambda text: text.replace(b"\n", b" \t \n"), id="trailing_blanks"),
        pytest.param(lambda text: text.replace(b"\n", b"\n\n"), id="blank_lines"),
        pytest.param(lambda text: text + b"\n \n\t\n", id="blank_end"),
        pytest.param(lambda text: text.rstrip(b"\n"), id="no_last_line_end"),
        pytest.param(lambda text: text.replace(b"\n\t\t{", b" {").replace(b"\n{", b" {"), id="braces_on_the_same_line"),
        pytest.param(lambda text: text.replace(b"Hips\n{", b"Hips{"), id="brace_glued_to_name"),
        pytest.param(_one_line, id="hierarchy_on_one_line"),
        pytest.param(lambda text: text.replace(b"ROOT", b"Root").replace(b"JOINT", b"joint"), id="lower_case_joints"),
        pytest.param(
            lambda text: text.replace(b"OFFSET", b"Offset").replace(b"CHANNELS", b"Channels"), id="mixed_case"
        ),
        pytest.param(lambda text: text.replace(b"End Site", b"END SITE"), id="upper_case_end_site"),
        pytest.param(lambda text: text.replace(b"End Site", b"EndSite"), id="joined_end_site"),
        pytest.param(
            lambda text: text.replace(b"MOTION", b"Motion").replace(b"Frames", b"FRAMES"), id="upper_case_frames"
        ),
        pytest.param(
            lambda text: text.replace(b"Frames: 3", b"Frames:3").replace(b"e: 0", b"e:0"), id="no_blank_after_colon"
        ),
        pytest.param(
            lambda text: text.replace(b"Frames: 3", b"Frames 3").replace(b"Frame Time: 0", b"FrameTime 0"),
            id="no_colon",
        ),
        pytest.param(
            lambda text: text.replace(b"Frames: 3\nFrame Time: 0.008333", b"Frame Time: 0.008333\nFrames: 3"),
            id="fields_in_other_order",
        ),
        pytest.param(lambda text: text.replace(b" 6.5", b" 6.5e+00").replace(b" 7.5", b" 75E-1"), id="exponents"),
        pytest.param(
            lambda text: text.replace(b" 0.5", b" .5").replace(b"\n0.6", b"\n+.6").replace(b" 7.0", b" 7."),
            id="bare_points",
        ),
        pytest.param(
            lambda text: text.replace(b"Xrotation", b"XROTATION").replace(b"Yposition", b"yposition"), id="channel_case"
        ),
    ],
)
def test_dialects_give_the_same_clip(
    change: Callable[[bytes], bytes], save: Save, recwarn: pytest.WarningsRecorder
) -> None:
    changed = change(VALID)
    assert changed != VALID
    assert _same_clip(read_bvh(save(changed)), read_bvh(save(VALID)))
    assert not recwarn.list


@pytest.mark.parametrize(
    "name",
    [
        "mixamorig:Hips",
        "Bip001 L Thigh",
        "Character1:Spine.001",
        "left-arm",
        "End Site",
        "JOINT",
        "OFFSET 1 2",
        "腰",
        "a  b",
        "#1",
        "0",
    ],
)
def test_names_may_hold_anything_but_braces_and_line_ends(name: str, save: Save) -> None:
    for brace in ("\n\t{", " {", "{", "\t {"):
        clip = read_bvh(save(VALID.decode().replace("JOINT Chest\n\t{", f"JOINT {name}{brace}")))
        assert clip.names[1] == name


@pytest.mark.parametrize(
    ("text", "fps"),
    [
        (".0083333", 120),
        ("0.00833333", 120),
        ("0.033333", 30),
        ("0.0333667", 30000 / 1001),
        ("0.0416667", 24),
        ("0.0417083", 24000 / 1001),
        ("0.04", 25),
        ("0.0208333", 48),
        ("0.02", 50),
        ("0.0166833", 60000 / 1001),
        ("0.0166667", 60),
        ("0.01111", 90),
        ("1e-2", 100),
        ("0.004167", 240),
        ("0.03", 1 / 0.03),
        ("1", 1),
        ("0.0085", 1 / 0.0085),
        ("0.03330", 30),
        ("0.03326", 1 / 0.03326),
    ],
)
def test_frame_times_are_snapped_to_the_usual_rates(text: str, fps: float, save: Save) -> None:
    clip = read_bvh(save(VALID.replace(b"0.008333", text.encode())))
    assert clip.fps == fps
    assert _record(clip).frame_time == text


def test_end_sites_may_be_missing_of_no_length_or_between_joints(save: Save) -> None:
    site = b"\t\t\tEnd Site\n\t\t\t{\n\t\t\t\tOFFSET 0.0 15.0 0.0\n\t\t\t}\n"
    assert site in VALID
    assert set(read_bvh(save(VALID.replace(site, b""))).skeleton.ends) == {3}
    zero = read_bvh(save(VALID.replace(b"OFFSET 0.0 15.0 0.0", b"OFFSET 0 0 0")))
    np.testing.assert_array_equal(zero.skeleton.ends[2], [0, 0, 0])
    between = read_bvh(save(VALID.replace(b"\tJOINT Leg", b"\tEnd Site { OFFSET 0 0 9 }\n\tJOINT Leg")))
    assert _record(between).ends[0] == EndSite(joint=0, after_children=1, offset=(0.0, 0.0, 9.0))


def test_two_roots_are_both_kept(save: Save) -> None:
    content = VALID.replace(b"}\nMOTION", b"}\nROOT Prop\n{\nOFFSET 1 0 0\nCHANNELS 1 Xposition\n}\nMOTION")
    clip = read_bvh(save(_with_rows(content, lambda row: [*row, b"55.5"])))
    assert clip.parents == (-1, 0, 1, 0, -1)
    np.testing.assert_array_equal(clip.positions[:, 4], [[55.5, 0, 0]] * 3)


def test_repeated_names_are_numbered_around_those_in_use(save: Save) -> None:
    content = VALID.replace(b"Chest", b"Hips").replace(b"Head", b"Hips_2").replace(b"Leg", b"Hips")
    with pytest.warns(SegueWarning, match=r"'Hips' stands twice: the later one is called 'Hips_3' here \(and 1 more\)"):
        clip = read_bvh(save(content))
    assert clip.names == ("Hips", "Hips_3", "Hips_2", "Hips_4")
    assert _record(clip).names == ("Hips", "Hips", "Hips_2", "Hips")


def test_ten_thousand_joints_deep(save: Save) -> None:
    depth = 10_000
    joints = "".join(f"JOINT j{k} {{ OFFSET 0 1 0 CHANNELS 1 Xrotation\n" for k in range(depth - 1))
    content = (
        f"HIERARCHY\nROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation\n{joints}{'}' * depth}\n"
        f"MOTION\nFrames: 2\nFrame Time: 0.1\n{'0 ' * depth}\n{'0.5 ' * depth}\n"
    )
    clip = read_bvh(save(content))
    assert clip.parents == tuple(range(-1, depth - 1))
    np.testing.assert_allclose(
        clip.rotations[1], [Rotation.from_euler("X", 0.5, degrees=True).as_quat(scalar_first=True)] * depth
    )


def test_rotations_are_continuous_in_sign(save: Save) -> None:
    rows = "\n".join(str(angle) for angle in range(0, 1500, 50))
    content = _one_joint("Zrotation", rows).replace("Frames: 1", "Frames: 30")
    rotations = read_bvh(save(content)).rotations[:, 0]
    assert (np.sum(rotations[1:] * rotations[:-1], axis=-1) > 0).all()


def test_rows_are_the_same_however_the_file_is_cut_into_blocks(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(VALID.replace(b"\n", b"\r\n").replace(b" 9.5", b" 9.50000000000000000000000001"))
    whole = read_bvh(path)
    for block in (1, 7, 64, 150):
        monkeypatch.setattr(decimals_module, "_BLOCK", block)
        assert _same_clip(read_bvh(path), whole)


def test_what_is_no_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no such file"):
        read_bvh(tmp_path / "absent.bvh")
    with pytest.raises(FileFormatError, match="it is a folder"):
        read_bvh(tmp_path)
