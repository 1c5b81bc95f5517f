"""Damaged and odd libraries: one clear sentence each, nothing lost, never a traceback."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import sqlite3
import struct
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from segue.errors import SegueError, SegueWarning
from segue.library import Builder, Library, find_troubles, inspect_library, remove_clips
from segue.library.library_clip import pack_poses
from tests.library.conftest import NAMES, Desk
from tests.library.forged import edit, edit_schema

as_root = hasattr(os, "geteuid") and os.geteuid() == 0
not_as_root = pytest.mark.skipif(as_root, reason="root may read and write everything")


def content(path: Path) -> dict[str, bytes]:
    """Return every file below a folder, or the file itself."""
    files = path.rglob("*") if path.is_dir() else [path]
    return {str(file): file.read_bytes() for file in files if file.is_file()}


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


# --- the bytes of the file -----------------------------------------------------------------------------------------


def patched(offset: int, new: bytes) -> Callable[[bytes], bytes]:
    return lambda old: old[:offset] + new + old[offset + len(new) :]


def flipped_in(text: bytes) -> Callable[[bytes], bytes]:
    """Flip a bit of a text within the file."""
    return lambda old: old.replace(text, bytes([text[0] ^ 4]) + text[1:])


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda old: b"", "the file is empty"),
    "half of it": (lambda old: old[: len(old) // 2], "damaged"),
    "the last page missing": (lambda old: old[:-4096], "damaged"),
    "only the first page": (lambda old: old[:4096], "damaged"),
    "half of the first page": (lambda old: old[:2048], "damaged"),
    "only the header": (lambda old: old[:100], "damaged"),
    "less than the header": (lambda old: old[:40], "damaged"),
    "a flipped bit in a name": (flipped_in(b"kick.bvh"), "damaged (the checksum of its records differs)"),
    "a flipped bit in a skeleton": (flipped_in(b"Segue figure"), "damaged (the checksum of its records differs)"),
    "a flipped bit in the name of a table": (flipped_in(b"skipped"), "damaged"),
    "a byte before it": (lambda old: b"\xff" + old, "not a library"),
    "zeros, as after a power cut": (lambda old: bytes(len(old)), "not a library"),
    "a first page of zeros": (patched(0, bytes(4096)), "not a library"),
    "pages of zeros but for the first": (lambda old: old[:4096] + bytes(len(old) - 4096), "damaged"),
    "JSON": (lambda old: b'{"name": "left-pad"}\n', "not a library"),
    "a clip": (lambda old: b"HIERARCHY\nROOT hips\n" * 500, "not a library"),
    "a page size that is none": (patched(16, struct.pack(">H", 1000)), "not a library"),
    "another page size": (patched(16, struct.pack(">H", 512)), "damaged"),
    "a huge count of pages": (patched(28, struct.pack(">I", 2**31)), "damaged"),
    "another text encoding": (patched(56, struct.pack(">I", 2)), "damaged"),
    "a schema of the future": (patched(44, struct.pack(">I", 9)), "damaged"),
    "a journal of another kind": (patched(18, b"\2\2"), "not a library"),
    "a file format of the future": (patched(18, b"\7\7"), "not a library"),
    "a database of another program": (patched(68, b"Fotk"), "a database of another program"),
    "a newer version": (patched(60, struct.pack(">I", 3)), "version 3, this Segue reads version 2: update Segue"),
    "an older version": (patched(60, struct.pack(">I", 1)), "version 1, this Segue reads version 2: build the library"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_a_damaged_file(kind: str, desk: Desk) -> None:
    spoil, said = BYTES[kind]
    rewrite(desk.library, spoil)
    before = content(desk.library)
    acts: list[Callable[[], object]] = [
        lambda: Library(desk.library),
        lambda: inspect_library(desk.library),
        lambda: find_troubles(desk.library),
        lambda: remove_clips(desk.library, ["walk.bvh"]),
    ]
    if kind != "empty":  # which a build makes a library of
        acts.append(desk.build)
    sentences = {refused(act) for act in acts}
    assert len(sentences) == 1  # whoever opens it is told the same
    (sentence,) = sentences
    assert said in sentence
    assert str(desk.library) in sentence
    assert content(desk.library) == before


def test_bytes_after_the_end_are_no_harm(desk: Desk) -> None:
    rewrite(desk.library, lambda old: old + b"more")
    assert Library(desk.library).names == NAMES
    (desk.clips / "walk.bvh").touch()
    desk.build()
    assert find_troubles(desk.library) == []


# --- the values, with a checksum that fits -------------------------------------------------------------------------


def setting(column: str, value: object, table: str = "clips") -> Callable[[Path], None]:
    """Set a value of the first row."""
    rowid = f"(SELECT min(rowid) FROM {table})"
    return lambda library: edit(library, f"UPDATE {table} SET {column} = ? WHERE rowid = {rowid}", values=(value,))


def sections(*edges: int) -> bytes:
    return np.array(edges, "<i8").tobytes()


def figure(change: Callable[[np.ndarray], object]) -> Callable[[Path], None]:
    """Change the numbers of the first clip's figure: mass, then lengths."""

    def act(library: Path) -> None:
        with contextlib.closing(sqlite3.connect(library)) as connection:
            (block,) = connection.execute("SELECT figure FROM clips").fetchone()
        numbers = np.frombuffer(block, "<f8").copy()
        change(numbers)
        setting("figure", numbers.tobytes())(library)

    return act


