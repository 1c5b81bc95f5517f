"""The prompt: typed expressions, completion and history."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from segue.errors import SegueError
from segue.language.completion import completions, help_text
from segue.language.errors import LanguageError
from segue.language.parser import is_unfinished
from segue.language.session import Session
from segue.language.values import describe

_GREETING = "Segue: motion expressions. Try clips.walk; help lists what there is, Ctrl-D leaves."
_HELP = re.compile(r"help(?:\s+|\s*\(\s*)?(\w*)\s*\)?\s*$")
# users type `show m`; `show(m)` and a value named show keep their meaning
_SHOW = re.compile(r"show\s+(?![=(])(.+)$", re.DOTALL)
_LEAVE = frozenset({"exit", "quit", "exit()", "quit()"})


def history_file() -> Path:
    """Return the file of the history, in the user's cache folder."""
    if sys.platform == "win32":
        cache = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        cache = str(Path.home() / "Library" / "Caches")
    else:
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "segue" / "history"


def _history() -> History:
    """Return the history on disk, or in memory if the cache folder cannot be used."""
    path = history_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)


class Repl:
    """Reads, evaluates and prints until Ctrl-D.

    input, output: the terminal, or what stands for it. say: takes what is printed.
    """

    def __init__(
        self,
        session: Session,
        *,
        say: Callable[[str], None] = print,
        history: History | None = None,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._session = session
        self._say = say
        self._count = 0
        self._prompt: PromptSession[str] = PromptSession(
            "segue> ",
            history=_history() if history is None else history,
            completer=SessionCompleter(session),
            complete_while_typing=False,
            multiline=Condition(lambda: is_unfinished(get_app().current_buffer.text)),
            prompt_continuation="   ... ",
            input=input,
            output=output,
        )

    def run(self) -> None:
        """Read lines until the user leaves."""
        self._say(_GREETING)
        while True:
            try:
                typed = self._prompt.prompt()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if typed.strip() in _LEAVE:
                return
            self.handle(typed)

    def handle(self, typed: str) -> None:
        """Run one input and print its value or its error; the session continues in both cases."""
        self._count += 1
        line = typed.strip()
        asked = _HELP.match(line)
        if asked:
            self._say(help_text(asked[1], self._session.definitions))
            return
        shown = _SHOW.match(line)
        text = f"show({shown[1]})" if shown else typed
        try:
            answer = describe(self._session.run(text, f"line {self._count}"))
        except LanguageError as error:
            self._say(f"{error.message}\n{error.pointer}")
        except SegueError as error:
            self._say(str(error))
        except KeyboardInterrupt:
            self._say("stopped; everything named before is still there")
        else:
            if answer:
                self._say(answer)


class SessionCompleter(Completer):
    """Completes with the present names of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield completions of the word, or of the file name, before the cursor."""
        for found in completions(self._session, document.text_before_cursor):
            yield Completion(found.text, start_position=-found.typed, display_meta=found.about)
