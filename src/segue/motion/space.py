"""Space: what a clip's numbers mean, its unit of length, its up axis, and the way it faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.curves import quaternion
from segue.curves.quaternion import Array

__all__ = ["Space"]

_TURN_TO_Y_UP = {
    "Y": quaternion.identity(),
    "Z": quaternion.exp(np.array([-np.pi / 2, 0.0, 0.0])),  # (x, y, z) -> (x, z, -y)
}


@dataclass(frozen=True)
class Space:
    """How a clip's own numbers become metres with Y up, and back.

    scale: metres per source unit. unit: that unit in words. up: the source's up axis, "Y" or "Z". stature: the
    person's standing height in metres. facing: the axis of the source the person faces at the start, such as "+Z".
    notes: sentences for the user on how this was found.
    """

    scale: float
    unit: str
    up: str
    stature: float
    facing: str
    notes: tuple[str, ...] = ()

    @property
    def rotation(self) -> Array:
        """The quaternion that takes source axes to Y up."""
        return _TURN_TO_Y_UP[self.up].copy()

    def to_metres(self, positions: Array) -> Array:
        """Return world positions or displacements (..., 3) of the source in metres, Y up."""
        return quaternion.rotate(self.rotation, positions * self.scale)

    def from_metres(self, positions: Array) -> Array:
        """Return world positions or displacements (..., 3) in source units and axes: undoes `to_metres`."""
        return quaternion.rotate(quaternion.conjugate(self.rotation), positions) / self.scale

    def turn(self, rotations: Array) -> Array:
        """Return world rotations (..., 4) of source joints with Y up; the joints' own frames stay as they are."""
        return quaternion.multiply(self.rotation, rotations)

    def turn_back(self, rotations: Array) -> Array:
        """Return world rotations (..., 4) in source axes: undoes `turn`."""
        return quaternion.multiply(quaternion.conjugate(self.rotation), rotations)
