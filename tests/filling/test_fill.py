"""Filling: some joints or all, erased or missing, and nothing else touched."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segue as sg
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.tracks import TRACKS, tracks_of
from tests.filling.test_seams import check_figure_seam, check_seam, short
from tests.mocap import mocap_file, needs_mocap

TIMES = np.linspace(0.0, 3.2, 193)
KNOWS_LESS = pytest.mark.xfail(strict=True, reason="a third of the clip is erased: its figure has seen fewer steps")
LIMBS = ["left_arm", "right_leg", "trunk", "upper_body", "left_elbow", "right_shoulder", "legs", "right_toe", "neck"]


def bytes_of(motion: sg.Motion, times: np.ndarray = TIMES) -> bytes:
    poses = motion.at(times)
    return poses.root.tobytes() + poses.balls.tobytes() + poses.hinges.tobytes()


def without(motion: sg.Motion, joints: str | list[str], start: float, stop: float) -> sg.Motion:
    """Return a motion with a hole in some joints."""
    part = sg.only(motion, joints)
    holed = sg.trim(part, motion.start, start, keep_time=True) + sg.trim(part, stop, motion.stop, keep_time=True)
    rest = [name for name in TRACKS if name not in tracks_of(joints)]
    tracks = {name: motion.tracks[name] for name in rest} | dict(holed.tracks)
    return sg.Motion(tracks, motion.source)


@pytest.mark.parametrize("joints", LIMBS)
@pytest.mark.parametrize("way", ["fill", "sp"])
def test_other_tracks_stay_as_they_are(joints: str, way: str) -> None:
    wave = sg.clips.wave
    filled = sg.fill(wave, [(1.0, 1.6)], joints) if way == "fill" else sg.fill_gaps(without(wave, joints, 1.0, 1.6))
    for track in TRACKS:
        if track not in tracks_of(joints):
            np.testing.assert_array_equal(filled.sample(track, TIMES).value, wave.sample(track, TIMES).value)
    for seam in (1.0, 1.6):
        check_figure_seam(filled, seam)
    (report,) = filled.fills
    assert set(report.tracks) == set(tracks_of(joints))
    assert (report.start, report.stop) == pytest.approx((1.0, 1.6))


@pytest.mark.parametrize("joints", ["root", "lower_body"])
def test_the_root_can_be_filled_with_or_without_the_legs(joints: str) -> None:
    wave = sg.clips.wave
    filled = sg.fill(wave, [(1.0, 1.6)], joints)
    for seam in (1.0, 1.6):
        check_figure_seam(filled, seam)
    assert filled.fills[0].status == ("interpolated" if joints == "root" else "converged")


def test_the_position_of_the_root_can_be_filled_alone() -> None:
    filled = sg.fill(sg.clips.wave, [(1.0, 1.6)], "root_position")
    check_figure_seam(filled, 1.0)


def test_frames_outside_the_gap_and_other_joints_are_bit_identical_on_the_skeleton() -> None:
    wave = sg.clips.wave
    filled = sg.fill(wave, [(1.0, 1.6)], "left_arm")
    made, source = filled.to_clip(), wave.clip_source.clip
    frames = np.arange(len(source))
    outside = (frames < 60) | (frames >= 96)
    np.testing.assert_array_equal(made.rotations[outside], source.rotations[outside])
    np.testing.assert_allclose(made.positions, source.positions, rtol=0, atol=1e-12)
    changed = np.abs(made.rotations - source.rotations).max(axis=(0, 2)) > 1e-9
    arm = [name.startswith("left") or "Left" in name for name in source.names]
    assert changed.any()
    assert not changed[~np.array(arm)].any()


def test_the_weight_of_the_whole_body_is_felt() -> None:
    """The same arm between the same ends: as the trunk moves otherwise, so does the arm."""
    wave = sg.clips.wave
    shaken = shaken_trunk(wave)
    options = {"objective": "torque"}
    one = sg.fill_gaps(without(wave, "left_arm", 1.0, 1.6), **options)  # type: ignore[arg-type]
    two = sg.fill_gaps(without(shaken, "left_arm", 1.0, 1.6), **options)  # type: ignore[arg-type]
    times = np.linspace(1.0, 1.6, 30)
    one_arm, two_arm = (m.at(times).ball("left_shoulder") for m in (one, two))
    assert quaternion.angle_between(one_arm[[0, -1]], two_arm[[0, -1]]).max() < 1e-6
    assert quaternion.angle_between(one_arm, two_arm).max() > np.radians(1.0)


def shaken_trunk(motion: sg.Motion) -> sg.Motion:
    """Return the motion with a trunk that shakes from 1.1 to 1.5 s."""
    times = np.arange(len(motion)) / motion.fps
    poses = motion.at(times)
    bump = np.where((times > 1.1) & (times < 1.5), np.sin((times - 1.1) / 0.4 * np.pi) ** 4, 0.0)
    balls = poses.balls.copy()
    balls[:, 1] = quaternion.multiply(balls[:, 1], quaternion.exp(np.outer(0.5 * bump, [0.0, 0.0, 1.0])))
    trunk = sg.Motion.from_poses(motion.figure, sg.Poses(poses.root, balls, poses.hinges), motion.fps, joints="trunk")
    return sg.override(trunk, motion)


def spoilt(motion: sg.Motion, first: int, last: int, how: str, joints: str | None = None) -> sg.Motion:
    """Return a motion's clip with some joints shuffled in time, or turned at random, in the frames between two."""
    rng, clip = np.random.default_rng(5), motion.clip_source.clip
    tracks = TRACKS if joints is None else tracks_of(joints)
    driven = [which for track, which in motion.clip_source.retargeter.joints_of_track.items() if track in tracks]
    inside = np.arange(first + 1, last)
    bad = np.ix_(inside, np.concatenate(driven))
    rotations, positions = clip.rotations.copy(), clip.positions.copy()
    if how == "shuffled":
        order = np.ix_(rng.permutation(inside), np.concatenate(driven))
        rotations[bad], positions[bad] = rotations[order], positions[order]
    else:
        noise = quaternion.exp(rng.normal(size=(*rotations[bad].shape[:-1], 3)) * {"random": 0.5, "wild": 2.0}[how])
        rotations[bad] = quaternion.multiply(rotations[bad], noise)
    return sg.Motion.from_clip(sg.Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps))


