"""What could come next at the prompt: names, functions, joints, clips, and file names inside quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from segue import clips
from segue.language.help import TOPICS
from segue.language.library_use import USABLE
from segue.language.parser import KEYWORDS
from segue.language.session import Session
from segue.language.table import ALIASES, CONSTANTS, FUNCTIONS
from segue.language.values import JOINT_NAMES, kind_of_value

_OPEN_TEXT = re.compile(r"""^(?:[^"'#]|"[^"\n]*"|'[^'\n]*')*["']([^"'\n]*)$""")
_MEMBER = re.compile(r"\bclips\s*\.\s*(\w*)$")
_USED = re.compile(r"(?:^|;)\s*use\s+(\w*)$")
_WORD = re.compile(r"[A-Za-z_]\w*$")


class SessionCompleter(Completer):
    """Completes with what a session knows at the moment."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield completions of the word, or of the file name, before the cursor."""
        line = document.current_line_before_cursor
        quoted = _OPEN_TEXT.match(line)
        if quoted:
            yield from self._files(quoted[1])
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
            yield from _starting(word[0], known | self._names())

    def _names(self) -> dict[str, str]:
        """Return every name that can begin a word, with what it is."""
        functions = {*FUNCTIONS, *ALIASES, *self._session.definitions}
        return (
            {name: kind_of_value(value).removeprefix("a ") for name, value in self._session.values.items()}
            | dict.fromkeys(functions, "function")
            | {name: "truth" if isinstance(value, bool) else "number" for name, value in CONSTANTS.items()}
            | dict.fromkeys(JOINT_NAMES, "joints")
            | dict.fromkeys(KEYWORDS, "")
            | {"clips": "built-in clips", "help": "help"}
        )

    def _files(self, typed: str) -> Iterable[Completion]:
        folder, slash, name = typed.rpartition("/")
        if slash and not folder:
            return
        for entry in self._session.workspace.entries(folder):
            if entry.startswith(name):
                yield Completion(entry, start_position=-len(name))


def _starting(typed: str, known: dict[str, str]) -> Iterable[Completion]:
    for name in sorted(known):
        if name.startswith(typed) and name != typed:
            yield Completion(name, start_position=-len(typed), display_meta=known[name])
