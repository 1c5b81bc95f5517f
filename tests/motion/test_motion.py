"""Motions: exact on the way back, edited frames dressed in the source's skeleton, resampled along C2 curves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.io import read
from segue.motion.functions import Piece
from segue.motion.resample import resample
from segue.motion.retarget import figure_clip
from tests.mocap import mocap_file, needs_mocap
from tests.motion.test_fit import smooth_poses


def wandering(frames: int = 120, fps: float = 60.0, seed: int = 1) -> sg.Clip:
    figure = sg.Figure.standard()
    return figure_clip(figure, smooth_poses(figure, frames, seed), fps)


def in_centimetres_z_up(clip: sg.Clip) -> sg.Clip:
    """Return the same motion as a tool with Z up and centimetres would have it."""
    turn = quaternion.exp(np.array([np.pi / 2, 0.0, 0.0]))
    positions, rotations = clip.positions * 100.0, clip.rotations.copy()
    positions[:, 0] = quaternion.rotate(turn, positions[:, 0])
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    return sg.Clip(clip.names, clip.parents, clip.offsets * 100.0, positions, rotations, clip.fps)


def test_what_nothing_changed_comes_back_as_it_was() -> None:
    clip = wandering()
    back = sg.Motion.from_clip(clip).to_clip()
    np.testing.assert_array_equal(back.positions, clip.positions)
    np.testing.assert_array_equal(back.rotations, clip.rotations)
    assert back.names == clip.names
    assert back.fps == clip.fps


@pytest.mark.parametrize("make", [lambda clip: clip, in_centimetres_z_up])
def test_the_figure_with_its_residual_is_the_clip(make) -> None:
    clip = make(wandering())
    motion = sg.Motion.from_clip(clip)
    positions, rotations = motion.clip_source.retargeter.to_skeleton(motion.poses, motion.clip_source.residual)
    scale = 1.0 / motion.clip_source.space.scale
    np.testing.assert_allclose(positions, clip.positions, atol=1e-9 * scale)
    assert quaternion.angle_between(rotations, clip.rotations).max() < 1e-6


def test_units_and_axes_do_not_change_the_motion() -> None:
    clip = wandering()
    plain, turned = sg.Motion.from_clip(clip), sg.Motion.from_clip(in_centimetres_z_up(clip))
    assert turned.clip_source.space.up == "Z"
    assert turned.clip_source.space.scale == pytest.approx(0.01)
    np.testing.assert_allclose(plain.poses.hinges, turned.poses.hinges, atol=1e-6)
    np.testing.assert_allclose(plain.poses.root, turned.poses.root, atol=1e-6)


def edited(motion: sg.Motion, first: int, last: int, hinge: str, bump: np.ndarray) -> sg.Motion:
    """Return the motion with a hinge's angle changed in some frames."""
    poses = motion.at(motion.times[first:last])
    poses.hinge(hinge)[:] += bump
    patch = sg.Motion.from_poses(motion.figure, poses, motion.fps, start=motion.times[first])
    return sg.override(patch, motion)


def test_edited_frames_change_and_no_others() -> None:
    motion = sg.Motion.from_clip(in_centimetres_z_up(wandering()))
    changed = edited(motion, 40, 60, "left_elbow_flexion", np.full(20, 0.4))
    before, after = motion.to_clip(), changed.to_clip()
    frames = np.arange(40, 59)  # the patch ends at frame 59, which is the old motion's again
    others = np.setdiff1d(np.arange(len(motion)), frames)
    np.testing.assert_array_equal(after.positions[others], before.positions[others])
    assert quaternion.angle_between(after.rotations[others], before.rotations[others]).max() < 1e-7
    turned = quaternion.angle_between(after.rotations[frames], before.rotations[frames])
    elbow = after.skeleton.index("left_forearm")
    np.testing.assert_allclose(turned[:, elbow], 0.4, atol=0.02)
    np.testing.assert_array_equal(motion.to_clip().rotations, before.rotations)


