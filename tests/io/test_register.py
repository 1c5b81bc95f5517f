"""Formats of one's own: read, written, and refused where they are none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import segue as sg
from segue import io
from segue.errors import ArgumentError, FileFormatError
from segue.io import files
from segue.language import Session
from segue.motion.clip import Clip


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    with mock.patch.dict(files._readers), mock.patch.dict(files._writers):
        scenes = set(files._scenes)
        yield
        files._scenes.clear()
        files._scenes.update(scenes)


NAMES = ("names", "parents", "offsets", "positions", "rotations", "fps")


def write_npz(clip: Clip, path: str | Path) -> None:
    with Path(path).open("wb") as file:
        np.savez(file, **{name: getattr(clip, name) for name in NAMES})


def read_npz(path: str | Path) -> Clip:
    with np.load(path) as arrays:
        return Clip(**{name: arrays[name].tolist() for name in NAMES})


def test_a_format_is_read_and_written_as_any_other(tmp_path: Path) -> None:
    io.register_format(".ARR", read=read_npz, write=write_npz)
    sg.save(sg.clips.wave, tmp_path / "wave.arr")
    again = sg.load(tmp_path / "wave.arr")
    np.testing.assert_array_equal(again.to_clip().rotations, sg.clips.clip("wave").rotations)
    assert [each.name for each in tmp_path.iterdir()] == ["wave.arr"]


def test_the_language_knows_it_too(tmp_path: Path) -> None:
    io.register_format(".arr", read=read_npz, write=write_npz)
    session = Session(tmp_path, say=lambda text: None)
    session.run('save(clips.wave, "wave.arr")')
    assert session.run('duration(load("wave.arr"))') == pytest.approx(sg.clips.wave.duration)


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def fail(clip: Clip, path: str | Path) -> None:
        Path(path).write_text("half")
        raise FileFormatError("the pen broke", path)

    io.register_format(".arr", write=fail)
    with pytest.raises(FileFormatError, match="the pen broke"):
        sg.save(sg.clips.wave, tmp_path / "wave.arr")
    assert not list(tmp_path.iterdir())


def test_scenes_are_told_how_to_come_to_metres(tmp_path: Path) -> None:
    told: dict[str, object] = {}

    def write(clip: Clip, path: str | Path, *, scale: float, rotation: object) -> None:
        told.update(scale=scale, rotation=rotation)

    io.register_format(".scene", write=write, scene=True)
    sg.save(sg.clips.wave, tmp_path / "wave.scene")
    assert told["scale"] == 1.0
    io.register_format(".scene", write=lambda clip, path: told.clear())
    sg.save(sg.clips.wave, tmp_path / "wave.scene")
    assert told == {}


@pytest.mark.parametrize("suffix", ["", "npz", ".", ".a.b", ".a/b", " .a", 3, None])
def test_a_suffix_is_a_dot_and_letters(suffix: object) -> None:
    with pytest.raises(ArgumentError, match="the suffix is"):
        io.register_format(suffix, read=read_npz)  # type: ignore[arg-type]


def test_what_segue_does_itself_cannot_be_replaced() -> None:
    with pytest.raises(ArgumentError, match=r"\.bvh files are read by Segue itself"):
        io.register_format(".bvh", read=read_npz)
    with pytest.raises(ArgumentError, match=r"\.GLB files are written by Segue itself"):
        io.register_format(".GLB", write=write_npz)
    io.register_format(".fbx", write=write_npz)  # which Segue reads only


def test_what_does_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="neither be read nor written"):
        io.register_format(".arr")
    with pytest.raises(ArgumentError, match="a function is needed"):
        io.register_format(".arr", read="read_npz")  # type: ignore[arg-type]


def test_a_reader_must_return_a_clip(tmp_path: Path) -> None:
    io.register_format(".arr", read=lambda path: {})  # type: ignore[arg-type,return-value]
    with pytest.raises(FileFormatError, match=r"wave\.arr: its reader returns dict, not a Clip"):
        io.read(tmp_path / "wave.arr")
