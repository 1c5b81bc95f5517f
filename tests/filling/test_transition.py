"""Transitions: durations, threads, reports, and arguments that are wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.filling import Options
from segue.filling.joining import DURATIONS
from segue.spacetime import OBJECTIVES, Objective
from segue.spacetime.solver import STATUS

NAN = float("nan")
ENDS = {"leave": "end", "enter": "start"}
JOINS = [
    sg.Join(sg.clips.motion(a), sg.clips.motion(b), duration)
    for a, b, duration in (("stand", "walk", 0.6), ("walk", "wave", 0.4), ("run", "kick", 0.7), ("kick", "stand", 0.5))
]


def bytes_of(motion: sg.Motion) -> bytes:
    poses = motion.at(np.linspace(motion.start, motion.stop, 301))
    return poses.root.tobytes() + poses.balls.tobytes() + poses.hinges.tobytes()


def test_a_transition_is_the_one_motion_and_then_the_other() -> None:
    walk, wave = sg.clips.walk, sg.clips.wave
    whole = sg.transition(walk, wave, 0.7, leave=2.0, enter=0.5)
    assert whole.start == walk.start
    assert whole.stop == pytest.approx(2.0 + 0.7 + wave.stop - 0.5)
    times = np.linspace(0.0, 1.999, 50)
    np.testing.assert_array_equal(whole.at(times).hinges, walk.at(times).hinges)
    np.testing.assert_array_equal(whole.at(times).root, walk.at(times).root)
    later = np.linspace(0.5, wave.stop, 50)
    np.testing.assert_allclose(whole.at(later + 2.2).hinges, wave.at(later).hinges, atol=1e-9)
    (report,) = whole.fills
    assert (report.start, report.stop) == pytest.approx((2.0, 2.7))
    assert report.status in STATUS.values()


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_make_the_same_bytes(threads: int) -> None:
    alone = [bytes_of(sg.transition(join.first, join.second, join.duration)) for join in JOINS]
    assert [bytes_of(motion) for motion in sg.transitions(JOINS * 3, threads=threads)] == alone * 3


FORKED = """
import multiprocessing, os, threading, warnings
import segue as sg
from segue.filling import operators
from tests.filling.test_transition import JOINS, bytes_of

made_by = []
single = operators.transition

def noted(*given, **named):
    motion = single(*given, **named)
    motion.note = os.getpid()  # travels with the motion
    if named["leave"] == 1.25:
        warnings.warn("a warning of one join", sg.SegueWarning)
    return motion

