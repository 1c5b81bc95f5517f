"""Spans: the text of a node is the node, and a number that is edited in the text is edited in the tree."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from segue.language import tree
from segue.language.parser import parse

_ATOMS = st.sampled_from(["1", "2.5", ".5", "1e3", "walk", "clips.walk", '"ä.bvh"', "'x'"])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{}{}{}".format, inner, st.sampled_from([" + ", "-", " & ", "*", " / "]), inner),
        st.builds("( {})".format, inner),
        st.builds("-({})".format, inner),
        st.builds("f({}, start={} )".format, inner, inner),
        st.builds("[{},\n  {}]".format, inner, inner),
        st.builds("concat({} for i in 1..3)".format, inner),
        st.builds("(if {} < {} then 1 else 2)".format, inner, inner),
    )


EXPRESSIONS = st.recursive(_ATOMS, _larger, max_leaves=8)
STATEMENTS = st.one_of(
    EXPRESSIONS,
    st.builds("m = {}".format, EXPRESSIONS),
    st.builds("def g(x) = {}  # 😀 1".format, EXPRESSIONS),
)
SCRIPTS = st.builds("{}{}".format, st.sampled_from(["", "# 1 ä\n", "\r\n"]), st.lists(STATEMENTS).map("\n".join))


@given(SCRIPTS, st.data(), st.sampled_from(["0", "17", "0.125", "3.5e-2"]))
def test_editing_a_number_in_the_text_replaces_that_leaf(text: str, data: st.DataObject, number: str) -> None:
    script = parse(text)
    numbers = [node for _, node in tree.named_nodes(script) if isinstance(node, tree.Number)]
    if not numbers:
        return
    leaf = data.draw(st.sampled_from(numbers))
    start, stop = leaf.span
    edited = parse(text[:start] + number + text[stop:])
    assert edited == _replaced(script, leaf, replace(leaf, value=float(number)))


@given(SCRIPTS)
def test_the_text_of_a_span_parses_to_its_node(text: str) -> None:
    for _, node in tree.named_nodes(parse(text)):
        if isinstance(node, tree.Expression) and not isinstance(node, tree.Comprehension):
            (statement,) = parse(f"({text[slice(*node.span)]})").statements
            assert isinstance(statement, tree.Evaluation)
            assert statement.expression == node


def test_paths_name_nodes_and_do_not_change_with_numbers() -> None:
    text = "a = retime(clips.walk, start=1)\ntransition(a, clips.wave, 0.5)"
    named = dict(tree.named_nodes(parse(text)))
    assert text[slice(*named["1/0/2"].span)] == "0.5"
    assert text[slice(*named["0/0/1"].span)] == "1"
    assert list(named) == list(dict(tree.named_nodes(parse(text.replace("0.5", "0.75")))))


def _replaced(node: Any, leaf: tree.Node, new: tree.Node) -> Any:
    if node is leaf:
        return new
    if isinstance(node, tuple):
        return tuple(_replaced(item, leaf, new) for item in node)
    if isinstance(node, tree.Node):
        return replace(node, **{each.name: _replaced(getattr(node, each.name), leaf, new) for each in fields(node)})
    return node
