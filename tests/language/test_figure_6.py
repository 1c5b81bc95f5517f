"""The composition of figure 6 in the paper: typed, run as a script and written in Python it is the same motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import segue as sg
from segue.language import Session
from segue.language.repl import Repl
from segue.motion.tracks import joints_of, tracks_of
from tests.language.stage import FIGURE_6, WAVE_ARM, assert_identical, figure_6_in_python

SCRIPT = Path(__file__).parents[2] / "examples" / "03_walk_wave_walk.segue"


@pytest.fixture(scope="module")
def with_gaps() -> sg.Motion:
    return figure_6_in_python()


@pytest.fixture(scope="module")
def in_python(with_gaps: sg.Motion) -> sg.Motion:
    return sg.fill_gaps(with_gaps)


def typed() -> object:
    session = Session(say=lambda text: None)
    with create_pipe_input() as keys:
        keys.send_text(f"{WAVE_ARM}\rwalk = clips.walk\rm = fill_gaps({FIGURE_6})\r\x04")
        Repl(session, say=lambda text: None, history=InMemoryHistory(), input=keys, output=DummyOutput()).run()
    return session.values["m"]


def as_a_script() -> object:
    return Session(say=lambda text: None).run(SCRIPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("make", [typed, as_a_script])
def test_the_language_and_python_give_the_same_motion(make, in_python: sg.Motion) -> None:
    motion = make()
    assert isinstance(motion, sg.Motion)
    assert_identical(motion, in_python)


def test_the_gaps_are_the_two_of_the_figure_on_the_joints_of_the_arm_only(with_gaps: sg.Motion) -> None:
    before, after = sg.gaps(with_gaps)
    assert (before.start, before.stop) == pytest.approx((1.0, 1.3))
    assert (after.start, after.stop) == pytest.approx((2.3, 2.5))
    arm = tracks_of("right_arm")
    assert before.tracks == after.tracks == arm
    assert before.joints == joints_of(arm)
    assert not sg.conflicts(with_gaps)


def test_sp_fills_both_gaps_and_changes_nothing_else(with_gaps: sg.Motion, in_python: sg.Motion) -> None:
    assert not sg.gaps(in_python)
    assert not sg.conflicts(in_python)
    arm = tracks_of("right_arm")
    assert [(fill.start, fill.stop, fill.tracks) for fill in in_python.fills] == [
        (gap.start, gap.stop, arm) for gap in sg.gaps(with_gaps)
    ]
    for name, track in with_gaps.tracks.items():
        for part in track:
            times = np.linspace(part.start + 1e-3, part.stop - 1e-3, 40)
            for filled, given in zip(in_python.sample(name, times), with_gaps.sample(name, times), strict=True):
                np.testing.assert_array_equal(filled, given)


@pytest.mark.parametrize("seam", [1.0, 1.3, 2.3, 2.5])
def test_the_arm_goes_through_the_seams_without_a_jump(in_python: sg.Motion, seam: float) -> None:
    for name in tracks_of("right_arm"):
        before, after = (in_python.sample(name, [seam + side * 1e-7]) for side in (-1, 1))
        np.testing.assert_allclose(after.value, before.value, atol=1e-5)
        np.testing.assert_allclose(after.velocity, before.velocity, atol=1e-3)


def test_the_walk_is_written_as_it_was_but_for_the_waving_arm(in_python: sg.Motion) -> None:
    walk, waving = sg.clips.clip("walk"), in_python.to_clip()
    legs = [k for k, name in enumerate(walk.names) if any(part in name for part in ("thigh", "shank", "foot"))]
    np.testing.assert_allclose(waving.rotations[:, legs], walk.rotations[:, legs], atol=1e-12)
    untouched = np.flatnonzero((walk.times < 1.0) | (walk.times > 2.5))
    np.testing.assert_array_equal(waving.rotations[untouched], walk.rotations[untouched])
    elbow = walk.names.index("right_forearm")
    assert np.abs(waving.rotations[60:150, elbow] - walk.rotations[60:150, elbow]).max() > 0.1
