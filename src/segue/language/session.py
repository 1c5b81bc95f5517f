"""Run scripts one after another, with shared names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from segue.errors import ArgumentError
from segue.language import tree
from segue.language.effects import write
from segue.language.errors import LanguageError, LimitError, Place, Source
from segue.language.filling import check_used, opened
from segue.language.interpreter import Interpreter, Scope, Watch, check_new_name
from segue.language.limits import Budget, Limits
from segue.language.memory import Memory
from segue.language.parser import parse
from segue.language.table import function_named
from segue.language.values import Value, kind_of_value
from segue.language.workspace import Workspace
from segue.library.frame_index import FrameIndex
from segue.motion.motion import Motion


class Session:
    """State shared by scripts and lines at the prompt: a folder, limits, named values, definitions, a library.

    folder: where files may be read and written (the current one where not given). say: takes what scripts print.
    memory: of values of earlier runs. effects: whether `save`, `plot` and `show` act; by default they do not if there
    is a memory, because the lines of a preview are evaluated again and again.
    """

    def __init__(
        self,
        folder: Path | None = None,
        limits: Limits | None = None,
        say: Callable[[str], None] = print,
        memory: Memory | None = None,
        effects: bool | None = None,
    ) -> None:
        self.workspace = Workspace(folder)
        self.limits = limits or Limits()
        self.values: dict[str, Value] = {}
        self.definitions: dict[str, tree.Definition] = {}
        self.library: FrameIndex | None = None
        self._say = say
        self._memory = memory
        self._effects = memory is None if effects is None else effects
        self._budget: Budget | None = None

    def run(self, text: str, name: str = "script", *, watch: Watch | None = None) -> Value:
        """Run a script and return the value of its last expression, None where it has none.

        Each run has the whole of the limits. watch: called with every expression and its value.
        """
        return self.carry_out(parse(text, name, self.limits), watch=watch)

    def carry_out(self, script: tree.Script, *, watch: Watch | None = None) -> Value:
        """Run a script that is parsed already."""
        budget = self._budget = Budget(self.limits)
        interpreter = Interpreter(
            Scope(self.values),
            self.definitions,
            self.workspace,
            budget,
            self._say,
            watch,
            self.library,
            self._memory,
            self._effects,
        )
        last: Value = None
        with budget.watched(script.place):
            for statement in script.statements:
                match statement:
                    case tree.Evaluation():
                        last = interpreter.evaluate(statement.expression)
                    case tree.Assignment():
                        check_new_name(statement.name, statement.place)
                        self.values[statement.name] = interpreter.evaluate(statement.value)
                    case tree.Definition():
                        self._define(statement)
                    case tree.Use():
                        check_used(statement)
                        given = [(each, interpreter.evaluate(each.value)) for each in statement.arguments]
                        self.library = interpreter.library = opened(given, self.workspace, budget)
        return last

    def cancel(self) -> None:
        """Stop the present run, from another thread: it raises LimitError."""
        if self._budget is not None:
            self._budget.cancel()

    def _define(self, definition: tree.Definition) -> None:
        if function_named(definition.name):
            raise LanguageError(
                f"'{definition.name}' is a function of the language: choose another name", definition.place
            )
        for k, parameter in enumerate(definition.parameters):
            check_new_name(parameter, definition.place)
            if parameter in definition.parameters[:k]:
                raise LanguageError(f"the parameter '{parameter}' is there twice", definition.place)
        self.definitions[definition.name] = definition

    def save(self, value: Value, path: Path) -> None:
        """Write the result of a script to a file that the user names."""
        if not isinstance(value, Motion):
            raise ArgumentError(
                f"only a motion can be saved as {path}, and the last expression gives {kind_of_value(value)}"
            )
        budget, place = Budget(self.limits), Place(Source(""), 1, 1)
        try:
            with budget.watched(place):
                write(value, path, budget, place)
        except LimitError as error:
            raise ArgumentError(error.message) from error  # the error has no place in the script


def evaluate(text: str, folder: Path | None = None, limits: Limits | None = None) -> Value:
    """Return the value of the last expression of a script."""
    return Session(folder, limits).run(text)
