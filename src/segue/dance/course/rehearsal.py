"""Rehearsal: poses that follow a course, found by kinematics before the simulation.

The poses correct the inverted pendulum of the course: they show where the hips are relative to the centre of mass, and
how swinging limbs shift the pressure. With L' the rate of angular momentum about the centre of mass, the true pressure
differs from that of the pendulum by (-L'_z, L'_x) / (m (g + height'')).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves.sampled import smooth_ceiling, smooth_floor
from segue.dance.body.legs import reach_feet
from segue.dance.body.momentum import angular_momentum
from segue.dance.course.centre_of_mass import CentreOfMassCourse
from segue.dance.course.feet import FootPath
from segue.dance.course.quintic import rates_of
from segue.typing import Array

EVERY = 5
"""Ticks of a course per pose of its rehearsal."""

_CENTRINGS = 3  # iterations that centre the pelvis: each leaves a tenth of the error
_EASING = 0.05  # s to either side over which corrections of ankles are smoothed
_SMOOTH = 0.03  # s over which pelvis and rate of momentum are smoothed: feet cannot follow faster changes


class RehearsalResult(NamedTuple):
    """Findings of a rehearsal at the N ticks of a course.

    hips: (N, 3) by side, m from the centre of mass. shift: (N, 2), x and z, from the true pressure to that of the
    pendulum.
    """

    hips: Mapping[str, Array]
    shift: Array


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """Poses (T) of a figure with the trunk and arms of a course, and the paths of its feet (T).

    step: s between poses. gravity: m/s^2.
    """

    figure: Figure
    poses: Poses
    feet: Mapping[str, FootPath]
    step: float
    gravity: float

    def follow(self, centre: Array) -> None:
        """Put hips, legs and toes under a centre of mass (T, 3), in place."""
        feet = {side: (way.ankle, way.turns) for side, way in self.feet.items()}
        for side, way in self.feet.items():
            self.poses.hinge(f"{side}_toe_extension")[:] = way.toe_extension
        for _ in range(_CENTRINGS):
            reach_feet(self.figure, self.poses, feet)
            self.poses.root[:] += centre - self.figure.centre_of_mass(self.poses)
        # smoothed, so that the pelvis does not jolt when a foot lands
        self.poses.root[:] = centre + scipy.ndimage.gaussian_filter1d(
            self.poses.root - centre, _SMOOTH / self.step, axis=0
        )
        reach_feet(self.figure, self.poses, feet)

    def ease_ankles(self) -> None:
        """Turn feet in the air about their ankles, in place, into the ankles' ranges."""
        step = self.step
        for side, way in self.feet.items():
            flying = smooth_floor(way.flying.astype(float), _EASING, step)
            for hinge in HUMAN[f"{side}_foot"].hinges:
                angle = self.poses.hinge(hinge.name)
                above, below = np.maximum(angle - hinge.limit.high, 0.0), np.maximum(hinge.limit.low - angle, 0.0)
                angle[:] -= flying * (smooth_ceiling(above, _EASING, step) - smooth_ceiling(below, _EASING, step))

    def solve(self, course: CentreOfMassCourse) -> RehearsalResult:
        """Put hips and legs under a course of the centre of mass, in place, and return the findings."""
        step, centre = self.step, course.position[::EVERY]
        self.follow(centre)
        rate = rates_of(angular_momentum(self.figure, self.poses, step), step)
        rate = scipy.ndimage.gaussian_filter1d(rate, _SMOOTH / step, axis=0)
        load = self.figure.mass * (self.gravity + course.height[2, ::EVERY])
        shift = np.stack([-rate[:, 2], rate[:, 0]], axis=1) / load[:, None]
        places, _ = self.figure.forward(self.poses)
        count = course.height.shape[1]
        hips = {
            side: _at_ticks(places[:, HUMAN.segments.index(f"{side}_thigh")] - centre, count)
            for side in ("left", "right")
        }
        return RehearsalResult(hips, _at_ticks(shift, count))


def _at_ticks(values: Array, count: int) -> Array:
    """Return values (T, K) of poses interpolated linearly at all ticks, (N, K)."""
    ticks = np.arange(count)
    return np.stack([np.interp(ticks, ticks[::EVERY], column) for column in values.T], axis=1)
