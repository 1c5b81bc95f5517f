"""The file of a library: changes that happen whole or not at all, by several writers, and what a crash leaves."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import sys
import threading
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.body.figure import Figure
from segue.errors import FileFormatError
from segue.library import database
from segue.library.library_clip import FRAME_BYTES, pack_poses, unpack_poses
from segue.library.record import Catalogue, ClipRecord, SkippedRecord, Source, printable
from segue.library.store import Change, Store
from segue.motion.options import ClipOptions

FIGURE = Figure.standard()
FORK = get_context("fork" if sys.platform == "linux" else None)


def block(seed: int, frames: int = 20) -> bytes:
    rng = np.random.default_rng(seed)
    balls = rng.normal(size=(frames, 7, 4))
    balls /= np.linalg.norm(balls, axis=2, keepdims=True)
    return pack_poses(rng.normal(size=(frames, 3)), balls, rng.normal(size=(frames, 20)))


def record(file: str, poses: bytes, folder: str = "somewhere") -> ClipRecord:
    checksum = hashlib.sha256(poses).hexdigest()
    source = Source(folder, file, 10, 20, checksum, ClipOptions())
    frames = len(poses) // FRAME_BYTES
    return ClipRecord(file, source, "made", "nobody", FIGURE, frames, ((0, frames),), checksum)


def change(*clips: tuple[str, bytes], folder: str = "somewhere") -> Change:
    made = Change()
    for file, poses in clips:
        clip = record(file, poses, folder)
        made.records[clip.source.key], made.blocks[clip.poses] = clip, poses
    return made


def removal(file: str) -> Change:
    return Change({("somewhere", file): None})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a library without clips."""
    made = Store(tmp_path / "lib")
    made.create()
    return made


def held_poses(store: Store) -> dict[str, bytes | None]:
    return dict(sorted((clip.name, poses) for clip, poses in store.contents()))


def sound(store: Store) -> bool:
    _, flaws, wrong = store.health()
    return not flaws and wrong is None


def test_poses_come_back_as_they_were() -> None:
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=shape).astype(np.float32) for shape in ((9, 3), (9, 7, 4), (9, 20))]
    for part, back in zip(parts, unpack_poses(pack_poses(*parts)), strict=True):
        assert np.array_equal(part, back)
    assert len(pack_poses(*parts)) == 9 * FRAME_BYTES


def test_a_library_is_one_file(store: Store) -> None:
    store.commit(change(*((f"{k}.bvh", block(k)) for k in range(20))))
    assert os.listdir(store.path.parent) == [store.path.name]
    with contextlib.closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM poses").fetchone() == (20,)


def test_making_a_library_twice_keeps_the_first(store: Store) -> None:
    store.commit(change(("a.bvh", block(1))))
    store.create()
    assert held_poses(store) == {"a.bvh": block(1)}


def test_equal_poses_are_stored_once(store: Store) -> None:
    store.commit(change(("a.bvh", block(1, 900)), ("b.bvh", block(1, 900))))
    assert held_poses(store) == {"a.bvh": block(1, 900), "b.bvh": block(1, 900)}
    assert store.path.stat().st_size < 1.5 * len(block(1, 900))
    store.commit(removal("a.bvh"))
    assert held_poses(store) == {"b.bvh": block(1, 900)}


def test_the_file_shrinks_with_its_clips(store: Store) -> None:
    empty = store.path.stat().st_size
    store.commit(change(("a.bvh", block(1, 9000)), ("b.bvh", block(2))))
    store.commit(removal("a.bvh"))
    assert store.path.stat().st_size < empty + 30_000
    assert held_poses(store) == {"b.bvh": block(2)}


def test_what_others_committed_meanwhile_stays(store: Store) -> None:
    mine, theirs = change(("a.bvh", block(1))), change(("b.bvh", block(2)))
    store.commit(theirs)
    store.commit(mine)
    assert held_poses(store) == {"a.bvh": block(1), "b.bvh": block(2)}


