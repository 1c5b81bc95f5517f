"""The figure as a tree for the dynamics: 44 sliders and hinges, ball joints in charts about a reference pose."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.ball_charts import BallCharts
from segue.curves.chart_kernels import chart_matrices
from segue.dynamics._program import MATRIX, NUMBERS, Program, build_program
from segue.dynamics.tree import Tree
from segue.errors import ArgumentError
from segue.typing import Array

_FARTHEST = np.radians(80.0)


class _Frame(NamedTuple):
    """What a figure's tree has whatever its reference: see `Tree`; balls: (7,) the first joint of each ball."""

    parents: npt.NDArray[np.int64]
    axes: Array
    offsets: Array
    masses: Array
    centres: Array
    inertias: Array
    sliders: npt.NDArray[np.bool_]
    balls: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FigureTree:
    """A figure and the reference about which its ball joints are charted.

    reference: (7, 4) unit quaternions in the order of `HUMAN.ball_names`, such as the pose in the middle of a motion; a
    ball joint may move anywhere within 80 degrees of it, and farther as long as the middle one of its three angles
    stays within 80 degrees. leading: (7,) the axis of each ball joint's first angle, x (0) where not given, which may
    turn freely. The joint values of the tree are the root's position, then for each segment, root to tips, three
    angles about moving axes after the reference, or its hinge angles: the order of `HUMAN.dof_names`.
    """

    figure: Figure
    reference: Array
    leading: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(HUMAN.ball_names), np.int64))

    def __post_init__(self) -> None:
        if np.shape(self.reference) != (len(HUMAN.ball_names), 4):
            raise ArgumentError(
                f"the reference has shape {np.shape(self.reference)}: (7, 4) is needed, one a ball joint"
            )

    @classmethod
    def about(cls, figure: Figure, poses: Poses) -> FigureTree:
        """Return the tree about the middle one of some poses."""
        return cls(figure, poses.balls[len(poses) // 2])

    @classmethod
    def between(cls, figure: Figure, first: Array, last: Array) -> FigureTree:
        """Return the tree whose charts suit motions from ball joints (7, 4) to others: references lie midway."""
        charts = BallCharts.between(first, last)
        return cls(figure, charts.reference, charts.leading)

    @cached_property
    def charts(self) -> BallCharts:
        """The charts of the ball joints."""
        return BallCharts(quaternion.normalise(np.asarray(self.reference, dtype=float)), self.leading)

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """The joint that carries each joint, (44,); -1 for the world."""
        return _frame_of(self.figure).parents

    @cached_property
    def program(self) -> tuple[Program, Array]:
        """The tree as the kernels read it, made without a `Tree` and its checks, in a fraction of the time."""
        balls = _frame_of(self.figure).balls
        template = _template(self.figure, self.leading.tobytes())
        numbers = template.program.numbers.reshape(len(HUMAN.dof_names), NUMBERS).copy()
        before = template.above.transpose(0, 2, 1) @ chart_matrices(self.charts.reference) @ template.frames[balls]
        numbers[balls, MATRIX : MATRIX + 9] = before.reshape(-1, 9)
        return Program(template.program.links, numbers.ravel()), template.frames

    @cached_property
    def tree(self) -> Tree:
        """The tree, in SI units; the segment's mass is on the last of its joints."""
        frame = _frame_of(self.figure)
        axes, rotations = _turns(frame, self.charts.reference, self.leading)
        return Tree(
            parents=frame.parents,
            axes=axes,
            offsets=frame.offsets,
            masses=frame.masses,
            centres=frame.centres,
            inertias=frame.inertias,
            sliders=frame.sliders,
            rotations=rotations,
            names=HUMAN.dof_names,
        )

    def coordinates(self, poses: Poses) -> Array:
        """Return the tree's joint values (T, 44) of poses in order of time: no angle jumps by a turn between them.

        Raises ArgumentError with joint and frame where a ball joint comes near the edge of its chart, beyond which
        angles jump and torques computed from them mean nothing.
        """
        angles = self.charts.coordinates(poses.balls)
        middle = np.abs(angles[:, :, 1])
        if np.any(middle > _FARTHEST):
            frame, ball = (int(k) for k in np.unravel_index(middle.argmax(), middle.shape))
            name = HUMAN.ball_names[ball].replace("_", " ")
            raise ArgumentError(
                f"{name} turns too far from the reference at frame {frame} (its middle "
                f"angle is {np.degrees(middle[frame, ball]):.0f} degrees, at most 80 are allowed): take a shorter part "
                "of the motion, or a reference nearer to its poses"
            )
        values = np.empty((len(poses), len(HUMAN.dof_names)))
        values[:, :3] = poses.root
        values[:, HUMAN.ball_dofs] = np.unwrap(angles, axis=0)
        values[:, HUMAN.hinge_dofs] = poses.hinges
        return values

    def poses(self, coordinates: Array) -> Poses:
        """Return the poses of joint values (T, 44): undoes `coordinates`."""
        balls = self.charts.orientations(coordinates[:, HUMAN.ball_dofs])
        return Poses(coordinates[:, :3].copy(), balls, coordinates[:, HUMAN.hinge_dofs])


def _turns(frame: _Frame, reference: Array, leading: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the axes of all joints (44, 3) and the fixed rotations before them (44, 3, 3)."""
    axes, rotations = frame.axes.copy(), np.tile(np.eye(3), (len(HUMAN.dof_names), 1, 1))
    rotations[frame.balls] = quaternion.to_matrix(reference)
    axes[frame.balls[:, None] + np.arange(3)] = np.eye(3)[(leading[:, None] + np.arange(3)) % 3]
    return axes, rotations


class _Template(NamedTuple):
    """A program in which only the rotations before ball joints are still to be put in.

    above: (7, 3, 3) the kernels' axes of what carries each ball joint; frames: (44, 3, 3) those of each body.
    """

    program: Program
    above: Array
    frames: Array


@lru_cache(maxsize=512)
def _template(figure: Figure, leading: bytes) -> _Template:
    """Return the program of a figure whose ball joints are led by some axes, about references of no consequence."""
    frame = _frame_of(figure)
    # a rotation that is no exchange of axes, so that the kernels reckon with one
    askew = np.tile(quaternion.exp(np.array([0.3, 0.2, 0.1])), (len(HUMAN.ball_names), 1))
    axes, rotations = _turns(frame, askew, np.frombuffer(leading, np.int64))
    program, frames = build_program(
        parents=frame.parents,
        axes=axes,
        sliders=frame.sliders,
        rotations=rotations,
        offsets=frame.offsets,
        masses=frame.masses,
        centres=frame.centres,
        inertias=frame.inertias,
    )
    return _Template(program, frames[frame.parents[frame.balls]], frames)


@lru_cache(maxsize=64)
def _frame_of(figure: Figure) -> _Frame:
    parents, axes, owners = [-1, 0, 1], list(np.eye(3)), [-1] * 3
    offsets = [np.zeros(3)] * 3
    lasts: list[int] = []
    balls: list[int] = []
    for s, (joint, parent) in enumerate(zip(HUMAN.joints, HUMAN.parents, strict=True)):
        carrier = 2 if parent < 0 else lasts[parent]
        if joint.ball:
            balls.append(len(parents))
        turns = list(np.eye(3)) if joint.ball else [np.array(hinge.axis) for hinge in joint.hinges]
        for k, axis in enumerate(turns):
            parents.append(carrier if k == 0 else len(parents) - 1)
            axes.append(axis)
            offsets.append(figure.offsets[s] if k == 0 else np.zeros(3))
            owners.append(s if k == len(turns) - 1 else -1)
        lasts.append(len(parents) - 1)
    inertias = list(figure.inertias.values())
    nothing = np.zeros((3, 3))
    return _Frame(
        parents=np.array(parents),
        axes=np.array(axes),
        offsets=np.array(offsets),
        masses=np.array([inertias[s].mass if s >= 0 else 0.0 for s in owners]),
        centres=np.array([inertias[s].centre if s >= 0 else np.zeros(3) for s in owners]),
        inertias=np.array([inertias[s].tensor if s >= 0 else nothing for s in owners]),
        sliders=np.arange(len(parents)) < 3,
        balls=np.array(balls),
    )
