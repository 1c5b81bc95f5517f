"""Colours for the language of motion expressions."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from sphinx.application import Sphinx

from segue.language.parser import KEYWORDS


class SegueLexer(RegexLexer):
    """Tells words of the language apart."""

    name = "Segue"
    aliases: ClassVar = ["segue"]
    tokens: ClassVar = {
        "root": [
            (r"\s+", Text),
            (r"#.*", Comment.Single),
            (r'"[^"\n]*"|\'[^\'\n]*\'', String),
            (r"\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?", Number),
            (words(KEYWORDS, suffix=r"\b"), Keyword),
            (r"clips\b", Name.Builtin),
            (r"\w+(?=\s*\()", Name.Function),
            (r"\w+", Name),
            (r"\.\.|[-+*/&<>=!]+", Operator),
            (r"[()\[\],;.]", Punctuation),
        ]
    }


def setup(app: Sphinx) -> dict[str, Any]:
    """Make blocks marked `segue` known."""
    app.add_lexer("segue", SegueLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
