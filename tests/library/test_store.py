"""The folder of a library: shards, manifests, locks, and changes that happen whole or not at all."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.figure import Figure
from segue.errors import FileFormatError
from segue.library import shards
from segue.library.catalogue import Catalogue
from segue.library.lock import held
from segue.library.manifest import Manifest, read_manifest, write_manifest
from segue.library.record import ClipOptions, ClipRecord, Place, SkippedRecord, Source, printable
from segue.library.shards import FRAME_BYTES, arrays_of, block_checksum, block_of, offsets_of, packed
from segue.library.store import Change, Store

FIGURE = Figure.standard()


def block(seed: int, frames: int = 20) -> bytes:
    rng = np.random.default_rng(seed)
    balls = rng.normal(size=(frames, 7, 4))
    balls /= np.linalg.norm(balls, axis=2, keepdims=True)
    return block_of(rng.normal(size=(frames, 3)), balls, rng.normal(size=(frames, 20)))


def record(file: str, poses: bytes, folder: str = "somewhere") -> ClipRecord:
    source = Source(folder, file, 10, 20, hashlib.sha256(poses).hexdigest(), ClipOptions())
    frames = len(poses) // FRAME_BYTES
    place = Place(block_checksum(poses))
    return ClipRecord(file, source, "made", "nobody", FIGURE, frames, ((0, frames),), place)


def change(*clips: tuple[str, bytes]) -> Change:
    made = Change()
    for file, poses in clips:
        made.keep(record(file, poses), poses)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a library without clips."""
    made = Store(tmp_path / "lib")
    made.create()
    return made


def held_poses(store: Store) -> dict[str, bytes]:
    snapshot = store.snapshot()
    return {clip.name: bytes(snapshot.block(clip) or b"") for clip in snapshot.manifest.clips}


def files(store: Store) -> set[str]:
    return {str(file.relative_to(store.path)) for file in store.path.rglob("*") if file.is_file()}


def test_poses_come_back_as_they_were() -> None:
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=shape).astype(np.float32) for shape in ((9, 3), (9, 7, 4), (9, 20))]
    for part, back in zip(parts, arrays_of(block_of(*parts)), strict=True):
        assert np.array_equal(part, back)
    assert len(block_of(*parts)) == 9 * FRAME_BYTES


@given(st.dictionaries(st.binary(min_size=1, max_size=4), st.integers(1, 2**24), max_size=40), st.randoms())
def test_packing_depends_on_the_blocks_alone(made: dict[bytes, int], random: object) -> None:
    sizes = {hashlib.sha256(key).hexdigest(): size for key, size in made.items()}
    shuffled = list(sizes.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = dict(packed(sizes))
    assert found == dict(packed(dict(shuffled)))
    assert sorted(checksum for group in found.values() for checksum in group) == sorted(sizes)
    for group in found.values():
        offsets = offsets_of(group, sizes)
        assert all(b - a == sizes[checksum] for a, b, checksum in zip(offsets, offsets[1:], group, strict=False))


def test_large_libraries_have_several_shards(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "_SHARD_BYTES", 3 * len(block(0)))
    wanted = {f"{k}.bvh": block(k) for k in range(20)}
    for name, poses in wanted.items():
        store.commit(change((name, poses)))
    assert held_poses(store) == wanted
    names = {clip.place.shard for clip in store.manifest().clips}
    assert 4 <= len(names) <= 8
    assert files(store) == {"library.jsonl", "lock", *(f"shards/{name}" for name in names)}


def test_equal_poses_are_stored_once(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(1))))
    assert held_poses(store) == {"a.bvh": block(1), "b.bvh": block(1)}
    assert sum(file.stat().st_size for file in (store.path / "shards").iterdir()) == len(block(1))
    gone = Change()
    gone.forget(("somewhere", "a.bvh"))
    store.commit(gone)
    assert held_poses(store) == {"b.bvh": block(1)}


def test_what_others_committed_meanwhile_stays(store: Store) -> None:
    mine, theirs = change(("a.bvh", block(1))), change(("b.bvh", block(2)))
    store.commit(theirs)
    store.commit(mine)
    assert held_poses(store) == {"a.bvh": block(1), "b.bvh": block(2)}


