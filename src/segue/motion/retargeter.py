"""The map between poses of the figure and frames of the user's skeleton.

The figure predicts each joint of a clip: the joint turns with a segment up to a constant rotation, or, along spine and
neck, with a mixture of the segments below and above. The residual is the rotation from the prediction to the clip, for
every joint and frame. The same poses with the same residuals give the clip back. New poses with residuals that change
smoothly give frames of the user's skeleton.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import Hinge
from segue.body.roles import Roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.motion._retarget_kernels import Joints, PoseArrays, residual_frames, skeleton_frames
from segue.motion.calibrate import Calibration
from segue.motion.clip import Clip
from segue.motion.fit import Fit
from segue.motion.functions import IDENTITY, Placement
from segue.motion.space import Space
from segue.typing import Array, Ints

_LEAST_TWIST = np.radians(2.0)


@dataclass(frozen=True, eq=False)
class Residual:
    """The part of a clip that the figure cannot express.

    turns: (T, J, 4) for a joint that the figure predicts, the rotation from the prediction to the clip; for any other,
    its rotation in its parent's frame. pelvis_offset: (T, 3) the pelvis joint in the figure's pelvis frame, m.
    positions: (T, J, 3) local, as in the clip; the pelvis's are not used.
    """

    turns: Array
    pelvis_offset: Array
    positions: Array


@dataclass(frozen=True, eq=False)
class _Prediction:
    """A joint's rotation as a mixture of two segments' rotations, followed by a constant turn.

    untwisted: a hinge that turns the segment about its length, and the share of its angle that the joint does not
    follow.
    """

    below: int
    above: int
    fraction: float
    constant: Array
    untwisted: tuple[Hinge, float] | None = None


class Retargeter:
    """Maps poses of the figure to frames of one clip's skeleton, and back to residuals."""

    def __init__(self, clip: Clip, roles: Roles, space: Space, fit: Fit) -> None:
        self._skeleton = clip.skeleton
        self._pelvis = roles.pelvis
        self._space = space
        self._figure: Figure = fit.figure
        self._predictions = _predictions(roles, fit.calibration)
        for name in ("left", "right"):
            self._share_pronation(name, clip, fit)

    def _share_pronation(self, name: str, clip: Clip, fit: Fit) -> None:
        """Find the share of the forearm's twist that its bone follows: all in some skeletons, none in most.

        The rest would otherwise be a residual that moves as fast as the hand and does not fit other motions.
        """
        joint = fit.calibration.turns[f"{name}_forearm"][0]
        hinge = next(hinge for hinge in HUMAN.hinges if hinge.name == f"{name}_forearm_pronation")
        angles = fit.poses.hinge(hinge.name)
        spread = float(np.var(angles))
        if spread < _LEAST_TWIST**2:
            return
        segment = self._figure.forward(fit.poses)[1][:, HUMAN.segments.index(f"{name}_forearm")]
        turned = quaternion.multiply(
            self._space.turn(clip.world[1][:, joint]), quaternion.conjugate(self._predictions[joint].constant)
        )
        # the segment's frame, in which the hinge's axis lies along the bone
        residual = quaternion.multiply(quaternion.conjugate(segment), turned)
        twist = np.unwrap(quaternion.twists(residual, hinge.axis))
        slope = float(np.cov(twist, angles, bias=True)[0, 1]) / spread
        share = float(np.clip(-slope, 0.0, 1.0))
        if share > 0:
            self._predictions[joint] = replace(self._predictions[joint], untwisted=(hinge, share))

    @cached_property
    def joints_of_track(self) -> dict[str, Ints]:
        """The skeleton's joints that each track moves: its segment's, and their descendants without a prediction."""
        tracks: list[str] = []
        for j, parent in enumerate(self._skeleton.parents):
            if j in self._predictions:
                joint = HUMAN.joints[self._predictions[j].above]
                tracks.append(joint.name if joint.ball else joint.hinges[-1].name)
            else:
                tracks.append(tracks[parent] if parent >= 0 else "root")
        return {track: np.flatnonzero([each == track for each in tracks]) for track in dict.fromkeys(tracks)}

    @cached_property
    def _joints(self) -> Joints:
        """The predictions as arrays for the kernels."""
        count = len(self._skeleton)
        known = [self._predictions.get(j) for j in range(count)]
        untwisted = [prediction.untwisted if prediction else None for prediction in known]
        return Joints(
            parents=np.array(self._skeleton.parents),
            below=np.array([prediction.below if prediction else -1 for prediction in known]),
            above=np.array([prediction.above if prediction else -1 for prediction in known]),
            fraction=np.array([prediction.fraction if prediction else 0.0 for prediction in known]),
            hinge=np.array([HUMAN.hinge_names.index(each[0].name) if each else -1 for each in untwisted]),
            share=np.array([each[1] if each else 0.0 for each in untwisted]),
            constant=np.array([prediction.constant if prediction else quaternion.identity() for prediction in known]),
            pelvis=self._pelvis,
            scale=float(self._space.scale),
            upright=self._space.rotation,
        )

    @cached_property
    def unmapped_roots(self) -> Ints:
        """Root joints that the figure does not predict, such as a root above the pelvis."""
        roots = root_joints(self._skeleton)
        return roots[[j not in self._predictions for j in roots.tolist()]]

    def placed(self, residual: Residual, placement: Placement) -> Residual:
        """Return the residual after a move on the floor, which changes the unmapped roots alone."""
        if placement == IDENTITY or len(self.unmapped_roots) == 0:
            return residual
        moved = move_joints(residual.positions, residual.turns, self.unmapped_roots, placement, self._space)
        return Residual(moved[1], residual.pelvis_offset, moved[0])

    def residual(self, positions: Array, rotations: Array, poses: Poses) -> Residual:
        """Return the residual of poses against as many frames of the skeleton, local (T, J, 3) and (T, J, 4)."""
        local = kernel_array(positions), kernel_array(rotations)
        turns, pelvis_offset = residual_frames(self._joints, self._figure.tree, _arrays(poses), *local)
        return Residual(turns, pelvis_offset, local[0])

    def to_skeleton(self, poses: Poses, residual: Residual) -> tuple[Array, Array]:
        """Return local positions (T, J, 3) and rotations (T, J, 4) of the user's skeleton, in its units and axes."""
        parts = kernel_array(residual.turns), kernel_array(residual.pelvis_offset), kernel_array(residual.positions)
        positions, rotations = skeleton_frames(self._joints, self._figure.tree, _arrays(poses), *parts)
        return positions, rotations


