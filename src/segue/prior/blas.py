"""Small matrix products on one thread of BLAS."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

_lock = threading.Lock()
_inside = 0
_before = 0


@cache
def _thread_count() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions that get and set the number of threads of NumPy's OpenBLAS, or None for other libraries."""
    for module in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        path = getattr(sys.modules.get(module), "__file__", None)
        library = ctypes.CDLL(path) if path else None
        for name in ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads"):
            if library is not None and hasattr(library, name.format("set")):
                return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS multiply matrices on the calling thread alone until the block ends.

    Threads of BLAS wait for each other by spinning. On a busy machine a product of small matrices then takes many
    times as long as on one thread. The number of threads also decides how sums are rounded, so that results would
    depend on the machine. The limit holds for the process. It ends when the last of several threads leaves its block.
    """
    global _inside, _before
    functions = _thread_count()
    if functions is None:
        yield
        return
    get, set_to = functions
    with _lock:
        if _inside == 0:
            _before = get()
            set_to(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                set_to(_before)
