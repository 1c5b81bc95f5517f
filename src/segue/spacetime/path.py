"""Dynamic splines: C2 cubics through fixed and variable frames, and their samples as a linear map of the frames.

Shapes: M frames, D coordinates, m = M + 2 spline coefficients, S samples, n variables (the free entries of the frames).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.checks import array
from segue.curves import Quadrature, gauss_legendre
from segue.errors import ArgumentError
from segue.spacetime.spline_space import Ends, SplineSpace, spread_gradient, write_basis, write_path
from segue.typing import Array, Flags, Ints

LARGEST = 1e6
"""Metres or degrees beyond which splines lose the digits in which bodies move."""


class Samples(NamedTuple):
    """A path at S quadrature times, or the gradient of a scalar by the path there.

    times, weights: (S,), s; the sum of the weights is the duration. value, velocity, acceleration, jerk: (S, D) in the
    path's units and s. For speed, the transposes (D, S) are the arrays that are contiguous.
    """

    times: Array
    weights: Array
    value: Array
    velocity: Array
    acceleration: Array
    jerk: Array

    def zeros(self) -> Samples:
        """Return a gradient of the same shapes that is zero, to be filled in."""
        return self.over(np.zeros((4, self.value.shape[1], len(self.times))))

    def over(self, orders: Array) -> Samples:
        """Return samples at the same times whose value to jerk are those of orders (4, D, S)."""
        return Samples(self.times, self.weights, orders[0].T, orders[1].T, orders[2].T, orders[3].T)


@dataclass(frozen=True, eq=False)
class Sampling:
    """Fixed times at which splines of one space are sampled: the basis there, and its adjoint."""

    space: SplineSpace
    quadrature: Quadrature

    @cached_property
    def basis(self) -> tuple[Ints, Array]:
        """The first of the four functions that count at each time, (S,), and their derivatives, (4, 4, S)."""
        times = self.quadrature.times
        first, basis = np.empty(len(times), np.int64), np.empty((4, 4, len(times)))
        write_basis(self.space.knots, times, first, basis)
        return first, basis

    def samples(self, coefficients: Array) -> Samples:
        """Return the path of coefficients (D, m)."""
        path = np.empty((4, len(coefficients), len(self.quadrature.times)))
        write_path(*self.basis, coefficients, path)
        return Samples(self.quadrature.times, self.quadrature.weights, path[0].T, path[1].T, path[2].T, path[3].T)

    def adjoint(self, gradient: Samples) -> Array:
        """Return the gradient (D, m) by the coefficients, given that by the samples."""
        by_coefficients = np.zeros((gradient.value.shape[1], self.space.count))
        spread_gradient(*self.basis, *(np.ascontiguousarray(part.T) for part in gradient[2:]), by_coefficients)
        return by_coefficients


@dataclass(frozen=True, eq=False)
class DynamicSpline:
    """The C2 cubic spline through frames (M, D), some entries of which are fixed and the others variable.

    data, variable: (D, m), the frames and what the end conditions ask for, in the order of the interpolation matrix,
    and which of them are variables; `through` makes them. Objects do not change: `with_variables` returns another
    spline, which shares the factorised matrix.
    """

    space: SplineSpace
    data: Array
    variable: Flags

    @classmethod
    def through(
        cls,
        times: npt.ArrayLike,
        frames: npt.ArrayLike,
        free: npt.ArrayLike | None = None,
        *,
        ends: Ends | str = Ends.NATURAL,
        end_velocities: npt.ArrayLike | None = None,
    ) -> DynamicSpline:
        """Return the spline through frames (M, D) at increasing times (M,).

        free: (M, D), which entries are variables; none where not given. ends: natural unless said otherwise.
        end_velocities: (2, D), for clamped ends; at rest where not given.
        """
        space = SplineSpace(np.array(times, dtype=float), Ends.of(ends))
        values = np.array(frames, dtype=float)
        if values.ndim != 2 or len(values) != len(space.times) or values.shape[1] == 0:
            raise ArgumentError(f"{len(space.times)} times need as many frames of numbers, not an array {values.shape}")
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            raise ArgumentError(f"coordinate {column} of frame {row} is {values[row, column]}: a number is needed")
        mask = np.zeros(values.shape, bool) if free is None else np.array(free, dtype=bool)
        if mask.shape != values.shape:
            raise ArgumentError(f"frames {values.shape} need a mask of the same shape, not {mask.shape}")
        at_ends = np.zeros((2, values.shape[1]))
        if end_velocities is not None:
            if space.ends is not Ends.CLAMPED:
                raise ArgumentError(f"end velocities are given, but the ends are {space.ends}: clamped ends have them")
            needed = f"two rows of {values.shape[1]} numbers are needed, at the start and the stop"
            at_ends[:] = array("the velocities at the ends", end_velocities, (2, values.shape[1]), needed=needed)
        ends_vary = np.full_like(at_ends, space.ends is Ends.FREE)
        return cls(space, space.arranged(values, at_ends), space.arranged(mask, ends_vary).astype(bool))

    @property
    def times(self) -> Array:
        """(M,), s: when the frames are, where the spline has its knots."""
        return self.space.times

    @property
    def dimension(self) -> int:
        """D, the number of coordinates."""
        return len(self.data)

    @cached_property
    def frames(self) -> Array:
        """(M, D): the frames, fixed and variable."""
        return self.space.parted(self.data)[0]

    @cached_property
    def free(self) -> Flags:
        """(M, D): which entries of the frames are variables."""
        return self.space.parted(self.variable)[0].astype(bool)

    @cached_property
    def coefficients(self) -> Array:
        """(D, m): the spline's coefficients."""
        return self.space.coefficients(self.data)

    @property
    def variables(self) -> Array:
        """(n,): the free entries, coordinate by coordinate."""
        return self.data[self.variable]

    def with_variables(self, variables: Array) -> DynamicSpline:
        """Return the spline with other values at the free entries; the fixed ones stay as they are, to the bit."""
        data = self.data.copy()
        data[self.variable] = variables
        return DynamicSpline(self.space, data, self.variable)

    def at(self, times: npt.ArrayLike, derivative: int = 0) -> Array:
        """Return values (T, D) at times within the spline, or their derivative up to the third."""
        if derivative not in range(4):
            raise ArgumentError(f"a cubic has derivatives 0 to 3 to ask for, not {derivative}")
        asked = np.atleast_1d(array("the times of a path", times, needed="finite numbers of seconds are needed"))
        start, stop = self.times[[0, -1]]
        slack = 1e-9 * (stop - start)
        if asked.ndim != 1 or not ((asked >= start - slack) & (asked <= stop + slack)).all():
            raise ArgumentError(f"times must lie between the first and the last frame, {start:g} to {stop:g} s")
        held = np.clip(asked, start, stop)
        sampling = Sampling(self.space, Quadrature(held, np.ones(len(held))))
        return np.ascontiguousarray(sampling.samples(self.coefficients)[2 + derivative])

    def sampling(self, points: int) -> Sampling:
        """Return Gauss-Legendre points on each piece between frames."""
        nodes, weights = _unit_rule(points)
        lengths = np.diff(self.times)[:, None]
        times = (self.times[:-1, None] + lengths * nodes).ravel()
        return Sampling(self.space, Quadrature(times, (lengths * weights).ravel()))

    def samples(self, sampling: Sampling) -> Samples:
        """Return the path at the times of a sampling of the same space."""
        return sampling.samples(self.coefficients)

    def gradient(self, sampling: Sampling, gradient: Samples) -> Array:
        """Return the gradient (n,) by the variables, given that by the samples."""
        by_data = self.space.adjoint(sampling.adjoint(gradient))
        return by_data[self.variable]

    def with_frames_at(self, times: Iterable[float]) -> DynamicSpline:
        """Return the same curve with more frames, which lie on it and are variable, each with a knot.

        The curve is a member of the finer space and meets its conditions, so that it stays what it was.
        """
        new = np.setdiff1d(np.fromiter(times, dtype=float), self.times)
        if not len(new):
            return self
        frames = np.concatenate([self.frames, self.at(new)])
        free = np.concatenate([self.free, np.ones((len(new), self.dimension), bool)])
        all_times = np.concatenate([self.times, new])
        order = np.argsort(all_times)
        space = SplineSpace(all_times[order], self.space.ends)
        data = space.arranged(frames[order], self.space.parted(self.data)[1])
        variable = space.arranged(free[order], self.space.parted(self.variable)[1])
        return DynamicSpline(space, data, variable.astype(bool))


@lru_cache
def _unit_rule(points: int) -> Quadrature:
    """Return Gauss-Legendre points from 0 to 1."""
    return gauss_legendre([0.0, 1.0], points)
