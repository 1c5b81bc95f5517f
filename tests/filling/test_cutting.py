"""Where to cut: laws of the distance map, windows that are kept to, cuts that are better than others, bad input."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segue as sg
from segue.errors import ArgumentError
from segue.filling import CutPoint, cut_points, cutting_map, distance_map, transition
from segue.filling.cutting import DURATIONS
from segue.filling.cutting_map import compare
from tests.mocap import mocap_file, needs_mocap

WALK, RUN, KICK, STAND, WAVE = (sg.clips.motion(name) for name in ("walk", "run", "kick", "stand", "wave"))
WHOLE = (-math.inf, math.inf)


def at_ends(first: sg.Motion, second: sg.Motion, duration: float = 0.6) -> tuple[int, float]:
    """Return how much goes wrong in a transition from the end of a motion to the start of another, and its effort."""
    (fill,) = sg.transition(first, second, duration, leave="end", enter="start", prior="none").fills
    return len(fill.notes), fill.energy * duration


def test_a_motion_goes_on_in_itself_without_any_distance() -> None:
    duration = 0.6
    found = distance_map(WALK, WALK, duration, mode="pinned")
    shift = round(duration * 30)
    itself = np.array([found.distances[k, k + shift] for k in range(len(found.leaves) - shift)])
    assert found.enters[shift] - found.leaves[0] == pytest.approx(duration)
    np.testing.assert_allclose(itself, 0.0, atol=2e-3)
    # nowhere else is it as good: a walker is never in the same place twice
    apart = np.abs(found.enters - duration - found.leaves[:, None]) > 0.1
    assert found.distances[apart].min() > 0.1


@settings(max_examples=10, deadline=None)
@given(x=st.floats(-5, 5), z=st.floats(-5, 5), heading=st.floats(-3, 3))
def test_where_motions_are_and_face_counts_only_if_they_are_pinned(x: float, z: float, heading: float) -> None:
    elsewhere = sg.move_to(KICK, (x, z), heading=heading)
    as_it_was, moved = (distance_map(WALK, each).distances for each in (KICK, elsewhere))
    np.testing.assert_allclose(moved, as_it_was, atol=2e-3)
    pinned = [distance_map(WALK, each, mode="pinned").distances for each in (KICK, elsewhere)]
    assert np.all(pinned[0] >= as_it_was - 1e-4)
    if math.hypot(x, z) > 1:
        assert np.abs(pinned[1] - pinned[0]).max() > 0.1


@settings(max_examples=10, deadline=None)
@given(first=st.floats(-20, 20), second=st.floats(-20, 20))
def test_the_map_goes_along_with_the_times_of_motions(first: float, second: float) -> None:
    plain, moved = distance_map(WALK, RUN), distance_map(sg.retime(WALK, first), sg.retime(RUN, second))
    np.testing.assert_allclose(moved.leaves - first, plain.leaves, atol=1e-9)
    np.testing.assert_allclose(moved.enters - second, plain.enters, atol=1e-9)
    np.testing.assert_allclose(moved.distances, plain.distances, atol=2e-3)


def test_mirrored_motions_are_as_alike_as_they_were() -> None:
    plain, mirrored = distance_map(WALK, KICK), distance_map(sg.mirror(WALK), sg.mirror(KICK))
    np.testing.assert_allclose(mirrored.distances, plain.distances, atol=2e-3)


def test_distances_are_those_of_stretches_not_of_moments() -> None:
    compared = compare(WALK, RUN, 0.6)
    found = compared.during(0.6)
    frames, ahead = 18, compared.squares.shape[0] - len(found.leaves)
    for i, j in ((0, 40), (30, 25), (60, 50)):
        looks = [compared.squares[i + k, ahead + j - frames + k] for k in np.linspace(0, frames, 5).round().astype(int)]
        assert found.distances[i, j] == pytest.approx(math.sqrt(np.mean(looks)), rel=1e-4)


@pytest.mark.parametrize("limit", [20, 45])
def test_long_motions_are_compared_at_fewer_moments_and_anchors_stay(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = (0.3, 2.234), (0.277, 1.5)
    fine = compare(WALK, RUN, 0.5, windows=windows)
    monkeypatch.setattr(cutting_map, "_MOST", limit)
    coarse = compare(WALK, RUN, 0.5, windows=windows)
    assert len(coarse.leaves) <= limit + 1 < len(fine.leaves)
    for moments, anchor in ((coarse.leaves, windows[0][1]), (coarse.enters, windows[1][0])):
        assert np.abs(moments - anchor).min() < 1e-9
    shared = [int(np.argmin(np.abs(fine.leaves - moment))) for moment in coarse.leaves]
    across = [int(np.argmin(np.abs(fine.enters - moment))) for moment in coarse.enters]
    ahead = fine.squares.shape[0] - len(fine.leaves), coarse.squares.shape[0] - len(coarse.leaves)
    np.testing.assert_allclose(
        coarse.squares[: len(shared), ahead[1] :], fine.squares[np.ix_(shared, ahead[0] + np.array(across))], atol=1e-3
    )


def test_minima_are_lower_than_all_around_and_come_lowest_first() -> None:
    found = distance_map(WALK, RUN, 0.4)
    minima = found.minima(WHOLE, WHOLE, 8)
    assert len(minima) == 8
    assert all(one.distance <= other.distance for one, other in pairwise(minima))
    assert minima[0].distance == pytest.approx(found.distances.min())
    for each in minima:
        near = np.ix_(np.abs(found.leaves - each.leave) < 0.05, np.abs(found.enters - each.enter) < 0.05)
        assert each.distance == pytest.approx(found.distances[near].min())


def test_minima_can_be_those_of_costs() -> None:
    found = distance_map(WALK, WALK, 0.3)
    early = (found.leaves[:, None] + found.enters).astype(np.float32)
    (first,) = found.minima((0.2, 3.0), (0.3, 3.0), 1, early)
    assert (first.leave, first.enter) == pytest.approx((0.2, 0.3), abs=1.01 / 30)
    assert first.cost == pytest.approx(first.leave + first.enter)
    assert first.distance == pytest.approx(found.at(first.leave, first.enter))


def test_what_keeps_more_of_both_comes_first() -> None:
    # every stride of an endless walk is like the others: what is kept decides
    walking = sg.repeat(sg.make_loop(WALK), 8)
    best = cut_points(walking, walking, duration=0.4)[0]
    assert best.distance < 0.05
    stride = sg.loop_of(sg.make_loop(WALK)).period
    assert sum(best.left_out) < 1.5 * stride + 0.4


@settings(max_examples=12, deadline=None)
@given(
    leave=st.tuples(st.floats(0.3, 3.0), st.floats(0.3, 3.0)),
    enter=st.tuples(st.floats(0.1, 2.0), st.floats(0.1, 2.0)),
    duration=st.floats(0.2, 0.8),
)
def test_cuts_stay_within_the_windows(leave: tuple[float, float], enter: tuple[float, float], duration: float) -> None:
    (from_, until), (after, before) = sorted(leave), sorted(enter)
    for cut in cut_points(WALK, RUN, leave=(from_, until), enter=(after, before), duration=duration):
        assert from_ - 1e-9 <= cut.leave <= until + 1e-9
        assert after - 1e-9 <= cut.enter <= before + 1e-9
        assert cut.duration == duration


def test_exact_moments_stay_exact() -> None:
    (cut,) = cut_points(WALK, KICK, leave=2.345, enter=0.6789, duration=0.5)
    assert (cut.leave, cut.enter, cut.duration) == (2.345, 0.6789, 0.5)
    cuts = cut_points(WALK, KICK, leave=2.345)
    assert {cut.leave for cut in cuts} == {2.345}
    assert all(cut.duration in DURATIONS for cut in cuts)


@pytest.mark.parametrize(("first", "second"), [(WALK, RUN), (WALK, KICK), (KICK, WALK), (STAND, WAVE), (RUN, STAND)])
def test_most_of_both_stays_but_not_their_very_ends(first: sg.Motion, second: sg.Motion) -> None:
    for cut in cut_points(first, second):
        assert first.start + 0.5 * first.duration - 1e-9 <= cut.leave <= first.stop - 0.1
        assert second.start + 0.1 <= cut.enter <= second.start + 0.5 * second.duration + 1e-9


@pytest.mark.parametrize(("first", "second"), [(WALK, RUN), (WALK, KICK), (KICK, WALK), (RUN, STAND), (RUN, WALK)])
def test_found_cuts_are_better_than_the_ends(first: sg.Motion, second: sg.Motion) -> None:
    best = cut_points(first, second, duration=0.6)[0]
    (fill,) = sg.transition(first, second, 0.6, leave=best.leave, enter=best.enter, prior="none").fills
    assert fill.energy * 0.6 == pytest.approx(best.effort)
    assert fill.notes == best.notes
    assert (len(best.notes), best.effort) < at_ends(first, second)


def test_the_best_come_first_and_differ() -> None:
    cuts = cut_points(WALK, RUN, count=4)
    assert len(cuts) == 4
    for one, other in pairwise(cuts):
        assert one.cost <= other.cost
    for k, one in enumerate(cuts):
        assert all(max(abs(one.leave - other.leave), abs(one.enter - other.enter)) > 0.2 for other in cuts[:k])
    assert cuts == cut_points(WALK, RUN, count=4)


def test_the_same_foot_stands() -> None:
    stride = sg.loop_of(sg.make_loop(WALK)).period
    for cut in cut_points(WALK, WALK, duration=0.4)[:2]:
        phase = (cut.enter - cut.duration - cut.leave) / stride
        assert abs(phase - round(phase)) < 0.1, "half a stride away the other foot stands"


def test_a_cut_in_words() -> None:
    assert CutPoint(2.34, 0.5, 0.4, 0.1, 1.0).describe() == (
        "the first is left at 2.34 s, the second entered 0.40 s later, at 0.50 s of its own: they are much alike there"
    )
    assert "A is left" in CutPoint(2.34, 0.5, 0.4, 0.5, 1.0).describe("A", "B")
    assert "fairly alike" in CutPoint(2.34, 0.5, 0.4, 0.5, 1.0).describe()
    assert "rather unlike" in CutPoint(2.34, 0.5, 0.4, 2.0, 1.0).describe()


def test_pinned_motions_are_cut_where_the_figure_is() -> None:
    ahead = sg.move_to(WALK, (0.0, 1.0))
    cut = cut_points(WALK, ahead, mode="pinned", duration=0.4, leave=(0.5, 3), enter=(0.5, 3))[0]
    places = [
        motion.sample("root_position", at).value[0] for motion, at in ((WALK, cut.leave + 0.4), (ahead, cut.enter))
    ]
    assert np.linalg.norm(places[1] - places[0]) < 0.3


@pytest.mark.parametrize("frames", [1, 2, 4, 12])
def test_short_motions_can_be_cut(frames: int) -> None:
    short = sg.trim(WALK, 1.0, 1.0 + frames / 60)
    for first, second in ((short, RUN), (RUN, short), (short, short)):
        assert cut_points(first, second, duration=0.3)


def test_moments_may_be_numbers_and_pairs_of_any_kind() -> None:
    plain = cut_points(WALK, KICK, leave=1.5, enter=(0.2, 1.0), duration=0.4)
    assert cut_points(WALK, KICK, leave=np.float64(1.5), enter=[0.2, 1], duration=0.4) == plain  # type: ignore[arg-type]
    joined = transition(WALK, KICK, 0.4, leave=np.float64(1.5), enter=[0.2, 1])  # type: ignore[arg-type]
    assert joined.fills[0].start == 1.5


def test_transitions_longer_than_both_motions_are_compared_at_their_ends() -> None:
    found = distance_map(WALK, KICK, 1e9)
    assert found.distances.shape == (len(found.leaves), len(found.enters))
    assert np.isfinite(found.distances).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"leave": (5.0, 7.0)},
            "leave is from 5 to 7 s: the first motion lasts from 0 to 3.2 s, and some of it must be left",
        ),
        ({"enter": (-3.0, -1.0)}, "enter is from -3 to -1 s: the second motion lasts from 0 to"),
        ({"leave": (2.0, 1.0)}, "leave is from 2 to 1 s: the second time must not be before the first"),
        ({"enter": (math.nan, 1.0)}, "enter is from nan to 1 s"),
        ({"leave": "soon"}, "leave is 'soon': a time in seconds, a pair of times"),
        ({"leave": (1.0, 2.0, 3.0)}, 'a pair of times (from, to), "auto" or "end" is needed'),
        ({"duration": "long"}, "the duration is 'long': a number of seconds or \"auto\" is needed"),
        ({"duration": 0.0}, "the duration is 0 s"),
        ({"duration": math.inf}, "the duration is inf s"),
        ({"mode": "loose"}, "the mode is 'loose': it must be one of"),
        ({"count": 0}, "count is 0: a whole number of 1 or more is needed"),
        ({"count": True}, "count is True"),
        ({"objective": "least"}, "there is no objective 'least'"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(ArgumentError) as told:
        cut_points(WALK, RUN, **arguments)  # type: ignore[arg-type]
    assert sentence in str(told.value)


def test_motions_must_be_whole() -> None:
    for first, second in ((sg.only(WALK, "left_arm"), RUN), (WALK, sg.only(RUN, "legs"))):
        with pytest.raises(ArgumentError, match="has no track for"):
            cut_points(first, second)
    with pytest.raises(ArgumentError, match="a transition joins a motion"):
        cut_points("walk", RUN)  # type: ignore[arg-type]


def test_moments_that_cannot_be_had_are_told() -> None:
    with pytest.raises(ArgumentError, match="held"):
        cut_points(RUN, RUN, duration=1.0, supports={"left_hand": "enforce"})


@needs_mocap
@pytest.mark.mocap
def test_captured_clips_are_cut_where_they_are_alike() -> None:
    first, second = sg.load(mocap_file("walk_07_01")), sg.load(mocap_file("jog_16_35"))
    best = cut_points(first, second)[0]
    assert not best.notes
    assert best.effort < 0.5 * at_ends(first, second)[1]
