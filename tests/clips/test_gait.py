"""Walking and running: symmetric, periodic, at a plausible pace; and in flight nothing but gravity acts."""

from __future__ import annotations

import numpy as np
import pytest

import segue.clips
from segue.body.anthropometry import STANDARD_GRAVITY
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.clips import poses
from segue.clips.gait import Gait
from segue.clips.running import RUN
from segue.clips.walking import WALK
from segue.curves import quaternion

FIGURE = Figure.standard(segue.clips.STATURE)
FPS = segue.clips.FPS

gaits = pytest.mark.parametrize(("name", "gait"), [("walk", WALK), ("run", RUN)])


def low(motion: Poses, side: str) -> np.ndarray:
    """Return whether any point of a foot touches the floor, (T,)."""
    heights = [FIGURE.point(f"{side}_{point}", motion)[:, 1] for point in ("heel", "ball", "toe_tip")]
    return np.min(heights, axis=0) < 5e-5


@gaits
def test_every_stride_is_the_same(name: str, gait: Gait) -> None:
    motion, cycle = poses(name), round(gait.period * FPS)
    assert len(motion) > 2 * cycle
    assert motion.hinges[cycle:] == pytest.approx(motion.hinges[:-cycle], abs=1e-9)
    assert quaternion.angle_between(motion.balls[cycle:], motion.balls[:-cycle]).max() < 1e-7
    assert motion.root[cycle:, :2] == pytest.approx(motion.root[:-cycle, :2], abs=1e-9)
    strides = motion.root[cycle:, 2] - motion.root[:-cycle, 2]
    assert strides == pytest.approx(np.full(len(strides), strides[0]), abs=1e-9)


@gaits
def test_right_does_what_left_did_half_a_stride_before(name: str, gait: Gait) -> None:
    motion, half = poses(name), round(gait.period * FPS / 2)
    mirrored = [HUMAN.hinge_names.index(mirror_name(hinge)) for hinge in HUMAN.hinge_names]
    assert motion.hinges[half:] == pytest.approx(motion.hinges[:-half, mirrored], abs=1e-9)
    reflected = motion.root[:-half] * np.array([-1.0, 1.0, 1.0])
    steps = motion.root[half:] - reflected
    assert steps == pytest.approx(np.tile(steps[0], (len(steps), 1)), abs=1e-9)


@pytest.mark.parametrize(("name", "slow", "fast"), [("walk", 1.2, 1.45), ("run", 3.0, 3.5)])
def test_it_goes_forward_at_a_plausible_pace(name: str, slow: float, fast: float) -> None:
    motion = poses(name)
    speed = np.diff(motion.root[:, 2]) * FPS
    assert slow < speed.mean() < fast
    assert speed.min() > 0.7 * slow
    assert np.abs(motion.root[:, 0]).max() < 0.04


@pytest.mark.parametrize(("name", "least", "most"), [("walk", 0.58, 0.66), ("run", 0.3, 0.4)])
def test_each_foot_is_on_the_floor_for_its_share(name: str, least: float, most: float) -> None:
    motion, gait = poses(name), {"walk": WALK, "run": RUN}[name]
    cycles = round(gait.period * FPS) * 2
    for side in ("left", "right"):
        assert least < low(motion, side)[:cycles].mean() < most


def test_a_walker_always_has_a_foot_on_the_floor_and_a_runner_flies() -> None:
    walk, run = poses("walk"), poses("run")
    assert (low(walk, "left") | low(walk, "right")).all()
    assert 0.2 < (~low(run, "left") & ~low(run, "right")).mean() < 0.35


def test_in_flight_only_gravity_acts() -> None:
    motion = poses("run")
    centre = FIGURE.centre_of_mass(motion)
    acceleration = np.diff(centre, 2, axis=0) * FPS**2
    flying = ~low(motion, "left") & ~low(motion, "right")
    free = flying[:-2] & flying[1:-1] & flying[2:]
    assert free.sum() > 20
    assert acceleration[free] == pytest.approx(np.tile([0.0, -9.81, 0.0], (free.sum(), 1)), abs=1e-3)


def test_the_floor_only_pushes() -> None:
    for name in ("walk", "run"):
        upward = np.diff(FIGURE.centre_of_mass(poses(name))[:, 1], 2) * FPS**2 + STANDARD_GRAVITY
        assert upward.min() > -1e-2, name
        assert upward.mean() == pytest.approx(STANDARD_GRAVITY, rel=0.05)
        assert upward.max() < (2.0 if name == "walk" else 3.0) * STANDARD_GRAVITY


def test_the_walk_keeps_near_the_tables_it_is_made_from() -> None:
    motion, cycle = poses("walk"), round(WALK.period * FPS)
    strike = next(k for k in range(1, len(motion)) if low(motion, "left")[k] and not low(motion, "left")[k - 1])
    at = strike + np.round(np.arange(20) / 20 * cycle).astype(int)
    knee = np.degrees(motion.hinge("left_knee_flexion")[at])
    assert np.abs(knee - np.array(WALK.knee)).mean() < 6.0
    assert np.corrcoef(knee, WALK.knee)[0, 1] > 0.97


def test_the_swinging_foot_clears_the_floor() -> None:
    for name in ("walk", "run"):
        motion = poses(name)
        for side in ("left", "right"):
            air = ~low(motion, side)
            well_up = air.copy()
            for k in range(1, 5):
                well_up[k:] &= air[:-k]
                well_up[:-k] &= air[k:]
            lowest = np.min(
                [FIGURE.point(f"{side}_{point}", motion)[:, 1] for point in ("heel", "ball", "toe_tip")], axis=0
            )
            assert lowest[well_up].min() > 0.002, f"{name}, {side} foot"


def test_arms_swing_against_the_legs() -> None:
    motion = poses("walk")
    hand = FIGURE.point("left_knuckles", motion)[:, 2] - motion.root[:, 2]
    foot = FIGURE.point("left_heel", motion)[:, 2] - motion.root[:, 2]
    assert np.corrcoef(hand, foot)[0, 1] < -0.7
    assert 0.25 < np.ptp(hand) < 0.8
