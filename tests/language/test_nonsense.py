"""Nonsense of all kinds into the parser and the interpreter: a clear error or a result, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from segue.language import FUNCTIONS, LanguageError, Limits, Session, describe

LIMITS = Limits(steps=400, depth=200, items=50, functions=4_000, blends=8, frames=40, farthest=1e4)

NAMES = ["m", "x", "f", "i", "left_arm", "neck", "root", "pi", "clips", "walk", "_", "héllo", "__class__"]
NUMBERS = ["0", "1", "2", "0.5", "1e308", "1e-320", "999999999999999999999", "3.", ".5", "1e5", "0.1"]
TEXTS = ["''", '"a"', "'walk.bvh'", "'../x.bvh'", "'left_arm'", "'out.bvh'", "'", '"', "'\x00.bvh'"]
SIGNS = [*"()[],;=+-*/&<>.#\n\t$\\\x1b{²", "..", "==", "!=", "<=", ">=", "**", "->", "\r\n"]
WORDS = ["def", "for", "in", "if", "then", "else", "use", "use library", "clips.walk", "clips.wave", "clips.nothing"]
CALLS = [f"{name}(" for name in (*FUNCTIONS, "concat", "f", "m")]
KEYS = ["start=", "stretch=", "gap=", "at=", "joints=", "fps=", "nothing="]
TOKENS = [NAMES, NUMBERS, TEXTS, SIGNS, SIGNS, WORDS, CALLS, KEYS]

SCRIPTS = [
    "m = retime(trim(only(clips.wave, right_arm), 1, 2), 1.3) + (clips.walk - clips.wave)\nshow(m)\ngaps(m)",
    "def f(x) = if x < 1 then 0 else f(x - 1) + 1\n[f(i) for i in 1..5]",
    "a = concat(trim(clips.walk, 0, i / 4) for i in 1..4, gap=0.1)  # go\nblend(a, retime(clips.wave, stop(a) - 0.5))",
    'x = [1, 2.5, -3e1]; y = "text" + 3; override(only(clips.walk, [neck, left_arm]), clips.stand) & clips.walk',
    "insert(delete(clips.walk, 1, 2), 0.5, mirror(reverse(clips.wave))); conflicts(clips.walk + clips.wave)",
]


def attempt(session: Session, text: str) -> bool:
    """Run a script; whether it gave a result. Anything but a clear LanguageError is a failure of the test."""
    try:
        describe(session.run(text))
    except LanguageError as error:
        check_clear(error, text)
        return False
    return True


def check_clear(error: LanguageError, text: str) -> None:
    """Check that an error is one printable sentence that points into the script."""
    assert error.message, text
    assert str(error).isprintable(), text
    assert len(str(error)) < 1_000, text
    source, caret = error.pointer.split("\n")
    assert source.isprintable(), text
    assert set(caret) == {" ", "^"}, text
    assert 1 <= error.line <= error.place.source.text.count("\n") + 1, text


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path, LIMITS, say=lambda text: None)


def test_ten_thousand_strings_of_random_tokens(session: Session) -> None:
    draw = random.Random(1996)
    for _ in range(10_000):
        tokens = [draw.choice(draw.choice(TOKENS)) for _ in range(draw.randint(1, 14))]
        attempt(session, draw.choice(["", " "]).join(tokens))


def sentence(draw: random.Random, depth: int = 0) -> str:
    """Return an expression that the grammar allows, of values that may or may not make sense."""
    kinds = ["leaf"] * (1 + depth) + ["sum", "call", "list", "for", "if", "negative"]
    match draw.choice(kinds):
        case "sum":
            return f"({sentence(draw, depth + 1)} {draw.choice('+-*/&<')} {sentence(draw, depth + 1)})"
        case "call":
            function = FUNCTIONS[draw.choice(list(FUNCTIONS))]
            given = [sensible(draw, parameter.name, depth) for parameter in function.parameters]
            return f"{function.name}({', '.join(given[: draw.randint(1, len(given))])})"
        case "list":
            return f"[{sentence(draw, depth + 1)}, {sentence(draw, depth + 1)}]"
        case "for":
            return f"[{sentence(draw, depth + 1)} for i in 1..{draw.randint(0, 4)}]"
        case "if":
            return f"(if {sentence(draw, depth + 1)} < 1 then {sentence(draw, depth + 1)} else 2)"
        case "negative":
            return f"-{sentence(draw, depth + 1)}"
    return draw.choice(["clips.walk", "clips.wave", "m", "1", "0", "2.5", "-1", "1e308", "neck", "'a'", "i", "[1, 0]"])


def sensible(draw: random.Random, parameter: str, depth: int) -> str:
    """Return an argument that mostly fits its parameter."""
    if draw.random() < 0.2:
        return sentence(draw, depth + 1)
    if parameter in ("motion", "first", "second", "other", "motions", "value"):
        if depth > 4:
            return draw.choice(["clips.walk", "m"])
        operator = draw.choice(
            ["{}", "retime({}, 1)", "mirror({})", "({} - m)", "({} + m)", "blend({}, m)", "({} & m)"]
        )
        return operator.format(draw.choice(["clips.walk", "m", sentence(draw, depth + 1)]))
    if parameter == "file":
        return draw.choice(["'out.bvh'", "'../out.bvh'", "'out.txt'"])
    if parameter == "joints":
        return draw.choice(["neck", "left_arm", "[root, neck]", "'nothing'"])
    return draw.choice(["0", "1", "0.5", "-1", "3", "1e-9", "1e300"])


def test_random_sentences_of_the_grammar(session: Session) -> None:
    draw = random.Random(4)
    results = 0
    for _ in range(700):
        session.run("m = trim(retime(only(clips.wave, right_arm, trunk), 0.5), 0, 2); i = 1")
        results += attempt(session, sentence(draw))
    assert results > 150  # the sentences reach the operators, not only the error messages


def mutated(draw: random.Random, text: str) -> str:
    """Return a script with a few characters or tokens dropped, doubled, moved or replaced."""
    for _ in range(draw.randint(1, 4)):
        at, to = sorted(draw.randint(0, len(text)) for _ in range(2))
        to = min(to, at + 12)
        piece = draw.choice(draw.choice(TOKENS))
        text = draw.choice(
            [
                text[:at] + text[to:],
                text[:at] + piece + text[at:],
                text[:at] + piece + text[to:],
                text[:to] + text[at:],
                text[:at] + text[to : to + 5] + text[at:to] + text[to + 5 :],
            ]
        )
    return text


def test_five_hundred_mutated_scripts(session: Session) -> None:
    draw = random.Random(6)
    assert all(attempt(Session(session.workspace.folder, say=lambda text: None), script) for script in SCRIPTS)
    for _ in range(500):
        attempt(session, mutated(draw, draw.choice(SCRIPTS)))
