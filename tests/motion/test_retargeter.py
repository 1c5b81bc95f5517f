"""The compiled way back to the user's skeleton, against the same written out in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.curves import quaternion
from segue.motion.retargeter import Residual, Retargeter
from segue.typing import Array
from tests.body.humanoids import PEOPLE
from tests.motion.test_families_fit import dancing, with_other_frames
from tests.motion.test_fit import smooth_poses
from tests.motion.test_motion import in_centimetres_z_up, wandering


def dressed(carry: Retargeter, poses: Poses, residual: Residual) -> tuple[Array, Array]:
    """Return local positions and rotations joint by joint: predictions of the figure, then residuals."""
    joints, space = carry._joints, carry._space
    origins, segments = carry._figure.forward(poses)
    pelvis_offset = origins[:, 0] + quaternion.rotate(segments[:, 0], residual.pelvis_offset)
    positions, rotations = residual.positions.copy(), residual.turns.copy()
    places, turns = np.empty_like(positions), np.empty_like(rotations)
    for j, parent in enumerate(joints.parents):
        base = np.zeros((len(poses), 3)) if parent < 0 else places[:, parent]
        before = quaternion.identity(len(poses)) if parent < 0 else turns[:, parent]
        back = quaternion.conjugate(before)
        if joints.below[j] >= 0:
            expected = quaternion.slerp(segments[:, joints.below[j]], segments[:, joints.above[j]], joints.fraction[j])
            if joints.hinge[j] >= 0:
                untwisted = -joints.share[j] * poses.hinges[:, joints.hinge[j], None]
                axis = carry._figure.tree.axes[joints.hinge[j]]
                expected = quaternion.multiply(expected, quaternion.exp(untwisted * axis))
            expected = quaternion.multiply(quaternion.multiply(expected, joints.constant[j]), residual.turns[:, j])
            rotations[:, j] = quaternion.multiply(back, space.turn_back(expected))
        if j == joints.pelvis:
            positions[:, j] = quaternion.rotate(back, space.from_metres(pelvis_offset) - base)
        turns[:, j] = quaternion.multiply(before, rotations[:, j])
        places[:, j] = base + quaternion.rotate(before, positions[:, j])
    return positions, rotations


CLIPS = {
    "centimetres, Z up": lambda: in_centimetres_z_up(wandering()),
    **{name: lambda name=name: dancing(PEOPLE[name].skeleton(), 3) for name in list(PEOPLE)[:5]},
    "frames anyhow": lambda: with_other_frames(dancing(next(iter(PEOPLE.values())).skeleton(), 3), 4),
}


@pytest.mark.parametrize("name", CLIPS)
def test_dressing_is_prediction_and_residual_joint_by_joint(name: str) -> None:
    take = sg.Motion.from_clip(CLIPS[name]()).clip_source
    poses = smooth_poses(take.figure, 20, 5)
    rng = np.random.default_rng(6)
    joints = len(take.clip.skeleton)
    turns = quaternion.exp(rng.normal(scale=0.5, size=(20, joints, 3)))
    residual = Residual(turns, rng.normal(scale=0.05, size=(20, 3)), take.clip.positions[:20])
    found, expected = take.retargeter.to_skeleton(poses, residual), dressed(take.retargeter, poses, residual)
    scale = 1.0 / take.space.scale
    np.testing.assert_allclose(found[0], expected[0], rtol=0, atol=1e-12 * scale)
    assert quaternion.angle_between(found[1], expected[1]).max() < 1e-12
    # and the residual of what was dressed is what it was dressed with
    again = take.retargeter.residual(*found, poses)
    assert quaternion.angle_between(again.turns, turns).max() < 1e-12
    np.testing.assert_allclose(again.pelvis_offset, residual.pelvis_offset, atol=1e-12)


def test_the_figure_stands_as_its_joints_say() -> None:
    figure = sg.Figure.standard()
    poses = smooth_poses(figure, 12, 8)
    tree = figure.tree
    positions, rotations = figure.forward(poses)
    for s, parent in enumerate(tree.parents):
        local = quaternion.identity(12) if tree.balls[s] < 0 else poses.balls[:, tree.balls[s]]
        for h in range(*tree.hinges[s]):
            local = quaternion.multiply(local, quaternion.exp(poses.hinges[:, h, None] * tree.axes[h]))
        if parent < 0:
            np.testing.assert_array_equal(positions[:, s], poses.root)
            assert quaternion.angle_between(rotations[:, s], local).max() < 1e-12
        else:
            turned = quaternion.rotate(rotations[:, parent], tree.offsets[s])
            np.testing.assert_allclose(positions[:, s], positions[:, parent] + turned, atol=1e-12)
            expected = quaternion.multiply(rotations[:, parent], local)
            assert quaternion.angle_between(rotations[:, s], expected).max() < 1e-12
