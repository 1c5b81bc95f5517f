"""Help in the terminal: all functions in a line each, or one of them with its example."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from segue import clips
from segue.body.human import HUMAN
from segue.language.errors import suggestion
from segue.language.table import ALIASES, FUNCTIONS, function_named
from segue.language.tree import Definition

TOPICS: Mapping[str, str] = {
    "operators": (
        "a & b  where both motions are defined         a - b  a without the times where b is defined\n"
        "a + b  both; where both are defined: conflict  + - * /  also work on numbers, < <= > >= == != compare\n"
        "& binds tighter than + and -.\n"
        "Example: retime(clips.wave, 1) + (clips.walk - retime(clips.wave, 0.5, 1.2))"
    ),
    "for": (
        "VALUE for NAME in LIST gives a list, inside [ ] or a call; 1..12 is the list of whole numbers from 1 to 12.\n"
        "Example: concat(trim(clips.walk, 0, i / 4) for i in 1..4)"
    ),
    "if": "if A then B else C is B where A is true, else C.\nExample: if duration(clips.walk) > 2 then 1 else 2",
    "def": "def NAME(PARAMETERS) = VALUE makes a function.\nExample: def twice(m) = concat(m, m)",
    "use": (
        'use library("FILE") makes fill_gaps, fill and transition fill from a library of clips from here on. Several\n'
        "files make one library. use library() stops it. segue library build makes a file.\n"
        "Example: use library()"
    ),
    "clips": f"clips.NAME is a built-in motion: {', '.join(clips.NAMES)}.\nExample: clips.walk",
    "joints": (
        f"Groups of joints: {', '.join(HUMAN.groups)}. Joints such as left_elbow and tracks have names too.\n"
        "Example: select(clips.walk, upper_body)"
    ),
}
"""Help on what is not a function; every text ends with an example."""


def help_text(name: str = "", definitions: Mapping[str, Definition] | None = None) -> str:
    """Return help on one name, or an overview."""
    if not name:
        return _overview()
    function = function_named(name)
    if function:
        return f"{function.signature}\n{function.help}\nExample: {function.example}"
    if name in TOPICS:
        return TOPICS[name]
    if definitions and name in definitions:
        definition = definitions[name]
        return f"def {name}({', '.join(definition.parameters)}): defined at the prompt, {definition.place.source.name}"
    known: Iterable[str] = {*FUNCTIONS, *ALIASES, *TOPICS, *(definitions or {})}
    return f"There is no help on '{name}'{suggestion(name, known) or '; type help for a list'}"


def _overview() -> str:
    width = max(len(name) for name in FUNCTIONS)
    lines = [f"  {name:<{width}}  {function.help.split('. ')[0].rstrip('.')}" for name, function in FUNCTIONS.items()]
    return "\n".join(
        [
            "Type an expression, such as clips.walk, or NAME = EXPRESSION. help NAME prints more, with an example.",
            *lines,
            f"Also: help {', help '.join(TOPICS)}.",
            "At the prompt: show EXPRESSION draws a time line; Ctrl-C stops a computation; Ctrl-D leaves.",
        ]
    )
