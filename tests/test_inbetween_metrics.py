"""The measures of the in-betweening benchmark, on cases that can be worked out by hand."""

import numpy as np
import pytest

from segue import clips
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from tests.support.inbetween_fillers import by_clip, hermite, slerp
from tests.support.inbetween_metrics import Measure, l2p, l2q, npss, together
from tests.support.inbetween_windows import GIVEN, LENGTH, Local, Source, Windows, cut_windows


def test_l2p_is_the_norm_over_joints_in_standard_deviations() -> None:
    truth = np.zeros((1, 2, 2, 3))
    found = truth.copy()
    found[0, 0, 0] = (3.0, 0.0, 0.0)
    found[0, 0, 1] = (0.0, 8.0, 0.0)
    deviation = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 1.0]])
    # first frame |(3, 8/2)| = 5, second 0
    assert l2p(found, truth, deviation).mean == pytest.approx(2.5)


def test_l2q_takes_the_nearer_of_two_quaternions() -> None:
    truth = quaternion.identity(1, 1, 2)
    found = truth.copy()
    found[0, 0, 0] = -quaternion.exp(np.array([0.0, 0.0, 2 * np.pi / 3]))
    # quaternions of rotations by an angle a are 2 sin(a / 4) apart
    assert l2q(found, truth).mean == pytest.approx(2 * np.sin(np.pi / 6))
    assert l2q(-truth, truth).mean == 0.0


def test_npss_of_a_wave_against_a_constant() -> None:
    truth = np.zeros((1, 8, 1, 4))
    truth[..., 0] = 1.0
    found = truth.copy()
    found[0, :, 0, 0] += np.cos(2 * np.pi * np.arange(8) / 8)
    # power of the wave: 8^2 at frequency 0, 4^2 at 1 and 7; its cumulative shares: 4/6, six times 5/6, 1; of 1: all 1
    assert npss(found, truth).mean == pytest.approx(2 / 6 + 6 * 1 / 6)
    assert npss(truth, truth).mean == 0.0


def test_npss_weighs_components_and_windows_by_their_true_power() -> None:
    steady, flipping = np.ones(2), np.array([1.0, 0.0])
    truth = np.zeros((2, 2, 1, 4))
    truth[0, :, 0, 0] = 2 * steady
    truth[1, :, 0, 1] = steady
    found = truth.copy()
    found[1, :, 0, 1] = flipping
    # spectra of two frames: (sum, difference) squared: (4, 0) becomes (1, 1), half of the power moves by one
    measure = npss(found, truth)
    np.testing.assert_allclose(measure.values, [0.0, 0.5])
    np.testing.assert_allclose(measure.weights, [16.0, 4.0])
    assert measure.mean == pytest.approx(0.1)


def test_datasets_are_put_together_by_weight() -> None:
    one, other = Measure(np.array([1.0]), np.ones(1)), Measure(np.array([4.0, 4.0]), np.ones(2))
    assert together([one, other]).mean == pytest.approx(3.0)
    assert together([one.counting(2.0), other]).mean == pytest.approx(2.5)


@pytest.fixture(scope="module")
def windows() -> Windows:
    walk = clips.clip("walk")
    step = round(walk.fps / 30)
    rotations, positions = walk.rotations[::step].copy(), walk.positions[::step].copy()
    repeats = 2 * LENGTH // len(positions) + 1
    rotations, positions = np.tile(rotations, (repeats, 1, 1)), np.tile(positions, (repeats, 1, 1))
    clip = Clip.from_arrays(walk.skeleton, positions, quaternion.make_continuous(rotations), walk.fps / step)
    take = ClipSource.from_clip(clip)
    return cut_windows("walk", [Source(take.clip, take.roles, take.space)])


def test_windows_are_centred_and_face_forward(windows: Windows) -> None:
    world = windows.world(windows.frames)
    roles = windows.sources[0].roles
    across = world.positions[:, GIVEN - 1, roles.left.thigh] - world.positions[:, GIVEN - 1, roles.right.thigh]
    assert np.all(across[:, 0] > 0)
    np.testing.assert_allclose(across[:, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(world.positions[:, :, 0, [0, 2]].mean(axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(world.positions.mean(axis=(0, 1)), windows.mean, atol=1e-9)
    np.testing.assert_allclose(world.positions.std(axis=(0, 1)), windows.deviation, atol=1e-9)


def test_hermite_reproduces_cubics_and_slerp_straight_lines(windows: Windows) -> None:
    t = (np.arange(LENGTH) - 20.0)[:, None] / 10
    count, joints = windows.frames.positions.shape[0], windows.frames.positions.shape[2]
    line, parabola = t * np.array([0.1, -0.2, 0.3]), t**2 * np.array([0.1, -0.2, 0.3])

    def moved(path: np.ndarray) -> Windows:
        shape = (count, LENGTH, joints)
        positions = np.broadcast_to(path[None, :, None], (*shape, 3))
        rotations = np.broadcast_to(quaternion.exp(path)[None, :, None], (*shape, 4))
        return Windows(
            windows.dataset,
            windows.sources,
            Local(positions, rotations),
            windows.alignment,
            windows.mean,
            windows.deviation,
            windows.whole_count,
        )

    for method, path in ((slerp, line), (hermite, line), (hermite, parabola)):
        test = moved(path)
        found, truth = method(test, 15).gap, test.frames.frames(GIVEN, GIVEN + 15)
        np.testing.assert_allclose(found.positions, truth.positions, atol=1e-12)
        # turns about one axis stay turns about it
        assert np.all(quaternion.angle_between(found.rotations, truth.rotations) < 1e-9)


def test_a_filler_sees_only_what_is_given(windows: Windows) -> None:
    seen = []

    def filler(clip, gap, space):
        seen.append(clip)
        return clip

    filled = by_clip(filler, windows, 15)
    expected = slerp(windows, 15).gap
    np.testing.assert_array_equal(filled.gap.rotations, expected.rotations)
    assert filled.moved == 0.0
    assert not filled.refused
    assert all(len(clip) == GIVEN + 15 + GIVEN and clip.origin is None for clip in seen)
    np.testing.assert_array_equal(seen[0].rotations[:GIVEN], windows.frames.rotations[0, :GIVEN])
    np.testing.assert_array_equal(seen[0].rotations[GIVEN : GIVEN + 15], expected.rotations[0])


def test_refusals_and_moved_frames_are_told(windows: Windows) -> None:
    def refuse(clip, gap, space):
        raise ArgumentError("not this one")

    def shift(clip, gap, space):
        positions = clip.positions.copy()
        positions[0, 0] += 1.0
        return Clip.from_arrays(clip.skeleton, positions, clip.rotations.copy(), clip.fps)

    assert by_clip(refuse, windows, 5).refused == ("not this one",) * len(windows)
    assert by_clip(shift, windows, 5).moved == pytest.approx(windows.sources[0].space.scale, rel=1.0)
