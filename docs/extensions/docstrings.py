"""Docstrings for the reference: prose in the source, where arguments are sentences; lists of arguments on the page.

A docstring says `start: in seconds. stop: the same.` in running text. Where such a name is a parameter of what is
described, or a field of it, the page gets a list with one entry a name. The words stay as they are.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from typing import Any

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

_CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]*)((?:, [^\]]+)?)\]")
_SPECIAL = re.compile(r"(`[^`]*`)|([*|\\]|(?<=\w)_(?!\w))")


def parameters_of(described: Any) -> set[str]:
    """Return the names of the parameters and fields that a docstring may speak of."""
    try:
        names = set(inspect.signature(described).parameters)
    except (TypeError, ValueError):
        names = set()
    return names | set(getattr(described, "__dataclass_fields__", ())) | set(getattr(described, "_fields", ()))


def split_paragraph(text: str, names: set[str]) -> tuple[str, list[tuple[str, str]]]:
    """Return what a paragraph says before it comes to parameters, and then each group of them with what it says."""
    if not names:
        return text, []
    one = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    begins = [
        match
        for match in re.finditer(rf"(?:^|(?<=[.:;] ))((?:{one})(?:(?:, | and )(?:{one}))*): ", text)
        if text.count("`", 0, match.start()) % 2 == 0
    ]
    if not begins:
        return text, []
    stops = [*(match.start() for match in begins[1:]), len(text)]
    entries = [(match[1], text[match.end() : stop].strip()) for match, stop in zip(begins, stops, strict=True)]
    return text[: begins[0].start()].strip(), entries


def escaped(text: str) -> str:
    """Return prose with what reStructuredText would take for markup made plain, but for words in backticks."""
    return _SPECIAL.sub(lambda match: match[1] or f"\\{match[2]}", text)


def cited(text: str) -> str:
    """Return prose with keys such as [Rose1996] linked to the list of references."""
    return _CITATION.sub(lambda match: f":doc:`[{match[1]}{match[2]}] </references>`", text)


def laid_out(lines: Sequence[str], names: set[str]) -> list[str]:
    """Return a docstring's lines as reStructuredText: paragraphs, lists of parameters, and code as it stands."""
    out: list[str] = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        if not paragraph.strip():
            continue
        if paragraph.startswith("    "):
            out += ["::", "", *paragraph.splitlines(), ""]
            continue
        before, entries = split_paragraph(" ".join(paragraph.split()), names)
        out += [cited(escaped(before)), ""] if before else []
        for name, says in entries:
            bold = ", ".join(f"**{each}**" for each in re.split(r", | and ", name))
            out.append(f"- {bold}: {cited(escaped(says))}")
        out += [""] if entries else []
    return out


def said_of_constant(name: str, described: Any) -> list[str]:
    """Return what the source says under a constant, in whichever module it is made; its value where that is nothing."""
    last = name.rpartition(".")[2]
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "segue" and vars(module).get(last) is described:
            said = ModuleAnalyzer.for_module(module_name).find_attr_docs().get(("", last))
            if said:
                return said
    return [f"Its value is ``{described!r}``."]


def _process(app: Sphinx, what: str, name: str, described: Any, options: Any, lines: list[str]) -> None:
    if what == "data" and "\n".join(lines).strip() == inspect.cleandoc(type(described).__doc__ or ""):
        # nothing is said where the constant is shown, and Sphinx takes what Python says of tuples
        lines[:] = said_of_constant(name, described)
    lines[:] = laid_out(lines, parameters_of(described))


def _link_citations(app: Sphinx, page: str, source: list[str]) -> None:
    """Link the keys on a page of prose, but for those of the list itself."""
    if page != "references":
        up = "../" * page.count("/")
        source[0] = _CITATION.sub(rf"[\\[\1\2\\]]({up}references.md)", source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Lay out every docstring that the reference takes in."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("source-read", _link_citations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
