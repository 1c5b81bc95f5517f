"""`segue fill` and `segue transition` with --library, --self and --variants: as in Python, told in words, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import segue as sg
from segue.filling import fill, transition, transition_variants, variants
from segue.io import read
from segue.library import Library

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two libraries and an empty one."""
    here = tmp_path_factory.mktemp("shelves")
    for library, names in (("steps", ("walk", "run")), ("kicks", ("kick",)), ("empty", ())):
        (here / f"{library}_clips").mkdir()
        for name in names:
            sg.save(sg.clips.clip(name), here / f"{library}_clips" / f"{name}.bvh")
        Library.build(here / f"{library}_clips", here / library)
    return here


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a clip in it that is in no library."""
    monkeypatch.chdir(tmp_path)
    sg.save(sg.mirror(sg.clips.walk), tmp_path / "stroll.bvh")
    return tmp_path


def assert_written(file: Path, motion: sg.Motion) -> None:
    """Check that a file is what a motion is written as, to the last byte."""
    beside = file.with_name(f"expected{file.suffix}")
    sg.save(motion, beside)
    assert file.read_bytes() == beside.read_bytes()
    beside.unlink()


def test_a_gap_is_filled_from_libraries_as_in_python(folder: Path, shelves: Path, command: Run) -> None:
    code, shown, complaint = command(
        "fill", "stroll.bvh", "--gap", "1.1:1.8", "-o", "out.bvh", "--report", "r.json",
        "--library", shelves / "steps", "--library", shelves / "kicks",
    )  # fmt: skip
    assert code == 0, complaint
    library = [*Library(shelves / "steps"), *Library(shelves / "kicks")]
    motion = fill(sg.load("stroll.bvh"), [(1.1, 1.8)], library=library)
    assert_written(folder / "out.bvh", motion)
    (report,) = motion.fills
    assert report.match is not None
    assert report.match.confidence in shown
    (told,) = json.loads((folder / "r.json").read_text())["fills"]
    assert told["match"] == report.match.to_dict()
    assert {drawn["clip"] for drawn in told["match"]["used_clips"]} <= {"walk.bvh", "run.bvh", "kick.bvh", "stroll"}


@pytest.mark.parametrize(
    ("options", "use_own_frames", "with_library"),
    [(["--no-self"], False, True), (["--self"], True, True), (["--self"], True, False), ([], True, False)],
)
def test_the_clip_itself_is_drawn_on_or_not(
    options: list[str], use_own_frames: bool, with_library: bool, folder: Path, shelves: Path, command: Run
) -> None:
    library = ["--library", shelves / "kicks"] if with_library else []
    code, shown, complaint = command("fill", "stroll.bvh", "--gap", "1.1:1.6", "-o", "out.bvh", *options, *library)
    assert code == 0, complaint
    assert "prior" in shown
    entries = Library(shelves / "kicks") if with_library else None
    assert_written(
        folder / "out.bvh", fill(sg.load("stroll.bvh"), [(1.1, 1.6)], library=entries, use_own_frames=use_own_frames)
    )


@pytest.mark.parametrize(
    ("stop", "options", "joints"),
    [
        (3.2, ["--no-self"], None),
        (3.2, ["--joints", "left_arm"], "left_arm"),
        (2.0, [], None),  # too little to draw on
    ],
)
def test_least_effort_is_left_and_the_summary_says_no_more_than_that(
    stop: float, options: list[str], joints: str | None, folder: Path, command: Run
) -> None:
    sg.save(sg.trim(sg.load("stroll.bvh"), 0.0, stop), folder / "short.bvh")
    code, shown, complaint = command("fill", "short.bvh", "--gap", "1.1:1.6", "-o", "out.bvh", *options)
    assert (code, complaint) == (0, "")
    assert not any(line.startswith("library") for line in shown.splitlines())
    assert_written(folder / "out.bvh", sg.fill(sg.load("short.bvh"), [(1.1, 1.6)], joints))


def test_what_was_asked_for_and_cannot_be_is_told(folder: Path, command: Run) -> None:
    sg.save(sg.trim(sg.load("stroll.bvh"), 0.0, 2.0), folder / "short.bvh")
    code, shown, complaint = command(
        "fill", "short.bvh", "--gap", "1.1:1.6", "-o", "out.bvh", "--self", "--prior", "library"
    )
    assert code == 0, complaint
    assert "least effort instead" in shown
    assert_written(folder / "out.bvh", sg.fill(sg.load("short.bvh"), [(1.1, 1.6)], prior="none"))


def test_a_transition_draws_on_its_clips_only_where_asked_to(folder: Path, command: Run) -> None:
    code, shown, complaint = command("transition", "stroll.bvh", "clips.walk", "-o", "out.bvh")
    assert code == 0, complaint
    assert "library" not in shown.replace("a library that has clips like it", "")
    assert_written(folder / "out.bvh", sg.transition(sg.load("stroll.bvh"), sg.clips.walk))


def test_takes_go_to_files_of_their_own(folder: Path, shelves: Path, command: Run) -> None:
    code, shown, complaint = command(
        "fill", "stroll.bvh", "--gap", "1.1:1.6", "-o", "out.bvh", "--variants", 3, "--plot", "p.png",
        "--report", "r.json", "--library", shelves / "steps", "--prior", "library",
    )  # fmt: skip
    assert code == 0, complaint
    made = variants(sg.load("stroll.bvh"), (1.1, 1.6), 3, library=Library(shelves / "steps"), prior="library")
    assert len(made) == 3
    for k, motion in enumerate(made):
        assert_written(folder / f"out_{k + 1}.bvh", motion)
        (report,) = motion.fills
        assert report.match is not None
        assert f"out_{k + 1}.bvh: {report.match.confidence}, as {report.match.used_clips[0]}; 3.20 s" in shown
    assert not (folder / "out.bvh").exists()
    told = json.loads((folder / "r.json").read_text())["variants"]
    assert [take["file"] for take in told] == ["out_1.bvh", "out_2.bvh", "out_3.bvh"]
    assert (folder / "p.png").stat().st_size > 30_000


def test_a_library_given_twice_counts_once(folder: Path, shelves: Path, command: Run) -> None:
    once = ("fill", "stroll.bvh", "--gap", "1.1:1.6", "-o", "out.bvh", "--library", shelves / "steps")
    for options in ((), ("--library", shelves / "kicks_clips" / ".." / "steps")):
        assert command(*once, *options)[0] == 0
        assert_written(
            folder / "out.bvh", sg.fill(sg.load("stroll.bvh"), [(1.1, 1.6)], library=Library(shelves / "steps"))
        )


def test_takes_of_transitions(folder: Path, shelves: Path, command: Run) -> None:
    code, shown, complaint = command(
        "transition", "stroll.bvh", "clips.kick", "-o", "out.glb", "--variants", 2, "--from", 2.4, "--to", 0.4,
        "--library", shelves / "steps",
    )  # fmt: skip
    assert code == 0, complaint
    first, second, library = sg.load("stroll.bvh"), sg.clips.kick, Library(shelves / "steps")
    made = transition_variants(first, second, 0.6, 2, leave=2.4, enter=0.4, library=library)
    assert len(made) == 2
    for k, motion in enumerate(made):
        assert_written(folder / f"out_{k + 1}.glb", motion)
    assert ", as " in shown


def test_fewer_takes_than_wanted_are_told(folder: Path, shelves: Path, command: Run) -> None:
    sg.save(sg.trim(sg.clips.kick, 0.0, 1.4), folder / "short.bvh")
    code, shown, complaint = command(
        "fill", "short.bvh", "--gap", "0.5:0.9", "-o", "out.bvh", "--variants", 20, "--library", shelves / "kicks",
        "--no-self",
    )  # fmt: skip
    assert code == 0, complaint
    written = sorted(path.name for path in folder.glob("out_*.bvh"))
    assert 1 <= len(written) < 20
    assert f"no more than {len(written)} of 20 variants" in shown


def test_an_empty_library_is_told_and_the_gap_is_filled_all_the_same(folder: Path, shelves: Path, command: Run) -> None:
    code, shown, complaint = command(
        "fill", "stroll.bvh", "--gap", "1.1:1.6", "-o", "out.bvh", "--library", shelves / "empty", "--no-self",
        "--prior", "library",
    )  # fmt: skip
    assert code == 0
    assert complaint.splitlines() == [
        f"segue: note: the library {shelves / 'empty'} has no clips: gaps are filled by least effort"
    ]
    assert "least effort instead" in shown
    assert_written(folder / "out.bvh", sg.fill(sg.load("stroll.bvh"), [(1.1, 1.6)], prior="none"))
    code, shown, _ = command(
        "fill",
        "stroll.bvh",
        "--gap",
        "1.1:1.6",
        "-o",
        "o.bvh",
        "--library",
        shelves / "empty",
        "--no-self",
        "--prior",
        "library",
        "--variants",
        2,
    )
    assert code == 0
    assert "least effort instead" in shown
    assert [path.name for path in folder.glob("o_*.bvh")] == ["o_1.bvh"]


def test_a_transition_is_cut_and_filled_from_a_library(folder: Path, shelves: Path, command: Run) -> None:
    code, shown, complaint = command(
        "transition", "stroll.bvh", "clips.run", "--from", "auto", "--to", "auto", "--duration", "auto",
        "-o", "out.bvh", "--library", shelves / "steps",
    )  # fmt: skip
    assert code == 0, complaint
    assert "A is left at" in shown
    library = Library(shelves / "steps")
    joined = transition(sg.load("stroll.bvh"), sg.clips.run, "auto", leave="auto", enter="auto", library=library)
    assert_written(folder / "out.bvh", joined)
    assert len(read(folder / "out.bvh")) > 100


FILL = ("fill", "stroll.bvh", "--gap", "1.1:1.6", "-o", "out.bvh")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*FILL, "--library", "nowhere"), "nowhere: there is no library"),
        ((*FILL, "--library", "stroll.bvh"), "stroll.bvh: is not a library: it is a file of another kind"),
        ((*FILL, "--library", "."), "is not a library"),
        ((*FILL, "--variants", "0"), "--variants is 0: it must be a whole number from 1 to 20"),
        ((*FILL, "--variants", "1000"), "--variants is 1000"),
        ((*FILL, "--variants", "2", "--prior", "none"), "variants need a prior"),
        ((*FILL, "--variants", "2", "--gap", "2:2.2"), "variants are made of one gap and the whole body"),
        ((*FILL, "--variants", "2", "--joints", "left_arm"), "variants are made of one gap and the whole body"),
        ((*FILL, "--variants", "2", "--report", "out_2.bvh"), "out_2.bvh would be written twice"),
        (("transition", "stroll.bvh", "clips.run", "-o", "o.bvh", "--variants", "-1"), "--variants is -1"),
        (("transition", "stroll.bvh", "clips.run", "-o", "o.bvh", "--library", "no"), "no: there is no library"),
    ],
    ids=lambda value: " ".join(value[4:]) if isinstance(value, tuple) else "",
)
def test_bad_input_gets_a_sentence_and_leaves_no_file(
    arguments: tuple[str, ...], sentence: str, folder: Path, command: Run
) -> None:
    code, shown, complaint = command(*arguments)
    assert code == 2
    assert shown == ""
    (error,) = complaint.splitlines()
    assert error.startswith("segue: error: ")
    assert sentence in error
    assert [path.name for path in folder.iterdir()] == ["stroll.bvh"]
