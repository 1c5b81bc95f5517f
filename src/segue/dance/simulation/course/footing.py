"""Where a foot is when it stands on a footprint, flat or rolled about its heel or toe joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.build import Build
from segue.dance.planning.model import Footprint
from segue.dance.simulation.flesh import sole_balls
from segue.typing import Array

_MIDDLE = 0.3  # of the way from ankle to toe joint: below it lies the point of the sole that swings are planned for


@dataclass(frozen=True)
class Foot:
    """The lengths of a foot, in m, that rolling depends on.

    sole: height of the ankle. heel: how far it lies behind. toe, toe_height: the toe joint, ahead of the ankle and
    above the floor. tip: how far toes reach beyond their joint. radius: of the balls that it stands on. half_breadth:
    from the middle of the ball of the foot to where either side of it bears.
    """

    sole: float
    heel: float
    toe: float
    toe_height: float
    tip: float
    radius: float
    half_breadth: float

    @classmethod
    def of(cls, build: Build) -> Foot:
        """Return the foot of a build."""
        ball = sole_balls(build)["left_ball_outer"]
        toe_height = build.sole + float(build.toe[1])
        return cls(
            build.sole, build.heel, float(build.toe[2]), toe_height, build.toes, ball.radius, float(ball.centre[0])
        )

    @property
    def length(self) -> float:
        """From heel to the tip of the toes."""
        return self.heel + self.toe + self.tip

    @property
    def middle(self) -> float:
        """How far ahead of the ankle the middle of the sole lies, for which swings are planned."""
        return _MIDDLE * self.toe

    def middle_in_foot(self) -> Array:
        """Return the middle of the sole in the foot's frame, (3,)."""
        return np.array([0.0, -self.sole, self.middle])

    def ankle(self, pitch: Array) -> tuple[Array, Array]:
        """Return how far ahead of the footprint, and how high, the ankle is, in m, of a foot that is rolled.

        pitch: rad. Positive lifts the heel: the foot turns about the toe joint, the toes stay flat. Negative lifts the
        toes: the foot rolls on the balls under its heel, which do not slip.
        """
        pitch = np.asarray(pitch, dtype=float)
        cosine, sine = np.cos(pitch), np.sin(pitch)
        up, ahead = self.toe_height - self.sole, self.toe
        on_toe = ahead - (up * sine + ahead * cosine), self.toe_height - (up * cosine - ahead * sine)
        up, ahead = self.radius - self.sole, -self.heel
        rolled = ahead + self.radius * pitch
        on_heel = rolled - (up * sine + ahead * cosine), self.radius - (up * cosine - ahead * sine)
        heel_up = pitch >= 0.0
        return np.where(heel_up, on_toe[0], on_heel[0]), np.where(heel_up, on_toe[1], on_heel[1])

    def sole_middle(self, pitch: Array) -> tuple[Array, Array]:
        """Return how far ahead of the footprint, and how high, the middle of the sole is when the foot is rolled."""
        ahead, up = self.ankle(pitch)
        cosine, sine = np.cos(pitch), np.sin(pitch)
        return ahead - self.sole * sine + self.middle * cosine, up - self.sole * cosine - self.middle * sine

    def on_floor(self, footprint: Footprint, ahead: float, leftward: float = 0.0) -> Array:
        """Return the point (x, z) of the floor that lies ahead of a footprint and to its left."""
        sine, cosine = np.sin(footprint.heading), np.cos(footprint.heading)
        return np.array(
            [footprint.x + ahead * sine + leftward * cosine, footprint.z + ahead * cosine - leftward * sine]
        )

    def ball(self, footprint: Footprint, side: str, outward: float = 0.0) -> Array:
        """Return the point (x, z) of the floor under the inner side of the ball of a left or right foot, or beside it.

        outward: m from there to the outer side of the foot.
        """
        inward = self.half_breadth - outward
        return self.on_floor(footprint, self.toe, -inward if side == "left" else inward)

    def pivoted(self, footprint: Footprint, heading: float, side: str) -> Footprint:
        """Return the footprint of a foot that has turned about the inner side of its ball to a heading."""
        axis, turned = self.ball(footprint, side), footprint._replace(heading=heading)
        x, z = axis - self.ball(turned, side)
        return turned._replace(x=turned.x + float(x), z=turned.z + float(z))
