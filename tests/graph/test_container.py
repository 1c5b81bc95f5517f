"""Files of graphs: what is written is read, and damage gets one sentence."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from segue.errors import FileFormatError
from segue.graph.container import pack, read_container, unpack, write_container

ARRAYS = st.sampled_from(["<f4", "<f8", "<i4", "|u1"]).flatmap(
    lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
)
VALUES = st.dictionaries(st.text(max_size=5), st.one_of(st.integers(-9, 9), st.text(max_size=5)), max_size=3)


@given(VALUES, st.dictionaries(st.text(max_size=5), ARRAYS, max_size=3))
def test_contents_come_back(values: dict[str, object], given_arrays: dict[str, np.ndarray]) -> None:
    block = pack(values, given_arrays)
    read, found = unpack(block)
    assert read == values
    assert found.keys() == given_arrays.keys()
    for name, array in given_arrays.items():
        np.testing.assert_array_equal(found[name], array)
    assert pack(values, given_arrays) == block


@given(st.binary(max_size=60), st.integers(0, 200))
def test_damage_gets_a_sentence(noise: bytes, at: int) -> None:
    block = bytearray(pack({"a": 1}, {"b": np.arange(6, dtype="<f4")}))
    block[at : at + len(noise)] = noise
    for damaged in (bytes(block), bytes(block[:at]), noise):
        with suppress(FileFormatError):  # any other error is a failure
            unpack(damaged)


def test_pieces_make_up_a_file(tmp_path: Path) -> None:
    rows = np.arange(12, dtype="<f4").reshape(6, 2)
    write_container(tmp_path / "a", {}, {"rows": ("<f4", (6, 2))}, {"rows": iter([rows[:2], rows[2:]])})
    np.testing.assert_array_equal(read_container(tmp_path / "a")[1]["rows"], rows)
    with pytest.raises(ValueError, match="do not make up"):
        write_container(tmp_path / "b", {}, {"rows": ("<f4", (6, 2))}, {"rows": iter([rows[:2]])})
    assert not (tmp_path / "b").exists()
    with pytest.raises(FileFormatError, match="segue graph build"):
        read_container(tmp_path / "none")
