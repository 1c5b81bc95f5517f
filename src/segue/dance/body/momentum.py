"""Momentum, angular momentum and kinetic energy of a figure in motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class SegmentMotion:
    """A figure's segments at T times, in world axes.

    masses: (S,) kg. centres: (T, S, 3) m, centres of mass. velocities: (T, S, 3) m/s, of the centres. spins: (T, S, 3)
    rad/s. inertias: (T, S, 3, 3) kg m^2, about the centres.
    """

    masses: Array
    centres: Array
    velocities: Array
    spins: Array
    inertias: Array

    @classmethod
    def between(cls, figure: Figure, before: Poses, now: Poses, after: Poses, gaps: Array) -> SegmentMotion:
        """Return how a figure moves, by differences of poses before and after; gaps: (T,) s between them."""
        frames = [figure.forward(poses) for poses in (before, now, after)]
        came_from, centres, goes_to = (figure.segment_centres(*each) for each in frames)
        first, turns, last = (rotations for _, rotations in frames)
        axes = quaternion.to_matrix(turns)
        tensors = np.array([body.tensor for body in figure.inertias.values()])
        return cls(
            figure.segment_masses,
            centres,
            (goes_to - came_from) / gaps[:, None, None],
            quaternion.log(quaternion.multiply(last, quaternion.conjugate(first))) / gaps[:, None, None],
            axes @ tensors @ axes.swapaxes(-1, -2),
        )

    @cached_property
    def centre(self) -> Array:
        """The whole body's centre of mass, (T, 3) in m."""
        found: Array = self.masses @ self.centres / self.masses.sum()
        return found

    @cached_property
    def momentum(self) -> Array:
        """The whole body's momentum, (T, 3) in N s."""
        found: Array = np.einsum("s,tsk->tk", self.masses, self.velocities)
        return found

    @cached_property
    def angular_momentum(self) -> Array:
        """The whole body's angular momentum about its centre of mass, (T, 3) in N m s."""
        along = self.velocities - (self.momentum / self.masses.sum())[:, None]
        orbital = np.cross(self.centres - self.centre[:, None], along)
        found: Array = np.einsum("s,tsk->tk", self.masses, orbital) + np.einsum(
            "tsij,tsj->ti", self.inertias, self.spins
        )
        return found

    @cached_property
    def kinetic(self) -> Array:
        """The whole body's kinetic energy, (T,) in J."""
        along = np.einsum("s,tsk,tsk->t", self.masses, self.velocities, self.velocities)
        about = np.einsum("tsi,tsij,tsj->t", self.spins, self.inertias, self.spins)
        found: Array = 0.5 * (along + about)
        return found


def angular_momentum(figure: Figure, poses: Poses, step: float) -> Array:
    """Return the angular momentum (T, 3) about the centre of mass of poses `step` s apart, in N m s."""
    here = np.arange(len(poses))
    before, after = np.maximum(here - 1, 0), np.minimum(here + 1, len(poses) - 1)
    first, last = (Poses(poses.root[at], poses.balls[at], poses.hinges[at]) for at in (before, after))
    return SegmentMotion.between(figure, first, poses, last, step * (after - before)).angular_momentum
