"""The composition of figure 6 in the paper: typed, run as a script and written in Python it is the same motion."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import segue as sg
from segue.language import Session
from segue.language.repl import Repl
from segue.motion.coverage import joints_of
from segue.motion.tracks import tracks_of
from tests.language.stage import FIGURE_6, WAVE_ARM, assert_identical, figure_6_in_python

SCRIPT = Path(__file__).parents[2] / "examples" / "01_walk_wave_walk.segue"


@pytest.fixture(scope="module")
def in_python() -> sg.Motion:
    return figure_6_in_python()


def typed() -> object:
    session = Session(say=lambda text: None)
    with create_pipe_input() as keys:
        keys.send_text(f"{WAVE_ARM}\rwalk = clips.walk\rm = {FIGURE_6}\r\x04")
        Repl(session, say=lambda text: None, history=InMemoryHistory(), input=keys, output=DummyOutput()).run()
    return session.values["m"]


def as_a_script() -> object:
    return Session(say=lambda text: None).run(SCRIPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("make", [typed, as_a_script])
def test_the_language_and_python_give_the_same_motion(make, in_python: sg.Motion) -> None:
    motion = make()
    assert isinstance(motion, sg.Motion)
    assert_identical(motion, in_python)


def test_the_gaps_are_the_two_of_the_figure_on_the_joints_of_the_arm_only(in_python: sg.Motion) -> None:
    before, after = sg.gaps(in_python)
    assert (before.start, before.stop) == pytest.approx((1.0, 1.3))
    assert (after.start, after.stop) == pytest.approx((2.3, 2.5))
    arm = tracks_of("right_arm")
    assert before.tracks == after.tracks == arm
    assert before.joints == joints_of(arm)
    assert not sg.conflicts(in_python)
