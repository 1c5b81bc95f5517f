"""Cubic B-splines in time, clamped or cyclic, as constant matrices; conditions on them are met by elimination."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.typing import Array

DEGREE = 3
_LEAST_CYCLIC = 4


@dataclass(frozen=True, eq=False)
class SplineBasis:
    """Cubic B-splines between increasing breaks (in s), the first of which is the start and the last the stop.

    A clamped basis has one function more than breaks plus one: len(breaks) + 2; the first coefficient is the value at
    the start, the last that at the stop. A cyclic basis has len(breaks) - 1 functions; it repeats after the stop with
    value, velocity and acceleration continuous. A curve of any dimension is the basis times coefficients (m, ...).
    """

    breaks: Array
    cyclic: bool = False

    def __post_init__(self) -> None:
        breaks = np.array(self.breaks, dtype=float)
        if breaks.ndim != 1 or len(breaks) < 2 or not np.all(np.isfinite(breaks)) or not np.all(np.diff(breaks) > 0):
            raise ArgumentError("the breaks of a spline must be at least two finite numbers that increase")
        if self.cyclic and len(breaks) <= _LEAST_CYCLIC:
            raise ArgumentError(f"a cyclic spline needs at least {_LEAST_CYCLIC} pieces, not {len(breaks) - 1}")
        breaks.flags.writeable = False
        object.__setattr__(self, "breaks", breaks)

    @classmethod
    def uniform(cls, start: float, stop: float, count: int, *, cyclic: bool = False) -> SplineBasis:
        """Return a basis of count functions on pieces of equal length."""
        least = _LEAST_CYCLIC if cyclic else DEGREE + 1
        if count < least:
            kind = "cyclic" if cyclic else "clamped"
            raise ArgumentError(f"a {kind} cubic spline needs at least {least} coefficients, not {count}")
        if not start < stop:
            raise ArgumentError(f"a spline must start before it stops, but it goes from {start:g} to {stop:g}")
        pieces = count if cyclic else count - DEGREE
        return cls(np.linspace(start, stop, pieces + 1), cyclic)

    @property
    def start(self) -> float:
        """The first time at which the spline is defined."""
        return float(self.breaks[0])

    @property
    def stop(self) -> float:
        """The last time at which the spline is defined; a cyclic one begins again there."""
        return float(self.breaks[-1])

    @property
    def count(self) -> int:
        """The number of basis functions, and so of coefficients."""
        pieces = len(self.breaks) - 1
        return pieces if self.cyclic else pieces + DEGREE

    @cached_property
    def knots(self) -> Array:
        """The knots, with those outside the interval that the first and last pieces need."""
        if not self.cyclic:
            ends = np.full(DEGREE, self.start), np.full(DEGREE, self.stop)
            return np.concatenate([ends[0], self.breaks, ends[1]])
        period = self.stop - self.start
        return np.concatenate(
            [self.breaks[-DEGREE - 1 : -1] - period, self.breaks, self.breaks[1 : DEGREE + 1] + period]
        )

    def matrix(self, times: npt.ArrayLike, derivative: int = 0) -> Array:
        """Return (T, m): the derivative of each basis function at each time, so that curve = matrix @ coefficients."""
        at = self._inside(times)
        if derivative > DEGREE:
            return np.zeros((len(at), self.count))
        values = basis_functions(self.knots, at, DEGREE, derivative)
        if self.cyclic:
            # the functions that stick out at the end are the ones that come in at the start
            values[:, :DEGREE] += values[:, self.count :]
            values = values[:, : self.count]
        return values

    def sampled(self, times: npt.ArrayLike) -> SampledBasis:
        """Return the basis and its derivatives at fixed times, to be used many times over."""
        return SampledBasis(self, self._inside(times))

    def evaluate(self, coefficients: npt.ArrayLike, times: npt.ArrayLike, derivative: int = 0) -> Array:
        """Return the curve's (T, ...) derivative of an order at given times, from coefficients (m, ...)."""
        return np.tensordot(self.matrix(times, derivative), self._coefficients(coefficients), axes=1)

    def fit(self, times: npt.ArrayLike, values: npt.ArrayLike) -> Array:
        """Return coefficients (m, ...) of the curve nearest to values (T, ...), in the sense of least squares."""
        matrix = self.matrix(times)
        samples = np.asarray(values, dtype=float)
        if samples.shape[:1] != matrix.shape[:1]:
            raise ArgumentError(f"a fit to {len(matrix)} times needs as many values, not {samples.shape}")
        if not np.all(np.isfinite(samples)):
            raise ArgumentError("a spline can be fitted to finite values only")
        flat = samples.reshape(len(matrix), -1)
        solution: Array = np.linalg.lstsq(matrix, flat, rcond=None)[0]
        return solution.reshape(self.count, *samples.shape[1:])

    def _inside(self, times: npt.ArrayLike) -> Array:
        at: Array = np.atleast_1d(np.asarray(times, dtype=float))
        if at.ndim != 1 or not np.all(np.isfinite(at)):
            raise ArgumentError("times must be a list of finite numbers")
        if self.cyclic:
            wrapped: Array = self.start + np.mod(at - self.start, self.stop - self.start)
            return wrapped
        slack = 1e-12 * max(abs(self.start), abs(self.stop), self.stop - self.start)
        outside = (at < self.start - slack) | (at > self.stop + slack)
        if outside.any():
            raise ArgumentError(
                f"time {at[outside][0]:g} s lies outside the spline, which goes from {self.start:g} to {self.stop:g} s"
            )
        return np.clip(at, self.start, self.stop)

    def _coefficients(self, coefficients: npt.ArrayLike) -> Array:
        array = np.asarray(coefficients, dtype=float)
        if array.shape[:1] != (self.count,):
            raise ArgumentError(f"this spline has {self.count} coefficients a dimension, not {array.shape[:1]}")
        return array


