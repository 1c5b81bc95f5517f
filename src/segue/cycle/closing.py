"""Closing what nearly closes: the gap between both ends spread over all, then a cyclic spline through it.

These are the last two steps of [Rose1996], section 3.3. There the offset grows from nothing at the start; here it is
nothing in the middle, so that both ends give way by half. The curves differ by a constant.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy

from segue.body.figure import Poses
from segue.curves import quaternion
from segue.curves.bspline import SplineBasis
from segue.curves.spline_kernels import Knots, evaluate_rows
from segue.cycle.travel import Travel
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.residual_track import ResidualTracks
from segue.motion.retargeter import Residual
from segue.typing import Array, Flags, Ints

_PER_PIECE = 4
_UNIT = SplineBasis.uniform(0.0, 8.0, 8, cyclic=True)
"""Splines on pieces of length 1, of which the first four count in the first piece, as in any other."""


def closed_values(values: Array, shares: Array, first: Array, last: Array) -> Array:
    """Return values (T, ...) with the gap between the last and the first taken out, linearly over the interval.

    shares: (T,) how much of the interval has passed, from 0 to 1.
    """
    back = (shares - 0.5).reshape(-1, *(1,) * (values.ndim - 1))
    closed: Array = values - back * (last - first)
    return closed


def closed_rotations(rotations: Array, shares: Array, first: Array, last: Array) -> Array:
    """Return rotations (T, ..., 4) with the gap taken out as in `closed_values`, by turns about one axis."""
    gap = quaternion.log(quaternion.multiply(quaternion.conjugate(first), last))
    back = (shares - 0.5).reshape(-1, *(1,) * (rotations.ndim - 1))
    return quaternion.multiply(rotations, quaternion.exp(-back * gap))


def seen_poses(poses: Poses, travel: Travel, times: Array) -> Poses:
    """Return poses in the world as seen from the frame that travels, at times since it set out."""
    balls = poses.balls.copy()
    balls[:, 0] = travel.turned_back(balls[:, 0], times)
    return Poses(travel.seen(poses.root, times), balls, poses.hinges)


def closed_poses(poses: Poses, ends: Poses, shares: Array) -> Poses:
    """Return poses with the gap between the two ends spread over them; see `closed_values`."""
    balls = closed_rotations(poses.balls, shares, *ends.balls)
    return Poses(
        closed_values(poses.root, shares, *ends.root),
        quaternion.make_continuous(balls),
        closed_values(poses.hinges, shares, *ends.hinges),
    )


class ClosedBasis:
    """Cyclic cubic B-splines over a period, and the times at which they are fitted: a few in the midst of each piece.

    A curve is its values and slopes at the breaks, between which it is a cubic: C2, also where it begins again. All
    pieces are alike and four coefficients count in each, so that matrices are sparse and long cycles cost no more a
    second than short ones.
    """

    def __init__(self, period: float, pieces: int) -> None:
        self.period = period
        self.pieces = pieces
        count = _PER_PIECE * pieces
        self.shares: Array = (np.arange(count) + 0.5) / count
        """(T,) the times of the samples as shares of the period."""

    @property
    def times(self) -> Array:
        """Times of the samples, (T,) s from the start of the period."""
        return self.shares * self.period

    @cached_property
    def which(self) -> Ints:
        """(T, 4): the coefficients that count at each sample."""
        return self._which(_PER_PIECE)

    def weights(self, order: int) -> Array:
        """Return by how much those coefficients count, (T, 4), for values (0) or a derivative (1, 2)."""
        return self._weights((np.arange(_PER_PIECE) + 0.5) / _PER_PIECE, order)

    def matrix(self, order: int = 0) -> scipy.sparse.csr_array:
        """Return the sparse matrix (T, m) from coefficients to values at the samples, or to a derivative."""
        return _sparse(self.which, self.weights(order), self.pieces)

    def _which(self, rows: int) -> Ints:
        """Return the coefficients that count in each piece, (rows m, 4)."""
        piece = np.repeat(np.arange(self.pieces), rows)
        return (piece[:, None] + np.arange(4)) % self.pieces

    def _weights(self, offsets: Array, order: int) -> Array:
        """Return by how much they count at offsets from 0 to 1 into each piece, (rows m, 4)."""
        one = _UNIT.matrix(offsets, order)[:, :4] * (self.pieces / self.period) ** order
        return np.tile(one, (self.pieces, 1))

    def _flipped(self, weights: Array) -> Array:
        """Return weights (rows m, 4) of curves that come back with the other sign."""
        piece = np.repeat(np.arange(self.pieces), len(weights) // self.pieces)
        return np.where(piece[:, None] + np.arange(4) >= self.pieces, -weights, weights)

    def fit(self, values: Array, flips: Flags | None = None) -> Array:
        """Return coefficients (m, C) of the curves nearest to values (T, C), in the sense of least squares.

        flips: (C,) which curves come back with the other sign, as the quaternion of an arm that goes full circle does.
        """
        coefficients = _least_squares(self.matrix(), values)
        if flips is not None and flips.any():
            matrix = _sparse(self.which, self._flipped(self.weights(0)), self.pieces)
            coefficients[:, flips] = _least_squares(matrix, values[:, flips])
        return coefficients

    def knots(self, coefficients: Array, flips: Flags | None = None) -> Knots:
        """Return curves (m, C) as compiled functions take them: a row for each break, the last as the first."""
        signs = np.ones(coefficients.shape[1]) if flips is None else np.where(flips, -1.0, 1.0)
        which, rows = self._which(1), []
        for order in range(2):
            weights = self._weights(np.zeros(1), order)
            part = _sparse(which, weights, self.pieces) @ coefficients
            if flips is not None and flips.any():
                part[:, flips] = _sparse(which, self._flipped(weights), self.pieces) @ coefficients[:, flips]
            rows.append(np.concatenate([part, signs * part[:1]]))
        nothing = np.empty((0, coefficients.shape[1]))
        no_patches, no_holes = np.zeros((0, 3), np.int64), np.zeros((0, 2), np.int64)
        return Knots(self.pieces / self.period, rows[0], rows[1], no_patches, nothing, nothing.copy(), no_holes)


def flips_of(rotations: Array) -> Flags:
    """Return which of continuous quaternions (T, N, 4) over a period come back with the other sign, (N,)."""
    flips: Flags = np.sum(rotations[-1] * rotations[0], axis=-1) < 0
    return flips


def _sparse(which: Ints, weights: Array, pieces: int) -> scipy.sparse.csr_array:
    rows = np.arange(0, which.size + 1, which.shape[1])
    return scipy.sparse.csr_array((weights.ravel(), which.ravel(), rows), shape=(len(which), pieces))


def _least_squares(matrix: scipy.sparse.csr_array, values: Array) -> Array:
    solved: Array = scipy.sparse.linalg.splu((matrix.T @ matrix).tocsc()).solve(matrix.T @ values)
    return solved


def residual_of(motion: Motion, host: ClipSource, times: Array) -> Residual:
    """Return what the figure leaves out of the host's skeleton at times of a whole motion."""
    tracks = ResidualTracks(motion.tracks, host)
    parts = [tracks.at(times[chosen], at) for chosen, at, _ in motion.segments.runs(times)]
    turns, pelvis_offset, positions = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("turns", "pelvis_offset", "positions")
    )
    return Residual(turns, pelvis_offset, positions)


