"""What expressions give, and what is said of those that make no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

import segue as sg
from segue.language import FUNCTIONS, LanguageError, Session, describe, evaluate, parse
from segue.language.completion import TOPICS, help_text
from segue.language.tree import Expression, Name
from segue.motion.tracks import tracks_of
from tests.language.stage import assert_identical, edges


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path, say=lambda text: None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4 / 8", 6.5),
        ("-(1 - 3) * -2", -4.0),
        ("2 * pi / pi", 2.0),
        ("1 < 2", True),
        ("2 <= 1", False),
        ("'a' == 'a'", True),
        ("1 != 1", False),
        ("if 2 > 1 then 'yes' else 'no'", "yes"),
        ("'step_' + 3 + '.bvh'", "step_3.bvh"),
        ("1..4", (1.0, 2.0, 3.0, 4.0)),
        ("2..1", ()),
        ("[i * i for i in 1..3]", (1.0, 4.0, 9.0)),
        ("[[i + j for j in 1..i] for i in 1..2]", ((2.0,), (3.0, 4.0))),
        ("[w + '!' for w in ['a', 'b']]", ("a!", "b!")),
        ("def f(x) = x + 1; f(f(1))", 3.0),
        ("def f(n) = if n < 2 then 1 else n * f(n - 1); f(10)", 3628800.0),
        ("def f(a, b) = a - b; f(b=1, a=3)", 2.0),
        ("x = 1; def f() = x; x = 2; f()", 2.0),
        ("x = 1; def f(x) = x; f(5) + x", 6.0),
        ("i = 7; [i for i in 1..2]; i", 7.0),
        ("start = 2; start + stop(clips.walk) - stop(clips.walk)", 2.0),
        ("left_arm", "left_arm"),
        ("x = 1", None),
        ("1; x = 2", 1.0),
    ],
)
def test_expressions_have_values(text: str, value: object) -> None:
    assert evaluate(text) == value


def test_a_definition_does_not_see_the_names_of_its_caller() -> None:
    with pytest.raises(LanguageError, match="nothing named 'y'"):
        evaluate("def f() = y; def g(y) = f(); g(1)")


ACTIONS = ("plot", "save", "show")
"""Functions that have no value: they print what they did."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_help_with_an_example_that_runs(name: str, tmp_path: Path) -> None:
    function = FUNCTIONS[name]
    if "walk.bvh" in function.example:
        sg.save(sg.clips.clip("walk"), tmp_path / "walk.bvh")
    before = set(tmp_path.iterdir())
    said: list[str] = []
    value = Session(tmp_path, say=said.append).run(function.example)
    assert (value is None) == (name in ACTIONS)
    assert said or name not in ACTIONS
    assert len(set(tmp_path.iterdir()) - before) == (name in ("plot", "save"))
    assert name in function.example or "concat" in function.example
    assert function.example in help_text(name)
    assert function.signature in help_text(name)


@pytest.mark.parametrize("topic", TOPICS)
def test_examples_of_topics_run(topic: str) -> None:
    evaluate(help_text(topic).rsplit("Example: ", 1)[1])


def test_help_lists_every_function_and_knows_near_misses() -> None:
    assert all(f"  {name} " in help_text() for name in FUNCTIONS)
    assert "did you mean retime?" in help_text("retme")


def test_functions_are_those_of_python() -> None:
    walk, wave = (sg.Motion.from_clip(sg.clips.clip(name)) for name in ("walk", "wave"))
    for text, motion in {
        "retime(clips.walk, 1, stretch=2)": sg.retime(walk, 1, 2),
        "retime(clips.walk, 1, duration=5)": sg.retime(walk, 1, duration=5),
        "trim(clips.walk, 1, 2)": sg.trim(walk, 1, 2),
        "trim(clips.walk, 1, 2, keep_time=true)": sg.trim(walk, 1, 2, keep_time=True),
        "concat(clips.walk, clips.wave, gap=0.25)": sg.concatenate(walk, wave, 0.25),
        "only(clips.walk, left_arm, 'neck')": sg.only(walk, ["left_arm", "neck"]),
        "only(clips.walk, [left_arm, neck])": sg.only(walk, ["left_arm", "neck"]),
        "mirror(only(clips.walk, left_arm))": sg.mirror(sg.only(walk, "left_arm")),
        "reverse(clips.walk)": sg.reverse(walk),
        "insert(clips.walk, 1, clips.wave)": sg.insert(walk, 1, wave),
        "delete(clips.walk, 1, 2)": sg.delete(walk, 1, 2),
        "override(clips.walk, retime(clips.wave, 1))": sg.override(walk, sg.retime(wave, 1)),
        "blend(clips.walk, retime(clips.wave, 3))": sg.blend(walk, sg.retime(wave, 3)),
        "move_to(clips.walk, [1, 2], heading=0.5)": sg.move_to(walk, (1, 2), 0.5),
        "clips.walk & retime(clips.wave, 5)": walk & sg.retime(wave, 5),
    }.items():
        value = evaluate(text)
        assert isinstance(value, sg.Motion)
        assert_identical(value, motion)


