"""From the text of a script to its syntax tree, or to an error that says what was expected where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lark import PostLex

from segue.errors import printable
from segue.language.build import TreeBuilder
from segue.language.errors import LanguageError, LimitError
from segue.language.limits import Limits
from segue.language.source import Place, Source
from segue.language.tree import Script, walk

KEYWORDS = ("def", "else", "for", "if", "in", "then", "use")

_NAME_BEFORE = re.compile(r"^\s*([A-Za-z_]\w{0,39})\s+$")
_CLOSING = {"LPAR": "RPAR", "LSQB": "RSQB"}


class _LinesInsideBrackets(PostLex):
    """Drops the ends of lines inside brackets, where they mean nothing."""

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
    """Return the parser of scripts, which is made when the first one is read: it takes a while."""
    return Lark(
        files("segue.language").joinpath("grammar.lark").read_text(encoding="utf-8"),
        start="script",
        parser="lalr",
        # every keyword is one everywhere: a name that is reserved in some places only would be a trap
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=True,
        postlex=_LinesInsideBrackets(),
    )


def parse(text: str, name: str = "script", limits: Limits | None = None) -> Script:
    """Return the syntax tree of a script; `name` is what messages call it."""
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
    """Whether a bracket is still open at the end of the text, so that more is to come."""
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
    """Return what the parser stumbled on in plain words."""
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
    # the prompt takes `show m`, and so people write it in scripts
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
    """Return what could have stood in a place, with kinds of things for the many ways to begin or to go on."""
    left, words = set(accepted), []
    if "NUMBER" in left:
        # where a value can begin nothing else is worth a mention
        words.append("a value")
        left &= {"RPAR", "RSQB"}
    elif "PLUS" in left:
        words.append("an operator")
        # what may follow any name is no news to who has written a value
        left -= _OPERATORS | {"LPAR", "DOT", "EQUAL"}
    words += dict.fromkeys(_WORDS[name] for name in sorted(left))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
