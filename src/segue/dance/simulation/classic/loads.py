"""Turn wanted angular accelerations into joint torques that bear the body's inertia and weight.

The thesis uses the inertia and weight of each link alone [Lake1990, section 6.2.1.2]. A body with real inertia needs
those of all that a joint moves, so `ChainLoad` uses the mass matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.dance.course.stands import Foot
from segue.dance.simulation.classic.limbs import LIMB_OF, LIMBS, Programs
from segue.dance.simulation.engine import mujoco
from segue.typing import Array

# A moment costs as much as the force that makes it with a lever arm of 5 cm, about as far as the pressure
# can move under the sole.
_EASE = np.tile([1.0, 1.0, 1.0, 0.05**2, 0.05**2, 0.05**2], 2)


class ChainLoad:
    """Every joint moves and bears all links below it; standing legs bear all that is above.

    Moving limbs get the torques that the mass matrix gives for all joints, so that maintained limbs stay where they
    are. Springs and dampers of maintained limbs act on their own joint alone, as soft tissue does: a push on a forearm
    bends elbow and shoulder, but not the wrist.
    """

    def __init__(self, figure: Figure, model: Any, data: Any, standing: bool) -> None:
        self._model, self._data, self._standing = model, data, standing
        self._matrix = np.zeros((model.nv, model.nv))
        self._legs = np.isin(LIMBS, HUMAN.groups["legs"])[LIMB_OF] & standing
        self._above = np.array([self._carried(dof) if leg else 0.0 for dof, leg in enumerate(self._legs)])
        self._feet = [1 + HUMAN.segments.index(f"{side}_foot") for side in ("left", "right")]
        self._sole = np.array([0.0, -figure.build.sole, Foot.of(figure.build).middle])
        self._shared = np.tile(np.eye(6), 2)  # from forces and moments (12,) of the feet to those at the pelvis, (6,)
        self._rows = np.zeros((12, model.nv))
        self._left = np.array([joint.startswith("left_") for joint in LIMBS])[LIMB_OF]
        self.stand(0.5)

    def stand(self, left: float) -> None:
        """Set the share of the body that the left leg bears, from 0 to 1; the right leg bears the rest."""
        self._share = np.where(self._left, left, 1.0 - left)
        self._ease = _EASE * np.repeat([2.0 * left, 2.0 * (1.0 - left)], 6)

    def drive(self, asked: Programs) -> Array:
        """Return torques (38,) N m for the wanted accelerations with the pelvis at rest, without dampers.

        Dampers are set in the engine's model, which applies them at the end of each step. At the beginning of a step, a
        damper that suits the body above would throw a light foot about.
        """
        data, matrix = self._data, self._matrix
        mujoco().mj_fullM(self._model, data, matrix)
        hanging, bearing = np.diag(matrix)[HUMAN.root_dofs :], self._legs & (self._share > 0.0)
        turned = np.where(bearing, np.maximum(2.0 * self._share * self._above, hanging), hanging)
        moving = asked.moving & ~bearing
        self._model.dof_damping[HUMAN.root_dofs :] = np.where(moving, 0.0, turned * asked.dampers)
        planned = np.where(moving, asked.springs - asked.dampers * data.qvel[HUMAN.root_dofs :], 0.0)
        needed = data.qfrc_bias + matrix[:, HUMAN.root_dofs :] @ planned
        torques = needed[HUMAN.root_dofs :] + np.where(moving, 0.0, turned * asked.springs)
        if self._standing:
            torques -= np.where(bearing, self._leaned(needed[: HUMAN.root_dofs]), 0.0)
        return np.where(asked.free, 0.0, torques)

    def _leaned(self, pushed: Array) -> Array:
        """Return the joint moments (38,) of the floor's forces on the soles that hold the pelvis.

        pushed: (6,) force and moment that the pelvis needs. Soles share it with small forces and even smaller moments.
        """
        data, shared, rows = self._data, self._shared, self._rows
        for k, foot in enumerate(self._feet):
            first = 6 * k
            point = data.xpos[foot] + data.xmat[foot].reshape(3, 3) @ self._sole
            mujoco().mj_jac(self._model, data, rows[first : first + 3], rows[first + 3 : first + 6], point, foot)
            x, y, z = point - data.xpos[1]
            shared[3:, first : first + 3] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
        need = np.append(pushed[:3], data.xmat[1].reshape(3, 3) @ pushed[3:])
        pushes = self._ease * (shared.T @ np.linalg.solve((shared * self._ease) @ shared.T, need))
        moments: Array = pushes @ rows[:, HUMAN.root_dofs :]
        return moments

    def _carried(self, dof: int) -> float:
        """Return half the inertia, about an axis of a leg, of all that both legs carry above that joint."""
        joint = LIMBS[LIMB_OF[dof]]
        below = _below(joint) | _below(mirror_name(joint))
        data, axis = self._data, self._data.cdof[HUMAN.root_dofs + dof, :3]
        anchor = data.xpos[2 + LIMB_OF[dof]]
        total = 0.0
        for s in range(len(HUMAN.segments)):
            if s not in below:
                arm = np.cross(axis, data.xipos[1 + s] - anchor)
                spun = data.ximat[1 + s].reshape(3, 3).T @ axis
                total += self._model.body_inertia[1 + s] @ spun**2 + self._model.body_mass[1 + s] * arm @ arm
        return 0.5 * float(total)


def _below(joint: str) -> set[int]:
    """Return the segments that a joint moves."""
    moved = {LIMBS.index(joint) + 1}
    for s, parent in enumerate(HUMAN.parents):
        if parent in moved:
            moved.add(s)
    return moved
