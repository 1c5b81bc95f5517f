"""Building libraries: what is fitted, what is recognised, what is left out, and what survives."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.io import register_format
from segue.library import Builder, Library, build, find_troubles, inspect_library, remove_clips
from segue.library.indexing import index_clip, sound_sections
from segue.library.library_clip import library_clip_of
from segue.library.record import Source
from segue.motion.clip import Clip
from segue.motion.resample import resample
from tests.library.conftest import NAMES, Desk
from tests.mocap import MOCAP, mocap_file, needs_mocap


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the files that are fitted from now on, as they are."""
    files: list[str] = []

    def watched(source: Source, *rest: object) -> object:
        files.append(source.file)
        return index_clip(source, *rest)

    monkeypatch.setattr(build, "index_clip", watched)
    return files


def poses_of(library: Path) -> dict[str, bytes]:
    return {entry.name: b"".join(map(bytes, (entry.root, entry.balls, entry.hinges))) for entry in Library(library)}


def test_what_is_built_can_be_drawn_on(desk: Desk) -> None:
    library = Library(desk.library)
    assert library.names == NAMES
    for entry in library:
        motion = sg.load(desk.clips / entry.name)
        wanted = library_clip_of(motion, entry.name)
        assert len(entry) == len(wanted)
        assert entry.sections == ((0, len(entry)),)
        assert entry.figure.mass == pytest.approx(wanted.figure.mass, rel=0.02)
        assert np.abs(entry.root - wanted.root).max() < 0.01
        assert np.abs(entry.hinges - wanted.hinges).max() < 0.1
        assert not entry.root.flags.writeable
    assert library.minutes == pytest.approx(sum(map(len, library)) / 1800)
    assert "3 clips" in library.describe()


def test_only_what_changed_is_fitted_again(desk: Desk, fitted: list[str]) -> None:
    before = poses_of(desk.library)
    assert desk.build().report.unchanged == 3
    assert fitted == []
    (desk.clips / "walk.bvh").touch()
    assert desk.build().report.unchanged == 3
    assert fitted == []
    shutil.copy(desk.clips / "kick.bvh", desk.clips / "more" / "wave.bvh")
    sg.save(sg.trim(sg.clips.run, 0.0, 0.7), desk.clips / "walk.bvh")
    report = desk.build().report
    assert fitted == ["walk.bvh"]
    assert (report.changed, report.doubled) == (["walk.bvh"], [("more/wave.bvh", "kick.bvh")])
    after = poses_of(desk.library)
    assert after.keys() == {"kick.bvh", "walk.bvh"}
    assert after["kick.bvh"] == before["kick.bvh"]
    assert after["walk.bvh"] != before["walk.bvh"]


def test_touched_files_are_not_read_a_third_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.clips / "walk.bvh").touch()
    desk.build()

    def refuse(path: Path) -> str:
        raise AssertionError(path)

    monkeypatch.setattr(build, "_checksum", refuse)
    assert desk.build().report.unchanged == 3


def test_other_options_fit_again(desk: Desk, fitted: list[str]) -> None:
    desk.build(options=sg.ClipOptions(mass=90.0))
    assert len(fitted) == 3
    assert all(entry.figure.mass == 90.0 for entry in Library(desk.library))


def test_a_moved_folder_is_recognised(desk: Desk, fitted: list[str]) -> None:
    before = poses_of(desk.library)
    elsewhere = desk.clips.rename(desk.clips.with_name("elsewhere"))
    assert inspect_library(desk.library).deleted == NAMES
    builder = Builder(desk.library, [elsewhere])
    assert builder.run().moved == list(NAMES)
    assert fitted == []
    assert poses_of(desk.library) == before
    assert find_troubles(desk.library) == []
    assert list(inspect_library(desk.library).folders) == [str(elsewhere)]


def test_a_renamed_clip_is_recognised(desk: Desk, fitted: list[str]) -> None:
    (desk.clips / "walk.bvh").rename(desk.clips / "stroll.bvh")
    report = desk.build().report
    assert (fitted, report.moved, report.missing) == ([], ["stroll.bvh"], [])
    assert "walk.bvh" not in Library(desk.library).names


