"""A figure on a dynamic spline: where its points and bodies are, what its joints carry, and gradients back."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.body.forward_kernels import Bodies, JointMotion, Links, forward_motion
from segue.body.human import HUMAN
from segue.checks import shown
from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.motion._state_kernels import angular
from segue.spacetime._body_kernels import (
    BodyMotionGrad,
    JointMotionGrad,
    backprop_angular,
    backprop_bodies,
    backprop_points,
    lever_arms,
    trace_points,
)
from segue.spacetime.figure_dynamics import FigureDynamics
from segue.spacetime.path import Samples
from segue.typing import Array

_BALL_COUNT = len(HUMAN.ball_names)


class FigureBodies:
    """The figure as a chain of links with mass, which turns samples of a path into the motion of bodies."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self._last: tuple[weakref.ref[Array], FigureMotion] | None = None

    @cached_property
    def links(self) -> Links:
        """The 27 links: a ball joint or a hinge each, parents before children."""
        table = self.figure.layout.links
        offsets = np.zeros((len(table.parents), 3))
        offsets[table.firsts] = self.figure.offsets
        return Links(table.parents, offsets, table.balls, table.hinges, table.axes)

    @cached_property
    def dynamics(self) -> FigureDynamics:
        """What joints carry."""
        return FigureDynamics(self.figure)

    def places(self, points: Sequence[str]) -> tuple[npt.NDArray[np.int64], Array]:
        """Return the link (P,) and the place in its frame (P, 3) of named points."""
        segments, places = self.figure.places(points)
        return self.figure.layout.segment_links[segments], places

    def motion(self, samples: Samples) -> FigureMotion:
        """Return how the figure moves at samples (S, 51); all terms that ask for the same samples share it."""
        if self._last is not None and self._last[0]() is samples.value:
            return self._last[1]
        motion = FigureMotion(self, samples)
        self._last = (weakref.ref(samples.value), motion)
        return motion


def bodies_of(body: FigureBodies | Figure) -> FigureBodies:
    """Return the bodies of a figure, or what already is."""
    if isinstance(body, FigureBodies):
        return body
    if not isinstance(body, Figure):
        raise ArgumentError(f"{shown(body)} is no figure: give a Figure, such as Figure.standard()")
    return FigureBodies(body)


class MotionGrad(NamedTuple):
    """Derivatives by how a figure moves: by the motion of its bodies in the world, and by that of its joints."""

    bodies: BodyMotionGrad
    joints: JointMotionGrad


