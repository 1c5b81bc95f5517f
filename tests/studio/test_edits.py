"""Edits of the text by form and tree: the tree afterwards is the tree before with that argument set, added or gone."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from segue.language import tree
from segue.language.parser import parse
from segue.language.table import FUNCTIONS
from segue.serve.document import changed_text
from segue.serve.functions import function_shapes
from segue.serve.messages import plain
from segue.serve.outline import outline, parameters_of
from segue.serve.requests import Change
from tests.studio.test_modules import run

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
quick = settings(
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],  # a busy machine is no failure
    deadline=None,
)

SPACES = st.sampled_from(["", " ", "  ", "\n    ", " # a, (b\n ", "\t"])
ATOMS = st.sampled_from(
    ["1", "0.25", "walk", "clips.wave", '"a, b)"', "'(\"'", "[1, 2]", "left_arm", "(1 + 2)", "-3", "a - b & c", "1..4"]
)


@st.composite
def calls(draw: st.DrawFn, depth: int = 2) -> str:
    """Return the text of a call with spaces, line ends and comments anywhere, and commas in texts and brackets."""
    function = FUNCTIONS[draw(st.sampled_from(["transition", "fill", "retime", "load", "only", "concatenate"]))]
    several = function.parameters[-1].many or any(each.many for each in function.parameters)
    plain_count = draw(st.integers(0, 4 if several else len(function.parameters)))
    free = [each.name for each in function.parameters[plain_count:]] if not several else []
    named = draw(st.lists(st.sampled_from(free), unique=True, max_size=3)) if free else []
    inner = ATOMS if depth == 0 else st.one_of(ATOMS, calls(depth=depth - 1))
    written = [draw(inner) for _ in range(plain_count)] + [f"{each}={draw(SPACES)}{draw(inner)}" for each in named]
    body = ",".join(draw(SPACES) + each + draw(SPACES) for each in written)
    trailing = draw(st.sampled_from(["", ","])) if written else ""
    return f"{function.name}({body}{trailing}{draw(SPACES)})"


SCRIPTS = st.lists(calls(), min_size=1, max_size=3).map(
    lambda made: "# 🕺 dance\n" + "\n".join(f"m{k} = {each}" for k, each in enumerate(made)) + "\n"
)
VALUES = st.sampled_from(["0.75", "-1.5", '"auto"', "[0.2, 1]", "walk", "a + b", 'load("x, y.bvh")', None])


def with_node(script: Any, path: str, new: Any) -> Any:
    """Return a script with the node at a path replaced."""

    def rebuilt(node: Any, steps: list[int]) -> Any:
        if not steps:
            return new
        below = list(tree.children(node))
        child = below[steps[0]]
        if isinstance(child, tree.Argument):
            made: Any = replace(child, value=rebuilt(child.value, steps[1:]))
        else:
            made = rebuilt(child, steps[1:])
        fields = {}
        for name, value in vars(node).items():
            if value is child:
                fields[name] = made
            elif isinstance(value, tuple) and any(item is child for item in value):
                fields[name] = tuple(made if item is child else item for item in value)
        return replace(node, **fields)

    first, *rest = [int(step) for step in path.split("/")]
    statements = list(script.statements)
    statements[first] = rebuilt(statements[first], rest)
    return replace(script, statements=tuple(statements))


def expected(call: tree.Call, parameter: str, value: str | None) -> tree.Call | None:
    """Return the call with a parameter set or taken away; None if it cannot be taken away."""
    names = parameters_of(call)
    mine = [k for k, name in enumerate(names) if name == parameter]
    arguments = list(call.arguments)
    if value is None:
        if not mine:
            return call
        later = arguments[mine[-1] + 1 :]
        if arguments[mine[0]].name is None and any(each.name is None for each in later):
            return None
        return replace(call, arguments=tuple(each for k, each in enumerate(arguments) if k not in mine))
    (statement,) = parse(value).statements
    assert isinstance(statement, tree.Evaluation)
    if mine:
        made = replace(arguments[mine[0]], value=statement.expression)
        arguments[mine[0] : mine[-1] + 1] = [made]
        return replace(call, arguments=tuple(arguments))
    many = next(each.many for each in FUNCTIONS[call.function].parameters if each.name == parameter)
    added = tree.Argument(statement.place, statement.expression, None if many else parameter)
    return replace(call, arguments=(*arguments, added))


@quick
@given(st.lists(st.tuples(SCRIPTS, st.randoms(use_true_random=False), VALUES), min_size=25, max_size=25))
def test_a_form_sets_adds_and_removes_one_argument(tmp_path: Path, made: list[tuple[str, Any, str | None]]) -> None:
    shapes = {shape.name: shape for shape in function_shapes()}
    cases, wanted = [], []
    for text, random, value in made:
        script = parse(text)
        nodes = {each.node: each for each in outline(script, text)}
        found = [(path, node) for path, node in tree.named_nodes(script) if isinstance(node, tree.Call)]
        path, call = random.choice(found)
        parameter = random.choice(FUNCTIONS[call.function].parameters).name
        node = nodes[path]
        cases.append([text, {"start": node.start, "stop": node.stop}, plain(shapes[call.function]), parameter, value])
        wanted.append((script, path, call, parameter, value))
    edits = run(
        tmp_path,
        """