def test_a_library_can_be_moved_alone_and_with_its_clips(desk: Desk, fitted: list[str], tmp_path: Path) -> None:
    alone = desk.library.rename(tmp_path / "alone")
    assert find_troubles(alone) == []  # its clips are where they were, beside it
    (tmp_path / "far" / "away").mkdir(parents=True)
    moved = Desk(
        desk.clips.rename(tmp_path / "far" / "away" / "clips"), alone.rename(tmp_path / "far" / "away" / "lib")
    )
    assert find_troubles(moved.library) == []
    assert moved.build().report.unchanged == 3
    assert fitted == []


def test_the_buffer_of_a_gltf_belongs_to_it(tmp_path: Path, fitted: list[str]) -> None:
    from pygltflib import GLTF2

    folder = tmp_path / "clips"
    folder.mkdir()

    sg.save(sg.trim(sg.clips.walk, 0.0, 0.8), tmp_path / "made.glb")
    document = GLTF2().load(tmp_path / "made.glb")
    blob = document.binary_blob()
    document.buffers[0].uri = "clip.bin"
    document.set_binary_blob(None)
    (folder / "clip.gltf").write_text(document.to_json())
    (folder / "clip.bin").write_bytes(blob)
    Library.build(folder, tmp_path / "lib")
    assert fitted == ["clip.gltf"]
    (folder / "clip.bin").write_bytes(blob)
    Library.build(folder, tmp_path / "lib")
    assert fitted == ["clip.gltf"]  # written anew, with the same content
    (folder / "clip.bin").write_bytes(blob[:-1] + bytes([blob[-1] ^ 1]))
    assert [trouble.kind for trouble in find_troubles(tmp_path / "lib")] == ["changed"]
    Library.build(folder, tmp_path / "lib")
    assert fitted == ["clip.gltf", "clip.gltf"]


def test_deleted_clips_stay_until_they_are_pruned(desk: Desk) -> None:
    (desk.clips / "walk.bvh").unlink()
    assert desk.build().report.missing == ["walk.bvh"]
    assert "walk.bvh" in Library(desk.library).names
    assert [trouble.kind for trouble in find_troubles(desk.library)] == ["deleted"]
    assert desk.build(prune=True).report.removed == ["walk.bvh"]
    assert Library(desk.library).names == NAMES[:2]


def test_the_same_clips_give_the_same_content(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for name in reversed(NAMES):  # one after another, in another order, from another place
        (tmp_path / "copies" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(desk.clips / name, tmp_path / "copies" / name)
        Builder(other, [tmp_path / "copies"]).run()
    assert Desk(desk.clips, other).stored() == desk.stored()


def test_names_of_several_folders_do_not_collide(desk: Desk, tmp_path: Path) -> None:
    second, third = tmp_path / "second", tmp_path / "x" / "second"
    for folder, motion in ((second, sg.clips.run), (third, sg.clips.reach)):
        folder.mkdir(parents=True)
        sg.save(sg.trim(motion, 0.0, 0.7), folder / "walk.bvh")
    Builder(desk.library, [second, third]).run()
    assert set(Library(desk.library).names) == {*NAMES, "second/walk.bvh", "second/walk.bvh (2)"}


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "HIERARCHY"),
    "text": (lambda path: path.write_text("HIERARCHY\nnonsense\n"), "line 2"),
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:700]), "line"),
    "nan": (lambda path: path.write_text(path.read_text()[:-30] + " nan nan\n"), "line"),
    "short": (lambda path: sg.save(sg.trim(sg.clips.kick, 0.0, 0.3), path), "at least 0.5 s"),
    "no person": (lambda path: sg.io.write(_snake(), path), "person"),
    "huge": (lambda path: sg.io.write(_grown(sg.clips.kick.clip_source.clip, 1e7), path), "units tall"),
}


def _snake() -> Clip:
    count = 4
    return Clip(
        [f"bone{j}" for j in range(count)],
        range(-1, count - 1),
        np.ones((count, 3)),
        np.ones((40, count, 3)),
        np.tile([1.0, 0.0, 0.0, 0.0], (40, count, 1)),
        30.0,
    )


