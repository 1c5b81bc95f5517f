"""Kernels: functions that numba compiles once, on first use, and keeps on disk.

Every compiled function of Segue is decorated with :func:`compiled`. It differs from ``numba.njit`` in four ways: numba
is imported when a kernel is first called, not before; the global interpreter lock is released; a notice goes to stderr
while a function is being compiled (nothing is printed when it comes from the cache); and the cache is aware of all that
the function is made of, down to the functions and constants of other modules, where numba alone looks at one file.
"""

from segue.compiled.copying import copy_into
from segue.compiled.kernel import FAST_MATH, Kernel, NumbaFunction, compiled
from segue.compiled.ref import Ref

__all__ = ["FAST_MATH", "Kernel", "NumbaFunction", "Ref", "compiled", "copy_into"]
