"""From anatomical angles and feet to poses of the figure. The legs follow by inverse kinematics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.clips.legs import Foot, solve_leg
from segue.curves import quaternion
from segue.typing import Array

SIDES = {"left": 1.0, "right": -1.0}

BODY = tuple(f"{part}_{angle}" for part in ("pelvis", "torso", "head") for angle in ("turn", "lean", "tilt"))
"""Angles of the trunk against the world: turned left, leaning left, tilted forward are positive."""

ARM = (
    "clavicle_elevation",
    "clavicle_protraction",
    "shoulder_flexion",
    "shoulder_abduction",
    "shoulder_rotation",
    "elbow_flexion",
    "forearm_pronation",
    "wrist_flexion",
    "wrist_deviation",
)
"""Angles of an arm from hanging straight down, palm inwards; abducted then flexed, inward rotation is positive."""


@dataclass(frozen=True, eq=False)
class Posture:
    """Angles and feet that determine the pose over T frames.

    root: (T, 3) in metres. angles: (T,) in degrees by name, from `BODY` and, after "left_" or "right_", from `ARM`;
    an absent angle is zero. feet: left and right.
    """

    root: Array
    feet: Mapping[str, Foot]
    angles: Mapping[str, Array] = field(default_factory=dict)

    def angle(self, name: str) -> Array:
        """Return an angle in radians, (T,)."""
        return np.radians(self.angles[name]) if name in self.angles else np.zeros(len(self.root))


def turn_of(part: str, angles: Mapping[str, Array]) -> Array:
    """Return the world rotation (T, 4) of "pelvis", "torso" or "head" from angles in degrees."""
    turn, lean, tilt = (np.radians(angles[f"{part}_{angle}"]) for angle in ("turn", "lean", "tilt"))
    return quaternion.from_euler("YZX", np.stack([turn, -lean, tilt], axis=1))


def pose(figure: Figure, posture: Posture) -> Poses:
    """Return the figure's poses; ankle, knee and hip follow from pelvis and feet."""
    poses = Poses.zero(len(posture.root))
    poses.root[:] = posture.root
    pelvis, torso, head = (turn_of(part, posture.angles) for part in ("pelvis", "torso", "head"))
    poses.ball("root")[:] = pelvis
    poses.ball("lower_back")[:] = quaternion.multiply(quaternion.conjugate(pelvis), torso)
    poses.ball("neck")[:] = quaternion.multiply(quaternion.conjugate(torso), head)
    for side, sign in SIDES.items():
        poses.ball(f"{side}_shoulder")[:] = _shoulder(posture, side, sign)
        for name in ARM:
            if f"{side}_{name}" in HUMAN.hinge_names:
                poses.hinge(f"{side}_{name}")[:] = posture.angle(f"{side}_{name}")
        foot = posture.feet[side]
        leg = solve_leg(figure.build, side, poses.root, pelvis, foot.ankle, foot.turn)
        poses.ball(f"{side}_hip")[:] = leg.hip
        poses.hinge(f"{side}_knee_flexion")[:] = leg.knee
        poses.hinge(f"{side}_ankle_flexion")[:] = leg.ankle_flexion
        poses.hinge(f"{side}_ankle_inversion")[:] = leg.ankle_inversion
        poses.hinge(f"{side}_toe_extension")[:] = foot.toe
    return Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)


def _shoulder(posture: Posture, side: str, sign: float) -> Array:
    """Return the shoulder's rotation from its T pose: turned about the bone, hung and abducted, then flexed."""
    flexion, abduction, rotation = (posture.angle(f"{side}_shoulder_{a}") for a in ("flexion", "abduction", "rotation"))
    return quaternion.from_euler("XZX", np.stack([-flexion, sign * (abduction - np.pi / 2), rotation], axis=1))
