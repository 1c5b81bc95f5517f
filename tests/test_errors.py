"""Errors and warnings: whatever a file holds, a message is one printable line of bounded length."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.roles import load_map
from segue.dance.behaviour import read_dancer
from segue.dance.patterns.program import read_program
from segue.dance.simulation.push import read_pushes
from segue.errors import ArgumentError, FileFormatError, SegueError, SegueWarning, one_line, printable, warn_user

ESCAPES = "\x1b]0;title\x1b\\\x1b[2J\x07\x9b2J\u202e\x00"


@given(st.text(max_size=3000))
def test_any_text_becomes_one_printable_line(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= 900
    assert one_line(line) == line


def test_what_can_be_shown_stays_as_it_is() -> None:
    assert printable("Größe 1,75 m: 世界 [/] :smile:") == "Größe 1,75 m: 世界 [/] :smile:"
    assert printable("a\x1b[2J\udcff") == r"a\x1b[2J\udcff"


def test_errors_keep_beginning_and_end_of_a_long_message() -> None:
    error = FileFormatError(f"there is no role '{'x' * 5000}': did you mean 'pelvis'?", "map.toml", 3)
    assert len(str(error)) <= 900
    assert str(error).startswith("map.toml:3: there is no role 'xxx")
    assert str(error).endswith("xxx': did you mean 'pelvis'?")
    assert (error.path, error.line) == (Path("map.toml"), 3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.path, again.line) == (str(error), error.path, error.line)


def test_errors_and_warnings_hold_nothing_that_a_terminal_acts_on() -> None:
    for error in (SegueError(ESCAPES), ArgumentError(f"{ESCAPES}\nis wrong"), FileFormatError("is wrong", ESCAPES)):
        assert str(error).isprintable()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warn_user(f"{ESCAPES} was dealt with")
        warnings.warn(ESCAPES * 1000, SegueWarning, stacklevel=1)
    assert all(str(each.message).isprintable() and len(str(each.message)) <= 900 for each in told)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (load_map, f'{"x" * 5000} = "Hips"\n'),
        (load_map, f"pelvis = [{'7, ' * 3000}]\n"),
        (read_dancer, f"{'x' * 5000} = 3\n"),
        (read_dancer, f'[vocabulary.waltz]\n{"x" * 5000} = "no"\n'),
        (read_program, "x" * 5000),
        (read_pushes, "x" * 5000),
        (read_pushes, f"t=3 s, 80 N, 0.1 s, {'x' * 5000}, chest"),
    ],
)
def test_a_wrong_name_or_line_is_not_repeated_at_any_length(read: object, text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(text)
    assert callable(read)
    with pytest.raises(FileFormatError) as told:
        read(path)
    assert len(str(told.value)) <= 900