@pytest.mark.parametrize("fps", [None, 47.0])
def test_a_window_has_the_frames_that_it_has_among_all(fps: float | None) -> None:
    motion = sg.Motion.from_clip(in_centimetres_z_up(wandering()))
    changed = edited(motion, 40, 60, "left_elbow_flexion", np.full(20, 0.4))
    whole, rate = changed.to_clip(fps), fps or motion.fps
    for start, stop in ((0.5, 0.9), (0.2, 0.4), (0.0, changed.stop)):
        window = changed.to_clip(fps, start=start, stop=stop)
        chosen = np.arange(np.ceil(start * rate - 1e-6), np.floor(stop * rate + 1e-6) + 1, dtype=int)
        np.testing.assert_array_equal(window.positions, whole.positions[chosen])
        assert quaternion.angle_between(window.rotations, whole.rotations[chosen]).max() < 1e-12
        assert window.fps == rate


def test_a_window_beside_a_gap_needs_no_more_than_it_shows() -> None:
    motion = sg.Motion.from_clip(wandering())
    gapped = motion - sg.trim(motion, 0.5, 1.0, keep_time=True)
    before = gapped.to_clip(stop=0.5)
    np.testing.assert_array_equal(before.rotations, motion.to_clip().rotations[:31])
    with pytest.raises(sg.ArgumentError, match="undefined at"):
        gapped.to_clip(stop=0.6)
    with pytest.raises(sg.ArgumentError, match="no frame lies between"):
        gapped.to_clip(start=0.101, stop=0.109)


def test_times_between_frames_lie_on_the_curve() -> None:
    motion = sg.Motion.from_clip(wandering())
    at_frames = motion.at(motion.times)
    np.testing.assert_allclose(at_frames.hinges, motion.poses.hinges, atol=1e-9)
    between = motion.at(0.5 * (motion.times[10] + motion.times[11]))
    low = np.minimum(motion.poses.hinges[10], motion.poses.hinges[11]) - 0.01
    high = np.maximum(motion.poses.hinges[10], motion.poses.hinges[11]) + 0.01
    assert ((between.hinges[0] > low) & (between.hinges[0] < high)).all()
    with pytest.raises(sg.ArgumentError, match="undefined at 99"):
        motion.at(99.0)


def test_resampling_keeps_frames_that_coincide_and_bends_smoothly_between() -> None:
    clip = wandering(121, 60.0)
    half, double = resample(clip, 30.0), resample(clip, 120.0)
    np.testing.assert_array_equal(half.rotations, clip.rotations[::2])
    np.testing.assert_array_equal(double.rotations[::2], clip.rotations)
    assert len(half) == 61
    assert len(double) == 241
    truth = wandering(241, 120.0)
    assert quaternion.angle_between(double.rotations[6:-6], truth.rotations[6:-6]).max() < np.radians(0.05)
    odd = resample(clip, 25.0)
    assert odd.duration <= clip.duration + 1e-9
    with pytest.raises(sg.ArgumentError, match="fps"):
        resample(clip, -1.0)
    with pytest.raises(sg.ArgumentError, match="lower rate"):
        resample(clip, 1e12)


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", ["walk_69_02", "push1_subject2"])
def test_saving_a_loaded_file_writes_its_numbers(name: str, tmp_path: Path) -> None:
    source = mocap_file(name)
    motion = sg.load(source)
    sg.save(motion, tmp_path / "copy.bvh")
    original, copy = read(source), read(tmp_path / "copy.bvh")
    assert (motion.set_aside is not None) == ("cmu" in str(source))
    assert original.origin is not None
    assert copy.origin is not None
    np.testing.assert_array_equal(copy.origin.rows, original.origin.rows)