def test_many_motions_one_after_another_are_those_of_joining_them_one_by_one() -> None:
    walk = sg.Motion.from_clip(sg.clips.clip("walk"))
    for count in (1, 2, 3, 7):
        one_by_one = walk
        for _ in range(count - 1):
            one_by_one = sg.concatenate(one_by_one, sg.trim(walk, 0, 0.7), 0.1)
        value = evaluate(f"concat(clips.walk, [trim(clips.walk, 0, 0.7) for i in 2..{count}], gap=0.1)")
        assert isinstance(value, sg.Motion)
        assert edges(value) == edges(one_by_one)
        assert_identical(value, one_by_one)


def test_motions_are_made_by_rule() -> None:
    value = evaluate("def step(i) = retime(trim(clips.walk, 0, 1), 0, 1 / i)\nconcat(step(i) for i in 1..12)")
    assert isinstance(value, sg.Motion)
    assert value.stop == pytest.approx(sum(1 / i for i in range(1, 13)))
    assert not sg.gaps(value)


def test_gaps_and_conflicts_are_lists_that_can_be_read() -> None:
    found = evaluate("gaps(clips.walk - retime(only(clips.walk, left_arm, neck), 1, duration=1))")
    assert describe(found) == "1 to 2 s: neck, left_arm"
    assert [stretch.tracks for stretch in found] == [tracks_of(["left_arm", "neck"])]
    assert describe(evaluate("conflicts(clips.walk + clips.walk)")).endswith("s: whole_body")
    assert describe(evaluate("gaps(clips.walk)")) == "[]"


def test_values_are_printed_briefly() -> None:
    assert describe(evaluate("[1, 'a', [2], 1 < 2]")) == '[1, "a", [2], true]'
    assert describe(evaluate("1..100")) == "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... and 88 more]"
    assert describe(evaluate("[[[1, 2]]]")) == "[[[2 items]]]"
    assert describe(evaluate("clips.walk & retime(clips.walk, 100)")) == "a motion that defines nothing"
    assert describe(evaluate("only(clips.stand, neck)")).startswith("a motion of 1 of 28 tracks from 0 to ")
    doubled = ";".join(["a0 = [1, 1]"] + [f"a{k} = [a{k - 1}, a{k - 1}]" for k in range(1, 60)] + ["a59"])
    assert len(describe(evaluate(doubled))) < 100


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("wav", 1, "there is nothing named 'wav': did you mean clips.wave?"),
        ("m = walk", 5, "there is nothing named 'walk': did you mean clips.walk?"),
        ("walk1 = 1; x = wlk1", 16, "there is nothing named 'wlk1': did you mean walk1?"),
        ("only(clips.walk, lft_arm)", 18, "there is nothing named 'lft_arm': did you mean left_arm?"),
        ("only(clips.walk, 'lft_arm')", 1, "the figure has no joint or group 'lft_arm': did you mean left_arm"),
        ("retme(clips.walk, 1)", 1, "there is no function 'retme': did you mean retime?"),
        ("clips.wlak", 1, "there is no built-in clip 'wlak': did you mean walk?"),
        ("clip.walk", 1, "'clip' has nothing behind a dot: only clips has"),
        ("clips", 1, "'clips' needs the name of a clip behind a dot: clips."),
        ("retime", 1, "'retime' is a function: it is called as retime(motion, start, stretch=1, duration=none)"),
        ("m = 1; m(2)", 8, "'m' is a number, not a function"),
        ("retime(clips.walk)", 1, "retime needs 'start', a number"),
        ("retime(clips.walk, 1, strech=2)", 23, "retime has no parameter 'strech': did you mean stretch?"),
        ("retime(clips.walk, 1, start=2)", 23, "retime is given 'start' twice"),
        ("retime(1, 1)", 8, "retime needs a motion as 'motion', not a number"),
        ("retime(clips.walk, clips.walk)", 20, "retime needs a number as 'start', not a motion"),
        ("mirror(clips.walk, 1)", 20, "mirror takes at most 1 argument"),
        ("def f(x) = x; f(1, 2)", 20, "f takes at most 1 argument"),
        ("def f(x) = x; f()", 15, "f needs 'x', a value"),
        ("1 + retime(clips.walk, 1, -1)", 5, "the motion would last -1 times as long: stretch must be positive"),
        ("trim(clips.walk, 50, 60)", 1, "50 to 60 s lies outside the motion"),
        ("concat([])", 1, "there is no motion in the list: give at least one"),
        ("concat(clips.walk, clips.walk, gap=-1)", 1, "the gap is -1 s: it must not be negative"),
        ("move_to(clips.walk, [1])", 21, "move_to needs a list of two numbers, [x, z] as 'at', not a list"),
        ("clips.walk + 1", 12, "'+' takes two motions, two numbers, or a text and what to add to it, not a motion"),
        ("1 & 2", 3, "'&' takes two motions, not a number and a number"),
        ("clips.walk * 2", 12, "'*' takes two numbers, not a motion and a number"),
        ("1 < 'a'", 3, "'<' takes two numbers, not a number and a text"),
        ("-clips.walk", 1, "only a number has a negative, not a motion"),
        ("1 / (2 - 2)", 3, "1 is divided by zero"),
        ("if 1 then 2 else 3", 4, "after 'if' a comparison such as a < b is needed, not a number"),
        ("[i for i in 3]", 13, "'for' goes through a list or a range such as 1..12, not a number"),
        ("1..2.5", 4, "a range goes from one whole number to another, as 1..12, not a number such as 2.5"),
        ("neck = 1", 1, "'neck' is a joint or a group of joints: choose another name"),
        ("pi = 3", 1, "'pi' has a meaning already: choose another name"),
        ("[1 for left_arm in 1..2]", 2, "'left_arm' is a joint or a group of joints"),
        ("def retime(x) = x", 5, "'retime' is a function of the language: choose another name"),
        ("def f(a, a) = a", 5, "the parameter 'a' is there twice"),
        ("x = 1 + save(clips.stand, 'a.bvh')", 7, "'+' takes"),
        ("make_loop(clips.walk, 1, 9)", 1, "a cycle from 1 to 9 s: the motion lasts from 0 to 3.2 s only"),
        ("make_loop(retime(clips.walk, 0, duration=9000))", 1, "540,000 frames are too many to compare"),
        ("repeat(clips.walk, 3)", 1, "the motion is no cycle, or not a cycle alone: make one with make_loop"),
        (
            "load('wlk.bvh')",
            1,
            "there is no file 'wlk.bvh' below the folder the script is run in: did you mean walk.bvh?",
        ),
        ("save(clips.walk & retime(clips.walk, 90), 'x.bvh')", 1, "the motion defines nothing"),
        ("save(only(clips.walk, neck), 'x.bvh')", 1, "the motion does not define root"),
        ("save(clips.walk, 'x.bvh', fps=0)", 1, "fps is 0: it must be a positive number"),
    ],
)
def test_what_makes_no_sense_is_told_at_its_place(session: Session, text: str, column: int, message: str) -> None:
    (session.workspace.folder / "walk.bvh").touch()
    with pytest.raises(LanguageError) as caught:
        session.run(text)
    assert caught.value.message.startswith(message)
    assert (caught.value.line, caught.value.column) == (1, column)


