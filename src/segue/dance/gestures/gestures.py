"""All gestures of a dance and part: loaded, checked, and put together for a step."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from segue.body.layout import mirror_name
from segue.dance.gestures.gesture import SYMBOLS, Category, Gesture
from segue.dance.gestures.reading import GestureFile, read_gestures
from segue.dance.notation.model import Body, Foot, FootPosition, Modifier, Part, Step
from segue.errors import FileFormatError

SHIPPED = Path(str(files(__package__).joinpath("shipped")))
"""The folder of the gestures that come with Segue."""

_CONTRA = frozenset({Body.CONTRA_BODY_MOVEMENT, Body.SLIGHT_CONTRA_BODY_MOVEMENT})
_BY_FOOT = frozenset({Category.FOOT, Category.FOOTWORK})


@dataclass(frozen=True)
class Gestures:
    """What the symbols mean in one dance for one part; no joint is moved by two categories.

    table: gestures by symbol; those of feet and of contra-body movement are for the left foot.
    """

    dance: str
    part: Part
    table: Mapping[str, Gesture]

    @classmethod
    def load(cls, dance: str, part: Part = Part.LEADER, folder: str | Path | None = None) -> Gestures:
        """Return the gestures of a dance and part.

        folder: files of one's own; what they say of a symbol goes before what comes with Segue.
        """
        own = () if folder is None else _read_folder(Path(folder))
        merged = _merged([*_shipped(), *own], dance)
        missing = [symbol for symbols in SYMBOLS.values() for symbol in symbols if symbol not in merged]
        if missing:
            raise FileFormatError(f"no gesture is given for {', '.join(missing)}", folder or SHIPPED)
        return cls(dance, part, merged)

    def of_step(self, step: Step) -> dict[Category, tuple[Gesture, ...]]:
        """Return the gestures of a step's symbols by category, for the foot that moves; arms are the part's."""
        found: dict[Category, tuple[Gesture, ...]] = {Category.ARMS: (self.table[self.part],)}
        body: list[str | None] = [*sorted(step.body), *(step.modifiers & {Modifier.CONTRA_BODY})]
        said: dict[Category, list[str | None]] = {
            Category.HEAD: [step.head],
            Category.FOOT: [step.position],
            Category.FOOTWORK: [step.footwork],
            Category.BODY: body,
        }
        for category, symbols in said.items():
            gestures = tuple(self._for_step(symbol, step) for symbol in symbols if symbol is not None)
            if gestures:
                found[category] = gestures
        return found

    def _for_step(self, symbol: str, step: Step) -> Gesture:
        gesture = self.table[symbol]
        by_foot = gesture.category in _BY_FOOT or symbol in _CONTRA or symbol == Modifier.CONTRA_BODY
        mirrored = by_foot and step.foot is Foot.RIGHT
        if symbol in _CONTRA and step.position is FootPosition.BACKWARD:
            mirrored = not mirrored
        return gesture.mirrored() if mirrored else gesture


def _merged(sources: Iterable[GestureFile], dance: str) -> dict[str, Gesture]:
    """Return the gestures of all files by symbol, later ones first; no two categories may move one joint."""
    table: dict[str, Gesture] = {}
    movers: dict[str, tuple[GestureFile, str]] = {}
    for source in sources:
        table.update(source.of(dance))
        for joint, symbol in source.joints().items():
            # the mirror image of what is said of one side moves the other
            for name in (joint, *_counterpart(joint, source.category)):
                other = movers.setdefault(name, (source, symbol))[0]
                if other.category is not source.category:
                    first = movers[name][1]
                    raise FileFormatError(
                        f"{name} is moved by {source.category} ('{symbol}') and by {other.category} ('{first}', in"
                        f" {other.path.name}): a joint belongs to one category",
                        source.path,
                    )
    return table


def _counterpart(joint: str, category: Category) -> tuple[str, ...]:
    return (mirror_name(joint),) if category in _BY_FOOT else ()


@lru_cache(maxsize=1)
def _shipped() -> tuple[GestureFile, ...]:
    return _read_folder(SHIPPED)


def _read_folder(folder: Path) -> tuple[GestureFile, ...]:
    if not os.path.isdir(folder):
        raise FileFormatError("there is no such folder of gestures", folder)
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise FileFormatError("the folder has no file of gestures: they end in .toml", folder)
    return tuple(read_gestures(path) for path in paths)
