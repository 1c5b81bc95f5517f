"""The fit: exact on the figure's own motion, close on real clips, within limits, continuous."""

from __future__ import annotations

import numpy as np
import pytest

from segue import clips
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.io import read
from segue.motion._figure_kernels import empty_pose, empty_work, forward, solve
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.motion.retarget import figure_clip
from segue.typing import Array
from tests.mocap import mocap_file, needs_mocap


def smooth_poses(figure: Figure, frames: int, seed: int, size: float = 0.35) -> Poses:
    """Return a wandering motion within the limits: sums of slow waves, limbs bent as limbs are."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, frames)[:, None]

    def waves(count: int) -> Array:
        phases, rates = rng.uniform(0, 6, (2, 3, count)), rng.uniform(1, 9, (3, count))
        return sum(np.sin(rates[k] * t + phases[0, k]) for k in range(3)) / 3

    poses = Poses.zero(frames)
    poses.root[:] = [0.0, 0.95, 0.0] + 0.3 * waves(3)
    poses.balls[:] = quaternion.exp(size * waves(3 * len(HUMAN.ball_names)).reshape(frames, len(HUMAN.ball_names), 3))
    poses.hinges[:] = size * waves(len(HUMAN.hinge_names))
    for name in HUMAN.hinge_names:
        if name.endswith(("knee_flexion", "elbow_flexion")):
            poses.hinge(name)[:] += 0.8
    balls = [joint.ball.clamp(poses.ball(joint.name)) for joint in HUMAN.joints if joint.ball]
    limits = [hinge.limit.clamp(poses.hinge(hinge.name)) for hinge in HUMAN.hinges]
    return Poses(poses.root, np.stack(balls, axis=1), np.stack(limits, axis=1))


def test_the_compiled_kinematics_agree_with_the_plain_ones() -> None:
    figure = Figure.standard()
    poses = smooth_poses(figure, 5, 1, size=1.0)
    pose = empty_pose(len(HUMAN.segments), 44, len(HUMAN.ball_names), len(HUMAN.hinge_names))
    positions, rotations = figure.forward(poses)
    for t in range(5):
        pose.root[:], pose.balls[:], pose.hinges[:] = poses.root[t], poses.balls[t], poses.hinges[t]
        forward(figure.tree, pose)
        np.testing.assert_allclose(pose.positions, positions[t], atol=1e-12)
        np.testing.assert_allclose(pose.matrices, quaternion.to_matrix(rotations[t]), atol=1e-12)


def test_the_tree_solve_agrees_with_a_dense_one() -> None:
    rng = np.random.default_rng(2)
    matrix = np.zeros((44, 44))
    for last in range(44):
        path = [last]
        while HUMAN.dof_parents[path[-1]] >= 0:
            path.append(int(HUMAN.dof_parents[path[-1]]))
        rows = rng.normal(size=(3, len(path)))
        matrix[np.ix_(path, path)] += rows.T @ rows
    matrix += 0.1 * np.eye(44)
    work = empty_work(44)
    rhs = rng.normal(size=44)
    work.normal[:], work.rhs[:] = matrix, rhs
    solve(Figure.standard().tree, 0.05, work)
    np.testing.assert_allclose(work.rhs, np.linalg.solve(matrix + 0.05 * np.eye(44), rhs), rtol=1e-9)


@pytest.mark.parametrize("stature", [1.5, 1.9])
def test_the_figures_own_motion_is_found_again(stature: float) -> None:
    figure = Figure.standard(stature)
    poses = smooth_poses(figure, 200, 3)
    motion = Motion.from_clip(figure_clip(figure, poses, 60.0))
    report = motion.report()
    assert report.mean_cm < 0.3
    assert report.max_cm < 1.5
    assert motion.figure.build.thigh == pytest.approx(figure.build.thigh, rel=1e-6)
    assert motion.figure.build.upper_arm == pytest.approx(figure.build.upper_arm, rel=1e-6)
    for hinge in ("left_knee_flexion", "right_elbow_flexion"):
        difference = np.degrees(np.abs(motion.poses.hinge(hinge) - poses.hinge(hinge)))
        assert np.percentile(difference, 95) < 3.0, hinge


def test_any_placing_in_the_world_gives_the_same_body() -> None:
    figure = Figure.standard()
    poses = smooth_poses(figure, 90, 4)
    turn = quaternion.exp(np.array([0.0, 2.1, 0.0]))
    balls = poses.balls.copy()
    balls[:, 0] = quaternion.multiply(turn, balls[:, 0])
    moved = Poses(quaternion.rotate(turn, poses.root) + np.array([3.0, 0.0, -7.0]), balls, poses.hinges)
    here = Motion.from_clip(figure_clip(figure, poses, 60.0)).poses
    there = Motion.from_clip(figure_clip(figure, moved, 60.0)).poses
    np.testing.assert_allclose(here.hinges, there.hinges, atol=1e-3)
    assert quaternion.angle_between(here.balls[:, 1:], there.balls[:, 1:]).max() < 1e-3


@pytest.mark.filterwarnings("ignore:the body is along")
@pytest.mark.parametrize("turn", [(-90.0, 0.0, 0.0), (0.0, 0.0, 90.0), (90.0, 0.0, 40.0)])
def test_who_never_stands_has_the_same_body(turn: tuple[float, float, float]) -> None:
    # no rest pose to go by: every joint's frame is turned some way of its own
    clip = clips.clip("walk")
    frames = quaternion.exp(np.random.default_rng(7).normal(size=(len(clip.names), 3)))
    above = np.stack([quaternion.identity() if p < 0 else frames[p] for p in clip.parents])
    back = quaternion.conjugate(above)
    rotations = quaternion.multiply(quaternion.multiply(back, clip.rotations), frames)
    positions, offsets = quaternion.rotate(back, clip.positions), quaternion.rotate(back, clip.offsets)
    standing = Motion.from_clip(Clip(clip.names, clip.parents, offsets, positions, rotations, clip.fps), up="Y")
    laid = quaternion.exp(np.radians(turn))
    positions[:, 0] = quaternion.rotate(laid, positions[:, 0])
    rotations[:, 0] = quaternion.multiply(laid, rotations[:, 0])
    lying = Motion.from_clip(Clip(clip.names, clip.parents, offsets, positions, rotations, clip.fps), up="Y")
    here, there = standing.figure.build, lying.figure.build
    for part in ("lower_back", "neck", "clavicle", "shoulder"):
        np.testing.assert_allclose(getattr(there, part), getattr(here, part), atol=0.03)
    assert lying.report().mean_cm < 0.5


REPRESENTATIVE = [
    "walk_07_01",
    "run_09_01",
    "dive_roll_127_23",
    "dance_pirouette_05_11",
    "soccer_kick_10_03",
    "salsa_60_01",
    "ground1_subject1",
    "fallAndGetUp1_subject4",
    "dance1_subject2",
]


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", REPRESENTATIVE)
def test_real_clips_are_followed_closely_within_limits_and_without_jumps(name: str) -> None:
    motion = Motion.from_clip(read(mocap_file(name)))
    report = motion.report()
    assert report.mean_cm < 1.0
    assert report.p95_cm < 2.5
    assert motion.figure.limit_excess(motion.poses).max() < 1e-6
    assert report.jumps == 0
    assert (np.sum(motion.poses.balls[1:] * motion.poses.balls[:-1], axis=-1) > 0).all()


@needs_mocap
@pytest.mark.mocap
def test_the_same_clip_gives_the_same_bytes() -> None:
    clip = read(mocap_file("run_09_01"))
    first, second = Motion.from_clip(clip).poses, Motion.from_clip(clip).poses
    assert first.hinges.tobytes() == second.hinges.tobytes()
    assert first.balls.tobytes() == second.balls.tobytes()


def test_one_frame_is_enough() -> None:
    figure = Figure.standard()
    motion = Motion.from_clip(figure_clip(figure, smooth_poses(figure, 1, 5), 30.0))
    assert motion.report().max_cm < 2.0
    assert len(motion.at(0.0)) == 1


def test_progress_is_told() -> None:
    figure = Figure.standard()
    heard: list[tuple[int, int]] = []
    Motion.from_clip(figure_clip(figure, smooth_poses(figure, 1100, 6), 60.0)).fit(
        lambda done, of: heard.append((done, of))
    )
    assert heard[-1] == (1100, 1100)
    assert len(heard) > 1