def test_a_clip_whose_poses_another_took_away_is_not_left_hanging(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    known = {clip.name: clip for clip in store.manifest().clips}
    gone = Change()
    gone.forget(known["a.bvh"].source.key)
    store.commit(gone)
    moved = Change()
    moved.keep(replace(known["a.bvh"], source=replace(known["a.bvh"].source, folder="elsewhere")))
    store.commit(moved)
    assert held_poses(store) == {"b.bvh": block(2)}


def test_names_stay_unique_when_two_commit_the_same(store: Store) -> None:
    second = Change()
    second.keep(record("a.bvh", block(2), folder="other"), block(2))
    store.commit(change(("a.bvh", block(1))))
    store.commit(second)
    assert held_poses(store) == {"a.bvh": block(1), "other/a.bvh": block(2)}


def test_a_snapshot_outlives_changes(store: Store) -> None:
    store.commit(change(("a.bvh", block(1))))
    snapshot = store.snapshot()
    store.commit(change(("a.bvh", block(2))))
    (clip,) = snapshot.manifest.clips
    assert bytes(snapshot.block(clip) or b"") == block(1)
    assert held_poses(store) == {"a.bvh": block(2)}


def test_a_reader_that_comes_between_two_manifests_looks_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.commit(change(("a.bvh", block(1))))
    old = store.manifest()
    store.commit(change(("b.bvh", block(2))))
    answers = [old]
    monkeypatch.setattr(store, "manifest", lambda: answers.pop() if answers else read_manifest(store.path))
    assert set(held_poses(store)) == {"a.bvh", "b.bvh"}


def test_a_failed_commit_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.commit(change(("a.bvh", block(1))))
    before = {name: (store.path / name).read_bytes() for name in files(store)}

    def full(path: Path, manifest: Manifest) -> None:
        raise FileFormatError("cannot be written: no space is left", path)

    monkeypatch.setattr("segue.library.store.write_manifest", full)
    with pytest.raises(FileFormatError, match="no space"):
        store.commit(change(("b.bvh", block(2))))
    monkeypatch.undo()
    assert all((store.path / name).read_bytes() == content for name, content in before.items())
    store.commit(change(("c.bvh", block(3))))
    assert held_poses(store) == {"a.bvh": block(1), "c.bvh": block(3)}
    assert len(files(store)) == 3  # what the failed one had written is gone


def test_what_was_half_written_is_taken_away(store: Store) -> None:
    for name in ("shards/.segue-1234.poses", "shards/" + "0" * 32 + ".poses", ".segue-99.jsonl"):
        (store.path / name).write_bytes(b"half")
    store.commit(change(("a.bvh", block(1))))
    assert len(files(store)) == 3


def test_damaged_poses_stay_where_they_are(store: Store) -> None:
    store.commit(change(("a.bvh", block(1)), ("b.bvh", block(2))))
    known = {clip.name: clip for clip in store.manifest().clips}
    path = store.path / "shards" / known["a.bvh"].place.shard
    content = bytearray(path.read_bytes())
    content[known["a.bvh"].place.offset + 5] ^= 1
    path.write_bytes(content)
    assert set(store.snapshot().flaws()) == {"a.bvh"}
    store.commit(change(("c.bvh", block(3))), damaged=[known["a.bvh"].place.checksum])
    assert set(store.snapshot().flaws()) == {"a.bvh"}
    assert {name: poses for name, poses in held_poses(store).items() if name != "a.bvh"} == {
        "b.bvh": block(2),
        "c.bvh": block(3),
    }
    store.commit(change(("a.bvh", block(1))))  # fitted again: the same poses, written anew
    assert store.snapshot().flaws() == {}


def test_a_skipped_file_is_remembered_until_it_is_a_clip(store: Store) -> None:
    skipping = Change()
    skipping.skip(SkippedRecord(record("a.bvh", block(1)).source, "broken"))
    store.commit(skipping)
    assert [each.reason for each in store.manifest().skipped] == ["broken"]
    store.commit(change(("a.bvh", block(1))))
    assert store.manifest().skipped == ()
    assert held_poses(store) == {"a.bvh": block(1)}


def test_the_lock_is_held_by_one(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        with held(tmp_path / "lock"):
            inside.append(1)
            most.append(len(inside))
            threading.Event().wait(0.01)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 6
    with (
        held(tmp_path / "lock"),
        pytest.raises(FileFormatError, match="another process has been writing"),
        held(tmp_path / "lock", patience=0.0),
    ):
        pass


texts = st.text(max_size=12)
numbers = st.floats(1e-3, 1e3)


@given(st.lists(st.tuples(texts.map(lambda text: printable(text) or "-"), texts, numbers), max_size=4))
def test_manifests_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[str, str, float]]
) -> None:
    library = tmp_path_factory.mktemp("lib")
    clips = Catalogue()
    for count, (name, skeleton, mass) in enumerate(made):
        source = Source(f"folder {count % 2}", f"{count}.bvh", count, -count, "0" * 64, ClipOptions(mass=mass))
        place = Place("1" * 64, "2" * 32 + ".poses", count)
        clips.put(ClipRecord(name, source, skeleton, name, Figure.standard(mass=mass), 9, ((0, 4), (5, 9)), place))
    manifest = Manifest(tuple(clips))
    write_manifest(library, manifest)
    back = read_manifest(library)
    for clip, wanted in zip(back.clips, manifest.clips, strict=True):
        assert replace(clip, figure=wanted.figure) == wanted
        assert clip.figure.mass == wanted.figure.mass
        assert np.array_equal(clip.figure.offsets, wanted.figure.offsets)
