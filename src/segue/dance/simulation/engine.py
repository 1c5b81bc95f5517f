"""The physics engine, an optional extra: looked for when first asked for, and told when missing."""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from segue.errors import SegueError, SegueWarning


class MissingEngineError(SegueError, ImportError):
    """Simulation was asked for where a library that it needs is not installed."""


@cache
def mujoco() -> Any:
    """Return the module of MuJoCo, which computes the physics: rigid bodies and their contacts [Todorov2012].

    What it warns of becomes a warning of ours; left alone it would write a file where the user works.
    """
    library = _library("mujoco")
    library.set_mju_user_warning(_warn)
    return library


def _warn(message: str) -> None:
    # where users make warnings errors, one that went up through the engine would end the whole process
    with suppress(SegueWarning):
        warnings.warn(f"the physics engine says: {message.strip()}", SegueWarning, stacklevel=2)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingEngineError(
            f"dancing by simulated dynamics needs {name}, which is not installed: pip install 'segue[simulation]'"
        ) from None
