"""Inverse dynamics over many time samples at once: torques, their adjoint and their Jacobians."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from segue.body.anthropometry import STANDARD_GRAVITY
from segue.dynamics._batch_kernels import adjoint, batch_table, jacobians, torques
from segue.dynamics._lanes import LANES, aligned
from segue.dynamics._memory import Workspace
from segue.dynamics.tree import Tree, checked_gravity, checked_motion, checked_samples
from segue.typing import Array

GRAVITY = (0.0, -STANDARD_GRAVITY, 0.0)
"""Acceleration of free fall in m/s^2; y is up. [Rose1996] A.1 prints -9.80655, a slip of the standard value."""


class MotionDerivatives(NamedTuple):
    """Derivatives by joint values, velocities and accelerations."""

    q: Array
    qd: Array
    qdd: Array


def inverse_dynamics(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    *,
    gravity: Sequence[float] = GRAVITY,
    wrenches: npt.ArrayLike | None = None,
) -> Array:
    """Return the torques (hinges, N m) and forces (sliders, N) that make the tree move as given, (T, n).

    q, qd, qdd: (T, n), joint values and their first and second time derivatives. gravity: in the world's axes.
    wrenches: (T, n, 6) or nothing; what the outside world applies to each body: a force through the origin of the
    body's frame and a moment about it, both along the body's axes.
    """
    motion = checked_motion(tree, q, qd, qdd, wrenches)
    tau = np.empty_like(motion["q"])
    work = _one_block(tree, gravity, motion)
    torques(work.ref, batch_table(len(tau), tau=tau, **motion))
    return tau


def inverse_dynamics_adjoint(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    seed: npt.ArrayLike,
    *,
    gravity: Sequence[float] = GRAVITY,
    wrenches: npt.ArrayLike | None = None,
) -> tuple[Array, MotionDerivatives]:
    """Return the torques (T, n), and the derivatives of a scalar by the motion, given those by the torques.

    seed: (T, n), d(scalar)/d(tau). The results are d(scalar)/d(q), d(scalar)/d(qd) and d(scalar)/d(qdd), each (T, n).
    The work grows in proportion to the number of joints. Wrenches are constants in the body's axes.
    """
    motion = checked_motion(tree, q, qd, qdd, wrenches)
    motion["seed"] = checked_samples(tree, "seed", seed, len(motion["q"]))
    tau, by_q, by_qd, by_qdd = (np.empty_like(motion["q"]) for _ in range(4))
    samples = batch_table(len(tau), tau=tau, by_q=by_q, by_qd=by_qd, by_qdd=by_qdd, **motion)
    work = _one_block(tree, gravity, motion)
    adjoint(work.ref, samples)
    return tau, MotionDerivatives(by_q, by_qd, by_qdd)


def inverse_dynamics_jacobians(
    tree: Tree,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    qdd: npt.ArrayLike,
    *,
    gravity: Sequence[float] = GRAVITY,
    wrenches: npt.ArrayLike | None = None,
) -> tuple[Array, MotionDerivatives]:
    """Return the torques (T, n), and the full Jacobians d(tau_i)/d(q_j), d(qd_j), d(qdd_j) as (T, n, n) arrays.

    The Jacobian by accelerations is the joint-space inertia matrix. Wrenches are constants in the body's axes.
    """
    motion = checked_motion(tree, q, qd, qdd, wrenches)
    tau = np.empty_like(motion["q"])
    by_q, by_qd, by_qdd = (np.empty((*tau.shape, len(tree))) for _ in range(3))
    samples = batch_table(len(tau), tau=tau, by_q=by_q, by_qd=by_qd, by_qdd=by_qdd, **motion)
    work, rows = _one_block(tree, gravity, motion), aligned(3, len(tree), LANES)
    jacobians(work.ref, samples, *tree.descendants, rows.ctypes.data)
    return tau, MotionDerivatives(by_q, by_qd, by_qdd)


_memory = threading.local()


def _one_block(tree: Tree, gravity: Sequence[float], motion: dict[str, Array]) -> Workspace:
    """Return this thread's memory for eight samples of a tree; it stays in the cache however many samples there are."""
    known: dict[bool, Workspace] = _known_workspaces().setdefault(tree, {})
    wrenched = "wrench" in motion
    if wrenched not in known:
        known[wrenched] = Workspace(tree.program[0], np.zeros(3), LANES, wrenches=wrenched)
    known[wrenched].gravity[:] = checked_gravity(gravity)
    return known[wrenched]


def _known_workspaces() -> WeakKeyDictionary[Tree, dict[bool, Workspace]]:
    if not hasattr(_memory, "workspaces"):
        _memory.workspaces = WeakKeyDictionary()
    known: WeakKeyDictionary[Tree, dict[bool, Workspace]] = _memory.workspaces
    return known
