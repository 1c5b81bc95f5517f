"""Messages: what is written is read again, bad ones get one sentence, JavaScript's types are up to date."""

from __future__ import annotations

import json
import struct
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ArgumentError
from segue.serve import javascript
from segue.serve.framing import framed, unframed
from segue.serve.message import Request
from segue.serve.messages import REQUESTS, binary, read, shape_of, written
from segue.serve.replies import MotionShown
from segue.serve.requests import Change, Edit
from segue.serve.shapes import ArrayShape


def _values(made: Any) -> st.SearchStrategy[Any]:
    origin, inside = get_origin(made), get_args(made)
    if origin is Literal:
        return st.sampled_from(inside)
    if origin is Union or type(None) in inside:
        return st.one_of(st.none() if each is type(None) else _values(each) for each in inside)
    if origin is tuple and inside[-1] is Ellipsis:
        return st.lists(_values(inside[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(_values(each) for each in inside))
    if made is float:
        return st.floats(-1e9, 1e9)
    if made is int:
        return st.integers(-(2**53), 2**53)
    if made is str:
        return st.text(max_size=10)
    if made is bool:
        return st.booleans()
    return st.builds(made, **{field.name: _values(field.type) for field in shape_of(made)})


@given(st.sampled_from(list(REQUESTS.values())).flatmap(_values))
def test_a_request_is_read_as_it_was_written(request_made: Request) -> None:
    assert read(written(request_made)) == request_made


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "no kind"),
        ('{"kind": "eddit"}', "it must be one of|did you mean|edit"),
        ('{"kind": "edit", "changes": []}', "needs the field 'rev'"),
        ('{"kind": "edit", "rev": true, "changes": []}', "a whole number is needed"),
        (
            '{"kind": "edit", "rev": 1, "changes": [{"start": 0, "stop": 1}]}',
            r"edit.changes\[0\] needs the field 'text'",
        ),
        ('{"kind": "undo", "force": 1}', "no field 'force'"),
        ('{"kind": "drag", "rev": 1, "time": NaN, "point": "left_hand", "place": [0, 0, 0]}', "a number is needed"),
        ('{"kind": "drag", "rev": 1, "time": 1, "point": "left_hand", "place": [0, 0]}', "a list of 3"),
        ('{"kind": "resolve", "keep": "all"}', "mine, theirs"),
    ],
)
def test_a_bad_request_gets_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        read(text)


@given(st.binary(max_size=60))
def test_bytes_that_are_no_message_raise_an_error_of_ours(data: bytes) -> None:
    with pytest.raises(ArgumentError):
        unframed(data)


def test_arrays_come_back_and_lie_where_javascript_can_view_them() -> None:
    arrays = {"a": np.arange(3, dtype="u1"), "b": np.ones((2, 3), "f4"), "c": np.arange(5, dtype="u2"), "d": np.eye(2)}
    data = framed({"kind": "x", "name": "ä"}, arrays)
    header, back = unframed(data)
    assert header["name"] == "ä"
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array)
        assert back[name].dtype == array.dtype
    begin = 4 + struct.unpack_from("<I", data)[0]
    assert all((begin + each["offset"]) % 8 == 0 for each in header["arrays"])


def test_the_header_of_a_binary_reply_lists_its_arrays() -> None:
    motion = MotionShown(3, "0", "shown", 0, 0.0, 30.0, None)
    header, _ = unframed(binary(motion, {"root": np.zeros((2, 3), "f4")}))
    assert header["kind"] == "motion"
    assert [ArrayShape(**each | {"shape": tuple(each["shape"])}) for each in header["arrays"]] == [
        ArrayShape("root", "f4", (2, 3), 0)
    ]


def test_text_travels_as_it_is() -> None:
    edit = Edit(1, (Change(0, 1, "# ä 😀 \u2028"),))
    assert json.loads(written(edit))["changes"][0]["text"] == "# ä 😀 \u2028"


def test_the_types_for_javascript_are_up_to_date() -> None:
    assert javascript.path().read_text(encoding="utf-8") == javascript.module(), "run python -m segue.serve.javascript"
