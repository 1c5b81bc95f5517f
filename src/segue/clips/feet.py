"""Feet on the floor: how a foot rolls from heel to toe without sliding, sinking or jumping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.build import Build
from segue.curves import quaternion
from segue.curves.quaternion import Array

__all__ = ["Foot", "Footprint", "flat", "roll"]


@dataclass(frozen=True)
class Footprint:
    """Where a foot stands: the ball's place on the floor in metres, and how far the toes point outwards in radians."""

    x: float
    z: float
    turn: float


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot over frames: ankle (T, 3), turn (T, 4) of the foot's segment, toe (T,) extension of the toes."""

    ankle: Array
    turn: Array
    toe: Array


def roll(build: Build, footprint: Footprint, pitch: Array, toes: Array) -> Foot:
    """Return a foot that rolls on its footprint: pitch (T,) of the foot and of its toes, in radians, up is positive.

    While the foot points up it turns about the heel; pointing down, about the toe joint with the toes flat; and while
    the toes too point down, about their tip. Where these phases meet, the pitches must rest at nought (C2): then the
    ankle's path is C2 as well, whatever turns about what.
    """
    heading = np.broadcast_to(quaternion.exp(np.array([0.0, footprint.turn, 0.0])), (len(pitch), 4))
    place = np.array([footprint.x, 0.0, footprint.z])
    joint_height = build.sole + build.toe[1]
    on_heel = _turned(pitch, np.array([0.0, build.sole, build.heel])) - np.array([0.0, 0.0, build.toe[2] + build.heel])
    tip_to_joint = np.array([0.0, joint_height, -build.toes])
    on_toes = (
        np.array([0.0, 0.0, build.toes]) + _turned(np.minimum(toes, 0.0), tip_to_joint) + _turned(pitch, -build.toe)
    )
    ankle = place + quaternion.rotate(heading, np.where((pitch > 0)[:, None], on_heel, on_toes))
    turn = quaternion.multiply(heading, _pitched(pitch))
    return Foot(ankle, turn, toes - pitch)


def flat(build: Build, footprint: Footprint, frames: int) -> Foot:
    """Return a foot that stands still with its whole sole on the floor."""
    return roll(build, footprint, np.zeros(frames), np.zeros(frames))


def _pitched(pitch: Array) -> Array:
    return quaternion.exp(-pitch[:, None] * np.array([1.0, 0.0, 0.0]))


def _turned(pitch: Array, vector: Array) -> Array:
    return quaternion.rotate(_pitched(pitch), np.broadcast_to(vector, (len(pitch), 3)))
