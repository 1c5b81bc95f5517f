"""States of the figure: all tracks at once as one by one, and takes with holes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.curves.interpolate import HoleEnds
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Function, Piece, PoseSource
from segue.motion.tracks import TRACKS, State
from tests.motion.test_fit import smooth_poses
from tests.motion.test_motion import wandering

FIGURE = sg.Figure.standard()


def whole(seed: int = 0, frames: int = 120) -> sg.Motion:
    return sg.Motion.from_poses(FIGURE, smooth_poses(FIGURE, frames, seed), 60.0)


MAKERS: dict[str, Callable[[], sg.Motion]] = {
    "plain": whole,
    "retimed": lambda: sg.retime(whole(), 0.3, 1.7),
    "backwards": lambda: sg.reverse(whole()),
    "placed": lambda: sg.move_to(whole(), (1.0, -2.0), 0.7),
    "mirrored": lambda: sg.mirror(sg.move_to(whole(), (1.0, -2.0), 0.7)),
    "two limbs": lambda: sg.override(sg.only(sg.mirror(whole(1)), "left_arm"), whole()),
    "blended": lambda: sg.blend(whole(), sg.retime(whole(1), 1.0)),
    "in a row": lambda: sg.concatenate(whole(), sg.move_to(sg.mirror(whole(1)), (3.0, 0.0), 1.0)),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_state_is_what_the_tracks_are_one_by_one(name: str) -> None:
    motion = MAKERS[name]()
    times = np.linspace(motion.start, motion.stop, 41)
    shuffled = np.random.default_rng(3).permutation(times)
    for at in (times, shuffled, times[:1]):
        state = motion.state(at)
        for track in TRACKS:
            for found, expected in zip(state.of(track), motion.sample(track, at), strict=True):
                np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * max(1.0, np.abs(expected).max()))


def test_velocities_are_those_of_the_values() -> None:
    motion = MAKERS["mirrored"]()
    h = 1e-5
    before, here, after = (motion.state(np.linspace(0.4, 1.2, 9) + d) for d in (-h, 0.0, h))
    np.testing.assert_allclose((after.root.value - before.root.value) / (2 * h), here.root.velocity, atol=1e-4)
    np.testing.assert_allclose((after.hinges.value - before.hinges.value) / (2 * h), here.hinges.velocity, atol=1e-4)
    np.testing.assert_allclose(
        (after.hinges.velocity - before.hinges.velocity) / (2 * h), here.hinges.acceleration, atol=1e-3
    )
    apart = quaternion.multiply(after.balls.value, quaternion.conjugate(before.balls.value))
    np.testing.assert_allclose(quaternion.log(apart) / (2 * h), here.balls.velocity, atol=1e-4)
    np.testing.assert_allclose(
        (after.balls.velocity - before.balls.velocity) / (2 * h), here.balls.acceleration, atol=1e-3
    )


def test_tracks_that_are_not_asked_for_are_at_rest_and_may_be_undefined() -> None:
    motion = whole() - sg.only(sg.trim(whole(), 0.5, 1.0, keep_time=True), "left_arm")
    assert motion.state(0.5).root.value.shape == (1, 3)  # at the very edge of a gap the track is still defined
    with pytest.raises(sg.ArgumentError, match=r"left shoulder is undefined at 0\.7"):
        motion.state([0.2, 0.7])
    state, still = motion.state([0.2, 0.7], ("root", "right_arm")), State.still(2)
    for track in ("root_position", "root", "right_elbow_flexion"):
        np.testing.assert_array_equal(state.of(track).value, motion.sample(track, [0.2, 0.7]).value)
    for track in ("neck", "left_knee_flexion", "left_shoulder"):
        for found, zero in zip(state.of(track), still.of(track), strict=True):
            np.testing.assert_array_equal(found, zero)


def test_a_conflict_is_an_error_only_where_it_is_asked_for() -> None:
    both = whole() + sg.only(sg.retime(whole(1), 1.0), "left_knee")
    with pytest.raises(sg.ArgumentError, match="left knee flexion is in conflict from 1"):
        both.state(1.5)
    assert both.state(1.5, "arms").hinges.value.any()
    with pytest.raises(sg.ArgumentError, match="not a time"):
        both.state(np.nan)


def test_poses_with_a_hole_are_curves_of_their_own_on_either_side() -> None:
    poses = smooth_poses(FIGURE, 120, 0)
    spoilt = smooth_poses(FIGURE, 120, 0)
    spoilt.root[41:50], spoilt.hinges[41:50] = 50.0, -3.0
    spoilt.balls[41:50] = quaternion.exp(np.array([3.0, 0.0, 0.0]))
    times = np.concatenate([np.linspace(0, 40, 50), np.linspace(50, 119, 80)]) / 60.0
    for ends in HoleEnds:
        good, bad = (
            PoseSource(FIGURE, each, 60.0).without_frames([(40, 50)], ends).state(times) for each in (poses, spoilt)
        )
        for found, expected in zip(bad.parts[:2] + bad.parts[6:8], good.parts[:2] + good.parts[6:8], strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-8)
        assert quaternion.angle_between(bad.balls.value, good.balls.value).max() < 1e-7
        np.testing.assert_allclose(bad.balls.velocity, good.balls.velocity, atol=1e-8)


def without_frames(motion: sg.Motion, holes: list[tuple[int, int]]) -> sg.Motion:
    """Return the motion with a source that leaves out some frames."""
    take = motion.clip_source.without_frames(holes)

    def change(function: Function) -> Function:
        assert isinstance(function, Piece)
        return replace(function, source=take)

    tracks = {name: track.changed(lambda part: part.changed(change)) for name, track in motion.tracks.items()}
    return sg.Motion(tracks, take)


def test_a_source_without_frames_shows_the_same_clip() -> None:
    motion = sg.Motion.from_clip(wandering())
    holed = without_frames(motion, [(40, 60)])
    take = holed.clip_source
    assert take.original is motion.clip_source
    assert take.fit() is motion.clip_source.fit()
    assert take.retargeter is motion.clip_source.retargeter
    assert take.without_frames([(50, 70)]).holes == ((40, 70),)
    np.testing.assert_array_equal(holed.to_clip().rotations, motion.to_clip().rotations)
    # half from the take, half from its mended version: still the clip's own frames
    mixed = sg.override(sg.only(holed, "upper_body"), motion)
    np.testing.assert_array_equal(mixed.to_clip().rotations, motion.to_clip().rotations)
    np.testing.assert_allclose(holed.at(1 / 6).hinges, motion.at(1 / 6).hinges, atol=1e-3)


def test_what_is_prepared_is_what_would_be_computed_later() -> None:
    ready, lazy = (sg.Motion.from_clip(wandering()) for _ in range(2))
    ready.clip_source.prepare()
    np.testing.assert_array_equal(ready.state(0.3).hinges.value, lazy.state(0.3).hinges.value)


def test_residuals_beside_a_hole_do_not_feel_what_lies_in_it() -> None:
    clip = wandering()
    rotations = clip.rotations.copy()
    rotations[50, 8] = quaternion.exp(np.array([2.5, 0.0, 0.0]))
    take = sg.Motion.from_clip(clip).clip_source
    spoilt = ClipSource(
        sg.Clip(clip.names, clip.parents, clip.offsets, clip.positions, rotations, clip.fps), take.roles, take.space
    )
    spoilt.__dict__ |= {"_fit": take.fit(), "retargeter": take.retargeter}
    beside = np.array([48.5, 49.0, 51.0, 51.2]) / clip.fps
    clean, dirty, whole = (
        each.residual_at(beside)
        for each in (take.without_frames([(49, 51)]), spoilt.without_frames([(49, 51)]), spoilt)
    )
    assert quaternion.angle_between(clean.turns, dirty.turns).max() < 1e-7
    assert quaternion.angle_between(clean.turns, whole.turns).max() > 1e-2
