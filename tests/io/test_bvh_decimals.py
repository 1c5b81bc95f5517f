"""Numbers in text: what is parsed is what `float` gives, what is printed is shortest and reads back bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from segue.io.bvh.decimals import format_number, format_rows, parse_rows

FINITE = st.floats(allow_nan=False, allow_infinity=False)
# what capture files hold: a few digits before the point, a few after
PLAIN = st.builds(lambda whole, decimals: whole / 10**decimals, st.integers(-(10**12), 10**12), st.integers(0, 12))


@st.composite
def number_texts(draw: st.DrawFn) -> str:
    """Draw any spelling of a finite number."""
    whole = draw(st.text("0123456789", max_size=25))
    fraction = draw(st.text("0123456789", max_size=25, min_size=0 if whole else 1))
    point = "." if fraction or draw(st.booleans()) else ""
    exponent = draw(st.one_of(st.just(""), st.integers(-340, 280).map(lambda e: f"{draw(st.sampled_from('eE'))}{e:+}")))
    return draw(st.sampled_from(["", "-", "+"])) + whole + point + fraction + exponent


@settings(max_examples=500, deadline=None, derandomize=True)
@given(texts=st.lists(number_texts(), min_size=1, max_size=20))
@example(texts=["9007199254740993", "9007199254740992", "9007199254740991"])  # around 2^53
@example(texts=["1e22", "1e23", "1e-22", "1e-23", "123456789e22", "1e0000000000000000000000005"])
@example(texts=["0.1000000000000000055511151231257827021181583404541015625"])
@example(texts=["2.2250738585072011e-308", "4.9e-324", "1.7976931348623157e308", "1e-99999999999999999999"])
@example(texts=["-0", "-0.0", "-.0e5", "00000000000000000000000.5", "18446744073709551616", "99999999999999999999"])
def test_numbers_are_parsed_as_float_does(texts: list[str]) -> None:
    rows, bad = parse_rows(" ".join(texts).encode(), 0, len(texts))
    assert bad == -1
    assert rows.tobytes() == np.array([[float(text) for text in texts]]).tobytes()


@settings(max_examples=500, deadline=None, derandomize=True)
@given(rows=st.lists(st.lists(st.one_of(PLAIN, FINITE), min_size=3, max_size=3), min_size=1, max_size=5))
@example(rows=[[0.0, -0.0, 5e-324]])
@example(rows=[[1.7976931348623157e308, 1e22, 1e23]])
@example(rows=[[0.1 + 0.2, 2.0**53, 2.0**53 + 2]])
@example(rows=[[1e-5, 1.2e-16, 1e-22]])
def test_printed_rows_read_back_bit_for_bit(rows: list[list[float]]) -> None:
    values = np.array(rows)
    text = b"".join(format_rows(values))
    again, bad = parse_rows(text, 0, 3)
    assert bad == -1
    assert again.tobytes() == values.tobytes()
    assert text.count(b"\n") == len(rows)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(value=st.one_of(PLAIN, FINITE))
@example(value=123456.789)
@example(value=1e-7)
def test_printed_numbers_have_the_digits_of_repr(value: float) -> None:
    text = b"".join(format_rows(np.array([[value]]))).decode().rstrip()
    assert text == format_number(value)
    assert _significant(text) == _significant(repr(value))


def _significant(text: str) -> str:
    return text.lower().partition("e")[0].lstrip("-").replace(".", "").strip("0")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (90.0, "90"),
        (-0.000002, "-0.000002"),
        (1.2e-16, "0.00000000000000012"),
        (1e22, "10000000000000000000000"),
        (287.536011, "287.536011"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-100, "1e-100"),
        (-1.5e300, "-1.5e+300"),
    ],
)
def test_numbers_are_printed_plainly(value: float, text: str) -> None:
    assert format_number(value) == text
    assert b"".join(format_rows(np.array([[value]]))) == text.encode() + b"\n"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(word=st.text("0123456789+-.eE", max_size=8).filter(bool))
def test_a_word_is_a_number_exactly_when_float_says_so(word: str) -> None:
    try:
        expected = np.array([[float(word)]])
    except ValueError:
        expected = np.empty((0, 1))
    rows, bad = parse_rows(word.encode(), 0, 1)
    if np.isinf(expected).any():
        assert bad == 0
    else:
        assert rows.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("text", "columns", "bad"),
    [
        (b"1 2\n3 4\n", 2, -1),
        (b"\n\n1 2\r\n\r\n3 4", 2, -1),
        (b"1 2\n3\n4 5\n", 2, 4),
        (b"1 2\r\n3 4 5\r\n", 2, 5),
        (b"1 2\n3 nan\n", 2, 4),
        (b"1 2\n3 1e400\n4 5", 2, 4),
        (b"1 2\n\n  3 x\n", 2, 5),
        (b"1 2\n3 4\x00\n", 2, 4),
        (b"", 2, -1),
    ],
)
def test_the_first_bad_row_is_found(text: bytes, columns: int, bad: int) -> None:
    rows, found = parse_rows(text, 0, columns)
    assert found == bad
    assert rows.shape[1] == columns
