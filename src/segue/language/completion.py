"""Help in the terminal, and completion of the word, file name or parameter before the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from segue import clips
from segue.body.human import HUMAN
from segue.language.errors import suggestion
from segue.language.filling import USABLE
from segue.language.parser import KEYWORDS
from segue.language.session import Session
from segue.language.table import ALIASES, CONSTANTS, FUNCTIONS, function_named
from segue.language.tree import Definition
from segue.language.values import JOINT_NAMES, kind_of_value

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
        "Example: only(clips.walk, upper_body)"
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


_OPEN_TEXT = re.compile(r"""^(?:[^"'#]|"[^"\n]*"|'[^'\n]*')*["']([^"'\n]*)$""")
_MEMBER = re.compile(r"\bclips\s*\.\s*(\w*)$")
_USED = re.compile(r"(?:^|;)\s*use\s+(\w*)$")
_WORD = re.compile(r"[A-Za-z_]\w*$")
_TEXTS = re.compile(r""""[^"\n]*"|'[^'\n]*'|#[^\n]*""")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*$")
_NAMED = re.compile(r"([A-Za-z_]\w*)\s*=\s*[\"'][^\"'\n]*$")


class Completed(NamedTuple):
    """A completion: the text that replaces the `typed` last characters, and its kind in words."""

    text: str
    typed: int
    about: str


def completions(session: Session, before: str) -> Iterator[Completed]:
    """Yield completions at the end of a text, with the names that a session has."""
    line = before.rpartition("\n")[2]
    quoted = _OPEN_TEXT.match(line)
    if quoted:
        yield from _texts(session, before, quoted[1])
        return
    member = _MEMBER.search(line)
    if member:
        yield from _starting(member[1], dict.fromkeys(clips.NAMES, "clip"))
        return
    used = _USED.search(line)
    if used:
        yield from _starting(used[1], dict.fromkeys(USABLE, "to fill from"))
        return
    word = _WORD.search(line)
    if word:
        known = dict.fromkeys(TOPICS, "topic") if line.startswith("help ") else {}
        yield from _starting(word[0], known | _parameters(before[: len(before) - len(word[0])]) | _names(session))


def open_call(before: str) -> str:
    """Return the name of the function whose brackets are open at the end of a text; "" for none."""
    bare = _TEXTS.sub(lambda found: " " * len(found[0]), before)
    depth = 0
    for at in range(len(bare) - 1, -1, -1):
        if bare[at] in ")]":
            depth += 1
        elif bare[at] in "([":
            depth -= 1
            if depth < 0:
                called = _CALLED.search(bare[:at]) if bare[at] == "(" else None
                if called:
                    return called[1]
                depth = 0
        elif bare[at] == "\n" and depth == 0 and not bare[:at].rstrip().endswith((",", "(", "[")):
            return ""
    return ""


def _parameters(before: str) -> dict[str, str]:
    """Return the parameters of the function whose arguments are being typed."""
    function = function_named(open_call(before)) if before.rstrip()[-1:] in (",", "(") else None
    return {} if function is None else {f"{each.name}=": each.kind.words for each in function.parameters}


def _texts(session: Session, before: str, typed: str) -> Iterator[Completed]:
    """Yield the texts that a parameter accepts, or names of files."""
    function, named = function_named(open_call(before[: len(before) - len(typed) - 1])), _NAMED.search(before)
    if function is not None and named:
        texts = next((each.texts for each in function.parameters if each.name == named[1]), ())
        yield from _starting(typed, dict.fromkeys(texts, "choice"))
    yield from _files(session, typed)


def _names(session: Session) -> dict[str, str]:
    """Return every name that can begin a word, with its kind."""
    functions = {*FUNCTIONS, *ALIASES, *session.definitions}
    return (
        {name: kind_of_value(value).removeprefix("a ") for name, value in session.values.items()}
        | dict.fromkeys(functions, "function")
        | {name: "truth" if isinstance(value, bool) else "number" for name, value in CONSTANTS.items()}
        | dict.fromkeys(JOINT_NAMES, "joints")
        | dict.fromkeys(KEYWORDS, "")
        | {"clips": "built-in clips", "help": "help"}
    )


def _files(session: Session, typed: str) -> Iterator[Completed]:
    folder, slash, name = typed.rpartition("/")
    if slash and not folder:
        return
    for entry in session.workspace.entries(folder):
        if entry.startswith(name):
            yield Completed(entry, len(name), "")


def _starting(typed: str, known: dict[str, str]) -> Iterator[Completed]:
    for name in sorted(known):
        if name.startswith(typed) and name != typed:
            yield Completed(name, len(typed), known[name])
