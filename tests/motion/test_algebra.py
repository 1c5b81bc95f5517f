"""The motion algebra: laws on random motions, the cases of the paper's figures, exactness through long chains."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segue as sg
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.curves import quaternion
from segue.motion.functions import Piece, PoseSource
from segue.motion.interval import TINY
from segue.motion.retarget import figure_clip
from segue.motion.tracks import TRACKS, Kind, tracks_of
from segue.typing import Array
from tests.motion.test_fit import smooth_poses

FIGURE = sg.Figure.standard()
SOURCES = [PoseSource(FIGURE, smooth_poses(FIGURE, 240, seed), 60.0) for seed in range(3)]
ELBOW = "left_elbow_flexion"


def piece(source: int, start: float, stop: float) -> sg.Interval:
    return sg.Interval(start, stop, (Piece(SOURCES[source]),))


# times on a grid, so that touching intervals are common
ticks = st.lists(st.integers(0, 60), min_size=2, max_size=10, unique=True).map(sorted)


@st.composite
def tracks(draw: st.DrawFn, source: int) -> sg.Track:
    edges = [tick / 16 for tick in draw(ticks)]
    keep = draw(st.lists(st.booleans(), min_size=len(edges), max_size=len(edges)))
    parts = [piece(source, a, b) for (a, b), kept in zip(pairwise(edges), keep, strict=False) if kept]
    return sg.Track(tuple(parts))


@st.composite
def motions(draw: st.DrawFn, source: int) -> sg.Motion:
    names = draw(st.lists(st.sampled_from(["root_position", "neck", ELBOW]), unique=True, min_size=1))
    return sg.Motion({name: draw(tracks(source)) for name in names}, SOURCES[source])


def covers(track: sg.Track, times: Array) -> Array:
    return np.array([any(part.start < t < part.stop for part in track) for t in times])


BETWEEN = (np.arange(0, 62) + 0.5) / 16


@given(tracks(0), tracks(1))
def test_set_operators_define_just_what_they_should(a: sg.Track, b: sg.Track) -> None:
    in_a, in_b = covers(a, BETWEEN), covers(b, BETWEEN)
    np.testing.assert_array_equal(covers(a & b, BETWEEN), in_a & in_b)
    np.testing.assert_array_equal(covers(a - b, BETWEEN), in_a & ~in_b)
    np.testing.assert_array_equal(covers(a + b, BETWEEN), in_a | in_b)


@given(tracks(0), tracks(1))
def test_intersection_carries_both_and_difference_only_the_first(a: sg.Track, b: sg.Track) -> None:
    assert all({f.source for f in part.functions} == {SOURCES[0], SOURCES[1]} for part in a & b)
    assert all([f.source for f in part.functions] == [SOURCES[0]] for part in a - b)
    for part in a + b:
        both = covers(a, [0.5 * (part.start + part.stop)])[0] and covers(b, [0.5 * (part.start + part.stop)])[0]
        assert part.is_conflict == both


@given(tracks(0), tracks(1))
def test_difference_and_intersection_partition_the_first(a: sg.Track, b: sg.Track) -> None:
    def total(track: sg.Track) -> float:
        return sum(part.stop - part.start for part in track)

    assert total(a - b) + total(a & b) == pytest.approx(total(a))
    parts = sorted([*(a - b), *(a & b)], key=lambda part: part.start)
    assert all(one.stop <= two.start + TINY for one, two in pairwise(parts))


@given(tracks(0), tracks(1), tracks(2))
def test_addition_is_associative_in_what_it_defines(a: sg.Track, b: sg.Track, c: sg.Track) -> None:
    left, right = (a + b) + c, a + (b + c)
    for t in BETWEEN:
        one, two = left.at(t), right.at(t)
        assert (one is None) == (two is None)
        if one and two:
            assert [f.source for f in one.functions] == [f.source for f in two.functions]


@given(tracks(0), tracks(1))
def test_tracks_stay_ordered_and_apart(a: sg.Track, b: sg.Track) -> None:
    for track in (a & b, a - b, a + b, b + a):
        assert all(one.stop <= two.start + TINY for one, two in pairwise(track.intervals))


@given(motions(0), st.floats(0.1, 3.0), st.floats(0.2, 1.0))
def test_clipping_twice_is_clipping_once(motion: sg.Motion, start: float, length: float) -> None:
    try:
        once = sg.trim(motion, start, start + length, keep_time=True)
    except sg.ArgumentError:
        return  # nothing there
    if not once.tracks:
        return
    twice = sg.trim(once, start, start + length, keep_time=True)
    assert twice.tracks == once.tracks


@given(motions(0), st.floats(-5, 5), st.floats(0.2, 4), st.floats(-5, 5), st.floats(0.2, 4))
def test_affine_composes(motion: sg.Motion, s1: float, k1: float, s2: float, k2: float) -> None:
    if not motion.tracks:
        return
    twice, once = sg.retime(sg.retime(motion, s1, k1), s2, k2), sg.retime(motion, s2, k1 * k2)
    assert twice.start == pytest.approx(once.start, abs=1e-9)
    assert twice.duration == pytest.approx(once.duration, abs=1e-9)
    for name, track in once.tracks.items():
        for part, other in zip(track, twice.tracks[name], strict=True):
            t = np.linspace(part.start, part.stop, 5)[1:-1]
            np.testing.assert_allclose(
                part.functions[0].state(t).of(name).value, other.functions[0].state(t).of(name).value, atol=1e-9
            )


@given(motions(0))
def test_mirror_and_reverse_undo_themselves(motion: sg.Motion) -> None:
    if not motion.tracks:
        return
    for operator in (sg.mirror, sg.reverse):
        back = operator(operator(motion))
        assert back.tracks.keys() == motion.tracks.keys()
        for name, track in motion.tracks.items():
            for part, other in zip(track, back.tracks[name], strict=True):
                t = np.linspace(part.start, part.stop, 5)[1:-1]
                np.testing.assert_allclose(
                    part.functions[0].state(t).of(name).value, other.functions[0].state(t).of(name).value, atol=1e-9
                )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0.0, 1.0), (1.0, 2.0), []),  # touching is not meeting: the printed t1 <= t2 should read t2 <= t3
        ((0.0, 1.0), (2.0, 3.0), []),
        ((0.0, 2.0), (1.0, 3.0), [(1.0, 2.0)]),  # the second ends later
        ((0.0, 3.0), (1.0, 2.0), [(1.0, 2.0)]),  # the second lies within
    ],
)
def test_the_cases_of_figures_4_and_5(first: tuple, second: tuple, expected: list) -> None:
    a, b = piece(0, *first), piece(1, *second)
    common = a & b
    assert ([(common.start, common.stop)] if common else []) == expected
    left = [(part.start, part.stop) for part in a - b]
    if not expected:
        assert left == [first]
        assert len(a + b) == 2
    elif second[1] > first[1]:
        assert left == [(0.0, 1.0)]
        assert [(p.start, p.stop, len(p.functions)) for p in a + b] == [(0, 1, 1), (1, 2, 2), (2, 3, 1)]
    else:
        assert left == [(0.0, 1.0), (2.0, 3.0)]
        assert [(p.start, p.stop, len(p.functions)) for p in a + b] == [(0, 1, 1), (1, 2, 2), (2, 3, 1)]


def whole(seed: int, frames: int = 240) -> sg.Motion:
    return sg.Motion.from_poses(FIGURE, smooth_poses(FIGURE, frames, seed), 60.0)


def test_the_papers_figure_6_has_two_gaps_on_the_arm_alone() -> None:
    walk, wave = whole(1), sg.only(sg.trim(whole(2), 0.0, 1.5), "right_arm")
    composed = sg.retime(wave, 1.3) + (walk - sg.retime(wave, 1.0, 1.5))
    found = sg.gaps(composed)
    assert [(gap.start, gap.stop) for gap in found] == [
        (pytest.approx(1.0), pytest.approx(1.3)),
        (pytest.approx(2.8), pytest.approx(3.25)),
    ]
    assert all(gap.joints == HUMAN.groups["right_arm"] for gap in found)
    assert not sg.conflicts(composed)
    with pytest.raises(sg.ArgumentError, match=r"right .* is undefined at 1\.1 s"):
        composed.at(1.1)
    composed.at([0.5, 1.5, 3.5])


def test_conflicts_are_named_and_resolved() -> None:
    a, b = whole(1), sg.retime(whole(2), 3.0)
    both = a + b
    (conflict,) = sg.conflicts(both)
    assert (conflict.start, conflict.stop) == (pytest.approx(3.0), pytest.approx(a.stop))
    assert conflict.tracks == tuple(TRACKS)
    with pytest.raises(sg.ArgumentError, match="in conflict from 3"):
        both.at(3.5)
    t = np.array([3.2, 3.9])
    np.testing.assert_array_equal(sg.override(a, b).at(t).hinges, a.at(t).hinges)
    np.testing.assert_array_equal(sg.override(b, a).at(t).hinges, b.at(t).hinges)
    with pytest.raises(sg.ArgumentError, match="nothing to blend"):
        sg.blend(sg.trim(a, 0, 1, keep_time=True), b)


def derivatives(motion: sg.Motion, track: str, t: float, h: float = 1e-4) -> tuple[Array, Array]:
    """Return velocity and acceleration by central differences; of a rotation, angular ones in the parent's frame."""
    before, here, after = (motion.sample(track, t + k * h).value[0] for k in (-1, 0, 1))
    if TRACKS[track] is Kind.ROTATION:
        ahead = quaternion.log(quaternion.multiply(after, quaternion.conjugate(here)))
        behind = quaternion.log(quaternion.multiply(here, quaternion.conjugate(before)))
        return (ahead + behind) / (2 * h), (ahead - behind) / h**2
    return (after - before) / (2 * h), (after - 2 * here + before) / h**2


