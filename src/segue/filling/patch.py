"""A patch: the solved path of a figure over a gap, as a source of functions."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from segue.body.human import HUMAN
from segue.curves.ball_charts import BallCharts
from segue.curves.bspline import DEGREE, SplineBasis
from segue.filling._joint_kernels import spline_state
from segue.motion.state import State
from segue.typing import Array


class Patch:
    """Joint values of all 44 degrees of freedom as cubic splines on [0, duration], ball joints in charts.

    control: (m + 4, 44) coefficients on equal pieces. report: how the path was found, whatever the solver says of it.
    """

    def __init__(self, charts: BallCharts, control: Array, duration: float, report: object = None) -> None:
        self.charts = charts
        self.duration = duration
        self.report = report
        self._pieces = (_to_pieces(len(control)) @ control).reshape(-1, DEGREE + 1, control.shape[1])

    def state(self, times: Array) -> State:
        """Return the whole figure's state at times, which are held within the patch."""
        charts = self.charts.reference, self.charts.leading
        at = np.ascontiguousarray(times, dtype=float)
        return State.of_parts(spline_state(self._pieces, self.duration, at, *charts, HUMAN.ball_dofs, HUMAN.hinge_dofs))


@lru_cache(maxsize=32)
def _to_pieces(count: int) -> Array:
    """Return (4 pieces, count): each piece's powers of its own time, from 0 to 1, of every basis function."""
    basis = SplineBasis.uniform(0.0, 1.0, count)
    pieces = count - DEGREE
    starts = (np.arange(pieces) + 0.5) / pieces
    # Taylor's series about the middle, where no derivative jumps, moved to the start of each piece
    about = [basis.matrix(starts, order) / pieces**order for order in range(DEGREE + 1)]
    a, b, c, d = (part / factor for part, factor in zip(about, (1.0, 1.0, 2.0, 6.0), strict=True))
    h = -0.5
    powers = np.stack([a + h * b + h**2 * c + h**3 * d, b + 2 * h * c + 3 * h**2 * d, c + 3 * h * d, d], axis=1)
    return powers.reshape(-1, count)
