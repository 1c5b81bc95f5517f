"""Files of gestures, in TOML: what they say, checked as they are read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from segue.dance.gestures.anatomy import MOVEMENTS, Pose, excess
from segue.dance.gestures.gesture import SYMBOLS, Category, Gesture
from segue.dance.patterns.names import folded
from segue.errors import FileFormatError
from segue.tables import read_text, toml_table

__all__ = ["GestureFile", "read_gestures"]

_MOST_GOALS = 8
_MOST_SWAY = 20.0  # degrees
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
    """Read a file of gestures; a complaint names the symbol and the joint."""
    table = toml_table(read_text(path, "file of gestures", "TOML"), path)
    category = _category(table.pop("category", None), path)
    dances = table.pop("dance", {})
    if not isinstance(dances, dict):
        raise FileFormatError("'dance' is no table: variants of a dance stand as [[dance.foxtrot.FWD.goals]]", path)
    of_dance = {}
    for dance, symbols in dances.items():
        if not isinstance(symbols, dict):
            raise FileFormatError(f"'dance.{dance}' is no table: it holds symbols, as [[dance.waltz.FWD.goals]]", path)
        of_dance[folded(dance)] = dict(_gestures(symbols, category, path))
    return GestureFile(Path(path), category, dict(_gestures(table, category, path)), of_dance)


def _category(name: Any, path: str | Path) -> Category:
    if name not in list(Category):
        raise FileFormatError(f"the category is {name!r}: it must be one of {', '.join(Category)}", path)
    return Category(name)


def _gestures(symbols: Mapping[str, Any], category: Category, path: str | Path) -> Iterator[tuple[str, Gesture]]:
    for symbol, table in symbols.items():
        if symbol not in SYMBOLS[category]:
            raise FileFormatError(
                f"{category} has no symbol '{symbol}': there are {', '.join(SYMBOLS[category])}", path
            )
        if not isinstance(table, dict) or set(table) - {"goals", "sway"}:
            raise FileFormatError(f"'{symbol}' must hold goals, as [[{symbol}.goals]], and perhaps a sway", path)
        goals = table.get("goals", [])
        if not isinstance(goals, list) or not 1 <= len(goals) <= _MOST_GOALS:
            raise FileFormatError(f"'{symbol}' needs 1 to {_MOST_GOALS} goals, each under [[{symbol}.goals]]", path)
        poses = tuple(_pose(symbol, goal, path) for goal in goals)
        sway = _number(table.get("sway", 0.0), f"the sway of '{symbol}'", path)
        if abs(sway) > _MOST_SWAY:
            raise FileFormatError(
                f"the sway of '{symbol}' is {sway:g} degrees: it must lie between -{_MOST_SWAY:g} and {_MOST_SWAY:g}",
                path,
            )
        yield symbol, Gesture(symbol, category, poses, sway)


def _pose(symbol: str, goal: Any, path: str | Path) -> Pose:
    if not isinstance(goal, dict):
        raise FileFormatError(f"a goal of '{symbol}' is no table: joints stand under [[{symbol}.goals]]", path)
    pose: dict[str, dict[str, float]] = {}
    for joint, said in goal.items():
        if joint not in MOVEMENTS:
            raise FileFormatError(f"'{symbol}' names the joint '{joint}': there are {', '.join(MOVEMENTS)}", path)
        if not isinstance(said, dict):
            raise FileFormatError(
                f"{joint} of '{symbol}' is {said!r}: degrees by movement are needed: {{ {MOVEMENTS[joint][0]} = 5 }}",
                path,
            )
        for movement in said:
            if movement not in MOVEMENTS[joint]:
                raise FileFormatError(
                    f"{joint} of '{symbol}' has no '{movement}': there is {', '.join(MOVEMENTS[joint])}", path
                )
        pose[joint] = {
            movement: _number(degrees, f"{movement} of {joint} of '{symbol}'", path)
            for movement, degrees in said.items()
        }
        beyond = excess(joint, pose[joint])
        if beyond > _NEARLY:
            raise FileFormatError(
                f"{joint} of '{symbol}' is {beyond:.0f} degrees beyond what the joint can do: turn it less", path
            )
    return pose


def _number(value: Any, what: str, path: str | Path) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise FileFormatError(f"{what} is {value!r}: a number of degrees is needed", path)
    return float(value)
