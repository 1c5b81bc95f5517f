"""The syntax tree of a script: statements of expressions, each with its place in the source.

Two trees are equal when they say the same, wherever it stands. `children` gives what an expression is made of, in
reading order, so that a picture of the operators can be drawn without knowing every class. A tree from `parse` is never
deeper than `Limits.nesting`, so that recursion over it is safe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from segue.language.errors import Place


@dataclass(frozen=True)
class Node:
    """A node of the tree. place: for messages. span: start and stop in the text, without brackets around the node."""

    place: Place = field(compare=False, repr=False)
    span: tuple[int, int] = field(default=(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Expression(Node):
    """A node that has a value."""


@dataclass(frozen=True)
class Number(Expression):
    """A number as it is written: `1.5`."""

    value: float


@dataclass(frozen=True)
class Text(Expression):
    """Text in quotes: `"walk.bvh"`."""

    value: str


@dataclass(frozen=True)
class Name(Expression):
    """A name that stands for a value, a joint or a group of joints: `walk`, `left_arm`."""

    name: str


@dataclass(frozen=True)
class Member(Expression):
    """A name behind a dot: `clips.walk`."""

    owner: str
    name: str


@dataclass(frozen=True)
class ListOf(Expression):
    """Values in square brackets: `[1, 2]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class Range(Expression):
    """Whole numbers from the first to the last: `1..12`."""

    first: Expression
    last: Expression


@dataclass(frozen=True)
class Comprehension(Expression):
    """One value for each item of a list or range: `step(i) for i in 1..12`."""

    body: Expression
    variable: str
    items: Expression


@dataclass(frozen=True)
class Negative(Expression):
    """A number with the other sign: `-x`."""

    operand: Expression


@dataclass(frozen=True)
class Binary(Expression):
    """Two values and an operator, one of `& - + * /` or a comparison; its place is the operator's."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Conditional(Expression):
    """One of two values: `if a < b then x else y`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True)
class Argument(Node):
    """An argument of a function, with the parameter's name if it is written."""

    value: Expression
    name: str | None = None


@dataclass(frozen=True)
class Call(Expression):
    """A function applied to arguments: `retime(wave, 1.3)`."""

    function: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Statement(Node):
    """One line of a script."""


@dataclass(frozen=True)
class Evaluation(Statement):
    """An expression whose value is the statement's."""

    expression: Expression


@dataclass(frozen=True)
class Assignment(Statement):
    """A name for a value: `m = walk + wave`."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Definition(Statement):
    """A function: `def twice(m) = concat(m, m)`."""

    name: str
    parameters: tuple[str, ...]
    body: Expression


@dataclass(frozen=True)
class Use(Statement):
    """A library that the following statements use: `use library("mine")`."""

    what: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Script(Node):
    """Statements in the order in which they run."""

    statements: tuple[Statement, ...]


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below a node, in reading order."""
    below: list[Node] = []
    for part in fields(node):
        value = getattr(node, part.name)
        if isinstance(value, Node):
            below.append(value)
        elif isinstance(value, tuple):
            below += [item for item in value if isinstance(item, Node)]
    return tuple(below)


def named_nodes(script: Script) -> Iterator[tuple[str, Node]]:
    """Yield every statement and what lies below it with its path: "2/0" is the first child of the third statement.

    Arguments have no path of their own: theirs is the path of their value.
    """
    waiting: list[tuple[str, Node]] = []
    waiting += [(str(k), each) for k, each in enumerate(script.statements)][::-1]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        below = [each.value if isinstance(each, Argument) else each for each in children(node)]
        waiting += [(f"{path}/{k}", child) for k, child in enumerate(below)][::-1]


def walk(node: Node) -> Iterator[tuple[Node, int]]:
    """Yield a node and all nodes below it, each before its children, with the depth from 0."""
    waiting = [(node, 0)]
    while waiting:
        here, depth = waiting.pop()
        yield here, depth
        waiting += [(child, depth + 1) for child in reversed(children(here))]
