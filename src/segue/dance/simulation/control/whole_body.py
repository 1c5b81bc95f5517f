"""Whole-body control: the joint torques that come nearest to what all tasks ask for, by contact forces that can be.

Every tick a quadratic program is solved: accelerations of the 44 degrees of freedom and forces at the soles' contact
points, such that the root's six equations of motion hold (it has no motor), forces stay in their friction cones and
torques within the joints' strength; tasks are weighted squares. Since tasks concern accelerations alone, and forces
matter to these only by the wrench that they sum up to, the program is reduced to the forces before it is solved: 18
unknowns for a foot in place of 62.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.curves.quaternion import Array
from segue.dance.simulation.control._whole_body_kernels import (
    Mechanics,
    Problem,
    Tasks,
    accelerations_and_torques,
    force_cost,
    force_problem,
    weighted_tasks,
)
from segue.dance.simulation.engine import quadprog
from segue.dance.simulation.model import ACTUATED, JOINT_SPANS, BodyModel

__all__ = ["Answer", "Contacts", "WholeBody", "mechanics_of"]

_FORCE_COST = 2e-5  # per N^2: so that forces spread evenly, and none is larger than needed
_HELD = 0.999  # of what is used: a joint that is held there is not found beyond it again by rounding
_LEAST_WEIGHT = 1e-4  # of every acceleration, so that the program is strictly convex
_IN_CONE = np.sqrt(0.5)  # a pyramid of four sides inside the cone of friction
_RESERVE = 0.98  # of strength that is used: what the engine cuts off at the limit is none of it
_ROUNDS = 3  # of holding torques that are beyond a joint's strength


class Contacts(NamedTuple):
    """Points that may push: Jacobians (3P, 44), and the largest normal force of each, (P,) N."""

    rows: Array
    most: Array


class Answer(NamedTuple):
    """What the program found: torques (38,) N m of the motors, contact forces (P, 3) N, and accelerations (44,)."""

    torques: Array
    forces: Array
    accelerations: Array


class WholeBody:
    """Solves for torques; data: the engine's data, whose positions and velocities are to be up to date."""

    def __init__(self, model: BodyModel, data: Any, friction: float) -> None:
        engine_model = model.engine_model
        self.mass = float(engine_model.body_subtreemass[1])
        self._bias: Array = data.qfrc_bias
        self._friction = _IN_CONE * friction
        self._strengths = _RESERVE * model.strengths
        self.inertia = np.zeros((engine_model.nv, engine_model.nv))
        self.mechanics = mechanics_of(engine_model, data)

    @property
    def bias(self) -> Array:
        """What the joints' torques must be where nothing accelerates and nothing pushes, (44,)."""
        return self._bias

    def solve(self, tasks: Tasks, contacts: Contacts, bias: Array) -> Answer:
        """Return the torques that come nearest to the tasks; `inertia` must be up to date.

        Torques are first left free. A joint that is then beyond its strength is held at it, in the direction that it
        pushed in, and the program is solved again.
        """
        root, start = weighted_tasks(tasks, _LEAST_WEIGHT)
        base, offset = self.inertia[:6], bias[:6]
        by_force = np.ascontiguousarray(contacts.rows[:, :6].T)
        answer = self._answer(force_problem(root, start, base, offset, by_force), contacts, bias)
        for _ in range(_ROUNDS):
            weak = self._beyond(answer.torques)
            if not len(weak):
                return answer
            held = [self._held(joint, answer.torques, bias, contacts.rows) for joint in weak]
            base = np.vstack([base, *(row for row, _, _ in held)])
            offset = np.append(offset, [value for _, value, _ in held])
            by_force = np.vstack([by_force, *(push for _, _, push in held)])
            try:
                again = self._answer(force_problem(root, start, base, offset, by_force), contacts, bias)
            except (ValueError, np.linalg.LinAlgError):
                break  # so many joints are held that the rest cannot move: a fall
            if not np.isfinite(again.torques).all():
                break
            answer = again
        for joint in self._beyond(answer.torques):
            span = _MOTORS[joint]
            answer.torques[span] *= self._strengths[joint] / np.linalg.norm(answer.torques[span])
        return answer

    def _answer(self, problem: Problem, contacts: Contacts, bias: Array) -> Answer:
        """Return the best that can be done where nothing but the problem's own constraints limits torques."""
        forces = self._forces(problem, contacts)
        accelerations, torques = accelerations_and_torques(problem, contacts.rows, forces, self.inertia, bias)
        return Answer(torques, forces.reshape(-1, 3), accelerations)

    def _forces(self, problem: Problem, contacts: Contacts) -> Array:
        """Return the contact forces (3P,) of least cost, inside their friction pyramids and not larger than allowed."""
        points = len(contacts.most)
        if not points:
            return np.zeros(0)
        hessian, gradient = force_cost(problem, _FORCE_COST)
        least = np.zeros((points, 6))
        least[:, 5] = -contacts.most
        forces: Array = quadprog().solve_qp(hessian, gradient, _pyramids(points, self._friction), least.ravel())[0]
        return forces

    def _beyond(self, torques: Array) -> npt.NDArray[np.int64]:
        """Return the joints whose torque is beyond their strength."""
        return np.flatnonzero(np.add.reduceat(torques**2, _FIRST_MOTORS) > self._strengths**2)

    def _held(self, joint: int, torques: Array, bias: Array, rows: Array) -> tuple[Array, float, Array]:
        """Return a constraint that holds a joint's torque at its strength: row B, b and W of B a = W f - b."""
        span = _MOTORS[joint]
        direction = torques[span] / np.linalg.norm(torques[span])
        offset = float(direction @ bias[ACTUATED:][span]) - _HELD * self._strengths[joint]
        return direction @ self.inertia[ACTUATED:][span], offset, direction @ rows[:, ACTUATED:][:, span].T


_MOTORS = tuple(slice(span.start - ACTUATED, span.stop - ACTUATED) for span in JOINT_SPANS[1:])
_FIRST_MOTORS = np.array([span.start for span in _MOTORS])


@lru_cache(maxsize=64)
def _pyramids(points: int, friction: float) -> Array:
    """Return the sides (3P, 6P) of friction pyramids: four that lean, pushing not pulling, and not too hard."""
    side = np.array([[1, friction, 0], [-1, friction, 0], [0, friction, 1], [0, friction, -1], [0, 1, 0], [0, -1, 0]])
    return np.kron(np.eye(points), side.T.astype(float))


def mechanics_of(model: Any, data: Any) -> Mechanics:
    """Return the engine's arrays as the kernels read them: views, which follow the state."""
    return Mechanics(data.cdof, data.cdof_dot, data.subtree_com[1], data.qvel, _moves(model))


def _moves(model: Any) -> npt.NDArray[np.bool_]:
    """Return (bodies, 44) whether each degree of freedom moves each body."""
    moves = np.zeros((model.nbody, model.nv), bool)
    for body in range(1, model.nbody):
        above = int(model.body_parentid[body])
        moves[body] = moves[above]
        first, count = int(model.body_dofadr[body]), int(model.body_dofnum[body])
        moves[body, first : first + count] = True
    return moves
