"""The added T pose: found where it was put before the motion, never where someone really stood like that."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.roles import find_roles
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.io import read
from segue.motion.clip import Clip
from segue.motion.resample import resample
from segue.motion.take import at_rate
from segue.motion.tpose import added_frames
from tests.body.humanoids import PEOPLE
from tests.mocap import MOCAP, needs_mocap


def with_first(clip: Clip, first: Array, positions: Array | None = None) -> Clip:
    """Return the clip with frames of local rotations (F, J, 4) put before it."""
    where = np.tile(clip.offsets, (len(first), 1, 1)) if positions is None else positions
    return Clip.on(
        clip.skeleton, np.concatenate([where, clip.positions]), np.concatenate([first, clip.rotations]), clip.fps
    )


@pytest.mark.parametrize("person", ["lafan1", "cmu", "xsens", "smpl", "no neck, no clavicles, no toes"])
@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_an_added_tpose_is_found_at_any_rate(person: str, fps: float) -> None:
    clip = PEOPLE[person].walking(frames=int(3 * fps), fps=fps)
    roles = find_roles(clip.skeleton)
    assert not added_frames(clip, roles)
    tpose = quaternion.identity(1, len(clip.skeleton))
    assert added_frames(with_first(clip, tpose), roles) == 1


@pytest.mark.parametrize("fps", [25.0, 50.0, 120.0])
def test_an_added_tpose_stays_one_frame_at_any_rate(fps: float) -> None:
    clip = PEOPLE["cmu"].walking(frames=90, fps=30.0)
    whole = with_first(clip, quaternion.identity(1, len(clip.skeleton)))
    changed, alone = at_rate(whole, fps), resample(clip, fps)
    assert len(changed) == len(alone) + 1
    np.testing.assert_array_equal(changed.rotations[0], whole.rotations[0])
    # a curve through the jump would ring for several frames
    np.testing.assert_array_equal(changed.rotations[1:], alone.rotations)
    assert added_frames(changed, find_roles(clip.skeleton)) == 1


def test_what_is_no_person_changes_its_rate_too() -> None:
    turns = quaternion.exp(np.linspace(0.0, 1.0, 5)[:, None, None] * np.ones((1, 2, 3)))
    crane = Clip(["base", "arm"], [-1, 0], np.ones((2, 3)), np.ones((5, 2, 3)), turns, 10.0)
    assert len(at_rate(crane, 20.0)) == 9


def test_an_added_tpose_is_found_in_any_axes() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    clip = with_first(clip, quaternion.identity(1, len(clip.skeleton)))
    rotations = clip.rotations.copy()
    rotations[:, 0] = quaternion.multiply(quaternion.exp(np.array([np.pi / 2, 0, 0])), rotations[:, 0])
    assert added_frames(Clip.on(clip.skeleton, clip.positions.copy(), rotations, clip.fps), roles)


def test_the_rest_pose_after_an_added_tpose_is_added_too() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    rest = quaternion.identity(2, len(clip.skeleton))
    for side, sign in ((roles.left, 1.0), (roles.right, -1.0)):
        rest[1, side.thigh] = quaternion.exp(np.array([0.0, 0.0, sign * 0.35]))
    assert added_frames(with_first(clip, rest), roles) == 2


def test_a_clip_that_moves_out_of_a_tpose_has_none_added() -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    share = np.linspace(0.0, 1.0, 20)[:, None] ** 2
    start = quaternion.identity(20, len(clip.skeleton))
    blend = quaternion.slerp(
        start, np.broadcast_to(clip.rotations[0], start.shape), np.broadcast_to(share, start.shape[:2])
    )
    honest = with_first(clip, blend, np.tile(clip.positions[0], (20, 1, 1)))
    assert not added_frames(honest, roles)
    held = with_first(honest, np.tile(honest.rotations[:1], (30, 1, 1)), np.tile(honest.positions[:1], (30, 1, 1)))
    assert not added_frames(held, roles)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_too_few_frames_have_none(frames: int) -> None:
    skeleton = PEOPLE["lafan1"].skeleton()
    positions = np.tile(skeleton.offsets, (frames, 1, 1))
    clip = Clip.on(skeleton, positions, quaternion.identity(frames, len(skeleton)), 30.0)
    assert added_frames(clip, find_roles(skeleton)) == 0


@pytest.mark.parametrize("joint", ["left_forearm", "left_upper_arm", "right_shin", "left_thigh"])
def test_a_pose_that_is_not_a_tpose_is_not_taken_for_one(joint: str) -> None:
    clip = PEOPLE["lafan1"].walking()
    roles = find_roles(clip.skeleton)
    pose = quaternion.identity(1, len(clip.skeleton))
    pose[0, roles.limbs()[joint]] = quaternion.exp(np.array([0.5, 0.0, 0.6]))
    assert not added_frames(with_first(clip, pose), roles)


@needs_mocap
@pytest.mark.mocap
def test_real_clips() -> None:
    """CMU files begin with an added T pose; LAFAN1 actors really stand nearly like that before they move."""
    for path in sorted(MOCAP.glob("*/*.bvh")):
        clip = read(path)
        roles = find_roles(clip.skeleton)
        added = added_frames(clip, roles)
        assert (added > 0) == (path.parent.name == "cmu"), path.name
        if added:
            motion = Clip.on(clip.skeleton, clip.positions[added:].copy(), clip.rotations[added:].copy(), clip.fps)
            assert not added_frames(motion, roles), path.name
            # four frames in five thrown away: 24 a second
            kept = np.r_[0, np.arange(added, len(clip), 5)]
            slow = Clip.on(clip.skeleton, clip.positions[kept], clip.rotations[kept], clip.fps / 5)
            assert added_frames(slow, roles), path.name
    # a T pose and then the rest pose
    clip = read(next(MOCAP.glob("cmu/walk_brisk_07_12.bvh")))
    assert added_frames(clip, find_roles(clip.skeleton)) == 2
