"""Joint limits as bounds of control points in a gap's charts."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.compiled import Ref
from segue.curves import quaternion
from segue.curves.chart import BallCharts
from segue.spacetime._limit_kernels import ball_slack
from segue.spacetime._problem import Balls
from segue.typing import Array, Ints

_MIDDLE = np.radians(80.0)


class Usual(NamedTuple):
    """The known range of joints: balls (R, 7, 4), and hinges from low to high (20,); and by how much more they may
    move.

    margin: rad that they may go beyond without cost. A joint beyond this range costs as much as one beyond its limits,
    but is not drawn back in the end.
    """

    balls: Array
    low: Array
    high: Array
    margin: float


def ball_limits(charts: BallCharts, free: Ints, ends: Array, count: int, usual: Usual | None = None) -> Balls:
    """Return the limits of the ball joints among the unknowns; ends (4, 44) may already be outside them.

    count: control points that are free. usual: what joints do without cost.
    """
    which, first, back, axis, swing, twist = _ball_limits(tuple(free.tolist()))
    balls = Balls(
        first=first,
        before=quaternion.multiply(back, charts.reference[which]),
        leading=charts.leading[which],
        axis=axis,
        swing=swing,
        twist=twist,
        slack=np.zeros((len(which), 3)),
        room=np.zeros((len(which), count)),
        usual=np.zeros((len(which), 0, 4)) if usual is None else _against(back, usual.balls[:, which]),
        margin=0.0 if usual is None else usual.margin,
    )
    for angles in (ends[0], ends[2]):
        ball_slack(Ref(balls), np.ascontiguousarray(angles[HUMAN.ball_dofs[which]]))
    return balls


def _against(back: Array, orientations: Array) -> Array:
    """Return orientations (R, B, 4) as (B, R, 4) against the centres of their limits."""
    turned: Array = np.ascontiguousarray(np.swapaxes(quaternion.multiply(back, orientations), 0, 1))
    return turned


@lru_cache(maxsize=256)
def _balls_among(free: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return which ball joints are among the unknowns, and where their three unknowns begin."""
    place = {dof: f for f, dof in enumerate(free)}
    which = [b for b in range(len(HUMAN.ball_names)) if int(HUMAN.ball_dofs[b, 0]) in place]
    return np.array(which, np.int64), np.array([place[int(HUMAN.ball_dofs[b, 0])] for b in which], np.int64)


@lru_cache(maxsize=256)
def _ball_limits(free: tuple[int, ...]) -> tuple[Ints, Ints, Array, Array, Array, Array]:
    """Return `_balls_among`, and the way back from the centre, axis, swing and twist of those ball joints."""
    which, first = _balls_among(free)
    table = HUMAN.limits
    back = quaternion.conjugate(table.centre)[which]
    return which, first, back, table.axis[which], table.swing[which], table.twist[which]


@lru_cache(maxsize=1)
def dof_bounds() -> tuple[Array, Array]:
    """Return the lowest and the highest value (44,), in rad, of hinges and of what charts can express."""
    low, high = np.full(HUMAN.dof_count, -np.inf), np.full(HUMAN.dof_count, np.inf)
    low[HUMAN.hinge_dofs], high[HUMAN.hinge_dofs] = HUMAN.limits.low, HUMAN.limits.high
    # the middle angle of a chart: near a quarter turn the two others lose their meaning
    low[HUMAN.ball_dofs[:, 1]], high[HUMAN.ball_dofs[:, 1]] = -_MIDDLE, _MIDDLE
    return low, high


def clamp_control(control: Array, outside: npt.NDArray[np.bool_], free: Ints, charts: BallCharts) -> Array:
    """Return control points (F, m) with those of ball joints that are outside their limits (B, m) drawn inside."""
    clamped = control.copy()
    which, first = _balls_among(tuple(free.tolist()))
    for k in np.flatnonzero(outside.any(axis=1)).tolist():
        b, rows = which[k], first[k] + np.arange(3)
        one = BallCharts(charts.reference[b : b + 1], charts.leading[b : b + 1])
        angles = control[rows].T
        drawn = one.coordinates(HUMAN.ball_limits[b].clamp(one.orientations(angles[:, None]))[:, 0][:, None])[:, 0]
        clamped[rows] = np.where(outside[k][:, None], drawn, angles).T
    return clamped