def apart(motion: sg.Motion, one: sg.Clip, two: sg.Clip) -> tuple[float, float]:
    """Return by how much the joints of two clips like the motion's differ at most, in degrees and centimetres."""
    places = [motion.clip_source.space.to_metres(clip.world[0]) for clip in (one, two)]
    turned = quaternion.angle_between(one.rotations, two.rotations).max()
    return float(np.degrees(turned)), 100 * float(np.linalg.norm(places[0] - places[1], axis=2).max())


def check_outside(mended: sg.Clip, source: sg.Clip, first: int, last: int) -> None:
    for outside in (slice(0, first), slice(last, None)):
        np.testing.assert_array_equal(mended.rotations[outside], source.rotations[outside])
        np.testing.assert_array_equal(mended.positions[outside], source.positions[outside])


@pytest.mark.parametrize("joints", [None, "left_arm", "legs", "lower_body", "trunk", "upper_body"])
@pytest.mark.parametrize("how", ["shuffled", "random", "wild"])
def test_garbage_in_the_hole_changes_next_to_nothing(joints: str | None, how: str) -> None:
    wave = sg.clips.wave
    bad = spoilt(wave, 60, 96, how, joints)
    clean, mended = (sg.fill(motion, [(1.0, 1.6)], joints) for motion in (wave, bad))
    degrees, centimetres = apart(wave, clean.to_clip(), mended.to_clip())
    assert degrees < 0.3
    assert centimetres < 0.1
    check_outside(mended.to_clip(), wave.clip_source.clip, 60, 96)
    for seam in (1.0, 1.6):
        check_figure_seam(mended, seam)


