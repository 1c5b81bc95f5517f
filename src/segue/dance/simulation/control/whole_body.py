"""Whole-body control: the joint torques that come nearest to what all tasks ask for, by contact forces that can be.

Every tick a quadratic program is solved: accelerations of the 44 degrees of freedom and forces at the soles' contact
points, such that the root's six equations of motion hold (it has no motor), forces stay in their friction cones and
torques within the joints' strength; tasks are weighted squares. Since tasks concern accelerations alone, and forces
matter to these only by the wrench that they sum up to, the program is reduced to the forces before it is solved: 18
unknowns for a foot in place of 62.
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
_GRIP = 0.85  # of friction that is used: feet that push as hard as they can slide
_RESERVE = 0.98  # of strength that is used: what the engine cuts off at the limit is none of it


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
        self._friction = float(_GRIP * _IN_CONE * friction)
        self.inertia = np.zeros((engine_model.nv, engine_model.nv))
        self._body = Body(self.inertia, data.qfrc_bias, _RESERVE * model.strengths, _FIRST_MOTORS)
        self.mechanics = mechanics_of(engine_model, data)

    @property
    def bias(self) -> Array:
        """What the joints' torques must be where nothing accelerates and nothing pushes, (44,)."""
        return self._body.bias

    def solve(self, tasks: Tasks, contacts: Contacts, bias: Array) -> Answer:
        """Return the torques that come nearest to the tasks; `inertia` must be up to date.

        bias: (44,) the body's own, or with what is felt besides. Where nothing can be found (a body that has long
        fallen), no motor pushes.
        """
        accelerations = np.zeros(len(self.bias))
        answer = Answer(
            np.zeros(len(accelerations) - HUMAN.root_dofs), np.zeros((len(contacts.most), 3)), accelerations
        )
        solve_tasks(tasks, contacts, self._body._replace(bias=bias), self._friction, *answer)
        return answer


_FIRST_MOTORS = np.array(
    [span.start - HUMAN.root_dofs for span in HUMAN.joint_dofs[1:]] + [HUMAN.joint_dofs[-1].stop - HUMAN.root_dofs]
)


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
