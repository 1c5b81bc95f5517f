"""Completion of the word, file name or parameter before the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from segue import clips
from segue.language.filling import USABLE
from segue.language.help import TOPICS
from segue.language.parser import KEYWORDS
from segue.language.session import Session
from segue.language.table import ALIASES, CONSTANTS, FUNCTIONS, function_named
from segue.language.values import JOINT_NAMES, kind_of_value

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