def tables(*statements: str) -> Callable[[Path], None]:
    return lambda library: edit_schema(library, *statements)


WRONG_TYPE = "a value of the table of clips has a wrong type"
OTHER_TABLES = "other tables than a library"
VALUES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a clip without a name": (setting("name", None), WRONG_TYPE),
    "a name that is bytes": (setting("name", b"a"), WRONG_TYPE),
    "a name that is no UTF-8": (tables("UPDATE clips SET name = CAST(x'ff' AS TEXT)"), "damaged"),
    "a folder that is a text": (setting("folder", "a"), WRONG_TYPE),
    "no folder": (setting("folder", None), WRONG_TYPE),
    "a file that is a number": (setting("file", 3), WRONG_TYPE),
    "a size that is a text": (setting("size", "large"), WRONG_TYPE),
    "a time that is none": (setting("mtime_ns", None), WRONG_TYPE),
    "no checksum": (setting("sha256", None), WRONG_TYPE),
    "an unknown sex": (setting("sex", "elf"), "sex is 'elf'"),
    "a negative scale": (setting("scale", -1.0), "scale is -1.0"),
    "a scale that is a text": (setting("scale", "x"), WRONG_TYPE),
    "an infinite mass": (setting("mass", float("inf")), "mass is inf"),
    "X up": (setting("up", "X"), "up is 'X'"),
    "up that is bytes": (setting("up", b"Y"), WRONG_TYPE),
    "no frames": (setting("frames", 0), "not within its 0 frames"),
    "frames below zero": (setting("frames", -(2**63)), "frames"),
    "a fraction of a frame": (setting("frames", 2.5), WRONG_TYPE),
    "sections beyond the end": (setting("sections", sections(0, 10**6)), "not within its 25 frames"),
    "sections before the start": (setting("sections", sections(-3, 9)), "not within its 25 frames"),
    "sections that overlap": (setting("sections", sections(0, 9, 5, 12)), "in order"),
    "sections that go backwards": (setting("sections", sections(9, 0)), "in order"),
    "sections without frames": (setting("sections", sections(4, 4)), "in order"),
    "half a section": (setting("sections", sections(0)), "damaged"),
    "sections of odd bytes": (setting("sections", b"123"), "damaged"),
    "sections that are a text": (setting("sections", "0-9"), WRONG_TYPE),
    "a figure without a mass": (figure(lambda numbers: numbers.__setitem__(0, 0.0)), "mass is 0.0"),
    "a mass that is NaN": (figure(lambda numbers: numbers.__setitem__(0, np.nan)), "not finite"),
    "a figure without stature": (figure(lambda numbers: numbers.__setitem__(1, 0.0)), "not positive"),
    "a figure with infinite feet": (figure(lambda numbers: numbers.__setitem__(-1, np.inf)), "not finite"),
    "a figure of too few lengths": (setting("figure", bytes(80)), "lengths that are missing"),
    "a figure of too many lengths": (setting("figure", bytes(8000)), "lengths that are missing"),
    "a figure of odd bytes": (setting("figure", b"123"), "damaged"),
    "a figure that is a text": (setting("figure", "tall"), WRONG_TYPE),
    "poses that are a number": (setting("poses", b"7"), WRONG_TYPE),
    "a reason that is none": (
        lambda library: edit(library, "INSERT INTO skipped SELECT folder, beside, file, size, mtime_ns, sha256, "
        "scale, up, mass, sex, NULL FROM clips"),
        "a value of the table of skipped has a wrong type",
    ),
    "two checksums": (tables("INSERT INTO library VALUES ('a')"), "checksum of its records"),
    "no checksum of the records": (tables("DELETE FROM library"), "checksum of its records"),
    "a table more": (tables("CREATE TABLE more (a)"), OTHER_TABLES),
    "a table less": (tables("DROP TABLE skipped"), OTHER_TABLES),
    "no tables": (tables("DELETE FROM sqlite_master"), OTHER_TABLES),
    "an index": (tables("CREATE INDEX more ON clips (name)"), OTHER_TABLES),
    "a trigger": (tables("CREATE TRIGGER t AFTER DELETE ON clips BEGIN DELETE FROM poses; END"), OTHER_TABLES),
    "a view that never ends": (
        tables("DROP TABLE skipped", "CREATE VIEW skipped AS WITH RECURSIVE a(b) AS (SELECT 1 UNION ALL "
               "SELECT b + 1 FROM a) SELECT * FROM a"),
        OTHER_TABLES,
    ),
    "a column more": (tables("ALTER TABLE clips ADD COLUMN more TEXT"), OTHER_TABLES),
    "SQL that is none": (tables("UPDATE sqlite_master SET sql = 'CREATE TABLE' WHERE name = 'clips'"), "damaged"),
    "SQL beyond measure": (
        tables("UPDATE sqlite_master SET sql = sql || printf('%200000c', ' ') WHERE name = 'clips'"), "damaged",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_a_library_that_holds_odd_values(kind: str, desk: Desk) -> None:
    change, said = VALUES[kind]
    change(desk.library)
    before = content(desk.library)
    sentence = refused(lambda: Library(desk.library))
    assert said in sentence
    assert refused(desk.build) == sentence
    assert content(desk.library) == before


def test_odd_names_are_no_harm(desk: Desk) -> None:
    edit(desk.library, "UPDATE clips SET name = 'walk.bvh'", "UPDATE clips SET skeleton = 'a\x1b[2Jb'")
    assert len(set(Library(desk.library).names)) == 3
    edit(desk.library, "UPDATE clips SET name = 'a\x1b[2J\nb', file = x'2e2e2f2e2e00', folder = x'00' WHERE rowid = 1")
    edit(desk.library, "UPDATE clips SET name = '' WHERE rowid = 2")
    names = Library(desk.library).names
    assert len(set(names)) == 3
    assert all(name.isprintable() and name for name in names)
    assert all(skeleton.isprintable() for skeleton in inspect_library(desk.library).skeletons)
    assert {trouble.kind for trouble in find_troubles(desk.library)} == {"deleted"}
    assert len(desk.build().report.moved) == 1


def test_pages_that_stand_for_more_than_there_is(desk: Desk) -> None:
    """An inner page of the table of clips refers to one page again and again."""
    columns = "folder, beside, file, size, mtime_ns, sha256, scale, up, mass, sex, skeleton, person, figure, frames"
    edit(
        desk.library,
        f"INSERT INTO clips SELECT 'copy' || value, {columns}, sections, poses FROM clips, "
        "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 500) SELECT * FROM n)",
    )
    with contextlib.closing(sqlite3.connect(desk.library)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'clips'").fetchone()
    data = bytearray(desk.library.read_bytes())
    start = 4096 * (root - 1)
    assert data[start] == 5  # an inner page of a table
    cells = struct.unpack_from(">H", data, start + 3)[0]
    places = struct.unpack_from(f">{cells}H", data, start + 12)
    child = data[start + places[0] : start + places[0] + 4]
    for place in places:
        data[start + place : start + place + 4] = child
    desk.library.write_bytes(data)
    assert "damaged" in refused(lambda: Library(desk.library))
    assert "damaged" in refused(desk.build)


def told_or_harmless(desk: Desk) -> str | None:
    """Return what is said about a library that was changed at random; None where it is as it was."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", SegueWarning)
        try:
            names = Library(desk.library).names
            assert names == NAMES
            inspect_library(desk.library)
            troubles = find_troubles(desk.library)
        except (SegueError, SegueWarning) as error:
            assert str(desk.library) in str(error)  # noqa: PT017 (either outcome is right)
            return str(error)
    return troubles[0].what if troubles else None


def test_a_file_of_seeded_mutations(desk: Desk) -> None:
    """Whatever byte is another: it is told, or it is no harm."""
    whole, draw, said = desk.library.read_bytes(), random.Random(9), set()
    for _ in range(400):
        spoiled = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            place = draw.randrange(len(spoiled) if draw.random() < 0.5 else 200)  # half of them in the header
            act = draw.randrange(4)
            if act < 2:
                spoiled[place] = draw.randrange(256)
            elif act == 2:
                del spoiled[place : place + draw.randint(1, 40)]
            else:
                spoiled[place:place] = draw.randbytes(draw.randint(1, 9))
        desk.library.write_bytes(spoiled)
        said.add(told_or_harmless(desk))
    assert len(said) > 10
    assert not list(desk.library.parent.glob("lib-*"))


def test_flipped_bytes_are_told_and_mended_by_a_build(desk: Desk) -> None:
    """One byte anywhere: a build mends what is wrong with poses, and refuses what is wrong with records."""
    whole, draw, mended = desk.library.read_bytes(), random.Random(3), 0
    before = desk.stored()
    for _ in range(60):
        spoiled = bytearray(whole)
        spoiled[draw.randrange(100, len(whole))] ^= 1 << draw.randrange(8)
        desk.library.write_bytes(spoiled)
        try:
            mended += bool(desk.build().report.mended)
        except SegueError as error:
            assert "damaged" in str(error)  # noqa: PT017 (as above)
        else:
            assert told_or_harmless(desk) is None
            assert desk.stored() == before
    assert mended > 10


def test_values_of_seeded_mutations(desk: Desk) -> None:
    """Any value replaced by any other, with a checksum that fits."""
    whole, draw = desk.library.read_bytes(), random.Random(5)
    values = [None, -1, 0, 1, 2**63 - 1, 1e308, 0.5, "", "x", "..", "\0", b"", b"\0", b"x" * 16, bytes(208)]
    with contextlib.closing(sqlite3.connect(desk.library)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(clips)")]
    for _ in range(200):
        desk.library.write_bytes(whole)
        setting(draw.choice(columns), draw.choice(values))(desk.library)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SegueWarning)
            with contextlib.suppress(SegueError):
                Library(desk.library)
                find_troubles(desk.library)
                inspect_library(desk.library)


# --- poses ---------------------------------------------------------------------------------------------------------

KICK = "WHERE sha256 = (SELECT poses FROM clips WHERE name = 'kick.bvh')"
POSES: dict[str, str] = {
    "missing": f"DELETE FROM poses {KICK}",
    "all missing": "DELETE FROM poses",
    "empty": f"UPDATE poses SET block = x'' {KICK}",
    "nothing": f"UPDATE poses SET block = NULL {KICK}",
    "a text": f"UPDATE poses SET block = CAST(block AS TEXT) {KICK}",
    "a number": f"UPDATE poses SET block = 7 {KICK}",
    "cut off": f"UPDATE poses SET block = substr(block, 1, 100) {KICK}",
    "too long": f"UPDATE poses SET block = block || x'00' {KICK}",
    "of another name": f"UPDATE poses SET sha256 = 'x' {KICK}",
    "fewer than said": "UPDATE clips SET frames = 26 WHERE name = 'kick.bvh'",
    "far fewer than said": "UPDATE clips SET frames = 9223372036854775807 WHERE name = 'kick.bvh'",
}


@pytest.mark.parametrize("kind", POSES)
def test_lost_poses(kind: str, desk: Desk) -> None:
    before = desk.stored()
    edit(desk.library, POSES[kind])
    if kind == "all missing":
        sentence, lost = refused(lambda: Library(desk.library)), list(NAMES)
        assert "'kick.bvh' and 2 more" in sentence
    else:
        with pytest.warns(SegueWarning, match=r"poses of 'kick.bvh' are missing or cut off") as caught:
            assert Library(desk.library).names == NAMES[1:]
        sentence, lost = str(caught[0].message), ["kick.bvh"]
    assert f"segue library check {desk.library}" in sentence
    troubles = find_troubles(desk.library)
    assert [(trouble.kind, trouble.name) for trouble in troubles] == [("damaged", name) for name in lost]
    assert inspect_library(desk.library).clips == 3
    assert desk.build().report.mended == lost
    assert desk.stored() == before
    assert find_troubles(desk.library) == []


@pytest.mark.parametrize("place", [0, 3, 5_000, -1])
def test_a_flipped_bit_in_poses(place: int, desk: Desk) -> None:
    intact = desk.stored()
    entry = Library(desk.library).entries[0]
    block = bytearray(pack_poses(entry.root, entry.balls, entry.hinges))
    block[place] ^= 0x40
    edit(desk.library, f"UPDATE poses SET block = ? {KICK}", values=(bytes(block),))
    (trouble,) = find_troubles(desk.library)
    assert (trouble.kind, trouble.name, "checksum" in trouble.what) == ("damaged", "kick.bvh", True)
    assert desk.build().report.mended == [trouble.name]
    assert desk.stored() == intact


def next_page(desk: Desk) -> int:
    """Return where the file says on which page the poses of the first clip go on."""
    entry = Library(desk.library).entries[0]
    poses, data = pack_poses(entry.root, entry.balls, entry.hinges), desk.library.read_bytes()
    page = data.index(poses[3000:3040]) // 4096 + 1
    return data.index(struct.pack(">I", page), data.index(poses[:40]))


@pytest.mark.parametrize("page", [0, 2, 3, 2**31 - 1])
def test_poses_that_go_on_elsewhere(page: int, desk: Desk) -> None:
    intact = desk.stored()
    rewrite(desk.library, patched(next_page(desk), struct.pack(">I", page)))
    troubles = find_troubles(desk.library)
    assert {trouble.kind for trouble in troubles} == {"damaged"}
    assert {trouble.name for trouble in troubles} == {"lib", "kick.bvh"}
    report = desk.build().report
    assert report.mended == ["kick.bvh"]
    assert desk.stored() == intact
    assert find_troubles(desk.library) == []


def test_a_file_that_is_cut_off_within_its_last_page(desk: Desk) -> None:
    intact = desk.stored()
    rewrite(desk.library, lambda old: old[:-500])
    (trouble,) = find_troubles(desk.library)
    assert (trouble.kind, "checksum" in trouble.what) == ("damaged", True)
    assert desk.build().report.mended == [trouble.name]
    assert desk.stored() == intact


def test_a_damaged_page_that_only_writers_need(desk: Desk) -> None:
    """The second page says where the others belong: with it, SQLite makes the file smaller."""
    intact = desk.stored()
    rewrite(desk.library, patched(4096, bytes(4096)))
    assert Library(desk.library).names == NAMES
    (trouble,) = find_troubles(desk.library)
    assert (trouble.kind, trouble.name) == ("damaged", "lib")
    assert desk.build().report.unchanged == 3
    assert desk.stored() == intact
    assert find_troubles(desk.library) == []


def test_damaged_poses_of_a_deleted_clip_are_told(desk: Desk) -> None:
    edit(desk.library, POSES["cut off"])
    (desk.clips / "kick.bvh").unlink()
    report = desk.build().report
    assert (report.mended, report.damaged) == ([], ["kick.bvh"])
    assert {each.kind for each in find_troubles(desk.library)} == {"damaged", "deleted"}
    remove_clips(desk.library, ["kick.bvh"])
    assert find_troubles(desk.library) == []
    assert len(Library(desk.library)) == 2


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        (0, np.nan, "not finite"),
        (1, np.inf, "not finite"),
        (2, np.nan, "not finite"),
        (1, 3.0, "not unit quaternions"),
    ],
)
def test_poses_that_are_none(part: int, value: float, said: str, desk: Desk) -> None:
    entry = Library(desk.library).entries[0]
    parts = [np.array(each) for each in (entry.root, entry.balls, entry.hinges)]
    parts[part].flat[7] = value
    block = pack_poses(*parts)
    checksum = hashlib.sha256(block).hexdigest()
    edit(desk.library, "INSERT INTO poses VALUES (?, ?)", values=(checksum, block))
    edit(desk.library, "UPDATE clips SET poses = ? WHERE name = 'kick.bvh'", values=(checksum,))
    (trouble,) = find_troubles(desk.library)
    assert (trouble.kind, trouble.name) == ("damaged", "kick.bvh")
    assert said in trouble.what
    assert desk.build().report.mended == ["kick.bvh"]
    assert find_troubles(desk.library) == []


# --- files --------------------------------------------------------------------------------------------------------


def test_there_is_no_library(tmp_path: Path) -> None:
    sentence = refused(lambda: Library(tmp_path / "none"))
    assert f"segue library build FOLDER -o {tmp_path / 'none'}" in sentence


def test_a_schema_that_is_no_text(desk: Desk) -> None:
    rewrite(desk.library, lambda old: old.replace(b"CREATE TABLE", b"CREATE \x80ABLE"))
    assert "is damaged" in refused(lambda: Library(desk.library))


def test_a_folder_is_no_library(desk: Desk) -> None:
    before = content(desk.clips)
    assert "a library is a file" in refused(lambda: Library(desk.clips))
    assert "a library is a file" in refused(lambda: Builder(desk.clips, [desk.clips]))
    assert content(desk.clips) == before


def test_a_library_of_the_first_format_is_told(desk: Desk, tmp_path: Path) -> None:
    old = tmp_path / "old.lib"
    (old / "shards").mkdir(parents=True)
    (old / "library.jsonl").write_text('{"format": "segue library", "version": 1}\n')
    for act in (lambda: Library(old), lambda: inspect_library(old), lambda: Builder(old, [desk.clips])):
        assert "earlier Segue, which was a folder: build the library again under another name" in refused(act)


def test_another_file_is_no_library(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert "is not a library" in refused(lambda: Library(file))
    assert "is not a library" in refused(lambda: Builder(file, [desk.clips]))
    assert file.read_text() == "mine"


def test_a_database_of_another_program_is_left_alone(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "photos.db"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE photos (a)")
    before = content(other)
    assert "another program" in refused(lambda: Library(other))
    assert "another program" in refused(lambda: Builder(other, [desk.clips]))
    assert content(other) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_is_not_waited_for(desk: Desk, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "a library is a file" in refused(lambda: Library(tmp_path / "pipe"))
    assert "a library is a file" in refused(lambda: Builder(tmp_path / "pipe", [desk.clips]))


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
    (tmp_path / "link").symlink_to(desk.library)
    assert Library(tmp_path / "link").names == NAMES
    assert Desk(desk.clips, tmp_path / "link").build().report.unchanged == 3


def test_a_journal_that_is_a_folder(desk: Desk) -> None:
    desk.library.with_name("lib-journal").mkdir()
    (desk.clips / "walk.bvh").touch()
    before = content(desk.library)
    assert "cannot be read or written" in refused(lambda: Library(desk.library))
    assert "cannot be read or written" in refused(desk.build)
    assert content(desk.library) == before


def test_all_clips_deleted_leaves_all_poses(desk: Desk) -> None:
    shutil.rmtree(desk.clips)
    assert Library(desk.library).names == NAMES
    assert {trouble.kind for trouble in find_troubles(desk.library)} == {"deleted"}
    assert "no such folder" in refused(desk.build)
    desk.clips.mkdir()
    assert desk.build().report.missing == list(NAMES)
    assert Library(desk.library).names == NAMES


@not_as_root
def test_a_library_that_must_not_be_written(desk: Desk) -> None:
    (desk.clips / "walk.bvh").touch()
    for protected, mode in ((desk.library, 0o400), (desk.library.parent, 0o500)):
        before = protected.stat().st_mode
        protected.chmod(mode)
        try:
            assert Library(desk.library).names == NAMES
            assert "write-protected" in refused(desk.build)
            assert "write-protected" in refused(lambda: remove_clips(desk.library, ["walk.bvh"]))
        finally:
            protected.chmod(before)


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
    edit(desk.library, "UPDATE clips SET folder = ?, beside = NULL", values=(rb"C:\clips",))
    assert Library(desk.library).names == NAMES
    assert {trouble.kind for trouble in find_troubles(desk.library)} == {"deleted"}
    assert desk.build().report.moved == list(NAMES)


def test_there_are_enough_cases() -> None:
    assert len(BYTES) + len(VALUES) + len(POSES) >= 64
