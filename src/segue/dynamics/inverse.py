"""Many time samples at once: torques with their adjoint and Jacobian, and positions of bodies and of points on them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from segue.body.anthropometry import STANDARD_GRAVITY
from segue.dynamics._batch_kernels import adjoint, batch_table, jacobians, torques
from segue.dynamics._kinematics_kernels import FRAME, PUSH, gather_pushes, world_frames
from segue.dynamics._lanes import LANES, aligned
from segue.dynamics._memory import Workspace, from_blocks, to_blocks
from segue.dynamics.tree import Tree, checked_gravity, checked_motion, checked_samples
from segue.errors import ArgumentError
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


@dataclass(frozen=True, eq=False)
class Kinematics:
    """The poses of a tree's bodies at T time samples.

    positions: (T, n, 3), origins of the bodies' frames, world axes. rotations: (T, n, 3, 3), columns are the bodies'
    axes. A point is given by the index of its body and its place in that body's frame; k of them by (k,) and (k, 3).
    """

    tree: Tree
    positions: Array
    rotations: Array
    _work: Workspace
    _frames: Array

    def points(self, bodies: Sequence[int], places: npt.ArrayLike) -> Array:
        """Return the positions of points in the world, (T, k, 3)."""
        index, offsets = self._checked(bodies, places)
        return self.positions[:, index] + self._arms(index, offsets)

    def pull_back(
        self,
        bodies: Sequence[int],
        places: npt.ArrayLike,
        forces: npt.ArrayLike,
        moments: npt.ArrayLike | None = None,
    ) -> Array:
        """Return J' f, (T, n): what forces on points, and moments on their bodies, amount to at each joint.

        forces: (T, k, 3), moments: (T, k, 3), world axes. If the forces are the derivatives of a scalar by the points'
        positions, and the moments those by turning the bodies about the world's axes, this is d(scalar)/d(q). If they
        are loads, this is what they contribute to the joints' torques. The full Jacobian is never formed.
        """
        index, offsets = self._checked(bodies, places)
        push = self._points_array("forces", forces, len(index))
        about_origin = np.cross(self.positions[:, index] + self._arms(index, offsets), push)
        if moments is not None:
            about_origin = about_origin + self._points_array("moments", moments, len(index))
        sums = np.zeros((len(push), len(self.tree), 6))
        for column, body in enumerate(index.tolist()):
            sums[:, body] += np.concatenate([push[:, column], about_origin[:, column]], axis=-1)
        work = self._work
        pushes = aligned(work.blocks * len(self.tree) * PUSH)
        to_blocks(sums, pushes)
        result = aligned(work.by_q.size)
        addresses = (self._frames.ctypes.data, pushes.ctypes.data, result.ctypes.data)
        gather_pushes(work.ref, work.blocks, *addresses)
        return from_blocks(result, work.samples, len(self.tree))

    def _arms(self, index: npt.NDArray[np.int64], offsets: Array) -> Array:
        arms: Array = np.einsum("tkij,kj->tki", self.rotations[:, index], offsets)
        return arms

    def _checked(self, bodies: Sequence[int], places: npt.ArrayLike) -> tuple[npt.NDArray[np.int64], Array]:
        index, offsets = np.asarray(bodies, dtype=np.int64), np.asarray(places, dtype=float)
        if index.ndim != 1 or offsets.shape != (len(index), 3):
            raise ArgumentError(
                f"points need k body numbers and k places of shape (k, 3), not {index.shape} and {offsets.shape}"
            )
        if np.any((index < 0) | (index >= len(self.tree))):
            wrong = index[(index < 0) | (index >= len(self.tree))][0]
            raise ArgumentError(f"there is no body {wrong}: this tree has bodies 0 to {len(self.tree) - 1}")
        return index, offsets

    def _points_array(self, name: str, values: npt.ArrayLike, count: int) -> Array:
        array = np.asarray(values, dtype=float)
        wanted = (self._work.samples, count, 3)
        if array.shape != wanted:
            raise ArgumentError(f"{name} on these points must have shape {wanted}, not {array.shape}")
        return array


def forward_kinematics(tree: Tree, q: npt.ArrayLike) -> Kinematics:
    """Return the poses of all bodies for joint values (T, n)."""
    still = np.zeros_like(np.asarray(q, dtype=float))
    work = Workspace(tree.program[0], np.zeros(3), len(still), slots=0)
    to_blocks(checked_motion(tree, q, still, still)["q"], work.q)
    joints, ours = len(tree), tree.program[1]
    frames = aligned(work.blocks * joints * FRAME)
    world_frames(work.ref, work.blocks, frames.ctypes.data)
    world = from_blocks(frames, work.samples, joints, 4, 3)
    # our axes of a body are columns in the user's frame: undo that exchange
    rotations: Array = np.einsum("tnki,nlk->tnil", world[:, :, :3], ours)
    return Kinematics(tree, np.ascontiguousarray(world[:, :, 3]), rotations, work, frames)
