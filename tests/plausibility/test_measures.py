"""Each measure finds the fault that was put in, at its place and of its size, and nothing where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue import clips
from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.sampled import differentiated, low_passed
from segue.motion.box import Box
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.plausibility import Thresholds, check, observe
from segue.plausibility.flight import ballistic_error
from segue.plausibility.jumps import find_jumps
from segue.plausibility.limits import joint_excess
from segue.plausibility.slide import foot_slide, ground_penetration
from segue.plausibility.torque import joint_moments
from tests.plausibility.faults import FIGURE, bump, changed, joint, leap, shoved, standing, turned


def failed(motion: Motion) -> set[str]:
    return {finding.measure for finding in check(motion).faults}


def test_a_foot_that_slides_slowly_is_measured_over_its_whole_way() -> None:
    motion = shoved("stand", 0, lambda t: 0.1 * np.clip(t - 1.0, 0.0, 1.0))
    slide = check(motion).measures.slide
    assert slide.largest == pytest.approx(0.10, abs=0.01)
    assert slide.worst is not None
    assert slide.worst.path == pytest.approx(0.10, abs=0.02)
    assert slide.worst.start <= 1.0
    assert slide.worst.stop >= 2.0
    assert failed(motion) == {"foot slide"}


def test_a_body_that_glides_is_carried_by_feet_that_slide() -> None:
    poses = standing(121)
    poses.root[:, 2] += np.linspace(0.0, 2.0, 121)
    report = check(Motion.from_poses(FIGURE, poses, 60.0))
    assert report.measures.slide.largest == pytest.approx(2.0, abs=0.1)
    assert report.measures.slide.speed == pytest.approx(1.0, abs=0.02)


def test_a_slide_in_walking_is_found_where_it_is() -> None:
    motion = shoved("walk", 0, lambda t: 0.08 * np.clip((t - 1.05) / 0.4, 0.0, 1.0))
    worst = check(motion).measures.slide.worst
    assert worst is not None
    assert worst.slide == pytest.approx(0.08, abs=0.01)
    assert (worst.point, worst.start < 1.1, worst.stop > 1.4) == ("left_ball", True, True)


def test_turning_on_the_ball_of_the_foot_is_no_slide() -> None:
    times = np.arange(61) / 60.0
    angle = 1.5 * times
    heel = np.stack([-0.2 * np.sin(angle), 0 * angle, -0.2 * np.cos(angle)], axis=1)
    points = {"left_heel": heel, "left_ball": np.zeros((61, 3))}
    down = dict.fromkeys(points, np.ones(61, dtype=bool))
    assert foot_slide(times, points, down, np.ones(61, dtype=bool)).largest < 1e-9
    alone = {"left_heel": heel}
    assert foot_slide(times, alone, down, np.ones(61, dtype=bool)).largest > 0.2


def test_a_step_that_sinks_is_measured_from_the_floor_of_the_others() -> None:
    motion = shoved("walk", 1, lambda t: -0.08 * bump(t, 1.6, 0.4))
    found = check(motion).measures.penetration
    assert found.ground == pytest.approx(0.0)
    assert found.depth == pytest.approx(0.08, abs=0.005)
    assert found.time == pytest.approx(1.6, abs=0.05)
    assert found.point in ("right_heel", "right_ball", "left_heel", "left_ball")
    assert failed(motion) >= {"floor penetration"}


def test_the_floor_may_be_given() -> None:
    poses = standing(61)
    poses.root[:, 1] -= 0.06
    motion = Motion.from_poses(FIGURE, poses, 60.0)
    assert check(motion).measures.penetration.depth < 0.005
    assert check(motion, ground=Ground.flat()).measures.penetration.depth == pytest.approx(0.06, abs=0.005)


def test_a_knee_that_bends_backwards_is_seen_although_the_figure_is_clamped() -> None:
    def bend(times: np.ndarray, positions: np.ndarray, rotations: np.ndarray) -> None:
        turned(rotations, joint("right_shank"), slice(None), np.radians([-50, 0, 0]) * bump(times, 1.4, 0.3)[:, None])

    before = observe(changed("walk", lambda *_: None)).poses.hinge("right_knee_flexion")
    motion = changed("walk", bend)
    worst = next(entry for entry in check(motion).measures.limits.joints if entry.is_bend)
    assert worst.joint == "right_knee_flexion"
    frame = round(60 * worst.time)
    expected = 50 * bump(np.array([worst.time]), 1.4, 0.3)[0] - 7 - np.degrees(before[frame])
    assert np.degrees(worst.excess) == pytest.approx(expected, abs=5)
    assert worst.time == pytest.approx(1.4, abs=0.2)
    assert "knees and elbows" in failed(motion)
    # the figure itself never leaves its limits
    assert np.degrees(FIGURE.limit_excess(motion.poses)).max() < 0.1


@given(st.integers(0, 10**6))
def test_limits_read_off_segments_are_the_figures_own(seed: int) -> None:
    """A law: with the figure's own poses as segments, the excess of every joint is what the figure says.

    Wrists stay within a right angle, beyond which three angles are the same rotation as three others.
    """
    random = np.random.default_rng(seed)
    poses = Poses.zero(4)
    for k, hinge in enumerate(hinge for part in HUMAN.joints for hinge in part.hinges):
        low, high = hinge.limit.low - 0.2, hinge.limit.high + 0.2
        if "wrist" in hinge.name or "forearm" in hinge.name:
            low, high = 0.7 * low, 0.7 * high
        poses.hinges[:, k] = random.uniform(low, high, 4)
    poses.balls[:] = quaternion.exp(random.normal(0.0, 0.8, (4, len(HUMAN.ball_names), 3)))
    _, world = FIGURE.forward(poses)
    segments = {name: world[:, s] for s, name in enumerate(HUMAN.segments)}
    found = {entry.joint: entry.excess for entry in joint_excess(np.arange(4.0), segments, np.ones(4, bool)).joints}
    expected = FIGURE.limit_excess(poses).max(axis=0)
    for name, excess in zip((*HUMAN.ball_names, *HUMAN.hinge_names), expected, strict=True):
        assert found.get(name, 0.0) == pytest.approx(excess, abs=2e-4), name


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_a_frame_that_jumps_is_named_at_any_rate(fps: float) -> None:
    times = np.arange(round(3 * fps)) / fps
    swing = np.stack([np.sin(6 * times), np.cos(4 * times), 0 * times], axis=1)
    rotations = quaternion.exp(np.stack([0.5 * swing, swing], axis=1))
    hit = round(1.5 * fps)
    rotations[hit, 1] = quaternion.multiply(rotations[hit, 1], quaternion.exp(np.radians([0.0, 40.0, 0.0])))
    root = 0.1 * swing
    root[hit:] += np.array([0.0, 0.0, 0.08])
    everywhere = np.ones(len(times), dtype=bool)
    found = find_jumps(times, ("hips", "arm"), rotations, root, everywhere)
    assert found.turn is not None
    assert (found.turn.joint, found.turn.frame in (hit, hit + 1)) == ("arm", True)
    # the arm turns by at most 7.3 rad/s, and up to 1.5 times what that explains in a frame does not count
    assert 38 - 1.5 * np.degrees(7.3 / fps) < np.degrees(found.turn.size) < 41
    assert found.move is not None
    assert found.move.frame == hit
    assert found.move.size == pytest.approx(0.08, abs=0.01)
    assert found.move.time == pytest.approx(hit / fps)
    nothing = find_jumps(times, ("hips", "arm"), rotations, root, times < 1.2)
    assert nothing.turn is None or np.degrees(nothing.turn.size) < 2


def test_a_velocity_that_changes_at_once_is_a_kink_and_no_jump() -> None:
    times = np.arange(241) / 120.0
    angle = np.where(times < 1.0, 0.0, 3.0 * (times - 1.0))
    rotations = quaternion.exp(angle[:, None, None] * np.array([1.0, 0.0, 0.0]))
    root = np.where(times < 1.0, 0.0, 0.5 * (times - 1.0))[:, None] * np.array([0.0, 0.0, 1.0])
    found = find_jumps(times, ("hips",), rotations, root, np.ones(241, dtype=bool))
    assert found.turn is None or found.turn.size < 1e-9
    assert found.turn_kink is not None
    assert found.turn_kink.size == pytest.approx(3.0, rel=0.01)
    assert found.turn_kink.frame == 120
    assert found.move_kink is not None
    assert found.move_kink.size == pytest.approx(0.5, rel=0.01)


def test_a_jumped_frame_of_a_clip_is_named_by_its_own_joint() -> None:
    def jump(times: np.ndarray, positions: np.ndarray, rotations: np.ndarray) -> None:
        turned(rotations, joint("left_thigh"), slice(100, 101), np.radians([45.0, 0.0, 0.0]))

    report = check(changed("wave", jump))
    assert report.measures.jumps.turn is not None
    assert report.measures.jumps.turn.joint == "left_thigh"
    assert report.measures.jumps.turn.frame in (100, 101)
    assert np.degrees(report.measures.jumps.turn.size) == pytest.approx(45, abs=3)
    assert any("rotation pop" in problem and "left_thigh" in problem for problem in report.problems())


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_a_leap_must_fall_as_things_fall(fps: float) -> None:
    flights = check(leap(9.80665, fps)).measures.flights
    assert len(flights.flights) == 1
    assert flights.rms < 0.1
    assert flights.seconds == pytest.approx(0.5, abs=0.15)
    floating = check(leap(3.0, fps))
    assert floating.measures.flights.worst is not None
    assert floating.measures.flights.worst.rms == pytest.approx(9.80665 - 3.0, abs=0.2)
    assert floating.measures.flights.worst.fall == pytest.approx(3.0, abs=0.2)
    assert 0.6 < floating.measures.flights.worst.start < floating.measures.flights.worst.stop < 1.2
    assert "flight" in {finding.measure for finding in floating.faults}


def test_no_frame_on_the_ground_takes_part_in_a_flight() -> None:
    times = np.arange(100) / 100.0
    height = np.where(times < 0.4, 5.0 * times**2, 1.0 - 4.903325 * (times - 0.6) ** 2)
    centre = np.stack([0 * times, height, 0 * times], axis=1)
    found = ballistic_error(times, centre, times >= 0.4, np.ones(100, dtype=bool))
    assert found.rms < 1e-6


def torque_sizes(*given: Any) -> dict[str, Any]:
    """Return the size of each joint's torque in N m per kg."""
    return {name: np.linalg.norm(moment, axis=1) / FIGURE.mass for name, moment in joint_moments(*given).items()}