def basis_functions(knots: Array, times: Array, degree: int, derivative: int = 0) -> Array:
    """Return the derivative (T, m) of the B-splines of a degree over knots (m + degree + 1,) at times (T,).

    By the recursion of [DeBoor1972], section 2. The first and last pieces go on outside the knots.
    """
    at = times[:, None]
    inner = knots[degree + 1 : len(knots) - degree - 1]
    values: Array = (np.arange(len(knots) - 1) == np.searchsorted(inner, at, side="right") + degree).astype(float)
    for k in range(1, degree + 1):
        gaps = knots[k:] - knots[:-k]
        shares = values / np.where(gaps > 0.0, gaps, 1.0)  # over an empty gap the function is zero
        left, right = shares[:, :-1], shares[:, 1:]
        if k <= degree - derivative:
            values = (at - knots[: -k - 1]) * left + (knots[k + 1 :] - at) * right
        else:
            values = k * (left - right)
    return values


@dataclass(frozen=True, eq=False)
class SampledBasis:
    """A basis at fixed times (T,): constant matrices from coefficients to values and their time derivatives."""

    basis: SplineBasis
    times: Array

    @cached_property
    def matrices(self) -> Array:
        """(4, T, m): value, velocity, acceleration and jerk."""
        return np.stack([self.basis.matrix(self.times, order) for order in range(DEGREE + 1)])

    def motion(self, coefficients: npt.ArrayLike) -> tuple[Array, Array, Array]:
        """Return value, velocity and acceleration, each (T, ...), from coefficients (m, ...)."""
        array = self.basis._coefficients(coefficients)
        value, velocity, acceleration = (np.tensordot(matrix, array, axes=1) for matrix in self.matrices[:3])
        return value, velocity, acceleration


@dataclass(frozen=True, eq=False)
class Elimination:
    """Coefficients that meet linear conditions, whatever the unknowns: given @ conditions + free @ unknowns.

    given: (m, c). free: (m, m - c). unknown: (m - c,), which coefficients are the unknowns themselves. A gradient by
    the coefficients becomes one by the unknowns by ``free.T @ gradient``; no constrained optimiser is needed.
    """

    given: Array
    free: Array
    unknown: npt.NDArray[np.int64]

    def coefficients(self, conditions: npt.ArrayLike, unknowns: npt.ArrayLike) -> Array:
        """Return coefficients (m, ...) from condition values (c, ...) and unknowns (m - c, ...)."""
        values, rest = np.asarray(conditions, dtype=float), np.asarray(unknowns, dtype=float)
        wanted = (self.given.shape[1], self.free.shape[1])
        if (values.shape[:1], rest.shape[:1]) != ((wanted[0],), (wanted[1],)):
            raise ArgumentError(
                f"expected {wanted[0]} conditions and {wanted[1]} unknowns, not {values.shape[:1]} and {rest.shape[:1]}"
            )
        joined: Array = np.tensordot(self.given, values, axes=1) + np.tensordot(self.free, rest, axes=1)
        return joined

    def gradient(self, by_coefficients: Array) -> Array:
        """Return the gradient (m - c, ...) by the unknowns from that (m, ...) by the coefficients."""
        return np.tensordot(self.free.T, by_coefficients, axes=1)


def eliminate(rows: npt.ArrayLike) -> Elimination:
    """Return the elimination of conditions rows @ coefficients = values, for independent rows (c, m)."""
    conditions = np.atleast_2d(np.asarray(rows, dtype=float))
    count, size = conditions.shape
    if count > size:
        raise ArgumentError(f"{count} conditions are too many for {size} coefficients")
    # conditions on velocity and acceleration are larger numbers than those on value: judge each by its own size
    scaled = conditions / np.maximum(np.abs(conditions).max(axis=1, keepdims=True), 1e-300)
    chosen: list[int] = []
    for _ in range(count):
        # the column with the most that the columns before it do not explain, as in a QR factorisation with pivots
        sizes = np.linalg.norm(scaled, axis=0)
        sizes[chosen] = 0.0
        best = int(sizes.argmax())
        if sizes[best] < 1e-10:
            raise ArgumentError("the conditions on a spline repeat or contradict each other")
        unit = scaled[:, best] / sizes[best]
        scaled = scaled - np.outer(unit, unit @ scaled)
        chosen.append(best)
    solved = np.sort(np.array(chosen, dtype=np.int64))
    unknown = np.setdiff1d(np.arange(size), solved)
    given, free = np.zeros((size, count)), np.zeros((size, size - count))
    inverse = np.linalg.inv(conditions[:, solved])
    given[solved] = inverse
    free[unknown] = np.eye(size - count)
    free[solved] = -inverse @ conditions[:, unknown]
    return Elimination(given, free, unknown.astype(np.int64))


def end_conditions(basis: SplineBasis, start: int = 2, stop: int = 2) -> Elimination:
    """Return the elimination of values and derivatives at the ends of a clamped basis.

    start, stop: how many of value, velocity and acceleration are given at each end (0 to 3). The conditions come in
    that order, those of the start first. The unknowns are the coefficients in the middle, so bounds on them still
    bound the curve there.
    """
    if basis.cyclic:
        raise ArgumentError("a cyclic spline has no ends to put conditions on")
    for count in (start, stop):
        if not 0 <= count <= DEGREE:
            raise ArgumentError(f"between 0 and {DEGREE} of value, velocity and acceleration can be given, not {count}")
    rows = [basis.matrix([basis.start], order)[0] for order in range(start)]
    rows += [basis.matrix([basis.stop], order)[0] for order in range(stop)]
    return eliminate(np.array(rows).reshape(-1, basis.count))
