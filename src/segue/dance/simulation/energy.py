"""Energy and momentum of a simulated dance over time, and the work of its joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from segue.body.human import HUMAN
from segue.dance.body.momentum import SegmentMotion
from segue.dance.simulation.model import SHOD, shoe_inertia
from segue.dance.simulation.result import SimulatedDance
from segue.errors import ArgumentError
from segue.typing import Array

_MOMENT = 1e-4  # s to either side, for finite differences


@dataclass(frozen=True, eq=False)
class Energetics:
    """Energy, work and momentum of a body at T times.

    kinetic, potential: (T,) J; potential energy is zero on the floor. work: (T,) J by joint, work of its torques since
    the beginning, negative where they brake. momentum: (T, 3) N s. angular_momentum: (T, 3) N m s, about the centre of
    mass. unexplained: (T,) N, as in `SimulatedDance`.
    """

    times: Array
    kinetic: Array
    potential: Array
    work: Mapping[str, Array]
    momentum: Array
    angular_momentum: Array
    unexplained: Array

    @property
    def mechanical(self) -> Array:
        """Kinetic and potential energy together, (T,) J."""
        return self.kinetic + self.potential

    @property
    def whole_work(self) -> Array:
        """The work of all joints since the beginning, (T,) J."""
        whole: Array = np.sum(list(self.work.values()), axis=0)
        return whole

    @property
    def lost(self) -> Array:
        """Work of the joints less the gain in energy, (T,) J: taken by floor, ligaments, joint stops and pushes."""
        lost: Array = self.whole_work - (self.mechanical - self.mechanical[0])
        return lost

    @property
    def power(self) -> Mapping[str, Array]:
        """The power of each joint, (T,) W."""
        return {joint: np.asarray(np.gradient(work, self.times)) for joint, work in self.work.items()}


def energetics(dance: SimulatedDance) -> Energetics:
    """Return energy and momentum of a dance, from its positions, and the work of its joints.

    Shoes count as in the engine: as inertia about the axes of ankles and toe joints.
    """
    if len(dance.positions) < 2:
        raise ArgumentError(f"the dance has {len(dance.positions)} frames: energy needs at least 2")
    motion, figure, times = dance.motion, dance.plan.figure, dance.times
    first, last = np.maximum(times - _MOMENT, times[0]), np.minimum(times + _MOMENT, times[-1])
    before, now, after = (motion.at(moments) for moments in (first, times, last))
    moving = SegmentMotion.between(figure, before, now, after, last - first)
    shod = [h for h, s in enumerate(HUMAN.hinge_segments) if HUMAN.joints[s].name.endswith(SHOD)]
    rates = (after.hinges - before.hinges)[:, shod] / (last - first)[:, None]
    work = np.add.reduceat(dance.work, [span.start - HUMAN.root_dofs for span in HUMAN.joint_dofs[1:]], axis=1)
    return Energetics(
        times,
        moving.kinetic + 0.5 * shoe_inertia(figure) * (rates**2).sum(axis=1),
        figure.mass * dance.environment.gravity * moving.centre[:, 1],
        dict(zip(HUMAN.joint_names[1:], work.T, strict=True)),
        moving.momentum,
        moving.angular_momentum,
        dance.unexplained,
    )