def test_standing_ankles_bear_what_statics_says() -> None:
    poses = standing(31)
    seen = observe(Motion.from_poses(FIGURE, poses, 60.0))
    both = {"left": np.ones(31, bool), "right": np.ones(31, bool)}
    torques = torque_sizes(FIGURE, poses, 60.0, both, np.ones(31, bool))
    ankles = [seen.origins[f"{side}_foot"][15, 2] for side in ("left", "right")]
    # what turns the body above the ankles forward, half of it each; feet are 2.7 % of the body
    lever = seen.centre_of_mass[15, 2] - np.mean(ankles)
    total = sum(torques[f"{side}_ankle"][15] for side in ("left", "right"))
    assert total == pytest.approx(9.80665 * lever, rel=0.15)


def test_an_arm_held_out_weighs_what_it_weighs() -> None:
    poses = Poses.zero(31)
    poses.root[:, 1] = 0.9
    feet = {"left": np.ones(31, bool), "right": np.ones(31, bool)}
    torques = torque_sizes(FIGURE, poses, 60.0, feet, np.ones(31, bool))
    build, inertias = FIGURE.build, FIGURE.inertias
    starts = {"left_upper_arm": 0.0, "left_forearm": build.upper_arm, "left_hand": build.upper_arm + build.forearm}
    moment = sum(inertias[part].mass * (at + inertias[part].centre[0]) for part, at in starts.items())
    assert torques["left_shoulder"][15] == pytest.approx(9.80665 * moment / FIGURE.mass, rel=0.01)
    assert torques["right_shoulder"][15] == pytest.approx(torques["left_shoulder"][15], rel=1e-6)


