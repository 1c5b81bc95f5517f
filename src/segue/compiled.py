"""Numba kernels that are compiled once, kept on disk, and say so in one line while it happens.

Every compiled function of Segue is decorated with :func:`compiled`. It differs from ``numba.njit`` in three ways: the
global interpreter lock is released; a one-line notice goes to stderr when a function is really being compiled (nothing
is printed when it comes from the cache); and the cache is aware of all that the function is made of, down to the
functions and constants of other modules, where numba alone looks at one file and would go on using stale machine code.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numba import config, njit
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
        if getattr(sys.modules[function.__module__], "__file__", None) is not None:  # not typed into a notebook
            # code is told apart by its digest alone, so that copies of Segue can share the folder a user names
            folder = config.CACHE_DIR or dispatcher._cache.cache_path
            dispatcher._cache._cache_file = _Cache(function, options, folder)
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


class _Cache:
    """The files of one kernel's machine code, named by a digest of all that the code is made of.

    The digest is taken when the kernel is first called, since it may call functions that are defined after it.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], folder: str) -> None:
        self._function, self._options, self._folder = function, options, folder

    @cached_property
    def _file(self) -> _CacheFile:
        digest = _digest(self._function, self._options)
        name = f"{self._function.__module__}.{self._function.__qualname__}".translate({ord("<"): None, ord(">"): None})
        base = f"{name}-{digest[:24]}.{sys.implementation.cache_tag}"
        return _CacheFile(cache_path=self._folder, filename_base=base, source_stamp=digest)

    def load(self, key: Any) -> Any:
        """Return the machine code for some types of arguments, or None."""
        return self._file.load(key)

    def save(self, key: Any, data: Any) -> None:
        """Keep the machine code for some types of arguments."""
        Path(self._folder).mkdir(parents=True, exist_ok=True)
        self._file.save(key, data)

    def flush(self) -> None:
        """Forget all machine code of the kernel."""
        self._file.flush()


def _digest(function: Callable[..., Any], options: dict[str, Any]) -> str:
    """Return a digest of a kernel: its options, its bytecode, and whatever it names, directly or not.

    Comments, docstrings, and where a module lies do not count.
    """
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update(_plain(sorted(options.items())).encode())
    seen: dict[int, Any] = {}  # by identity, which is theirs alone as long as they are kept
    waiting: list[Any] = [function]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        text, parts = _described(value)
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        waiting.extend(parts)
    return digest.hexdigest()


def _described(value: Any) -> tuple[str, list[Any]]:
    """Return what a value is by itself, as text, and the values that it refers to."""
    if isinstance(value, FunctionType):
        if not _is_ours(value.__module__):
            return f"{value.__module__}.{value.__qualname__}", []
        return _function_described(value)
    if isinstance(value, CodeType):
        consts = [const for const in value.co_consts if not isinstance(const, CodeType)]
        inner = [const for const in value.co_consts if isinstance(const, CodeType)]
        return f"{value.co_code.hex()} {value.co_names} {value.co_varnames} {_plain(consts)}", inner
    if isinstance(value, type):
        if not _is_ours(value.__module__):
            return f"{value.__module__}.{value.__qualname__}", []
        annotations = getattr(value, "__annotations__", {})
        return inspect.getsource(value), _annotated(annotations, vars(sys.modules[value.__module__]))
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}", []
    # dispatchers and intrinsics carry the Python function they wrap
    wrapped = getattr(value, "py_func", getattr(value, "_defn", None))
    if isinstance(wrapped, FunctionType):
        return _plain(sorted(getattr(value, "targetoptions", {}).items())), [wrapped]
    return _plain(value), []


def _function_described(function: FunctionType) -> tuple[str, list[Any]]:
    """Return the constants and types of a function of ours, and what it names."""
    namespace = function.__globals__
    text = f"{function.__module__}.{function.__qualname__} {_plain(function.__defaults__)}"
    if "register_model" in namespace:
        # this module gives numba types with arithmetic of their own, which kernels use without naming it
        text += Path(namespace["__file__"]).read_text(encoding="utf-8")
    names: list[str] = []
    codes = [function.__code__]
    for code in codes:
        names += code.co_names
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    code = function.__code__
    if code.co_consts and code.co_consts[0] == function.__doc__:
        code = code.replace(co_consts=(None, *code.co_consts[1:]))
    return text, [code, *cells, *_found(names, namespace), *_annotated(function.__annotations__, namespace)]


def _found(names: Iterable[str], namespace: dict[str, Any]) -> list[Any]:
    """Return what names mean in a module; of other modules of ours, what of theirs is named."""
    found = []
    for name in dict.fromkeys(names):
        value = namespace.get(name)
        if isinstance(value, ModuleType):
            if _is_ours(value.__name__):
                found += _found([other for other in names if other != name], vars(value))
        elif value is not None:
            found.append(value)
    return found


def _annotated(annotations: dict[str, Any], namespace: dict[str, Any]) -> list[Any]:
    """Return the types that annotations name: a field of a named tuple is known to a kernel by its place."""
    texts = [value for value in annotations.values() if isinstance(value, str)]
    return [value for value in annotations.values() if isinstance(value, type)] + _found(
        re.findall(r"\w+", " ".join(texts)), namespace
    )


def _is_ours(module: str) -> bool:
    """Whether a module's code counts by what it holds: that of other libraries changes with their version alone."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return module.partition(".")[0] == _PACKAGE or (file is not None and "-packages" not in file)


def _plain(value: Any) -> str:
    """Return a value as text that is the same in every process."""
    if isinstance(value, tuple | list):
        return f"({','.join(map(_plain, value))})"
    if isinstance(value, frozenset | set):
        return f"{{{','.join(sorted(map(_plain, value)))}}}"
    text = repr(value)
    return f"{type(value).__module__}.{type(value).__qualname__}" if " at 0x" in text else text