@pytest.mark.parametrize("track", ["root_position", "root", "left_shoulder", ELBOW])
@pytest.mark.parametrize(
    "make",
    [
        lambda a, b: a,
        lambda a, b: sg.retime(a, 0.2, 1.7),
        lambda a, b: sg.mirror(a),
        lambda a, b: sg.reverse(a),
        lambda a, b: sg.move_to(a, at=(3, -2), heading=1.1),
        lambda a, b: sg.blend(a, sg.retime(b, 1.0)),
    ],
)
def test_velocity_and_acceleration_are_those_of_the_curve(make, track: str) -> None:
    motion = make(whole(1), whole(2))
    t = motion.start + 0.43 * motion.duration
    sample = motion.sample(track, t)
    velocity, acceleration = derivatives(motion, track, t)
    np.testing.assert_allclose(sample.velocity[0], velocity, atol=1e-4)
    np.testing.assert_allclose(sample.acceleration[0], acceleration, atol=2e-3)


def test_a_blend_is_c2_where_it_begins_and_ends() -> None:
    a, b = whole(1), sg.retime(whole(2), 2.0)
    mixed = sg.blend(a, b)
    for edge in (2.0, a.stop):
        for track in ("root_position", "left_hip", ELBOW):
            before, after = mixed.sample(track, edge - 1e-7), mixed.sample(track, edge + 1e-7)
            np.testing.assert_allclose(before.velocity, after.velocity, atol=1e-3)
            np.testing.assert_allclose(before.acceleration, after.acceleration, atol=2e-2)