assert threading.active_count() == 1
operators.transition = noted
alone = [bytes_of(single(join.first, join.second, join.duration)) for join in JOINS]
many = sg.transitions(JOINS * 3, threads=2)
assert [bytes_of(motion) for motion in many] == alone * 3
assert many[0].note == os.getpid() and len({motion.note for motion in many} - {os.getpid()}) == 2
assert all(motion.source is join.first.source for motion, join in zip(many, JOINS * 3))
assert not multiprocessing.active_children()
for bad, error in ((99.0, sg.ArgumentError), (1.25, sg.SegueWarning)):
    joins = [*JOINS, *JOINS, sg.Join(sg.clips.walk, sg.clips.wave, 0.4, leave=bad)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", sg.SegueWarning)
            sg.transitions(joins, threads=2)
    except error as raised:
        print(raised)
    assert not multiprocessing.active_children()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    sg.transitions(joins, threads=2)
assert [str(warning.message) for warning in caught] == ["a warning of one join"]

def interrupted(*given, **named):
    raise KeyboardInterrupt

def killed(*given, **named):
    if os.getpid() != parent:
        os._exit(1)
    return single(*given, **named)

parent, operators.transition = os.getpid(), killed
assert [bytes_of(motion) for motion in sg.transitions(JOINS * 2, threads=2)] == alone * 2
operators.transition = lambda *given, **named: (single if os.getpid() == parent else interrupted)(*given, **named)
try:
    sg.transitions(JOINS * 3, threads=2)
except KeyboardInterrupt:
    print("interrupted")
assert not multiprocessing.active_children()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads make many transitions")
def test_processes_make_the_same_bytes_and_none_is_left() -> None:
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", FORKED], env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    cannot, warned, interrupted = done.stdout.splitlines()
    assert "cannot be left" in cannot
    assert (warned, interrupted) == ("a warning of one join", "interrupted")


def test_many_transitions_take_every_argument() -> None:
    join = sg.Join(sg.clips.walk, sg.clips.wave, 0.5, leave=1.0, enter=0.5, mode="pinned")
    (made,) = sg.transitions([join], coefficients=4, prior="none")
    alone = sg.transition(
        sg.clips.walk, sg.clips.wave, 0.5, leave=1.0, enter=0.5, mode="pinned", coefficients=4, prior="none"
    )
    assert bytes_of(made) == bytes_of(alone)
    assert made.fills[0].coefficients == 4
    assert sg.transitions([]) == []


def test_an_error_in_one_of_many_is_the_error_of_all() -> None:
    with pytest.raises(sg.ArgumentError, match="cannot be left"):
        sg.transitions([*JOINS, sg.Join(sg.clips.walk, sg.clips.wave, leave=99.0)])


@pytest.mark.parametrize(("a", "b"), [("stand", "wave"), ("walk", "run"), ("walk", "kick")])
@pytest.mark.parametrize("given", [{}, ENDS], ids=["cut points searched for", "from the end to the start"])
def test_an_automatic_duration_is_plausible_and_the_same_every_time(a: str, b: str, given: dict[str, str]) -> None:
    first, second = sg.clips.motion(a), sg.clips.motion(b)
    whole = sg.transition(first, second, "auto", **given)  # type: ignore[arg-type]
    (fill,) = whole.fills
    assert fill.cut is not None
    chosen = fill.stop - fill.start
    assert min(DURATIONS) - 1e-9 <= chosen <= max(DURATIONS) + 1e-9
    assert bytes_of(whole) == bytes_of(sg.transition(first, second, "auto", **given))  # type: ignore[arg-type]
    again = sg.transition(first, second, round(chosen, 6), leave=fill.cut.leave, enter=fill.cut.enter)
    assert bytes_of(whole) == bytes_of(again)


def test_an_automatic_duration_is_longer_for_what_lies_further_apart() -> None:
    stand, run = sg.clips.stand, sg.clips.run
    for given in ({}, ENDS):
        near, far = (sg.transition(first, stand, "auto", **given).fills[0] for first in (stand, run))  # type: ignore[arg-type]
        assert near.stop - near.start + 0.05 < far.stop - far.start


@pytest.mark.parametrize("name", OBJECTIVES)
def test_every_objective_makes_a_transition(name: str) -> None:
    whole = sg.transition(sg.clips.walk, sg.clips.kick, objective=name)
    assert np.isfinite(whole.at(np.linspace(0, whole.stop, 50)).hinges).all()
    assert whole.fills[0].energy > 0


def test_objectives_lead_to_other_motions() -> None:
    made = {bytes_of(sg.transition(sg.clips.walk, sg.clips.kick, objective=name)) for name in OBJECTIVES}
    assert len(made) == len(OBJECTIVES)


def test_a_stopped_transition_is_whole_all_the_same() -> None:
    whole = sg.transition(sg.clips.walk, sg.clips.kick, stop=np.ones(1, np.int64))
    assert whole.fills[0].status == "stopped"
    assert not sg.gaps(whole)
    assert np.isfinite(whole.to_clip().rotations).all()


@pytest.mark.parametrize("iterations", [0, 1, 5])
def test_few_iterations_give_the_best_so_far(iterations: int) -> None:
    whole = sg.transition(sg.clips.run, sg.clips.kick, iterations=iterations)
    assert whole.fills[0].iterations <= 2 * iterations
    assert not sg.gaps(whole)


def test_a_report_in_plain_numbers() -> None:
    said = sg.transition(sg.clips.walk, sg.clips.wave).fills[0].to_dict()
    assert said["stop_s"] - said["start_s"] == pytest.approx(0.6)
    assert {"energy", "start_energy", "iterations", "evaluations", "status", "supports", "notes", "joints"} <= set(said)
    assert said["prepare_ms"] >= 0
    assert said["solve_ms"] >= 0
    assert "root" in said["joints"]


def test_reports_go_with_the_motion_they_are_of() -> None:
    inner = sg.transition(sg.clips.stand, sg.clips.wave, leave="end", enter="start")
    (later,) = sg.retime(inner, 10.0).fills
    assert (later.start, later.stop) == pytest.approx((14.0, 14.6))
    both = sg.transition(sg.clips.walk, inner, leave="end", enter="start").fills
    assert [report.start for report in both] == pytest.approx([3.2, 7.8])
    (slow,) = sg.retime(inner, 1.0, 2.0).fills
    assert (slow.start, slow.stop) == pytest.approx((9.0, 10.2))


@pytest.mark.parametrize("rate", [0.5, 2.0, -1.0, -0.5])
def test_supports_are_reported_at_the_times_at_which_they_are_seen(rate: float) -> None:
    inner = sg.transition(sg.clips.stand, sg.clips.wave)
    changed = sg.retime(inner if rate > 0 else sg.reverse(inner), 0.0, abs(rate))
    (before,), (after,) = inner.fills, changed.fills
    assert after.stop - after.start == pytest.approx(0.6 * abs(rate))
    assert before.supports
    for was, now in zip(before.supports, after.supports, strict=True):
        assert now.point == was.point
        assert after.start - 1e-9 <= now.start < now.stop <= after.stop + 1e-9
        assert now.stop - now.start == pytest.approx((was.stop - was.start) * abs(rate))
        place = changed.figure.point(now.point, changed.at([0.5 * (now.start + now.stop)]))[0]
        assert np.linalg.norm(place - was.place.mean(axis=0)) < 0.02


def one_frame() -> sg.Motion:
    clip = sg.clips.clip("wave")
    return sg.Motion.from_clip(
        sg.Clip.from_arrays(clip.skeleton, clip.positions[90:91], clip.rotations[90:91], clip.fps)
    )


def test_clips_of_one_frame_can_be_joined() -> None:
    pose, walk = one_frame(), sg.clips.walk
    for first, second in ((pose, walk), (walk, pose), (pose, pose)):
        whole = sg.transition(first, second, 0.5, leave="end", enter="start")
        assert whole.duration == pytest.approx(first.duration + 0.5 + second.duration)
        assert sg.transition(first, second, 0.5).duration <= whole.duration + 1e-9
        assert np.isfinite(whole.to_clip().rotations).all()


def test_first_motions_with_gaps_of_their_own_keep_them() -> None:
    walk = sg.clips.walk
    holed = sg.trim(walk, 0.0, 0.5, keep_time=True) + sg.trim(walk, 0.7, walk.stop, keep_time=True)
    whole = sg.transition(holed, sg.clips.wave, leave="end", enter="start")
    assert [(round(gap.start, 6), round(gap.stop, 6)) for gap in sg.gaps(whole)] == [(0.5, 0.7)]
    (fill,) = whole.fills
    assert fill.start == pytest.approx(walk.stop)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"duration": 0.0}, "must be positive"),
        ({"duration": -0.5}, "must be positive"),
        ({"duration": NAN}, "must be positive"),
        ({"duration": float("inf")}, "must be positive"),
        ({"duration": "soon"}, 'number of seconds or "auto"'),
        ({"duration": None}, 'number of seconds or "auto"'),
        ({"mode": "flying"}, "must be one of pinned, free"),
        ({"leave": 99.0}, "cannot be left at 99 s"),
        ({"leave": 0.0}, "cannot be left at 0 s"),
        ({"leave": NAN}, "cannot be left at nan s"),
        ({"leave": "early"}, '"auto" or "end" is needed'),
        ({"enter": -1.0}, "cannot be entered at -1 s"),
        ({"enter": 3.2}, "cannot be entered at 3.2 s"),
        ({"enter": NAN}, "cannot be entered at nan s"),
        ({"enter": [1.0, 2.0, 3.0]}, "enter is"),
        ({"coefficients": 0}, "whole number from 1 to 40"),
        ({"coefficients": 41}, "whole number from 1 to 40"),
        ({"coefficients": 2.5}, "whole number from 1 to 40"),
        ({"coefficients": True}, "whole number from 1 to 40"),
        ({"coefficients": "many"}, "whole number from 1 to 40"),
        ({"iterations": -1}, "iterations is -1"),
        ({"iterations": NAN}, "iterations is nan"),
        ({"iterations": 2.5}, "iterations is 2.5"),
        ({"iterations": "a"}, "iterations is 'a'"),
        ({"tolerance": NAN}, "tolerance is nan"),
        ({"tolerance": -1e-3}, "tolerance is -0.001"),
        ({"tolerance": float("inf")}, "tolerance is inf"),
        ({"tolerance": "a"}, "tolerance is 'a'"),
        ({"stop": 3}, "array of one whole number"),
        ({"stop": np.zeros(0, np.int64)}, "array of one whole number"),
        ({"stop": np.zeros(1)}, "array of one whole number"),
        ({"objective": "spin"}, "there is no objective 'spin'"),
        ({"objective": Objective(torque=1.0)}, "light joints run away"),
        ({"objective": 3}, "a name or an Objective is needed"),
        ({"speed": 3}, "there is no option 'speed'"),
    ],
)
def test_arguments_that_are_wrong_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(sg.ArgumentError, match=message):
        sg.transition(sg.clips.stand, sg.clips.wave, **arguments)  # type: ignore[arg-type]


