"""Read gesture files, merge them for a dance, and combine the gestures of a step.

A gesture is the meaning of a symbol for the body: goal orientations of the limbs that its category moves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from segue.body.layout import mirror_name
from segue.dance.gestures.anatomy import MOVEMENTS, Pose, excess, fits, mirrored_pose
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier, Part, Step, folded
from segue.errors import FileFormatError
from segue.tables import Table, read_table

SHIPPED = Path(str(files(__package__).joinpath("shipped")))
"""Folder of the shipped gestures."""

_CONTRA = frozenset({Body.CONTRA_BODY_MOVEMENT, Body.SLIGHT_CONTRA_BODY_MOVEMENT})
_MOST_GOALS = 8
_MOST_SWAY = 20.0  # degrees
_MOST_DEGREES = 360


class Category(StrEnum):
    """Symbol categories of [Lake1990, section 5.4] that move limbs, and the carriage of the arms."""

    HEAD = "Head Position"
    FOOT = "Foot Position"
    BODY = "Body Modifier"
    FOOTWORK = "Footwork"
    ARMS = "Arms"


SYMBOLS: Mapping[Category, tuple[str, ...]] = MappingProxyType(
    {
        Category.HEAD: tuple(Head),
        Category.FOOT: tuple(FootPosition),
        Category.BODY: (Modifier.CONTRA_BODY, *Body),
        Category.FOOTWORK: tuple(Footwork),
        Category.ARMS: tuple(Part),
    }
)
"""Symbols of each category. Other modifiers only place a foot, which is the planner's task."""


_BY_FOOT = frozenset({Category.FOOT, Category.FOOTWORK})


@dataclass(frozen=True)
class Gesture:
    """Goals of a symbol in order, intermediate ones before the last [Lake1990, section 6.3].

    goals: degrees by joint and movement. sway: degrees by which the whole body leans to the left.
    """

    symbol: str
    category: Category
    goals: tuple[Pose, ...]
    sway: float = 0.0

    def mirrored(self) -> Gesture:
        """Return the gesture's mirror image."""
        return replace(self, goals=tuple(mirrored_pose(goal) for goal in self.goals), sway=-self.sway)


class GestureFile(NamedTuple):
    """Gestures of one category: of all dances, and variants of some dances."""

    path: Path
    category: Category
    usual: Mapping[str, Gesture]
    of_dance: Mapping[str, Mapping[str, Gesture]]

    def of(self, dance: str) -> Mapping[str, Gesture]:
        """Return the gestures of a dance, by symbol."""
        return {**self.usual, **self.of_dance.get(folded(dance), {})}

    def joints(self) -> dict[str, str]:
        """Return the joints that this category moves, each with one symbol that moves it."""
        tables = [self.usual, *self.of_dance.values()]
        return {
            joint: symbol
            for table in tables
            for symbol, gesture in table.items()
            for goal in gesture.goals
            for joint in goal
        }


def read_gestures(path: str | Path, text: str | None = None) -> GestureFile:
    """Read a file of gestures, or its text; raise FileFormatError with the line of what is wrong."""
    file = read_table(path, "file of gestures", text=text)
    category = file.choice("category", Category)
    dances = file.table("dance")
    of_dance = {folded(dance): _gestures(dances.table(dance), category) for dance in dances}
    own = {key: value for key, value in file.values.items() if key not in ("category", "dance")}
    return GestureFile(Path(path), category, _gestures(Table(file.source, own), category), of_dance)


def _gestures(symbols: Table, category: Category) -> dict[str, Gesture]:
    """Return the gestures of a table of symbols."""
    found = {}
    for symbol in symbols:
        if symbol not in SYMBOLS[category]:
            there_are = ", ".join(SYMBOLS[category])
            raise symbols.error(f"{category} has no symbol '{symbol}': there are {there_are}", symbol)
        table = symbols.table(symbol)
        table.check_keys(("goals", "sway"))
        goals = table.tables("goals")
        if not 1 <= len(goals) <= _MOST_GOALS:
            raise table.error(f"'{symbol}' needs 1 to {_MOST_GOALS} goals, each under [[{symbol}.goals]]", "goals")
        sway = table.number("sway", 0.0, least=-_MOST_SWAY, most=_MOST_SWAY, unit="degrees")
        found[symbol] = Gesture(symbol, category, tuple(_pose(goal, symbol) for goal in goals), sway)
    return found


def _pose(goal: Table, symbol: str) -> Pose:
    pose = {}
    for joint in goal:
        if joint not in MOVEMENTS:
            raise goal.error(f"'{symbol}' names the joint '{joint}': there are {', '.join(MOVEMENTS)}", joint)
        said = goal.table(joint)
        said.check_keys(MOVEMENTS[joint])
        degrees = {
            movement: said.number(movement, least=-_MOST_DEGREES, most=_MOST_DEGREES, unit="degrees")
            for movement in said
        }
        if not fits(joint, degrees):
            beyond = float(excess(joint, degrees))
            raise goal.error(
                f"{joint} of '{symbol}' is {beyond:.0f} degrees beyond what the joint can do: turn it less", joint
            )
        pose[joint] = degrees
    return pose


@dataclass(frozen=True)
class Gestures:
    """Gestures of one dance and part; no two categories move one joint.

    table: gestures by symbol. Gestures of feet and of contra-body movement are for the left foot.
    """

    dance: str
    part: Part
    table: Mapping[str, Gesture]

    @classmethod
    def load(cls, dance: str, part: Part = Part.LEADER, folder: str | Path | None = None) -> Gestures:
        """Return the gestures of a dance and part.

        folder: gesture files whose symbols replace the shipped ones.
        """
        own = () if folder is None else _read_folder(Path(folder))
        merged = _merged([*shipped_gestures(), *own], dance)
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


def _merged(sources: Sequence[GestureFile], dance: str) -> dict[str, Gesture]:
    """Merge the gestures of files by symbol, later files first; raise if two categories move one joint."""
    movers_of(sources)
    return {symbol: gesture for source in sources for symbol, gesture in source.of(dance).items()}


def movers_of(sources: Iterable[GestureFile]) -> dict[str, tuple[Category, str, Path]]:
    """Return category, symbol and file that move each joint; raise FileFormatError if two categories move one joint."""
    movers: dict[str, tuple[Category, str, Path]] = {}
    for source in sources:
        for joint, symbol in source.joints().items():
            # the mirror image moves the other side
            for name in (joint, *_counterpart(joint, source.category)):
                category, first, path = movers.setdefault(name, (source.category, symbol, source.path))
                if category is not source.category:
                    raise FileFormatError(
                        f"{name} is moved by {source.category} ('{symbol}') and by {category} ('{first}', in"
                        f" {path.name}): a joint belongs to one category",
                        source.path,
                    )
    return movers


def _counterpart(joint: str, category: Category) -> tuple[str, ...]:
    return (mirror_name(joint),) if category in _BY_FOOT else ()


@lru_cache(maxsize=1)
def shipped_gestures() -> tuple[GestureFile, ...]:
    """Return the shipped files, one of each category."""
    return _read_folder(SHIPPED)


def _read_folder(folder: Path) -> tuple[GestureFile, ...]:
    if not os.path.isdir(folder):
        raise FileFormatError("there is no such folder of gestures", folder)
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise FileFormatError("the folder has no file of gestures: they end in .toml", folder)
    return tuple(read_gestures(path) for path in paths)
