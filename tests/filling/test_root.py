"""The root's path: the blend of velocities in exact fractions, placement by it, and flight."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import segue as sg
from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.filling import velocity_blend
from segue.filling.root import RootHeading, free_placement
from segue.typing import Array
from tests.mocap import mocap_file, needs_mocap

GRAVITY = 9.81
numbers = st.floats(-5, 5)
vectors = st.lists(numbers, min_size=2, max_size=2).map(np.array)


def exact_blend(start: Fraction, first: Fraction, last: Fraction, begin: int, end: int) -> list[Fraction]:
    """Return the polynomial in t itself, lowest power first, of the integral from `begin` on, by exact integration."""
    slope = (last - first) / (end - begin)
    # v(s) = first + slope (s - begin), integrated from begin to t
    constant = start - first * begin + slope * Fraction(begin * begin, 2)
    return [constant, first - slope * begin, slope / 2]


def shifted(coefficients: Array, begin: float) -> Array:
    """Return a polynomial of t - begin as one of t."""
    a, b, c = coefficients
    return np.array([a - b * begin + c * begin**2, b - 2 * c * begin, c])


def test_the_worked_example_of_the_discussion() -> None:
    """Section 5.1: v(0) = (1, 1/2), v(10) = (-1/2, -1/2), v(15) = (0, 1), from the origin.

    Printed for t in [10, 15] is y = -7/20 t + ..., which misses (10, 0) by 31.5 m; the integral gives -7/2 t.
    """
    half = Fraction(1, 2)
    speeds = {0: (Fraction(1), half), 10: (-half, -half), 15: (Fraction(0), Fraction(1))}
    pieces, place = [], (Fraction(0), Fraction(0))
    for begin, end in ((0, 10), (10, 15)):
        piece = [exact_blend(place[k], speeds[begin][k], speeds[end][k], begin, end) for k in range(2)]
        place = tuple(sum(c * Fraction(end) ** p for p, c in enumerate(axis)) for axis in piece)  # type: ignore[assignment]
        pieces.append(piece)
    printed = [
        [[Fraction(0), Fraction(1), Fraction(-3, 40)], [Fraction(0), half, Fraction(-1, 20)]],
        [[Fraction(25, 2), Fraction(-3, 2), Fraction(1, 20)], [Fraction(20), Fraction(-7, 2), Fraction(3, 20)]],
    ]
    assert pieces == printed
    start = np.zeros(2)
    for (begin, end), piece in zip(((0, 10), (10, 15)), pieces, strict=True):
        first, last = (np.array([float(v) for v in speeds[t]]) for t in (begin, end))
        ours = velocity_blend(start, first, last, float(end - begin))
        np.testing.assert_allclose(shifted(ours, begin).T, np.array(piece, dtype=float), rtol=1e-13, atol=1e-12)
        start = ours[0] + (end - begin) * (ours[1] + (end - begin) * ours[2])
    np.testing.assert_allclose(start, [1.25, 1.25], rtol=1e-13)


@given(vectors, vectors, vectors, st.floats(0.05, 20))
def test_the_blend_is_the_integral_of_velocities(start: Array, first: Array, last: Array, duration: float) -> None:
    a, b, c = velocity_blend(start, first, last, duration)
    np.testing.assert_allclose(b, first)
    np.testing.assert_allclose(b + 2 * c * duration, last, atol=1e-9)
    for axis in range(2):
        whole, _ = quad(lambda s, k=axis: first[k] * (1 - s / duration) + last[k] * s / duration, 0.0, duration)
        assert start[axis] + whole == pytest.approx((a + duration * (b + duration * c))[axis], abs=1e-9)


@given(vectors, vectors, vectors, st.floats(0.1, 10), st.floats(0.1, 0.9))
def test_a_blend_cut_in_two_is_the_same_path(start: Array, first: Array, last: Array, span: float, at: float) -> None:
    whole = velocity_blend(start, first, last, span)
    cut = at * span
    middle = whole[0] + cut * (whole[1] + cut * whole[2])
    speed = whole[1] + 2 * cut * whole[2]
    rest = velocity_blend(middle, speed, last, span - cut)
    end = whole[0] + span * (whole[1] + span * whole[2])
    np.testing.assert_allclose(rest[0] + (span - cut) * (rest[1] + (span - cut) * rest[2]), end, atol=1e-9)


def heading(motion: sg.Motion, time: float) -> float:
    forward = quaternion.rotate(motion.at([time]).ball("root"), np.array([0.0, 0.0, 1.0]))[0]
    return float(np.arctan2(forward[0], forward[2]))


def turn_between(a: float, b: float) -> float:
    return float(np.angle(np.exp(1j * (b - a))))


@pytest.mark.parametrize(("a", "b"), [("walk", "run"), ("run", "stand"), ("stand", "walk"), ("wave", "kick")])
@pytest.mark.parametrize("duration", [0.3, 0.9])
def test_free_placement_is_what_the_integral_says(a: str, b: str, duration: float) -> None:
    first, second = sg.clips.motion(a), sg.move_to(sg.clips.motion(b), (3.0, -2.0), 1.3)
    whole = sg.transition(first, second, duration, leave="end", enter="start", prior="none")
    leave, enter = first.stop, first.stop + duration
    ends = whole.state([leave, enter]).root
    mean = 0.5 * (ends.velocity[0] + ends.velocity[1])
    np.testing.assert_allclose((ends.value[1] - ends.value[0])[[0, 2]], duration * mean[[0, 2]], atol=1e-9)
    before, after = RootHeading.before(first, leave), RootHeading.after(whole, enter)
    turned = turn_between(before.heading, after.heading)
    assert turned == pytest.approx(0.5 * duration * (before.turning + after.turning), abs=1e-9)


def test_free_placement_does_not_care_where_the_second_motion_stood() -> None:
    walk, wave = sg.clips.walk, sg.clips.wave
    here, there = sg.transition(walk, wave), sg.transition(walk, sg.move_to(wave, (5.0, -7.0), 2.0))
    for time in np.linspace(walk.stop, here.stop, 9):
        np.testing.assert_allclose(here.at([time]).root, there.at([time]).root, atol=1e-6)
        assert abs(turn_between(heading(here, time), heading(there, time))) < 1e-6


def test_the_path_between_blended_velocities_is_the_blend() -> None:
    run, walk = sg.clips.run, sg.clips.walk
    whole = sg.transition(run, walk, 0.6, leave="end", enter="start", prior="none")
    times = np.linspace(0.0, 0.6, 25)
    ends = whole.state([run.stop, run.stop + 0.6]).root
    a, b, c = velocity_blend(ends.value[0], ends.velocity[0], ends.velocity[1], 0.6)
    path = a + times[:, None] * (b + times[:, None] * c)
    np.testing.assert_allclose(whole.at(run.stop + times).root[:, [0, 2]], path[:, [0, 2]], atol=1e-9)


def course(motion: sg.Motion, start: float, stop: float) -> float:
    """Return the direction of travel between two times."""
    went = np.diff(motion.at([start, stop]).root, axis=0)[0]
    return float(np.arctan2(went[0], went[2]))


def bend(motion: sg.Motion, start: float, stop: float, duration: float, seconds: float = 2.0) -> float:
    """Return by how much the ways before and after a transition differ, in rad."""
    enter = start + duration
    before = course(motion, max(start - seconds, motion.start), start)
    return turn_between(before, course(motion, enter, min(enter + seconds, stop)))


@pytest.mark.parametrize("duration", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("names", [("walk", "walk"), ("walk", "run"), ("run", "walk"), ("run", "run")])
def test_a_straight_walk_goes_on_straight(names: tuple[str, str], duration: float) -> None:
    first, second = (sg.clips.motion(name) for name in names)
    whole = sg.transition(first, second, duration, leave="end", enter="start")
    assert abs(bend(whole, first.stop, whole.stop, duration)) < np.radians(3.0)


@settings(max_examples=20)
@given(st.floats(1.6, 3.2), st.floats(0.0, 1.6), st.floats(-3.0, 3.0))
def test_it_does_not_matter_in_which_step_a_walk_is_left(leave: float, enter: float, turn: float) -> None:
    walk = sg.clips.walk
    placed = sg.move_to(walk, (1.0, 2.0), turn)
    move = free_placement(RootHeading.before(walk, leave), RootHeading.after(placed, enter), 0.5)
    after = course(placed, 0.0, placed.stop) + move.turn
    assert abs(turn_between(course(walk, 0.0, walk.stop), after)) < np.radians(3.0)


def turning_walk(rate: float, seconds: float = 3.2) -> sg.Motion:
    """Return the walk on a circle: it turns by `rate` rad/s to the left, in what it faces and where it goes."""
    walk = sg.clips.walk
    times = np.arange(round(seconds * walk.fps) + 1) / walk.fps
    poses = walk.at(np.minimum(times, walk.stop))
    about = quaternion.exp(np.outer(rate * times, [0.0, 1.0, 0.0]))
    root = poses.root.copy()
    steps = quaternion.rotate(about[:-1], np.diff(poses.root, axis=0))
    root[1:] = root[0] + np.cumsum(steps, axis=0)
    balls = poses.balls.copy()
    balls[:, 0] = quaternion.multiply(about, balls[:, 0])
    return sg.Motion.from_poses(walk.figure, Poses(root, balls, poses.hinges), walk.fps)


@pytest.mark.parametrize("rate", [-1.2, -0.8, 0.8, 1.2])
def test_a_turning_walk_keeps_turning(rate: float) -> None:
    """The way before a transition and the way after it lie 1.5 s apart on the circle."""
    turning = turning_walk(rate)
    whole = sg.transition(turning, turning, 0.5, leave="end", enter="start")
    turned = bend(whole, turning.stop, whole.stop, 0.5, seconds=1.0)
    assert 0.8 < turned / (1.5 * rate) < 1.1


def test_a_course_is_the_way_gone_not_the_way_the_pelvis_swings() -> None:
    walk = sg.move_to(sg.clips.walk, (0.0, 0.0), 1.0)
    straight = course(walk, 0.0, walk.stop)
    for at in np.linspace(1.6, 3.0, 8):
        assert abs(turn_between(RootHeading.before(walk, at).heading, straight)) < np.radians(1.0)
        assert abs(RootHeading.before(walk, at).turning) < 0.02


def test_who_walks_backwards_goes_on_facing_the_same_way() -> None:
    back, stand = sg.reverse(sg.clips.walk), sg.clips.stand
    for first, second in ((back, stand), (stand, back), (back, back)):
        whole = sg.transition(first, second, 0.6, leave="end", enter="start")
        facing = [heading(whole, first.stop), heading(whole, first.stop + 0.6)]
        assert abs(turn_between(*facing)) < np.radians(20.0), "the pelvis swings by so much"


def test_a_course_of_what_is_short_or_broken() -> None:
    walk, stand = sg.clips.walk, sg.clips.stand
    assert RootHeading.before(walk, walk.start).turning == 0.0
    assert RootHeading.after(stand, stand.stop).heading == pytest.approx(heading(stand, stand.stop))
    near_a_gap = sg.trim(walk, 0.0, 1.0, keep_time=True) + sg.trim(walk, 1.3, walk.stop, keep_time=True)
    assert RootHeading.before(near_a_gap, 1.5).heading == pytest.approx(heading(walk, 1.5))


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(("a", "b"), [("walk_07_01", "walk_07_01"), ("walk_07_01", "walk_brisk_07_12")])
def test_a_straight_walk_of_a_person_goes_on_straight(a: str, b: str) -> None:
    first, second = sg.load(mocap_file(a)), sg.load(mocap_file(b))
    whole = sg.transition(first, second, 0.5, leave=2.2, enter=0.2)
    assert abs(bend(whole, 2.2, whole.stop, 0.5, seconds=1.5)) < np.radians(3.0)


@needs_mocap
@pytest.mark.mocap
def test_a_person_who_turns_keeps_turning() -> None:
    turning, walk = sg.load(mocap_file("walk_turn_left_16_27")), sg.load(mocap_file("walk_07_01"))
    before = course(turning, 0.3, 1.0)
    for leave, least in ((1.3, 30.0), (1.4, 45.0), (1.5, 55.0)):
        whole = sg.transition(turning, walk, 0.5, leave=leave, enter=0.3)
        assert np.radians(least) < turn_between(before, course(whole, leave + 0.5, leave + 1.5)) < np.radians(90.0)


@settings(max_examples=8)
@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(-2.5, 2.5))
def test_pinned_ends_stand_where_they_are(x: float, z: float, turn: float) -> None:
    stand, wave = sg.clips.stand, sg.move_to(sg.clips.wave, (x, z), turn)
    whole = sg.transition(stand, wave, 0.8, mode="pinned", leave="end", enter="start")
    np.testing.assert_allclose(whole.at([stand.stop]).root, stand.at([stand.stop]).root, atol=1e-12)
    late = np.linspace(0.0, wave.duration - 0.01, 7)
    np.testing.assert_allclose(whole.at(stand.stop + 0.8 + late).root, wave.at(late).root, atol=1e-12)
    gap = whole.state(np.array([stand.stop + 1e-7, stand.stop + 0.8 - 1e-7])).root
    beside = whole.state(np.array([stand.stop - 1e-7, stand.stop + 0.8 + 1e-7])).root
    np.testing.assert_allclose(gap.velocity, beside.velocity, atol=1e-4)


def leap(duration: float = 1.6, fps: float = 120.0) -> sg.Motion:
    """Return a leap in free fall: the standing pose thrown up at 3 m/s at 0.5 s, with legs drawn up in the air."""
    figure = Figure.standard(1.75)
    times = np.arange(round(duration * fps) + 1) / fps
    stand = sg.clips.stand.at([0.0])
    air = np.clip(times - 0.5, 0.0, 2 * 3.0 / GRAVITY)
    root = np.repeat(stand.root, len(times), axis=0)
    root[:, 1] += 3.0 * air - 0.5 * GRAVITY * air**2
    root[:, 2] += 1.5 * air
    hinges = np.repeat(stand.hinges, len(times), axis=0)
    return sg.Motion.from_poses(figure, Poses(root, np.repeat(stand.balls, len(times), axis=0), hinges), fps)


def test_a_leap_cut_in_the_air_falls_freely() -> None:
    jump = leap()
    filled = sg.fill_gaps(hole(jump, 0.7, 0.9))
    times = np.linspace(0.7, 0.9, 21)
    np.testing.assert_allclose(filled.at(times).root[:, 1], jump.at(times).root[:, 1], atol=2e-3)
    rise = filled.state(times[3:-3]).root.acceleration[:, 1]
    assert np.abs(rise + GRAVITY).max() < 0.3


def hole(motion: sg.Motion, start: float, stop: float) -> sg.Motion:
    return sg.trim(motion, motion.start, start, keep_time=True) + sg.trim(motion, stop, motion.stop, keep_time=True)


def test_a_walk_cut_in_the_middle_keeps_its_height() -> None:
    walk = sg.clips.walk
    filled = sg.fill_gaps(hole(walk, 1.0, 1.4))
    times = np.linspace(1.0, 1.4, 21)
    assert np.abs(filled.at(times).root[:, 1] - walk.at(times).root[:, 1]).max() < 0.04


@given(st.floats(-3, 3), st.floats(0.2, 1.0))
def test_placement_is_a_rigid_move_that_keeps_velocities(turn: float, duration: float) -> None:
    assume(abs(turn) > 1e-3)
    walk = sg.move_to(sg.clips.walk, (1.0, 2.0), turn)
    before, after = RootHeading.before(sg.clips.run, 0.5), RootHeading.after(walk, 0.7)
    move = free_placement(before, after, duration)
    speed = np.hypot(*after.velocity[[0, 2]])
    moved = quaternion.rotate(move.rotation, after.velocity)
    assert np.hypot(moved[0], moved[2]) == pytest.approx(speed)
    assert moved[1] == pytest.approx(after.velocity[1])


@given(st.floats(0.5, 2.0), st.floats(0.2, 1.0))
def test_placement_at_another_scale_shrinks_paths_and_their_speeds(scale: float, duration: float) -> None:
    before, after = RootHeading.before(sg.clips.run, 0.5), RootHeading.after(sg.clips.walk, 0.7)
    move = free_placement(before, after, duration, scale)
    moving = scale * quaternion.rotate(move.rotation, after.velocity)
    reached = before.place + 0.5 * duration * (before.velocity + moving)
    np.testing.assert_allclose(move.moved(after.place)[[0, 2]], reached[[0, 2]], atol=1e-9)