def test_torques_are_unknown_where_something_else_carries_the_body() -> None:
    feet = {"left": np.ones(31, bool), "right": np.ones(31, bool)}
    known = np.arange(31) < 20
    torques = torque_sizes(FIGURE, standing(31), 60.0, feet, known)
    assert np.isnan(torques["left_hip"][20:]).all()
    assert np.isfinite(torques["left_hip"][1:20]).all()


@given(st.integers(0, 10**6), st.floats(20.0, 240.0))
def test_derivatives_of_cubics_are_exact_at_any_rate(seed: int, fps: float) -> None:
    factors = np.random.default_rng(seed).normal(size=4)
    times = np.arange(40) / fps
    values = np.polynomial.polynomial.polyval(times, factors)
    for order in (1, 2, 3):
        exact = np.polynomial.polynomial.polyval(times, np.polynomial.polynomial.polyder(factors, order))
        np.testing.assert_allclose(differentiated(values, 1.0 / fps, order), exact, atol=1e-9 * fps**order)


def test_the_low_pass_keeps_movement_and_drops_noise() -> None:
    times = np.arange(600) / 120.0
    movement, noise = np.sin(2 * np.pi * 1.5 * times), 0.01 * np.sin(2 * np.pi * 40 * times)
    middle = slice(60, -60)
    kept = low_passed(movement + noise, 1 / 120.0)
    np.testing.assert_allclose(kept[middle], movement[middle], atol=0.005)
    np.testing.assert_array_equal(low_passed(movement, 0.1), movement)


