"""The metric of the descent: inertias as Pinocchio has them, and the Gauss-Newton matrix as NumPy assembles it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from segue.body.figure import FEET
from segue.body.human import HUMAN
from segue.spacetime import Gap, Objective, solve
from segue.spacetime._metric_kernels import apply_metric, metric_of
from segue.spacetime.objectives import natural, torque
from segue.typing import Array
from tests.spacetime.gaps import FREE, make_gap, unknowns_of
from tests.spacetime.oracle import ROOT, point_path, sampled_inertias, spline


def inverse_metric(gap: Gap, unknowns: Array) -> Array:
    """Return what the kernels apply to a gradient, as a matrix."""
    problem, size = gap.problem, unknowns.size
    whole = np.zeros((size, size))
    for part, (first, last) in enumerate(pairwise(problem.group * gap.coefficients)):
        factor = metric_of(gap.problem_ref, part, unknowns, np.zeros_like(unknowns))
        for column, unit in zip(range(first, last), np.eye(last - first), strict=True):
            vector = unit.reshape(-1, gap.coefficients).copy()
            apply_metric(gap.problem_ref, part, factor, vector)
            whole[first:last, column] = vector.ravel()
    return whole


def torque_part(gap: Gap) -> Array:
    """Return the torques' part (F, m, F, m): inertias at three times, each with its share of the accelerations."""
    matrices = sampled_inertias(gap)
    goal = gap.objective
    own = np.mean([np.diag(matrix) for matrix in matrices], axis=0)
    weights = np.zeros((2, len(HUMAN.dof_names)))
    weights[0, ROOT:] = goal.torque**2
    weights[1, ROOT:] = (goal.torque_change / (own[ROOT:] + goal.inertia_floor)) ** 2
    total = np.zeros((len(gap.free), gap.coefficients) * 2)
    for kind in range(2):
        for s, matrix in enumerate(matrices):
            over = matrix[:, gap.free]
            gram = over.T @ (weights[kind][:, None] * over)
            total += 2.0 * np.einsum("jk,ab->jakb", gram, gap.modes.mode_coupling[kind, s])
    return total


def branches(gap: Gap) -> Array:
    """Return which part of the body (trunk with arms, left leg, right leg) each unknown belongs to."""
    legs = ("hip", "knee", "ankle", "toe")
    names = [HUMAN.dof_names[k] for k in gap.free]
    return np.array([name.split("_")[0] if any(leg in name for leg in legs) else "trunk" for name in names])


def points_part(gap: Gap, unknowns: Array) -> Array:
    """Return J'wJ of all points, J by central differences of the figure's poses; every other sample counts twice."""
    table, modes = gap.problem.points, gap.modes.modes
    path, times, h = spline(gap.control(unknowns), gap.duration), gap.times, 1e-6
    values = path(times)
    total = np.zeros((len(gap.free), gap.coefficients) * 2)
    counts = 2.0 * (np.arange(len(times)) % 2 == 0)
    for p, name in enumerate(gap.points):
        jacobian = np.empty((len(times), len(gap.free), 3))
        for f, column in enumerate(gap.free):
            step = np.zeros(values.shape[1])
            step[column] = h
            ahead, behind = (gap.figure.point(name, gap.tree.poses(values + sign * step)) for sign in (1, -1))
            jacobian[:, f] = (ahead - behind) / (2 * h)
        where = point_path(gap, path, name, times)
        speed = (point_path(gap, path, name, times + 1e-5) - point_path(gap, path, name, times - 1e-5)) / 2e-5
        size = 1 + np.sum(speed**2, axis=1) / gap.objective.foot_speed**2
        slow = 2 * table.speed_weight[p] * table.proximity[p] / size**2
        sunk = 2 * table.floor_weight * (gap.ground.above(where) < 0.0)
        for weights, axes, order in (
            (slow, slice(0, 3), 1),
            (2 * table.hold[p], slice(0, 3), 0),
            (sunk, slice(1, 2), 0),
        ):
            square = np.einsum("tjc,tkc,t->tjk", jacobian[:, :, axes], jacobian[:, :, axes], counts * weights)
            total += np.einsum("tjk,ta,tb->jakb", square, modes[:, :, order], modes[:, :, order])
    return total


