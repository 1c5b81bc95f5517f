"""`use library(...)`: gaps filled from clips, within the folder and the limits of scripts."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

import segue as sg
from segue.filling import fill, fill_gaps, transition
from segue.language import Context, Function, LanguageError, LimitError, Limits, Session, register_function, table
from segue.language.completion import help_text
from segue.library import Library
from tests.language.stage import assert_identical

GAPPED = "concat(clips.walk, clips.run, gap=0.6)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two libraries, an empty one, and a folder of clips that is none."""
    here = tmp_path_factory.mktemp("workspace")
    for library, names in (("steps", ("walk", "run")), ("arms", ("wave", "salute"))):
        (here / f"{library}_clips").mkdir()
        for name in names:
            sg.save(sg.clips.clip(name), here / f"{library}_clips" / f"{name}.bvh")
        Library.build(here / f"{library}_clips", here / library)
    (here / "nothing").mkdir()
    Library.build(here / "nothing", here / "empty")
    (here / "deep").mkdir()
    (here / "steps").rename(here / "deep" / "steps")
    return here


FILL = 'fill(clips.walk, 1.2, 1.7, prior="library")'


def asked(motion: object) -> bool:
    """Whether a library was asked about the gap of a motion, whatever it knew."""
    assert isinstance(motion, sg.Motion)
    (report,) = motion.fills
    return report.match is not None


def names_in_use(session: Session) -> set[str]:
    """Return the names of the clips that are drawn on."""
    return set() if session.library is None else {entry.name for entry in session.library.entries}


def test_a_library_is_used_until_another_one_or_none_is(folder: Path) -> None:
    session = Session(folder)
    with pytest.raises(LanguageError, match="there is no library"):
        session.run(FILL)
    assert asked(session.run('use library("deep/steps")\n' + FILL))
    # the next line at the prompt still draws on it
    assert asked(session.run(FILL))
    assert names_in_use(session) == {"walk.bvh", "run.bvh"}
    assert asked(session.run("use library('arms/'); " + FILL))
    assert names_in_use(session) == {"wave.bvh", "salute.bvh"}
    assert session.run("use library()") is None
    with pytest.raises(LanguageError, match="there is no library"):
        session.run(FILL)


def test_the_language_gives_the_same_motions_as_python(folder: Path) -> None:
    library = [*Library(folder / "deep" / "steps"), *Library(folder / "arms")]
    session = Session(folder)
    session.run('use library("deep/steps", "arms")')
    gapped = sg.concatenate(sg.clips.walk, sg.clips.run, gap=0.6)
    for text, motion in (
        ("fill(clips.walk, 1.2, 1.7)", fill(sg.clips.walk, [(1.2, 1.7)], library=library)),
        (f'fill_gaps({GAPPED}, mode="free")', fill_gaps(gapped, mode="free", library=library)),
        (
            'transition(clips.walk, clips.run, "auto", leave="auto", enter=[0.2, 1.2])',
            transition(sg.clips.walk, sg.clips.run, "auto", leave="auto", enter=(0.2, 1.2), library=library),
        ),
    ):
        typed = session.run(text)
        assert isinstance(typed, sg.Motion)
        assert asked(typed)
        assert_identical(typed, motion)


def test_definitions_use_what_is_in_use_when_they_are_called(folder: Path) -> None:
    session = Session(folder)
    session.run('def mended(m) = fill(m, 1.2, 1.7, prior="library")')
    with pytest.raises(LanguageError, match="there is no library"):
        session.run("mended(clips.walk)")
    assert asked(session.run('use library("deep/steps"); mended(clips.walk)'))


def test_an_empty_library_is_told_and_does_no_harm(folder: Path) -> None:
    with pytest.warns(sg.SegueWarning, match="the library is empty: gaps are filled by least effort alone"):
        motion = Session(folder).run('use library("empty"); fill(clips.stand, 1.2, 1.7)')
    assert isinstance(motion, sg.Motion)
    assert not sg.gaps(motion)