def test_whole_numbers_of_numpy_are_numbers() -> None:
    options = Options(coefficients=np.int64(5), iterations=np.int32(7), tolerance=np.float32(0.5))  # type: ignore[arg-type]
    assert (options.coefficients, options.iterations, options.tolerance) == (5, 7, 0.5)
    assert isinstance(Options(tolerance=1).tolerance, float)


@pytest.mark.parametrize("threads", [0, -1, "two"])
def test_a_number_of_threads_that_is_none_is_refused(threads: object) -> None:
    with pytest.raises(sg.ArgumentError, match="threads is"):
        sg.transitions(JOINS, threads=threads)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("gaps", "joints", "message"),
    [
        ([(0.0, 1.0)], None, "must lie within the motion"),
        ([(1.0, 3.2)], None, "must lie within the motion"),
        ([(0.001, 1.0)], None, "no whole frame"),
        ([(9.0, 10.0)], None, "must lie within the motion"),
        ([(1.5, 1.0)], None, "must stop after it starts"),
        ([(1.0, 1.0)], None, "must stop after it starts"),
        ([(NAN, 1.0)], None, "must stop after it starts"),
        ((1.0, 1.5), None, "not a pair of times"),
        ([("a", "b")], None, "not a pair of times"),
        ([(1.0, 2.0), (1.5, 2.5)], None, "two gaps overlap"),
        ([(1.0, 1.5)], "left_wing", "did you mean"),
        ([(1.0, 1.5)], [], "no joints are named"),
    ],
)
def test_fills_that_are_wrong_are_refused(gaps: object, joints: object, message: str) -> None:
    with pytest.raises(sg.ArgumentError, match=message):
        sg.fill(sg.clips.wave, gaps, joints)  # type: ignore[arg-type]


