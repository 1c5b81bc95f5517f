"""The document's tree for pages: nodes, diagnostics and arguments, each with its span of the text."""

from __future__ import annotations

from dataclasses import dataclass

from segue.language import tree
from segue.language.errors import LanguageError
from segue.language.table import function_named
from segue.serve.document import utf16
from segue.serve.requests import Change
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


@dataclass(frozen=True)
class Place:
    """A place of the text for a number: replace start to stop by prefix + number + suffix. Offsets are UTF-16."""

    start: int
    stop: int
    prefix: str
    suffix: str


def argument_of(call: tree.Call, parameter: str) -> tree.Argument | None:
    """Return the first argument that is given to a parameter."""
    names = parameters_of(call)
    return next((each for each, name in zip(call.arguments, names, strict=True) if name == parameter), None)


def end_of_arguments(call: tree.Call, text: str) -> tuple[int, str]:
    """Return where another argument can be written, in characters, and what must stand before it."""
    if call.arguments:
        return max(each.span[1] for each in call.arguments), ", "
    return text.rindex(")", *call.span), ""


def literal(node: tree.Node) -> bool:
    """Return whether a node is a number as it is written, with or without a sign."""
    return isinstance(node, tree.Number) or (isinstance(node, tree.Negative) and isinstance(node.operand, tree.Number))


def number_at(script: tree.Script, call: tree.Call, parameter: str, text: str, *, also: str = "") -> Place | None:
    """Return where the number of a parameter stands or can be written; None where an expression gives it.

    A name stands for the number that the script gives it. A text such as "auto" and a list of times are replaced.
    also: further arguments that are written with it, as ", enter=0.2", where the parameter is not written yet.
    """
    given = argument_of(call, parameter)
    if given is None:
        at, comma = end_of_arguments(call, text)
        return Place(utf16(text, at), utf16(text, at), f"{comma}{parameter}=", also)
    value: tree.Expression = given.value
    if isinstance(value, tree.Name):
        named = [each for each in script.statements if isinstance(each, tree.Assignment) and each.name == value.name]
        if len(named) != 1 or not literal(named[0].value):
            return None
        value = named[0].value
    elif not (literal(value) or isinstance(value, tree.Text) or _plain_list(value)):
        return None
    start, stop = value.span
    return Place(utf16(text, start), utf16(text, stop), "", "")


def _plain_list(node: tree.Node) -> bool:
    return isinstance(node, tree.ListOf) and all(literal(item) for item in node.items)


def with_argument(call: tree.Call, parameter: str, value: str, text: str) -> Change:
    """Return the change that gives a parameter a value, written as text."""
    given = argument_of(call, parameter)
    if given is None:
        at, comma = end_of_arguments(call, text)
        return Change(utf16(text, at), utf16(text, at), f"{comma}{parameter}={value}")
    start, stop = given.value.span
    return Change(utf16(text, start), utf16(text, stop), value)


def numeral(value: float) -> str:
    """Return a number as the studio writes it: at most 3 decimals, no trailing zeros, no negative zero."""
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
