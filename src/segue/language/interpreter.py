"""Evaluate a syntax tree, one step an expression, on an explicit stack, so that depth is not limited by Python."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from segue import clips
from segue.errors import SegueError
from segue.language import tree
from segue.language.errors import LanguageError, LimitError, Place, suggestion
from segue.language.limits import Budget
from segue.language.memory import Memory
from segue.language.parser import KEYWORDS
from segue.language.signature import ANY, Context, Function, Parameter, bind
from segue.language.table import ALIASES, CONSTANTS, FUNCTIONS, function_named
from segue.language.tree import Expression
from segue.language.values import JOINT_NAMES, Value, applied, kind_of_value
from segue.language.workspace import Workspace
from segue.library.frame_index import FrameIndex
from segue.motion.motion import Motion

Watch: TypeAlias = Callable[[Expression, Value], None]
"""Called with every expression and its value, inner expressions first."""


@dataclass(frozen=True)
class Scope:
    """Names and their values, and the outer scope."""

    values: dict[str, Value] = field(default_factory=dict)
    outer: Scope | None = None

    def find(self, name: str) -> Scope | None:
        """Return the nearest scope that has a name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.values:
            scope = scope.outer
        return scope

    def names(self) -> set[str]:
        """Return all names of this scope and of the outer scopes."""
        return set(self.values) | (self.outer.names() if self.outer else set())


# an evaluation yields an expression and a scope, is sent the value, and returns its own value
_Evaluation: TypeAlias = Generator[tuple[Expression, Scope], Value, Value]


