"""The push that a motion needs from the ground, and how much of it the feet in contact can give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.curves.sampled import low_passed
from segue.dynamics import GRAVITY
from segue.motion.motion import Motion
from segue.plausibility import Severity, check, observe
from segue.plausibility.push import body_wrench
from tests.mocap import MOCAP, needs_mocap

FPS = 60.0
WRONG_RATE = ("charleston_93_03", "jump_distance_143_05", "salsa_60_01", "salsa_61_01")
"""Clips that were captured at 60 Hz and are marked 120: their jumps fall at four times gravity."""


def standing(heights: np.ndarray, speed: float = 0.0) -> Motion:
    """Return a body in one pose whose root is at heights (T,) above where it stands and moves ahead, in m/s."""
    figure, pose = sg.clips.stand.figure, sg.clips.stand.poses[:1]
    count = len(heights)
    root = np.repeat(pose.root, count, axis=0)
    root[:, 1] += heights
    root[:, 2] += speed * np.arange(count) / FPS
    return Motion.from_poses(
        figure, Poses(root, np.repeat(pose.balls, count, 0), np.repeat(pose.hinges, count, 0)), FPS
    )


def test_a_body_at_rest_asks_for_its_weight_which_its_feet_give() -> None:
    seen = observe(standing(np.zeros(60)))
    needed = seen.push.wrench.needed()
    assert needed[:, :3] == pytest.approx(np.broadcast_to([0.0, -GRAVITY[1], 0.0], (len(needed), 3)), abs=1e-6)
    assert np.nanmax(seen.push.unexplained) < 1e-6
    pressure = seen.push.centre_of_pressure()
    assert pressure[:, [0, 2]] == pytest.approx(seen.push.wrench.centre[:, [0, 2]], abs=1e-6)


def test_nothing_carries_a_body_that_hangs_in_the_air() -> None:
    report = check(standing(np.full(60, 0.6), speed=1.0), ground=sg.Ground.flat())
    assert report.measures.push.largest == pytest.approx(-GRAVITY[1], rel=1e-3)
    assert next(finding for finding in report.findings if finding.option == "push").severity is Severity.SUSPICIOUS


def test_free_fall_asks_for_no_push() -> None:
    times = np.arange(60) / FPS
    heights = 1.0 + 2.0 * times + 0.5 * GRAVITY[1] * times**2
    seen = observe(standing(heights), sg.Ground.flat(-5.0))
    inner = seen.push.unexplained[15:45]
    assert np.max(inner) < 0.05


def test_force_is_the_rate_of_momentum_of_all_segments() -> None:
    walk = sg.clips.walk
    figure, poses = walk.figure, walk.poses
    wrench = body_wrench(figure, poses, walk.fps)
    centre = figure.centre_of_mass(poses)
    inner = (wrench.frames > 20) & (wrench.frames < len(poses) - 20)
    frames = wrench.frames[inner]
    smooth = low_passed(centre, 1.0 / walk.fps)
    expected = (smooth[frames + 1] - 2 * smooth[frames] + smooth[frames - 1]) * walk.fps**2
    # filtering joints and filtering their centre of mass differ a little
    assert np.sqrt(np.mean((wrench.force[inner] - expected) ** 2)) < 0.15


def test_a_walk_played_slowly_stays_explained_and_the_run_played_twice_too_fast_is_recognised() -> None:
    run = sg.repeat(sg.make_loop(sg.clips.walk), 4).to_clip()
    assert observe(Motion.from_clip(run)).push.probable_speed() is None
    fast = Motion.from_clip(run.at_rate(3.0 * run.fps))
    assert observe(fast).push.probable_speed() in (2.0, 4.0)


@needs_mocap
@pytest.mark.parametrize("clip", sorted((MOCAP / "cmu").glob("*.bvh")), ids=lambda path: path.stem)
def test_wrong_frame_rates_are_found_and_right_ones_are_not_doubted(clip: Path) -> None:
    report = check(sg.load(clip))
    speed = report.measures.push.speed
    if clip.stem in WRONG_RATE:
        assert speed == 2.0
        assert any(
            finding.option == "rate" and "probably wrong (2.0 times)" in finding.where for finding in report.findings
        )
        slower = check(sg.load(clip, fps=60.0))
        assert slower.measures.push.speed is None
    else:
        assert speed is None
