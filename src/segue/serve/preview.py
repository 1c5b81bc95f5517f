"""Evaluate a document for pages: values of all nodes, from memory where nothing changed, without effects."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from weakref import WeakKeyDictionary

from segue.language import tree
from segue.language.limits import Limits
from segue.language.memory import Memory
from segue.language.session import Session
from segue.language.table import function_named
from segue.language.values import Value, describe, kind_of_value
from segue.motion.motion import Motion, gaps
from segue.motion.track_table import parts_of
from segue.serve.shapes import NodeValue


@dataclass
class Evaluated:
    """A script that was run: values of nodes by their path, the path of the motion to show, and printed lines."""

    rev: int
    text: str
    script: tree.Script
    session: Session
    values: dict[str, Value] = field(default_factory=dict)
    times: dict[str, float | None] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    shown: str = ""
    ms: float = 0.0

    @property
    def motion(self) -> Motion | None:
        """The motion to show."""
        found = self.values.get(self.shown)
        return found if isinstance(found, Motion) else None

    def described(self) -> dict[str, NodeValue]:
        """Return what pages show of all values."""
        return {path: _described(value, self.times.get(path, 0.0)) for path, value in self.values.items()}


class Preview:
    """Runs scripts one after another with one memory; `cancel` may be called from another thread.

    given: values that have a name before a script begins.
    """

    def __init__(self, folder: Path, limits: Limits | None = None, given: Mapping[str, Value] | None = None) -> None:
        self.folder = folder
        self.given = dict(given or {})
        self.limits = limits or Limits()
        self.memory = Memory()
        self._session: Session | None = None

    def cancel(self) -> None:
        """Stop the present run."""
        session = self._session
        if session is not None:
            session.cancel()

    def run(self, rev: int, text: str, script: tree.Script) -> Evaluated:
        """Evaluate a script; raise LanguageError where it fails."""
        said: list[str] = []
        session = self._session = Session(self.folder, self.limits, said.append, self.memory)
        session.values.update(self.given)
        made = Evaluated(rev, text, script, session, said=said)
        paths = {id(node): path for path, node in tree.named_nodes(script)}

        def watch(expression: tree.Expression, value: Value) -> None:
            path = paths.get(id(expression))
            if path is not None:
                made.values[path] = value
                if isinstance(expression, tree.Call | tree.Binary):
                    made.times[path] = None if self.memory.last is None else self.memory.last.ms

        began = time.perf_counter()
        session.carry_out(script, watch=watch)
        made.ms = 1000.0 * (time.perf_counter() - began)
        made.shown = _shown(made)
        return made


def _shown(made: Evaluated) -> str:
    """Return the path of the last motion that a statement gives, or gives to a function with effects; "" for none."""
    for k, statement in reversed(list(enumerate(made.script.statements))):
        path = f"{k}/0"
        if isinstance(made.values.get(path), Motion):
            return path
        value = getattr(statement, "expression", None)
        function = function_named(value.function) if isinstance(value, tree.Call) else None
        if function is not None and function.effect and isinstance(made.values.get(f"{path}/0"), Motion):
            return f"{path}/0"
    return ""


def _described(value: Value, ms: float | None) -> NodeValue:
    if isinstance(value, Motion):
        found = _motions.get(value)
        if found is None:
            found = _motions[value] = _motion(value)
        return replace(found, ms=ms or 0.0, cached=ms is None)
    kind = kind_of_value(value).removeprefix("a ").removeprefix("an ")
    return NodeValue(kind, describe(value).split("\n")[0][:200], ms or 0.0, ms is None)


_motions: WeakKeyDictionary[Motion, NodeValue] = WeakKeyDictionary()
"""Descriptions of motions: most motions of a script are the same in the next revision."""


def _motion(value: Motion) -> NodeValue:
    undefined = tuple((each.start, each.stop, ", ".join(parts_of(each.tracks))) for each in gaps(value)[:50])
    said = describe(value)[:200]
    return NodeValue("motion", said, 0.0, False, value.start, value.stop, value.fps, undefined)