def test_inertias_are_those_of_pinocchio() -> None:
    for seed in range(3):
        gap = make_gap(seed, "natural", 6)
        for ours, theirs in zip(gap.problem.inertia, sampled_inertias(gap), strict=True):
            np.testing.assert_allclose(ours[:, ROOT:], theirs[:, ROOT:], atol=1e-11)


@pytest.mark.parametrize("joints", FREE)
@pytest.mark.parametrize("goal", [torque(), natural(), Objective(velocity=2.0)], ids=["torque", "natural", "velocity"])
def test_the_metric_is_positive_definite(goal: Objective, joints: str) -> None:
    gap = make_gap(4, goal, 4, free=FREE[joints], held=("left_heel", "left_knuckles"), spread=0.4, floor=0.05)
    solve(gap, iterations=0)
    inverse = inverse_metric(gap, unknowns_of(gap, 1))
    np.testing.assert_allclose(inverse, inverse.T, atol=1e-12)
    assert np.linalg.eigvalsh(inverse)[0] > 0
    assert np.linalg.eigvalsh(inverse)[-1] <= 0.5 + 1e-6, "the regulariser alone gives two"


def test_arms_that_carry_no_point_get_one_block_a_mode() -> None:
    gap = make_gap(7, torque(), 5, free=FREE["left arm"], limits=False)
    metric = torque_part(gap)
    count = gap.coefficients
    mask = np.eye(count)[None, :, None, :]
    expected = (metric * mask).reshape(len(gap.free) * count, -1) + 2 * np.eye(len(gap.free) * count)
    inverse = inverse_metric(gap, np.zeros((len(gap.free), count)))
    np.testing.assert_allclose(inverse @ expected, np.eye(len(expected)), atol=1e-8)


def test_legs_get_one_block_each_for_all_their_modes() -> None:
    gap = make_gap(8, natural(), 4, free=FREE["legs"], held=FEET, floor=0.1, limits=False)
    solve(gap, iterations=0)
    # held softly, or the errors of differences would drown all that is not held
    gap.problem.points.hold[:] *= 1e-6
    gap.problem.points.floor_weight[:] *= 1e-6
    unknowns = unknowns_of(gap, 2)
    metric = torque_part(gap) + points_part(gap, unknowns)
    apart = branches(gap)[:, None] != branches(gap)[None, :]
    metric[np.broadcast_to(apart[:, None, :, None], metric.shape)] = 0.0
    size = unknowns.size
    expected = metric.reshape(size, size) + 2 * np.eye(size)
    inverse = inverse_metric(gap, unknowns)
    np.testing.assert_allclose(inverse @ expected, np.eye(size), atol=2e-4)


def test_the_metric_is_the_curvature_where_paths_hardly_bend() -> None:
    """Near rest, torques are the inertia times accelerations: the metric must be close to the true Hessian."""
    gap = make_gap(9, torque(), 4, free=FREE["left arm"], limits=False, spread=0.01)
    energy_hessian = hessian(gap)
    inverse = inverse_metric(gap, np.zeros((len(gap.free), gap.coefficients)))
    ratios = np.linalg.eigvals(inverse @ energy_hessian).real
    assert ratios.min() > 0.2
    assert ratios.max() < 5.0


def hessian(gap: Gap) -> Array:
    from tests.spacetime.gaps import Energy

    energy, shape = Energy(gap), (len(gap.free), gap.coefficients)
    h, rows = 1e-4, []
    for unit in np.eye(shape[0] * shape[1]):
        step = h * unit.reshape(shape)
        rows.append((energy.gradient(step) - energy.gradient(-step)).ravel() / (2 * h))
    return np.array(rows)
