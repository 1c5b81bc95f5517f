"""Names of dances and patterns: what counts as the same, and what files are called."""

from __future__ import annotations

import re

from segue.dance.notation.errors import shown
from segue.dance.notation.header import checked_name
from segue.errors import ArgumentError

NEEDED = "dance/pattern is needed, such as foxtrot/forward basic"
"""What is said of a name that names no pattern."""

SUFFIX = ".dance"
"""How the name of a pattern's file ends."""


def folded(name: str) -> str:
    """Return what is the same for names that differ in case, spaces, hyphens or the like only."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def file_stem(name: str) -> str:
    """Return the name of the file or folder for a pattern or dance: "New York" is kept in new_york."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_")


def title_words(stem: str) -> str:
    """Return a file's or folder's name as people say it: new_york is "new york"."""
    return " ".join(re.split(r"[\s_-]+", stem)).strip()


def split_title(title: str) -> tuple[str, str]:
    """Return dance and pattern of "foxtrot/forward basic"."""
    dance, bar, name = (part.strip() for part in title.partition("/"))
    if not (bar and folded(dance) and folded(name)) or "/" in name:
        raise ArgumentError(f"'{shown(title)}' is no name of a pattern: {NEEDED}")
    return dance, name


def new_title(title: str) -> tuple[str, str]:
    """Return dance and pattern of a title that a file is to have in its header, which does not take every name."""
    dance, name = split_title(title)
    for part in (dance, name):
        try:
            checked_name(part)
        except ValueError as error:
            raise ArgumentError(f"'{shown(title)}' cannot be the name of a pattern: {error}") from None
    return dance, name