class SkeletonSource(ABC):
    """A source with a residual: it can be written on a user's skeleton as its clip was."""

    @property
    @abstractmethod
    def skeleton(self) -> Skeleton:
        """The joints that the residual is for."""

    @property
    @abstractmethod
    def retargeter(self) -> Retargeter:
        """The map from poses of the figure to the skeleton."""

    @abstractmethod
    def residual_at(self, times: Array) -> Residual:
        """Return the residual at times of the source."""


def move_joints(
    positions: Array, rotations: Array, joints: Ints, placement: Placement, space: Space
) -> tuple[Array, Array]:
    """Return local positions (T, J, 3) and rotations (T, J, 4) after root joints were moved on the floor."""
    positions, rotations = positions.copy(), rotations.copy()
    positions[:, joints] = space.from_metres(placement.moved(space.to_metres(positions[:, joints])))
    turned = quaternion.multiply(placement.rotation, space.turn(rotations[:, joints]))
    rotations[:, joints] = space.turn_back(turned)
    return positions, rotations


def root_joints(skeleton: Skeleton) -> Ints:
    """Return the joints that have no parent."""
    return np.flatnonzero(np.array(skeleton.parents) < 0)


def _arrays(poses: Poses) -> PoseArrays:
    return kernel_array(poses.root), kernel_array(poses.balls), kernel_array(poses.hinges)


def _predictions(roles: Roles, calibration: Calibration) -> dict[int, _Prediction]:
    """Return the prediction of each joint with a role."""
    predictions = {}
    for segment, (joint, constant) in calibration.turns.items():
        s = HUMAN.segments.index(segment)
        predictions[joint] = _Prediction(s, s, 0.0, quaternion.conjugate(constant))
    chains = (
        (roles.spine[:-1], "pelvis", "torso"),
        (roles.neck, "torso", "head"),
    )
    for joints, below, above in chains:
        for k, joint in enumerate(joints):
            fraction = (k + 1) / (len(joints) + 1)
            predictions[joint] = _Prediction(
                HUMAN.segments.index(below), HUMAN.segments.index(above), fraction, quaternion.identity()
            )
    return predictions
