"""Let Ctrl-C raise KeyboardInterrupt inside compiled calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

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
