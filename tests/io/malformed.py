"""Files that call themselves BVH and are not, or only just: made here, byte for byte the same on every run."""

from __future__ import annotations

import random
import struct

__all__ = ["VALID", "malformed_files", "odd_files"]

VALID = b"""HIERARCHY
ROOT Hips
{
\tOFFSET 0.5 90.25 -1.5
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Chest
\t{
\t\tOFFSET 0.0 20.5 0.25
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tJOINT Head
\t\t{
\t\t\tOFFSET 0.0 30.125 0.0
\t\t\tCHANNELS 3 Yrotation Zrotation Xrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0.0 15.0 0.0
\t\t\t}
\t\t}
\t}
\tJOINT Leg
\t{
\t\tOFFSET 10.0 -5.0 0.0
\t\tCHANNELS 3 Zrotation Yrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 -80.0 5.0
\t\t}
\t}
}
MOTION
Frames: 3
Frame Time: 0.008333
0.5 90.25 -1.5 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0
0.6 90.35 -1.4 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5 11.5 12.5
0.7 90.45 -1.3 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0
"""


def malformed_files() -> list[tuple[str, bytes]]:
    """Return name and content of files that cannot be read: each must give one clear sentence, and no output."""
    return [*_not_bvh(), *_truncated(), *_bad_hierarchies(), *_bad_channels(), *_bad_headers(), *_bad_rows()]


def odd_files() -> list[tuple[str, bytes]]:
    """Return name and content of files that are odd but clear in meaning: each must be read, with a warning."""
    return [
        ("more_frames_announced", _changed(b"Frames: 3", b"Frames: 4")),
        ("fewer_frames_announced", _changed(b"Frames: 3", b"Frames: 2")),
        ("no_frames_announced_but_rows", _changed(b"Frames: 3", b"Frames: 0")),
        ("absurd_frame_count", _changed(b"Frames: 3", b"Frames: 99999999999")),
        ("frame_count_missing", _changed(b"Frames: 3\n", b"")),
        ("joint_named_like_its_parent", _changed(b"JOINT Chest", b"JOINT Hips")),
        ("joint_named_like_its_cousin", _changed(b"JOINT Leg", b"JOINT Head")),
        ("all_joints_named_alike", VALID.replace(b"Chest", b"Hips").replace(b"Head", b"Hips").replace(b"Leg", b"Hips")),
        ("end_site_without_offset", _changed(b"\t\t\t\tOFFSET 0.0 15.0 0.0\n", b"")),
        ("two_end_sites", _changed(b"\t\t\tEnd Site", b"\t\t\tEnd Site { OFFSET 1 2 3 }\n\t\t\tEnd Site")),
        ("end_site_with_a_name", _changed(b"\t\t\tEnd Site", b"\t\t\tEnd Site HeadTop")),
        ("name_in_latin_1", _changed(b"JOINT Head", b"JOINT T\xeate")),
        ("last_row_lost", VALID[: VALID.rindex(b"0.7")]),
    ]


def _changed(old: bytes, new: bytes, base: bytes = VALID) -> bytes:
    """Return a file with the first occurrence of some text changed."""
    if old not in base:
        raise ValueError(f"{old!r} does not occur")
    return base.replace(old, new, 1)