def test_an_error_in_a_definition_shows_the_line_that_defined_it(session: Session) -> None:
    session.run("def stretch(m, by) = retime(m, 0, by)", "line 1")
    with pytest.raises(LanguageError) as caught:
        session.run("# two\n# lines\nstretch(clips.walk, -2)", "line 2")
    assert str(caught.value).startswith("line 1:1:22: the motion would last -2 times as long")
    assert caught.value.pointer == "    def stretch(m, by) = retime(m, 0, by)\n                         ^^^^^^"


def test_messages_stay_short_and_printable_whatever_names_are_in_them(session: Session) -> None:
    for text in (
        "x" * 50_000,
        "x" * 50_000 + "(1)",
        f"clips.{'x' * 50_000}",
        "retime(clips.walk, 1, " + "x" * 50_000 + "=1)",
    ):
        with pytest.raises(LanguageError) as caught:
            session.run(text)
        assert len(caught.value.message) <= 900
        assert max(map(len, caught.value.pointer.split("\n"))) <= 104
    (session.workspace.folder / "bad.bvh").write_text("HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 \x1b[31m0\n}\nMOTION\n")
    with pytest.raises(LanguageError) as caught:
        session.run("load('bad.bvh')")
    assert str(caught.value).isprintable()


def test_names_live_as_long_as_the_session_also_after_an_error(session: Session) -> None:
    session.run("a = 1; def f(x) = x + a")
    with pytest.raises(LanguageError):
        session.run("b = 2; c = nothing; d = 4")
    assert session.run("f(b)") == 3.0
    assert "d" not in session.values


def test_every_expression_can_be_watched_with_its_value() -> None:
    seen: list[tuple[str, object]] = []

    def watch(node: Expression, value: object) -> None:
        seen.append((node.name if isinstance(node, Name) else type(node).__name__, value))

    session = Session()
    session.carry_out(parse("x = 2; x * (x + 1)"), watch=watch)
    assert seen == [("Number", 2.0), ("x", 2.0), ("x", 2.0), ("Number", 1.0), ("Binary", 3.0), ("Binary", 6.0)]
