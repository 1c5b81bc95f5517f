"""Kernels: functions that numba compiles once, on first use, and keeps on disk.

Every compiled function of Segue is decorated with :func:`compiled`. It differs from ``numba.njit`` in four ways. It
imports numba when a kernel is first called, not before. It releases the global interpreter lock. It prints a notice to
stderr while a function is being compiled, but nothing when the function comes from the cache. The cache depends on all
code that the function calls and on the constants of other modules, while numba looks at one file.
"""

from segue.compiled.copying import copy_into
from segue.compiled.kernel import FAST_MATH, Kernel, NumbaFunction, compiled
from segue.compiled.kinds import Ref

__all__ = ["FAST_MATH", "Kernel", "NumbaFunction", "Ref", "compiled", "copy_into"]