def _grown(clip: Clip, scale: float) -> Clip:
    return Clip(clip.names, clip.parents, clip.offsets * scale, clip.positions * scale, clip.rotations, clip.fps)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_clip_does_not_stop_a_build(kind: str, desk: Desk, fitted: list[str]) -> None:
    spoil, said = BROKEN[kind]
    shutil.copy(desk.clips / "kick.bvh", desk.clips / "a broken one.bvh")
    spoil(desk.clips / "a broken one.bvh")
    sg.save(sg.trim(sg.clips.run, 0.0, 0.7), desk.clips / "run.bvh")
    report = desk.build().report
    assert report.added == ["run.bvh"]
    ((name, reason),) = report.skipped
    assert name == "a broken one.bvh"
    assert said in reason
    assert str(desk.clips) not in reason
    fitted.clear()
    assert desk.build().report.skipped == report.skipped  # told again, and not read again
    assert fitted == []
    (desk.clips / "a broken one.bvh").unlink()
    assert desk.build().report.skipped == []


def test_a_clip_that_breaks_stays_as_it_was(desk: Desk) -> None:
    before = poses_of(desk.library)
    (desk.clips / "walk.bvh").write_text("HIERARCHY\n")
    ((name, reason),) = desk.build().report.skipped
    assert name == "walk.bvh"
    assert "keeps the clip as it was" in reason
    assert poses_of(desk.library) == before


