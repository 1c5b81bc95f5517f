"""What the steps of a dance have in common: length, rise and fall, how long both feet stay on the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from segue.dance.notation.model import Footwork
from segue.dance.patterns.names import folded
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


@dataclass(frozen=True)
class Manner:
    """How a dance is danced.

    stride, side: factors on the length of forward and backward steps, and on the width of those to the side. rise,
    lowering: m above and below the body's usual height, on toes and on flat feet, for a leg of one metre. linger: share
    of a step's time in which both feet stay on the floor. forward: footwork of forward steps where none is written.
    """

    stride: float
    side: float
    rise: float
    lowering: float
    linger: float
    forward: Footwork


def manner_of(dance: str) -> Manner:
    """Return how a dance is danced; dances that nothing is known of are danced like most."""
    known = _shipped()
    return known.get(folded(dance), known[_DEFAULT])


@cache
def _shipped() -> dict[str, Manner]:
    shipped = load_manners(Path(str(files(__package__).joinpath(_SHIPPED))))
    return {folded(dance): manner for dance, manner in shipped.items()}


def load_manners(path: str | Path) -> dict[str, Manner]:
    """Return the manners that a file gives, by dance; what a dance leaves out is that of `[default]`."""
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
    numbers = {name: float(table[name]) for name in _RANGES}
    return Manner(**numbers, forward=Footwork(table["forward"]))


def _check(dance: str, name: str, value: Any, names: list[str], path: str | Path) -> None:
    if name not in names:
        raise FileFormatError(f"[{dance}] has no '{name}': there are {', '.join(names)}", path)
    if name == "forward":
        if value not in list(Footwork):
            raise FileFormatError(f"[{dance}] forward is {value!r}: it must be one of {', '.join(Footwork)}", path)
        return
    low, high = _RANGES[name]
    # compared and not converted: a whole number in TOML may exceed what a float can hold
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise FileFormatError(
            f"[{dance}] {name} is {shortened(value)}: it must be a number from {low:g} to {high:g}", path
        )