@pytest.mark.parametrize("joints", ["left_arm", "upper_body", None])
def test_an_arm_that_trembles_draws_nothing_along(joints: str | None) -> None:
    walk = sg.clips.walk
    bad = spoilt(walk, 72, 96, "random", "left_arm")
    times = np.linspace(1.2, 1.6, 40)
    drawn = quaternion.angle_between(bad.at(times).ball("neck"), walk.at(times).ball("neck")).max()
    assert drawn > np.radians(2.0), "the figure leans after the arm, or there would be nothing to mend"
    mended = sg.fill(bad, [(1.2, 1.6)], joints, prior="none")
    assert quaternion.angle_between(mended.at(times).ball("neck"), walk.at(times).ball("neck")).max() < np.radians(1.5)
    hands = [walk.figure.point("left_knuckles", motion.at(times)) for motion in (walk, mended)]
    assert np.linalg.norm(hands[0] - hands[1], axis=1).max() < 0.03
    check_outside(mended.to_clip(), walk.clip_source.clip, 72, 96)


def test_two_bad_stretches_are_mended_at_once_or_one_after_the_other() -> None:
    walk = sg.clips.walk
    bad = spoilt(spoilt(walk, 40, 60, "random", "left_arm"), 120, 140, "wild", "left_arm")
    spans = [(40 / 60, 1.0), (2.0, 140 / 60)]
    at_once = sg.fill(bad, spans, "left_arm")
    one_by_one = sg.fill(sg.fill(bad, spans[1:], "left_arm"), spans[:1], "left_arm")
    clean = sg.fill(walk, spans, "left_arm")
    for motion in (at_once, one_by_one):
        for seam in np.ravel(spans):
            check_figure_seam(motion, float(seam))
        degrees, centimetres = apart(walk, clean.to_clip(), motion.to_clip())
        assert degrees < 1.0
        assert centimetres < 1.0


def test_a_bad_stretch_in_the_mirror() -> None:
    bad = spoilt(sg.clips.walk, 72, 96, "random", "left_arm")
    clean, mended = (sg.fill(sg.mirror(each), [(1.2, 1.6)], "right_arm") for each in (sg.clips.walk, bad))
    times = np.linspace(1.2, 1.6, 30)
    hands = [clean.figure.point("right_knuckles", motion.at(times)) for motion in (clean, mended)]
    assert np.linalg.norm(hands[0] - hands[1], axis=1).max() < 0.01


def test_a_bad_stretch_after_a_transition_leaves_its_seams_alone() -> None:
    """A figure of another size would no longer meet what was computed for the old one."""
    bad = spoilt(sg.clips.walk, 72, 96, "random", "left_arm")
    row = sg.transition(sg.clips.wave, bad, 0.4, enter=0.3)
    (joint,) = row.fills
    later = row.stop - bad.stop
    mended = sg.fill(row, [(later + 1.2, later + 1.6)], "left_arm")
    for seam in (joint.start, joint.stop, later + 1.2, later + 1.6):
        check_figure_seam(mended, seam)
    times = np.linspace(1.2, 1.6, 30)
    necks = [motion.at(at).ball("neck") for motion, at in ((sg.clips.walk, times), (mended, later + times))]
    assert quaternion.angle_between(*necks).max() < np.radians(1.5)


@pytest.mark.parametrize(("first", "last"), [(100, 136), pytest.param(80, 150, marks=KNOWS_LESS)])
@pytest.mark.parametrize("how", ["shuffled", "random"])
@needs_mocap
@pytest.mark.mocap
def test_what_was_erased_from_a_real_clip_is_not_looked_at(first: int, last: int, how: str) -> None:
    motion = sg.Motion.from_clip(short("walk_07_01").clip_source.clip)
    bad = spoilt(motion, first, last, how)
    gap = (first / motion.fps, last / motion.fps)
    clean, mended = (sg.fill(each, [gap], prior="none").to_clip() for each in (motion, bad))
    check_outside(mended, motion.clip_source.clip, first, last)
    degrees, centimetres = apart(motion, clean, mended)
    assert degrees < 1.0
    assert centimetres < 1.0


def test_garbage_in_a_hole_of_poses_changes_nothing() -> None:
    wave = sg.clips.wave
    poses = wave.at(np.arange(len(wave)) / 60)
    hinges = poses.hinges.copy()
    hinges[61:96] += np.random.default_rng(2).normal(size=hinges[61:96].shape) * 0.3
    made = [
        sg.fill(sg.Motion.from_poses(wave.figure, sg.Poses(poses.root, poses.balls, h), 60.0), [(1.0, 1.6)])
        for h in (poses.hinges, hinges)
    ]
    times = np.linspace(1.0, 1.6, 30)
    np.testing.assert_allclose(made[0].at(times).hinges, made[1].at(times).hinges, atol=1e-6)


