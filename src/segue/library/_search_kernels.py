"""Compiled search: the cost of every frame of a library as the start or the end of a gap, and the best of each length.

Shapes: N frames, D numbers a row, 2 queries: as it is, and mirrored; L lengths of matches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.typing import Array, Ints, Single

Small = npt.NDArray[np.int32]


class Rows(NamedTuple):
    """The frames of an index for the search.

    pose: (N, D), before, after: (N, E): features in a reduced basis. places: (N, 2) x and z of the root in legs,
    headings: (N,) rad. first, last: (N,) frames that the frame's section begins and ends with.
    """

    pose: Single
    before: Single
    after: Single
    places: Single
    headings: Single
    first: Small
    last: Small


class QueryRows(NamedTuple):
    """The query, in the same basis, as it is and mirrored.

    start, stop: (2, D), before, after: (2, E). way: (2, 2) of the root from start to stop, in legs, as seen at the
    start; turn: (2,) rad. weights: (E,) what squared differences of before and after count. far, round: what squared
    differences of way and turn count. pose_signs: (D,), signs: (E,) what a mirror makes of poses and of motion.
    """

    start: Single
    stop: Single
    before: Single
    after: Single
    way: Single
    turn: Single
    weights: Single
    far: float
    round: float
    pose_signs: Single
    signs: Single


@compiled(seconds=3, fast_math=True)
def end_terms(pose: Single, moving: Single, wanted: Single, speeds: Single, weights: Single) -> tuple[Single, Single]:
    """Return terms (3, 2, N) of the cost of frames as one end of a gap, and the constants (2,) of the query.

    The first terms are of poses, (z - q)^2; with motion at s times its speed, (s z - q)^2 = s^2 norm - 2 s cross + q^2:
    cross and norm are the others, q^2 the constants.
    """
    terms, constants = np.empty((3, 2, len(pose)), np.float32), np.zeros(2, np.float32)
    for m in range(2):
        for d in range(moving.shape[1]):
            constants[m] += weights[d] * speeds[m, d] ** 2
    for i in range(len(pose)):
        norm = np.float32(0.0)
        for d in range(moving.shape[1]):
            norm += weights[d] * moving[i, d] * moving[i, d]
        for m in range(2):
            still, cross = np.float32(0.0), np.float32(0.0)
            for d in range(pose.shape[1]):
                apart = pose[i, d] - wanted[m, d]
                still += apart * apart
            for d in range(moving.shape[1]):
                cross += weights[d] * moving[i, d] * speeds[m, d]
            terms[0, m, i], terms[1, m, i], terms[2, m, i] = still, cross, norm
    return terms, constants


@compiled(seconds=3)
def best_matches(
    rows: Rows, wanted: QueryRows, lengths: Ints, scales: Single, margin: int, apart: int
) -> tuple[Single, Small, Small]:
    """Return the least squared cost, its first frame and its length, (2, blocks) each, among every few starts.

    scales: (L,) how many times as fast each length is to be shown. margin: frames of its section that must be left on
    both sides of a match. apart: starts in a block. The cost is infinite where no match of a block is possible.
    """
    count = len(rows.headings)
    at_start, asks_start = end_terms(rows.pose, rows.before, wanted.start, wanted.before, wanted.weights)
    at_stop, asks_stop = end_terms(rows.pose, rows.after, wanted.stop, wanted.after, wanted.weights)
    blocks = (count + apart - 1) // apart
    costs = np.full((2, blocks), np.inf, np.float32)
    starts, spans = np.zeros((2, blocks), np.int32), np.zeros((2, blocks), np.int32)
    for block in range(blocks):
        for i in range(block * apart, min((block + 1) * apart, count)):
            if i - margin < rows.first[i]:
                continue
            cosine, sine = np.cos(rows.headings[i]), np.sin(rows.headings[i])
            for k in range(len(lengths)):
                j = i + lengths[k]
                if j + margin > rows.last[i]:
                    continue
                s = scales[k]
                x, z = rows.places[j, 0] - rows.places[i, 0], rows.places[j, 1] - rows.places[i, 1]
                ahead, aside = sine * x + cosine * z, cosine * x - sine * z
                for m in range(2):
                    turn = rows.headings[j] - rows.headings[i] - wanted.turn[m]
                    turn -= 2.0 * np.pi * np.round(turn / (2.0 * np.pi))
                    cost = at_start[0, m, i] + at_stop[0, m, j] + asks_start[m] + asks_stop[m]
                    cost += s * s * (at_start[2, m, i] + at_stop[2, m, j])
                    cost -= 2.0 * s * (at_start[1, m, i] + at_stop[1, m, j])
                    cost += wanted.far * ((aside - wanted.way[m, 0]) ** 2 + (ahead - wanted.way[m, 1]) ** 2)
                    cost += wanted.round * turn * turn
                    if cost < costs[m, block]:
                        costs[m, block] = max(cost, 0.0)
                        starts[m, block], spans[m, block] = i, lengths[k]
    return costs, starts, spans


@compiled(seconds=3)
def match_rows(
    rows: Rows, wanted: QueryRows, starts: Small, spans: Small, mirrored: npt.NDArray[np.bool_], frames: float
) -> Single:
    """Return the differences of matches (M,) from the query, (M, 2 D + 2 E + 3), whose squares add up to the costs.

    Differences of mirrored ones are mirrored back. frames: how many the gap has.
    """
    poses, moves = rows.pose.shape[1], rows.before.shape[1]
    out = np.empty((len(starts), 2 * poses + 2 * moves + 3), np.float32)
    for k in range(len(starts)):
        i, j, m = starts[k], starts[k] + spans[k], 1 if mirrored[k] else 0
        s = spans[k] / frames
        for d in range(poses):
            sign = wanted.pose_signs[d] if mirrored[k] else np.float32(1.0)
            out[k, d] = sign * (rows.pose[i, d] - wanted.start[m, d])
            out[k, poses + d] = sign * (rows.pose[j, d] - wanted.stop[m, d])
        for d in range(moves):
            root = np.sqrt(wanted.weights[d]) * (wanted.signs[d] if mirrored[k] else np.float32(1.0))
            out[k, 2 * poses + d] = root * (s * rows.before[i, d] - wanted.before[m, d])
            out[k, 2 * poses + moves + d] = root * (s * rows.after[j, d] - wanted.after[m, d])
        cosine, sine = np.cos(rows.headings[i]), np.sin(rows.headings[i])
        x, z = rows.places[j, 0] - rows.places[i, 0], rows.places[j, 1] - rows.places[i, 1]
        turn = rows.headings[j] - rows.headings[i] - wanted.turn[m]
        turn -= 2.0 * np.pi * np.round(turn / (2.0 * np.pi))
        side = -1.0 if mirrored[k] else 1.0
        out[k, -3] = side * np.sqrt(wanted.far) * (cosine * x - sine * z - wanted.way[m, 0])
        out[k, -2] = np.sqrt(wanted.far) * (sine * x + cosine * z - wanted.way[m, 1])
        out[k, -1] = side * np.sqrt(wanted.round) * turn
    return out


@compiled(seconds=3, fast_math=True)
def local_linear(apart: Single, ridge: float) -> tuple[Array, float]:
    """Return weights (M,) that sum to 1 and bring the weighted mean of differences (M, F) near zero, and its square.

    They minimise |sum w_k d_k|^2 + ridge sum w_k^2 |d_k|^2, as in [Roweis2000] with a penalty on those far away. The
    matrix d d' + ridge diag |d|^2 is solved through its F x F counterpart by the Woodbury identity.
    """
    count, size = apart.shape
    inverse = np.empty(count)
    for k in range(count):
        square = 0.0
        for f in range(size):
            square += apart[k, f] * apart[k, f]
        inverse[k] = 1.0 / (ridge * max(square, 1e-9))
    gram, right = np.zeros((size, size)), np.zeros(size)
    row = np.empty(size)
    for k in range(count):
        for f in range(size):
            row[f] = apart[k, f]
        for f in range(size):
            scaled = inverse[k] * row[f]
            right[f] += scaled
            for g in range(f + 1):
                gram[f, g] += scaled * row[g]
    for f in range(size):
        gram[f, f] += 1.0
    _solve(gram, right)
    weights, total = np.empty(count), 0.0
    for k in range(count):
        dot = 0.0
        for f in range(size):
            dot += apart[k, f] * right[f]
        weights[k] = inverse[k] * (1.0 - dot)
        total += weights[k]
    left = 0.0
    for k in range(count):
        weights[k] /= total
    for f in range(size):
        mean = 0.0
        for k in range(count):
            mean += weights[k] * apart[k, f]
        left += mean * mean
    return weights, left


@compiled(seconds=1, fast_math=True)
def _solve(matrix: Array, right: Array) -> None:
    """Solve for a positive matrix of which the lower half is given, in place, by Cholesky's factors."""
    size = len(right)
    for i in range(size):
        for j in range(i + 1):
            sum_ = matrix[i, j]
            for k in range(j):
                sum_ -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = np.sqrt(max(sum_, 1e-12))
            else:
                matrix[i, j] = sum_ / matrix[j, j]
    for i in range(size):
        for k in range(i):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            right[i] -= matrix[k, i] * right[k]
        right[i] /= matrix[i, i]