def test_a_reader_that_raises_anything_does_not_stop_a_build(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from segue.io import files

    monkeypatch.setattr(files, "_readers", dict(files._readers))
    monkeypatch.setattr(files, "READERS", files._readers)
    monkeypatch.setattr("segue.library.scan.READERS", files._readers)

    def fail(path: object) -> Clip:
        raise ZeroDivisionError("by nothing")

    register_format(".odd", read=fail)
    (desk.clips / "a.odd").write_text("?")
    ((name, reason),) = desk.build().report.skipped
    assert (name, reason) == ("a.odd", "its reader failed (ZeroDivisionError: by nothing)")
    assert inspect_library(desk.library).skipped == ()  # may be a matter of the moment: it is tried again


def test_warnings_about_clips_are_told(desk: Desk) -> None:
    builder = Builder(desk.library, [desk.clips], options=sg.ClipOptions(scale=5.0))
    with_notes = builder.run().notes
    assert {name for name, _ in with_notes} == set(NAMES)
    assert "is that meant?" in with_notes[0][1]


def test_building_in_python_warns_of_what_is_left_out(desk: Desk) -> None:
    (desk.clips / "bad.bvh").write_text("no")
    with pytest.warns(SegueWarning, match=r"bad.bvh is left out: line 1"):
        library = Library.build(desk.clips, desk.library)
    assert len(library) == 3


def test_links_are_followed_and_loops_are_not(desk: Desk, tmp_path: Path) -> None:
    (desk.clips / "more" / "back").symlink_to(desk.clips, target_is_directory=True)
    (desk.clips / "self.bvh").symlink_to(desk.clips / "self.bvh")
    (desk.clips / "nowhere.bvh").symlink_to(tmp_path / "nowhere.bvh")
    outside = tmp_path / "outside"
    outside.mkdir()
    sg.save(sg.trim(sg.clips.run, 0.0, 0.7), outside / "run.bvh")
    (desk.clips / "linked").symlink_to(outside, target_is_directory=True)
    report = desk.build().report
    assert report.added == ["linked/run.bvh"]
    assert sorted(Path(each.path).name for each in report.unreadable) == ["nowhere.bvh", "self.bvh"]


def test_hidden_files_and_other_files_are_left_alone(desk: Desk) -> None:
    for name in (".hidden.bvh", "notes.txt", "._walk.bvh"):
        (desk.clips / name).write_text("no clip")
    report = desk.build().report
    assert (report.skipped, report.unchanged) == ([], 3)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names that are no text")
def test_names_that_are_no_text_can_be_shown(desk: Desk, fitted: list[str]) -> None:
    odd = os.fsdecode(os.fsencode(desk.clips) + b"/w\xff\nalk.bvh")
    (desk.clips / "walk.bvh").rename(odd)
    assert desk.build().report.moved == ["w\\udcff\\nalk.bvh"]
    assert Library(desk.library).only("w\\udcff*").names[0].isprintable()
    assert find_troubles(desk.library) == []
    assert desk.build().report.unchanged == 3
    assert fitted == []


def test_a_clip_is_taken_30_times_a_second_without_its_t_pose() -> None:
    fast = resample(sg.clips.walk.clip_source.clip, 120.0)
    library = Library.from_motions({"walk": sg.Motion.from_clip(fast)})
    assert len(library.entries[0]) == int(fast.duration * 30 + 1e-6) + 1


@needs_mocap
@pytest.mark.parametrize("name", ["walk_07_01", "run_09_01"])
def test_real_clips_come_out_as_they_are_loaded(name: str, tmp_path: Path) -> None:
    file = mocap_file(name)
    entry = Library.build(file, tmp_path / "lib").entries[0]
    motion = sg.load(file)  # at 120 frames a second, with an added T pose that is left out
    wanted = library_clip_of(motion, name)
    assert len(entry) == len(wanted)
    figure = wanted.figure.stature
    assert entry.figure.stature == pytest.approx(figure, rel=1e-3)
    assert np.linalg.norm(entry.root - wanted.root, axis=1).max() < 0.02


@needs_mocap
def test_bad_capture_is_not_drawn_on() -> None:
    broken = sg.load(mocap_file("salsa_60_01"))  # its arms are torn off for a second
    sections = list(sound_sections(broken.fit()))
    assert 0.85 < sum(last - first for first, last in sections) / len(broken) < 0.95
    sound = sg.load(mocap_file("walk_07_01"))
    assert list(sound_sections(sound.fit())) == [(0, len(sound))]


def test_leaps_of_the_body_are_cut_out(desk: Desk) -> None:
    clip = sg.clips.walk.clip_source.clip
    positions = clip.positions.copy()
    positions[len(clip) // 2 :, 0, 2] += 3.0
    leaping = sg.Motion.from_clip(Clip.from_arrays(clip.skeleton, positions, clip.rotations, clip.fps))
    sections = list(sound_sections(leaping.fit()))
    assert len(sections) == 2
    assert sections[0][1] < len(clip) // 2 < sections[1][0]


def test_an_empty_folder_makes_an_empty_library(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    library = Library.build(tmp_path / "none", tmp_path / "lib")
    assert (len(library), library.minutes) == (0, 0.0)
    assert library.describe() == "no clips"
    assert find_troubles(tmp_path / "lib") == []


def test_clips_can_be_removed(desk: Desk) -> None:
    remove_clips(desk.library, ["walk.bvh", "kick.bvh"])
    assert Library(desk.library).names == ("more/wave.bvh",)
    assert [block for _, block in desk.stored()["poses"]] == list(poses_of(desk.library).values())
    assert (desk.clips / "walk.bvh").exists()


def test_views_and_libraries_in_memory(desk: Desk) -> None:
    library = Library(desk.library)
    assert library.only("*a*e.bvh").names == ("more/wave.bvh",)
    assert library.without("*/*", "nothing of this name").names == ("kick.bvh", "walk.bvh")
    assert library.only("walk.bvh").entries[0] is library.entries[2]
    with pytest.raises(ArgumentError, match="no clip of the library matches 'wolk"):
        library.only("wolk*")
    twice = Library.from_motions([sg.clips.walk, sg.clips.walk, sg.clips.run])
    assert twice.names == tuple(sorted(twice.names))
    assert len(set(twice.names)) == 3
    assert twice.path is None
    assert len(Library.from_motions([])) == 0
    with pytest.raises(ArgumentError, match="a motion, not 3"):
        Library.from_motions([3])


def test_progress_tells_clips_and_bytes(desk: Desk, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    Builder(tmp_path / "new", [desk.clips], progress=lambda *each: told.append(each)).run()
    total = sum((desk.clips / name).stat().st_size for name in NAMES)
    assert {each[1] for each in told} == {total}
    assert [each[0] for each in told] == sorted(each[0] for each in told)
    assert told[-1][0] == total
    assert {each[2] for each in told} == set(NAMES)


def test_an_interrupted_build_keeps_what_was_finished(desk: Desk, tmp_path: Path, fitted: list[str]) -> None:
    def stop(done: int, total: int, name: str) -> None:
        if name == "walk.bvh":
            raise KeyboardInterrupt

    builder = Builder(tmp_path / "new", [desk.clips], progress=stop)
    with pytest.raises(KeyboardInterrupt):
        builder.run()
    assert builder.report.added == ["kick.bvh", "more/wave.bvh"]
    assert Library(tmp_path / "new").names == ("kick.bvh", "more/wave.bvh")
    fitted.clear()
    Builder(tmp_path / "new", [desk.clips]).run()
    assert fitted == ["walk.bvh"]
    assert Desk(desk.clips, tmp_path / "new").stored() == desk.stored()


def build_slowly(path: Path, source: Path, at_wave: Event) -> None:
    """Build a library, every clip of which is committed at once, and tell when the wave is at hand."""

    def show(done: int, total: int, name: str) -> None:
        if "wave" in name:
            at_wave.set()
        time.sleep(0.05)

    build._BETWEEN = 0.0
    Builder(path, [source], progress=show).run()


# processes that need not import everything again
FORK = get_context("fork" if sys.platform == "linux" else None)


def test_a_killed_build_leaves_a_library(desk: Desk, tmp_path: Path) -> None:
    at_wave = FORK.Event()
    process = FORK.Process(target=build_slowly, args=(tmp_path / "new", desk.clips, at_wave))
    process.start()
    assert at_wave.wait(120)
    process.kill()
    process.join()
    assert "kick.bvh" in Library(tmp_path / "new").names
    assert [trouble for trouble in find_troubles(tmp_path / "new") if trouble.kind == "damaged"] == []
    Builder(tmp_path / "new", [desk.clips]).run()
    assert Desk(desk.clips, tmp_path / "new").stored() == desk.stored()


def test_two_builds_at_once_both_end_up_in_the_library(desk: Desk, tmp_path: Path) -> None:
    new, parts = tmp_path / "new", (desk.clips / "more", desk.clips / "walk.bvh")
    processes = [FORK.Process(target=build_slowly, args=(new, part, FORK.Event())) for part in parts]
    for process in processes:
        process.start()
    try:
        while any(process.is_alive() for process in processes):
            if new.exists() and new.stat().st_size:
                Library(new)  # can be read all the while
            time.sleep(0.02)
        assert [process.exitcode for process in processes] == [0, 0]
    finally:
        for process in processes:
            process.kill()
            process.join()
    assert Library(new).names == ("walk.bvh", "wave.bvh")
    assert find_troubles(new) == []


def test_what_cannot_be_indexed_is_told_before_any_work(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no clip")
    for source, said in (
        (tmp_path / "nowhere", "there is no such folder"),
        (tmp_path / "notes.txt", "neither a folder nor a clip"),
        (desk.library, "neither a folder nor a clip"),
        ("nul\0", "there is no such folder"),
    ):
        with pytest.raises(FileFormatError, match=said):
            Builder(desk.library, [source])
    with pytest.raises(ArgumentError, match="sex is 'elf'"):
        sg.ClipOptions(sex="elf")
    with pytest.raises(ArgumentError, match="mass is -1"):
        Library.build(desk.clips, tmp_path / "new", mass=-1.0)
    assert not (tmp_path / "new").exists()


def test_a_library_within_its_own_folder_of_clips(desk: Desk) -> None:
    inside = desk.clips / "lib"
    assert len(Library.build(desk.clips, inside)) == 3
    assert len(Library.build(desk.clips, inside)) == 3


@needs_mocap
def test_an_hour_takes_less_than_25_megabytes(tmp_path: Path) -> None:
    library = Library.build([MOCAP / "cmu" / "walk_backward_69_34.bvh"], tmp_path / "lib")
    assert inspect_library(tmp_path / "lib").size / library.minutes * 60 < 25e6
