"""Roll a foot over heel and ball, and find where it bears on the floor.

A foot is given by the place where it would stand flat, the height of that place above the floor, its pitch, and the
axis of the pitch: the heel, or the toe joint with the toes flat. The axis may change where the foot is flat or in the
air, so that the motion is as smooth as its inputs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.build import Build
from segue.curves import quaternion
from segue.typing import Array

_FLAT = np.radians(8.0)
"""Pitch from which a foot bears on its heel or its ball alone."""
_FLAT_REACH, _HEEL_REACH, _TOES_REACH = 0.4, 0.75, 0.15


@dataclass(frozen=True, eq=False)
class FootMotion:
    """One foot over T frames.

    place: (T, 2), x and z of the floor under the ankle if the foot were flat, in m. height: (T,) of that above the
    floor. heading: (T,) rad. pitch: (T,) rad, toes up is positive. heel_share: (T,), 1 where it pitches about the heel,
    0 where about the toe joint. roll: (T,) rad, its left side up is positive; on the floor there is none.
    """

    place: Array
    height: Array
    heading: Array
    pitch: Array
    heel_share: Array
    roll: Array

    @property
    def turns(self) -> Array:
        """World rotations (T, 4) of the foot's segment."""
        pitched = quaternion.exp(-self.pitch[:, None] * np.array([1.0, 0.0, 0.0]))
        rolled = quaternion.exp(self.roll[:, None] * np.array([0.0, 0.0, 1.0]))
        return quaternion.multiply(quaternion.multiply(_headed(self.heading), pitched), rolled)

    @property
    def toe_extension(self) -> Array:
        """Toe extension (T,) in rad: toes stay on the floor while the foot pitches over them."""
        extension: Array = (self.heel_share - 1.0) * self.pitch
        return extension

    def ankles(self, build: Build) -> Array:
        """Return the ankle's world positions (T, 3)."""
        return self._placed(_ankle_reach(build, self.pitch, self.heel_share))

    def bearings(self, build: Build) -> Array:
        """Return the centre of pressure of the foot on the floor, (T, 2)."""
        return self._placed(_forward(bearing_reach(build, self.pitch)))[:, [0, 2]]

    def _placed(self, seen: Array) -> Array:
        """Convert points (T, 3) from the frame of the flat foot, on the floor under its ankle, to the world."""
        base = np.stack([self.place[:, 0], self.height, self.place[:, 1]], axis=1)
        placed: Array = base + quaternion.rotate(_headed(self.heading), seen)
        return placed


def ball_of(build: Build, place: Array, heading: Array) -> Array:
    """Return the floor under the toe joint (T, 2) of feet that stand flat at places (T, 2), headed (T,)."""
    return place + _turned_on_floor(build, heading)


def footprint_about(build: Build, ball: Array, heading: Array) -> Array:
    """Return places (T, 2) of flat feet with given balls: the inverse of `ball_of`."""
    return ball - _turned_on_floor(build, heading)


def _turned_on_floor(build: Build, heading: Array) -> Array:
    # the toe joint lies straight ahead of the ankle in a standard build, and nearly so in a fitted one
    ahead: Array = np.stack([np.sin(heading), np.cos(heading)], axis=-1) * float(build.toe[2])
    return ahead


def bearing_reach(build: Build, pitch: Array) -> Array:
    """Return the centre of pressure ahead of the ankle (T,) in m: mid-sole when flat, at heel or ball when pitched."""
    flat, heel, toes = _FLAT_REACH * build.toe[2], -_HEEL_REACH * build.heel, build.toe[2] + _TOES_REACH * build.toes
    up, down = np.clip(pitch / _FLAT, 0.0, 1.0), np.clip(-pitch / _FLAT, 0.0, 1.0)
    up, down = (share**2 * (3.0 - 2.0 * share) for share in (up, down))
    reach: Array = flat + up * (heel - flat) + down * (toes - flat)
    return reach


def lowest_reach(build: Build, pitch: Array, heel_share: Array) -> Array:
    """Return the height of the lowest of heel, ball and toe tip (T,), for a foot at height 0."""
    ankle = _ankle_reach(build, pitch, heel_share)[:, 1]
    sin, cos = np.sin(pitch), np.cos(pitch)
    heel = ankle - build.sole * cos - build.heel * sin
    joint = ankle + build.toe[1] * cos + build.toe[2] * sin
    toes_pitch = heel_share * pitch
    under = build.sole + build.toe[1]
    ball = joint - under * np.cos(toes_pitch)
    tip = ball + build.toes * np.sin(toes_pitch)
    lowest: Array = np.minimum(np.minimum(heel, ball), tip)
    return lowest


def _ankle_reach(build: Build, pitch: Array, heel_share: Array) -> Array:
    """Return the ankle (T, 3) in the frame of the flat foot, on the floor under it."""
    sin, cos = np.sin(pitch), np.cos(pitch)
    back, up = float(build.toe[2]), float(-build.toe[1])
    heel_up, heel_ahead = build.sole * cos + build.heel * sin, build.heel * (cos - 1.0) - build.sole * sin
    toe_up, toe_ahead = build.sole - up + up * cos - back * sin, back * (1.0 - cos) - up * sin
    seen = _forward(heel_share * heel_ahead + (1.0 - heel_share) * toe_ahead)
    seen[:, 1] = heel_share * heel_up + (1.0 - heel_share) * toe_up
    return seen


def _forward(reach: Array) -> Array:
    zero = np.zeros_like(reach)
    return np.stack([zero, zero, reach], axis=1)


def _headed(heading: Array) -> Array:
    return quaternion.exp(heading[:, None] * np.array([0.0, 1.0, 0.0]))
