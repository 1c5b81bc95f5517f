"""Modes of time: unknowns in which a spline's costs are as independent of each other as they can be.

A joint's path is the cubic Hermite between its ends plus a sum of modes, each a spline that vanishes at both ends with
its velocity. The modes solve A v = mu R v. R is the matrix of the regulariser (velocity, acceleration and jerk). A is
that of accelerations, or of their changes, which torques follow. With v'Rv = 1 the regulariser becomes the square of
the unknowns and the Hessian of the torques' cost nearly block diagonal. This takes a third or less of the iterations.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from segue.curves.bspline import SplineBasis
from segue.curves.sampled import uniform
from segue.dynamics._lanes import LANES, aligned
from segue.errors import ArgumentError
from segue.spacetime.objectives import Objective
from segue.typing import Array

_MOST_AGAINST, _SHOWN, _BEYOND = 16, 0.6, np.radians(0.35)


def coefficients_for(duration: float) -> int:
    """Return how many free coefficients a joint gets in a gap of some seconds: 5 at 0.2, 7 at 0.5, 10 at 1 s."""
    return int(np.clip(round(4.0 + 6.0 * duration), 4, 24))


def coefficients_against(limits: tuple[Array, Array], ends: Array, duration: float) -> int:
    """Return how many coefficients a gap needs so that joints can stop before their limits; 16 at most.

    limits: low and high (n,) in rad; ends: (4, n), values and rates at the start, then at the end. The second control
    point from either end follows from value and rate, and lies the nearer to the end the shorter the pieces are; six
    tenths of what it is outside shows in the curve.
    """
    low, high = (
        bound(limit, bound(ends[0], ends[2])) for bound, limit in zip((np.minimum, np.maximum), limits, strict=True)
    )
    count = coefficients_for(duration)
    while count < _MOST_AGAINST:
        reach = duration / (3.0 * (count + 1))
        beside = np.stack([ends[0] + reach * ends[1], ends[2] - reach * ends[3]])
        if _SHOWN * float(np.maximum(beside - high, low - beside).max()) < _BEYOND:
            break
        count += 1
    return count


def samples_for(coefficients: int) -> int:
    """Return at how many times costs are sampled: several for every piece of the spline, in whole blocks."""
    return LANES * max(3, -(-5 * (coefficients + 1) // (2 * LANES)))


class TimeModes(NamedTuple):
    """A spline with m free coefficients on [0, duration], in modes, at S samples.

    times: (S,). weights: (2, S), of the samples, and of changes from each to the next. hermite: (3, S, 4), value and
    two derivatives of the path between ends (value and velocity at the start, value and velocity at the end) alone.
    modes: (S, m, 3). blocks: the same for the kernels, (block, m, 3, lane). control: (m, 4) control points of the
    Hermite path. to_control: (m, m) what modes add to them. square: (4, 4), linear: (4, m): the regulariser of ends e
    and unknowns y is e'square e + e'linear y + y'y. mode_coupling: (2, 3, m, m), see `Problem`. sampled: (4, S, m + 4),
    the spline's own basis with three derivatives. ends_to_control: (m + 4, 4) coefficients of the Hermite path.
    """

    duration: float
    times: Array
    weights: Array
    hermite: Array
    modes: Array
    blocks: Array
    control: Array
    to_control: Array
    square: Array
    linear: Array
    mode_coupling: Array
    sampled: Array
    ends_to_control: Array

    def coefficients(self, ends: Array, unknowns: Array) -> Array:
        """Return the spline's coefficients (m + 4, n) from ends (4, n) and unknowns (m, n)."""
        whole: Array = self.ends_to_control @ ends
        whole[2:-2] += self.to_control @ unknowns
        return whole

    def smoothest(self, ends: Array) -> Array:
        """Return the coefficients (m + 4, n) of the path that the regulariser alone likes best."""
        return self.coefficients(ends, -0.5 * self.linear.T @ ends)


class _Unit(NamedTuple):
    """The same on [0, 1]: basis (4, S, m + 4) and the control points (m + 4, 4) of the Hermite path."""

    basis: Array
    control: Array
    hats: Array


