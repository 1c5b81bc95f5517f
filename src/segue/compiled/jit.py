"""Compiling kernels with numba, and the machine code on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from llvmlite import binding as llvm
from numba import config, njit
from numba.core import event
from numba.core.base import OverloadSelector
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

from segue.compiled.digest import digest_of
from segue.compiled.kernel import FAST_MATH, Kernel, helper, watchers

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same kernel
    fcntl = None

_KERNEL = "__segue_kernel__"
_PATIENCE = 120.0  # s after which a process compiles a kernel itself, though another seems to be at it
_CLEAR = "\r\x1b[K"  # back to the beginning of the line, and erase it
_SIGNATURE = 3  # where the signature stands in what numba keeps of a compilation
_digest = lru_cache(maxsize=None)(digest_of)


def dispatcher_of(kernel: Kernel) -> Any:
    """Return numba's dispatcher of a kernel."""
    function = kernel.py_func
    setattr(function, _KERNEL, kernel)
    # numba lets a function inherit flags that are not given from whichever caller happens to compile it first
    options: dict[str, Any] = {
        "error_model": "numpy",
        "nogil": True,
        "forceinline": kernel.inline,
        "fastmath": set(FAST_MATH) if kernel.fast_math else False,
        "pipeline_class": _Compiler,
        "no_cfunc_wrapper": True,  # nothing calls kernels from C
    }
    if kernel.inline:
        return _inlined(function, options | {"no_cpython_wrapper": True})
    try:
        dispatcher = njit(cache=True, **options)(function)
    except RuntimeError:
        # no folder can be written to, not even the user's cache: compile anew in every process
        return njit(**options)(function)
    module = sys.modules[function.__module__]
    if getattr(module, "__file__", None) is not None:  # not typed into a notebook
        # code is told apart by its digest alone, so that copies of Segue can share the folder a user names
        dispatcher._cache._cache_file = _Cache(kernel, config.CACHE_DIR or dispatcher._cache.cache_path)
        if getattr(module, function.__name__, None) is kernel:
            _link_by_symbol(dispatcher, kernel)
    return dispatcher


_symbols: dict[str, tuple[str, str, Any]] = {}
"""Kernels whose machine code is loaded, by symbol: module, name, and types of the arguments."""


def _link_by_symbol(dispatcher: Any, kernel: Kernel) -> None:
    """Let callers of a kernel declare it, instead of copying, optimising and compiling all of its code once more."""
    add, function = dispatcher.add_overload, kernel.py_func

    def add_overload(result: Any) -> None:
        add(result)
        context, symbol = result.target_context, result.fndesc.mangled_name
        context._defns[result.entry_point] = OverloadSelector()  # forgets the library, whose code would be copied
        context.insert_user_function(result.entry_point, result.fndesc, ())
        llvm.add_symbol(symbol, result.library.get_pointer_to_function(symbol))
        _symbols[symbol] = function.__module__, function.__name__, result.signature.args

    dispatcher.add_overload = add_overload


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
        self.declared: list[str] = []

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
        self.declared = [function.name for function in self._final_module.functions if function.is_declaration]

    def _get_module_for_linking(self) -> Any:
        """Return the code that callers copy: what the cache gives back, since parsing may reorder uses of values."""
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(super()._get_module_for_linking().as_bitcode())
        return self._shared_module


_numba_functions: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
"""Functions of numba itself, such as powers, that it has compiled for our kernels: for plain and for fast arithmetic.

Numba has one table, and so takes over the arithmetic of whichever kernel happens to need a function first.
"""


class _SortedSet(set[str]):
    """A set that is written in one order in every process: numba puts the flags into the names of functions."""

    def __repr__(self) -> str:
        return repr(sorted(self))