class Interpreter:
    """Evaluates expressions; `scope` and `definitions` are what statements so far have named.

    library: what gaps are filled from, until another statement says otherwise. memory: of values of earlier runs.
    effects: whether functions such as save act; in a preview, whose lines are evaluated again and again, they do not.
    """

    def __init__(
        self,
        scope: Scope,
        definitions: Mapping[str, tree.Definition],
        workspace: Workspace,
        budget: Budget,
        say: Callable[[str], None],
        watch: Watch | None = None,
        library: FrameIndex | None = None,
        memory: Memory | None = None,
        effects: bool = True,
    ) -> None:
        self._scope = scope
        self._effects = effects
        self._memory = memory
        self._said: list[str] = []
        self._definitions = definitions
        self._workspace = workspace
        self._budget = budget
        self._say = say
        self._watch = watch
        self.library = library

    def evaluate(self, expression: Expression) -> Value:
        """Return the value of an expression."""
        waiting: list[tuple[Expression, _Evaluation]] = []
        asked: tuple[Expression, Scope] | None = (expression, self._scope)
        value: Value = None
        while True:
            if asked is not None:
                self._budget.step(asked[0].place, len(waiting))
                waiting.append((asked[0], self._begin(*asked)))
                asked, value = None, None
            try:
                asked = waiting[-1][1].send(value)
            except StopIteration as done:
                value = done.value
                here, _ = waiting.pop()
                if self._watch is not None:
                    self._watch(here, value)
                if not waiting:
                    return value

    def _begin(self, expression: Expression, scope: Scope) -> _Evaluation:
        match expression:
            case tree.Number():
                return self._number(expression)
            case tree.Text():
                return self._text(expression)
            case tree.Name():
                return self._name(expression, scope)
            case tree.Member():
                return self._member(expression)
            case tree.ListOf():
                return self._list(expression, scope)
            case tree.Range():
                return self._range(expression, scope)
            case tree.Comprehension():
                return self._comprehension(expression, scope)
            case tree.Negative():
                return self._negative(expression, scope)
            case tree.Binary():
                return self._binary(expression, scope)
            case tree.Conditional():
                return self._conditional(expression, scope)
            case tree.Call():
                return self._call(expression, scope)
        raise AssertionError(f"no way to evaluate {type(expression).__name__}")

    def _number(self, node: tree.Number) -> _Evaluation:
        yield from ()
        return self._budget.number(node.value, node.place)

    def _text(self, node: tree.Text) -> _Evaluation:
        yield from ()
        return self._budget.text(node.value, node.place)

    def _name(self, node: tree.Name, scope: Scope) -> _Evaluation:
        yield from ()
        found = scope.find(node.name)
        if found is not None:
            return found.values[node.name]
        if node.name in CONSTANTS:
            return CONSTANTS[node.name]
        if node.name in JOINT_NAMES:
            return node.name
        if node.name == "clips":
            raise LanguageError(f"'clips' needs the name of a clip behind a dot: {_clip_names()}", node.place)
        function = function_named(node.name)
        if function is not None or node.name in self._definitions:
            how = function.signature if function else f"{node.name}(...)"
            raise LanguageError(f"'{node.name}' is a function: it is called as {how}", node.place)
        raise LanguageError(f"there is nothing named '{node.name}'{_nearest(node.name, scope)}", node.place)

    def _member(self, node: tree.Member) -> _Evaluation:
        yield from ()
        if node.owner != "clips":
            raise LanguageError(f"'{node.owner}' has nothing behind a dot: only clips has", node.place)
        if node.name not in clips.NAMES:
            hint = suggestion(node.name, clips.NAMES) or f": there are {_clip_names()}"
            raise LanguageError(f"there is no built-in clip '{node.name}'{hint}", node.place)
        return clips.motion(node.name)

    def _list(self, node: tree.ListOf, scope: Scope) -> _Evaluation:
        self._budget.items(len(node.items), node.place)
        items: list[Value] = []
        for item in node.items:
            items.append((yield item, scope))
        return tuple(items)

    def _range(self, node: tree.Range, scope: Scope) -> _Evaluation:
        ends: list[int] = []
        for end in (node.first, node.last):
            value = yield end, scope
            if not isinstance(value, float) or not value.is_integer():
                raise LanguageError(
                    f"a range goes from one whole number to another, as 1..12, not {kind_of_value(value)}"
                    + (f" such as {value:g}" if isinstance(value, float) else ""),
                    end.place,
                )
            ends.append(int(value))
        first, last = ends
        self._budget.items(last - first + 1, node.place)
        return tuple(float(k) for k in range(first, last + 1))

    def _comprehension(self, node: tree.Comprehension, scope: Scope) -> _Evaluation:
        check_new_name(node.variable, node.place)
        items = yield node.items, scope
        if not isinstance(items, tuple):
            raise LanguageError(
                f"'for' goes through a list or a range such as 1..12, not {kind_of_value(items)}", node.items.place
            )
        values: list[Value] = []
        for item in items:
            values.append((yield node.body, Scope({node.variable: item}, scope)))
        return tuple(values)

    def _negative(self, node: tree.Negative, scope: Scope) -> _Evaluation:
        value = yield node.operand, scope
        if not isinstance(value, float):
            raise LanguageError(f"only a number has a negative, not {kind_of_value(value)}", node.place)
        return -value

    def _binary(self, node: tree.Binary, scope: Scope) -> _Evaluation:
        left = yield node.left, scope
        right = yield node.right, scope
        given = {"left": left, "right": right}
        return self._recalled(node.operator, given, lambda: applied(node.operator, left, right), node.place)

    def _conditional(self, node: tree.Conditional, scope: Scope) -> _Evaluation:
        truth = yield node.condition, scope
        if not isinstance(truth, bool):
            raise LanguageError(
                f"after 'if' a comparison such as a < b is needed, not {kind_of_value(truth)}", node.condition.place
            )
        return (yield (node.then if truth else node.otherwise), scope)

    def _call(self, node: tree.Call, scope: Scope) -> _Evaluation:
        definition = self._definitions.get(node.function)
        function = function_named(node.function)
        if definition is None and function is None:
            raise self._no_function(node, scope)
        given: list[tuple[tree.Argument, Value]] = []
        for argument in node.arguments:
            given.append((argument, (yield argument.value, scope)))
        if definition is not None:
            parameters = [Parameter(name) for name in definition.parameters]
            values = bind(node.function, parameters, given, node.place)
            return (yield definition.body, Scope(dict(values), self._scope))
        assert function is not None
        return self._applied(function, given, node.place)

    def _applied(self, function: Function, given: list[tuple[tree.Argument, Value]], place: Place) -> Value:
        values = bind(function.name, function.parameters, given, place)
        for parameter in function.parameters:
            if parameter.kind is not ANY:
                self._budget.given(parameter.name, values[parameter.name], place)
        if function.effect:
            if not self._effects:
                return None
            acting = Context(self._workspace, self._budget, self._say, place, self.library)
            return self._checked(lambda: function.apply(acting, **values), place)
        say = self._say if self._memory is None else self._said.append
        context = Context(self._workspace, self._budget, say, place, self.library)
        return self._recalled(function.name, values, lambda: function.apply(context, **values), place)

    def _recalled(self, what: str, values: Mapping[str, object], compute: Callable[[], Value], place: Place) -> Value:
        """Return a value from memory, or compute it."""
        if self._memory is None:
            return self._checked(compute, place)
        before = len(self._said)
        value = self._memory.applied(
            what, values, self.library, lambda: self._checked(compute, place), self._said, self._workspace.opened
        )
        for line in self._said[before:]:
            self._say(line)
        return value

    def _checked(self, compute: Callable[[], Value], place: Place) -> Value:
        """Return a computed value, with its size checked; raise every failure with its place in the script."""
        try:
            value = compute()
        except LanguageError:
            raise
        except SegueError as error:
            raise LanguageError(str(error), place) from error
        except (ArithmeticError, MemoryError, RecursionError) as error:
            raise LimitError(
                "the numbers or motions here are too large, or too small, to compute with", place
            ) from error
        if isinstance(value, Motion):
            return self._budget.motion(value, place)
        if isinstance(value, float):
            return self._budget.number(value, place)
        return self._budget.text(value, place) if isinstance(value, str) else value

    def _no_function(self, node: tree.Call, scope: Scope) -> LanguageError:
        found = scope.find(node.function)
        if found is not None:
            what = kind_of_value(found.values[node.function])
            return LanguageError(f"'{node.function}' is {what}, not a function", node.place)
        known = {*FUNCTIONS, *ALIASES, *self._definitions}
        hint = suggestion(node.function, known) or "; help lists those there are"
        return LanguageError(f"there is no function '{node.function}'{hint}", node.place)


def check_new_name(name: str, place: Place) -> None:
    """Raise if a name is reserved."""
    if name in JOINT_NAMES:
        raise LanguageError(f"'{name}' is a joint or a group of joints: choose another name", place)
    if name == "clips" or name in CONSTANTS or name in KEYWORDS:
        raise LanguageError(f"'{name}' has a meaning already: choose another name", place)


def _nearest(name: str, scope: Scope) -> str:
    """Return a suggestion for an unknown name: a name, a joint or a clip that is spelt similarly."""
    if name in clips.NAMES:
        return f": did you mean clips.{name}?"
    return suggestion(name, scope.names() | {*CONSTANTS, *JOINT_NAMES}) or (
        suggestion(name, clips.NAMES).replace("mean ", "mean clips.").replace(" or ", " or clips.")
    )


def _clip_names() -> str:
    return ", ".join(f"clips.{name}" for name in clips.NAMES)
