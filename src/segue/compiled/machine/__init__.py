"""Machine code of kernels in one extension module: calls without numba, and without compiling.

The module lies in the cache, where `segue warm --link` writes it, or in the package. A kernel is taken from it if the
processor has all instructions that were compiled for, and if no file that the kernel is made of has changed since. All
other kernels are compiled by numba.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import sysconfig
import zlib
from collections.abc import Callable
from functools import cache
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from segue.compiled.kinds import Kind, Mismatch, Ref, class_of, converted, pack, text_of
from segue.errors import SegueError

PACKAGE = Path(__file__).parents[2]
SWITCH = "SEGUE_MACHINE_CODE"
"""An environment variable: 0 leaves the module aside."""


class Level(NamedTuple):
    """A target of compilation: LLVM's name of a processor, and the instruction sets that a processor has to have."""

    cpu: str
    requires: tuple[str, ...]


_V3 = "abm avx avx2 bmi1 bmi2 cx16 f16c fma lahf_lm movbe pni popcnt sse4_1 sse4_2 ssse3"
LEVELS = {"x86_64": Level("x86-64-v3", tuple(_V3.split())), "aarch64": Level("generic", ())}
"""The targets of wheels by architecture: most x86 processors since about 2015 have x86-64-v3."""

_NAME = "segue.compiled.machine._machine"
_Caller = Callable[..., Any]


def architecture() -> str:
    """Return the architecture of this process, as in the keys of `LEVELS`."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def file_name() -> str:
    """Return the name of the module's file, which depends on the version of Python and on the platform."""
    return f"_machine.{sysconfig.get_config_var('SOABI')}.so"


def cached_file() -> Path:
    """Return the file that `segue warm` links: beside the code that numba caches."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if folder:
        return Path(folder) / file_name()
    beside = Path(__file__).parent
    if os.access(beside, os.W_OK):
        return beside / "__pycache__" / file_name()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "segue" / file_name()


@cache
def processor() -> frozenset[str]:
    """Return the names of the processor's instruction sets, as Linux lists them; none on other systems."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            for line in lines:
                name, _, flags = line.partition(":")
                if name.strip() in ("flags", "Features"):
                    return frozenset(flags.split())
    except OSError:
        pass
    return frozenset()


@cache
def file_digest(path: str) -> str:
    """Return a digest of a file of the package; empty where it cannot be read."""
    try:
        return f"{zlib.crc32((PACKAGE / path).read_bytes()):08x}"
    except OSError:
        return ""


class Machine:
    """An open module and its table.

    The table has these fields:

    - ``requires``: instruction sets of the processor;
    - ``kinds``: types of values;
    - ``files``: the digests of source files;
    - ``modules``: the files (by index) that the kernels of a module are made of;
    - ``kernels``: a list [entry, kinds of the arguments and of the result] for each type of arguments, kinds by index.
    """

    def __init__(self, module: Any) -> None:
        self._module = module
        self._table = json.loads(module.table())
        self._kinds: dict[int, Any] = {}
        self._current: dict[str, bool] = {}
        module.set_reference(Ref)
        pack[:] = [module.pack]

    @property
    def fits(self) -> bool:
        """Whether this processor has all instructions."""
        return processor().issuperset(self._table["requires"])

    def names(self) -> list[str]:
        """Return the names of all kernels that Python can call."""
        return list(self._table["kernels"])

    def has(self, kernel: str) -> bool:
        """Whether the module holds a kernel, given by its name with its module, and nothing in it has changed."""
        return kernel in self._table["kernels"] and self._is_current(kernel.rpartition(".")[0])

    def function(self, module: str, name: str, compile_: _Caller) -> _Caller | None:
        """Return what Python calls, or None where the module lacks the kernel or the kernel has changed.

        compile_: is called with arguments of other types.
        """
        overloads = self._table["kernels"].get(f"{module}.{name}")
        if overloads is None or not self._is_current(module):
            return None
        entries = tuple((entry, tuple(self._kind(index) for index in kinds)) for entry, kinds in overloads)
        fallback = compile_ if find_spec("numba") else _Converting(f"{module}.{name}", self, overloads)
        function: _Caller = self._module.function(fallback, entries)
        if isinstance(fallback, _Converting):
            fallback.function = function
        return function

    def kind(self, index: int) -> Kind:
        """Return a kind of the table."""
        found: Kind = self._table["kinds"][index]
        return found

    def _is_current(self, module: str) -> bool:
        if module not in self._current:
            files = self._table["files"]
            needed = [files[index] for index in self._table["modules"][module]]
            self._current[module] = all(file_digest(path) == digest for path, digest in needed)
        return self._current[module]

    def _kind(self, index: int) -> Any:
        if index not in self._kinds:
            self._kinds[index] = self._made(self.kind(index))
        return self._kinds[index]

    def _made(self, kind: Kind) -> Any:
        make, no_dtype = self._module.kind, np.dtype("f8")
        if kind[0] == "a":
            _, dtype, ndim, layout, readonly = kind
            return make("a", np.dtype(dtype), ndim, layout, readonly)
        if kind[0] == "t":
            return make("t", no_dtype, 0, "C", 0, class_of(kind[1]), tuple(map(self._made, kind[2])))
        if kind[0] == "r":
            return make("r", no_dtype, 0, "C", 0, sys.intern(text_of(["t", *kind[1:]])), ())
        return make(kind[0])


class _Converting:
    """Calls a kernel with arguments converted to types that it was compiled for, where numba is not installed."""

    def __init__(self, name: str, machine: Machine, overloads: list[tuple[int, list[int]]]) -> None:
        self._name, self._machine, self._overloads = name, machine, overloads
        self.function: _Caller | None = None

    def __call__(self, *args: Any) -> Any:
        for _, kinds in self._overloads:
            copies: list[tuple[Any, Any]] = []
            try:
                pairs = zip(kinds[:-1], args, strict=True)
                values = [converted(self._machine.kind(kind), value, copies) for kind, value in pairs]
            except (Mismatch, ValueError):
                continue
            assert self.function is not None
            result = self.function(*values)
            for array, copy in copies:  # the kernel may have written to it
                if array.flags.writeable:
                    array[...] = copy
            return result
        raise SegueError(f"{self._name} was not compiled for these arguments: install numba, which compiles it")


def open_module(path: Path) -> Machine | None:
    """Return the module of a file, or None where there is none or where it cannot be used here."""
    if not path.is_file():
        return None
    try:
        loader = ExtensionFileLoader(_NAME, str(path))
        module = module_from_spec(ModuleSpec(_NAME, loader, origin=str(path)))
        loader.exec_module(module)
        machine = Machine(module)
    except (ImportError, AttributeError, ValueError, KeyError):  # also one of an older version
        return None
    return machine if machine.fits else None


@cache
def machine() -> Machine | None:
    """Return the module of this process, or None."""
    if os.environ.get(SWITCH) == "0":
        return None
    return open_module(Path(__file__).with_name(file_name())) or open_module(cached_file())
