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
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.dance.performance.legs import reach_feet
from segue.dance.simulation.course.centre_of_mass import CentreOfMassCourse
from segue.dance.simulation.course.feet import FootPath
from segue.dance.simulation.course.quintic import rates_of
from segue.dance.simulation.momentum import angular_momentum
from segue.typing import Array

EVERY = 5
"""Ticks of a course per pose of its rehearsal."""

_CENTRINGS = 3  # iterations that centre the pelvis: each leaves a tenth of the error
_SMOOTH = 0.03  # s over which the rate of momentum is smoothed: feet cannot follow faster changes


class RehearsalResult(NamedTuple):
    """Findings of a rehearsal at the N ticks of a course.

    hips: (N, 3) by side, m from the centre of mass. shift: (N, 2), x and z, from the true pressure to that of the
    pendulum.
    """

    hips: Mapping[str, Array]
    shift: Array


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """Poses (T) of a figure, `EVERY` ticks apart, with the trunk and arms of a course, and the paths of its feet (T).

    gravity: m/s^2.
    """

    figure: Figure
    poses: Poses
    feet: Mapping[str, FootPath]
    gravity: float

    def solve(self, course: CentreOfMassCourse) -> RehearsalResult:
        """Put hips and legs under a course of the centre of mass, in place, and return the findings."""
        step = EVERY * course.step
        centre = np.stack([course.level[0, ::EVERY, 0], course.height[0, ::EVERY], course.level[0, ::EVERY, 1]], axis=1)
        feet = {side: (way.ankle, way.turns) for side, way in self.feet.items()}
        for _ in range(_CENTRINGS):
            reach_feet(self.figure, self.poses, feet)
            self.poses.root[:] += centre - self.figure.centre_of_mass(self.poses)
        reach_feet(self.figure, self.poses, feet)
        rate = rates_of(angular_momentum(self.figure, self.poses, step), step)
        rate = gaussian_filter1d(rate, _SMOOTH / step, axis=0)
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
