"""A plain twin of the compiled kernels: [Rose1996] appendix A as printed, one sample at a time, in NumPy.

It works on complex numbers too, so that derivatives can be had to full precision by a complex step. Sliders, fixed
rotations and external wrenches, which the appendix leaves out, are added.
"""

from __future__ import annotations

import numpy as np

from segue.dynamics import Tree


def dual(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def undual(m: np.ndarray) -> np.ndarray:
    return np.array([m[2, 1], m[0, 2], m[1, 0]])


def turn_about(axis: np.ndarray, angle: complex) -> np.ndarray:
    return np.eye(3) + np.sin(angle) * dual(axis) + (1 - np.cos(angle)) * dual(axis) @ dual(axis)


def torques(
    tree: Tree, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, gravity: np.ndarray, wrenches: np.ndarray | None = None
) -> np.ndarray:
    n = len(tree)
    kind = np.result_type(q, qd, qdd, float)
    turns, starts, rates, spins, pulls, forces, moments = ([None] * n for _ in range(7))
    for i in range(n):
        z, slides, parent = tree.axes[i], tree.sliders[i], int(tree.parents[i])
        turns[i] = tree.rotations[i] @ (np.eye(3) if slides else turn_about(z, q[i]))
        starts[i] = tree.offsets[i] + (tree.rotations[i] @ z * q[i] if slides else 0)
        rate = rates[parent] if parent >= 0 else np.zeros(3, kind)
        spin = spins[parent] if parent >= 0 else np.zeros((3, 3), kind)
        pull = pulls[parent] if parent >= 0 else -gravity
        # A.2: the tensor is [dw/dt] + [w][w]; its antisymmetric part is the angular acceleration
        rise = undual((spin - spin.T) / 2)
        pull = turns[i].T @ (pull + spin @ starts[i])
        rate, rise = turns[i].T @ rate, turns[i].T @ rise
        if slides:
            pull = pull + z * qdd[i] + 2 * np.cross(rate, z * qd[i])
        else:
            rise = rise + np.cross(rate, z * qd[i]) + z * qdd[i]
            rate = rate + z * qd[i]
        rates[i], pulls[i] = rate, pull
        spins[i] = dual(rise) + dual(rate) @ dual(rate)
        inertia = tree.inertias[i]
        euler = np.trace(inertia) / 2 * np.eye(3) - inertia
        force = tree.masses[i] * (pull + spins[i] @ tree.centres[i])
        product = spins[i] @ euler
        moment = undual(product - product.T) + np.cross(tree.centres[i], force)
        if wrenches is not None:
            force, moment = force - wrenches[i, :3], moment - wrenches[i, 3:]
        forces[i], moments[i] = force, moment
    tau = np.zeros(n, kind)
    for i in reversed(range(n)):  # A.3
        tau[i] = tree.axes[i] @ (forces[i] if tree.sliders[i] else moments[i])
        parent = int(tree.parents[i])
        if parent >= 0:
            force = turns[i] @ forces[i]
            forces[parent] = forces[parent] + force
            moments[parent] = moments[parent] + turns[i] @ moments[i] + np.cross(starts[i], force)
    return tau


def derivatives(
    tree: Tree, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, gravity: np.ndarray, wrenches: np.ndarray | None = None
) -> tuple[np.ndarray, ...]:
    """Return d(tau)/d(q), d(qd), d(qdd), each (n, n), by complex steps."""
    out = []
    step = 1e-30
    for which in range(3):
        columns = []
        for j in range(len(tree)):
            motion = [q.astype(complex), qd.astype(complex), qdd.astype(complex)]
            motion[which][j] += 1j * step
            columns.append(torques(tree, *motion, gravity, wrenches).imag / step)
        out.append(np.array(columns).T)
    return tuple(out)
