"""Every built-in clip: within the limits of a body, on the floor, smooth, and the same each time."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import segue.clips
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.clips import poses
from segue.curves import quaternion
from segue.errors import SegueError
from segue.motion.clip import Clip
from segue.motion.retarget import figure_skeleton

FIGURE = Figure.standard(segue.clips.STATURE)
FEET = [f"{side}_{point}" for side in ("left", "right") for point in ("heel", "ball", "toe_tip")]
TOUCH = 5e-5  # metres: a point this near the floor touches it

each_clip = pytest.mark.parametrize("name", segue.clips.NAMES)


@pytest.fixture(scope="module", params=segue.clips.NAMES)
def motion(request: pytest.FixtureRequest) -> Poses:
    return poses(request.param)


def stretches(flags: np.ndarray) -> list[slice]:
    """Return the longest runs of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return [slice(first, last) for first, last in edges.reshape(-1, 2)]


def test_the_seven_clips_are_there() -> None:
    assert {"stand", "walk", "run", "wave", "salute", "reach", "kick"} <= set(segue.clips.NAMES)


@each_clip
def test_a_clip_is_one_to_four_seconds_at_sixty_frames(name: str) -> None:
    clip = segue.clips.clip(name)
    assert isinstance(clip, Clip)
    assert clip.fps == 60.0
    assert 1.0 <= clip.duration <= 4.0
    skeleton = figure_skeleton(FIGURE)
    assert clip.names == skeleton.names == HUMAN.segments
    assert clip.offsets == pytest.approx(skeleton.offsets)


@each_clip
def test_the_clip_is_the_poses(name: str) -> None:
    clip = segue.clips.clip(name)
    positions, rotations = FIGURE.forward(poses(name))
    assert clip.world[0] == pytest.approx(positions, abs=1e-9)
    assert quaternion.angle_between(clip.world[1], rotations).max() < 1e-7


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SegueError, match=r"no built-in clip 'fly'.*kick.*walk"):
        segue.clips.clip("fly")


@each_clip
def test_a_clip_is_made_once_and_always_alike(name: str) -> None:
    assert segue.clips.clip(name) is segue.clips.clip(name)
    digests = set()
    for _ in range(2):
        made = poses(name)
        digests.add(hashlib.sha256(made.root.tobytes() + made.balls.tobytes() + made.hinges.tobytes()).hexdigest())
    assert len(digests) == 1


def test_every_joint_is_within_its_limits(motion: Poses) -> None:
    assert FIGURE.limit_excess(motion).max() < 1e-12


def test_knees_are_never_quite_straight(motion: Poses) -> None:
    for side in ("left", "right"):
        assert np.degrees(motion.hinge(f"{side}_knee_flexion")).min() > 3.0


def test_nothing_sinks_into_the_floor(motion: Poses) -> None:
    for name in FIGURE.points:
        assert FIGURE.point(name, motion)[:, 1].min() > -1e-9, name


def test_what_touches_the_floor_does_not_slide(motion: Poses) -> None:
    touched = 0
    for name in FEET:
        place = FIGURE.point(name, motion)
        for stretch in stretches(place[:, 1] < TOUCH):
            on_floor = place[stretch][:, [0, 2]]
            assert np.ptp(on_floor, axis=0).max() < 2e-3, f"{name} slides in frames {stretch}"
            touched += len(on_floor)
    assert touched > 0.5 * len(motion)


def test_motion_is_smooth(motion: Poses) -> None:
    acceleration = np.abs(np.diff(motion.hinges, 2, axis=0)) * 60.0**2
    assert acceleration.max() < 900.0, HUMAN.hinge_names[acceleration.max(axis=0).argmax()]
    turning = quaternion.log(_steps(motion.balls)) * 60.0
    assert np.abs(np.diff(turning, axis=0) * 60.0).max() < 600.0
    assert np.abs(np.diff(motion.root, 2, axis=0) * 60.0**2).max() < 30.0


def _steps(balls: np.ndarray) -> np.ndarray:
    return quaternion.multiply(quaternion.conjugate(balls[:-1]), balls[1:])


@pytest.mark.parametrize("name", ["wave", "salute", "reach", "kick", "stand"])
def test_gestures_begin_and_end_as_one_stands(name: str) -> None:
    standing, gesture = poses("stand"), poses(name)
    for end in (0, -1):
        assert np.abs(gesture.root[end] - standing.root[0]).max() < 0.012
        assert np.degrees(quaternion.angle_between(gesture.balls[end], standing.balls[0])).max() < 3.0
        assert np.degrees(np.abs(gesture.hinges[end] - standing.hinges[0])).max() < 3.0
    assert np.abs(gesture.hinges[1] - gesture.hinges[0]).max() < 2e-3, "it begins at rest"


@pytest.mark.parametrize("name", ["wave", "salute", "reach", "stand"])
def test_both_feet_stay_where_they_are(name: str) -> None:
    motion = poses(name)
    for point in FEET:
        assert np.ptp(FIGURE.point(point, motion), axis=0).max() < 1e-9


def test_standing_is_alive_but_calm() -> None:
    motion = poses("stand")
    moved = np.ptp(FIGURE.point("head_top", motion), axis=0)
    assert 0.004 < moved.max() < 0.05
    hands = FIGURE.point("left_knuckles", motion)
    assert hands[:, 1].max() < motion.root[:, 1].min(), "arms hang"


def test_the_waving_hand_is_raised_and_goes_to_and_fro() -> None:
    motion = poses("wave")
    hand, head = FIGURE.point("right_knuckles", motion), FIGURE.point("head_top", motion)
    aloft = hand[:, 1] > head[:, 1] - 0.1
    assert aloft.sum() > 50
    sway = np.diff(hand[aloft, 0])
    assert np.count_nonzero(np.diff(np.sign(sway[np.abs(sway) > 1e-4]))) >= 4


def test_the_salute_reaches_the_brow() -> None:
    motion = poses("salute")
    head = HUMAN.segments.index("head")
    positions, rotations = FIGURE.forward(motion)
    brow = positions[:, head] + quaternion.rotate(rotations[:, head], np.array([-0.06, 0.155, 0.085]))
    hand = HUMAN.segments.index("right_hand")
    tips = positions[:, hand] + quaternion.rotate(rotations[:, hand], np.array([-0.17, 0.0, 0.0]))
    assert np.linalg.norm(tips - brow, axis=1).min() < 0.03


def test_the_reach_comes_down_to_table_height() -> None:
    hand = FIGURE.point("right_knuckles", poses("reach"))
    furthest = hand[hand[:, 2].argmax()]
    assert furthest[2] > 0.5
    assert 0.6 < furthest[1] < 0.9


def test_the_kick_whips() -> None:
    motion = poses("kick")
    toe = FIGURE.point("right_toe_tip", motion)
    speed = np.linalg.norm(np.diff(toe, axis=0), axis=1) * 60.0
    assert speed.max() > 6.0
    knee, hip_first = motion.hinge("right_knee_flexion"), FIGURE.point("right_toe_tip", motion)[:, 2]
    assert np.degrees(knee[hip_first.argmax()]) < 45.0
    for point in ("left_heel", "left_ball", "left_toe_tip"):
        assert np.ptp(FIGURE.point(point, motion), axis=0).max() < 1e-9, "the other foot stands"
