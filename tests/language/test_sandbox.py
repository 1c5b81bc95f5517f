"""A script sees clip files below the folder it is run in, and nothing else on the machine."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path

import pytest

import segue as sg
from segue.filesystem import read_bytes
from segue.language import LanguageError, LimitError, Limits, Session
from segue.language.errors import Place, Source
from segue.language.limits import Budget
from segue.library import Library
from segue.motion.resample import select_frames


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with a clip, beside the one that scripts are run in."""
    folder = tmp_path / "outside"
    folder.mkdir()
    sg.save(select_frames(sg.clips.clip("stand"), 0, 3), folder / "secret.bvh")
    return folder


@pytest.fixture
def inside(tmp_path: Path, outside: Path) -> Path:
    folder = tmp_path / "inside"
    (folder / "sub").mkdir(parents=True)
    sg.save(select_frames(sg.clips.clip("stand"), 0, 3), folder / "own.bvh")
    sg.save(select_frames(sg.clips.clip("stand"), 0, 3), folder / "sub" / "own.bvh")
    (folder / "link.bvh").symlink_to(outside / "secret.bvh")
    (folder / "relative.bvh").symlink_to(Path("..") / "outside" / "secret.bvh")
    (folder / "new.bvh").symlink_to(outside / "new.bvh")
    (folder / "out").symlink_to(outside, target_is_directory=True)
    (folder / "up").symlink_to("..", target_is_directory=True)
    (folder / "loop.bvh").symlink_to("loop.bvh")
    (folder / "within.bvh").symlink_to(Path("sub") / "own.bvh")
    (folder / "disguised.bvh").symlink_to(folder / "notes.txt")
    (folder / "notes.txt").write_text("not a clip")
    os.mkfifo(folder / "pipe.bvh")
    return folder


ESCAPES = [
    "../outside/secret.bvh",
    "sub/../../outside/secret.bvh",
    "./../outside/secret.bvh",
    "..\\outside\\secret.bvh",
    "link.bvh",
    "relative.bvh",
    "new.bvh",
    "out/secret.bvh",
    "up/outside/secret.bvh",
    "sub/../own.bvh",
    "~/secret.bvh",
    "~root/secret.bvh",
    "C:\\secret.bvh",
    "C:secret.bvh",
    "\\\\server\\share\\secret.bvh",
    "file:///secret.bvh",
    "own.bvh\x00.txt",
    "own.bvh\x1b",
    "loop.bvh",
    "pipe.bvh",
    "disguised.bvh",
    "notes.txt",
    "own",
    "",
    ".",
    "sub",
    ".bvh",
    "con.bvh",
    "sub/NUL.bvh",
    "com1.x.bvh",
    "x" * 300 + ".bvh",
    "a/" * 400 + "x.bvh",
    "nowhere/x.bvh/y.bvh",
]


def test_a_name_in_the_manner_of_windows_is_told_how_to_write_it(inside: Path) -> None:
    with pytest.raises(LanguageError, match="write folders with '/'"):
        Session(inside, say=lambda text: None).run("load('sub\\own.bvh')")


@pytest.mark.parametrize("path", ESCAPES)
@pytest.mark.parametrize("call", ["load('{}')", "save(trim(clips.stand, 0, 0.1), '{}')"])
def test_paths_that_lead_out_or_to_no_clip_are_refused(inside: Path, outside: Path, call: str, path: str) -> None:
    before = {file: file.read_bytes() for file in outside.iterdir()}
    with pytest.raises(LanguageError) as caught:
        Session(inside, say=lambda text: None).run(call.format(path))
    assert "\x1b" not in str(caught.value)
    assert "\x00" not in str(caught.value)
    assert {file: file.read_bytes() for file in outside.iterdir()} == before


def test_absolute_paths_are_refused_also_to_files_inside(inside: Path) -> None:
    for path in (inside / "own.bvh", inside / "new_one.bvh", Path("/dev/null"), Path("/dev/stdout.bvh")):
        for call in (f"load('{path}')", f"save(clips.stand, '{path}')"):
            with pytest.raises(LanguageError, match="lies outside the folder the script is run in"):
                Session(inside).run(call)


def test_what_lies_inside_can_be_read_and_written(inside: Path) -> None:
    session = Session(inside, say=lambda text: None)
    for path in ("own.bvh", "./own.bvh", "sub/own.bvh", "within.bvh"):
        assert isinstance(session.run(f"load('{path}')"), sg.Motion)
    for path in ("saved.bvh", "sub/saved.GLB", "own.bvh", "within.bvh"):
        session.run(f"save(trim(clips.stand, 0, 0.5), '{path}')")
        assert session.run(f"duration(load('{path}'))") == pytest.approx(0.5, abs=1e-6)
    assert (inside / "within.bvh").is_symlink()


def test_a_folder_may_itself_be_reached_by_a_link(inside: Path, tmp_path: Path) -> None:
    (tmp_path / "door").symlink_to(inside, target_is_directory=True)
    assert isinstance(Session(tmp_path / "door").run("load('own.bvh')"), sg.Motion)


def test_a_document_cannot_name_a_buffer_outside(inside: Path) -> None:
    document = {"asset": {"version": "2.0"}, "buffers": [{"uri": "../outside/secret.bvh", "byteLength": 4}]}
    (inside / "scene.gltf").write_text(json.dumps(document))
    with pytest.raises(LanguageError):
        Session(inside).run("load('scene.gltf')")


