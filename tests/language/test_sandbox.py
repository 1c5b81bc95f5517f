"""A script sees clip files below the folder it is run in, and nothing else on the machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import segue as sg
from segue.language import LanguageError, Session
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
@pytest.mark.parametrize("call", ["load('{}')", "save(clip(clips.stand, 0, 0.1), '{}')"])
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
        session.run(f"save(clip(clips.stand, 0, 0.5), '{path}')")
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
        "select(clips.walk, neck)",
        "clips.walk + clips.walk",
        "clips.walk - clip_in_place(clips.walk, 1, 2)",
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
        "affine(clips.walk, 1, __class__=1)",
        "'{}'.format(1)",
        "(lambda: 1)()",
        "import os",
        "clips['walk']",
    ],
)
def test_nothing_of_python_can_be_reached(inside: Path, text: str) -> None:
    with pytest.raises(LanguageError):
        Session(inside).run(text)