@lru_cache(maxsize=64)
def _unit(coefficients: int, samples: int) -> _Unit:
    spline = SplineBasis.uniform(0.0, 1.0, coefficients + 4)
    u = np.linspace(0.0, 1.0, samples)
    basis = np.stack([spline.matrix(u, order) for order in range(4)])
    fine = np.linspace(0.0, 1.0, 4 * (coefficients + 4))
    cubics = np.stack([1 - 3 * fine**2 + 2 * fine**3, fine - 2 * fine**2 + fine**3])
    cubics = np.concatenate([cubics, [3 * fine**2 - 2 * fine**3, fine**3 - fine**2]]).T
    # the share of start, middle and end in what happens at each time
    hats = np.stack([np.maximum(1 - 2 * u, 0), 1 - np.abs(2 * u - 1), np.maximum(2 * u - 1, 0)])
    return _Unit(basis, spline.fit(fine, cubics), hats)


@lru_cache(maxsize=256)
def time_modes(duration: float, coefficients: int, samples: int, objective: Objective) -> TimeModes:
    """Return the modes of a gap of some seconds with m free coefficients, for an objective's regulariser."""
    if not duration > 0 or coefficients < 1 or samples % LANES:
        raise ArgumentError(f"a gap of {duration:g} s with {coefficients} coefficients cannot be solved")
    unit = _unit(coefficients, samples)
    quadrature = uniform(0.0, duration, samples)
    step = duration / (samples - 1)
    scale = np.array([1.0, duration, 1.0, duration])
    ends_to_control = unit.control * scale
    derivatives = unit.basis / duration ** np.arange(4)[:, None, None]
    free, whole = derivatives[:, :, 2:-2], derivatives @ ends_to_control
    wanted = ((objective.velocity, 1), (objective.acceleration, 2), (objective.jerk, 3))
    weighted = [(weight**2 * quadrature.weights[:, None], order) for weight, order in wanted if weight]
    smooth = sum(free[k].T @ (w * free[k]) for w, k in weighted)
    square = sum(whole[k].T @ (w * whole[k]) for w, k in weighted)
    across = sum(whole[k].T @ (w * free[k]) for w, k in weighted)
    if objective.torque_change:
        dominant = np.diff(free[2], axis=0).T @ np.diff(free[2], axis=0) / step
    else:
        dominant = free[2].T @ (quadrature.weights[:, None] * free[2])
    to_control = _modes(dominant, np.asarray(smooth))
    modes = np.moveaxis(free[:3] @ to_control, 0, -1)
    blocks = aligned(samples * coefficients * 3)
    shape = (samples // LANES, coefficients, 3, LANES)
    blocks.reshape(shape)[:] = np.moveaxis(modes.reshape(-1, LANES, coefficients, 3), 1, -1)
    weights = np.stack([quadrature.weights, np.append(np.full(samples - 1, 1.0 / step), 0.0)])
    return TimeModes(
        duration=duration,
        times=quadrature.times,
        weights=weights,
        hermite=whole[:3],
        modes=modes,
        blocks=blocks,
        control=ends_to_control[2:-2],
        to_control=np.ascontiguousarray(to_control),
        square=np.asarray(square),
        linear=2.0 * np.asarray(across) @ to_control,
        mode_coupling=_shares(modes[:, :, 2], unit.hats, quadrature.weights, step),
        sampled=derivatives,
        ends_to_control=ends_to_control,
    )


def _modes(dominant: Array, smooth: Array) -> Array:
    """Return V with V' smooth V = 1 and V' dominant V diagonal."""
    lower = np.linalg.cholesky(smooth)
    inverse = np.linalg.inv(lower)
    _, vectors = np.linalg.eigh(inverse @ dominant @ inverse.T)
    modes: Array = inverse.T @ vectors
    return modes


def _shares(accelerations: Array, hats: Array, weights: Array, step: float) -> Array:
    changes = np.diff(accelerations, axis=0)
    middles = 0.5 * (hats[:, 1:] + hats[:, :-1])
    own = np.einsum("st,ta,tb->sab", hats * weights, accelerations, accelerations)
    change = np.einsum("st,ta,tb->sab", middles / step, changes, changes)
    return np.ascontiguousarray(np.stack([own, change]))
