"""References to named tuples: kernels read and write through them what they would by value."""

from __future__ import annotations

import gc
from typing import NamedTuple

import numpy as np
import pytest

from segue.compiled import Ref, compiled
from segue.typing import Array, Ints


class Inner(NamedTuple):
    rows: Array
    flags: np.ndarray
    height: float


class Outer(NamedTuple):
    counts: Ints
    on: bool
    inner: Inner
    size: int
    column: Array


@compiled(seconds=1)
def _rows_total(inner: Inner) -> float:
    total = 0.0
    for i in range(inner.rows.shape[0]):
        for j in range(inner.rows.shape[1]):
            if inner.flags[j]:
                total += inner.rows[i, j]
    return total + inner.height


@compiled(seconds=1)
def digest(outer: Outer, scale: float) -> float:
    """Return a number that every field changes, and write through the reference."""
    outer.column[0] = 5.0
    on = 1.0 if outer.on else -1.0
    return scale * on * (_rows_total(outer.inner) + outer.size) + outer.counts.sum() + outer.column[-1]


def outer_of(column: Array, on: bool = True) -> Outer:
    rows = np.arange(6.0).reshape(2, 3)
    return Outer(np.array([3, 4]), on, Inner(rows, np.array([True, False, True]), 0.5), -7, column)


@pytest.mark.parametrize("column", [np.arange(4.0), np.arange(8.0)[::2], np.arange(4.0)[::-1]])
def test_a_reference_reads_what_the_tuple_holds(column: Array) -> None:
    by_value, by_reference = outer_of(column.copy()), outer_of(column)
    for scale in (1.0, 2.5):
        assert digest(Ref(by_reference), scale) == digest(by_value, scale)
    assert digest(Ref(by_reference._replace(on=False, size=2)), 1.0) == digest(by_value._replace(on=False, size=2), 1.0)
    assert column[0] == 5.0


def test_a_reference_keeps_its_arrays_alive() -> None:
    refs = [Ref(outer_of(np.full(1000, float(k)))) for k in range(50)]
    gc.collect()
    rest = 10.5 + 0.0 - 7.0 + 7.0 - 3.0
    assert [digest(ref, 1.0) for ref in refs] == [digest(ref.value, 1.0) for ref in refs]
    assert digest(refs[9], 1.0) == pytest.approx(rest + digest(refs[0], 1.0) - rest + 9.0)


def test_tuples_with_fields_of_other_types_are_compiled_apart() -> None:
    whole, strided = Ref(outer_of(np.arange(4.0))), Ref(outer_of(np.arange(8.0)[::2]))
    again = Ref(outer_of(np.zeros(9)))
    assert whole._numba_type_ == again._numba_type_
    assert whole._numba_type_ != strided._numba_type_


def test_what_a_kernel_cannot_read_is_refused() -> None:
    with pytest.raises(TypeError, match="not str"):
        Ref(outer_of(np.zeros(2))._replace(size="seven"))  # type: ignore[arg-type]