@pytest.mark.parametrize(
    ("script", "column", "sentence"),
    [
        ('use libary("arms")', 5, "'libary' cannot be used: did you mean library?"),
        ('use clips("arms")', 5, "'clips' cannot be used: there is library"),
        ("use library(3)", 13, "library needs the name of a file in quotes, not a number"),
        ("use library(clips.walk)", 13, "library needs the name of a file in quotes, not a motion"),
        ('use library(path="arms")', 13, "library has no parameter 'path': it takes names of files"),
        ('use library("arms", "armss")', 21, "there is no file 'armss' below the folder the script is run in"),
        ('use library("")', 13, "'' is not the name of a file"),
        ('use library("arms_clips")', 13, "there is no file 'arms_clips' below the folder the script is run in"),
        ('use library("arms_clips/wave.bvh")', 13, "is not a library"),
        ('use library("../elsewhere")', 13, "lies outside the folder the script is run in"),
        ('use library("/etc")', 13, "lies outside the folder the script is run in"),
        ('use library("leading_out")', 13, "lies outside the folder the script is run in"),
        ("use library", 12, "the script ends where '(' was expected"),
        ("use", 4, "the script ends where a name was expected"),
        ("use = 3", 5, "'=' cannot stand here: a name was expected"),
        ("x = use", 5, "'use' cannot stand here: a value was expected"),
        ('transition(clips.walk, clips.run, leave="soon")', 35, 'a list of two times, "auto" or "end" as \'leave\''),
        (
            "transition(clips.walk, clips.run, enter=[1, 2, 3])",
            35,
            'a list of two times, "auto" or "start" as \'enter\'',
        ),
        ("transition(clips.walk, clips.run, leave=[2, 1])", 1, "the second time must not be before the first"),
        ("transition(clips.walk, clips.run, leave=[7, 9])", 1, "the first motion lasts from 0 to 3.2 s"),
    ],
)
def test_mistakes_are_told_where_they_are(script: str, column: int, sentence: str, folder: Path) -> None:
    link = folder / "leading_out"
    if not link.is_symlink():
        link.symlink_to(folder.parent, target_is_directory=True)
    with pytest.raises(LanguageError) as told:
        Session(folder).run(script)
    assert sentence in told.value.message
    assert told.value.column == column


def test_libraries_count_as_bytes_that_are_read(folder: Path) -> None:
    with pytest.raises(LimitError, match="the script reads more than"):
        Session(folder, Limits(file_bytes=1000)).run('use library("arms")')


def test_looking_for_moments_counts_as_comparing_and_filling() -> None:
    with pytest.raises(LimitError, match="frames are too many to compare"):
        Session(limits=Limits(compared=100)).run('transition(clips.walk, clips.run, leave="auto")')
    with pytest.raises(LimitError, match="fills more than 5 gaps"):
        Session(limits=Limits(fills=5)).run('transition(clips.walk, clips.run, leave="auto")')


def test_a_failure_leaves_the_library_that_was_in_use(folder: Path) -> None:
    session = Session(folder)
    session.run('use library("arms")')
    before = session.library
    with pytest.raises(LanguageError):
        session.run('use library("arms_clips")')
    assert session.library is before


def test_functions_of_ones_own_know_what_is_in_use(folder: Path) -> None:
    def names(context: Context) -> list[str]:
        return [] if context.library is None else [entry.name for entry in context.library.entries]

    with mock.patch.dict(table._functions):
        register_function(Function("known_clips", (), names, "Names of clips.", "known_clips()"))
        assert Session(folder).run("known_clips()") == ()
        assert Session(folder).run('use library("arms"); known_clips()') == ("salute.bvh", "wave.bvh")


def test_help_tells_of_it() -> None:
    assert "use library(" in help_text("use")
    assert "help use" in help_text()