class _Compiler(Compiler):  # type: ignore[misc]
    """Compiles into a ``_Library``."""

    def _compile_bytecode(self) -> Any:
        """Name the machine code by what it is made of, so that callers find it in any process."""
        identity = self.state.func_id
        kernel: Kernel | None = getattr(identity.func, _KERNEL, None)
        if kernel is not None and not kernel.inline:
            identity.unique_id = int(_digest(kernel)[:15], 16)
            identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        fast_math = self.state.flags.fastmath
        fast_math.flags = _SortedSet(fast_math.flags)
        return super()._compile_bytecode()

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
        kernel: Kernel | None = getattr(function, _KERNEL, None)
        depth = getattr(self._thread, "depth", 0)
        self._thread.depth = depth + 1
        if kernel is not None and depth == 0:
            _start_helper()
            for watch in watchers:
                watch(function.__name__.strip("_"))
            notice = f"segue: compiling {function.__name__.strip('_')} (once, about {kernel.seconds:.0f} s)"
            # one write call, so that notices of several threads do not mix; in a terminal all use one line
            sys.stderr.write(f"{_CLEAR}{notice}" if sys.stderr.isatty() else f"{notice}\n")
            sys.stderr.flush()

    def on_end(self, event: Any) -> None:
        """Count back out of a nested compilation."""
        self._thread.depth -= 1
        if self._thread.depth == 0 and sys.stderr.isatty():
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


_helpers: list[subprocess.Popen[bytes]] = []


def _start_helper() -> None:
    """Let a second process compile what will be needed later, if there is a core for it."""
    if helper and (os.cpu_count() or 1) > 1:
        # it ends with this process, which holds the other end of its input
        command = list(helper)
        quiet = subprocess.DEVNULL
        _helpers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet))
    helper.clear()


event.register("numba:compile", _Notice())


class _CacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """An index that counts as empty when it cannot be read, such as one that names a module of an older version."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:
            return {}


class _Cache:
    """The files of one kernel's machine code, named by a digest of all that the code is made of.

    The digest is taken when the kernel is first called, since it may call functions that are defined after it.
    """

    def __init__(self, kernel: Kernel, folder: str) -> None:
        self._kernel, self._folder = kernel, folder
        self._lock: IO[str] | None = None

    @cached_property
    def _file(self) -> _CacheFile:
        digest, function = _digest(self._kernel), self._kernel.py_func
        name = f"{function.__module__}.{function.__qualname__}".translate({ord("<"): None, ord(">"): None})
        base = f"{name}-{digest[:24]}.{sys.implementation.cache_tag}"
        return _CacheFile(cache_path=self._folder, filename_base=base, source_stamp=digest)

    def load(self, key: Any) -> Any:
        """Return the machine code for some types of arguments, or None; first loads the kernels that it calls."""
        found = self._file.load(key)
        if found is None and self._wait():
            found = self._file.load(key)
        if found is None:
            return None
        needed, data = found
        for symbol, (module, name, types) in needed.items():
            kernel = getattr(import_module(module), name, None)
            if not isinstance(kernel, Kernel):
                return None
            kernel.dispatcher.compile(types)
            if symbol not in _symbols:
                return None
        return data

    def save(self, key: Any, data: Any) -> None:
        """Keep the machine code for some types of arguments."""
        Path(self._folder).mkdir(parents=True, exist_ok=True)
        library = self._kernel.dispatcher.overloads[data[_SIGNATURE].args].library
        self._file.save(key, ({name: _symbols[name] for name in library.declared if name in _symbols}, data))

        self._let_go()

    def _wait(self) -> bool:
        """Take the right to compile the kernel; return whether another process had it, and so may have saved the code.

        Callers are locked before the kernels they call, so that two processes never wait for each other.
        """
        if fcntl is None:
            return False
        try:
            Path(self._folder).mkdir(parents=True, exist_ok=True)
            self._lock = open(self._lock_path, "w")  # noqa: SIM115  (held until the code is saved)
        except OSError:
            return False
        until, waited = time.monotonic() + _PATIENCE, False
        while time.monotonic() < until:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                waited = True
                time.sleep(0.02)
        return waited

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock_path.unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    @property
    def _lock_path(self) -> Path:
        return Path(self._folder) / f"{self._kernel.py_func.__name__}-{_digest(self._kernel)[:24]}.lock"

    def stored(self) -> list[Any]:
        """Return all that is kept of the kernel for this processor, as numba reduces its compilations."""
        target = cpu_target.target_context.codegen().magic_tuple()
        index = self._file._load_index()
        return [self._file._load_data(name)[1] for key, name in index.items() if key[1] == target]

    def flush(self) -> None:
        """Forget all machine code of the kernel."""
        self._file.flush()
