"""Charts of several ball joints at once, each led by the axis about which it turns most.

A chart writes an orientation as a reference followed by three turns about moving axes, in one of the cyclic orders XYZ,
YZX or ZXY. The middle turn must stay below a quarter turn, while the leading one is free; with the leading axis nearest
to the axis of a rotation from one end of a motion to the other, and the reference midway, even a half turn keeps the
middle turn below 70 degrees. What `EulerChart` does for arrays of any shape, this does for the joints of a figure in
one compiled call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.errors import ArgumentError

__all__ = ["BallCharts"]

_Ints = npt.NDArray[np.int64]
_FAR = 2.0  # rad


@dataclass(frozen=True, eq=False)
class BallCharts:
    """Three coordinates for each of B ball joints, over T samples.

    reference: (B, 4) unit quaternions. leading: (B,) the axis of the first turn, 0, 1 or 2; the others follow in cyclic
    order. Angular velocities and accelerations are those in the parent's frame.
    """

    reference: Array
    leading: _Ints

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
        apart = quaternion.log(quaternion.multiply(quaternion.conjugate(first), last))
        reference = quaternion.multiply(first, quaternion.exp(0.5 * apart))
        # where ends are near each other any axis will do, and with the same one for most joints programs can be reused
        far = np.linalg.norm(apart, axis=1) > _FAR
        return cls(reference, np.where(far, np.argmax(np.abs(apart), axis=1), 0))

    def coordinates(self, orientations: Array) -> Array:
        """Return the coordinates (T, B, 3) of orientations (T, B, 4), each within half a turn of zero."""
        out = np.empty((*orientations.shape[:2], 3))
        _coordinates(self.reference, self.leading, np.ascontiguousarray(orientations), out)
        return out

    def motion(self, orientations: Array, velocities: Array, accelerations: Array) -> tuple[Array, Array, Array]:
        """Return coordinates and their first two derivatives, (T, B, 3) each."""
        value = self.coordinates(orientations)
        rate, rise = np.empty_like(value), np.empty_like(value)
        _rates(self.leading, np.ascontiguousarray(orientations), value, velocities, accelerations, rate, rise)
        return value, rate, rise

    def orientations(self, coordinates: Array) -> Array:
        """Return the orientations (T, B, 4) of coordinates (T, B, 3)."""
        out = np.empty((*coordinates.shape[:2], 4))
        _orientations(self.reference, self.leading, np.ascontiguousarray(coordinates), out)
        return out

    def spatial_motion(self, coordinates: Array, rates: Array, rises: Array) -> tuple[Array, Array, Array]:
        """Return orientations, angular velocities and angular accelerations of coordinates with two derivatives."""
        value = self.orientations(coordinates)
        velocity, acceleration = np.empty_like(coordinates), np.empty_like(coordinates)
        _turning(self.leading, value, coordinates, rates, rises, velocity, acceleration)
        return value, velocity, acceleration


@compiled(seconds=1)
def _coordinates(reference: Array, leading: _Ints, orientations: Array, out: Array) -> None:
    for t in range(orientations.shape[0]):
        for b in range(orientations.shape[1]):
            r, q = reference[b], orientations[t, b]
            small = np.empty(3)
            w = r[0] * q[0] + r[1] * q[1] + r[2] * q[2] + r[3] * q[3]
            small[0] = r[0] * q[1] - r[1] * q[0] - r[2] * q[3] + r[3] * q[2]
            small[1] = r[0] * q[2] + r[1] * q[3] - r[2] * q[0] - r[3] * q[1]
            small[2] = r[0] * q[3] - r[1] * q[2] + r[2] * q[1] - r[3] * q[0]
            k = leading[b]
            # in a cyclic exchange of axes every order looks like XYZ
            x, y, z = small[k], small[(k + 1) % 3], small[(k + 2) % 3]
            to_x, to_y = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z)
            out[t, b, 0] = np.arctan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))
            out[t, b, 1] = np.arctan2(2 * (x * z + w * y), np.hypot(to_x, to_y))
            out[t, b, 2] = np.arctan2(-to_y, to_x)


@compiled(seconds=1)
def _orientations(reference: Array, leading: _Ints, coordinates: Array, out: Array) -> None:
    small = np.empty(3)
    for t in range(coordinates.shape[0]):
        for b in range(coordinates.shape[1]):
            half = 0.5 * coordinates[t, b]
            ca, cb, cc = np.cos(half[0]), np.cos(half[1]), np.cos(half[2])
            sa, sb, sc = np.sin(half[0]), np.sin(half[1]), np.sin(half[2])
            k = leading[b]
            w = ca * cb * cc - sa * sb * sc
            small[k] = sa * cb * cc + ca * sb * sc
            small[(k + 1) % 3] = ca * sb * cc - sa * cb * sc
            small[(k + 2) % 3] = ca * cb * sc + sa * sb * cc
            r, (x, y, z) = reference[b], (small[0], small[1], small[2])
            out[t, b, 0] = r[0] * w - r[1] * x - r[2] * y - r[3] * z
            out[t, b, 1] = r[0] * x + r[1] * w + r[2] * z - r[3] * y
            out[t, b, 2] = r[0] * y - r[1] * z + r[2] * w + r[3] * x
            out[t, b, 3] = r[0] * z + r[1] * y - r[2] * x + r[3] * w


@compiled(seconds=1, inline=True)
def _drift(c1: float, s1: float, c2: float, s2: float, r: Array) -> tuple[float, float, float]:
    """Return the angular acceleration along the moving axes of coordinates that change steadily; see `EulerChart`."""
    return (
        -r[0] * (s1 * c2 * r[1] + c1 * s2 * r[2]) + c2 * r[1] * r[2],
        r[0] * (s1 * s2 * r[1] - c1 * c2 * r[2]) - s2 * r[1] * r[2],
        c1 * r[0] * r[1],
    )


@compiled(seconds=1, inline=True)
def _turned(q: Array, v: Array, sign: float, out: Array) -> None:
    """Write a vector turned by a unit quaternion, or, with sign -1, by its inverse."""
    w, x, y, z = q[0], sign * q[1], sign * q[2], sign * q[3]
    a, b, c = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    out[0] = v[0] + 2 * (w * a + y * c - z * b)
    out[1] = v[1] + 2 * (w * b + z * a - x * c)
    out[2] = v[2] + 2 * (w * c + x * b - y * a)


@compiled(seconds=2)
def _rates(
    leading: _Ints,
    orientations: Array,
    coordinates: Array,
    velocities: Array,
    accelerations: Array,
    rate: Array,
    rise: Array,
) -> None:
    body = np.empty((2, 3))
    for t in range(orientations.shape[0]):
        for b in range(orientations.shape[1]):
            q, k = orientations[t, b], leading[b]
            _turned(q, velocities[t, b], -1.0, body[0])
            _turned(q, accelerations[t, b], -1.0, body[1])
            c1, s1 = np.cos(coordinates[t, b, 1]), np.sin(coordinates[t, b, 1])
            c2, s2 = np.cos(coordinates[t, b, 2]), np.sin(coordinates[t, b, 2])
            for order in range(2):
                x, y, z = body[order, k], body[order, (k + 1) % 3], body[order, (k + 2) % 3]
                if order == 1:
                    dx, dy, dz = _drift(c1, s1, c2, s2, rate[t, b])
                    x, y, z = x - dx, y - dy, z - dz
                out = rate if order == 0 else rise
                out[t, b, 0] = (c2 * x - s2 * y) / c1
                out[t, b, 1] = s2 * x + c2 * y
                out[t, b, 2] = z - s1 * out[t, b, 0]


@compiled(seconds=2)
def _turning(
    leading: _Ints,
    orientations: Array,
    coordinates: Array,
    rates: Array,
    rises: Array,
    velocity: Array,
    acceleration: Array,
) -> None:
    body = np.empty(3)
    for t in range(orientations.shape[0]):
        for b in range(orientations.shape[1]):
            q, k = orientations[t, b], leading[b]
            c1, s1 = np.cos(coordinates[t, b, 1]), np.sin(coordinates[t, b, 1])
            c2, s2 = np.cos(coordinates[t, b, 2]), np.sin(coordinates[t, b, 2])
            for order in range(2):
                r = rates[t, b] if order == 0 else rises[t, b]
                x, y, z = c1 * c2 * r[0] + s2 * r[1], c2 * r[1] - c1 * s2 * r[0], s1 * r[0] + r[2]
                if order == 1:
                    dx, dy, dz = _drift(c1, s1, c2, s2, rates[t, b])
                    x, y, z = x + dx, y + dy, z + dz
                body[k], body[(k + 1) % 3], body[(k + 2) % 3] = x, y, z
                _turned(q, body, 1.0, velocity[t, b] if order == 0 else acceleration[t, b])
