"""Expressions as trees of operators, for pictures such as figure 6 of [Rose1996]."""

from __future__ import annotations

from segue.errors import ArgumentError
from segue.language import tree
from segue.motion.tracks import is_joint_name
from segue.view.expressions import Operator


def operator_of(script: tree.Script) -> Operator:
    """Return the tree of a script's last expression; named motions are leaves, numbers belong to their operator.

    A last line that only names a motion stands for what that name was given.
    """
    expressions = [s.expression for s in script.statements if isinstance(s, tree.Evaluation)]
    if not expressions:
        raise ArgumentError("the script has no expression of its own: its last line must be one, not an assignment")
    given = {s.name: s.value for s in script.statements if isinstance(s, tree.Assignment)}
    last = expressions[-1]
    while isinstance(last, tree.Name) and last.name in given:
        last = given.pop(last.name)
    return _operator(last)


def _operator(node: tree.Node) -> Operator:
    match node:
        case tree.Binary():
            return Operator(node.operator, (_operator(node.left), _operator(node.right)))
        case tree.Call():
            values = [argument.value for argument in node.arguments]
            small = [_text(argument) for argument in node.arguments if _is_small(argument.value)]
            label = f"{node.function}({', '.join(small)})" if small else node.function
            return Operator(label, tuple(_operator(value) for value in values if not _is_small(value)))
        case tree.ListOf():
            return Operator("list", tuple(_operator(item) for item in node.items))
        case tree.Comprehension():
            return Operator(f"for {node.variable} in {_text(node.items)}", (_operator(node.body),))
        case tree.Conditional():
            return Operator("if", tuple(_operator(part) for part in (node.condition, node.then, node.otherwise)))
        case _:
            return Operator(_text(node))


def _is_small(node: tree.Node) -> bool:
    """Return whether a value is a parameter of its operator and not an operand."""
    match node:
        case tree.Number() | tree.Text():
            return True
        case tree.Negative():
            return _is_small(node.operand)
        case tree.Name():
            return is_joint_name(node.name)
        case tree.ListOf():
            return all(_is_small(item) for item in node.items)
        case tree.Binary():
            return _is_small(node.left) and _is_small(node.right)
        case _:
            return False


def _text(node: tree.Node) -> str:
    match node:
        case tree.Number():
            return f"{node.value:g}"
        case tree.Text():
            return f'"{node.value}"'
        case tree.Name():
            return node.name
        case tree.Member():
            return node.name
        case tree.Negative():
            return f"-{_text(node.operand)}"
        case tree.Argument():
            return _text(node.value) if node.name is None else f"{node.name}={_text(node.value)}"
        case tree.Range():
            return f"{_text(node.first)}..{_text(node.last)}"
        case tree.ListOf():
            return f"[{', '.join(_text(item) for item in node.items)}]"
        case tree.Binary():
            return f"{_text(node.left)} {node.operator} {_text(node.right)}"
        case _:
            return "..."