import { setArgument } from "./arguments.js";
console.log(JSON.stringify(JSON.parse(process.argv[2]).map((each) => setArgument(...each))));
""",
        json.dumps(cases),
    )
    for (text, *_), changes, (script, path, call, parameter, value) in zip(cases, edits, wanted, strict=True):
        after = changed_text(text, tuple(Change(**each) for each in changes))
        new = expected(call, parameter, value)
        assert parse(after) == (script if new is None else with_node(script, path, new)), (text, parameter, value)
        assert after.count("# 🕺 dance") == 1


@quick
@given(st.lists(st.tuples(SCRIPTS, st.randoms(use_true_random=False)), min_size=25, max_size=25))
def test_two_nodes_change_places(tmp_path: Path, made: list[tuple[str, Any]]) -> None:
    cases, wanted = [], []
    for text, random in made:
        script = parse(text)
        nodes = {each.node: each for each in outline(script, text)}
        inner = [(path, node) for path, node in tree.named_nodes(script) if isinstance(node, tree.Expression)]
        (first, one), (second, other) = random.choice(inner), random.choice(inner)
        cases.append([text, plain(nodes[first]), plain(nodes[second])])
        inside = first.startswith(f"{second}/") or second.startswith(f"{first}/") or first == second
        # a copy: nodes are found by identity, and siblings would else be one object
        wanted.append(script if inside else with_node(with_node(script, first, replace(other)), second, one))
    edits = run(
        tmp_path,
        """
import { swapped } from "./tree_layout.js";
console.log(JSON.stringify(JSON.parse(process.argv[2]).map((each) => swapped(...each))));
""",
        json.dumps(cases),
    )
    for (text, *_), changes, script in zip(cases, edits, wanted, strict=True):
        assert parse(changed_text(text, tuple(Change(**each) for each in changes))) == script, text


def test_texts_and_names(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
import { freshName, quoted } from "./arguments.js";
console.log(JSON.stringify([
  quoted("walk.bvh"), quoted('a "b"'), quoted('it\\'s "so"'), quoted("two\\nlines"),
  freshName("", "My walk (1).bvh"), freshName("walk = 1", "walk.bvh"), freshName("walk walk2", "walk.fbx"),
  freshName("", "01.bvh"), freshName("", "🕺.bvh"), freshName("", "transition.bvh", ["transition"]),
]));
""",
    )
    assert found[0] == '"walk.bvh"'
    assert found[1] == "'a \"b\"'"
    for text in found[:4]:
        parse(text)
    assert found[4:] == ["My_walk_1", "walk2", "walk3", "m01", "motion", "transition2"]


def test_search_puts_beginnings_of_words_first(tmp_path: Path) -> None:
    titles = [
        "Save as…",
        "Show Tracks",
        "One frame back",
        "Loop on or off",
        "Undo",
        "Export the motion",
        "Snap to frames",
    ]
    queries = ["", "sa", "st", "undo", "frame", "lo", "xq", "EXP", "of"]
    found = run(
        tmp_path,
        """
import { fits, search } from "./matching.js";
const [titles, queries] = JSON.parse(process.argv[2]);
console.log(JSON.stringify([
  queries.map((query) => search(query, titles, (each) => each).map(({ item }) => item)),
  queries.flatMap((query) => titles.map((title) => [query, title, fits(query, title)?.at ?? null])),
]));
""",
        json.dumps([titles, queries]),
    )
    results, fits = found
    assert results[0] == titles
    assert results[1][0] == "Save as…"
    assert results[2][0] in ("Show Tracks", "Snap to frames")
    assert [each[0] for each in results[3:6]] == ["Undo", "One frame back", "Loop on or off"]
    assert results[6] == []
    assert results[7] == ["Export the motion"]
    for query, title, at in fits:
        letters = iter(title.lower())
        assert (at is not None) == all(letter in letters for letter in query.lower())
        if at is not None:
            assert "".join(title[k] for k in at).lower() == query.lower()
            assert at == sorted(set(at))


def test_curves_keep_their_peaks_and_marks_are_round(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
import { Ruler } from "./ruler.js";
import { marks, pathOf, rangeOf, sampleAt, toPixel, toValue } from "./curve_scale.js";
const row = Float32Array.from({ length: 6000 }, (_, k) => Math.sin(k / 50) + (k === 3217 ? 5 : 0));
const range = rangeOf([row], [[-1.2, 40]]);
const ys = (path) => [...path.matchAll(/[ML]([-\\d.]+) ([-\\d.]+)/g)].map((each) => Number(each[2]));
console.log(JSON.stringify({
  range, marks: marks(...range, 6), none: rangeOf([]), flat: rangeOf([[2, 2, 2]]),
  top: Math.min(...ys(pathOf(row, 0, 100, new Ruler(0, 60, 300), range, 200))), wanted: toPixel(row[3217], range, 200),
  count: ys(pathOf(row, 0, 100, new Ruler(0, 60, 300), range, 200)).length,
  close: ys(pathOf(row, 0, 100, new Ruler(10, 10.5, 300), range, 200)).length,
  back: toValue(toPixel(0.37, range, 200), range, 200),
  half: sampleAt([0, 1, 4], 1, 10, 1.15), before: sampleAt([3], 0, 30, -9),
}));
""",
    )
    low, high = found["range"]
    assert low < -1.2
    assert 4 < high < 8
    assert all(low <= each <= high for each in found["marks"])
    assert 3 <= len(found["marks"]) <= 7
    assert found["none"] == [-1, 1]
    assert found["flat"][0] < 2 < found["flat"][1]
    assert abs(found["top"] - found["wanted"]) < 0.1
    assert found["count"] <= 2 * 300 + 2
    assert found["close"] == 51
    assert abs(found["back"] - 0.37) < 1e-9
    assert abs(found["half"] - 2.5) < 1e-9
    assert found["before"] == 3
