"""The figure as a tree for the dynamics: 44 sliders and hinges, ball joints in charts about a reference pose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import BALL_JOINTS, DOF_NAMES, HINGE_NAMES, JOINTS, SEGMENT_PARENTS
from segue.curves import quaternion
from segue.curves.chart import EulerChart
from segue.curves.quaternion import Array
from segue.dynamics.tree import Tree
from segue.errors import ArgumentError

__all__ = ["FigureTree"]

_BALL_COLUMNS = np.array([[DOF_NAMES.index(f"{name}_rotation_{axis}") for axis in "xyz"] for name in BALL_JOINTS])
_HINGE_COLUMNS = np.array([DOF_NAMES.index(name) for name in HINGE_NAMES])
_FARTHEST = np.radians(80.0)


@dataclass(frozen=True, eq=False)
class FigureTree:
    """A figure and the reference about which its ball joints are charted.

    reference: (7, 4) unit quaternions in the order of `BALL_JOINTS`, such as the pose in the middle of a motion; a
    ball joint may move anywhere within 80 degrees of it, and farther as long as the middle one of its three angles
    stays within 80 degrees. The joint values of the tree are the root's position, then for each
    segment, root to tips, three angles about x, y and z after the reference, or its hinge angles: the order of
    `DOF_NAMES`.
    """

    figure: Figure
    reference: Array

    def __post_init__(self) -> None:
        if np.shape(self.reference) != (len(BALL_JOINTS), 4):
            raise ArgumentError(
                f"the reference has shape {np.shape(self.reference)}: (7, 4) is needed, one a ball joint"
            )

    @classmethod
    def about(cls, figure: Figure, poses: Poses) -> FigureTree:
        """Return the tree about the middle one of some poses."""
        return cls(figure, poses.balls[len(poses) // 2])

    @cached_property
    def _chart(self) -> EulerChart:
        return EulerChart(self.reference, "XYZ")

    @cached_property
    def tree(self) -> Tree:
        """The tree, in SI units; the segment's mass is on the last of its joints."""
        parents, axes, owners = [-1, 0, 1], list(np.eye(3)), [-1] * 3
        offsets, rotations = [np.zeros(3)] * 3, [np.eye(3)] * 3
        lasts: list[int] = []
        ball = 0
        for s, (joint, parent) in enumerate(zip(JOINTS, SEGMENT_PARENTS, strict=True)):
            carrier = 2 if parent < 0 else lasts[parent]
            turn, turns = np.eye(3), [np.array(hinge.axis) for hinge in joint.hinges]
            if joint.ball:
                turn, turns = quaternion.to_matrix(self._chart.reference[ball]), list(self._chart.axes)
                ball += 1
            for k, axis in enumerate(turns):
                parents.append(carrier if k == 0 else len(parents) - 1)
                axes.append(axis)
                offsets.append(self.figure.offsets[s] if k == 0 else np.zeros(3))
                rotations.append(turn if k == 0 else np.eye(3))
                owners.append(s if k == len(turns) - 1 else -1)
            lasts.append(len(parents) - 1)
        inertias = list(self.figure.inertias.values())
        nothing = np.zeros((3, 3))
        return Tree(
            parents=np.array(parents),
            axes=np.array(axes),
            offsets=np.array(offsets),
            masses=np.array([inertias[s].mass if s >= 0 else 0.0 for s in owners]),
            centres=np.array([inertias[s].centre if s >= 0 else np.zeros(3) for s in owners]),
            inertias=np.array([inertias[s].tensor if s >= 0 else nothing for s in owners]),
            sliders=np.arange(len(parents)) < 3,
            rotations=np.array(rotations),
            names=DOF_NAMES,
        )

    def coordinates(self, poses: Poses) -> Array:
        """Return the tree's joint values (T, 44) of poses in order of time: no angle jumps by a turn between them.

        Raises ArgumentError with joint and frame where a ball joint comes near the edge of its chart, beyond which
        angles jump and torques computed from them mean nothing.
        """
        angles = self._chart.coordinates(poses.balls)
        middle = np.abs(angles[:, :, 1])
        if np.any(middle > _FARTHEST):
            frame, ball = (int(k) for k in np.unravel_index(middle.argmax(), middle.shape))
            raise ArgumentError(
                f"{BALL_JOINTS[ball].replace('_', ' ')} turns too far from the reference at frame {frame} (its middle "
                f"angle is {np.degrees(middle[frame, ball]):.0f} degrees, at most 80 are allowed): take a shorter part "
                "of the motion, or a reference nearer to its poses"
            )
        values = np.empty((len(poses), len(DOF_NAMES)))
        values[:, :3] = poses.root
        values[:, _BALL_COLUMNS] = np.unwrap(angles, axis=0)
        values[:, _HINGE_COLUMNS] = poses.hinges
        return values

    def poses(self, coordinates: Array) -> Poses:
        """Return the poses of joint values (T, 44): undoes `coordinates`."""
        balls = self._chart.orientation(coordinates[:, _BALL_COLUMNS])
        return Poses(coordinates[:, :3].copy(), balls, coordinates[:, _HINGE_COLUMNS])
