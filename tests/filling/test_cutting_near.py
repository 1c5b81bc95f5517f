"""Cut points by default and by "auto": their windows, what they leave out, never in mid-air, jumps kept whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segue as sg
from segue.curves.sampled import runs
from segue.filling import Options
from segue.filling.cut_times import CutTime
from segue.filling.cutting import DURATIONS, cuts_between
from segue.filling.cutting_map import compare
from segue.filling.stances import jumps_of
from segue.motion.fills import CutTimes
from segue.plausibility import Observed, observe
from tests.mocap import mocap_file, needs_mocap

WALK, RUN, KICK, STAND, WAVE = (sg.clips.motion(name) for name in ("walk", "run", "kick", "stand", "wave"))
PAIRS = [(WALK, RUN), (RUN, STAND), (WALK, KICK), (STAND, WAVE), (RUN, RUN)]
JUMPS = ("jump_forward_16_05", "jump_13_39", "jump_distance_143_05")
MOVING = ("jog_16_35", "run_09_01", "walk_07_01", "jog_stop_16_08", "run_sidestep_left_127_13")


def bytes_of(motion: sg.Motion) -> bytes:
    state = motion.state(np.linspace(motion.start, motion.stop, 200))
    return b"".join(part.tobytes() for part in state.parts)


def cut_of(motion: sg.Motion) -> CutTimes:
    (fill,) = motion.fills
    assert fill.cut is not None
    return fill.cut


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("duration", [0.6, "auto"])
def test_a_second_of_each_motion_is_searched_by_default(
    first: sg.Motion, second: sg.Motion, duration: float | str
) -> None:
    whole = sg.transition(first, second, duration)
    cut = cut_of(whole)
    assert first.stop - min(1.0, 0.5 * first.duration) - 1e-9 <= cut.leave <= first.stop
    assert second.start <= cut.enter <= second.start + min(1.0, 0.5 * second.duration) + 1e-9
    (fill,) = whole.fills
    assert fill.start == pytest.approx(cut.leave)
    assert round(fill.stop - fill.start, 9) in (DURATIONS if duration == "auto" else (duration,))


@settings(max_examples=15, deadline=None)
@given(lengths=st.tuples(st.floats(0.1, 3.0), st.floats(0.1, 2.5)), duration=st.floats(0.2, 1.0))
def test_windows_shrink_with_short_motions(lengths: tuple[float, float], duration: float) -> None:
    first, second = sg.trim(WALK, 0.0, lengths[0]), sg.trim(RUN, 0.0, min(lengths[1], RUN.duration))
    cut = cuts_between(first, second, duration, None, None, "free", Options())[0]
    for length, left_out in zip((first.duration, second.duration), cut.left_out, strict=True):
        assert -1e-9 <= left_out <= min(1.0, 0.5 * length) + 1e-9


@settings(max_examples=10, deadline=None)
@given(leave=st.floats(1.0, 3.2), enter=st.floats(0.0, 1.0))
def test_a_time_that_is_given_is_kept_and_the_other_is_searched(leave: float, enter: float) -> None:
    left, entered = cut_of(sg.transition(WALK, RUN, leave=leave)), cut_of(sg.transition(WALK, RUN, enter=enter))
    assert left.leave == leave
    assert 0.0 <= left.enter <= 1.0
    assert entered.enter == enter
    assert 2.2 - 1e-9 <= entered.leave <= 3.2
    both = cut_of(sg.transition(WALK, RUN, leave=leave, enter=enter))
    assert (both.leave, both.enter) == (leave, enter)


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("duration", [0.5, "auto"])
def test_end_and_start_leave_nothing_out(first: sg.Motion, second: sg.Motion, duration: float | str) -> None:
    whole = sg.transition(first, second, duration, leave="end", enter="start")
    there = sg.transition(first, second, duration, leave=first.stop, enter=second.start)
    assert bytes_of(whole) == bytes_of(there)
    assert cut_of(whole) == (first.stop, second.start, (0.0, 0.0))
    (one,) = sg.transitions([sg.Join(first, second, duration, leave="end", enter="start")])
    assert bytes_of(one) == bytes_of(whole)


@pytest.mark.parametrize("moment", [None, "auto"])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_as_much_is_left_out_as_is_reported(first: sg.Motion, second: sg.Motion, moment: CutTime) -> None:
    whole = sg.transition(first, second, "auto", leave=moment, enter=moment)
    (fill,) = whole.fills
    cut = cut_of(whole)
    lost = first.duration + second.duration + fill.stop - fill.start - whole.duration
    assert sum(cut.left_out) == pytest.approx(lost)
    assert cut.left_out == pytest.approx((first.stop - cut.leave, cut.enter - second.start))
    assert fill.to_dict()["cut"] == {
        "leave_s": cut.leave,
        "enter_s": cut.enter,
        "left_out_s": {"first": cut.left_out[0], "second": cut.left_out[1]},
    }


def test_what_is_left_out_in_words() -> None:
    assert CutTimes(3.0, 1.4, (10.24, 1.4)).loss("walk.bvh", "sit.bvh") == (
        "leaves out 10.2 s of walk.bvh and 1.4 s of sit.bvh"
    )
    assert CutTimes(3.0, 0.0, (0.033, 0.0)).loss() == "leaves out 0.03 s of the first motion"
    assert CutTimes(3.0, 0.2, (0.0, 0.2)).loss() == "leaves out 0.2 s of the second motion"
    assert CutTimes(3.0, 0.0, (0.0, 1e-9)).loss() == ""


def test_the_same_transition_by_all_doors() -> None:
    from segue.language import evaluate

    for typed, made in (
        ("transition(clips.walk, clips.run)", sg.transition(WALK, RUN)),
        ('transition(clips.walk, clips.run, "auto")', sg.transition(WALK, RUN, "auto")),
        (
            'transition(clips.walk, clips.run, leave="end", enter="start")',
            sg.transition(WALK, RUN, leave="end", enter="start"),
        ),
    ):
        found = evaluate(typed)
        assert isinstance(found, sg.Motion)
        assert bytes_of(found) == bytes_of(made)
    (many,) = sg.transitions([sg.Join(WALK, RUN)])
    assert bytes_of(many) == bytes_of(sg.transition(WALK, RUN))


def test_motions_that_have_a_gap_near_the_cut_are_joined() -> None:
    holed = sg.trim(WALK, 0.0, 2.5, keep_time=True) + sg.trim(WALK, 2.8, WALK.stop, keep_time=True)
    assert 2.8 <= cut_of(sg.transition(holed, RUN)).leave <= WALK.stop
    assert 0.0 <= cut_of(sg.transition(RUN, sg.trim(holed, 2.0, 3.2))).enter <= 0.5


@pytest.mark.parametrize("wrong", [{"leave": "start"}, {"enter": "end"}, {"leave": "stop"}, {"enter": (0.1,)}])
def test_words_that_are_none_get_a_sentence(wrong: dict[str, object]) -> None:
    name = next(iter(wrong))
    edge = {"leave": "end", "enter": "start"}[name]
    with pytest.raises(sg.ArgumentError, match=rf'{name} is .*: a time in seconds, .* "auto" or "{edge}" is needed'):
        sg.transition(WALK, RUN, **wrong)  # type: ignore[arg-type]


def in_the_air(seen: Observed, at: float) -> bool:
    """Whether the measures of `segue check` say that the body is in the air at a time."""
    return bool(seen.aloft[np.abs(seen.times - at).argmin()])


@needs_mocap
@pytest.mark.mocap
def test_nothing_is_cut_in_mid_air() -> None:
    motions = [sg.load(mocap_file(name)) for name in (*JUMPS, *MOVING)]
    seen = [observe(motion) for motion in motions]
    assert sum(each.aloft.any() for each in seen) >= 5
    for i, first in enumerate(motions):
        for j, second in enumerate(motions):
            if i == j:
                continue
            for moment in (None, "auto") if i < 2 else (None,):
                cut = cuts_between(first, second, 0.6, moment, moment, "free", Options())[0]
                names = first.source.name, second.source.name
                assert not in_the_air(seen[i], cut.leave), names
                assert not in_the_air(seen[j], cut.enter), names


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", JUMPS[:2])
@pytest.mark.parametrize("before", ["jog_16_35", "walk_07_01"])
@pytest.mark.parametrize("moment", [None, "auto"])
def test_a_jump_is_entered_before_its_crouch(name: str, before: str, moment: CutTime) -> None:
    first, second = sg.load(mocap_file(before)), sg.load(mocap_file(name))
    seen = observe(second)
    take_off = min(
        seen.times[start] for start, stop in runs(seen.aloft) if seen.times[stop - 1] - seen.times[start] > 0.3
    )
    cut = cuts_between(first, second, "auto", moment, moment, "free", Options())[0]
    assert cut.enter < take_off - 0.3


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", [*JUMPS, *MOVING, "climb_steps_13_35", "soccer_kick_10_01", "dive_roll_127_23"])
def test_flights_are_those_that_check_measures(name: str) -> None:
    motion = sg.load(mocap_file(name))
    if motion.duration > 12.0:
        motion = sg.trim(motion, 0.0, 12.0)
    compared = compare(motion, motion, 0.6)
    quick, times = compared.stances[0].aloft, compared.leaves
    seen = observe(motion)
    there = np.array([in_the_air(seen, at) for at in times])
    # 30 moments a second: take-off and landing may be a frame or two away
    for start, stop in runs(there):
        if stop - start > 2:
            assert quick[max(start - 2, 0) : stop + 2].any(), f"a flight at {times[start]:.2f} s is missed"
    for start, stop in runs(quick):
        if (stop - start) * compared.step >= 0.2:
            assert there[max(start - 2, 0) : stop + 2].any(), f"no jump at {times[start]:.2f} s"


def test_jumps_are_longer_than_the_flights_of_a_run() -> None:
    step = 1.0 / 30.0
    aloft = np.zeros(90, dtype=bool)
    aloft[10:14] = aloft[40:52] = True
    jumps = jumps_of(aloft, step)
    assert runs(jumps.about) == [(28, 58)]
    assert jumps.seconds[-1] == pytest.approx(12 * step)
    assert not jumps.seconds[:40].any()


@needs_mocap
@pytest.mark.mocap
def test_given_times_and_windows_in_mid_air_are_kept_to() -> None:
    jump = sg.load(mocap_file("jump_forward_16_05"))
    assert 1.25 <= cuts_between(WALK, jump, 0.4, 2.0, (1.25, 1.4), "free", Options())[0].enter <= 1.4
    # who is left in the air goes on in the air
    other = sg.load(mocap_file("jump_13_39"))
    assert in_the_air(observe(other), cuts_between(jump, other, 0.4, 1.3, (0.2, 2.5), "free", Options())[0].enter)


@needs_mocap
@pytest.mark.mocap
def test_seconds_that_are_left_out_must_buy_a_lot() -> None:
    """Of a clip of more than two minutes, "auto" may drop a minute, and drops a few seconds at most."""
    long, walk = sg.load(mocap_file("walk4_subject1")), sg.load(mocap_file("walk_07_01"))
    assert long.duration > 100
    for first, second in ((long, walk), (walk, long)):
        assert sum(cuts_between(first, second, 0.6, "auto", "auto", "free", Options())[0].left_out) < 6.0
