"""Validate numbers; raise ArgumentError with one sentence."""

from __future__ import annotations

import math
import reprlib

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.typing import Array

LARGEST = 1e6
"""Metres or degrees beyond which splines lose the digits in which bodies move."""

_SHORTENED = reprlib.Repr()
_SHORTENED.maxlong = _SHORTENED.maxstring = _SHORTENED.maxother = 60


def shown(value: object) -> str:
    """Return a value as Python writes it, shortened where that would be long."""
    return _SHORTENED.repr(value)


def number(what: str, value: object, needed: str, *, least: float = -math.inf) -> float:
    """Return a finite number, `least` or more; what, needed: for "what is value: needed is needed"."""
    if not isinstance(value, bool) and isinstance(value, int | float | np.number | np.ndarray) and np.ndim(value) == 0:
        try:
            found = float(value)
        except (TypeError, OverflowError):
            found = math.nan
        if math.isfinite(found) and found >= least:
            return found
    raise ArgumentError(f"{what} is {shown(value)}: {needed} is needed")


def whole(what: str, value: object, least: int) -> int:
    """Return a whole number, `least` or more."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ArgumentError(f"{what} is {shown(value)}: a whole number of {least} or more is needed")
    return int(value)


def numbers(what: str, values: npt.ArrayLike | object, needed: str) -> Array:
    """Return an array of finite numbers, of any shape."""
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        found = np.array(math.nan)
    if not np.isfinite(found).all():
        raise ArgumentError(f"{what} is {shown(values)}: {needed} needed")
    return found
