"""A patch: the solved path of a figure over a gap, as a source of functions."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from segue.compiled import compiled
from segue.curves.ball_charts import BallCharts
from segue.curves.bspline import DEGREE, SplineBasis
from segue.curves.quaternion import Array
from segue.dynamics.figure import BALL_COLUMNS, HINGE_COLUMNS
from segue.motion.functions import Sample
from segue.motion.state import State

__all__ = ["Patch"]


class Patch:
    """Joint values of all 44 degrees of freedom as cubic splines on [0, duration], ball joints in charts.

    control: (m + 4, 44) coefficients on equal pieces. report: how the path was found, whatever the solver says of it.
    """

    def __init__(self, charts: BallCharts, control: Array, duration: float, report: object = None) -> None:
        self.charts = charts
        self.duration = duration
        self.report = report
        self._pieces = np.ascontiguousarray(np.tensordot(_to_pieces(len(control)), control, axes=1))

    def state(self, times: Array) -> State:
        """Return the whole figure's state at times, which are held within the patch."""
        value, rate, rise = self._joints(times)
        balls = self.charts.spatial_motion(value[:, BALL_COLUMNS], rate[:, BALL_COLUMNS], rise[:, BALL_COLUMNS])
        root = Sample(*(part[:, :3].copy() for part in (value, rate, rise)))
        return State(root, Sample(*balls), Sample(*(part[:, HINGE_COLUMNS] for part in (value, rate, rise))))

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration at times, held as for `state`."""
        return Sample(*(part.copy() for part in self.state(times).of(track)))

    def _joints(self, times: Array) -> Array:
        out = np.empty((3, len(times), self._pieces.shape[2]))
        _evaluate(self._pieces, self.duration, np.ascontiguousarray(times, dtype=float), out)
        return out


@lru_cache(maxsize=32)
def _to_pieces(count: int) -> Array:
    """Return (pieces, 4, count): each piece's powers of its own time, from 0 to 1, of every basis function."""
    basis = SplineBasis.uniform(0.0, 1.0, count)
    pieces = count - DEGREE
    starts = (np.arange(pieces) + 0.5) / pieces
    # Taylor's series about the middle, where no derivative jumps, moved to the start of each piece
    about = [basis.matrix(starts, order) / pieces**order for order in range(DEGREE + 1)]
    a, b, c, d = (part / factor for part, factor in zip(about, (1.0, 1.0, 2.0, 6.0), strict=True))
    h = -0.5
    return np.stack([a + h * b + h**2 * c + h**3 * d, b + 2 * h * c + 3 * h**2 * d, c + 3 * h * d, d], axis=1)


@compiled(seconds=1)
def _evaluate(pieces: Array, duration: float, times: Array, out: Array) -> None:
    """Write value and two derivatives (3, T, n) of piecewise cubics (pieces, 4, n)."""
    count = pieces.shape[0]
    per = count / duration
    for t in range(len(times)):
        at = min(max(times[t] * per, 0.0), float(count))
        k = min(int(at), count - 1)
        u = at - k
        for i in range(pieces.shape[2]):
            a, b, c, d = pieces[k, 0, i], pieces[k, 1, i], pieces[k, 2, i], pieces[k, 3, i]
            out[0, t, i] = a + u * (b + u * (c + u * d))
            out[1, t, i] = (b + u * (2.0 * c + 3.0 * u * d)) * per
            out[2, t, i] = (2.0 * c + 6.0 * u * d) * per * per
