"""Damaged and odd libraries: one clear sentence each, nothing lost, never a traceback."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from segue.errors import FileFormatError, SegueError, SegueWarning
from segue.library import Builder, Library, find_troubles, inspect_library, remove_clips
from segue.library.shards import block_checksum, block_of
from tests.library.conftest import NAMES, Desk
from tests.library.manifests import Lines, edit

as_root = hasattr(os, "geteuid") and os.geteuid() == 0
not_as_root = pytest.mark.skipif(as_root, reason="root may read and write everything")

CLIP = 2  # the line of the first clip, after the first line and the folder


def content(path: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def refused(act: Callable[[], object]) -> str:
    """Return the sentence with which something is refused: one, of Segue's own."""
    with pytest.raises(SegueError) as caught:
        act()
    sentence = str(caught.value)
    assert "\n" not in sentence.strip()
    assert len(sentence) > 20
    return sentence


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


# --- the manifest's bytes ------------------------------------------------------------------------------------------

BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda old: b"", "not JSON"),
    "half of it": (lambda old: old[: len(old) // 2], "damaged"),
    "the last byte missing": (lambda old: old[:-1], "damaged"),
    "only the first line": (lambda old: old.partition(b"\n")[0], "damaged"),
    "half of the first line": (lambda old: old[:40], "not JSON"),
    "a flipped byte": (lambda old: old[:500] + bytes([old[500] ^ 4]) + old[501:], "damaged"),
    "more at its end": (lambda old: old + b"{}\n", "damaged"),
    "bytes that are no text": (lambda old: b"\xff\xfe\x00" + old, "not JSON"),
    "zeros, as after a power cut": (lambda old: bytes(len(old)), "not JSON"),
    "a list": (lambda old: b"[1, 2]\n", "an object is needed"),
    "a number": (lambda old: b"7\n", "an object is needed"),
    "JSON of something else": (lambda old: b'{"name": "left-pad"}\n', "'format' is missing"),
    "nested beyond measure": (lambda old: b'{"a":' * 100_000, "not JSON"),
    "a number beyond measure": (lambda old: b'{"format": ' + b"9" * 5000 + b"}\n", "not JSON"),
    "lines of Windows": (lambda old: old.replace(b"\n", b"\r\n"), "damaged"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_a_damaged_manifest(kind: str, desk: Desk) -> None:
    spoil, said = BYTES[kind]
    rewrite(desk.library / "library.jsonl", spoil)
    before = content(desk.library)
    sentences = {
        refused(lambda: Library(desk.library)),
        refused(lambda: inspect_library(desk.library)),
        refused(lambda: find_troubles(desk.library)),
        refused(lambda: remove_clips(desk.library, ["walk.bvh"])),
        refused(desk.build),
    }
    assert len(sentences) == 1  # whoever opens it is told the same
    (sentence,) = sentences
    assert said in sentence
    assert "library.jsonl" in sentence
    assert content(desk.library) == before


# --- the manifest's words, with a checksum that fits ---------------------------------------------------------------


def setting(line: int, *path: str, to: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        place: Any = lines[line]
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to

    return change


def dropping(line: int, name: str) -> Callable[[Lines], object]:
    return lambda lines: lines[line].pop(name)


WORDS: dict[str, tuple[Callable[[Lines], object], str]] = {
    "another format": (setting(0, "format", to="zip"), "the format is 'zip'"),
    "a newer version": (setting(0, "version", to=2), "version 2, this Segue knows version 1: update Segue"),
    "an older version": (setting(0, "version", to=0), "version 0, which is no longer read: build it again"),
    "a version that is no number": (setting(0, "version", to="1"), "'version' is '1': a whole number"),
    "a version that is true": (setting(0, "version", to=True), "'version' is True"),
    "no version": (dropping(0, "version"), "the field 'version' is missing"),
    "another rate": (setting(0, "rate", to=60.0), "the rate is 60"),
    "a huge count of clips": (setting(0, "clips", to=10**15), "lines are to follow"),
    "fewer clips than lines": (setting(0, "clips", to=1), "lines are to follow"),
    "a negative count": (setting(0, "clips", to=-1), "'clips' is -1"),
    "a folder that is a number": (setting(1, "path", to=5), "'path' is 5: a path"),
    "a folder with a NUL": (setting(1, "path", to="a\0b"), "a path is needed"),
    "a clip without a name": (dropping(CLIP, "name"), ":3: the field 'name' is missing"),
    "an empty name": (setting(CLIP, "name", to=""), "'name' is ''"),
    "a name with a line break": (setting(CLIP, "name", to="a\nb"), "can be printed"),
    "a name that is a list": (setting(CLIP, "name", to=["a"]), "'name' is ['a']"),
    "the same name twice": (setting(CLIP + 1, "name", to="kick.bvh"), "'kick.bvh' stands twice"),
    "a file outside its folder": (setting(CLIP, "source", "file", to="../../secret.bvh"), "without '..'"),
    "a file with a path of its own": (setting(CLIP, "source", "file", to="/etc/passwd"), "a path below the folder"),
    "a folder that is not listed": (setting(CLIP, "source", "folder", to=7), "'folder' is 7"),
    "a source that is a text": (setting(CLIP, "source", to="walk.bvh"), "'source' is 'walk.bvh': an object"),
    "a checksum that is none": (setting(CLIP, "source", "sha256", to="abc"), "'sha256' is 'abc'"),
    "an unknown sex": (setting(CLIP, "source", "options", "sex", to="elf"), "sex is 'elf'"),
    "a negative scale": (setting(CLIP, "source", "options", "scale", to=-1), "'scale' is -1"),
    "X up": (setting(CLIP, "source", "options", "up", to="X"), "up is 'X'"),
    "a shard elsewhere": (setting(CLIP, "shard", to="../../../etc/passwd"), "the name of a shard"),
    "a shard that is nothing": (setting(CLIP, "shard", to=None), "'shard' is None"),
    "no frames": (setting(CLIP, "frames", to=0), "'frames' is 0"),
    "a fraction of a frame": (setting(CLIP, "frames", to=2.5), "'frames' is 2.5"),
    "frames beyond measure": (setting(CLIP, "frames", to=2**70), "'frames' is"),
    "sections beyond the end": (setting(CLIP, "sections", to=[[0, 10**6]]), "stretches, in order, within"),
    "sections that overlap": (setting(CLIP, "sections", to=[[0, 9], [5, 12]]), "in order"),
    "sections that go backwards": (setting(CLIP, "sections", to=[[9, 0]]), "in order"),
    "sections that are texts": (setting(CLIP, "sections", to=["0-9"]), "in order"),
    "a negative offset": (setting(CLIP, "offset", to=-204), "'offset' is -204"),
    "an offset that is a text": (setting(CLIP, "offset", to="0"), "'offset' is '0'"),
    "a figure without legs": (setting(CLIP, "figure", "thigh", to=0), "'thigh' is 0: a positive number"),
    "a figure of two dimensions": (setting(CLIP, "figure", "neck", to=[0, 1]), "three finite numbers"),
    "a figure with no neck": (lambda lines: lines[CLIP]["figure"].pop("neck"), "the field 'neck' is missing"),
    "a mass that is not finite": (setting(CLIP, "figure", "mass", to=float("inf")), "no number"),
    "a mass that is NaN": (setting(CLIP, "figure", "mass", to=float("nan")), "no number"),
    "a figure of no known sex": (setting(CLIP, "figure", "sex", to="?"), "sex is '?'"),
}


@pytest.mark.parametrize("kind", WORDS)
def test_a_manifest_that_says_odd_things(kind: str, desk: Desk) -> None:
    change, said = WORDS[kind]
    edit(desk.library, change)
    before = content(desk.library)
    sentence = refused(lambda: Library(desk.library))
    assert said in sentence
    assert "library.jsonl:" in sentence  # with the line
    assert refused(desk.build) == sentence
    assert content(desk.library) == before


def test_sections_and_offsets_of_other_clips_are_no_harm(desk: Desk) -> None:
    edit(desk.library, setting(CLIP, "offset", to=204))
    assert len(Library(desk.library)) == 3
    assert [trouble.name for trouble in find_troubles(desk.library)] == ["kick.bvh"]
    assert desk.build().report.mended == ["kick.bvh"]


def test_a_manifest_of_seeded_mutations(desk: Desk) -> None:
    """Whatever byte is another: it is told, or it is no harm."""
    path, draw = desk.library / "library.jsonl", random.Random(9)
    whole = path.read_bytes()
    first = len(whole.partition(b"\n")[0])
    for _ in range(400):
        spoiled = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            # half of them in the first line, which no checksum covers
            place = draw.randrange(first if draw.random() < 0.5 else len(spoiled))
            act = draw.randrange(3)
            if act == 0:
                spoiled[place] = draw.randrange(256)
            elif act == 1:
                del spoiled[place : place + draw.randint(1, 40)]
            else:
                spoiled[place:place] = draw.randbytes(draw.randint(1, 9))
        path.write_bytes(spoiled)
        try:
            names = Library(desk.library).names
        except SegueError as error:
            told = str(error)
        else:
            told = "library.jsonl" if names == NAMES else ""
        assert "library.jsonl" in told


def test_words_of_seeded_mutations(desk: Desk) -> None:
    """The same with a checksum that fits: any value replaced by any other."""
    path, draw = desk.library / "library.jsonl", random.Random(5)
    whole = path.read_bytes()
    values = [None, True, -1, 0, 1, 2**63, 1e308, 0.5, "", "x", "..", "\0", [], [[]], [1, 2, 3], {}, {"a": 1}]

    def replace_one(lines: Lines) -> None:
        place: Any = lines[draw.randrange(len(lines))]
        while True:
            name = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
            if not isinstance(place[name], dict | list) or not place[name] or draw.random() < 0.3:
                place[name] = draw.choice(values)
                return
            place = place[name]

    for _ in range(300):
        path.write_bytes(whole)
        edit(desk.library, replace_one)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SegueWarning)
            with contextlib.suppress(SegueError):
                Library(desk.library)
                find_troubles(desk.library)
                inspect_library(desk.library)


# --- shards --------------------------------------------------------------------------------------------------------


def shard_of(desk: Desk) -> Path:
    (shard,) = (desk.library / "shards").iterdir()
    return shard


SHARDS: dict[str, Callable[[Path], object]] = {
    "missing": lambda shard: shard.unlink(),
    "all missing": lambda shard: shutil.rmtree(shard.parent),
    "empty": lambda shard: shard.write_bytes(b""),
    "cut off within the first clip": lambda shard: rewrite(shard, lambda old: old[:100]),
    "a folder": lambda shard: (shard.unlink(), shard.mkdir()),
    "a link to nowhere": lambda shard: (shard.unlink(), shard.symlink_to("nowhere")),
    "a link to itself": lambda shard: (shard.unlink(), shard.symlink_to(shard)),
}


@pytest.mark.parametrize("kind", SHARDS)
def test_a_lost_shard(kind: str, desk: Desk) -> None:
    poses = {entry.name: entry.hinges.copy() for entry in Library(desk.library)}
    SHARDS[kind](shard_of(desk))
    sentence = refused(lambda: Library(desk.library))
    assert "'kick.bvh' and 2 more" in sentence
    assert f"segue library check {desk.library}" in sentence
    assert {trouble.kind for trouble in find_troubles(desk.library)} == {"damaged"}
    assert inspect_library(desk.library).clips == 3
    if kind == "a folder":
        shutil.rmtree(desk.library / "shards")
    assert desk.build().report.mended == list(NAMES)
    assert all(np.array_equal(entry.hinges, poses[entry.name]) for entry in Library(desk.library))
    assert find_troubles(desk.library) == []


def test_a_shard_that_is_cut_off_keeps_what_it_has(desk: Desk) -> None:
    rewrite(shard_of(desk), lambda old: old[:-7])
    with pytest.warns(SegueWarning, match="missing or cut off: 'segue library check"):
        library = Library(desk.library)
    assert len(library) == 2
    (trouble,) = find_troubles(desk.library)
    assert trouble.name not in library.names
    assert "too short" in trouble.what
    assert desk.build().report.mended == [trouble.name]


@pytest.mark.parametrize("place", [0, 3, 5_000, -1])
def test_a_flipped_bit_in_a_shard(place: int, desk: Desk) -> None:
    intact = desk.shards()

    def flip(old: bytes) -> bytes:
        new = bytearray(old)
        new[place] ^= 0x40
        return bytes(new)

    rewrite(shard_of(desk), flip)
    (trouble,) = find_troubles(desk.library)
    assert (trouble.kind, "checksum" in trouble.what) == ("damaged", True)
    assert desk.build().report.mended == [trouble.name]
    assert desk.shards() == intact


def test_damaged_poses_of_a_deleted_clip_are_told(desk: Desk) -> None:
    rewrite(shard_of(desk), lambda old: old[:-7])
    (trouble,) = find_troubles(desk.library)
    (desk.clips / trouble.name).unlink()
    report = desk.build().report
    assert (report.mended, report.damaged) == ([], [trouble.name])
    assert {each.kind for each in find_troubles(desk.library)} == {"damaged", "deleted"}
    remove_clips(desk.library, [trouble.name])
    assert find_troubles(desk.library) == []
    assert len(Library(desk.library)) == 2


def poisoned(desk: Desk, part: int, value: float) -> None:
    """Write a number into the first clip's poses, with all checksums as they should be."""
    entry = Library(desk.library).entries[0]
    parts = [np.array(each) for each in (entry.root, entry.balls, entry.hinges)]
    parts[part].flat[7] = value
    block = block_of(*parts)

    def change(lines: Lines) -> None:
        clip = lines[CLIP]
        path = desk.library / "shards" / clip["shard"]
        rewrite(path, lambda old: old[: clip["offset"]] + block + old[clip["offset"] + len(block) :])
        clip["sha256"] = block_checksum(block)

    edit(desk.library, change)


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        (0, np.nan, "not finite"),
        (1, np.inf, "not finite"),
        (2, np.nan, "not finite"),
        (1, 3.0, "no unit quaternions"),
    ],
)
def test_poses_that_are_none(part: int, value: float, said: str, desk: Desk) -> None:
    poisoned(desk, part, value)
    (trouble,) = find_troubles(desk.library)
    assert (trouble.kind, trouble.name) == ("damaged", "kick.bvh")
    assert said in trouble.what
    assert desk.build().report.mended == ["kick.bvh"]
    assert find_troubles(desk.library) == []


# --- folders -------------------------------------------------------------------------------------------------------


def test_there_is_no_library(tmp_path: Path) -> None:
    sentence = refused(lambda: Library(tmp_path / "none"))
    assert f"segue library build FOLDER -o {tmp_path / 'none'}" in sentence


def test_an_empty_folder_is_no_library(tmp_path: Path) -> None:
    assert "the folder has no library.jsonl" in refused(lambda: Library(tmp_path))


def test_a_file_is_no_library(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert "a library is a folder" in refused(lambda: Library(file))
    assert "a library is a folder" in refused(lambda: Builder(file, [desk.clips]))
    assert file.read_text() == "mine"


def test_a_folder_of_other_things_is_left_alone(desk: Desk) -> None:
    before = content(desk.clips)
    assert "holds other things" in refused(lambda: Builder(desk.clips, [desk.library.parent]))
    assert content(desk.clips) == before


def test_a_library_below_a_file_or_nowhere(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "create it first" in refused(lambda: Builder(tmp_path / "file" / "lib", [desk.clips]))
    assert "create it first" in refused(lambda: Builder(tmp_path / "no" / "lib", [desk.clips]))


def test_links_that_lead_nowhere_or_to_themselves(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    for name in ("self", "nowhere"):
        refused(lambda name=name: Library(tmp_path / name))
        refused(lambda name=name: Builder(tmp_path / name, [desk.clips]).run())


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000])
def test_paths_that_are_none(path: str, desk: Desk) -> None:
    refused(lambda: Library(path))
    refused(lambda: Builder(path, [desk.clips]).run())


def test_a_library_through_a_link(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(desk.library, target_is_directory=True)
    assert Library(tmp_path / "link").names == NAMES
    assert Desk(desk.clips, tmp_path / "link").build().report.unchanged == 3


def test_a_manifest_that_is_a_folder(desk: Desk) -> None:
    (desk.library / "library.jsonl").unlink()
    (desk.library / "library.jsonl").mkdir()
    assert "library.jsonl" in refused(lambda: Library(desk.library))
    assert "library.jsonl" in refused(desk.build)


def test_a_lock_that_is_a_folder(desk: Desk) -> None:
    (desk.library / "lock").unlink()
    (desk.library / "lock").mkdir()
    (desk.clips / "walk.bvh").touch()
    before = content(desk.library)
    assert "cannot be changed" in refused(desk.build)
    assert content(desk.library) == before
    assert Library(desk.library).names == NAMES


def test_all_clips_deleted_leaves_all_poses(desk: Desk) -> None:
    shutil.rmtree(desk.clips)
    assert Library(desk.library).names == NAMES
    assert {trouble.kind for trouble in find_troubles(desk.library)} == {"deleted"}
    assert "no such folder" in refused(desk.build)
    desk.clips.mkdir()
    assert desk.build().report.missing == list(NAMES)
    assert Library(desk.library).names == NAMES


def test_strange_files_in_a_library_are_no_harm(desk: Desk) -> None:
    (desk.library / "notes.txt").write_text("mine")
    (desk.library / ".DS_Store").write_bytes(b"\0")
    assert Library(desk.library).names == NAMES
    (desk.clips / "walk.bvh").touch()
    desk.build()
    assert (desk.library / "notes.txt").read_text() == "mine"


@not_as_root
def test_a_library_that_must_not_be_written(desk: Desk) -> None:
    (desk.clips / "walk.bvh").touch()
    desk.library.chmod(0o500)
    try:
        assert Library(desk.library).names == NAMES
        assert "write-protected" in refused(desk.build)
        assert "write-protected" in refused(lambda: remove_clips(desk.library, ["walk.bvh"]))
    finally:
        desk.library.chmod(0o700)


@not_as_root
def test_what_must_not_be_read_is_told(desk: Desk) -> None:
    (desk.clips / "more").chmod(0o000)
    try:
        (unreadable,) = desk.build(prune=True).report.unreadable
        assert "more" in unreadable.path
        assert Library(desk.library).names == NAMES  # what cannot be seen is not taken for deleted
    finally:
        (desk.clips / "more").chmod(0o700)
    desk.library.chmod(0o000)
    try:
        assert "permission" in refused(lambda: Library(desk.library)).lower()
    finally:
        desk.library.chmod(0o700)


def test_a_library_of_another_machine(desk: Desk) -> None:
    """Folders of a system with other paths: its poses are there, its files are not."""
    edit(desk.library, lambda lines: lines[1].update(path="C:\\clips", beside=None))
    assert Library(desk.library).names == NAMES
    assert {trouble.kind for trouble in find_troubles(desk.library)} == {"deleted"}
    assert desk.build().report.moved == list(NAMES)


def test_there_are_enough_cases() -> None:
    assert len(BYTES) + len(WORDS) + len(SHARDS) >= 50


def test_a_manifest_says_what_it_is(desk: Desk) -> None:
    first = json.loads(desk.manifest().splitlines()[0])
    assert (first["format"], first["version"]) == ("segue library", 1)
    edit(desk.library, setting(CLIP, "frames", to="many"))
    with pytest.raises(FileFormatError) as caught:
        Library(desk.library)
    assert (caught.value.path, caught.value.line) == (desk.library / "library.jsonl", 3)
