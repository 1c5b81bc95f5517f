"""Bad BVH files: one clear sentence each, nothing written; odd ones are read with a warning."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from malformed import VALID, malformed_files, odd_files

from segue import io
from segue.errors import FileFormatError, SegueError, SegueWarning
from segue.io.bvh import read_bvh, write_bvh
from segue.motion.clip import Clip

Save = Callable[[str | bytes], Path]

FILES = malformed_files()


def _ids(files: list[tuple[str, bytes]]) -> list[str]:
    return [name for name, _ in files]


def test_every_malformed_file_is_a_different_one() -> None:
    assert len(FILES) >= 100
    assert len({content for _, content in FILES}) == len(dict(FILES)) == len(FILES)


def test_the_file_they_are_made_from_is_good(save: Save) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clip = read_bvh(save(VALID))
    assert len(clip) == 3
    assert clip.names == ("Hips", "Chest", "Head", "Leg")


@pytest.mark.parametrize("content", [content for _, content in FILES], ids=_ids(FILES))
def test_conversion_says_one_sentence_and_leaves_no_output(content: bytes, tmp_path: Path) -> None:
    source, output = tmp_path / "in.bvh", tmp_path / "out.bvh"
    source.write_bytes(content)
    with pytest.raises(FileFormatError) as caught:
        io.write(io.read(source), output)
    message = str(caught.value)
    assert str(source) in message
    assert message.isprintable()
    assert len(message) < len(str(source)) + 250
    assert ". " not in message
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("content", [content for _, content in odd_files()], ids=_ids(odd_files()))
def test_odd_files_are_read_with_a_warning_and_written_back(content: bytes, save: Save, tmp_path: Path) -> None:
    path = save(content)
    with pytest.warns(SegueWarning, match=re.escape(str(path))):
        clip = read_bvh(path)
    written = tmp_path / "written.bvh"
    write_bvh(clip, written)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        again = read_bvh(written)
    assert again.skeleton == clip.skeleton
    assert again.rotations.tobytes() == clip.rotations.tobytes()


@pytest.mark.parametrize(
    ("name", "place", "words"),
    [
        ("empty", (None, None), "empty"),
        ("utf_16", (None, None), "save it as UTF-8"),
        ("glb", (None, None), "binary"),
        ("hierarchy_misspelt", (1, 1), "'HIERACHY'"),
        ("closing_brace_missing", (29, 1), "'}' of joint 'Hips', which was opened in line 2"),
        ("never_closed_10000_deep", (30_006, 1), "opened in line 30003"),
        ("offset_missing", (6, 2), "joint 'Chest' has no OFFSET"),
        ("offset_no_number", (8, 14), "'long' stands where y of the OFFSET of joint 'Chest'"),
        ("channels_after_child", (18, 3), "CHANNELS of joint 'Chest' comes after"),
        ("channel_count_absurd", (9, 12), "'1000000' follows CHANNELS of joint 'Chest'"),
        ("channel_unknown", (9, 24), "'Wrotation' is no channel of joint 'Chest'"),
        ("channel_count_too_small", (9, 34), "'Yrotation' is one channel more"),
        ("position_channel_twice", (5, 23), "'Hips' has Xposition twice"),
        ("frame_time_zero", (32, 13), "'0': it must be a positive number of seconds"),
        ("frame_time_missing", (31, None), "no 'Frame Time:'"),
        ("hierarchy_without_motion", (30, 1), "ROOT or MOTION"),
        ("stops_before_motion", (30, 1), "no MOTION block"),
        ("zero_frames", (33, 1), "no frames"),
        ("row_too_short", (34, None), "is 14: the joints have 15 channels"),
        ("row_too_long", (34, None), "is 16: the joints have 15 channels"),
        ("number_nan", (34, 36), "'nan' stands where Yrotation of joint 'Chest' is needed: it must be finite"),
        ("number_too_large", (34, 36), "'1e309'"),
        ("number_with_comma", (34, 36), "decimal point"),
        ("number_with_letters", (34, 36), "'6.5abc'"),
    ],
)
def test_errors_say_where_and_what(name: str, place: tuple[int | None, int | None], words: str, save: Save) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_bvh(save(dict(FILES)[name]))
    assert (caught.value.line, caught.value.column) == place
    assert words in str(caught.value)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_lines_are_counted_whatever_ends_them(line_end: bytes, save: Save) -> None:
    content = VALID.replace(b" 6.5", b" x").replace(b"\n", line_end)
    with pytest.raises(FileFormatError) as caught:
        read_bvh(save(content))
    assert (caught.value.line, caught.value.column) == (34, 36)


def test_the_second_of_two_bad_rows_is_not_the_one_named(save: Save) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_bvh(save(VALID.replace(b" 12.5\n", b"\n").replace(b" 13.0\n", b" x\n")))
    assert caught.value.line == 34


_EDIT = st.tuples(
    st.integers(0, len(VALID)),
    st.integers(0, 12),
    st.one_of(
        st.binary(max_size=6),
        st.sampled_from([b"{", b"}", b"\n", b" ", b"-", b"1e9", b"nan", b"JOINT ", b"End Site", b"MOTION", b"0 0 0"]),
    ),
)


@settings(
    max_examples=600, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(edits=st.lists(_EDIT, min_size=1, max_size=4))
@pytest.mark.filterwarnings("ignore::segue.errors.SegueWarning")
def test_any_edit_of_a_good_file_gives_a_clip_or_a_clear_error(
    edits: list[tuple[int, int, bytes]], tmp_path: Path
) -> None:
    content = VALID
    for at, removed, inserted in edits:
        content = content[:at] + inserted + content[at + removed :]
    source, output = tmp_path / "in.bvh", tmp_path / "out.bvh"
    source.write_bytes(content)
    clip, message = _outcome(source)
    if clip is None:
        assert str(source) in message
        assert message.isprintable()
        return
    write_bvh(clip, output)
    again = read_bvh(output)
    assert again.skeleton == clip.skeleton
    assert again.rotations.tobytes() == clip.rotations.tobytes()
    assert again.positions.tobytes() == clip.positions.tobytes()


def _outcome(path: Path) -> tuple[Clip | None, str]:
    try:
        return read_bvh(path), ""
    except SegueError as error:
        return None, str(error)
