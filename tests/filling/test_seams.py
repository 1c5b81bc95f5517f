"""Seams of transitions on the user's own skeleton: exact in value, continuous in velocity; all else untouched."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import segue as sg
from segue.body.figure import FEET
from segue.curves import quaternion
from segue.filling.placing import size_ratio
from segue.motion.resample import select_frames
from segue.typing import Array, Flags
from tests.mocap import mocap_file, needs_mocap, smooth_joints

PAIRS = [
    ("walk_07_01", "run_09_01"),
    ("jog_16_35", "walk_69_02"),
    ("salsa_60_01", "walk_turn_left_16_27"),
    ("soccer_kick_10_01", "soccer_kick_10_03"),
    ("jump_13_39", "wave_hello_141_16"),
    ("dance1_subject1", "walk4_subject1"),
]


@lru_cache(maxsize=16)
def short(name: str) -> sg.Motion:
    """Return two seconds of a clip."""
    motion = sg.load(mocap_file(name))
    first = round(min(motion.duration / 3, 10.0) * motion.fps)
    last = min(first + round(2 * motion.fps), len(motion) - 1)
    return sg.Motion.from_clip(select_frames(motion.clip_source.clip, first, last))


def check_seam(motion: sg.Motion, seam: float, fine: float = 1e5, smooth: tuple[Flags, ...] | None = None) -> None:
    """Compare both sides of a seam in every joint of the skeleton; the seam must be a multiple of 10 us.

    smooth: which joints' turns and places are compared; captured frames that jitter are met at a smoothed velocity.
    """
    seam = round(seam, 5)
    clip = motion.to_clip(fine, start=seam - 2.5 / fine, stop=seam + 2.5 / fine)
    assert len(clip) == 5
    scale = motion.clip_source.space.scale
    places = clip.world[0] * scale
    turns = quaternion.log(quaternion.multiply(clip.rotations, quaternion.conjugate(clip.rotations[2:3])))
    chosen = smooth or (np.ones(len(clip.names), bool),) * 2
    for what, values, least, own in (("turn", turns, 0.02, chosen[0]), ("place", places, 0.005, chosen[1])):
        left = (3 * values[2] - 4 * values[1] + values[0]) * 0.5 * fine
        right = (4 * values[3] - 3 * values[2] - values[4]) * 0.5 * fine
        jump, speed = np.linalg.norm(right - left, axis=1), np.linalg.norm(left, axis=1)
        jump = np.where(own, jump, 0.0)
        worst = int(np.argmax(jump / (speed + least)))
        assert jump[worst] <= 0.01 * (speed[worst] + least), f"{what} of {clip.names[worst]} at {seam:g} s"


def check_transition(first: sg.Motion, second: sg.Motion, duration: float, leave: float, enter: float) -> None:
    whole = sg.transition(first, second, duration, leave=leave, enter=enter)
    sides = ((first, leave, leave, -1), (second, enter, leave + duration, 1))
    for motion, own, seam, towards in sides:
        smooth = smooth_joints(
            motion.clip_source.clip, round(own * motion.fps), towards, motion.clip_source.space.scale
        )
        assert smooth[0].mean() > 0.3
        check_seam(whole, seam, smooth=smooth)
    source, made = first.clip_source.clip, whole.to_clip()
    kept = int(np.floor(leave * first.fps + 1e-6))
    np.testing.assert_allclose(made.rotations[kept], source.rotations[kept], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(made.rotations[:kept], source.rotations[:kept])
    np.testing.assert_array_equal(made.positions[:kept], source.positions[:kept])


def on_frame(motion: sg.Motion, part: float) -> float:
    return round(part * motion.duration * motion.fps) / motion.fps


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_seams_do_not_show_on_real_clips(a: str, b: str) -> None:
    rng = np.random.default_rng(len(a) * 31 + len(b))
    first, second = short(a), short(b)
    leave, enter = on_frame(first, rng.uniform(0.3, 0.9)), on_frame(second, rng.uniform(0.1, 0.6))
    check_transition(first, second, round(float(rng.uniform(0.2, 1.0)), 2), leave, enter)


@needs_mocap
@pytest.mark.mocap
def test_frames_of_the_second_clip_are_its_own_when_it_may_not_be_moved() -> None:
    motion = short("walk_07_01")
    early, late = on_frame(motion, 0.3), on_frame(motion, 0.6)
    whole = sg.fill_gaps(
        sg.trim(motion, 0.0, early, keep_time=True) + sg.trim(motion, late, motion.stop, keep_time=True)
    )
    frames = np.arange(len(motion))
    kept = (frames < round(early * motion.fps)) | (frames >= round(late * motion.fps))
    made, source = whole.to_clip(), motion.clip_source.clip
    np.testing.assert_array_equal(made.rotations[kept], source.rotations[kept])
    np.testing.assert_array_equal(made.positions[kept], source.positions[kept])
    assert not np.array_equal(made.rotations[~kept], source.rotations[~kept])


@pytest.mark.parametrize("leave", [1.0, 1.0042])
def test_a_transition_may_begin_between_frames(leave: float) -> None:
    whole = sg.transition(sg.clips.walk, sg.clips.wave, 0.5, leave=leave, enter=0.777)
    for seam in (leave, leave + 0.5):
        check_seam(whole, seam)


def changed(name: str) -> sg.Motion:
    walk = sg.clips.walk
    return {
        "mirrored": sg.mirror(walk),
        "reversed": sg.reverse(walk),
        "stretched": sg.retime(walk, 0.0, 1.7),
        "hurried": sg.retime(walk, 5.0, 0.6),
        "placed": sg.move_to(walk, (4.0, 1.0), 2.0),
        "backwards in a mirror": sg.mirror(sg.reverse(walk)),
    }[name]


@pytest.mark.parametrize("name", ["mirrored", "reversed", "stretched", "hurried", "placed", "backwards in a mirror"])
@pytest.mark.parametrize("order", ["first", "second"])
def test_neighbours_that_operators_have_changed(name: str, order: str) -> None:
    other, kick = changed(name), sg.clips.kick
    first, second = (other, kick) if order == "first" else (kick, other)
    whole = sg.transition(first, second, 0.5, leave="end", enter="start")
    assert whole.duration == pytest.approx(first.duration + 0.5 + second.duration)
    for seam in (first.stop, first.stop + 0.5):
        check_figure_seam(whole, seam)
    assert np.isfinite(whole.to_clip().rotations).all()


def check_figure_seam(motion: sg.Motion, seam: float) -> None:
    """Compare both sides of a seam in every track of the figure."""
    tiny = 1e-7
    before, after = (motion.state([seam - tiny]), motion.state([seam + tiny]))
    np.testing.assert_allclose(before.root.value, after.root.value, atol=1e-5)
    np.testing.assert_allclose(before.root.velocity, after.root.velocity, atol=1e-3)
    assert quaternion.angle_between(before.balls.value, after.balls.value).max() < 1e-5
    np.testing.assert_allclose(before.balls.velocity, after.balls.velocity, atol=2e-3)
    np.testing.assert_allclose(before.hinges.value, after.hinges.value, atol=1e-5)
    np.testing.assert_allclose(before.hinges.velocity, after.hinges.velocity, atol=2e-3)


def test_six_motions_in_a_row() -> None:
    names = ["walk", "run", "kick", "stand", "wave", "salute"]
    whole, seams = sg.clips.motion(names[0]), []
    for name in names[1:]:
        seams += [whole.stop, whole.stop + 0.4]
        whole = sg.transition(whole, sg.clips.motion(name), 0.4, leave="end", enter="start")
    for seam in seams:
        check_figure_seam(whole, seam)
        check_seam(whole, seam)
    assert len(whole.fills) == 5
    assert whole.duration == pytest.approx(sum(sg.clips.motion(name).duration for name in names) + 5 * 0.4)
    assert not sg.gaps(whole)
    assert not sg.conflicts(whole)


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(("a", "b"), [("walk_07_01", "dance1_subject1"), ("walk4_subject1", "run_09_01")])
def test_from_one_person_to_another(a: str, b: str) -> None:
    """The motion is written on the first one's skeleton, whoever moves."""
    first, second = short(a), short(b)
    whole = sg.transition(first, second, 0.6, leave="end", enter="start", prior="none")
    clip = whole.to_clip()
    assert clip.names == first.clip_source.clip.names
    assert whole.figure is first.figure
    for motion, own, seam, towards in ((first, first.stop, first.stop, -1), (second, 0.0, first.stop + 0.6, 1)):
        smooth = smooth_joints(
            motion.clip_source.clip, round(own * motion.fps), towards, motion.clip_source.space.scale
        )
        if all(flags.all() for flags in smooth):
            check_figure_seam(whole, seam)
        if motion is first:
            check_seam(whole, seam, smooth=smooth)
    assert np.isfinite(clip.rotations).all()
    assert np.isfinite(clip.positions).all()


