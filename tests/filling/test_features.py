"""Features: the same wherever one stands, whichever way one faces, however tall one is; mirrored by signs alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segue as sg
from segue.body.build import Build
from segue.filling.features import POINTS, RATE, SIDES, Features, frame_features, stances_of
from segue.library.frame_index import basis_of, clip_trace
from segue.library.library_clip import LibraryClip, library_clip_of

WALK, KICK, WAVE = (sg.clips.motion(name) for name in ("walk", "kick", "wave"))


def features_of(entry: LibraryClip, side: str = "both", frames: np.ndarray | None = None) -> Features:
    """Return the features of frames of a clip, all of them where None."""
    frames = np.arange(len(entry)) if frames is None else frames
    return frame_features(clip_trace(entry), side, frames, np.tile([0, len(entry) - 1], (len(frames), 1)))


def rows(motion: sg.Motion, side: str = "both") -> np.ndarray:
    return features_of(library_clip_of(motion, "clip"), side).rows()


@given(st.floats(-3.0, 3.0), st.floats(-20.0, 20.0), st.floats(-20.0, 20.0), st.sampled_from(sorted(SIDES)))
def test_features_do_not_know_where_or_which_way(turn: float, x: float, z: float, side: str) -> None:
    moved = sg.move_to(WALK, (x, z), heading=turn)
    np.testing.assert_allclose(rows(moved, side), rows(WALK, side), atol=2e-5)


def taller(build: Build, by: float) -> Build:
    lengths = {name: by * value for name, value in vars(build).items() if isinstance(value, float | np.ndarray)}
    return replace(build, **lengths)  # type: ignore[arg-type]


def test_features_do_not_know_how_tall() -> None:
    entry = library_clip_of(KICK, "kick")
    figure = sg.Figure.from_build(taller(entry.figure.build, 1.3))
    giant = replace(entry, figure=figure, root=np.float32(1.3) * entry.root)
    assert figure.leg_length == pytest.approx(1.3 * entry.figure.leg_length)
    np.testing.assert_allclose(features_of(giant).rows(), features_of(entry).rows(), atol=1e-5)


@pytest.mark.parametrize("side", sorted(SIDES))
def test_velocities_and_contexts_are_those_of_the_points(side: str) -> None:
    entry = library_clip_of(WALK, "walk")
    found, trace, at = features_of(entry, side), clip_trace(entry), 40
    back, ahead, far = SIDES[side]
    c, s = np.cos(trace.headings[at]), np.sin(trace.headings[at])
    own = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    speeds = (trace.points[at + ahead] - trace.points[at - back]) * RATE / (back + ahead) @ own.T
    ways = (trace.points[at + far] - trace.points[at]) @ own.T
    np.testing.assert_allclose(found.velocity[at], speeds.ravel(), atol=1e-4)
    np.testing.assert_allclose(found.context[at], ways.ravel(), atol=1e-5)
    # the root stands over its own place, and both hips are at equal distances ahead
    assert found.pose[at, 0] == found.pose[at, 2] == 0.0


def test_a_mirror_changes_signs_only() -> None:
    entry, image = library_clip_of(KICK, "kick"), library_clip_of(sg.mirror(KICK), "mirrored")
    before, after = (features_of(entry, side) for side in ("before", "after"))
    basis = basis_of(before, after)
    there = features_of(image, "before")
    np.testing.assert_allclose(basis.pose.rows(there.pose), basis.pose.signs * basis.pose.rows(before.pose), atol=1e-4)
    np.testing.assert_allclose(basis.motion(there), basis.motion_signs * basis.motion(before), atol=2e-3)


def test_the_basis_keeps_distances() -> None:
    before, after = (features_of(library_clip_of(WAVE, "wave"), side) for side in ("before", "after"))
    basis = basis_of(before, after)
    whole = before.rows()[:, : 3 * len(POINTS)]
    kept = basis.pose.rows(before.pose)
    distances = [np.linalg.norm(each[:, None] - each[None], axis=-1) for each in (whole, kept)]
    np.testing.assert_allclose(distances[1], distances[0], atol=2e-3)
    assert basis.pose.missed(before.pose[7]) < 1e-4
    strange = features_of(library_clip_of(sg.clips.run, "run")).pose[10]
    assert basis.pose.missed(strange) > 1e-3


def test_standing_feet_rest_and_swinging_ones_do_not() -> None:
    stand, walk = (stances_of(clip_trace(library_clip_of(sg.clips.motion(name), name))) for name in ("stand", "walk"))
    assert stand.min() > 0.8
    assert np.quantile(walk.max(axis=1), 0.2) > 0.9  # a walker nearly always has a foot on the floor
    assert walk.min(axis=0).max() < 0.2


def test_frames_can_be_chosen() -> None:
    entry = library_clip_of(WALK, "walk")
    some = features_of(entry, "after", np.array([3, 30]))
    np.testing.assert_array_equal(some.pose, features_of(entry, "after").pose[[3, 30]])
