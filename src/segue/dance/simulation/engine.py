"""Load the physics engine MuJoCo."""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from segue.errors import SegueError, SegueWarning


class MissingEngineError(SegueError, ImportError):
    """Report that a simulation needs a library that is not installed."""


@cache
def mujoco() -> Any:
    """Return the module of MuJoCo, which simulates rigid bodies and their contacts [Todorov2012].

    MuJoCo's warnings become `SegueWarning`s. By default MuJoCo would write them to a file in the working directory.
    """
    library = _library("mujoco")
    library.set_mju_user_warning(_warn)
    return library


def _warn(message: str) -> None:
    # if users turn warnings into errors, an exception that passes through the engine would end the process
    with suppress(SegueWarning):
        warnings.warn(f"the physics engine warns: {message.strip()}", SegueWarning, stacklevel=2)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingEngineError(
            f"dancing by simulated dynamics needs {name}, which is not installed: pip install 'segue[simulation]'"
        ) from None
