"""Numba kernels that are compiled once, kept on disk, and say so in one line while it happens.

Every compiled function of Segue is decorated with :func:`compiled`. It differs from ``numba.njit`` in three ways: the
global interpreter lock is released; a one-line notice goes to stderr when a function is really being compiled (nothing
is printed when it comes from the cache); and the cache is aware of every Segue module that the function's module
imports, where numba alone looks at one file and would go on using stale machine code.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from llvmlite import binding as llvm
from numba import njit
from numba.core import event
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.targetconfig import ConfigStack

FAST_MATH = frozenset({"contract", "reassoc", "nsz", "arcp"})
"""Licence to fuse and reorder arithmetic; unlike plain ``fastmath``, NaN and infinity keep their meaning."""

_SECONDS = "__segue_compile_seconds__"
_PACKAGE = __name__.partition(".")[0]


def compiled(*, seconds: float, inline: bool = False, fast_math: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function on first use; ``seconds`` is about how long that takes.

    With ``inline`` the function has no machine code of its own: it becomes part of each caller. With ``fast_math`` its
    arithmetic may be fused and reordered (see ``FAST_MATH``), and that of inlined functions in it.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        setattr(function, _SECONDS, seconds)
        # numba lets a function inherit flags that are not given from whichever caller happens to compile it first
        options: dict[str, Any] = {
            "error_model": "numpy",
            "nogil": True,
            "forceinline": inline,
            "fastmath": set(FAST_MATH) if fast_math else False,
            "pipeline_class": _Compiler,
        }
        if inline:
            return _inlined(function, options)
        try:
            dispatcher = njit(cache=True, **options)(function)
        except RuntimeError:
            # no folder can be written to, not even the user's cache: compile anew in every process
            return njit(**options)(function)
        _watch_sources(dispatcher, sys.modules[function.__module__])
        return dispatcher

    return decorate


def _inlined(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return a function that becomes part of its callers, and has fast arithmetic where they have."""
    plain = njit(**options)(function)
    if options["fastmath"]:
        return plain
    fast = njit(**options | {"fastmath": set(FAST_MATH)})(function)
    template, overload = plain.get_call_template, plain.get_overload

    # numba asks for these two while it compiles a caller, whose flags are then on top of a stack
    def in_fast_math() -> bool:
        flags = ConfigStack.top_or_none()
        return flags is not None and bool(flags.fastmath)

    plain.get_call_template = lambda args, kws: (fast.get_call_template if in_fast_math() else template)(args, kws)
    plain.get_overload = lambda signature: (fast.get_overload if in_fast_math() else overload)(signature)
    return plain


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of one kernel, which runs the same instructions whatever else the process has loaded.

    Numba links a copy of each callee into its caller as a weak symbol, and the loader resolves all weak symbols of one
    name to the copy that it meets first. A process that compiles meets the callee's own code first. A process that
    loads the caller from the cache meets the caller's copy, which was optimised once more and may round differently.
    In this class the copies are private to the caller, so that no call leaves it.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own_names: set[str] = set()
        self._shared_module: Any = None

    def add_llvm_module(self, ll_module: Any) -> None:
        """Add code of the kernel itself; callees are linked later, by ``finalize``."""
        self._own_names.update(function.name for function in ll_module.functions if not function.is_declaration)
        super().add_llvm_module(ll_module)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            # names of compiled functions are mangled; numba's pass that removes reference counts knows NRT_* by name
            if function.name.startswith("_Z") and not function.is_declaration and function.name not in self._own_names:
                function.linkage = "internal"
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """Return the code that callers copy: what the cache gives back, since parsing may reorder uses of values."""
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(super()._get_module_for_linking().as_bitcode())
        return self._shared_module


_numba_functions: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
"""Functions of numba itself, such as powers, that it has compiled for our kernels: for plain and for fast arithmetic.

Numba has one table, and so takes over the arithmetic of whichever kernel happens to need a function first.
"""


class _Compiler(Compiler):  # type: ignore[misc]
    """Compiles into a ``_Library``."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile one function for the argument types given to the constructor."""
        self.state.targetctx.cached_internal_func = _numba_functions[bool(self.state.flags.fastmath)]
        self.state.library = _Library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class _Notice(event.Listener):  # type: ignore[misc]
    """Prints one line for the outermost Segue function that is being compiled in a thread."""

    def __init__(self) -> None:
        self._thread = threading.local()

    def on_start(self, event: Any) -> None:
        """Announce a compilation unless one is already under way in this thread."""
        function = event.data["dispatcher"].py_func
        seconds = getattr(function, _SECONDS, None)
        depth = getattr(self._thread, "depth", 0)
        self._thread.depth = depth + 1
        if seconds is not None and depth == 0:
            message = f"segue: compiling {function.__name__.strip('_')} (once, about {seconds:.0f} s)\n"
            # one write call, so that notices of several threads do not mix
            sys.stderr.write(message)
            sys.stderr.flush()

    def on_end(self, event: Any) -> None:
        """Count back out of a nested compilation."""
        self._thread.depth -= 1


event.register("numba:compile", _Notice())


class _CacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """An index that counts as empty when it cannot be read, such as one that names a module of an older version."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:
            return {}


def _watch_sources(dispatcher: Any, module: ModuleType) -> None:
    """Make the cache of one function stale when any Segue module that its module imports changes."""
    cache = dispatcher._cache
    if getattr(module, "__file__", None) is None:
        return  # typed into a notebook or a prompt
    cache._cache_file = _CacheFile(
        cache_path=cache.cache_path,
        filename_base=cache._impl.filename_base,
        source_stamp=_stamp(frozenset(_sources(module))),
    )


def _sources(module: ModuleType) -> set[str]:
    """Return the files of a module and of the Segue modules that it takes names from, directly or not."""
    seen: dict[str, str] = {}
    waiting = [module]
    while waiting:
        current = waiting.pop()
        file = getattr(current, "__file__", None)
        if current.__name__ in seen or file is None:
            continue
        seen[current.__name__] = file
        waiting.extend(_imports(current))
    return set(seen.values())


def _imports(module: ModuleType) -> Iterator[ModuleType]:
    for value in list(vars(module).values()):
        if isinstance(value, ModuleType):
            name: str = value.__name__
        else:
            # dispatchers and intrinsics carry the module of the Python function they wrap
            origin = getattr(value, "py_func", getattr(value, "_defn", value))
            name = getattr(origin, "__module__", None) or ""
        if isinstance(name, str) and name.partition(".")[0] == _PACKAGE and name in sys.modules:
            yield sys.modules[name]


@lru_cache(maxsize=256)
def _stamp(files: frozenset[str]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        try:
            digest.update(Path(file).read_bytes())
        except OSError:  # inside a zip archive: the path is all there is
            digest.update(file.encode())
    return digest.hexdigest()
