"""Parse the text of a script into a syntax tree, or raise an error with the place and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lark import PostLex
from lark.tree import Meta

from segue.errors import printable
from segue.language import tree
from segue.language.errors import LanguageError, LimitError, Place, Source
from segue.language.limits import Limits
from segue.language.tree import Argument, Expression, Script, Statement, walk

KEYWORDS = ("def", "else", "for", "if", "in", "then", "use")

_NAME_BEFORE = re.compile(r"^\s*([A-Za-z_]\w{0,39})\s+$")
_CLOSING = {"LPAR": "RPAR", "LSQB": "RSQB"}


class _LinesInsideBrackets(PostLex):
    """Drops the ends of lines inside brackets."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        for token in stream:
            if token.type in _CLOSING:
                depth += 1
            elif token.type in _CLOSING.values():
                depth -= 1
            if depth <= 0 or token.type != "_END" or token == ";":
                yield token


@cache
def _grammar() -> Lark:
    """Return the parser of scripts, made at the first use because it takes long."""
    return Lark(
        files("segue.language").joinpath("grammar.lark").read_text(encoding="utf-8"),
        start="script",
        parser="lalr",
        # keywords are reserved everywhere, so that a name cannot work in one place and fail in another
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=True,
        postlex=_LinesInsideBrackets(),
    )


def parse(text: str, name: str = "script", limits: Limits | None = None) -> Script:
    """Return the syntax tree of a script; `name` is its name in messages."""
    limits = limits or Limits()
    source = Source(text, name)
    if len(text) > limits.characters:
        raise LimitError(
            f"the script has {len(text):,} characters: at most {limits.characters:,} are allowed", Place(source, 1, 1)
        )
    try:
        parsed = _grammar().parse(text)
    except UnexpectedInput as error:
        raise _explained(error, source) from None
    script = TreeBuilder(source).transform(parsed)
    assert isinstance(script, Script)
    for node, depth in walk(script):
        if depth > limits.nesting:
            raise LimitError(
                f"more than {limits.nesting} brackets or operators lie inside one another: give parts of it a name",
                node.place,
            )
    return script


def is_unfinished(text: str) -> bool:
    """Return whether a bracket is still open at the end of the text, so that input continues."""
    return bool(_open_brackets(text))


def _open_brackets(text: str) -> list[Token]:
    opened: list[Token] = []
    try:
        for token in _grammar().lex(text):
            if token.type in _CLOSING:
                opened.append(token)
            elif opened and token.type == _CLOSING[opened[-1].type]:
                opened.pop()
    except UnexpectedCharacters:
        return []
    return opened


def _explained(error: UnexpectedInput, source: Source) -> LanguageError:
    """Return the error of the parser in plain words."""
    if isinstance(error, UnexpectedCharacters):
        place = Place(source, error.line, error.column)
        found = source.line(error.line)[error.column - 1 : error.column]
        if found in ("'", '"'):
            return LanguageError("the text that begins here has no closing quote on its line", place)
        return LanguageError(f"'{printable(found)}' is no part of the language", place)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    opened = _open_brackets(source.text) if token.type == "$END" else []
    if opened:
        bracket = opened[-1]
        place = Place(source, bracket.line or 1, bracket.column or 1)
        return LanguageError(f"the '{bracket}' that opens here is never closed", place)
    expected = _in_words(error.accepts)
    if token.type == "$END":
        return LanguageError(f"the script ends where {expected} was expected", source.end)
    place = Place(source, token.line or 1, token.column or 1, 1 if token.type == "_END" else len(token))
    if token.type == "_END" and token != ";":
        return LanguageError(
            f"the line ends where {expected} was expected; inside brackets a line may go on below", place
        )
    shown = printable(token[:40])
    before = _NAME_BEFORE.search(source.line(place.line)[: place.column - 1])
    # the prompt accepts `show m`, so users write it in scripts, too
    hint = f"; to call {before[1]}, write {before[1]}({shown})" if before and token.type == "NAME" else ""
    return LanguageError(f"'{shown}' cannot stand here: {expected} was expected{hint}", place)


_OPERATORS = {"PLUS", "MINUS", "TIMES", "DIVIDE", "MEET", "COMPARE", "TO"}
_WORDS = {
    "NAME": "a name",
    "EQUAL": "'='",
    "COMMA": "','",
    "LPAR": "'('",
    "RPAR": "')'",
    "RSQB": "']'",
    "_END": "the end of the line",
    "$END": "the end of the line",
} | {keyword.upper(): f"'{keyword}'" for keyword in KEYWORDS}


