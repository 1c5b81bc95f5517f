"""Our own body: a figure of 44 degrees of freedom with lengths, mass and joint limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.anthropometry import SEXES, Inertia, default_mass
from segue.body.build import Build, segment_inertias, standard_build
from segue.body.forward_kernels import Tree, forward_frames
from segue.body.human import HUMAN
from segue.body.layout import Layout, side_of
from segue.checks import choice, did_you_mean, positive, shown
from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.typing import Array, Ints

_OUTER = ("head_top", "heel", "ball", "toe_tip", "knuckles")

FEET = ("left_heel", "left_toe_tip", "right_heel", "right_toe_tip")
"""Points whose speed the foot term counts."""

SOLES = (*FEET, "left_ball", "right_ball")
"""Points that do not go below the ground."""


@dataclass(frozen=True, eq=False)
class Poses:
    """The figure's degrees of freedom over frames.

    root: (T, 3) world position in metres. balls: (T, 7, 4) unit quaternions in the order of `HUMAN.ball_names`. hinges:
    (T, 20) angles in radians in the order of `HUMAN.hinge_names`.
    """

    root: Array
    balls: Array
    hinges: Array

    @classmethod
    def zero(cls, frames: int) -> Poses:
        """Return the T pose, frames times, with the root at the origin."""
        return cls(
            np.zeros((frames, 3)),
            quaternion.identity(frames, len(HUMAN.ball_names)),
            np.zeros((frames, len(HUMAN.hinge_names))),
        )

    @classmethod
    def from_rows(cls, rows: Array) -> Poses:
        """Return the poses of rows (T, 51): the root, the quaternions, of any length but zero, and the hinges."""
        balls = quaternion.normalise(rows[:, HUMAN.ball_columns].reshape(len(rows), -1, 4))
        return cls(rows[:, :3].copy(), balls, rows[:, HUMAN.hinge_columns].copy())

    @property
    def rows(self) -> Array:
        """The poses as rows (T, 51) of root, quaternions and hinges, each quaternion on the side of the one before."""
        balls = quaternion.make_continuous(self.balls)
        return np.concatenate([self.root, balls.reshape(len(self), -1), self.hinges], axis=1)

    def __len__(self) -> int:
        return len(self.root)

    def __getitem__(self, frames: slice) -> Poses:
        return Poses(self.root[frames], self.balls[frames], self.hinges[frames])

    def ball(self, name: str) -> Array:
        """Return one ball joint's quaternions, (T, 4)."""
        return self.balls[:, HUMAN.ball_names.index(name)]

    def hinge(self, name: str) -> Array:
        """Return one hinge's angles, (T,)."""
        return self.hinges[:, HUMAN.hinge_names.index(name)]


