"""Facts of each dance that its notation does not write: step length, rise and fall, footwork, hold, travel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from segue.dance.notation.model import Footwork, folded
from segue.errors import FileFormatError
from segue.tables import read_text, toml_table

_DEFAULT = "default"
_SHIPPED = "manners.toml"
_RANGES = {
    "stride": (0.2, 1.6),
    "side": (0.2, 1.6),
    "rise": (0.0, 0.12),
    "lowering": (0.0, 0.12),
    "linger": (0.15, 0.7),
}
_CHOICES: Mapping[str, tuple[str | bool, ...]] = {
    "forward": tuple(Footwork),
    "hold": ("closed", "two hands"),
    "heel_leads": (True, False),
    "travels": (True, False),
}


@dataclass(frozen=True)
class Manner:
    """Facts of one dance.

    stride, side: factors on the length of forward and backward steps, and on the width of side steps. rise, lowering:
    m above and below the usual height of the body, on toes and on flat feet, for a leg of one metre. linger: share of
    a step's time in which both feet stay on the floor. forward: footwork of forward steps where none is written.
    heel_leads: whether forward steps land on the heel, so that the partner's backward steps reach with the toe. hold:
    "closed" or "two hands". travels: whether couples go round the floor; else they stay in their place.
    """

    stride: float
    side: float
    rise: float
    lowering: float
    linger: float
    forward: Footwork
    heel_leads: bool
    hold: str
    travels: bool


def manner_of(dance: str) -> Manner:
    """Return the facts of a dance; an unknown dance has the defaults."""
    known = _shipped()
    return known.get(folded(dance), known[_DEFAULT])


@cache
def _shipped() -> dict[str, Manner]:
    shipped = load_manners(Path(str(files(__package__).joinpath(_SHIPPED))))
    return {folded(dance): manner for dance, manner in shipped.items()}


def load_manners(path: str | Path) -> dict[str, Manner]:
    """Read a file of manners; return them by dance. A value that a dance leaves out is that of `[default]`."""
    tables = toml_table(read_text(path, "file of manners", "TOML"), path)
    names = [field.name for field in fields(Manner)]
    if not isinstance(tables.get(_DEFAULT), dict) or set(tables[_DEFAULT]) != set(names):
        raise FileFormatError(f"[{_DEFAULT}] must give exactly {', '.join(names)}", path)
    for dance, table in tables.items():
        if not isinstance(table, dict):
            raise FileFormatError(f"'{dance}' stands alone: values belong into a table of a dance, as [waltz]", path)
        for name, value in table.items():
            _check(dance, name, value, names, path)
    return {dance: _manner({**tables[_DEFAULT], **table}) for dance, table in tables.items()}


def _manner(table: Mapping[str, Any]) -> Manner:
    values: dict[str, Any] = {name: float(table[name]) if name in _RANGES else table[name] for name in table}
    return Manner(**values | {"forward": Footwork(table["forward"])})


def _check(dance: str, name: str, value: Any, names: list[str], path: str | Path) -> None:
    if name not in names:
        raise FileFormatError(f"[{dance}] has no '{name}': there are {', '.join(names)}", path)
    if name in _CHOICES:
        # a number equals True or False in Python, and is neither in TOML
        if not any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in _CHOICES[name]):
            choices = ", ".join(str(each).lower() if isinstance(each, bool) else each for each in _CHOICES[name])
            raise FileFormatError(f"[{dance}] {name} is {value!r}: it must be one of {choices}", path)
        return
    low, high = _RANGES[name]
    # compared and not converted: a whole number in TOML may exceed what a float can hold
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise FileFormatError(
            f"[{dance}] {name} is {shortened(value)}: it must be a number from {low:g} to {high:g}", path
        )