@pytest.mark.parametrize("value", [-1.0, float("nan")])
def test_thresholds_are_numbers(value: float) -> None:
    with pytest.raises(ValueError, match="slide_cm"):
        Thresholds(slide_cm=value)


def blended(rotation_share: np.ndarray) -> Motion:
    """Return the built-in walk with 0.6 s between two poses of it that follow this share of the way."""

    def blend(times: np.ndarray, positions: np.ndarray, rotations: np.ndarray) -> None:
        first = round(1.0 * 60)
        inside = slice(first, first + len(rotation_share))
        ends = rotations[inside.start].copy(), rotations[inside.stop].copy()
        rotations[inside] = [quaternion.slerp(*ends, share) for share in rotation_share]

    return changed("walk", blend)


def test_linear_interpolation_is_found_by_its_constant_rates() -> None:
    share = np.arange(36) / 36
    found = check(blended(share)).measures.interpolation
    assert found is not None
    assert (found.start, found.stop) == (pytest.approx(1.0, abs=0.03), pytest.approx(1.6, abs=0.03))
    assert "interpolation" in failed(blended(share))


def test_poses_that_are_held_or_eased_are_no_linear_interpolation() -> None:
    eased = np.arange(36) / 36
    for motion in (blended(eased**2 * (3 - 2 * eased)), Motion.from_poses(FIGURE, standing(61), 60.0)):
        assert "interpolation" not in failed(motion)
    for name in ("walk", "run", "stand", "wave"):
        assert "interpolation" not in failed(clips.motion(name))


def test_a_foot_far_below_a_found_tread_stands_on_the_plane() -> None:
    faces = Ground.boxes([Box((0.0, 0.25, 0.0), (1.0, 0.5, 1.0))]).faces
    heights = np.array([0.45, 0.5, 0.4, -0.01, 0.4, 0.5])
    times = np.arange(len(heights)) / 60.0
    tracks = {"left_heel": heights[:, None] * [0.0, 1.0, 0.0]}
    chosen = np.ones(len(heights), dtype=bool)
    found = ground_penetration(times, tracks, Ground((0.0, 0.0, 0.0), faces, found=True), chosen)
    assert found.depth == pytest.approx(0.05)
    given = ground_penetration(times, tracks, Ground((0.0, 0.0, 0.0), faces), chosen)
    assert given.depth == pytest.approx(0.51)
