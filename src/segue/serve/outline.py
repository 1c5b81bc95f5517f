"""The document's tree for pages: nodes with spans, parameters and labels; diagnostics with spans."""

from __future__ import annotations

from segue.language import tree
from segue.language.errors import LanguageError
from segue.language.table import function_named
from segue.serve.document import utf16
from segue.serve.shapes import Diagnostic, TreeNode


def outline(script: tree.Script, text: str) -> tuple[TreeNode, ...]:
    """Return the nodes of a script, each before what lies below it."""
    found = []
    parameters: dict[str, str] = {}
    for path, node in tree.named_nodes(script):
        if isinstance(node, tree.Call):
            parameters |= {f"{path}/{k}": name for k, name in enumerate(parameters_of(node))}
        start, stop = node.span
        name = node.name if isinstance(node, tree.Assignment | tree.Definition) else ""
        found.append(
            TreeNode(
                path,
                path.rpartition("/")[0],
                type(node).__name__.lower(),
                _label(node, text),
                utf16(text, start),
                utf16(text, stop),
                parameters.get(path, ""),
                name,
            )
        )
    return tuple(found)


def parameters_of(call: tree.Call) -> list[str]:
    """Return the name of the parameter that each argument of a call is given to; "" where that is unknown."""
    function = function_named(call.function)
    known = () if function is None else function.parameters
    names: list[str] = []
    position = 0
    for argument in call.arguments:
        if argument.name is not None:
            names.append(argument.name)
            continue
        names.append(known[position].name if position < len(known) else "")
        if position < len(known) and not known[position].many:
            position += 1
    return names


def _label(node: tree.Node, text: str) -> str:
    match node:
        case tree.Call():
            return node.function
        case tree.Binary():
            return node.operator
        case tree.Member():
            return f"{node.owner}.{node.name}"
        case tree.Name() | tree.Assignment() | tree.Definition():
            return node.name
        case tree.Number() | tree.Text():
            return text[slice(*node.span)]
        case tree.Use():
            return node.what
        case _:
            return type(node).__name__.lower()


def diagnostic(error: LanguageError, text: str) -> Diagnostic:
    """Return an error with its span in the text."""
    place, lines = error.place, text.split("\n")
    before = sum(len(line) + 1 for line in lines[: place.line - 1])
    start = min(before + place.column - 1, len(text))
    stop = min(start + place.width, len(text))
    return Diagnostic(error.message, utf16(text, start), utf16(text, stop))
