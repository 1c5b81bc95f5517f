"""The fit on every family of skeleton: joints where that family has them, in a T pose at rest or in no pose at all."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.human import HUMAN
from segue.body.roles import find_roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.motion.reference import segment_joints
from tests.body.humanoids import PEOPLE
from tests.motion.test_fit import smooth_poses


def dancing(skeleton: Skeleton, seed: int) -> sg.Clip:
    """Return the skeleton turning joint by joint as a figure does; joints without a part keep still."""
    figure = sg.Figure.standard()
    poses = smooth_poses(figure, 90, seed)
    _, segments = figure.forward(poses)
    roles = find_roles(skeleton)
    segment_of = {joint: HUMAN.segments.index(name) for name, joint in segment_joints(roles).items()}
    rotations = quaternion.identity(90, len(skeleton))
    world = quaternion.identity(90, len(skeleton))
    for j, parent in enumerate(skeleton.parents):
        before = quaternion.identity(90) if parent < 0 else world[:, parent]
        world[:, j] = segments[:, segment_of[j]] if j in segment_of else before
        rotations[:, j] = quaternion.multiply(quaternion.conjugate(before), world[:, j])
    positions = np.tile(skeleton.offsets, (90, 1, 1))
    positions[:, roles.pelvis] += poses.root - [0.0, 0.95, 0.0]
    return sg.Clip.from_arrays(skeleton, positions, rotations, 60.0)


def with_other_frames(clip: sg.Clip, seed: int) -> sg.Clip:
    """Return the same motion with every joint's own frame turned at random, so that the rest pose means nothing."""
    rng = np.random.default_rng(seed)
    turns = quaternion.normalise(rng.normal(size=(len(clip.skeleton), 4)))
    offsets, positions, rotations = np.array(clip.offsets), clip.positions.copy(), clip.rotations.copy()
    for j, parent in enumerate(clip.parents):
        before = quaternion.identity() if parent < 0 else turns[parent]
        back = quaternion.conjugate(before)
        if parent >= 0:
            offsets[j] = quaternion.rotate(back, offsets[j])
            positions[:, j] = quaternion.rotate(back, positions[:, j])
        rotations[:, j] = quaternion.multiply(quaternion.multiply(back, rotations[:, j]), turns[j])
    return sg.Clip(clip.names, clip.parents, offsets, positions, rotations, clip.fps)


@pytest.mark.parametrize("name", PEOPLE)
def test_every_family_is_followed(name: str) -> None:
    clip = dancing(PEOPLE[name].skeleton(), 7)
    motion = sg.Motion.from_clip(clip)
    report = motion.report()
    assert report.mean_cm < 1.0
    assert report.p95_cm < 2.5
    assert report.jumps == 0
    positions, rotations = motion.clip_source.retargeter.to_skeleton(motion.poses, motion.clip_source.residual)
    np.testing.assert_allclose(positions, clip.positions, atol=1e-9)
    assert quaternion.angle_between(rotations, clip.rotations).max() < 1e-6


@pytest.mark.parametrize("name", list(PEOPLE)[:6])
def test_joint_frames_may_lie_anyhow(name: str) -> None:
    clip = with_other_frames(dancing(PEOPLE[name].skeleton(), 8), 9)
    report = sg.Motion.from_clip(clip).report()
    assert report.mean_cm < 1.2
    assert report.p95_cm < 3.0
    assert report.jumps == 0
