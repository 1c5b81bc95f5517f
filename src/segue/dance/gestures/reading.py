"""Files of gestures, in TOML: what they say, checked as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from segue.dance.gestures.anatomy import MOVEMENTS, Pose, excess
from segue.dance.gestures.gesture import SYMBOLS, Category, Gesture
from segue.dance.notation.model import folded
from segue.tables import Table, read_table

_MOST_GOALS = 8
_MOST_SWAY = 20.0  # degrees
_MOST_DEGREES = 360
_NEARLY = 1e-6


class GestureFile(NamedTuple):
    """The gestures of one category: of all dances, and those of some dances that differ."""

    path: Path
    category: Category
    usual: Mapping[str, Gesture]
    of_dance: Mapping[str, Mapping[str, Gesture]]

    def of(self, dance: str) -> Mapping[str, Gesture]:
        """Return the gestures of a dance, by symbol."""
        return {**self.usual, **self.of_dance.get(folded(dance), {})}

    def joints(self) -> dict[str, str]:
        """Return the joints that this category moves, each with a symbol that does."""
        tables = [self.usual, *self.of_dance.values()]
        return {
            joint: symbol
            for table in tables
            for symbol, gesture in table.items()
            for goal in gesture.goals
            for joint in goal
        }


def read_gestures(path: str | Path) -> GestureFile:
    """Read a file of gestures; raise FileFormatError with the line of what is wrong."""
    file = read_table(path, "file of gestures")
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
        beyond = excess(joint, degrees)
        if beyond > _NEARLY:
            raise goal.error(
                f"{joint} of '{symbol}' is {beyond:.0f} degrees beyond what the joint can do: turn it less", joint
            )
        pose[joint] = degrees
    return pose