@needs_mocap
@pytest.mark.mocap
def test_an_edited_real_clip_has_no_seam(tmp_path: Path) -> None:
    motion = sg.load(mocap_file("walk_07_01"))
    bump = 0.8 * np.sin(np.pi * np.arange(40) / 39) ** 2
    sg.save(edited(motion, 100, 140, "right_elbow_flexion", bump), tmp_path / "edited.bvh")
    before, after = motion.to_clip(), read(tmp_path / "edited.bvh")
    steps = quaternion.angle_between(after.rotations[1:], after.rotations[:-1]).max(axis=1)
    usual = quaternion.angle_between(before.rotations[1:], before.rotations[:-1]).max()
    assert steps[98:101].max() < 1.5 * usual
    assert steps[138:141].max() < 1.5 * usual
    moved = quaternion.angle_between(after.rotations, before.rotations)
    assert moved[120].max() > 0.5
    assert moved[:100].max() < 1e-6


def test_a_figure_is_scaled_as_asked() -> None:
    motion = sg.Motion.from_clip(wandering(), mass=81.0, sex="male")
    assert motion.figure.mass == 81.0
    assert motion.figure.sex == "male"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"fps": 0.0}, "fps"),
        ({"fps": float("inf")}, "fps"),
        ({"positions": np.zeros((3, 2, 3))}, "positions"),
        ({"rotations": np.zeros((120, 19, 4))}, "zero quaternion"),
        ({"rotations": np.full((120, 19, 4), np.nan)}, "finite"),
        ({"parents": [0] * 19}, "parent"),
        ({"names": ["a"] * 19}, "twice"),
        ({"offsets": np.zeros((4, 3))}, "offsets"),
    ],
)
def test_arrays_that_make_no_clip_are_refused_in_a_sentence(change: dict, word: str) -> None:
    clip = wandering()
    arguments = {
        "names": clip.names,
        "parents": clip.parents,
        "offsets": clip.offsets,
        "positions": clip.positions,
        "rotations": clip.rotations,
        "fps": clip.fps,
    }
    with pytest.raises(sg.SegueError, match=word):
        sg.Clip(**(arguments | change))


def test_clips_do_not_change_behind_your_back() -> None:
    positions = np.array(wandering().positions)
    clip = wandering()
    own = sg.Clip(clip.names, clip.parents, clip.offsets, positions, clip.rotations, 60.0)
    positions[:] = 0.0
    assert own.positions.any()
    with pytest.raises(ValueError, match="read-only"):
        own.positions[0] = 1.0


def test_everything_exported_exists() -> None:
    for name in sg.__all__:
        assert getattr(sg, name) is not None


def test_the_function_of_a_time_is_the_later_one_where_two_touch() -> None:
    first, second = (sg.Motion.from_clip(wandering(seed=seed)) for seed in (1, 2))
    both = sg.concatenate(first, second)
    for time, source in ((0.5 * first.stop, first), (first.stop, second), (both.stop, second)):
        interval = both.tracks["root"].at(time)
        assert interval is not None
        assert isinstance(interval.functions[0], Piece)
        assert interval.functions[0].source is source.source
    with pytest.raises(sg.ArgumentError, match="root is undefined at 99 s"):
        both.sample("root", 99.0)
    with pytest.raises(sg.ArgumentError, match="root is in conflict"):
        (first + second).sample("root", 0.0)


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", ["salsa_60_01", "wave_hello_141_16"])
def test_a_forearm_that_does_not_twist_leaves_no_lively_residual(name: str) -> None:
    """In most skeletons only the hand turns over; the pronation of the figure must not be carried along as residual."""
    motion = sg.load(mocap_file(name))
    joint = motion.clip_source.roles.right.forearm
    pronation = motion.poses.hinge("right_forearm_pronation")
    assert np.degrees(np.ptp(pronation)) > 20
    turns = motion.clip_source.residual.turns[:, joint]
    rate = quaternion.angle_between(turns[1:], turns[:-1]).mean()
    assert rate < 0.35 * np.abs(np.diff(pronation)).mean()