def test_motions_that_cannot_be_filled_are_refused() -> None:
    wave, stand = sg.clips.wave, sg.clips.stand
    upper, lower = sg.only(wave, "upper_body"), sg.only(wave, "lower_body")
    with pytest.raises(sg.ArgumentError, match=r"in conflict at .*override or blend"):
        sg.fill_gaps(stand + wave)
    with pytest.raises(sg.ArgumentError, match=r"undefined at the start of the motion \(0 to 1 s\)"):
        sg.fill_gaps(lower + sg.trim(upper, 1.0, wave.stop, keep_time=True))
    with pytest.raises(sg.ArgumentError, match=r"undefined at the end of the motion \(1 to 3.2 s\)"):
        sg.fill_gaps(lower + sg.trim(upper, 0.0, 1.0, keep_time=True))
    with pytest.raises(sg.ArgumentError, match="filling needs the whole body"):
        sg.fill_gaps(sg.trim(upper, 0.0, 1.0, keep_time=True) + sg.trim(upper, 2.0, 3.0, keep_time=True))
    with pytest.raises(sg.ArgumentError, match="has no track for"):
        sg.fill(upper, [(1.0, 1.5)])
    with pytest.raises(sg.ArgumentError):
        sg.transition(stand, upper)
    with pytest.raises(sg.ArgumentError):
        sg.transition(upper, stand)
    with pytest.raises(sg.ArgumentError):
        sg.transition(stand, sg.Motion({}, stand.source))


def test_a_long_transition_warns() -> None:
    with pytest.warns(sg.SegueWarning, match="does not invent steps"):
        sg.transition(sg.clips.stand, sg.clips.wave, 3.5, prior="none")
