"""Functions of one's own in the language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.language import (
    MOTION,
    NUMBER,
    Context,
    Function,
    LanguageError,
    Parameter,
    evaluate,
    register_function,
    table,
)
from segue.language.completion import help_text

SLOWED = Function(
    "slowed",
    (Parameter("motion", MOTION), Parameter("by", NUMBER, 2.0)),
    lambda context, motion, by: sg.retime(motion, motion.start, by),
    "The motion, slower.",
    "slowed(clips.walk, by=3)",
)


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    with mock.patch.dict(table._functions):
        yield


def giving(value: object) -> Function:
    def apply(context: Context) -> object:
        return value

    return Function("given", (), apply, "A value.", "given()")  # type: ignore[arg-type]


def test_a_function_is_called_as_any_other() -> None:
    register_function(SLOWED)
    slow = evaluate("slowed(clips.walk, by=3)")
    assert isinstance(slow, sg.Motion)
    assert slow.duration == pytest.approx(3 * sg.clips.walk.duration)
    assert "slowed(motion, by=2)" in help_text("slowed")
    assert "  slowed " in help_text()
    with pytest.raises(LanguageError, match="slowed needs a motion as 'motion', not a number"):
        evaluate("slowed(1)")
    with pytest.raises(LanguageError, match="stretch must be positive"):
        evaluate("slowed(clips.walk, -1)")


def test_a_function_can_be_registered_again() -> None:
    register_function(SLOWED)
    register_function(replace(SLOWED, apply=lambda context, motion, by: 7))
    assert evaluate("slowed(clips.walk)") == 7.0


@pytest.mark.parametrize("name", ["retime", "affine", "concat", "pi", "clips", "help", "for", "left_arm", "left_elbow"])
def test_names_with_a_meaning_cannot_be_taken(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"'{name}' has a meaning already"):
        register_function(replace(SLOWED, name=name))


@pytest.mark.parametrize("name", ["", "two words", "1st", "größer"])
def test_a_name_is_one_word(name: str) -> None:
    with pytest.raises(ArgumentError, match="one word"):
        register_function(replace(SLOWED, name=name))


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(ArgumentError, match="a Function"):
        register_function(len)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        (3, 3.0),
        (np.float32(0.5), 0.5),
        ([1, [2, "a"]], (1.0, (2.0, "a"))),
        (True, True),
        (None, None),
    ],
)
def test_values_of_python_become_those_of_the_language(given: object, seen: object) -> None:
    register_function(giving(given))
    value = evaluate("given()")
    assert value == seen
    assert type(value) is type(seen)


@pytest.mark.parametrize("given", [{}, object(), [1, {}]])
def test_values_that_the_language_does_not_have_are_refused(given: object) -> None:
    register_function(giving(given))
    with pytest.raises(LanguageError, match=r"given gives .*: it must be a motion"):
        evaluate("given()")
