"""Charts of several ball joints at once, each led by the axis about which it turns most.

A chart writes an orientation as a reference followed by three turns about moving axes, in one of the cyclic orders XYZ,
YZX or ZXY. The middle turn must stay below a quarter turn, while the leading one is free. The leading axis is the one
nearest to the axis of the rotation from one end of a motion to the other, and the reference is midway. Then even a half
turn keeps the middle turn below 70 degrees. `EulerChart` works on arrays of any shape; this module does the same for
the joints of a figure in one compiled call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.curves.chart_kernels import chart_coordinates, chart_orientations, chart_rates, charts_between
from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.typing import Array, Ints

_FAR = 2.0  # rad


@dataclass(frozen=True, eq=False)
class BallCharts:
    """Three coordinates for each of B ball joints, over T samples.

    reference: (B, 4) unit quaternions. leading: (B,) the axis of the first turn, 0, 1 or 2; the others follow in cyclic
    order. Angular velocities and accelerations are those in the parent's frame.
    """

    reference: Array
    leading: Ints

    def __post_init__(self) -> None:
        if (
            self.reference.ndim != 2
            or self.reference.shape[1:] != (4,)
            or self.leading.shape != self.reference.shape[:1]
        ):
            raise ArgumentError(
                f"charts of ball joints need references (B, 4) and leading axes (B,), "
                f"not {self.reference.shape} and {self.leading.shape}"
            )

    @classmethod
    def between(cls, first: Array, last: Array) -> BallCharts:
        """Return charts that suit motions from one set of orientations (B, 4) to another."""
        # where ends are near each other any axis will do, and with the same one for most joints programs can be reused
        return cls(*charts_between(kernel_array(first), kernel_array(last), _FAR))

    def coordinates(self, orientations: Array) -> Array:
        """Return the coordinates (T, B, 3) of orientations (T, B, 4), each within half a turn of zero."""
        out = np.empty((*orientations.shape[:2], 3))
        chart_coordinates(self.reference, self.leading, np.ascontiguousarray(orientations), out)
        return out

    def motion(self, orientations: Array, velocities: Array, accelerations: Array) -> tuple[Array, Array, Array]:
        """Return coordinates and their first two derivatives, (T, B, 3) each."""
        value = self.coordinates(orientations)
        rate, rise = np.empty_like(value), np.empty_like(value)
        chart_rates(self.leading, np.ascontiguousarray(orientations), value, velocities, accelerations, rate, rise)
        return value, rate, rise

    def orientations(self, coordinates: Array) -> Array:
        """Return the orientations (T, B, 4) of coordinates (T, B, 3)."""
        out = np.empty((*coordinates.shape[:2], 4))
        chart_orientations(self.reference, self.leading, np.ascontiguousarray(coordinates), out)
        return out