def _in_words(accepted: set[str]) -> str:
    """Return what was expected in a place, with kinds in place of the many tokens that begin or continue a value."""
    left, words = set(accepted), []
    if "NUMBER" in left:
        # if a value is expected, other tokens are not listed
        words.append("a value")
        left &= {"RPAR", "RSQB"}
    elif "PLUS" in left:
        words.append("an operator")
        # tokens that may follow any name are not listed
        left -= _OPERATORS | {"LPAR", "DOT", "EQUAL"}
    words += dict.fromkeys(_WORDS[name] for name in sorted(left))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _span(meta: Meta) -> tuple[int, int]:
    return (0, 0) if meta.empty else (meta.start_pos, meta.end_pos)


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
        return tree.Script(self._place(meta), tuple(statements), span=_span(meta))

    def assignment(self, meta: Meta, parts: list[Any]) -> tree.Assignment:
        """`name = value`."""
        name, value = parts
        return tree.Assignment(self._at(name), str(name), value, span=_span(meta))

    def definition(self, meta: Meta, parts: list[Any]) -> tree.Definition:
        """`def name(parameters) = body`."""
        name, parameters, body = parts
        return tree.Definition(self._at(name), str(name), parameters or (), body, span=_span(meta))

    def parameters(self, meta: Meta, names: list[Token]) -> tuple[str, ...]:
        """Names of parameters."""
        return tuple(str(name) for name in names)

    def use(self, meta: Meta, parts: list[Any]) -> tree.Use:
        """`use what(arguments)`."""
        what, arguments = parts
        return tree.Use(self._at(what), str(what), arguments or (), span=_span(meta))

    def evaluation(self, meta: Meta, parts: list[Expression]) -> tree.Evaluation:
        """An expression as a statement."""
        return tree.Evaluation(parts[0].place, parts[0], span=_span(meta))

    def conditional(self, meta: Meta, parts: list[Expression]) -> tree.Conditional:
        """`if a then b else c`."""
        return tree.Conditional(self._place(meta), *parts, span=_span(meta))

    def binary(self, meta: Meta, parts: list[Any]) -> tree.Binary:
        """`left operator right`."""
        left, operator, right = parts
        return tree.Binary(self._at(operator), str(operator), left, right, span=_span(meta))

    def negative(self, meta: Meta, parts: list[Any]) -> tree.Negative:
        """`-operand`."""
        return tree.Negative(self._place(meta), parts[1], span=_span(meta))

    def number(self, meta: Meta, parts: list[Token]) -> tree.Number:
        """A number."""
        return tree.Number(self._place(meta), float(parts[0]), span=_span(meta))

    def text(self, meta: Meta, parts: list[Token]) -> tree.Text:
        """Text without its quotes."""
        return tree.Text(self._place(meta), str(parts[0][1:-1]), span=_span(meta))

    def name(self, meta: Meta, parts: list[Token]) -> tree.Name:
        """A name."""
        return tree.Name(self._place(meta), str(parts[0]), span=_span(meta))

    def member(self, meta: Meta, parts: list[Token]) -> tree.Member:
        """`owner.name`."""
        return tree.Member(self._place(meta), str(parts[0]), str(parts[1]), span=_span(meta))

    def call(self, meta: Meta, parts: list[Any]) -> tree.Call:
        """`function(arguments)`."""
        name, arguments = parts
        return tree.Call(self._at(name), str(name), arguments or (), span=_span(meta))

    def listing(self, meta: Meta, parts: list[Any]) -> tree.ListOf:
        """`[items]`."""
        return tree.ListOf(self._place(meta), parts[0] or (), span=_span(meta))

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
        return Argument(parts[0].place, parts[0], span=_span(meta))

    def named(self, meta: Meta, parts: list[Any]) -> Argument:
        """`name=value`."""
        name, value = parts
        return Argument(self._at(name), value, str(name), span=_span(meta))

    def comprehension(self, meta: Meta, parts: list[Any]) -> tree.Comprehension:
        """`body for variable in items`."""
        body, variable, items = parts
        return tree.Comprehension(self._place(meta), body, str(variable), items, span=_span(meta))

    def range(self, meta: Meta, parts: list[Any]) -> tree.Range:
        """`first..last`."""
        first, dots, last = parts
        return tree.Range(self._at(dots), first, last, span=_span(meta))