def test_filling_twice_is_filling_once_when_the_hole_is_the_same() -> None:
    wave = sg.clips.wave
    once = sg.fill(wave, [(1.0, 1.6)], "left_arm")
    twice = sg.fill(once, [(1.0, 1.6)], "left_arm")
    times = np.linspace(1.0, 1.6, 40)
    np.testing.assert_allclose(twice.at(times).balls, once.at(times).balls, atol=1e-6)
    assert len(twice.fills) == 1


def test_one_fill_after_another_elsewhere() -> None:
    wave = sg.clips.wave
    step_by_step = sg.fill(sg.fill(wave, [(0.5, 0.9)]), [(2.0, 2.4)])
    at_once = sg.fill(wave, [(2.0, 2.4), (0.5, 0.9)])
    np.testing.assert_allclose(step_by_step.at(TIMES).balls, at_once.at(TIMES).balls, atol=1e-9)
    assert [round(report.start, 6) for report in at_once.fills] == [0.5, 2.0]


def test_a_fill_inside_a_filled_gap_meets_it() -> None:
    filled = sg.fill(sg.clips.wave, [(1.0, 2.0)])
    again = sg.fill(filled, [(1.3, 1.6)], "right_arm")
    for seam in (1.0, 1.3, 1.6, 2.0):
        check_figure_seam(again, seam)


def test_gaps_of_limbs_that_overlap() -> None:
    wave = sg.clips.wave
    holed = without(without(wave, "left_arm", 0.8, 1.6), "right_leg", 1.2, 2.0)
    holed = without(holed, "neck", 0.9, 1.0)
    filled = sg.fill_gaps(holed)
    assert not sg.gaps(filled)
    for seam in (0.8, 0.9, 1.0, 1.2, 1.6, 2.0):
        check_figure_seam(filled, seam)
        check_seam(filled, seam)
    missing = set(tracks_of(["left_arm", "right_leg", "neck"]))
    for track in TRACKS:
        if track not in missing:
            np.testing.assert_array_equal(filled.sample(track, TIMES).value, wave.sample(track, TIMES).value)
    assert all(report.status != "interpolated" for report in filled.fills)


def test_gaps_of_root_and_limbs_that_overlap() -> None:
    wave = sg.clips.wave
    filled = sg.fill_gaps(without(without(wave, "root", 0.8, 1.6), ["left_arm", "legs"], 1.2, 2.0))
    for seam in (0.8, 1.2, 1.6, 2.0):
        check_figure_seam(filled, seam)


def test_what_follows_gaps_that_overlap_is_not_moved_unasked() -> None:
    walk = sg.clips.walk
    apart = sg.trim(walk, 0.0, 1.0, keep_time=True) + sg.trim(
        sg.move_to(walk, (9.0, 9.0), 2.0), 1.4, walk.stop, keep_time=True
    )
    holed = without(apart, "neck", 0.9, 1.2)
    with pytest.raises(sg.ArgumentError, match=r"the motion after them cannot be moved; use mode pinned"):
        sg.fill_gaps(holed, mode="free")
    assert not sg.gaps(sg.fill_gaps(holed))


def test_gaps_of_limbs_that_overlap_may_be_filled_in_either_mode() -> None:
    holed = without(without(sg.clips.wave, "left_arm", 0.8, 1.6), "right_leg", 1.2, 2.0)
    assert bytes_of(sg.fill_gaps(holed, mode="free")) == bytes_of(sg.fill_gaps(holed))


def test_several_whole_gaps_in_a_row() -> None:
    walk = sg.clips.walk
    parts = [sg.trim(walk, a, b, keep_time=True) for a, b in ((0.0, 0.5), (0.8, 1.2), (1.5, 1.9), (2.1, 3.2))]
    whole = sg.fill_gaps(parts[0] + parts[1] + parts[2] + parts[3])
    assert len(whole.fills) == 3
    for seam in (0.5, 0.8, 1.2, 1.5, 1.9, 2.1):
        check_figure_seam(whole, seam)


def test_nothing_to_fill_is_nothing_done() -> None:
    wave = sg.clips.wave
    assert bytes_of(sg.fill_gaps(wave)) == bytes_of(wave)
    assert sg.fill(wave, []) is wave
    assert wave.fills == ()