def test_the_mirror_image_is_that_of_the_body() -> None:
    motion = whole(3)
    image = sg.mirror(motion)
    t = np.linspace(0.1, 3.5, 7)
    here = FIGURE.point("left_knuckles", motion.at(t))
    reflected = FIGURE.point("right_knuckles", image.at(t)) * np.array([-1.0, 1.0, 1.0])
    np.testing.assert_allclose(reflected, here, atol=1e-12)
    for name in HUMAN.hinge_names:
        np.testing.assert_array_equal(image.sample(name, t).value, motion.sample(mirror_name(name), t).value)


def test_placing_moves_the_whole_body_rigidly() -> None:
    motion = whole(4)
    placed = sg.move_to(motion, at=(2.0, -1.0), heading=0.5)
    start = placed.at(placed.start)
    np.testing.assert_allclose(start.root[0, [0, 2]], [2.0, -1.0], atol=1e-12)
    forward = quaternion.rotate(start.ball("root")[0], np.array([0.0, 0.0, 1.0]))
    assert np.arctan2(forward[0], forward[2]) == pytest.approx(0.5)
    t = np.linspace(0.0, 3.0, 9)
    before, after = FIGURE.forward(motion.at(t))[0], FIGURE.forward(placed.at(t))[0]
    np.testing.assert_allclose(
        np.linalg.norm(before[:, None] - before[None], axis=-1), np.linalg.norm(after[:, None] - after[None], axis=-1)
    )
    assert sg.move_to(motion).at(0.0).root[0, [0, 2]] == pytest.approx([0, 0])


