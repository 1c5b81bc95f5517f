"""The bare spacetime problem, cut from real motion: what solvers are compared on.

A gap of 0.6 s in a motion of the 44-DOF figure. The root follows the cubic that meets both ends; the 38 other joint
values follow clamped uniform cubic B-splines of nine coefficients, of which two at each end are fixed by value and
velocity. Integrals over time are sums over 24 samples from end to end by the trapezoidal rule.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import segue as sg
from segue import clips, io
from segue.curves import SplineBasis, quaternion, uniform
from segue.curves.sampled import Quadrature
from segue.dynamics import GRAVITY, FigureTree, Tree, inverse_dynamics_jacobians
from segue.motion.clip_source import ClipSource
from segue.motion.resample import select_frames
from segue.typing import Array
from tests.mocap import MOCAP

DURATION, COEFFICIENTS, SAMPLES = 0.6, 9, 24
ROOT = 6  # joint values that are prescribed
OBJECTIVES = ("torque", "natural")
_AROUND = 0.3  # seconds of motion that are fitted before and after the gap
_STEP = 1e-3  # seconds, for velocities along the fitted curves


@dataclass(frozen=True, eq=False)
class Problem:
    """Find the free coefficients (5, 38) that make an objective least; both objectives have the same motion.

    ends: (4, 44), value and velocity at the start, then at the stop.

    "torque": the integral of the sum of tau_i^2 + (0.5 acceleration_i)^2.
    "natural": the integral of the sum of (rate_i dtau_i/dt)^2 + (0.3 jerk_i)^2 + (100 velocity_i)^2, where
    dtau/dt is the quotient of differences between successive samples and rate_i = 1 / (M_ii + 0.02), with the
    diagonal of the joint-space inertia matrix averaged over start, middle and stop of the start path.
    Sums are over the joint values that are not the root's. Gravity acts in both.
    """

    figure: FigureTree
    ends: Array
    objective: str

    @property
    def tree(self) -> Tree:
        """The figure's joints."""
        return self.figure.tree

    @cached_property
    def basis(self) -> SplineBasis:
        """The splines."""
        return SplineBasis.uniform(0.0, DURATION, COEFFICIENTS)

    @cached_property
    def quadrature(self) -> Quadrature:
        """The samples in time."""
        return uniform(0.0, DURATION, SAMPLES)

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Free fall in m/s^2."""
        return GRAVITY

    @cached_property
    def start(self) -> Array:
        """The coefficients (9, 44) of the cubics that meet the ends, where solvers start."""
        q0, v0, q1, v1 = self.ends
        times = np.linspace(0.0, DURATION, 4 * COEFFICIENTS)
        u = (times / DURATION)[:, None]
        cubic = q0 + u**2 * (3.0 - 2.0 * u) * (q1 - q0) + DURATION * u * (1.0 - u) * ((1.0 - u) * v0 - u * v1)
        return self.basis.fit(times, cubic)

    @cached_property
    def rate_weights(self) -> Array:
        """What the rate of each torque is multiplied with in the natural objective, (38,)."""
        path = self.basis.evaluate(self.start, [0.0, DURATION / 2, DURATION])
        inertia = inverse_dynamics_jacobians(self.tree, path, 0 * path, 0 * path)[1].qdd
        diagonal = np.diagonal(inertia, axis1=1, axis2=2).mean(axis=0)
        weights: Array = 1.0 / (diagonal[ROOT:] + 0.02)
        return weights

    @property
    def regulariser(self) -> tuple[tuple[float, int], ...]:
        """Factor and order of each derivative whose square is added to the objective."""
        return ((0.5, 2),) if self.objective == "torque" else ((0.3, 3), (100.0, 1))

    def coefficients(self, unknowns: Array) -> Array:
        """Return all coefficients (9, 44) from unknowns of any shape in the order (5, 38)."""
        whole = self.start.copy()
        whole[2:-2, ROOT:] = np.reshape(unknowns, (COEFFICIENTS - 4, -1))
        return whole


def random_problems(count: int, objective: str, seed: int = 1996) -> Iterator[Problem]:
    """Yield problems from random places of random clips: real ones, or built-in ones where those are not at hand."""
    rng = np.random.default_rng(seed)
    files = sorted(MOCAP.glob("*/*.bvh"))
    needed = DURATION + 2 * _AROUND
    found = 0
    while found < count:
        clip = io.read(files[rng.integers(len(files))]) if files else clips.clip(str(rng.choice(clips.NAMES)))
        at = rng.uniform()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sg.SegueWarning)
            take = ClipSource.from_clip(clip)
            if take.duration <= needed:
                continue
            first = int(at * (take.duration - needed) * take.fps)
            part = select_frames(take.clip, first, first + int(np.ceil(needed * take.fps)) + 1)
            motion = sg.Motion.from_clip(part, scale=take.space.scale, up=take.space.up)
            yield _problem(motion, objective)
        found += 1


def _problem(motion: sg.Motion, objective: str) -> Problem:
    """Return the problem of the gap in the middle of a motion."""
    edges = np.array([_AROUND, _AROUND + DURATION])
    poses = motion.at(np.concatenate([edge + _STEP * np.arange(-1, 2) for edge in edges]))
    figure = FigureTree.between(
        motion.figure, quaternion.normalise(poses.balls[1]), quaternion.normalise(poses.balls[4])
    )
    before, q0, after, before_stop, q1, after_stop = figure.coordinates(poses)
    return Problem(
        figure,
        np.stack([q0, (after - before) / (2 * _STEP), q1, (after_stop - before_stop) / (2 * _STEP)]),
        objective,
    )
