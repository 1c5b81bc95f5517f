"""A dance gone through in mind: the poses that a course asks for, found by kinematics before anything moves.

They tell what a point on a leg without mass does not know: where hips are under the centre of mass, and how the swing
of limbs shifts the floor's push. With L' the rate of the angular momentum about the centre of mass, the push has to be
centred elsewhere than the point's by (-L'_z, L'_x) / (m (g + height'')).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.dance.performance.balance import centre_of_mass
from segue.dance.performance.legs import reach_feet
from segue.dance.simulation.course.centre_of_mass import MassCentreCourse
from segue.dance.simulation.course.feet import FootWay
from segue.dance.simulation.course.quintic import rates_of
from segue.dance.simulation.momentum import angular_momentum
from segue.typing import Array

EVERY = 5
"""Ticks of a course from pose to pose of its rehearsal."""

_CENTRINGS = 3  # of the pelvis under the centre of mass: each leaves a tenth
_SMOOTH = 0.03  # s over which the rate of the momentum is smoothed: what is shorter the feet cannot follow


class Rehearsed(NamedTuple):
    """What a rehearsal tells at the N ticks of a course.

    hips: (N, 3) of each side, m from the centre of mass. shift: (N, 2), x and z, how far the pressure that moves the
    body as a point lies from the floor's real push.
    """

    hips: Mapping[str, Array]
    shift: Array


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """Poses (T) of a figure, `EVERY` ticks apart, whose trunk and arms are as they are to be, and where feet go (T).

    gravity: m/s^2.
    """

    figure: Figure
    poses: Poses
    feet: Mapping[str, FootWay]
    gravity: float

    def go_through(self, course: MassCentreCourse) -> Rehearsed:
        """Put hips and legs under a course of the centre of mass, and return what is then seen; poses are changed."""
        step = EVERY * course.step
        centre = np.stack([course.level[0, ::EVERY, 0], course.height[0, ::EVERY], course.level[0, ::EVERY, 1]], axis=1)
        feet = {side: (way.ankle, way.turns) for side, way in self.feet.items()}
        for _ in range(_CENTRINGS):
            reach_feet(self.figure, self.poses, feet)
            self.poses.root[:] += centre - centre_of_mass(self.figure, self.poses)
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
        return Rehearsed(hips, _at_ticks(shift, count))


def _at_ticks(values: Array, count: int) -> Array:
    """Return values (T, K) of poses at all ticks, (N, K), straight from one to the next."""
    ticks = np.arange(count)
    return np.stack([np.interp(ticks, ticks[::EVERY], column) for column in values.T], axis=1)
