"""From the parser's nodes to the dataclasses of the syntax tree."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from segue.language import tree
from segue.language.source import Place, Source
from segue.language.tree import Argument, Expression, Statement


@v_args(meta=True)
class TreeBuilder(Transformer_NonRecursive[Token, Any]):
    """One method a rule of the grammar, called from the leaves up, without recursion."""

    def __init__(self, source: Source) -> None:
        super().__init__(visit_tokens=False)
        self._source = source

    def _place(self, meta: Meta) -> Place:
        if meta.empty:
            return Place(self._source, 1, 1)
        on_one_line = meta.line == meta.end_line
        line = self._source.line(meta.line)
        stop = meta.end_column if on_one_line else len(line) + 1
        return Place(self._source, meta.line, meta.column, max(1, stop - meta.column))

    def _at(self, token: Token) -> Place:
        return Place(self._source, token.line or 1, token.column or 1, len(token))

    def script(self, meta: Meta, statements: list[Statement]) -> tree.Script:
        """All statements."""
        return tree.Script(self._place(meta), tuple(statements))

    def assignment(self, meta: Meta, parts: list[Any]) -> tree.Assignment:
        """`name = value`."""
        name, value = parts
        return tree.Assignment(self._at(name), str(name), value)

    def definition(self, meta: Meta, parts: list[Any]) -> tree.Definition:
        """`def name(parameters) = body`."""
        name, parameters, body = parts
        return tree.Definition(self._at(name), str(name), parameters or (), body)

    def parameters(self, meta: Meta, names: list[Token]) -> tuple[str, ...]:
        """Names of parameters."""
        return tuple(str(name) for name in names)

    def use(self, meta: Meta, parts: list[Any]) -> tree.Use:
        """`use what(arguments)`."""
        what, arguments = parts
        return tree.Use(self._at(what), str(what), arguments or ())

    def evaluation(self, meta: Meta, parts: list[Expression]) -> tree.Evaluation:
        """An expression as a statement."""
        return tree.Evaluation(parts[0].place, parts[0])

    def conditional(self, meta: Meta, parts: list[Expression]) -> tree.Conditional:
        """`if a then b else c`."""
        return tree.Conditional(self._place(meta), *parts)

    def binary(self, meta: Meta, parts: list[Any]) -> tree.Binary:
        """`left operator right`."""
        left, operator, right = parts
        return tree.Binary(self._at(operator), str(operator), left, right)

    def negative(self, meta: Meta, parts: list[Any]) -> tree.Negative:
        """`-operand`."""
        return tree.Negative(self._place(meta), parts[1])

    def number(self, meta: Meta, parts: list[Token]) -> tree.Number:
        """A number."""
        return tree.Number(self._place(meta), float(parts[0]))

    def text(self, meta: Meta, parts: list[Token]) -> tree.Text:
        """Text without its quotes."""
        return tree.Text(self._place(meta), str(parts[0][1:-1]))

    def name(self, meta: Meta, parts: list[Token]) -> tree.Name:
        """A name."""
        return tree.Name(self._place(meta), str(parts[0]))

    def member(self, meta: Meta, parts: list[Token]) -> tree.Member:
        """`owner.name`."""
        return tree.Member(self._place(meta), str(parts[0]), str(parts[1]))

    def call(self, meta: Meta, parts: list[Any]) -> tree.Call:
        """`function(arguments)`."""
        name, arguments = parts
        return tree.Call(self._at(name), str(name), arguments or ())

    def listing(self, meta: Meta, parts: list[Any]) -> tree.ListOf:
        """`[items]`."""
        return tree.ListOf(self._place(meta), parts[0] or ())

    def listed(self, meta: Meta, parts: list[tree.Comprehension]) -> tree.Comprehension:
        """`[body for variable in items]`."""
        return parts[0]

    def items(self, meta: Meta, parts: list[Expression]) -> tuple[Expression, ...]:
        """Items of a list."""
        return tuple(parts)

    def arguments(self, meta: Meta, parts: list[Argument]) -> tuple[Argument, ...]:
        """Arguments of a call."""
        return tuple(parts)

    def argument(self, meta: Meta, parts: list[Expression]) -> Argument:
        """An argument without a name."""
        return Argument(parts[0].place, parts[0])

    def named(self, meta: Meta, parts: list[Any]) -> Argument:
        """`name=value`."""
        name, value = parts
        return Argument(self._at(name), value, str(name))

    def comprehension(self, meta: Meta, parts: list[Any]) -> tree.Comprehension:
        """`body for variable in items`."""
        body, variable, items = parts
        return tree.Comprehension(self._place(meta), body, str(variable), items)

    def range(self, meta: Meta, parts: list[Any]) -> tree.Range:
        """`first..last`."""
        first, dots, last = parts
        return tree.Range(self._at(dots), first, last)