@pytest.mark.parametrize(
    "path", ["../outside/secret.png", "out/new.png", "picture.png", "own.bvh", "notes.txt", "picture", "nul.png"]
)
def test_pictures_stay_inside_too_and_replace_no_clip(inside: Path, outside: Path, path: str) -> None:
    (inside / "picture.png").symlink_to(outside / "new.png")
    before = sorted(inside.parent.rglob("*"))
    with pytest.raises(LanguageError):
        Session(inside).run(f"plot(clips.stand, '{path}')")
    assert sorted(inside.parent.rglob("*")) == before


def test_a_failed_save_leaves_nothing_behind(inside: Path) -> None:
    before = sorted(inside.rglob("*"))
    for motion in (
        "only(clips.walk, neck)",
        "clips.walk + clips.walk",
        "clips.walk - trim(clips.walk, 1, 2, keep_time=true)",
    ):
        with pytest.raises(LanguageError):
            Session(inside).run(f"save({motion}, 'sub/failed.bvh')")
    assert sorted(inside.rglob("*")) == before


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "__builtins__",
        "clips.__class__",
        "clips.walk.__class__",
        "affine.__globals__",
        "eval('1')",
        "exec('1')",
        "open('own.bvh')",
        "load.__call__('own.bvh')",
        "def __init__(x) = x.y; __init__(1)",
        "retime(clips.walk, 1, __class__=1)",
        "'{}'.format(1)",
        "(lambda: 1)()",
        "import os",
        "clips['walk']",
    ],
)
def test_nothing_of_python_can_be_reached(inside: Path, text: str) -> None:
    with pytest.raises(LanguageError):
        Session(inside).run(text)


@pytest.fixture
def with_library(inside: Path, outside: Path) -> Path:
    """Return the folder that scripts are run in, with a library outside of it."""
    (outside / "clips").mkdir()
    sg.save(sg.clips.clip("wave"), outside / "clips" / "wave.bvh")
    Library.build(outside / "clips", outside / "a.lib")
    return inside


def test_a_library_cannot_lead_out_through_a_link(with_library: Path, outside: Path) -> None:
    (with_library / "a.lib").symlink_to(outside / "a.lib")
    with pytest.raises(LanguageError, match="lies outside the folder the script is run in"):
        Session(with_library).run("use library('a.lib')")


def test_links_within_the_folder_are_followed_and_counted(with_library: Path, outside: Path) -> None:
    shutil.copy(outside / "a.lib", with_library / "real.lib")
    (with_library / "a.lib").symlink_to(with_library / "real.lib")
    size = (with_library / "real.lib").stat().st_size
    assert Session(with_library, Limits(file_bytes=size)).run("use library('a.lib')") is None
    with pytest.raises(LimitError, match="the script reads more than"):
        Session(with_library, Limits(file_bytes=size - 1)).run("use library('a.lib')")


def test_a_pipe_is_no_library(with_library: Path) -> None:
    os.mkfifo(with_library / "a.lib")
    with pytest.raises(LanguageError, match=r"there is no file 'a\.lib'"):
        Session(with_library).run("use library('a.lib')")


def external(folder: Path, size: int, length: int, buffers: int = 1) -> None:
    """Write a clip whose buffers of some length are files, all of them the same sparse one of another size."""
    sg.save(select_frames(sg.clips.clip("stand"), 0, 3), folder / "clip.glb")
    data = (folder / "clip.glb").read_bytes()
    (text_length,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + text_length])
    (folder / "big.bin").write_bytes(data[28 + text_length :])
    os.truncate(folder / "big.bin", size)
    document["buffers"] = [{"uri": "big.bin", "byteLength": length}] * buffers
    for number, view in enumerate(document["bufferViews"]):
        view["buffer"] = number % buffers
    (folder / "clip.gltf").write_text(json.dumps(document))


def test_buffers_beside_a_document_count_as_bytes_that_are_read(inside: Path) -> None:
    whole = 200_000
    external(inside, 10**10, whole)  # sparse: what is not read takes no time and no memory
    text = (inside / "clip.gltf").stat().st_size
    assert isinstance(Session(inside, Limits(file_bytes=text + whole)).run("load('clip.gltf')"), sg.Motion)
    with pytest.raises(LimitError, match="the script reads more than"):
        Session(inside, Limits(file_bytes=text + whole - 1)).run("load('clip.gltf')")
    external(inside, 10**10, 10**10)
    with pytest.raises(LimitError, match="the script reads more than 200,000,000 bytes"):
        Session(inside).run("load('clip.gltf')")
    external(inside, whole, whole, buffers=3)
    text = (inside / "clip.gltf").stat().st_size
    with pytest.raises(LimitError, match="the script reads more than"):
        Session(inside, Limits(file_bytes=text + 2 * whole)).run("load('clip.gltf')")


def test_a_buffer_that_is_too_short_is_not_read(inside: Path) -> None:
    external(inside, 1000, 10**12)
    with pytest.raises(LanguageError, match=r"byteLength is 1000000000000 and 'big\.bin' has only 1000 bytes"):
        Session(inside).run("load('clip.gltf')")


def test_the_end_of_the_time_is_told_as_such_while_a_file_is_read(inside: Path) -> None:
    place = Place(Source(""), 1, 1)
    with (
        pytest.raises(LimitError, match=r"the script takes longer than 0\.01 seconds"),
        Budget(Limits(seconds=0.01)).watched(place),
    ):
        read_bytes(inside / "pipe.bvh")
