"""Kernels as Python sees them; numba is imported when one has to be compiled. Ctrl-C ends a kernel's caller."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cached_property, update_wrapper, wraps
from importlib import import_module
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

from segue.errors import SegueError

FAST_MATH = frozenset({"contract", "reassoc", "nsz", "arcp"})
"""Licence to fuse and reorder arithmetic; unlike plain ``fastmath``, NaN and infinity keep their meaning."""

helper: list[str] = []
"""A command that compiles other kernels meanwhile, started by the first compilation; the `segue` command sets it."""

RECORD = "SEGUE_RECORD_SIGNATURES"
"""An environment variable: the folder for records of the types that kernels are called with."""

watchers: list[Callable[[str], None]] = []
"""Functions that are called with the name of each kernel that begins to be compiled."""

_lock = threading.Lock()


class Kernel:
    """A function that is compiled when it is first called; other kernels can call it too.

    py_func: the Python function. seconds: about how long compiling takes. inline: whether it has no machine code of its
    own, but becomes part of each caller. fast_math: whether its arithmetic may be fused and reordered (see
    ``FAST_MATH``), and that of inlined functions in it.
    """

    def __init__(self, function: Callable[..., Any], *, seconds: float, inline: bool, fast_math: bool) -> None:
        self.py_func = function
        self.seconds, self.inline, self.fast_math = seconds, inline, fast_math
        self._dispatcher: Any = None
        self._caller: Any = None
        update_wrapper(self, function)

    @property
    def dispatcher(self) -> Any:
        """Numba's view of the kernel."""
        if self._dispatcher is None:
            jit = _jit()
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = jit.dispatcher_of(self)
        return self._dispatcher

    @cached_property
    def standalone(self) -> Kernel:
        """The kernel with machine code of its own, which Python calls: a twin if the kernel itself is inlined."""
        if not self.inline:
            return self
        own, code = self.py_func, cast(FunctionType, self.py_func).__code__
        twin = FunctionType(code, own.__globals__, own.__name__, own.__defaults__, own.__closure__)
        update_wrapper(twin, own)
        return Kernel(twin, seconds=self.seconds, inline=False, fast_math=self.fast_math)

    def __call__(self, *args: Any) -> Any:
        """Run machine code for the types of the arguments; if there is none, compile the kernel."""
        if self._caller is None:
            self._caller = self._linked() or self.standalone.dispatcher
            if folder := os.environ.get(RECORD):
                self._caller = import_module("segue.compiled.signatures").recording(self, self._caller, folder)
        return self._caller(*args)

    def _linked(self) -> Any:
        """Return the kernel of the extension module, or None."""
        machine = import_module("segue.compiled.machine").machine()
        module, name = self.py_func.__module__, self.py_func.__qualname__
        return machine and machine.function(module, name, lambda *args: self.standalone.dispatcher(*args))

    @property
    def _numba_type_(self) -> Any:
        """The type by which kernels know another one that they call."""
        return self.dispatcher._numba_type_

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__module__}.{self.py_func.__qualname__}>"


def _jit() -> Any:
    """Return the module that compiles; numba is slow to import, and not everywhere installed."""
    try:
        return import_module("segue.compiled.jit")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("numba", "llvmlite"):
            raise
        raise SegueError(
            "the machine code of this installation does not fit your processor, Python or version of Segue: "
            "pip install numba"
        ) from None


def compiled(*, seconds: float, inline: bool = False, fast_math: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function a `Kernel`; see there."""
    return lambda function: Kernel(function, seconds=seconds, inline=inline, fast_math=fast_math)


class NumbaFunction:
    """Stands for a function that numba alone can call, such as an intrinsic, in a module that imports numba."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    @property
    def _numba_type_(self) -> Any:
        function = getattr(import_module(self.module), self.name)
        typing = import_module("numba.core.registry").cpu_target.typing_context
        typing.refresh()  # the module has just registered it
        return typing.resolve_value_type(function)


_Given = ParamSpec("_Given")
_Returned = TypeVar("_Returned")


def interruptible(function: Callable[_Given, _Returned]) -> Callable[_Given, _Returned]:
    """Return the function such that Ctrl-C always ends it with a KeyboardInterrupt.

    A compiled function that returns arrays calls back into Python to make them. When Ctrl-C is noticed there, numba
    goes on, and Python complains of a result with an exception set: a SystemError, caused by the KeyboardInterrupt.
    """

    @wraps(function)
    def call(*args: _Given.args, **named: _Given.kwargs) -> _Returned:
        try:
            return function(*args, **named)
        except SystemError as error:
            cause: BaseException | None = error
            while cause is not None and not isinstance(cause, KeyboardInterrupt):
                cause = cause.__cause__
            if cause is None:
                raise
        raise KeyboardInterrupt

    return call
