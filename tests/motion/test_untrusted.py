"""Frames that are doubted: recognised, made anew on the skeleton, and fitted again with no trace of what was there."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.motion.clip_source import ClipSource
from segue.motion.fit import refit
from segue.motion.options import UntrustedSpan, follows_badly, is_bad, straightened, trusted_frames
from segue.motion.tracks import TRACKS, tracks_of

HOLE = (72, 96)
ARM = UntrustedSpan(HOLE, frozenset(tracks_of("left_arm")))


def trembling(size: float) -> ClipSource:
    """Return the walk with a left upper arm that trembles by so many radians."""
    clip = sg.clips.clip("walk")
    rotations, j = clip.rotations.copy(), clip.skeleton.index("left_upper_arm")
    shaking = size * np.random.default_rng(7).standard_normal((HOLE[1] - HOLE[0] - 1, 3))
    rotations[HOLE[0] + 1 : HOLE[1], j] = quaternion.multiply(
        rotations[HOLE[0] + 1 : HOLE[1], j], quaternion.exp(shaking)
    )
    return sg.Motion.from_clip(sg.Clip.from_arrays(clip.skeleton, clip.positions, rotations, clip.fps)).clip_source


@pytest.mark.parametrize("name", ["walk", "run", "kick", "wave", "reach"])
def test_good_capture_is_not_doubted(name: str) -> None:
    fit = sg.clips.motion(name).fit()
    assert not any(is_bad(fit, (first, first + 24)) for first in range(1, len(fit.poses) - 25, 6))


def test_an_arm_that_trembles_is_bad_and_strains_the_figure_only_beyond_its_limits() -> None:
    slightly, widely = trembling(0.2).fit(), trembling(0.8).fit()
    assert is_bad(slightly, HOLE)
    assert not follows_badly(slightly, HOLE)
    assert is_bad(widely, HOLE)
    assert follows_badly(widely, HOLE)
    assert not is_bad(widely, (20, 44))
    left_out = set(range(len(widely.poses))) - set(trusted_frames(widely).tolist())
    assert left_out
    assert left_out <= set(range(HOLE[0] + 1, HOLE[1]))


def test_only_doubted_joints_are_straightened_and_they_meet_their_ends() -> None:
    take = sg.clips.walk.clip_source
    clip, new = take.clip, straightened(take.clip, take.retargeter.joints_of_track, [ARM])
    changed = np.abs(new.rotations - clip.rotations).max(axis=2) > 1e-9
    assert not changed[: HOLE[0] + 1].any()
    assert not changed[HOLE[1] :].any()
    assert {clip.names[j] for j in np.flatnonzero(changed.any(axis=0))} <= {
        name for name in clip.names if name.startswith("left_") and not name.endswith(("thigh", "shin", "foot", "toes"))
    }
    steps = quaternion.angle_between(new.rotations[HOLE[0] : HOLE[1]], new.rotations[HOLE[0] + 1 : HOLE[1] + 1])
    arm = clip.skeleton.index("left_upper_arm")
    np.testing.assert_allclose(steps[:, arm], steps[0, arm], atol=1e-9)


@pytest.mark.parametrize("track", ["left_elbow_flexion", "root_position"])
def test_one_track_of_a_joint_is_enough_to_doubt_it(track: str) -> None:
    take = sg.clips.walk.clip_source
    new = straightened(take.clip, take.retargeter.joints_of_track, [UntrustedSpan(HOLE, frozenset([track]))])
    assert not np.array_equal(new.rotations, take.clip.rotations)


def test_a_fit_to_the_same_clip_stays_what_it_is_and_one_to_another_comes_back() -> None:
    take = sg.clips.walk.clip_source
    fit = take.fit()
    same = refit(fit, take.sampled, [HOLE])
    np.testing.assert_allclose(same.poses.hinges, fit.poses.hinges, atol=1e-9)
    doubted = take.refit_without([UntrustedSpan(HOLE, frozenset(TRACKS))], rescale=False).fit()
    np.testing.assert_array_equal(doubted.poses.hinges[: HOLE[0] + 1], fit.poses.hinges[: HOLE[0] + 1])
    assert np.abs(doubted.poses.hinges - fit.poses.hinges)[HOLE[0] : HOLE[1]].max() > 0.01
    np.testing.assert_allclose(doubted.poses.hinges[-30:], fit.poses.hinges[-30:], atol=1e-4)


def test_what_is_doubted_leaves_no_trace() -> None:
    """Two arms that went wrong in different ways end up as the very same take, figure and all."""
    one, two = (trembling(size).refit_without([ARM], rescale=True) for size in (0.8, 1.6))
    np.testing.assert_allclose(one.figure.offsets, two.figure.offsets, atol=1e-12)
    np.testing.assert_allclose(one.fit().poses.balls, two.fit().poses.balls, atol=1e-9)
    np.testing.assert_allclose(one.fit().poses.hinges, two.fit().poses.hinges, atol=1e-9)
    times = np.linspace(1.0, 2.0, 50)
    np.testing.assert_allclose(one.residual_at(times).turns, two.residual_at(times).turns, atol=1e-9)


def test_a_doubted_take_shows_the_frames_of_its_clip() -> None:
    take = trembling(0.8)
    doubted = take.refit_without([ARM], rescale=True)
    assert doubted.original is take
    assert doubted.unpatched is doubted
    holed = take.without_frames([(10, 20)]).with_fit_of(doubted)
    assert holed.holes == ((10, 20),)
    assert holed.unpatched is doubted
    np.testing.assert_array_equal(doubted.clip_curves.at(take.clip.times).rotations, take.clip.rotations)
