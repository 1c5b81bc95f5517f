"""Gesture files for pages: goals by symbol, the joints of their category, and those that other categories own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from segue.body.human import HUMAN
from segue.checks import choice
from segue.dance.gestures import (
    MOVEMENTS,
    SHIPPED,
    SYMBOLS,
    Category,
    Gesture,
    GestureFile,
    movers_of,
    read_gestures,
    shipped_gestures,
)
from segue.dance.patterns.folders import file_stem
from segue.errors import SegueError
from segue.serve.outlines import GestureOutline, GestureSymbol
from segue.serve.text_kinds import ReadText, TextKind
from segue.serve.toml_texts import of_error, toml_of

_LISTED = "Gestures"


def read_gesture_text(text: str, path: Path) -> ReadText:
    """Return the outline of a file of gestures, and what is wrong with it; path: of its file, beside others."""
    table, wrong = toml_of(text, path)
    if table is None:
        return ReadText(None, wrong)
    beside = tuple(_beside(path))
    try:
        own = read_gestures(path, text)
        movers_of([*shipped_gestures(), *beside, own])
    except SegueError as error:
        wrong = (of_error(error, text),)
    if table.get("category") not in tuple(Category):
        return ReadText(None, wrong)
    return ReadText(_outline(table, Category(table["category"]), beside), wrong)


def described_gestures(text: str, path: Path) -> tuple[str, str, str] | None:
    """Return the category of a file of gestures and how many symbols it has; None for another file."""
    table, _ = toml_of(text, path)
    if table is None or table.get("category") not in tuple(Category):
        return None
    symbols = [key for key in table if key in SYMBOLS[Category(table["category"])]]
    return str(table["category"]), _LISTED, f"{len(symbols)} symbols"


def new_gestures(name: str) -> tuple[str, str]:
    """Return the path and the text of a file of a category, as it comes with Segue; name: of the category."""
    category = choice("category", name, tuple(Category))
    source = next(file for file in shipped_gestures() if file.category is category)
    return f"gestures/{file_stem(category)}.toml", source.path.read_text(encoding="utf-8")


GESTURES = TextKind(".toml", read_gesture_text, described_gestures, new_gestures, SHIPPED)
"""Gestures: what the symbols of the notation mean for the body."""


def _beside(path: Path) -> Iterator[GestureFile]:
    """Yield the other files of gestures in a file's folder that can be read."""
    if path.is_relative_to(SHIPPED):
        return
    for other in sorted(path.parent.glob("*.toml")):
        try:
            if other != path:
                yield read_gestures(other)
        except SegueError:
            continue  # it is another kind of file, or reports its own errors


def _outline(table: dict[str, Any], category: Category, beside: tuple[GestureFile, ...]) -> GestureOutline:
    source = next(file for file in shipped_gestures() if file.category is category)
    owners = {joint: owner for joint, (owner, *_) in movers_of([*shipped_gestures(), *_harmless(beside)]).items()}
    own = [joint for joint in MOVEMENTS if owners.get(joint, category) is category]
    dances = table.get("dance", {})
    written = [dance for dance, said in dances.items() if isinstance(said, dict)] if isinstance(dances, dict) else []
    symbols = [_given(table, symbol, "", source.usual) for symbol in SYMBOLS[category]]
    for dance in dict.fromkeys([*written, *source.of_dance]):
        said = dances.get(dance, {}) if isinstance(dances, dict) else {}
        for symbol in SYMBOLS[category]:
            if symbol in said or symbol in source.of_dance.get(dance, {}):
                symbols.append(_given(said, symbol, dance, source.of_dance.get(dance, {})))
    return GestureOutline(
        "gestures",
        category,
        category in (Category.FOOT, Category.FOOTWORK),
        {joint: MOVEMENTS[joint] for joint in own},
        {joint: str(owner) for joint, owner in owners.items() if owner is not category},
        dict(zip(HUMAN.joint_names[1:], HUMAN.segments[1:], strict=True)),
        tuple(symbols),
    )


def _harmless(files: tuple[GestureFile, ...]) -> Iterator[GestureFile]:
    """Yield files whose joints conflict with none of the shipped categories."""
    for file in files:
        try:
            movers_of([*shipped_gestures(), file])
        except SegueError:
            continue
        yield file


def _given(table: Any, symbol: str, dance: str, usual: Mapping[str, Gesture]) -> GestureSymbol:
    """Return a symbol's gesture in a table of a file, as far as it can be read, or that which comes with Segue."""
    place = ("dance", dance, symbol) if dance else (symbol,)
    said = table.get(symbol)
    if isinstance(said, dict) and isinstance(said.get("goals"), list):
        sway = said.get("sway", 0.0)
        goals = tuple(_numbers(goal) for goal in said["goals"])
        return GestureSymbol(symbol, dance, place, True, float(sway) if isinstance(sway, int | float) else 0.0, goals)
    known = usual.get(symbol)
    goals = tuple({joint: dict(turn) for joint, turn in goal.items()} for goal in known.goals) if known else ()
    return GestureSymbol(symbol, dance, place, False, known.sway if known else 0.0, goals)


def _numbers(goal: Any) -> dict[str, dict[str, float]]:
    found = {}
    for joint, said in goal.items() if isinstance(goal, dict) else ():
        if joint in MOVEMENTS and isinstance(said, dict):
            found[joint] = {
                name: float(degrees)
                for name, degrees in said.items()
                if name in MOVEMENTS[joint] and isinstance(degrees, int | float)
            }
    return found
