"""What was noted down of a body under the thesis's motor control, and how still it stood and how hard it worked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.simulation.classic.limbs import LIMBS, limb_lengths
from segue.dance.simulation.model import joint_strengths
from segue.motion.motion import Motion
from segue.motion.tracks import poses_of
from segue.typing import Array

_TRUNK = ("pelvis", "torso", "head")
_FEET = ("left_foot", "right_foot")


@dataclass(frozen=True)
class Drift:
    """How far a body strayed from where it began: its pelvis in m, trunk and head in rad, and its feet in m."""

    pelvis: float
    turn: float
    feet: float


@dataclass(frozen=True, eq=False)
class Record:
    """A body at T times, `fps` a second.

    positions: (T, 51) the engine's. errors: (T, 38) rad, the rotation from each limb to its goal, along its motors'
    axes. desired: (T, 18) rad, how far each limb was to be from its goal. torques: (T, 38) N m, springs and dampers.
    outside: (T,) N m, the torque on the upper body that no joint gave; NaN where the pelvis was held.
    """

    figure: Figure
    fps: float
    positions: Array
    errors: Array
    desired: Array
    torques: Array
    outside: Array

    @property
    def times(self) -> Array:
        """Times of the frames, s."""
        times: Array = np.arange(len(self.positions)) / self.fps
        return times

    @cached_property
    def poses(self) -> Poses:
        """The figure's poses."""
        return poses_of(self.positions)

    @cached_property
    def motion(self) -> Motion:
        """What the body did as a motion of the figure, which composes with any other."""
        return Motion.from_poses(self.figure, self.poses, self.fps)

    @cached_property
    def angles(self) -> Array:
        """The angle from each limb to its goal, (T, 18) in rad, in the order of `LIMBS`."""
        return limb_lengths(self.errors)

    @cached_property
    def efforts(self) -> dict[str, float]:
        """The largest torque of each limb as a share of its strength."""
        shares = limb_lengths(self.torques) / joint_strengths(self.figure)
        return dict(zip(LIMBS, shares.max(axis=0).tolist(), strict=True))

    @property
    def hardest(self) -> tuple[str, float]:
        """The limb that worked hardest, and the share of its strength that it used."""
        return max(self.efforts.items(), key=lambda item: item[1])

    @cached_property
    def drift(self) -> Drift:
        """How far the body strayed from where it began."""
        places, turns = self.figure.forward(self.poses)
        trunk, feet = ([HUMAN.segments.index(name) for name in names] for names in (_TRUNK, _FEET))
        strayed = np.linalg.norm(places - places[0], axis=2).max(axis=0)
        turned = quaternion.angle_between(np.broadcast_to(turns[:1], turns.shape), turns).max(axis=0)
        return Drift(float(strayed[0]), float(turned[trunk].max()), float(strayed[feet].max()))