def lowest_foot(motion: sg.Motion, times: Array) -> Array:
    """Return the height (T,) in m of the lowest point under the feet."""
    poses = motion.at(times)
    heights: Array = np.min([motion.figure.point(name, poses)[:, 1] for name in FEET], axis=0)
    return heights


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("mode", ["free", "pinned"])
@pytest.mark.parametrize(("a", "b"), [("walk_07_01", "walk_69_02"), ("walk_69_02", "walk_07_01")])
def test_persons_of_another_size_walk_on_the_floor(a: str, b: str, mode: str) -> None:
    """Their legs differ by 8 cm: what the second one's feet do above the floor, the first one's do."""
    first, second = sg.load(mocap_file(a)), sg.load(mocap_file(b))
    scale = size_ratio(first.figure, second.figure)
    assert abs(scale - 1.0) > 0.05
    leave, enter, duration = 1.8, 0.4, 0.5
    whole = sg.transition(first, second, duration, leave=leave, enter=enter, mode=mode)
    times = np.arange(enter, second.stop, 1 / 60)
    ours = lowest_foot(whole, times + leave + duration - enter)
    own_height = lowest_foot(second, times)
    assert np.abs(ours - ours.min() - scale * (own_height - own_height.min())).max() < 0.02
    assert abs(ours.min() - own_height.min()) < 0.01
    # capture itself is not better: soles of either clip sink in by 2 cm
    assert abs(ours.min() - lowest_foot(first, np.arange(0.0, leave, 1 / 60)).min()) < 0.02
    clip = whole.to_clip()
    lowest = clip.world[0][:, :, 1].min(axis=1) * whole.clip_source.space.scale
    seam = round((leave + duration) * clip.fps)
    assert abs(lowest[seam:].min() - lowest[: round(leave * clip.fps)].min()) < 0.02
    went, own = (
        np.ptp(motion.at([start, stop]).root[:, [0, 2]], axis=0)
        for motion, start, stop in ((whole, leave + duration, whole.stop), (second, enter, second.stop))
    )
    assert np.hypot(*went) == pytest.approx(scale * np.hypot(*own))


@needs_mocap
@pytest.mark.mocap
def test_one_person_in_two_clips_is_not_scaled() -> None:
    first, second = sg.load(mocap_file("walk_07_01")), sg.load(mocap_file("walk_brisk_07_12"))
    whole = sg.transition(first, second, 0.5, mode="pinned", leave="end", enter="start")
    times = np.linspace(0.0, second.stop - 0.01, 20)
    np.testing.assert_allclose(whole.at(times + first.stop + 0.5).root, second.at(times).root, atol=1e-12)
