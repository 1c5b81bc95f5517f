"""Cycles that last, and what may be done with them before."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.cycle import loop_of, make_loop, repeat
from segue.errors import ArgumentError
from segue.motion.motion import Motion, gaps

WALK = make_loop(sg.clips.walk)


def same(a: Motion, b: Motion, at: np.ndarray, of: np.ndarray) -> bool:
    """Whether two motions are in the same poses at their own times."""
    one, other = a.at(at), b.at(of)
    return bool(
        np.allclose(one.root, other.root, atol=1e-9)
        and quaternion.angle_between(one.balls, other.balls).max() < 1e-6
        and np.allclose(one.hinges, other.hinges, atol=1e-9)
    )


@pytest.mark.parametrize("count", [0.25, 1.0, 2.5, 20.0])
def test_counts_may_be_fractions(count: float) -> None:
    assert repeat(WALK, count).duration == pytest.approx(count * WALK.duration)


def test_durations() -> None:
    assert repeat(WALK, duration=7.3).stop == pytest.approx(7.3)


def test_a_phase_begins_later_in_the_cycle() -> None:
    late, whole = repeat(WALK, 2, phase=0.25), repeat(WALK, 3)
    times = np.linspace(0.0, 2 * WALK.duration, 50)
    assert same(late, whole, times, times + 0.25 * WALK.duration)


def test_affine_keeps_the_phase() -> None:
    slow = repeat(sg.retime(WALK, 2.0, 1.5), 2)
    times = np.linspace(0.0, 2 * WALK.duration, 50)
    assert same(slow, repeat(WALK, 2), 2.0 + 1.5 * times, times)


def test_moved_and_mirrored_cycles_repeat() -> None:
    for change in (lambda m: sg.move_to(m, (3.0, 1.0), heading=1.0), sg.mirror):
        times = np.linspace(0.0, 2.9 * WALK.duration, 50)
        assert same(repeat(change(WALK), 3), change(repeat(WALK, 3)), times, times)


def test_what_is_repeated_can_be_repeated() -> None:
    times = np.linspace(0.0, 6 * WALK.duration, 50)
    assert same(repeat(repeat(WALK, 2), 3), repeat(WALK, 6), times, times)


def test_a_cycle_backwards_is_a_cycle() -> None:
    back = repeat(sg.reverse(WALK), 2)
    times = np.linspace(0.0, WALK.duration, 40)
    assert same(back, WALK, times, WALK.duration - times)


def test_a_cycle_is_a_motion_like_any_other() -> None:
    walk = repeat(WALK, 3)
    assert not gaps(walk)
    without = walk - sg.retime(sg.only(sg.clips.wave, "left_arm"), 1.0, duration=0.5)
    assert gaps(without)[0].start == pytest.approx(1.0)
    joined = sg.concatenate(sg.clips.stand, walk)
    assert joined.to_clip().fps == walk.fps
    assert len(sg.trim(walk, 1.0, 2.0)) == 61


def test_a_cycle_is_entered_and_left_at_a_phase() -> None:
    walk = repeat(WALK, 2, phase=0.5)
    for joined in (sg.transition(sg.clips.stand, walk, 0.5), sg.transition(walk, sg.clips.kick, 0.5)):
        assert not gaps(joined)
        assert np.isfinite(joined.to_clip().positions).all()
    start = sg.transition(sg.clips.stand, walk, 0.5)
    last = start.sample("left_knee_flexion", start.stop).value
    assert last == pytest.approx(walk.sample("left_knee_flexion", walk.stop).value)


def test_the_users_skeleton_keeps_its_bones() -> None:
    clip = repeat(WALK, 2).to_clip()
    source = sg.clips.walk.to_clip()
    assert clip.names == source.names
    assert np.allclose(clip.positions[:, 1:], source.positions[:1, 1:], atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "either a count or a duration"),
        ({"count": 2, "duration": 3}, "not both"),
        ({"count": 0}, "count is 0"),
        ({"count": float("nan")}, "count is nan"),
        ({"count": "often"}, "count is 'often': a positive number is needed"),
        ({"duration": -1}, "duration is -1"),
        ({"count": 2, "phase": float("inf")}, "phase is inf"),
    ],
)
def test_bad_numbers(arguments: dict[str, float], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        repeat(WALK, **arguments)


def test_only_cycles_repeat() -> None:
    with pytest.raises(ArgumentError, match="no cycle"):
        repeat(sg.clips.walk, 2)
    with pytest.raises(ArgumentError, match=r"1\.5 periods"):
        repeat(repeat(WALK, 1.5), 2)
    with pytest.raises(ArgumentError, match="left shoulder is undefined in a part of the cycle"):
        repeat(WALK - sg.retime(sg.only(sg.clips.wave, "left_arm"), 0.3, duration=0.3), 2)
    with pytest.raises(ArgumentError, match="no cycle"):
        loop_of(WALK + sg.retime(sg.clips.stand, 5.0))
