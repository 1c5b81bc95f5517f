"""Programs: patterns in order, a line each."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.dance.notation.model import Foot, FootPosition, Pattern, Step
from segue.dance.patterns.program import Program, ProgramLine, read_program
from segue.errors import ArgumentError, FileFormatError

NAMES = st.text("abcdefghij kz", min_size=1, max_size=12).map(str.strip).filter(bool)


def written(folder: Path, text: str) -> Path:
    path = folder / "evening.program"
    path.write_text(text, encoding="utf-8")
    return path


def pattern(title: str) -> Pattern:
    dance, _, name = title.partition("/")
    return Pattern(dance, name, (Step(Foot.LEFT, FootPosition.FORWARD, 2),))


def test_lines_comments_and_repeats(tmp_path: Path) -> None:
    text = (
        "# an evening\n\nfoxtrot/forward basic x 4\n  waltz / left box turn   # once\ntango/corte X2\nswing/big xylo\n"
    )
    program = read_program(written(tmp_path, text))
    assert program.lines == (
        ProgramLine("foxtrot/forward basic", 4, 3),
        ProgramLine("waltz/left box turn", 1, 4),
        ProgramLine("tango/corte", 2, 5),
        ProgramLine("swing/big xylo", 1, 6),
    )
    assert [each.title for each in program.patterns(pattern)] == [
        *["foxtrot/forward basic"] * 4,
        "waltz/left box turn",
        *["tango/corte"] * 2,
        "swing/big xylo",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("# nothing\n", "empty"),
        ("\nforward basic\n", ":2: .*names no pattern"),
        ("a/b/c", "names no pattern"),
        ("foxtrot/basic x", "repeated ''"),
        ("foxtrot/basic x 0", "from 1 to 1000"),
        ("foxtrot/basic x -3", "repeated '-3'"),
        ("foxtrot/basic x 1001", "from 1 to 1000"),
        ("foxtrot/basic x four", "repeated 'four'"),
        ("foxtrot/basic x " + "9" * 5000, "whole number"),
    ],
)
def test_what_is_no_program_is_told(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        read_program(written(tmp_path, text))


def test_a_pattern_that_is_unknown_is_told_with_its_line(tmp_path: Path) -> None:
    def find(title: str) -> Pattern:
        raise ArgumentError(f"there is no pattern '{title}'")

    with pytest.raises(FileFormatError, match=r"evening.program:2: there is no pattern 'a/b'"):
        read_program(written(tmp_path, "#\na/b")).patterns(find)
    with pytest.raises(ArgumentError):
        Program((ProgramLine("a/b"),)).patterns(find)


@given(st.lists(st.tuples(NAMES, NAMES, st.integers(1, 3)), min_size=1, max_size=6))
def test_titles_and_repeats_are_read_in_order(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, str, int]]
) -> None:
    titles = [f"{dance}/{name}" for dance, name, times in lines for _ in range(times)]
    path = tmp_path_factory.mktemp("program") / "a.program"
    path.write_text("".join(f"{dance}/{name} x {times}\n" for dance, name, times in lines), encoding="utf-8")
    assert [each.title for each in read_program(path).patterns(pattern)] == titles
