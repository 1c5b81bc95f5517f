"""Checks of values that users give: what passes comes back as computed with, the rest raises one sentence."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue import checks
from segue.errors import ArgumentError

NOT_NUMBERS = [
    None,
    True,
    np.bool_(False),
    "1",
    b"1",
    1j,
    np.complex128(1),
    [1.0],
    np.ones(1),
    math.nan,
    math.inf,
    10**400,
]


@pytest.mark.parametrize("value", [2, 2.0, np.int64(2), np.float32(2), np.array(2.0), Fraction(2)])
def test_numbers_of_any_kind_become_floats(value: object) -> None:
    found = checks.number("x", value)
    assert (found, type(found)) == (2.0, float)


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=range(len(NOT_NUMBERS)))
def test_a_value_that_is_no_finite_number_is_named(value: object) -> None:
    with pytest.raises(ArgumentError, match=r"^the size is .*: a number is needed$") as raised:
        checks.number("the size", value)
    assert len(str(raised.value)) < 130


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(-10, 10))
def test_numbers_lie_in_their_range(value: float, least: float, most: float) -> None:
    if least <= value <= most:
        assert checks.number("x", value, least=least, most=most) == value
    else:
        with pytest.raises(ArgumentError, match=r"^x is .*: a number from .* to .* is needed$"):
            checks.number("x", value, least=least, most=most)


@pytest.mark.parametrize("value", [1, np.int32(1), np.uint8(1)])
def test_whole_numbers_become_ints(value: object) -> None:
    found = checks.integer("x", value, least=1)
    assert (found, type(found)) == (1, int)


@pytest.mark.parametrize("value", [1.0, "1", True, None, 0, math.nan])
def test_a_value_that_is_no_whole_number_in_range_is_named(value: object) -> None:
    with pytest.raises(ArgumentError, match=r"^x is .*: a whole number of 1 or more is needed$"):
        checks.integer("x", value, least=1)


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: checks.positive("fps", 0), "fps is 0: a positive number is needed"),
        (lambda: checks.positive("fps", 0, "frames"), "fps is 0: a positive number of frames is needed"),
        (lambda: checks.number("x", -1, least=0), "x is -1: a number of 0 or more is needed"),
        (lambda: checks.number("x", -1, least=0, unit="m"), "x is -1: a number of m, 0 or more, is needed"),
        (lambda: checks.number("x", 2, most=1), "x is 2: a number of 1 or less is needed"),
        (lambda: checks.number("x", 2, above=3), "x is 2: a number above 3 is needed"),
        (lambda: checks.number("x", "a", needed="a time is needed"), "x is 'a': a time is needed"),
        (lambda: checks.integer("x", 7, least=1, most=5), "x is 7: a whole number from 1 to 5 is needed"),
        (lambda: checks.choice("sex", "femal", ["female", "male"]), "sex is 'femal': did you mean 'female'?"),
        (lambda: checks.choice("sex", 3, ["female", "male"]), "sex is 3: it must be one of female, male"),
        (lambda: checks.array("x", [1, "a"]), "x is [1, 'a']: an array of finite numbers is needed"),
        (
            lambda: checks.array("x", [1, 2], (3,)),
            "x has shape (2,): an array of finite numbers of shape (3,) is needed",
        ),
        (
            lambda: checks.array("x", np.ones((4, 2)), ("frames", 3)),
            "x has shape (4, 2): an array of finite numbers of shape (frames, 3) is needed",
        ),
        (lambda: checks.array("x", [0, np.nan]), "x is nan at index 1: every number must be finite"),
        (lambda: checks.array("x", [[0], [np.inf]]), "x is inf at index (1, 0): every number must be finite"),
        (lambda: checks.times("times", []), "times has 0 times: at least 1 are needed"),
        (lambda: checks.times("times", [0, 2, 1]), "times has 1 s after 2 s: times must increase"),
    ],
)
def test_sentences(check: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        check()
    assert str(raised.value) == sentence


def test_arrays_and_times_come_back() -> None:
    assert checks.array("x", [[1, 2, 3]], ("frames", 3)).tolist() == [[1.0, 2.0, 3.0]]
    assert np.isnan(checks.array("x", [np.nan], finite=False)).all()
    assert checks.array("x", []).shape == (0,)
    assert checks.times("times", (0, 0.5)).tolist() == [0.0, 0.5]
    assert checks.choice("sex", "male", ["female", "male"]) == "male"


def test_names_are_suggested_in_any_case() -> None:
    assert checks.did_you_mean("left_elbo", ["Left_Elbow", "right_knee"]) == "did you mean 'Left_Elbow'?"
    assert checks.did_you_mean("knee", ["left knee", "right_wrist"]) == "did you mean 'left knee'?"
    assert checks.did_you_mean("xyz", ["left_elbow"]) == ""
    assert checks.did_you_mean("x" * 10**6, ["left_elbow"]) == ""
    assert checks.hint("xyz", ["b", "a"], "there are") == "there are b, a"
