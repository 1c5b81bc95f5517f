"""Facts of each dance that its notation does not write: step length, rise and fall, footwork, hold, travel."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path

from segue.dance.notation.model import Footwork, folded
from segue.tables import Table, read_table

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
    file = read_table(path, "file of manners")
    usual = file.table(_DEFAULT)
    return {dance: _manner(file.table(dance), usual) for dance in dict.fromkeys([_DEFAULT, *file])}


def _manner(table: Table, usual: Table) -> Manner:
    """Return the manner of a dance's table; usual: the table of what it leaves out."""
    table.check_keys(field.name for field in fields(Manner))

    def of(name: str) -> Table:
        return table if name in table else usual

    def number(name: str) -> float:
        least, most = _RANGES[name]
        return of(name).number(name, least=least, most=most)

    return Manner(
        stride=number("stride"),
        side=number("side"),
        rise=number("rise"),
        lowering=number("lowering"),
        linger=number("linger"),
        forward=of("forward").choice("forward", Footwork),
        heel_leads=of("heel_leads").flag("heel_leads"),
        hold=of("hold").choice("hold", ("closed", "two hands")),
        travels=of("travels").flag("travels"),
    )
