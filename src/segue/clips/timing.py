"""Smooth curves over time: through keyframes, around a cycle, and across a swing between two given ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.interpolate import BPoly, CubicSpline, PchipInterpolator, make_interp_spline

from segue.typing import Array

Curve = Callable[[Array], Array]
"""A function of time: (T,) -> (T, ...)."""

_RATE_STEP = 2e-3


def eased(keys: Sequence[tuple[float, float]], times: Array) -> Array:
    """Return values (T,) of a C2 curve through keys (time, value) that hardly overshoots and never leaves a hold.

    The pieces are quintic. At the keys their slopes are those of the monotone cubic, which are zero at turning points
    and beside holds, and their second derivatives are zero. Outside the keys the end values last.
    """
    at = np.array([key[0] for key in keys])
    values = np.array([key[1] for key in keys])
    if len(keys) == 1:
        return np.full(len(times), values[0])
    slopes = np.array(PchipInterpolator(at, values)(at, 1))
    slopes[[0, -1]] = 0.0
    curve = BPoly.from_derivatives(at, np.stack([values, slopes, np.zeros(len(at))], axis=1))
    return np.asarray(curve(np.clip(times, at[0], at[-1])))


def around(samples: Sequence[float]) -> Curve:
    """Return the C2 curve of period 1 through samples at equal steps, the first at 0 and none repeated at 1."""
    values = np.array([*samples, samples[0]])
    spline = CubicSpline(np.linspace(0.0, 1.0, len(values)), values, bc_type="periodic")
    return lambda phase: np.asarray(spline(phase % 1.0))


def rates(curve: Curve, time: float) -> Array:
    """Return value, velocity and acceleration of a curve at a time, (3, ...), by central differences."""
    before, here, after = curve(time + _RATE_STEP * np.array([-1.0, 0.0, 1.0]))
    return np.stack([here, (after - before) / (2 * _RATE_STEP), (after - 2 * here + before) / _RATE_STEP**2])


def across(guide: Curve, start: tuple[float, Array], stop: tuple[float, Array], ease: tuple[float, float]) -> Curve:
    """Return a C2 curve that follows a guide between two times where it has a given value, velocity and acceleration.

    start, stop: (time, (3, ...)). The differences from the guide at both ends are added in proportion to time. ease: s
    after the start and before the stop in which a quintic leads from the end to the guide.
    """
    span = stop[0] - start[0]
    lack = [end[1][0] - guide(np.array([end[0]]))[0] for end in (start, stop)]

    def mended(times: Array) -> Array:
        share = ((times - start[0]) / span)[:, None]
        values: Array = guide(times) + (1 - share) * lack[0] + share * lack[1]
        return values

    away, home = start[0] + ease[0], stop[0] - ease[1]
    leaving = BPoly.from_derivatives([start[0], away], [start[1], rates(mended, away)])
    landing = BPoly.from_derivatives([home, stop[0]], [rates(mended, home), stop[1]])

    def course(times: Array) -> Array:
        early, late = (times < away)[:, None], (times > home)[:, None]
        return np.where(early, leaving(times), np.where(late, landing(times), mended(times)))

    return course


def quintic(times: npt.ArrayLike, values: npt.ArrayLike, start: npt.ArrayLike, stop: npt.ArrayLike) -> Curve:
    """Return the quintic spline through values (K, ...), with velocity and acceleration (2, ...) given at both ends."""
    first, last = np.asarray(start, dtype=float), np.asarray(stop, dtype=float)
    boundary: Any = ([(1, first[0]), (2, first[1])], [(1, last[0]), (2, last[1])])
    spline = make_interp_spline(np.asarray(times, dtype=float), np.asarray(values, dtype=float), k=5, bc_type=boundary)
    return lambda at: np.asarray(spline(at))
