"""Compiled whole-body control: from tasks and contacts to torques, one call per tick.

Shapes: n = 44 degrees of freedom, R rows of tasks, P contact points, J joints with motors, m constraints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled, copy_into
from segue.dance.simulation.control._force_kernels import cholesky_upper, inverse_cholesky, solve_force_qp
from segue.typing import Array

Places = npt.NDArray[np.int64]

ROOT = 6
"""Degrees of freedom of the root, which come first and have no motor."""

_FORCE_COST = 2e-5  # per N^2: spreads forces evenly
_HELD = 0.999  # of the strength used: a fixed joint does not exceed it again by rounding
_LEAST_WEIGHT = 1e-4  # of every acceleration, which makes the program strictly convex
_ROUNDS = 3  # of fixing torques at their limit


class Tasks(NamedTuple):
    """Wanted accelerations: rows (R, n) @ acceleration = wanted (R,), each with a weight (R,).

    posture: (n,) an acceleration of every degree of freedom, with weights (n,).
    """

    rows: Array
    wanted: Array
    weights: Array
    posture: Array
    posture_weights: Array


class Contacts(NamedTuple):
    """Contact points: Jacobians (3P, n), and the largest normal force of each, (P,) N; zero if it may not bear."""

    rows: Array
    most: Array


class Body(NamedTuple):
    """Dynamics and strengths of the body.

    inertia: (n, n) mass matrix. bias: (n,) torques at zero acceleration without contact. strengths: (J,) the largest
    torque of each joint, N m. first: (J + 1,) index of each joint's first motor.
    """

    inertia: Array
    bias: Array
    strengths: Array
    first: Places


class AccelerationConstraints(NamedTuple):
    """Constraints on accelerations a under contact forces f: B a = W f - b.

    base: (m, n) B. offset: (m,) b. by_force: (m, 3P) W.
    """

    base: Array
    offset: Array
    by_force: Array


class Problem(NamedTuple):
    """Least-squares tasks as a cost of the contact forces f alone.

    Accelerations must satisfy B a = W f - b: the root's equations of motion, and torques at their limit. root: (n, n)
    upper triangle U with U' U = H, the tasks' hessian. start: (n,) U'^-1 g, of their gradient. sides: (m, n) B U^-1.
    price: (m, m) S = (B H^-1 B')^-1. wanted: (m,) w0 = b + B H^-1 g. by_force: (m, 3P) W. The optimal accelerations are
    a = H^-1 (g + B' S (W f - w0)). The constraint raises the cost by (W f - w0)' S (W f - w0) / 2.
    """

    root: Array
    start: Array
    sides: Array
    price: Array
    wanted: Array
    by_force: Array


@compiled(seconds=2, fast_math=True)
def _weighted_tasks(tasks: Tasks, least: float) -> tuple[Array, Array]:
    """Return the Cholesky factor U (n, n) of the tasks' hessian, and U'^-1 times their gradient, (n,).

    least: a weight of every acceleration.
    """
    rows, weights = tasks.rows, tasks.weights
    n = rows.shape[1]
    root, start = np.zeros((n, n)), np.empty(n)
    for i in range(n):
        root[i, i] = tasks.posture_weights[i] + least
        start[i] = tasks.posture_weights[i] * tasks.posture[i]
    for r in range(len(rows)):
        weight = weights[r]
        if weight > 0.0:
            goal = weight * tasks.wanted[r]
            for i in range(n):
                scaled = weight * rows[r, i]
                if scaled != 0.0:
                    start[i] += goal * rows[r, i]
                    for j in range(i + 1):
                        root[i, j] += scaled * rows[r, j]
    for i in range(n):
        for j in range(i):
            root[j, i] = root[i, j]
    cholesky_upper(root)
    _forward(root, start)
    return root, start


@compiled(seconds=1, fast_math=True)
def _forward(root: Array, values: Array) -> None:
    """Replace values (n,) by U'^-1 values."""
    for k in range(len(values)):
        value = values[k] / root[k, k]
        values[k] = value
        rest, row = values[k + 1 :], root[k, k + 1 :]
        for i in range(len(rest)):
            rest[i] -= value * row[i]


@compiled(seconds=2, fast_math=True)
def _force_problem(root: Array, start: Array, held: AccelerationConstraints) -> tuple[bool, Problem]:
    """Return whether constraints on accelerations are independent, and the tasks as a cost of forces."""
    n, m = len(start), len(held.offset)
    sides, wanted = held.base.copy(), held.offset.copy()
    for c in range(m):
        _forward(root, sides[c])
        for i in range(n):
            wanted[c] += sides[c, i] * start[i]
    square, half, price = np.zeros((m, m)), np.empty((m, m)), np.zeros((m, m))
    for c in range(m):
        for e in range(c, m):
            for i in range(n):
                square[c, e] += sides[c, i] * sides[e, i]
    solved = inverse_cholesky(square, half)
    if solved:
        for k in range(m):
            for c in range(k + 1):
                for e in range(k + 1):
                    price[c, e] += half[k, c] * half[k, e]
    return solved, Problem(root, start, sides, price, wanted, held.by_force)


@compiled(seconds=2, fast_math=True)
def _force_cost(problem: Problem, least: float) -> tuple[Array, Array]:
    """Return hessian (3P, 3P) and gradient (3P,) of the cost of forces; least: added to the diagonal, 1/N^2."""
    by_force, price = problem.by_force, problem.price
    m, size = by_force.shape
    priced, hessian, gradient = np.zeros((m, size)), np.zeros((size, size)), np.zeros(size)
    for c in range(m):
        for e in range(m):
            for i in range(size):
                priced[c, i] += price[c, e] * by_force[e, i]
    for c in range(m):
        for i in range(size):
            share = by_force[c, i]
            gradient[i] += problem.wanted[c] * priced[c, i]
            for j in range(size):
                hessian[i, j] += share * priced[c, j]
    for i in range(size):
        hessian[i, i] += least
    return hessian, gradient


@compiled(seconds=2, fast_math=True)
def _accelerations(problem: Problem, forces: Array) -> Array:
    """Return the optimal accelerations (n,) under contact forces (3P,)."""
    root, accelerations = problem.root, problem.start.copy()
    n, m = len(accelerations), len(problem.wanted)
    misses = -problem.wanted
    for e in range(m):
        for i in range(len(forces)):
            misses[e] += problem.by_force[e, i] * forces[i]
    for c in range(m):
        multiplier = 0.0
        for e in range(m):
            multiplier += problem.price[c, e] * misses[e]
        for i in range(n):
            accelerations[i] += multiplier * problem.sides[c, i]
    for i in range(n - 1, -1, -1):
        known, row, total = accelerations[i + 1 :], root[i, i + 1 :], accelerations[i]
        for k in range(len(row)):
            total -= row[k] * known[k]
        accelerations[i] = total / root[i, i]
    return accelerations


@compiled(seconds=2, fast_math=True)
def _torques(body: Body, pushing: Array, forces: Array, accelerations: Array) -> Array:
    """Return the motors' torques (n - 6,) for accelerations (n,) and contact forces (3P,) with Jacobians (3P, n)."""
    n = len(accelerations)
    torques = np.empty(n - ROOT)
    for i in range(ROOT, n):
        total = body.bias[i]
        for j in range(n):
            total += body.inertia[i, j] * accelerations[j]
        torques[i - ROOT] = total
    for r in range(len(forces)):
        for i in range(ROOT, n):
            torques[i - ROOT] -= pushing[r, i] * forces[r]
    return torques


@compiled(seconds=1)
def _half_spaces(friction: float, most: Array, bears: Places) -> tuple[Array, Array]:
    """Return sides (P, 6, 3) and bounds (P, 6) of forces: friction pyramid, no tension, largest normal force."""
    sides, least = np.zeros((len(bears), 6, 3)), np.zeros((len(bears), 6))
    for p in range(len(bears)):
        for k in range(4):
            sides[p, k, 1] = friction
        sides[p, 0, 0], sides[p, 1, 0], sides[p, 2, 2], sides[p, 3, 2] = 1.0, -1.0, 1.0, -1.0
        sides[p, 4, 1], sides[p, 5, 1] = 1.0, -1.0
        least[p, 5] = -most[bears[p]]
    return sides, least


@compiled(seconds=1)
def _bearing(contacts: Contacts) -> tuple[Places, Array]:
    """Return the points that may bear, and their Jacobians."""
    n, count = contacts.rows.shape[1], 0
    bears, pushing = np.empty(len(contacts.most), np.int64), np.empty(contacts.rows.shape)
    for p in range(len(contacts.most)):
        if contacts.most[p] > 0.0:
            bears[count] = p
            for k in range(3):
                for i in range(n):
                    pushing[3 * count + k, i] = contacts.rows[3 * p + k, i]
            count += 1
    return bears[:count], pushing[: 3 * count]


@compiled(seconds=1)
def _overload(body: Body, torques: Array, joint: int) -> float:
    """Return the torque of a joint as a multiple of its strength if it exceeds it, else zero."""
    square = 0.0
    for i in range(body.first[joint], body.first[joint + 1]):
        square += torques[i] * torques[i]
    return np.sqrt(square) / body.strengths[joint] if square > body.strengths[joint] ** 2 else 0.0


@compiled(seconds=3)
def _hold(body: Body, pushing: Array, torques: Array, held: AccelerationConstraints) -> AccelerationConstraints:
    """Return constraints with one more for every joint beyond its strength, which fixes its torque at the limit.

    The torque keeps its direction, a little below the strength, so that rounding does not exceed the limit again.
    """
    joints, m = len(body.strengths), len(held.offset)
    weak = 0
    for joint in range(joints):
        weak += _overload(body, torques, joint) > 0.0
    if not weak:
        return held
    n, size = held.base.shape[1], held.by_force.shape[1]
    base, offset, by_force = np.zeros((m + weak, n)), np.zeros(m + weak), np.zeros((m + weak, size))
    for c in range(m):
        offset[c] = held.offset[c]
        for j in range(n):
            base[c, j] = held.base[c, j]
        for j in range(size):
            by_force[c, j] = held.by_force[c, j]
    for joint in range(joints):
        over = _overload(body, torques, joint)
        if over > 0.0:
            for i in range(body.first[joint], body.first[joint + 1]):
                share = torques[i] / (over * body.strengths[joint])
                offset[m] += share * body.bias[ROOT + i]
                for j in range(n):
                    base[m, j] += share * body.inertia[ROOT + i, j]
                for j in range(size):
                    by_force[m, j] += share * pushing[j, ROOT + i]
            offset[m] -= _HELD * body.strengths[joint]
            m += 1
    return AccelerationConstraints(base, offset, by_force)


@compiled(seconds=1)
def _root_equations(body: Body, pushing: Array) -> AccelerationConstraints:
    """Return the root's equations of motion: contact forces alone accelerate it."""
    n, size = pushing.shape[1], len(pushing)
    base, offset, by_force = np.empty((ROOT, n)), np.empty(ROOT), np.empty((ROOT, size))
    for c in range(ROOT):
        offset[c] = body.bias[c]
        for j in range(n):
            base[c, j] = body.inertia[c, j]
        for j in range(size):
            by_force[c, j] = pushing[j, c]
    return AccelerationConstraints(base, offset, by_force)


@compiled(seconds=12)
def solve_tasks(
    tasks: Tasks, contacts: Contacts, body: Body, friction: float, torques: Array, forces: Array, accelerations: Array
) -> None:
    """Write torques (n - 6,), contact forces (P, 3) and accelerations (n,) that fit the tasks best.

    Torques are unbounded at first. A joint beyond its strength is then fixed at its limit, in the same direction, and
    the program is solved again. Points that may not bear are left out.
    """
    root, start = _weighted_tasks(tasks, _LEAST_WEIGHT)
    bears, pushing = _bearing(contacts)
    sides, least = _half_spaces(friction, contacts.most, bears)
    held = _root_equations(body, pushing)
    for attempt in range(1 + _ROUNDS):
        solved, problem = _force_problem(root, start, held)
        if not solved:
            break  # so many joints are fixed that the rest cannot move: a fall
        hessian, gradient = _force_cost(problem, _FORCE_COST)
        pushes, solved = solve_force_qp(hessian, gradient, sides, least)
        answer = _accelerations(problem, pushes)
        asked = _torques(body, pushing, pushes, answer)
        total = 0.0
        for i in range(len(asked)):
            total += abs(asked[i])
        if not (solved and np.isfinite(total)):
            break
        copy_into(torques, asked)
        copy_into(accelerations, answer)
        for k in range(len(bears)):
            for axis in range(3):
                forces[bears[k], axis] = pushes[3 * k + axis]
        if attempt < _ROUNDS:
            before = len(held.offset)
            held = _hold(body, pushing, torques, held)
            if len(held.offset) == before:
                return
    for joint in range(len(body.strengths)):
        over = _overload(body, torques, joint)
        if over > 0.0:
            for i in range(body.first[joint], body.first[joint + 1]):
                torques[i] /= over
