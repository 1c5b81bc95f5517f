"""Compiled parts of the whole-body controller: Jacobians of points and frames, and the problem in contact forces alone.

Shapes: n = 44 degrees of freedom, P contact points, F frames. The engine's axes of motion `cdof` (n, 6) hold for each
degree of freedom the angular and linear velocity, at the body's centre of mass, that it gives to what it moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion import Array

__all__ = [
    "Mechanics",
    "Problem",
    "Tasks",
    "accelerations_and_torques",
    "force_cost",
    "force_problem",
    "frame_rows",
    "point_rows",
    "weighted_tasks",
]

Flags = npt.NDArray[np.bool_]


class Mechanics(NamedTuple):
    """The engine's own arrays, views that follow its state.

    axes, axes_rates: (n, 6) cdof and its derivative. centre: (3,) the body's centre of mass. velocity: (n,). moves:
    (bodies, n) whether a degree of freedom moves a body.
    """

    axes: Array
    axes_rates: Array
    centre: Array
    velocity: Array
    moves: Flags


class Tasks(NamedTuple):
    """What is asked of the accelerations: rows (R, n) @ acceleration = wanted (R,), each with a weight (R,).

    posture: (n,) an acceleration of every degree of freedom, with weights (n,).
    """

    rows: Array
    wanted: Array
    weights: Array
    posture: Array
    posture_weights: Array


class Problem(NamedTuple):
    """Least-squares tasks as a cost of the contact forces f alone.

    Accelerations must fulfil B a = W f - b: the root's equations of motion, and torques that are held at their limit.
    root: (n, n) lower triangle L with L L' = H, the tasks' hessian. start: (n,) L^-1 g, of their gradient. sides:
    (n, m) L^-1 B'. price: (m, m) S = (B H^-1 B')^-1. wanted: (m,) w0 = b + B H^-1 g. by_force: (m, 3P) W. The best
    accelerations are a = H^-1 (g + B' S (W f - w0)), and cost (W f - w0)' S (W f - w0) / 2 more than without the
    constraint.
    """

    root: Array
    start: Array
    sides: Array
    price: Array
    wanted: Array
    by_force: Array


@compiled(seconds=2)
def point_rows(mechanics: Mechanics, body: int, point: Array, rows: Array, drift: Array) -> None:
    """Write the Jacobian (3, n) of a point (3,) of a body, and its acceleration (3,) where nothing accelerates."""
    axes, rates, velocity, moves = mechanics.axes, mechanics.axes_rates, mechanics.velocity, mechanics.moves
    x, y, z = point[0] - mechanics.centre[0], point[1] - mechanics.centre[1], point[2] - mechanics.centre[2]
    rows[:] = 0.0
    spin, speed = np.zeros(3), np.zeros(3)
    drift[:] = 0.0
    for i in range(len(velocity)):
        if not moves[body, i]:
            continue
        rows[0, i] = axes[i, 3] + axes[i, 1] * z - axes[i, 2] * y
        rows[1, i] = axes[i, 4] + axes[i, 2] * x - axes[i, 0] * z
        rows[2, i] = axes[i, 5] + axes[i, 0] * y - axes[i, 1] * x
        v = velocity[i]
        for k in range(3):
            spin[k] += axes[i, k] * v
            speed[k] += rows[k, i] * v
        drift[0] += (rates[i, 3] + rates[i, 1] * z - rates[i, 2] * y) * v
        drift[1] += (rates[i, 4] + rates[i, 2] * x - rates[i, 0] * z) * v
        drift[2] += (rates[i, 5] + rates[i, 0] * y - rates[i, 1] * x) * v
    drift[0] += spin[1] * speed[2] - spin[2] * speed[1]
    drift[1] += spin[2] * speed[0] - spin[0] * speed[2]
    drift[2] += spin[0] * speed[1] - spin[1] * speed[0]


@compiled(seconds=1)
def frame_rows(mechanics: Mechanics, body: int, rows: Array, drift: Array) -> None:
    """Write the Jacobian (3, n) of a body's angular velocity, and its derivative (3,) where nothing accelerates."""
    axes, rates, velocity, moves = mechanics.axes, mechanics.axes_rates, mechanics.velocity, mechanics.moves
    rows[:] = 0.0
    drift[:] = 0.0
    for i in range(len(velocity)):
        if moves[body, i]:
            for k in range(3):
                rows[k, i] = axes[i, k]
                drift[k] += rates[i, k] * velocity[i]


@compiled(seconds=3, fast_math=True)
def weighted_tasks(tasks: Tasks, least: float) -> tuple[Array, Array]:
    """Return the root (n, n) of the tasks' hessian, a lower triangle (Cholesky), and L^-1 times their gradient, (n,).

    least: a weight of every acceleration. The loops are our own: a linear algebra library would take longer to begin,
    and might round differently from machine to machine.
    """
    rows, wanted, weights = tasks.rows, tasks.wanted, tasks.weights
    n = rows.shape[1]
    root, start = np.zeros((n, n)), np.empty(n)
    for i in range(n):
        root[i, i] = tasks.posture_weights[i] + least
        start[i] = tasks.posture_weights[i] * tasks.posture[i]
    for r in range(len(rows)):
        weight = weights[r]
        if weight > 0.0:
            goal = weight * wanted[r]
            for i in range(n):
                scaled = weight * rows[r, i]
                if scaled != 0.0:
                    start[i] += goal * rows[r, i]
                    for j in range(i + 1):
                        root[i, j] += scaled * rows[r, j]
    for i in range(n):
        for j in range(i):
            total = root[i, j]
            for k in range(j):
                total -= root[i, k] * root[j, k]
            root[i, j] = total / root[j, j]
        total, known = root[i, i], start[i]
        for k in range(i):
            total -= root[i, k] * root[i, k]
            known -= root[i, k] * start[k]
        root[i, i] = np.sqrt(total)
        start[i] = known / root[i, i]
    return root, start


@compiled(seconds=4, fast_math=True)
def force_problem(root: Array, start: Array, base: Array, offset: Array, by_force: Array) -> Problem:
    """Return the tasks as a cost of forces, for constraints B = base (m, n), b = offset (m,), W = by_force (m, 3P)."""
    n, m = len(start), len(base)
    sides = np.empty((n, m))
    for i in range(n):
        for c in range(m):
            sides[i, c] = base[c, i]
        for k in range(i):
            lower = root[i, k]
            for c in range(m):
                sides[i, c] -= lower * sides[k, c]
        for c in range(m):
            sides[i, c] /= root[i, i]
    square, wanted = np.zeros((m, m)), offset.copy()
    for i in range(n):
        for c in range(m):
            wanted[c] += sides[i, c] * start[i]
            for e in range(m):
                square[c, e] += sides[i, c] * sides[i, e]
    price = np.linalg.inv(square)
    return Problem(root, start, sides, 0.5 * (price + price.T), wanted, by_force)


@compiled(seconds=2)
def force_cost(problem: Problem, least: float) -> tuple[Array, Array]:
    """Return hessian (3P, 3P) and gradient (3P,) of the cost of forces; least: added to the diagonal, 1/N^2."""
    priced = np.dot(problem.price, problem.by_force)
    hessian = np.dot(problem.by_force.T, priced)
    for i in range(len(hessian)):
        hessian[i, i] += least
    return hessian, np.dot(problem.wanted, priced)


@compiled(seconds=2, fast_math=True)
def accelerations_and_torques(
    problem: Problem, contacts: Array, forces: Array, inertia: Array, bias: Array
) -> tuple[Array, Array]:
    """Return accelerations (n,) and the motors' torques (n - 6,) under contact forces (3P,), Jacobians (3P, n)."""
    root, n = problem.root, len(problem.start)
    multipliers = np.dot(problem.price, np.dot(problem.by_force, forces) - problem.wanted)
    accelerations = problem.start + np.dot(problem.sides, multipliers)
    for i in range(n - 1, -1, -1):
        accelerations[i] /= root[i, i]
        for k in range(i):
            accelerations[k] -= root[i, k] * accelerations[i]
    torques = np.empty(n - 6)
    for i in range(6, n):
        total = bias[i]
        for j in range(n):
            total += inertia[i, j] * accelerations[j]
        torques[i - 6] = total
    for r in range(len(forces)):
        for i in range(6, n):
            torques[i - 6] -= contacts[r, i] * forces[r]
    return accelerations, torques