def test_insert_and_delete_are_inverse() -> None:
    motion, other = whole(1), sg.trim(whole(2), 0.5, 1.25)
    longer = sg.insert(motion, 2.0, other)
    assert longer.duration == pytest.approx(motion.duration + 0.75)
    assert not sg.gaps(longer)
    assert not sg.conflicts(longer)
    back = sg.delete(longer, 2.0, 2.75)
    t = np.linspace(0.1, motion.stop - 0.1, 23)
    np.testing.assert_allclose(back.at(t).hinges, motion.at(t).hinges, atol=1e-12)
    np.testing.assert_allclose(longer.at(2.25).hinges, other.at(0.25).hinges, atol=1e-12)


def test_concatenation_leaves_just_the_gap_it_was_asked_for() -> None:
    a, b = whole(1), whole(2)
    assert not sg.gaps(sg.concatenate(a, b))
    (gap,) = sg.gaps(sg.concatenate(a, b, gap=0.6))
    assert gap.stop - gap.start == pytest.approx(0.6)
    assert gap.tracks == tuple(TRACKS)


def nested(motion: sg.Motion, depth: int) -> sg.Motion:
    for k in range(depth // 4):
        motion = sg.retime(motion, motion.start + (0.3 if k % 2 else -0.3))
        motion = sg.mirror(sg.mirror(motion))
        motion = sg.trim(motion, motion.start - 1.0, motion.stop + 1.0, keep_time=True)
    return motion


def test_a_thousand_operators_stay_exact() -> None:
    motion = whole(5)
    deep = nested(motion, 1000)
    t = np.linspace(0.1, 3.8, 50)
    shift = deep.start - motion.start
    assert shift == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(deep.at(t).hinges, motion.at(t).hinges, atol=1e-12)
    np.testing.assert_allclose(deep.at(t).root, motion.at(t).root, atol=1e-12)


def test_nesting_costs_nothing_at_evaluation() -> None:
    """What is evaluated is one function however deep the expression: count, do not time."""
    deep = nested(whole(6), 400)
    function = deep.tracks["neck"].intervals[0].functions[0]
    assert isinstance(function, Piece)
    assert len(deep.tracks["neck"].intervals) == 1


def test_cutting_and_joining_many_times_grows_linearly() -> None:
    motion = whole(7)
    pieces = [sg.trim(motion, k * 0.01, k * 0.01 + 0.01) for k in range(300)]
    joined = pieces[0]
    for part in pieces[1:]:
        joined = sg.concatenate(joined, part)
    assert all(len(track.intervals) == 300 for track in joined.tracks.values())
    assert not sg.gaps(joined)
    t = np.linspace(0.0, 2.99, 400)
    np.testing.assert_allclose(joined.at(t).hinges, motion.at(t).hinges, atol=1e-9)


def test_untouched_frames_survive_any_chain() -> None:
    source = sg.Motion.from_clip(figure_clip(FIGURE, smooth_poses(FIGURE, 121, 8), 60.0))
    other = sg.Motion.from_clip(figure_clip(FIGURE, smooth_poses(FIGURE, 61, 9), 60.0))
    raw, raw_other = source.to_clip(), other.to_clip()
    chain = sg.concatenate(sg.trim(source, 0.25, 1.25), sg.retime(other, 7.0))
    chain = sg.override(sg.only(chain, "whole_body"), sg.retime(source, 30.0))
    written = sg.trim(chain, 0.0, 1.9).to_clip()
    np.testing.assert_array_equal(written.rotations[:60], raw.rotations[15:75])
    np.testing.assert_array_equal(written.positions[:60], raw.positions[15:75])
    np.testing.assert_array_equal(np.abs(written.rotations[60:]), np.abs(raw_other.rotations[: len(written) - 60]))
    moved = sg.move_to(source, at=(5.0, 5.0), heading=2.0).to_clip()
    inner = np.arange(1, len(raw.names))
    np.testing.assert_array_equal(moved.rotations[:, inner], raw.rotations[:, inner])
    np.testing.assert_array_equal(moved.positions[:, inner], raw.positions[:, inner])
    apart = moved.world[0][:, 5] - moved.world[0][:, 12]
    np.testing.assert_allclose(
        np.linalg.norm(apart, axis=1), np.linalg.norm(raw.world[0][:, 5] - raw.world[0][:, 12], axis=1)
    )


def test_an_arm_from_another_take_leaves_the_rest_of_the_body_alone() -> None:
    body = sg.Motion.from_clip(figure_clip(FIGURE, smooth_poses(FIGURE, 121, 10), 60.0))
    arm = sg.only(sg.Motion.from_clip(figure_clip(FIGURE, smooth_poses(FIGURE, 121, 11), 60.0)), "left_arm")
    mixed, plain, other = sg.override(arm, body).to_clip(), body.to_clip(), arm.clip_source.clip
    turned = np.degrees(quaternion.angle_between(mixed.rotations, plain.rotations)).max(axis=0)
    arm_joints = [j for j, name in enumerate(mixed.names) if name.startswith("left_") and j < 7]
    others = np.setdiff1d(np.arange(len(mixed.names)), arm_joints)
    assert turned[others].max() < 0.1
    assert turned[arm_joints].max() > 20
    likeness = np.degrees(quaternion.angle_between(mixed.rotations, other.rotations))[:, arm_joints[1:]]
    assert np.median(likeness) < 5


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda m: sg.retime(m, 0.0, -1.0), "positive"),
        (lambda m: sg.retime(m, float("nan")), "start is nan: a number is needed"),
        (lambda m: sg.retime(m, 0.0, 2.0, duration=3.0), "not both"),
        (lambda m: sg.retime(m, "soon"), "number"),
        (lambda m: sg.retime(m - m, 0.0, duration=1.0), "defines nothing"),
        (lambda m: sg.trim(m, 2.0, 1.0), "after the start"),
        (lambda m: sg.trim(m, 20.0, 30.0), "outside the motion"),
        (lambda m: sg.only(m, "left_wing"), "no joint or group 'left_wing'"),
        (lambda m: sg.only(m, "left_elbo"), "did you mean left_elbow"),
        (lambda m: sg.only(sg.only(m, "neck"), "left_arm"), "defines none"),
        (lambda m: sg.concatenate(m, m, gap=-1.0), "negative"),
        (lambda m: sg.insert(m, 99.0, m), "outside the motion"),
        (lambda m: sg.delete(m, -1.0, 99.0), "nothing of the motion"),
        (lambda m: sg.move_to(m, at=(1.0, 2.0, 3.0)), "two numbers"),
        (lambda m: sg.move_to(sg.only(m, "neck")), "root position is undefined"),
        (lambda m: m.sample("left_elbow", 0.5), "no track 'left_elbow'"),
        (lambda m: m.sample(ELBOW, float("nan")), "not a time"),
        (lambda m: sg.only(m, "neck").to_clip(), "undefined|says nothing"),
        (lambda m: sg.Interval(1.0, 1.0, ()), "empty"),
    ],
)
def test_what_makes_no_sense_is_said_so(make, word: str) -> None:
    with pytest.raises(sg.ArgumentError, match=word):
        make(whole(1))


def test_groups_and_joints_name_tracks() -> None:
    assert tracks_of("root") == ("root_position", "root")
    assert tracks_of(["left_elbow", "neck"]) == ("neck", "left_elbow_flexion", "left_forearm_pronation")
    assert len(tracks_of("whole_body")) == len(TRACKS) == 28


def test_operators_do_not_touch_their_operands() -> None:
    motion = whole(1)
    before = dict(motion.tracks)
    combined = sg.mirror(sg.reverse(sg.retime(motion, 3.0))) + motion - sg.trim(motion, 1.0, 2.0)
    assert combined.tracks != motion.tracks
    assert dict(motion.tracks) == before
