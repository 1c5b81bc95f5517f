"""Whole-body control: joint torques that fit all tasks best with feasible contact forces.

Every tick a quadratic program is solved for accelerations of the 44 degrees of freedom and forces at the contact points
of the soles. The root's six equations of motion hold, because the root has no motor. Forces stay in their friction
cones and torques within the joints' strength. Tasks are weighted squares of accelerations. Forces matter to
accelerations only by their total wrench, so the program is reduced to the forces before it is solved: 18 unknowns per
foot instead of 62.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.dance.simulation.control._sense_kernels import Mechanics
from segue.dance.simulation.control._whole_body_kernels import Body, Contacts, Tasks, solve_tasks
from segue.dance.simulation.model import BodyModel
from segue.typing import Array

_IN_CONE = np.sqrt(0.5)  # a pyramid of four sides inside the cone of friction
_GRIP = 0.85  # of the friction: a reserve, because feet at the friction limit slide
_RESERVE = 0.98  # stay 2 % below the actuator limit, so that MuJoCo never clips a torque


class QPResult(NamedTuple):
    """Solution: torques (38,) N m of the motors, contact forces (P, 3) N, and accelerations (44,)."""

    torques: Array
    forces: Array
    accelerations: Array


class WholeBody:
    """Solves for torques; data: the engine's data, with up-to-date positions and velocities."""

    def __init__(self, model: BodyModel, data: Any, friction: float) -> None:
        engine_model = model.engine_model
        self.mass = float(engine_model.body_subtreemass[1])
        self._friction = float(_GRIP * _IN_CONE * friction)
        self.inertia = np.zeros((engine_model.nv, engine_model.nv))
        self._body = Body(self.inertia, data.qfrc_bias, _RESERVE * model.strengths, _FIRST_MOTORS)
        self.mechanics = mechanics_of(engine_model, data)

    @property
    def bias(self) -> Array:
        """Joint torques at zero acceleration without contact, (44,)."""
        return self._body.bias

    def solve(self, tasks: Tasks, contacts: Contacts, bias: Array) -> QPResult:
        """Return the torques that fit the tasks best; `inertia` must be up to date.

        bias: (44,) of the body, with the forces of a partner if any. Torques are zero if there is no solution, as for a
        body that has long fallen.
        """
        accelerations = np.zeros(len(self.bias))
        result = QPResult(
            np.zeros(len(accelerations) - HUMAN.root_dofs), np.zeros((len(contacts.most), 3)), accelerations
        )
        solve_tasks(tasks, contacts, self._body._replace(bias=bias), self._friction, *result)
        return result


_FIRST_MOTORS = np.array(
    [span.start - HUMAN.root_dofs for span in HUMAN.joint_dofs[1:]] + [HUMAN.joint_dofs[-1].stop - HUMAN.root_dofs]
)


def mechanics_of(model: Any, data: Any) -> Mechanics:
    """Return views of the engine's arrays for the kernels."""
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
