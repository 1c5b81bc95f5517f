"""Digests of kernels: of all that one is made of, down to the functions and constants of other modules."""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from segue.compiled.kernel import Kernel, NumbaFunction

_COMPILERS = [Path(__file__).with_name(name) for name in ("jit.py", "ref_type.py")]
_PACKAGE = __name__.partition(".")[0]


def digest_of(kernel: Kernel) -> str:
    """Return a digest of a kernel: its options, its bytecode, and whatever it names, directly or not.

    Comments, docstrings, and where a module lies do not count.
    """
    digest = hashlib.sha256()
    for file in _COMPILERS:
        digest.update(file.read_bytes())
    seen: dict[int, Any] = {}  # by identity, which is theirs alone as long as they are kept
    waiting: list[Any] = [kernel]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        text, parts = _described(value)
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        waiting.extend(parts)
    return digest.hexdigest()


_source_of = lru_cache(maxsize=None)(inspect.getsource)  # which parses a whole module, for each kernel anew


@cache
def _text_of(module: str) -> str:
    return Path(inspect.getfile(import_module(module))).read_text(encoding="utf-8")


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
        return _source_of(value), _annotated(annotations, vars(sys.modules[value.__module__]))
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}", []
    if isinstance(value, Kernel):
        return f"inline {value.inline}, fast {value.fast_math}", [value.py_func]
    if isinstance(value, NumbaFunction):
        # its module gives numba types with arithmetic of their own, which kernels use without naming it
        return f"{value.name} {_text_of(value.module)}", []
    return _plain(value), []


def _function_described(function: FunctionType) -> tuple[str, list[Any]]:
    """Return the constants and types of a function of ours, and what it names."""
    namespace = function.__globals__
    text = f"{function.__module__}.{function.__qualname__} {_plain(function.__defaults__)}"
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
