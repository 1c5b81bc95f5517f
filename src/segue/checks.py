"""Check values that users give; raise ArgumentError with one sentence.

The sentence states the value's name, the value, and what would be right: "fps is -1: a positive number is needed".
Each check takes the name first, and returns the value as the type that the program computes with.
"""

from __future__ import annotations

import difflib
import math
import reprlib
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.typing import Array, Flags

Name = TypeVar("Name", bound=str)

_SHORT = reprlib.Repr()
_SHORT.maxlong = _SHORT.maxstring = _SHORT.maxother = 60
_LONGEST_NAME = 100  # characters of a name that are compared with known ones, which takes time with the square


def shown(value: object) -> str:
    """Return a value as Python writes it, shortened where that would be long."""
    return _SHORT.repr(value.item() if isinstance(value, np.generic) else value)


def number(
    what: str,
    value: object,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    above: float = -math.inf,
    unit: str = "",
    needed: str = "",
) -> float:
    """Return a finite number from least to most, greater than above.

    unit: a plural noun for the sentence, as "seconds". needed: a clause that replaces the sentence's second half.
    """
    found = _real(value)
    if least <= found <= most and found > above:
        return found
    raise ArgumentError(f"{what} is {shown(value)}: {needed or _needed('number', least, most, above, unit)}")


def positive(what: str, value: object, unit: str = "", needed: str = "") -> float:
    """Return a finite number greater than 0."""
    return number(what, value, above=0.0, unit=unit, needed=needed)


def integer(
    what: str,
    value: object,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    unit: str = "",
    needed: str = "",
) -> int:
    """Return a whole number from least to most; 2.0 is not accepted."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    raise ArgumentError(f"{what} is {shown(value)}: {needed or _needed('whole number', least, most, -math.inf, unit)}")


def choice(what: str, value: object, choices: Iterable[Name]) -> Name:
    """Return a text that must be one of the choices."""
    known = tuple(choices)
    for each in known:
        if isinstance(value, str) and each == value:
            return each
    raise ArgumentError(f"{what} is {shown(value)}: {hint(value, known, 'it must be one of')}")


def near_names(name: object, known: Iterable[str], count: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return the known names spelt like a name in any case, the nearest first; cutoff: how alike, 1 for the same."""
    by_case = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(str(name).casefold()[:_LONGEST_NAME], by_case, n=count, cutoff=cutoff)
    return [by_case[each] for each in near]


def did_you_mean(name: object, known: Iterable[str], count: int = 1) -> str:
    """Return "did you mean 'a' or 'b'?" of the known names spelt like a name, or an empty text."""
    near = near_names(name, known, count)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""


def hint(name: object, known: Iterable[str], otherwise: str, count: int = 1) -> str:
    """Return `did_you_mean`, or where no known name is near, all of them after the words `otherwise`."""
    known = tuple(known)
    return did_you_mean(name, known, count) or f"{otherwise} {', '.join(known)}"


def array(
    what: str,
    values: npt.ArrayLike | object,
    shape: Sequence[int | str] | None = None,
    *,
    finite: bool = True,
    least: float = -math.inf,
    most: float = math.inf,
    needed: str = "",
) -> Array:
    """Return an array of numbers of a shape; text in the shape names an axis of any length, as ("frames", 3).

    finite: raise where a number is NaN or infinite. least, most: of every number.
    """
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{what} is {shown(values)}: {needed or _needed_array(shape)}") from None
    if shape is not None and (
        found.ndim != len(shape)
        or any(isinstance(axis, int) and axis != size for axis, size in zip(shape, found.shape, strict=True))
    ):
        raise ArgumentError(f"{what} has shape {found.shape}: {needed or _needed_array(shape)}")
    if not found.size:
        return found
    low, high = float(found.min()), float(found.max())  # NaN where any number is NaN; need no memory
    if finite and not (math.isfinite(low) and math.isfinite(high)):
        raise ArgumentError(
            f"{what} is {_first(found, ~np.isfinite(found))}: {needed or 'every number must be finite'}"
        )
    if low < least or high > most:
        clause = needed or _needed("number", least, most, -math.inf, "").replace("a number", "every number", 1)
        raise ArgumentError(f"{what} is {_first(found, (found < least) | (found > most))}: {clause}")
    return found


def times(what: str, values: npt.ArrayLike | object, *, least: int = 1) -> Array:
    """Return times in seconds, (T,), finite and increasing; least: how many there must be."""
    found = array(what, values, ("times",))
    if len(found) < least:
        raise ArgumentError(f"{what} has {len(found)} times: at least {least} are needed")
    late = np.flatnonzero(np.diff(found) <= 0)
    if len(late):
        first = int(late[0])
        raise ArgumentError(f"{what} has {found[first + 1]:g} s after {found[first]:g} s: times must increase")
    return found


def _real(value: object) -> float:
    """Return a real number as a float, and NaN for anything else, which every comparison refuses."""
    if type(value) is float:  # the usual case, without the slow tests of abstract classes
        return value if math.isfinite(value) else math.nan
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real | np.floating | np.integer):
        return math.nan
    try:
        found = float(value)
    except OverflowError:
        return math.nan
    return found if math.isfinite(found) else math.nan


def _first(found: Array, wrong: Flags) -> str:
    """Return the first wrong number of an array, and where it is."""
    place = tuple(int(k) for k in np.argwhere(wrong)[0])
    return f"{found[place]:.10g}" + (f" at index {place[0] if len(place) == 1 else place}" if place else "")


def _needed(kind: str, least: float, most: float, above: float, unit: str) -> str:
    """Return what a number must be, as "a whole number from 1 to 9 is needed"."""
    name = f"a positive {kind}" if above == 0.0 else f"a {kind}"
    if unit:
        name += f" of {unit}"
    if above > -math.inf and above != 0.0:
        name += f" above {above:.10g}"
    if least > -math.inf and most < math.inf:
        name += f" from {least:.10g} to {most:.10g}"
    elif least > above:
        name += f", {least:.10g} or more," if unit else f" of {least:.10g} or more"
    elif most < math.inf:
        name += f", {most:.10g} or less," if unit else f" of {most:.10g} or less"
    return f"{name} is needed"


def _needed_array(shape: Sequence[int | str] | None) -> str:
    if shape is None:
        return "an array of finite numbers is needed"
    axes = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    return f"an array of finite numbers of shape ({axes}) is needed"