def _not_bvh() -> list[tuple[str, bytes]]:
    rng = random.Random(1996)
    json = b'{"asset":{"version":"2.0"}}'
    glb = struct.pack("<4sIIII", b"glTF", 2, 20 + len(json), len(json), 0x4E4F534A) + json
    noise = [(f"random_bytes_{size}", rng.randbytes(size)) for size in (1, 2, 16, 255, 4096, 100_000)]
    return [
        ("empty", b""),
        ("one_newline", b"\n"),
        ("only_blanks", b" \t\r\n" * 50),
        ("only_byte_order_mark", b"\xef\xbb\xbf"),
        ("glb", glb),
        ("gltf_json", json),
        ("fbx", b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(64)),
        ("png", b"\x89PNG\r\n\x1a\n" + bytes(32)),
        ("zip", b"PK\x03\x04" + bytes(26)),
        ("html", b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n"),
        ("asf", b":version 1.10\n:name VICON\n:units\n  mass 1.0\n"),
        ("utf_16", VALID.decode().encode("utf-16")),
        ("utf_16_without_mark", VALID.decode().encode("utf-16-le")),
        ("zeros", bytes(1000)),
        ("one_endless_word", b"A" * 1_000_000),
        ("braces", b"{}" * 1000),
        ("hierarchy_misspelt", _changed(b"HIERARCHY", b"HIERACHY")),
        ("hierarchy_missing", _changed(b"HIERARCHY\n", b"")),
        ("hierarchy_twice", _changed(b"HIERARCHY", b"HIERARCHY\nHIERARCHY")),
        ("motion_first", b"MOTION" + VALID.split(b"MOTION")[1] + VALID.split(b"MOTION")[0]),
        *noise,
    ]


def _truncated() -> list[tuple[str, bytes]]:
    """Return files that stop right after some text."""
    after = {
        "hierarchy": b"HIERARCHY",
        "root": b"ROOT",
        "root_name": b"ROOT Hips",
        "first_brace": b"{",
        "offset": b"OFFSET",
        "offset_x": b"OFFSET 0.5",
        "channels": b"CHANNELS",
        "channel_count": b"CHANNELS 6",
        "first_channel": b"CHANNELS 6 Xposition",
        "inner_joint": b"JOINT Chest",
        "end": b"End",
        "end_site": b"End Site",
        "end_site_brace": b"End Site\n\t\t\t{",
        "motion": b"MOTION",
        "frames": b"Frames:",
        "frame_count": b"Frames: 3",
        "frame": b"Frame Time",
        "frame_time": b"Frame Time:",
        "header": b"Frame Time: 0.008333\n",
        "first_number": b"0.008333\n0.5",
        "second_row": b"0.6 90.35 -1.4 1.5 2.5",
        "last_number_but_one": b"11.0 12.0 ",
    }
    hierarchy = VALID[: VALID.index(b"MOTION")]
    return [
        *((f"stops_after_{name}", VALID[: VALID.index(text) + len(text)]) for name, text in after.items()),
        *((f"stops_in_hierarchy_{tenth}", hierarchy[: len(hierarchy) * tenth // 10]) for tenth in range(1, 10)),
        ("stops_before_motion", hierarchy),
    ]


def _bad_hierarchies() -> list[tuple[str, bytes]]:
    deep = b"HIERARCHY\n" + b"ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + b"JOINT b\n{\nOFFSET 0 0 0\n" * 10_000
    return [
        ("joint_at_top", _changed(b"ROOT Hips", b"JOINT Hips")),
        ("root_inside", _changed(b"JOINT Chest", b"ROOT Chest")),
        ("unknown_keyword", _changed(b"JOINT Chest", b"BONE Chest")),
        ("joint_without_name", _changed(b"JOINT Chest", b"JOINT")),
        ("joint_without_name_before_brace", _changed(b"JOINT Chest\n", b"JOINT ")),
        ("opening_brace_missing", _changed(b"JOINT Chest\n\t{", b"JOINT Chest")),
        ("closing_brace_for_opening_one", _changed(b"JOINT Chest\n\t{", b"JOINT Chest\n\t}")),
        ("closing_brace_missing", _changed(b"}\nMOTION", b"MOTION")),
        ("closing_brace_too_many", _changed(b"}\nMOTION", b"}\n}\nMOTION")),
        ("brace_in_a_name", _changed(b"JOINT Chest", b"JOINT Ch}est")),
        ("never_closed_10000_deep", deep),
        ("offset_missing", _changed(b"\t\tOFFSET 0.0 20.5 0.25\n", b"")),
        ("offset_twice", _changed(b"\t\tOFFSET 0.0 20.5 0.25\n", b"\t\tOFFSET 0.0 20.5 0.25\n" * 2)),
        ("offset_of_two_numbers", _changed(b"OFFSET 0.0 20.5 0.25", b"OFFSET 0.0 20.5")),
        ("offset_of_four_numbers", _changed(b"OFFSET 0.0 20.5 0.25", b"OFFSET 0.0 20.5 0.25 1.0")),
        ("offset_nan", _changed(b"OFFSET 0.0 20.5 0.25", b"OFFSET 0.0 nan 0.25")),
        ("offset_infinite", _changed(b"OFFSET 0.0 20.5 0.25", b"OFFSET 0.0 1e999 0.25")),
        ("offset_no_number", _changed(b"OFFSET 0.0 20.5 0.25", b"OFFSET 0.0 long 0.25")),
        ("offset_decimal_comma", _changed(b"OFFSET 0.0 20.5 0.25", b"OFFSET 0,0 20,5 0,25")),
        ("offset_after_child", _changed(b"\t}\n\tJOINT Leg", b"\tOFFSET 1 2 3\n\t}\n\tJOINT Leg")),
        ("channels_after_child", _channels_last()),
        ("end_without_site", _changed(b"End Site", b"End")),
        ("end_of_something_else", _changed(b"End Site", b"End Effector")),
        ("joint_in_end_site", _changed(b"OFFSET 0.0 15.0 0.0\n", b"OFFSET 0.0 15.0 0.0\nJOINT Hat { }\n")),
        ("channels_in_end_site", _changed(b"OFFSET 0.0 15.0 0.0\n", b"OFFSET 0.0 15.0 0.0\nCHANNELS 1 Xrotation\n")),
        ("two_offsets_in_end_site", _changed(b"OFFSET 0.0 15.0 0.0\n", b"OFFSET 0.0 15.0 0.0\nOFFSET 0 0 0\n")),
        ("hierarchy_without_motion", VALID.split(b"MOTION")[0] + VALID.split(b"0.008333\n")[1]),
        ("motion_misspelt", _changed(b"MOTION", b"MOTIN")),
        ("no_joint", b"HIERARCHY\nMOTION" + VALID.split(b"MOTION")[1]),
    ]


def _channels_last() -> bytes:
    line = b"\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
    return _changed(b"\t}\n\tJOINT Leg", line + b"\t}\n\tJOINT Leg", _changed(line, b""))


def _bad_channels() -> list[tuple[str, bytes]]:
    line = b"CHANNELS 3 Zrotation Xrotation Yrotation"
    six = b"CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    return [
        ("channels_twice", _changed(line, line + b"\n" + line)),
        ("channel_count_missing", _changed(line, b"CHANNELS Zrotation Xrotation Yrotation")),
        ("channel_count_no_number", _changed(line, b"CHANNELS three Zrotation Xrotation Yrotation")),
        ("channel_count_negative", _changed(line, b"CHANNELS -3 Zrotation Xrotation Yrotation")),
        ("channel_count_fraction", _changed(line, b"CHANNELS 3.5 Zrotation Xrotation Yrotation")),
        ("channel_count_too_small", _changed(line, b"CHANNELS 2 Zrotation Xrotation Yrotation")),
        ("channel_count_too_large", _changed(line, b"CHANNELS 4 Zrotation Xrotation Yrotation")),
        ("channel_count_absurd", _changed(line, b"CHANNELS 1000000 Zrotation Xrotation Yrotation")),
        ("channel_count_of_many_digits", _changed(line, b"CHANNELS " + b"9" * 10_000 + b" Zrotation")),
        ("channel_unknown", _changed(line, b"CHANNELS 3 Zrotation Wrotation Yrotation")),
        ("channel_scale", _changed(line, b"CHANNELS 3 Xscale Yscale Zscale")),
        ("position_channel_twice", _changed(six, six.replace(b"Yposition", b"Xposition"))),
        ("four_rotation_channels", _changed(line, b"CHANNELS 4 Zrotation Xrotation Yrotation Zrotation")),
        ("no_channels_at_all", _without_channels()),
        ("more_channels_than_numbers", _changed(line, six)),
        ("fewer_channels_than_numbers", _changed(line, b"CHANNELS 1 Zrotation")),
    ]


def _without_channels() -> bytes:
    kept = [line for line in VALID.split(b"\n") if b"CHANNELS" not in line]
    return b"\n".join(kept)


def _bad_headers() -> list[tuple[str, bytes]]:
    time = b"Frame Time: 0.008333"
    return [
        ("frame_count_negative", _changed(b"Frames: 3", b"Frames: -3")),
        ("frame_count_fraction", _changed(b"Frames: 3", b"Frames: 2.5")),
        ("frame_count_no_number", _changed(b"Frames: 3", b"Frames: many")),
        ("frame_count_twice", _changed(b"Frames: 3", b"Frames: 3\nFrames: 3")),
        ("frame_time_missing", _changed(time + b"\n", b"")),
        ("frame_time_zero", _changed(time, b"Frame Time: 0")),
        ("frame_time_minus_zero", _changed(time, b"Frame Time: -0.0")),
        ("frame_time_negative", _changed(time, b"Frame Time: -0.008333")),
        ("frame_time_nan", _changed(time, b"Frame Time: NaN")),
        ("frame_time_infinite", _changed(time, b"Frame Time: inf")),
        ("frame_time_denormal", _changed(time, b"Frame Time: 5e-324")),
        ("frame_time_no_number", _changed(time, b"Frame Time: fast")),
        ("frame_time_decimal_comma", _changed(time, b"Frame Time: 0,008333")),
        ("frame_time_twice", _changed(time, time + b"\n" + time)),
        ("fields_swapped", _changed(b"Frames: 3\n" + time, b"Frames: 0.008333\nFrame Time: 3")),
        ("words_after_frame_time", _changed(time, time + b" seconds")),
        ("zero_frames", VALID[: VALID.index(b"Frames")] + b"Frames: 0\n" + time + b"\n"),
        ("huge_count_and_no_rows", VALID[: VALID.index(b"Frames")] + b"Frames: 99999999999\n" + time + b"\n"),
    ]


def _bad_rows() -> list[tuple[str, bytes]]:
    return [
        ("row_too_short", _changed(b" 12.5\n", b"\n")),
        ("row_too_long", _changed(b" 12.5\n", b" 12.5 13.5\n")),
        ("rows_run_together", _changed(b" 12.5\n", b" 12.5 ")),
        ("row_broken_in_two", _changed(b" 5.5 6.5", b" 5.5\n6.5")),
        ("number_nan", _changed(b" 6.5", b" nan")),
        ("number_infinite", _changed(b" 6.5", b" -inf")),
        ("number_of_old_windows", _changed(b" 6.5", b" -1.#IND00")),
        ("number_too_large", _changed(b" 6.5", b" 1e309")),
        ("number_misspelt", _changed(b" 6.5", b" 6.5.5")),
        ("number_with_letters", _changed(b" 6.5", b" 6.5abc")),
        ("number_with_underscore", _changed(b" 6.5", b" 6_5")),
        ("number_with_comma", _changed(b" 6.5", b" 6,5")),
        ("number_hexadecimal", _changed(b" 6.5", b" 0x1p3")),
        ("number_only_sign", _changed(b" 6.5", b" -")),
        ("number_only_point", _changed(b" 6.5", b" .")),
        ("number_without_exponent", _changed(b" 6.5", b" 6.5e")),
        ("number_with_two_signs", _changed(b" 6.5", b" --6.5")),
        ("number_in_other_digits", _changed(b" 6.5", " ٦".encode())),
        ("words_in_a_row", _changed(b" 6.5", b" zero")),
        ("zero_byte_in_a_row", _changed(b" 6.5", b" 6\x005")),
        ("zero_bytes_at_the_end", VALID + bytes(16)),
        ("another_file_appended", VALID + VALID),
    ]