def test_a_clip_whose_poses_another_process_removed_is_not_added(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    known = store.catalogue().clips["somewhere", "a.bvh"]
    store.commit(removal("a.bvh"))
    moved = replace(known, source=replace(known.source, folder="elsewhere"))
    store.commit(Change({moved.source.key: moved}))
    assert held_poses(store) == {"b.bvh": block(2)}


def test_names_stay_unique_when_two_commit_the_same(store: Store) -> None:
    store.commit(change(("a.bvh", block(1))))
    store.commit(change(("a.bvh", block(2)), folder="other"))
    assert held_poses(store) == {"a.bvh": block(1), "other/a.bvh": block(2)}


def test_names_can_be_exchanged_in_one_change(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    clips = store.catalogue().clips
    a, b = clips["somewhere", "a.bvh"], clips["somewhere", "b.bvh"]
    store.commit(Change({a.source.key: replace(a, name=b.name), b.source.key: replace(b, name=a.name)}))
    assert held_poses(store) == {"a.bvh": block(2), "b.bvh": block(1)}


def test_a_reader_sees_one_state(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    reader = store.contents()
    first = next(reader)
    done = threading.Event()

    def replace_both() -> None:
        store.commit(change(("a.bvh", block(3)), ("b.bvh", block(4))))
        done.set()

    writer = threading.Thread(target=replace_both)
    writer.start()
    assert not done.wait(0.1)  # the writer waits for the reader
    assert {clip.name: poses for clip, poses in (first, *reader)} == {"a.bvh": block(1), "b.bvh": block(2)}
    writer.join(30)
    assert held_poses(store) == {"a.bvh": block(3), "b.bvh": block(4)}


def test_a_failed_commit_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.commit(change(("a.bvh", block(1))))
    before = store.path.read_bytes()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("segue.library.store._write", full)
        with pytest.raises(FileFormatError, match="disk is full"):
            store.commit(change(("b.bvh", block(2))))
    assert store.path.read_bytes() == before
    assert os.listdir(store.path.parent) == [store.path.name]
    store.commit(change(("c.bvh", block(3))))
    assert held_poses(store) == {"a.bvh": block(1), "c.bvh": block(3)}


def die_while_writing(path: Path) -> None:
    """Change pages of the file, and end before the change is complete."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size=1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM clips")
    connection.executemany("INSERT INTO poses VALUES (?, ?)", ((str(k), block(k, 90)) for k in range(20)))
    os.kill(os.getpid(), 9)


def killed_while_writing(store: Store) -> Path:
    process = FORK.Process(target=die_while_writing, args=(store.path,))
    process.start()
    process.join()
    journal = Path(f"{store.path}-journal")
    assert journal.stat().st_size > 0
    return journal


def test_a_killed_writer_leaves_what_was_there(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    before = store.path.read_bytes()
    journal = killed_while_writing(store)
    assert store.path.read_bytes() != before
    assert held_poses(store) == {"a.bvh": block(1), "b.bvh": block(2)}
    assert store.path.read_bytes() == before
    assert not journal.exists()
    assert sound(store)


def test_a_writer_killed_while_it_made_the_library(tmp_path: Path) -> None:
    store = Store(tmp_path / "lib")
    store.path.touch()
    with pytest.raises(FileFormatError, match="the file is empty: 'segue library build"):
        store.catalogue()
    store.create()
    assert held_poses(store) == {}


def test_a_write_protected_library_that_has_to_be_restored(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.commit(change(("a.bvh", block(1))))
    killed_while_writing(store)
    before = store.path.read_bytes()
    monkeypatch.setattr(database.os, "access", lambda path, mode: False)
    with pytest.raises(FileFormatError, match="killed while it wrote"):
        store.catalogue()
    assert store.path.read_bytes() == before


def test_a_journal_that_names_a_file_to_delete_is_refused(store: Store, tmp_path: Path) -> None:
    """SQLite deletes the file that a journal ends with the name of: an archive could bring one along."""
    store.commit(change(("a.bvh", block(1))))
    journal, victim = killed_while_writing(store), tmp_path / "precious"
    victim.write_text("mine")
    name = os.fsencode(victim)
    tail = len(name).to_bytes(4, "big") + (sum(name) & 0xFFFFFFFF).to_bytes(4, "big")
    with journal.open("ab") as file:
        file.write(b"\0\0\0\1" + name + tail + bytes.fromhex("d9d505f920a163d7"))
    for act in (store.catalogue, store.check_readable, store.check_writable, lambda: store.commit(removal("a.bvh"))):
        with pytest.raises(FileFormatError, match="journal beside the library is not its own"):
            act()
    assert victim.read_text() == "mine"


def test_damaged_poses_are_told_until_they_are_written_again(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    content = bytearray(store.path.read_bytes())
    content[content.index(block(1)[:64]) + 5] ^= 1
    store.path.write_bytes(content)
    assert set(store.health()[1]) == {"a.bvh"}
    store.commit(change(("c.bvh", block(3))))
    assert set(store.health()[1]) == {"a.bvh"}
    store.repair()
    assert held_poses(store) == {"a.bvh": None, "b.bvh": block(2), "c.bvh": block(3)}
    store.commit(change(("a.bvh", block(1))))  # fitted again: the same poses, written anew
    assert held_poses(store) == {"a.bvh": block(1), "b.bvh": block(2), "c.bvh": block(3)}
    assert sound(store)


def test_a_skipped_file_is_remembered_until_it_is_a_clip(store: Store) -> None:
    source = record("a.bvh", block(1)).source
    store.commit(Change({source.key: SkippedRecord(source, "broken")}))
    assert store.catalogue().skipped == {source.key: SkippedRecord(source, "broken")}
    store.commit(change(("a.bvh", block(1))))
    assert store.catalogue().skipped == {}
    assert held_poses(store) == {"a.bvh": block(1)}


def test_many_writers_at_once_all_end_up_in_it(tmp_path: Path) -> None:
    path = tmp_path / "lib"

    def work(number: int) -> None:
        Store(path).create()
        Store(path).commit(change((f"{number}.bvh", block(number))))

    processes = [FORK.Process(target=work, args=(number,)) for number in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 6
    assert held_poses(Store(path)) == {f"{number}.bvh": block(number) for number in range(6)}
    assert sound(Store(path))


def test_a_new_library_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        sizes: list[int] = []
        connection.set_trace_callback(lambda statement: sizes.append(path.stat().st_size))
        database._make_tables(connection)
    assert len(sizes) > 5
    assert set(sizes) == {0}  # before each statement, the last of which commits all of them
    assert path.stat().st_size > 0


def test_a_library_that_another_process_keeps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    with database.transaction(store.path, write=True):
        assert held_poses(store) == {}
        with pytest.raises(FileFormatError, match="another process has been writing"):
            store.commit(change(("a.bvh", block(1))))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.floats(1e-3, 1e3)


@settings(max_examples=30)
@given(st.lists(st.tuples(texts.map(lambda text: printable(text) or "-"), texts.map(printable), numbers), max_size=4))
def test_records_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[str, str, float]]
) -> None:
    store = Store(tmp_path_factory.mktemp("lib") / "lib")
    store.create()
    wanted = Catalogue()
    changed = change()
    for count, (name, skeleton, mass) in enumerate(made):
        poses = block(count, 9)
        checksum = hashlib.sha256(poses).hexdigest()
        source = Source(f"folder {count % 2}", f"{count}\udcff.bvh", count, -count, "0" * 64, ClipOptions(mass=mass))
        figure = Figure.standard(mass=mass)
        wanted.put(ClipRecord(name, source, skeleton, name, figure, 9, ((0, 4), (5, 9)), checksum))
        changed.records[source.key], changed.blocks[checksum] = wanted.clips[source.key], poses
    store.commit(changed)
    back = store.catalogue()
    assert back.clips.keys() == wanted.clips.keys()
    for key, clip in back.clips.items():
        assert replace(clip, figure=wanted.clips[key].figure) == wanted.clips[key]
        assert clip.figure.mass == wanted.clips[key].figure.mass
        assert np.array_equal(clip.figure.offsets, wanted.clips[key].figure.offsets)
