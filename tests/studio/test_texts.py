"""Text edits of the page: differences, carets, supports and colours, run by Node and judged by Python."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from segue.language.parser import parse
from segue.serve.document import changed_text
from segue.serve.functions import function_shapes
from segue.serve.messages import plain
from segue.serve.outline import outline
from segue.serve.requests import Change
from tests.studio.test_modules import run

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")


def edited(text: str, changes: list[dict[str, Any]]) -> str:
    """Return a text after changes as the engine makes them."""
    return changed_text(text, tuple(Change(**each) for each in changes))


def test_a_difference_makes_one_text_the_other(tmp_path: Path) -> None:
    draw = random.Random(4)
    signs = ["a", "b", "\n", "(", "🕺", "💃", "é"]
    texts = ["".join(draw.choices(signs, k=draw.randint(0, 12))) for _ in range(400)]
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    found = run(
        tmp_path,
        """
import { differenceOf, movedCaret } from "./text_edits.js";
console.log(JSON.stringify(JSON.parse(process.argv[2]).map(([a, b]) =>
  [differenceOf(a, b), movedCaret(a, b, 0), movedCaret(a, b, a.length), movedCaret("xyz", "x12yz", 2)])));
""",
        json.dumps(pairs),
    )
    for (before, after), (changes, first, last, inside) in zip(pairs, found, strict=True):
        assert edited(before, changes) == after
        assert first == 0
        assert 0 <= last <= len(after.encode("utf-16-le")) // 2
        assert inside == 4


CALLS = [
    "transition(a, b, 0.6)",
    'transition(a, b, 0.6, support="left_foot=never")',
    'transition(a, b, support="left_foot=never, right_toe_tip=auto", leave=2)',
    'fill(a, 1, 2, support=footstep("left_foot", 1.2, 1.5, 0.1, 0.2, 5))',
    'fill(a, 1, 2, support=[footstep("left_foot", 1.2, 1.5, 0.1, 0.2), "right_foot=enforce", flight(1, 2)])',
    "fill_gaps(a)",
]


@pytest.mark.parametrize("call", CALLS)
def test_supports_are_written_and_read_back(tmp_path: Path, call: str) -> None:
    text = f"x = 1\ny = {call}\n"
    node = next(each for each in outline(parse(text, "test"), text) if each.what == "call")
    shape = next(plain(each) for each in function_shapes() if each.name == node.label)
    found = run(
        tmp_path,
        """
import { choiceOf, entriesOf, withChoice, withEntries, withFootstep } from "./supports.js";
const [text, call, shape] = JSON.parse(process.argv[2]), entries = entriesOf(text, call, shape);
const step = { foot: "left_foot", start: 1.25, stop: 1.75, x: -0.1, z: 2, heading: Math.PI / 2 };
console.log(JSON.stringify({
  entries,
  same: withEntries(text, call, shape, entries),
  never: withEntries(text, call, shape, withChoice(entries, "right_foot", "never")),
  none: withEntries(text, call, shape, []),
  choices: ["auto", "enforce", "never"].map((each) => choiceOf(withChoice(entries, "right_foot", each), "right_foot")),
  step: withEntries(text, call, shape, withFootstep(entries, step)),
}));
""",
        json.dumps([text, plain(node), shape]),
    )
    assert found["choices"] == ["auto", "enforce", "never"]
    assert (len(found["entries"]) > 0) == ("support" in call)
    for name in ("same", "never", "none", "step"):
        parse(edited(text, found[name]), "test")
    assert "support" not in edited(text, found["none"])
    assert '"right_foot=never"' in edited(text, found["never"])
    stepped = edited(text, found["step"])
    assert stepped.count('footstep("left_foot"') == 1  # an overlapping one is replaced
    assert 'footstep("left_foot", 1.25, 1.75, -0.1, 2, 90)' in stepped


def test_words_have_their_colours(tmp_path: Path) -> None:
    text = 'walk = load("a # b.bvh")  # it\'s 3\nif x2 then 1.5e-3 else trim(walk, start=.5)\n'
    found = run(
        tmp_path,
        """
import { wordsOf } from "./script_colours.js";
const text = process.argv[2];
console.log(JSON.stringify(wordsOf(text).map(({ kind, start, stop }) => [kind, text.slice(start, stop)])));
""",
        text,
    )
    assert [tuple(each) for each in found] == [
        ("given", "walk"),
        ("call", "load"),
        ("text", '"a # b.bvh"'),
        ("comment", "# it's 3"),
        ("keyword", "if"),
        ("keyword", "then"),
        ("number", "1.5e-3"),
        ("keyword", "else"),
        ("call", "trim"),
        ("given", "start"),
        ("number", ".5"),
    ]
