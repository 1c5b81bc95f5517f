"""What a joint's motors turn and bear: from the angular accelerations that are asked for to torques.

The thesis counts a link's own inertia and weight alone [Lake1990, section 6.2.1.2]. A body with real inertia needs
those of all that a joint moves: so `ChainLoad` takes the mass matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.dance.simulation.classic.limbs import LIMB_OF, LIMBS, Programs
from segue.dance.simulation.course.stands import Foot
from segue.dance.simulation.engine import mujoco
from segue.typing import Array

# A foot pushes rather than turns: a moment counts as much as the push that makes it with an arm of 5 cm, about as far
# as a push can wander under the sole.
_EASE = np.tile([1.0, 1.0, 1.0, 0.05**2, 0.05**2, 0.05**2], 2)


class ChainLoad:
    """Every joint turns and bears all that hangs on it; legs that stand bear all that is above.

    Limbs that move are given what the mass matrix says all joints need for it, so that those that are maintained stay
    where they are. The springs and dampers of these are a joint's own, as flesh is: a push on a forearm bends elbow and
    shoulder, but not the wrist.
    """

    def __init__(self, figure: Figure, model: Any, data: Any, standing: bool) -> None:
        self._model, self._data, self._standing = model, data, standing
        self._matrix = np.zeros((model.nv, model.nv))
        self._legs = np.isin(LIMBS, HUMAN.groups["legs"])[LIMB_OF] & standing
        self._above = np.array([self._carried(dof) if leg else 0.0 for dof, leg in enumerate(self._legs)])
        self._feet = [1 + HUMAN.segments.index(f"{side}_foot") for side in ("left", "right")]
        self._sole = np.array([0.0, -figure.build.sole, Foot.of(figure.build).middle])
        self._shared = np.tile(np.eye(6), 2)  # what pushes and moments (12,) of the feet come to at the pelvis, (6,)
        self._rows = np.zeros((12, model.nv))
        self._left = np.array([joint.startswith("left_") for joint in LIMBS])[LIMB_OF]
        self.stand(0.5)

    def stand(self, left: float) -> None:
        """Let the left leg bear a share of the body, from 0 to 1, and the right the rest; what bears nothing hangs."""
        self._share = np.where(self._left, left, 1.0 - left)
        self._ease = _EASE * np.repeat([2.0 * left, 2.0 * (1.0 - left)], 6)

    def drive(self, asked: Programs) -> Array:
        """Return torques as `Load` says: those at which the body, its pelvis at rest, accelerates as it is asked to."""
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
        """Return the moments (38,) at the joints of the floor's pushes on the soles that hold the pelvis.

        pushed: (6,) what the pelvis needs. Soles that bear share it so that pushes are small, and turning them smaller.
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