@settings(max_examples=12)
@given(
    st.floats(0.1, 2.5),
    st.floats(0.02, 0.6),
    st.sampled_from([*HUMAN.groups, "left_elbow", "right_ankle", "neck"]),
)
def test_any_joints_at_any_time_can_be_filled(start: float, length: float, joints: str) -> None:
    kick = sg.clips.kick
    stop = min(start + length, kick.stop - 0.05)
    if stop - start < 0.02:
        return
    filled = sg.fill(kick, [(start, stop)], joints)
    report = filled.fills[0]
    assert report.start <= start + 1e-9
    assert report.stop >= stop - 1e-9
    assert report.stop - report.start <= stop - start + 2 / 60 + 1e-6, "widened to whole frames, no further"
    for seam in (report.start, report.stop):
        check_figure_seam(filled, seam)
    frames = np.arange(round(report.start * 60)) / 60
    np.testing.assert_allclose(filled.at(frames).hinges, kick.at(frames).hinges, rtol=0, atol=1e-12)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_gaps(frames: int) -> None:
    filled = sg.fill(sg.clips.run, [(0.5, 0.5 + frames / 60)])
    check_figure_seam(filled, 0.5)
    gone = sg.clips.run.at(np.linspace(0.5, 0.5 + frames / 60, 5))
    back = filled.at(np.linspace(0.5, 0.5 + frames / 60, 5))
    assert quaternion.angle_between(gone.balls, back.balls).max() < np.radians(3)
    assert np.isfinite(filled.to_clip().rotations).all()


def test_a_long_gap_warns() -> None:
    long = sg.retime(sg.clips.stand, 0.0, 2.0)
    cut = sg.trim(long, 0.0, 1.0, keep_time=True) + sg.trim(long, 4.5, 8.0, keep_time=True)
    with pytest.warns(sg.SegueWarning, match=r"longer than 3 s"):
        filled = sg.fill_gaps(cut, prior="none")
    check_figure_seam(filled, 1.0)
    check_figure_seam(filled, 4.5)


def test_the_same_bytes_twice_and_from_threads() -> None:
    def make(_: int) -> bytes:
        return bytes_of(sg.fill(sg.clips.wave, [(1.0, 1.6)]))

    first = make(0)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(make, range(8))) == {first}


def test_joints_stay_within_limits_in_a_filled_gap() -> None:
    for name in ("kick", "run", "wave", "reach"):
        motion = sg.clips.motion(name)
        filled = sg.fill(motion, [(0.4, 1.0)])
        inside = filled.figure.limit_excess(filled.at(np.linspace(0.4, 1.0, 60)))
        ends = filled.figure.limit_excess(filled.at([0.4, 1.0]))
        assert (inside - ends.max(axis=0)).max() < np.radians(1.0)


@needs_mocap
@pytest.mark.mocap
def test_a_real_gap_is_filled_closer_to_the_truth_than_by_holding_still() -> None:
    motion = sg.load(mocap_file("walk_07_01"))
    filled = sg.fill(motion, [(1.0, 1.4)])
    times = np.linspace(1.0, 1.4, 30)
    truth = motion.figure.forward(motion.at(times))[0]
    ours = motion.figure.forward(filled.at(times))[0]
    still = np.repeat(truth[:1], len(times), axis=0)
    assert np.linalg.norm(ours - truth, axis=2).mean() < 0.25 * np.linalg.norm(still - truth, axis=2).mean()


def test_two_times_in_place_of_a_list_of_gaps_get_a_sentence() -> None:
    fill: Callable[..., sg.Motion] = sg.fill
    with pytest.raises(sg.ArgumentError, match=r"the gaps are 1\.2: .* as \[\(1\.2, 1\.6\)\]"):
        fill(sg.clips.walk, 1.2, 1.6)
    with pytest.raises(sg.ArgumentError, match=r"the gaps are None: .* as \[\(1\.2, 1\.6\)\]"):
        fill(sg.clips.walk, None)
    with pytest.raises(sg.ArgumentError, match=r"the gap 1\.2 is not a pair of times"):
        fill(sg.clips.walk, (1.2, 1.6))