class ClosedResidual:
    """Residuals over a period, as cyclic splines."""

    def __init__(self, motion: Motion, host: ClipSource, start: float, basis: ClosedBasis, travel: Travel) -> None:
        self.source = host
        ends = residual_of(motion, host, start + np.array([0.0, basis.period]))
        inside = residual_of(motion, host, start + basis.times)
        # a root above the pelvis that keeps still in the clip keeps still in the cycle; any other travels with the body
        standing = host.retargeter.unmapped_roots
        moves = np.ptp(inside.positions[:, standing], axis=0).any(axis=1) | np.ptp(
            inside.turns[:, standing], axis=0
        ).any(axis=1)
        self._unmapped_roots = standing[moves]
        self._see(ends, np.array([0.0, basis.period]), travel)
        self._see(inside, basis.times, travel)
        self._moving = np.flatnonzero(np.ptp(inside.positions, axis=0).any(axis=1))
        self._still = inside.positions[0]
        turns = quaternion.make_continuous(closed_rotations(inside.turns, basis.shares, *ends.turns))
        places = [
            closed_values(values, basis.shares, *both).reshape(len(values), -1)
            for values, both in (
                (inside.pelvis_offset, ends.pelvis_offset),
                (inside.positions[:, self._moving], ends.positions[:, self._moving]),
            )
        ]
        flips = np.repeat(flips_of(turns), 4)
        rows = np.concatenate([turns.reshape(len(turns), -1), *places], axis=1)
        flips = np.append(flips, np.zeros(rows.shape[1] - len(flips), dtype=bool))
        self._knots = basis.knots(basis.fit(rows, flips), flips)

    def _see(self, residual: Residual, times: Array, travel: Travel) -> None:
        """Change the joints that stand in the world to how they are seen from the frame that travels, in place."""
        if len(self._unmapped_roots):
            space, chosen = self.source.space, (slice(None), self._unmapped_roots)
            places, turns = space.to_metres(residual.positions[chosen]), space.turn(residual.turns[chosen])
            residual.positions[chosen] = space.from_metres(travel.seen(places, times))
            residual.turns[chosen] = space.turn_back(travel.turned_back(turns, times))

    def at(self, phase: Array, times: Array, travel: Travel) -> Residual:
        """Return the residual at times, which are given also within their period."""
        rows = evaluate_rows(self._knots, phase, 0, self._knots.values.shape[1])[0]
        joints = len(self._still)
        turns = quaternion.normalise(rows[:, : 4 * joints].reshape(len(rows), joints, 4))
        pelvis_offset = rows[:, 4 * joints : 4 * joints + 3].copy()
        positions = np.tile(self._still, (len(rows), 1, 1))
        positions[:, self._moving] = rows[:, 4 * joints + 3 :].reshape(len(rows), -1, 3)
        if len(self._unmapped_roots):
            space, chosen = self.source.space, (slice(None), self._unmapped_roots)
            places, rotations = space.to_metres(positions[chosen]), space.turn(turns[chosen])
            positions[chosen] = space.from_metres(travel.placed(places, times))
            turns[chosen] = space.turn_back(travel.turned(rotations, times))
        return Residual(turns, pelvis_offset, positions)
