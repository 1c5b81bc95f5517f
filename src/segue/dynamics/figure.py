"""The figure as a tree for the dynamics: 44 sliders and hinges, ball joints in charts about a reference pose."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.chart import BallCharts
from segue.curves.chart_kernels import chart_matrices
from segue.dynamics._program import MATRIX, NUMBERS, Program, build_program
from segue.dynamics.tree import Tree
from segue.errors import ArgumentError
from segue.typing import Array, Ints

_FARTHEST = np.radians(80.0)


@dataclass(frozen=True, eq=False)
class FigureTree:
    """A figure and the reference about which its ball joints are charted.

    reference: (7, 4) unit quaternions in the order of `HUMAN.ball_names`, such as the pose in the middle of a motion. A
    ball joint may move anywhere within 80 degrees of it, and farther as long as the middle one of its three angles
    stays within 80 degrees. leading: (7,) the axis of each ball joint's first angle, x (0) where not given, which may
    turn freely. The joint values of the tree are the root's position, then for each segment, root to tips, three angles
    about moving axes after the reference, or its hinge angles: the order of `HUMAN.dof_names`.
    """

    figure: Figure
    reference: Array
    leading: Ints = field(default_factory=lambda: np.zeros(len(HUMAN.ball_names), np.int64))

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

    @cached_property
    def program(self) -> tuple[Program, Array]:
        """The tree as the kernels read it, made without a `Tree` and its checks, in a fraction of the time."""
        balls = HUMAN.ball_dofs[:, 0]
        template = _template(self.figure, self.leading.tobytes())
        numbers = template.program.numbers.reshape(len(HUMAN.dof_names), NUMBERS).copy()
        before = template.above.transpose(0, 2, 1) @ chart_matrices(self.charts.reference) @ template.frames[balls]
        numbers[balls, MATRIX : MATRIX + 9] = before.reshape(-1, 9)
        return Program(template.program.links, numbers.ravel()), template.frames

    @cached_property
    def tree(self) -> Tree:
        """The tree, in SI units; the segment's mass is on the last of its joints."""
        axes, rotations = _turns(self.charts.reference, self.leading)
        return Tree(axes=axes, rotations=rotations, names=HUMAN.dof_names, **bodies_of(self.figure))

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


def _turns(reference: Array, leading: Ints) -> tuple[Array, Array]:
    """Return the axes of all joints (44, 3) and the fixed rotations before them (44, 3, 3)."""
    axes, rotations = HUMAN.dof_axes.copy(), np.tile(np.eye(3), (HUMAN.dof_count, 1, 1))
    rotations[HUMAN.ball_dofs[:, 0]] = quaternion.to_matrix(reference)
    axes[HUMAN.ball_dofs] = np.eye(3)[(leading[:, None] + np.arange(3)) % 3]
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
    # a rotation that is no exchange of axes, so that the kernels reckon with one
    askew = np.tile(quaternion.exp(np.array([0.3, 0.2, 0.1])), (len(HUMAN.ball_names), 1))
    axes, rotations = _turns(askew, np.frombuffer(leading, np.int64))
    program, frames = build_program(axes=axes, rotations=rotations, **bodies_of(figure))
    return _Template(program, frames[HUMAN.dof_parents[HUMAN.ball_dofs[:, 0]]], frames)


@lru_cache(maxsize=64)
def bodies_of(figure: Figure) -> dict[str, Any]:
    """Return what the tree of a figure has whatever its reference; a segment's mass is on the last of its joints."""
    layout, count = figure.layout, figure.layout.dof_count
    offsets, centres, masses, inertias = (np.zeros((count, *shape)) for shape in ((3,), (3,), (), (3, 3)))
    offsets[[span.start for span in layout.joint_dofs]] = figure.offsets
    for span, inertia in zip(layout.joint_dofs, figure.inertias.values(), strict=True):
        last = span.stop - 1
        masses[last], centres[last], inertias[last] = inertia.mass, inertia.centre, inertia.tensor
    return {
        "parents": layout.dof_parents,
        "offsets": offsets,
        "masses": masses,
        "centres": centres,
        "inertias": inertias,
        "sliders": np.arange(count) < 3,
    }
