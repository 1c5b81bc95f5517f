"""BLAS uses one thread within a block, whichever threads are in one, and as many as before afterwards."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from segue.prior import network


def test_the_limit_ends_with_the_last_block() -> None:
    functions = network._thread_count()
    if functions is None:
        pytest.skip("NumPy does not use OpenBLAS")
    get, set_to = functions
    usual, both = get(), Barrier(2)

    def inside(_: int) -> int:
        with network.one_blas_thread():
            both.wait()
            return get()

    set_to(2)
    try:
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(inside, range(20))) == [1] * 20
        assert get() == 2
        with pytest.raises(ZeroDivisionError), network.one_blas_thread():
            raise ZeroDivisionError
        assert get() == 2
    finally:
        set_to(usual)
