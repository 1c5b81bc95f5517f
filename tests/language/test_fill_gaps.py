"""Gaps filled by sp, fill and transition in the language: as in Python, within the limits of scripts."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

import segue as sg
from segue.filling.supports import supports_of
from segue.language import LanguageError, LimitError, Limits, Session, evaluate
from segue.language.errors import Source
from segue.language.limits import Budget
from tests.language.stage import assert_identical

HERE = Source("x").end
GAPPED = "concat(clips.walk, clips.kick, gap=0.4)"


def gapped() -> sg.Motion:
    return sg.concatenate(sg.clips.walk, sg.clips.kick, gap=0.4)


@pytest.mark.parametrize(
    ("text", "make"),
    [
        (f"fill_gaps({GAPPED})", lambda: sg.fill_gaps(gapped())),
        (f'fill_gaps({GAPPED}, mode="free")', lambda: sg.fill_gaps(gapped(), mode="free")),
        (
            f'fill_gaps({GAPPED}, objective="jerk", coefficients=3)',
            lambda: sg.fill_gaps(gapped(), objective="jerk", coefficients=3),
        ),
        (
            f'fill_gaps({GAPPED}, "free", support="left_foot=never, right_toe_tip=never")',
            lambda: sg.fill_gaps(gapped(), mode="free", supports={"left_foot": "never", "right_toe_tip": "never"}),
        ),
        ("fill(clips.walk, 1.2, 1.6)", lambda: sg.fill(sg.clips.walk, [(1.2, 1.6)])),
        ("fill(clips.walk, 1.2, 1.6, left_leg)", lambda: sg.fill(sg.clips.walk, [(1.2, 1.6)], "left_leg")),
        (
            "fill(clips.walk, 1.2, 1.6, joints=[left_leg, neck], coefficients=4)",
            lambda: sg.fill(sg.clips.walk, [(1.2, 1.6)], ["left_leg", "neck"], coefficients=4),
        ),
        (
            "fill(fill(clips.walk, 0.5, 0.8), 1.2, 1.6)",
            lambda: sg.fill(sg.clips.walk, [(1.2, 1.6), (0.5, 0.8)]),
        ),
        ("transition(clips.walk, clips.kick)", lambda: sg.transition(sg.clips.walk, sg.clips.kick)),
        (
            'transition(clips.walk, clips.kick, 0.5, leave=2.4, enter=0.3, mode="pinned")',
            lambda: sg.transition(sg.clips.walk, sg.clips.kick, 0.5, leave=2.4, enter=0.3, mode="pinned"),
        ),
        ('transition(clips.walk, clips.walk, "auto")', lambda: sg.transition(sg.clips.walk, sg.clips.walk, "auto")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_language_gives_what_python_gives(text: str, make) -> None:
    motion = evaluate(text)
    assert isinstance(motion, sg.Motion)
    assert not sg.gaps(motion)
    assert_identical(motion, make())


def test_options_reach_the_solver() -> None:
    for prior in ("auto", "none"):
        usual, few = (
            evaluate(f'fill_gaps({GAPPED}, prior="{prior}"{options})').fills[0] for options in ("", ", coefficients=3")
        )
        assert few.coefficients == 3 != usual.coefficients
    # the objective is that of least effort: a prior's path has its own
    other = evaluate(f'fill_gaps({GAPPED}, prior="none", objective="jerk")').fills[0]
    assert usual.energy != other.energy


def test_a_motion_without_gaps_stays_as_it_is() -> None:
    assert_identical(evaluate("fill_gaps(clips.walk)"), sg.clips.walk)


def test_supports_in_words() -> None:
    assert supports_of(" left_foot = enforce,right_hand=auto") == {"left_foot": "enforce", "right_hand": "auto"}
    for text in ("", "left_foot", "left_foot=", "=auto", "left_foot=auto,", ",", "a=auto,a=never"):
        with pytest.raises(sg.ArgumentError, match="support"):
            supports_of(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("fill_gaps(1)", 11, "fill_gaps needs a motion as 'motion', not a number"),
        ("fill_gaps(only(clips.walk, left_arm))", 1, "the motion has no track for root"),
        ("fill_gaps(clips.walk + retime(clips.wave, 1))", 1, "the motion is in conflict at"),
        (
            "fill_gaps(clips.walk - trim(only(clips.walk, neck), 0, 1))",
            1,
            "neck is undefined at the start of the motion",
        ),
        ("fill_gaps(clips.walk, mode='far')", 1, "the mode is 'far': it must be one of pinned, free"),
        ("fill_gaps(clips.walk, objective='least')", 1, "there is no objective 'least': there are natural, torque"),
        ("fill_gaps(clips.walk, coefficients=2.5)", 1, "coefficients is 2.5: it must be a whole number"),
        ("fill_gaps(clips.walk, coefficients=0)", 1, "coefficients is 0: a whole number from 1"),
        ("fill_gaps(clips.walk, coefficients=1000000)", 1, "coefficients is 1000000: a whole number from 1"),
        ("fill_gaps(clips.walk, support='left_foot')", 1, "the support 'left_foot' is not NAME=CHOICE"),
        (f"fill_gaps({GAPPED}, support='nose=auto')", 1, "'nose' cannot be a support: there are left_foot"),
        (
            f"fill_gaps({GAPPED}, support='left_foot=glue')",
            1,
            "the support left_foot is 'glue': it must be one of auto",
        ),
        ("fill(clips.walk, 1, 1)", 1, "the gap from 1 to 1 s is empty"),
        ("fill(clips.walk, 2, 1)", 1, "the gap from 2 to 1 s is empty"),
        ("fill(clips.walk, 0, 1)", 1, "the gap from 0 to 1 s must lie within the motion, which lasts from 0 to 3.2 s"),
        ("fill(clips.walk, 3, 9)", 1, "the gap from 3 to 9 s must lie within the motion"),
        ("fill(clips.walk, 1, 2, [])", 1, "there is no joint in the list"),
        ("fill(clips.walk, 1, 2, 'lft_arm')", 1, "the figure has no joint or group 'lft_arm': did you mean left_arm"),
        ("transition(clips.walk)", 1, "transition needs 'second', a motion"),
        ("transition(clips.walk, clips.kick, 0)", 1, "the duration is 0 s: it must be positive and finite"),
        ("transition(clips.walk, clips.kick, -1)", 1, "the duration is -1 s"),
        ("transition(clips.walk, clips.kick, 'short')", 36, 'transition needs a number of seconds or "auto"'),
        ("transition(clips.walk, clips.kick, leave=9)", 1, "the first motion cannot be left at 9 s: it lasts from 0"),
        ("transition(clips.walk, clips.kick, enter=-1)", 1, "the second motion cannot be entered at -1 s"),
        ("transition(clips.walk, clips.kick, mode='x')", 1, "the mode is 'x'"),
    ],
)
def test_what_cannot_be_filled_is_told_at_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(LanguageError) as caught:
        evaluate(text)
    assert caught.value.message.startswith(message)
    assert (caught.value.line, caught.value.column) == (1, column)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "fill_gaps(concat(clips.walk, clips.walk, gap=9))",
            "a gap of 9 s is too long to fill: at most 5 s are allowed",
        ),
        ("fill(retime(clips.walk, 0, 100), 10, 20)", "a gap of 10 s is too long to fill"),
        ("transition(clips.walk, clips.walk, 5.1)", "a gap of 5.1 s is too long to fill"),
        ("fill_gaps(concat(clips.walk for i in 1..20, gap=0.2))", "the script fills more than 12 gaps"),
        ("[fill(clips.walk, 1, 1.2) for i in 1..20]", "the script fills more than 12 gaps"),
        (
            "[transition(clips.walk, clips.walk, 'auto', 'end', 'start') for i in 1..3]",
            "the script fills more than 12 gaps",
        ),
    ],
)
def test_gaps_have_limits(text: str, message: str) -> None:
    with pytest.raises(LimitError) as caught:
        evaluate(text, limits=Limits(gap=5.0, fills=12))
    assert caught.value.message.startswith(message)


def test_each_run_has_all_of_its_fills() -> None:
    session = Session(limits=Limits(fills=1))
    for _ in range(3):
        session.run("fill(clips.stand, 1, 1.2)")


def test_a_solver_is_told_when_the_time_is_up() -> None:
    budget = Budget(Limits(seconds=0.05))

    def solve() -> None:
        with budget.until_time_is_up(HERE) as halt:
            while not halt[0]:
                time.sleep(0.005)

    with pytest.raises(LimitError, match=r"longer than 0\.05 seconds"):
        solve()


def test_a_solver_that_is_done_in_time_hears_nothing() -> None:
    with Budget(Limits(seconds=float("inf"))).until_time_is_up(HERE) as halt:
        pass
    assert halt[0] == 0


def test_filling_stops_when_the_time_is_up_in_any_thread() -> None:
    evaluate("fill(clips.stand, 1, 1.2)")  # compiled before the clock runs
    many = "m = concat(clips.stand for i in 1..900, gap=0.2); fill_gaps(m)"
    caught: list[Exception] = []

    def run() -> None:
        try:
            evaluate(many, limits=Limits(seconds=0.8))
        except LimitError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert "longer than 0.8 seconds" in str(caught[0])


def test_what_is_filled_can_be_shown_and_saved(tmp_path: Path) -> None:
    said: list[str] = []
    session = Session(tmp_path, say=said.append)
    session.run(f"m = fill_gaps({GAPPED}); show(m); save(m, 'filled.bvh')")
    assert "gap" not in said[0]
    assert said[1].startswith("saved filled.bvh: ")
    written = sg.load(tmp_path / "filled.bvh")
    assert written.duration == pytest.approx(sg.clips.walk.duration + 0.4 + sg.clips.kick.duration, abs=1e-6)


@pytest.mark.parametrize(
    ("paper", "plain"),
    [
        ("affine(clips.walk, 1, 2)", "retime(clips.walk, 1, 2)"),
        ("clip(clips.walk, 1, 2)", "trim(clips.walk, 1, 2)"),
        ("concat(clips.walk, clips.wave)", "concatenate(clips.walk, clips.wave)"),
        ("cyclify(clips.walk, 0.2, 1.3)", "make_loop(clips.walk, 0.2, 1.3)"),
        (f"sp({GAPPED})", f"fill_gaps({GAPPED})"),
    ],
)
def test_names_of_the_paper_are_synonyms(paper: str, plain: str) -> None:
    assert_identical(evaluate(paper), evaluate(plain))
