"""Charts of rotations near a reference as three turns: of one ball joint in NumPy, of several at once by kernels.

A chart writes an orientation as the reference followed by a small rotation of three coordinates. Angular velocity and
angular acceleration are those of the moving frame against the fixed one, along the axes of the moving frame. Arrays
may have any leading shape: orientations (..., 4), everything else (..., 3).

The middle turn must stay below a quarter turn, while the leading one is free. The charts of a figure's joints lead with
the axis nearest to the axis of the rotation from one end of a motion to the other, and the reference is midway. Then
even a half turn keeps the middle turn below 70 degrees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.chart_kernels import chart_coordinates, chart_orientations, chart_rates, charts_between
from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.typing import Array, Ints

_LEAST_COSINE = 1e-6


class EulerChart:
    """The reference (..., 4) followed by three turns, each about an axis of the frame that the one before has moved.

    order: such as "ZYX", three different axes. This is exactly a chain of three hinges along those axes after a fixed
    rotation, so the coordinates are joint values. The middle turn must stay below 90 degrees: any orientation less than
    90 degrees from the reference has a middle turn no greater than that angle.
    """

    def __init__(self, reference: npt.ArrayLike, order: str = "ZYX") -> None:
        given = np.asarray(reference, dtype=float)
        if given.shape[-1:] != (4,) or not np.all(np.isfinite(given)) or not np.all(np.any(given != 0, axis=-1)):
            raise ArgumentError("the reference of a chart must be a unit quaternion (w, x, y, z)")
        self.reference = quaternion.normalise(given)
        self.reference.flags.writeable = False
        if sorted(order.upper()) != ["X", "Y", "Z"]:
            raise ArgumentError(f"the order of an Euler chart is three different axes such as 'ZYX', not '{order}'")
        self.order = order.upper()
        self._abc = ["XYZ".index(letter) for letter in self.order]
        a, b, _ = self._abc
        self._sign = 1.0 if (a + 1) % 3 == b else -1.0

    @property
    def axes(self) -> Array:
        """The three hinge axes in order, (3, 3)."""
        return np.eye(3)[self._abc]

    def coordinates(self, orientation: Array) -> Array:
        """Return the coordinates of orientations."""
        turned = quaternion.multiply(quaternion.conjugate(self.reference), orientation)
        angles = quaternion.to_euler(self.order, turned)
        if np.any(np.cos(angles[..., 1]) < _LEAST_COSINE):
            raise ArgumentError(
                "an orientation lies a quarter turn from the reference of its Euler chart: choose a nearer reference"
            )
        return angles

    def orientation(self, coordinates: Array) -> Array:
        """Return the orientations of coordinates."""
        return quaternion.multiply(
            self.reference, quaternion.from_euler(self.order, np.asarray(coordinates, dtype=float))
        )

    def angular_velocity(self, coordinates: Array, rates: Array) -> Array:
        """Return the angular velocity of coordinates that change at given rates."""
        return _apply(self.rate_matrix(coordinates), rates)

    def angular_acceleration(self, coordinates: Array, rates: Array, accelerations: Array) -> Array:
        """Return the angular acceleration from coordinates and their first and second derivatives."""
        return _apply(self.rate_matrix(coordinates), accelerations) + self.drift(coordinates, rates)

    def rates(self, coordinates: Array, angular_velocity: Array) -> Array:
        """Return how fast the coordinates change at an angular velocity."""
        return self._solve(coordinates, angular_velocity)

    def accelerations(self, coordinates: Array, rates: Array, angular_acceleration: Array) -> Array:
        """Return the second derivatives of the coordinates at an angular acceleration."""
        return self._solve(coordinates, angular_acceleration - self.drift(coordinates, rates))

    def rate_matrix(self, coordinates: Array) -> Array:
        """Return E (..., 3, 3): angular velocity = E @ rates."""
        c1, s1, c2, s2 = _middle_and_last(coordinates)
        a, b, c = self._abc
        sign = self._sign
        matrix = np.zeros((*np.shape(coordinates), 3))
        matrix[..., a, 0], matrix[..., b, 0], matrix[..., c, 0] = c1 * c2, -sign * c1 * s2, sign * s1
        matrix[..., a, 1], matrix[..., b, 1] = sign * s2, c2
        matrix[..., c, 2] = 1.0
        return matrix

    def drift(self, coordinates: Array, rates: Array) -> Array:
        """Return dE/dt @ rates: the angular acceleration of angles that change steadily."""
        c1, s1, c2, s2 = _middle_and_last(coordinates)
        r0, r1, r2 = (rates[..., k] for k in range(3))
        a, b, c = self._abc
        sign = self._sign
        out = np.empty(np.broadcast_shapes(np.shape(coordinates), np.shape(rates)))
        out[..., a] = -r0 * (s1 * c2 * r1 + c1 * s2 * r2) + sign * c2 * r1 * r2
        out[..., b] = sign * r0 * (s1 * s2 * r1 - c1 * c2 * r2) - s2 * r1 * r2
        out[..., c] = sign * c1 * r0 * r1
        return out

    def _solve(self, coordinates: Array, right: Array) -> Array:
        c1, s1, c2, s2 = _middle_and_last(coordinates)
        if np.any(np.abs(c1) < _LEAST_COSINE):
            raise ArgumentError("the middle turn of an Euler chart is a quarter turn, where rates have no unique value")
        a, b, c = self._abc
        first = (c2 * right[..., a] - self._sign * s2 * right[..., b]) / c1
        middle = self._sign * s2 * right[..., a] + c2 * right[..., b]
        return np.stack([first, middle, right[..., c] - self._sign * s1 * first], axis=-1)


def _apply(matrix: Array, vectors: Array) -> Array:
    product: Array = np.einsum("...ij,...j->...i", matrix, vectors)
    return product


def _middle_and_last(angles: Array) -> tuple[Array, Array, Array, Array]:
    middle, last = np.asarray(angles)[..., 1], np.asarray(angles)[..., 2]
    return np.cos(middle), np.sin(middle), np.cos(last), np.sin(last)


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
