"""Files of gestures, in TOML: what they say, checked as they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, NamedTuple

from segue.dance.gestures.anatomy import MOVEMENTS, Pose, excess
from segue.dance.gestures.gesture import SYMBOLS, Category, Gesture
from segue.dance.notation.model import folded
from segue.errors import FileFormatError
from segue.tables import read_text, toml_table

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
    """Read a file of gestures; a complaint names the line, the symbol and the joint."""
    text = read_text(path, "file of gestures", "TOML")
    table, source = toml_table(text, path), _Source(path, text.splitlines())
    category = _category(table.pop("category", None), source)
    dances = table.pop("dance", {})
    if not isinstance(dances, dict):
        raise source.fault("'dance' is no table: variants of a dance stand as [[dance.foxtrot.FWD.goals]]", "dance")
    of_dance = {}
    for dance, symbols in dances.items():
        where = f"dance.{dance}"
        if not isinstance(symbols, dict):
            raise source.fault(f"'{where}' is no table: it holds symbols, as [[dance.waltz.FWD.goals]]", where)
        of_dance[folded(dance)] = dict(_gestures(symbols, category, source, f"{where}."))
    return GestureFile(Path(path), category, dict(_gestures(table, category, source)), of_dance)


class _Source(NamedTuple):
    """The lines of a file, in which the place of a fault is looked up: tables of TOML do not know theirs."""

    path: str | Path
    lines: list[str]

    def fault(self, message: str, table: str, goal: int = 0, joint: str | None = None) -> FileFormatError:
        """Return a complaint about a table such as "dance.waltz.FWD", its goal of some index, and perhaps a joint.

        A table that is written in some other way than with a heading of its own has no line.
        """
        heading = re.compile(
            r"[\s\[\"']*" + r"[\"'\s]*\.[\"'\s]*".join(map(re.escape, table.split("."))) + r"(?![\w-])"
        )
        found = [number for number, line in enumerate(self.lines, 1) if heading.match(line)]
        if not found:
            return FileFormatError(message, self.path)
        number = found[min(goal, len(found) - 1)]
        if joint is not None:
            said = re.compile(r"[\s\"']*" + re.escape(joint) + r"(?![\w-])")
            number = next((n for n in range(number, len(self.lines) + 1) if said.match(self.lines[n - 1])), number)
        return FileFormatError(message, self.path, number)


def _category(name: Any, source: _Source) -> Category:
    if name not in list(Category):
        raise source.fault(f"the category is {name!r}: it must be one of {', '.join(Category)}", "category")
    return Category(name)


def _gestures(
    symbols: Mapping[str, Any], category: Category, source: _Source, prefix: str = ""
) -> Iterator[tuple[str, Gesture]]:
    """Yield the gestures of a table of symbols; prefix: what stands before them in the headings of the file."""
    for symbol, table in symbols.items():
        where = prefix + symbol
        if symbol not in SYMBOLS[category]:
            there_are = ", ".join(SYMBOLS[category])
            raise source.fault(f"{category} has no symbol '{symbol}': there are {there_are}", where)
        if not isinstance(table, dict) or set(table) - {"goals", "sway"}:
            raise source.fault(f"'{symbol}' must hold goals, as [[{symbol}.goals]], and perhaps a sway", where)
        goals = table.get("goals", [])
        if not isinstance(goals, list) or not 1 <= len(goals) <= _MOST_GOALS:
            raise source.fault(f"'{symbol}' needs 1 to {_MOST_GOALS} goals, each under [[{symbol}.goals]]", where)
        try:
            sway = _sway(symbol, table.get("sway", 0.0))
        except _Fault as fault:
            raise source.fault(str(fault), where, joint="sway") from None
        poses = tuple(_pose(symbol, goal, source, where, index) for index, goal in enumerate(goals))
        yield symbol, Gesture(symbol, category, poses, sway)


def _pose(symbol: str, goal: Any, source: _Source, where: str, index: int) -> Pose:
    if not isinstance(goal, dict):
        raise source.fault(f"a goal of '{symbol}' is no table: joints stand under [[{symbol}.goals]]", where, index)
    pose = {}
    for joint, said in goal.items():
        try:
            pose[joint] = _movements(symbol, joint, said)
        except _Fault as fault:
            raise source.fault(str(fault), where, index, joint) from None
    return pose


class _Fault(Exception):
    """What is wrong with one joint or number, before it is known on which line it stands."""


def _movements(symbol: str, joint: str, said: Any) -> dict[str, float]:
    if joint not in MOVEMENTS:
        raise _Fault(f"'{symbol}' names the joint '{joint}': there are {', '.join(MOVEMENTS)}")
    if not isinstance(said, dict):
        example = MOVEMENTS[joint][0]
        raise _Fault(f"{joint} of '{symbol}' is {said!r}: degrees by movement are needed: {{ {example} = 5 }}")
    for movement in said:
        if movement not in MOVEMENTS[joint]:
            raise _Fault(f"{joint} of '{symbol}' has no '{movement}': there is {', '.join(MOVEMENTS[joint])}")
    degrees = {movement: _number(each, f"{movement} of {joint} of '{symbol}'") for movement, each in said.items()}
    beyond = excess(joint, degrees)
    if beyond > _NEARLY:
        raise _Fault(f"{joint} of '{symbol}' is {beyond:.0f} degrees beyond what the joint can do: turn it less")
    return degrees


def _sway(symbol: str, said: Any) -> float:
    sway = _number(said, f"the sway of '{symbol}'")
    if abs(sway) > _MOST_SWAY:
        raise _Fault(f"the sway of '{symbol}' is {sway:g} degrees: it must lie from -{_MOST_SWAY:g} to {_MOST_SWAY:g}")
    return sway


def _number(value: Any, what: str) -> float:
    # compared and not converted: a whole number in TOML may exceed what a float can hold
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= _MOST_DEGREES:
        raise _Fault(f"{what} is {shortened(value)}: a number of degrees from -360 to 360 is needed")
    return float(value)