class FigureMotion:
    """How a figure moves at S samples of a path: links in the world, points on them, what joints carry."""

    def __init__(self, body: FigureBodies, samples: Samples) -> None:
        self._body = body
        self._count = len(samples.times)
        self._paths = [np.ascontiguousarray(part) for part in samples[2:5]]

    @cached_property
    def _quaternions(self) -> tuple[Array, Array, Array]:
        """The ball joints' quaternions and their first two derivatives, (S B, 4) each."""
        p, dp, ddp = (np.ascontiguousarray(part[:, HUMAN.ball_columns]).reshape(-1, 4) for part in self._paths)
        return p, dp, ddp

    @cached_property
    def joint_motion(self) -> JointMotion:
        """How the joints move."""
        turns, spins, rises = angular(*self._quaternions)
        shape = (self._count, _BALL_COUNT, 3)
        return JointMotion(
            np.stack([part[:, :3] for part in self._paths]),
            turns.reshape(self._count, _BALL_COUNT, 4),
            np.stack([spins.reshape(shape), rises.reshape(shape)]),
            np.stack([part[:, HUMAN.hinge_columns] for part in self._paths]),
        )

    @cached_property
    def bodies(self) -> Bodies:
        """How the links move in the world."""
        links = len(self._body.links.parents)
        bodies = Bodies(*(np.empty((*shape, size)) for shape, size in self._shapes(links)))
        forward_motion(self._body.links, self.joint_motion, bodies)
        return bodies

    def _shapes(self, links: int) -> list[tuple[tuple[int, ...], int]]:
        return [((self._count, links), 4), ((5, self._count, links), 3), ((2, self._count, links), 3)]

    @cached_property
    def torques(self) -> Array:
        """Forces and torques (S, 44) of the joints; see `FigureDynamics.torques`."""
        return self._body.dynamics.torques(self.joint_motion)

    def points(self, links: npt.NDArray[np.int64], places: Array) -> tuple[Array, Array]:
        """Return positions and velocities (S, P, 3) of points, given by links (P,) and places in them (P, 3)."""
        positions, velocities = np.empty((2, self._count, len(links), 3))
        trace_points(self.bodies, links, places, positions, velocities)
        return positions, velocities

    def zero_gradient(self) -> MotionGrad:
        """Return derivatives by the figure's motion that are zero, to be added to."""
        links = len(self._body.links.parents)
        bodies = BodyMotionGrad(np.zeros((self._count, links, 3)), np.zeros((5, self._count, links, 3)))
        return MotionGrad(bodies, self._joint_grad())

    def _joint_grad(self) -> JointMotionGrad:
        """Return derivatives by the joints' motion that are zero."""
        count = self._count
        return JointMotionGrad(
            np.zeros((3, count, 3)),
            np.zeros((count, _BALL_COUNT, 3)),
            np.zeros((2, count, _BALL_COUNT, 3)),
            np.zeros((3, count, len(HUMAN.hinge_names))),
        )

    def backprop_points(
        self, grad: MotionGrad, links: npt.NDArray[np.int64], places: Array, by_position: Array, by_velocity: Array
    ) -> None:
        """Add derivatives by the bodies' motion, given those by positions and velocities of points (S, P, 3)."""
        seeds = kernel_array(by_position), kernel_array(by_velocity)
        backprop_points(self.bodies, links, places, *seeds, grad.bodies)

    def lever_arms_squared(self, links: npt.NDArray[np.int64], places: Array, strengths: Array) -> Array:
        """Return (51, S): the sum over points of strength (S, P) times the square of how far a coordinate moves each.

        It is the diagonal of what Gauss and Newton take for the second derivatives of squared positions.
        """
        balls, hinges = np.zeros((_BALL_COUNT, self._count)), np.zeros((len(HUMAN.hinge_names), self._count))
        positions = self.points(links, places)[0]
        lever_arms(self._body.links, self.bodies, links, positions, kernel_array(strengths), balls, hinges)
        root = np.tile(strengths.sum(axis=1), (3, 1))
        # a turn is twice the change of a unit quaternion
        return np.concatenate([root, np.repeat(4.0 * balls, 4, axis=0), hinges])

    def backprop_torques(self, grad: MotionGrad, by_torques: Array) -> None:
        """Add derivatives by the joints' motion, given those by the torques (S, 44)."""
        for into, part in zip(grad.joints, self._body.dynamics.backprop(self.joint_motion, by_torques), strict=True):
            into += part

    def gradient(self, grad: MotionGrad, samples: Samples) -> Samples:
        """Return the gradient by the path, given derivatives by the figure's motion, which are used up."""
        by = self._joint_grad()
        backprop_bodies(self._body.links, self.joint_motion, self.bodies, grad.bodies, by)
        for part, more in zip(by, grad.joints, strict=True):
            part += more
        out = samples.zeros()
        self.add_balls(out, by.moments, by.spins[0], by.spins[1])
        for k, part in enumerate(out[2:5]):
            part[:, :3] += by.root[k]
            part[:, HUMAN.hinge_columns] += by.hinges[k]
        return out

    def add_balls(self, gradient: Samples, moments: Array, by_spins: Array, by_rises: Array) -> None:
        """Add to a gradient by the path derivatives by rotations and angular motion of the ball joints, (S, B, 3)."""
        by_paths = tuple(np.empty_like(part) for part in self._quaternions)
        seeds = tuple(np.ascontiguousarray(part).reshape(-1, 3) for part in (moments, by_spins, by_rises))
        backprop_angular(self._quaternions, seeds, by_paths)
        for part, by_path in zip(gradient[2:5], by_paths, strict=True):
            part[:, HUMAN.ball_columns] += by_path.reshape(self._count, -1)


def by_column(of_dofs: Array) -> Array:
    """Return squares' weights (51,) of coordinates from those (44,) of degrees of freedom.

    A ball joint's is the mean of its three, for four numbers whose change is half that of the angle.
    """
    weights = np.empty(HUMAN.column_count)
    weights[:3] = of_dofs[:3]
    weights[HUMAN.ball_columns] = np.repeat(4.0 * of_dofs[HUMAN.ball_dofs].mean(axis=1), 4)
    weights[HUMAN.hinge_columns] = of_dofs[HUMAN.hinge_dofs]
    return weights