@dataclass(frozen=True, eq=False)
class Figure:
    """A body of 19 segments and 44 degrees of freedom: lengths, mass in kg and sex.

    build: its lengths. mass: None takes the mass of the tables' sample at this stature. sex: "female", "male" or
    "average", which table of segment masses to use.
    """

    build: Build
    mass: float
    sex: str = "average"

    def __post_init__(self) -> None:
        choice("sex", self.sex, SEXES)
        positive("mass", self.mass, "kilograms")

    @classmethod
    def from_build(cls, build: Build, mass: float | None = None, sex: str = "average") -> Figure:
        """Make a figure of the given lengths; mass defaults to the tables' body mass index at its height."""
        return cls(build, default_mass(build.implied_stature, sex) if mass is None else float(mass), sex)

    @classmethod
    def standard(cls, stature: float = 1.75, mass: float | None = None, sex: str = "average") -> Figure:
        """Make a figure of average proportions."""
        return cls.from_build(standard_build(positive("stature", stature, "metres")), mass, sex)

    def __repr__(self) -> str:
        return f"Figure(stature {self.stature:.2f} m, mass {self.mass:.1f} kg, {self.sex})"

    @property
    def stature(self) -> float:
        """Standing height in metres."""
        return self.build.stature

    @cached_property
    def offsets(self) -> Array:
        """Position of each segment's joint in its parent's frame, (19, 3)."""
        offsets = self.build.offsets()
        offsets.flags.writeable = False
        return offsets

    @property
    def layout(self) -> Layout:
        """The joints, and the index tables that follow from them."""
        return HUMAN

    @cached_property
    def tree(self) -> Tree:
        """The segments as compiled functions take them."""
        return Tree(
            parents=np.array(self.layout.parents),
            offsets=np.array(self.offsets),
            balls=self.layout.segment_balls,
            hinges=self.layout.segment_hinges,
            axes=self.layout.hinge_axes,
            dofs=np.array([span.start for span in self.layout.joint_dofs]),
            dof_segments=self.layout.dof_segments,
            ancestors=self.layout.dof_ancestors,
            depths=self.layout.dof_depths,
        )

    @cached_property
    def inertias(self) -> dict[str, Inertia]:
        """Mass, centre and inertia tensor of each segment, in its own frame."""
        return segment_inertias(self.build, self.mass, self.sex)

    @cached_property
    def points(self) -> dict[str, tuple[str, Array]]:
        """Named points, such as left_heel, left_ball, left_toe_tip, left_palm: (segment, position in its frame)."""
        return self.build.points()

    @cached_property
    def outer_points(self) -> tuple[str, ...]:
        """The points that meet things first: head top, heels, balls, toe tips and knuckles."""
        return tuple(name for name in self.points if name.endswith(_OUTER))

    def forward(self, poses: Poses) -> tuple[Array, Array]:
        """Return world positions (T, 19, 3) and rotations (T, 19, 4) of the segments' frames."""
        positions, rotations = forward_frames(
            self.tree, kernel_array(poses.root), kernel_array(poses.balls), kernel_array(poses.hinges)
        )
        return positions, rotations

    def places(self, points: Sequence[str]) -> tuple[Ints, Array]:
        """Return the segments (P,) of named points, and where the points are in the segments' frames (P, 3)."""
        for name in points:
            if not isinstance(name, str) or name not in self.points:
                kinds = dict.fromkeys(point.partition("_")[2] for point in self.points if side_of(point) != "centre")
                near = did_you_mean(name, self.points)
                known = near or f"there are head_top, and left_ or right_ {', '.join(kinds)}"
                raise ArgumentError(f"the figure has no point {shown(name)}: {known}")
        found = [self.points[name] for name in points]
        segments = [self.layout.segments.index(segment) for segment, _ in found]
        return np.array(segments, np.int64), np.array([place for _, place in found]).reshape(-1, 3)

    def point(self, name: str, poses: Poses) -> Array:
        """Return a named point's world positions, (T, 3)."""
        (s,), (place,) = self.places([name])
        positions, rotations = self.forward(poses)
        return positions[:, s] + quaternion.rotate(rotations[:, s], place)

    @property
    def leg_length(self) -> float:
        """Height of the hip joints above the floor when the legs are straight, in m."""
        return float(self.build.thigh + self.build.shank + self.build.sole)

    @cached_property
    def segment_masses(self) -> Array:
        """Mass of each segment in kg, (19,)."""
        return np.array([inertia.mass for inertia in self.inertias.values()])

    def segment_centres(self, positions: Array, rotations: Array) -> Array:
        """Return the segments' centres of mass in the world, (T, 19, 3), given where `forward` has their frames."""
        places = np.stack([inertia.centre for inertia in self.inertias.values()])
        centres: Array = positions + quaternion.rotate(rotations, places)
        return centres

    def centre_of_mass(self, poses: Poses) -> Array:
        """Return the body's centre of mass in the world, (T, 3)."""
        return self.centre_of_mass_at(*self.forward(poses))

    def centre_of_mass_at(self, positions: Array, rotations: Array) -> Array:
        """Return the body's centre of mass in the world, (T, 3), given where `forward` has the segments' frames."""
        shares = self.segment_masses / self.segment_masses.sum()
        centre: Array = np.einsum("s,tsi->ti", shares, self.segment_centres(positions, rotations))
        return centre

    def limit_excess(self, poses: Poses) -> Array:
        """Return how far each joint is outside its limits, (T, 27) in radians: ball joints first, then hinges."""
        balls = [limit.excess(poses.balls[:, b]) for b, limit in enumerate(self.layout.ball_limits)]
        hinges = [limit.excess(poses.hinges[:, h]) for h, limit in enumerate(self.layout.hinge_limits)]
        return np.stack(balls + hinges, axis=1)
