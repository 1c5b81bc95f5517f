"""From anatomical angles and feet to poses of the figure. The legs follow by inverse kinematics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Leg:
    """Joint values of one leg over frames: hip (T, 4), knee, ankle_flexion and ankle_inversion (T,) in radians."""

    hip: Array
    knee: Array
    ankle_flexion: Array
    ankle_inversion: Array


def hip_positions(build: Build, side: str, root: Array, pelvis: Array) -> Array:
    """Return the hip joint's world positions (T, 3) under a pelvis at root (T, 3), turned (T, 4)."""
    out = build.half_hip if side == "left" else -build.half_hip
    return root + quaternion.rotate(pelvis, np.array([out, 0.0, 0.0]))


def ankle_from_hip(build: Build, thigh_deg: Array, knee_deg: Array) -> Array:
    """Return the ankle relative to the hip, for a leg in its sagittal plane, (T, 2) up and forward in metres.

    thigh_deg: (T,) forward of the vertical. knee_deg: (T,) of flexion.
    """
    upper = np.radians(thigh_deg)
    lower = upper - np.radians(knee_deg)
    up = -build.thigh * np.cos(upper) - build.shank * np.cos(lower)
    forward = build.thigh * np.sin(upper) + build.shank * np.sin(lower)
    return np.stack([up, forward], axis=1)


def solve_leg(build: Build, side: str, root: Array, pelvis: Array, ankle: Array, foot: Array) -> Leg:
    """Return the leg that puts the ankle at given positions (T, 3) with the foot turned as given (T, 4).

    The distance from hip to ankle gives the knee. The hip seen from the foot must then lie in the shank's own sagittal
    plane, which gives the inversion, and at the angle of the bent leg, which gives the flexion. The rest is the hip's
    rotation. The knee bends forwards and the smaller inversion is taken, so smooth input gives smooth angles.
    """
    reach = hip_positions(build, side, root, pelvis) - ankle
    distance = np.linalg.norm(reach, axis=-1)
    longest = build.thigh + build.shank
    assert distance.max() < longest, f"the {side} ankle is {distance.max() - longest:.4f} m out of the leg's reach"
    inner = (build.thigh**2 + build.shank**2 - distance**2) / (2 * build.thigh * build.shank)
    knee = np.pi - np.arccos(inner)

    axis = np.array(HUMAN[f"{side}_foot"].hinges[1].axis)
    seen = quaternion.rotate(quaternion.conjugate(foot), reach)
    inversion = np.arctan(-seen[:, 0] / (axis[1] * seen[:, 2] - axis[2] * seen[:, 1]))
    inverted = quaternion.exp(inversion[:, None] * axis)
    level = quaternion.rotate(inverted, seen)
    bent = np.arctan2(-build.thigh * np.sin(knee), build.shank + build.thigh * np.cos(knee))
    flexion = np.arctan2(level[:, 2], level[:, 1]) - bent

    ankle_turn = quaternion.multiply(_about_x(-flexion), inverted)
    shank = quaternion.multiply(foot, quaternion.conjugate(ankle_turn))
    thigh = quaternion.multiply(shank, _about_x(-knee))
    hip = quaternion.multiply(quaternion.conjugate(pelvis), thigh)
    return Leg(hip, knee, flexion, inversion)


def _about_x(angle: Array) -> Array:
    return quaternion.exp(angle[:, None] * np.array([1.0, 0.0, 0.0]))


@dataclass(frozen=True)
class Footprint:
    """A foot on the floor: position of its ball in metres, and the angle of the toes outwards in radians."""

    x: float
    z: float
    turn: float


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot over frames: ankle (T, 3), turn (T, 4) of the foot's segment, toe (T,) extension of the toes."""

    ankle: Array
    turn: Array
    toe: Array


def roll(build: Build, footprint: Footprint, pitch: Array, toes: Array) -> Foot:
    """Return a foot that rolls on its footprint. pitch, toes: (T,) of the foot and of its toes in radians, up positive.

    The foot turns about the heel while it points up, about the toe joint while it points down with flat toes, and about
    the tip of the toes while they point down too. If the pitches and their first two derivatives are zero where these
    phases meet, the ankle's path is C2.
    """
    heading = np.broadcast_to(quaternion.about_up(footprint.turn), (len(pitch), 4))
    place = np.array([footprint.x, 0.0, footprint.z])
    joint_height = build.sole + build.toe[1]
    on_heel = _turned(pitch, np.array([0.0, build.sole, build.heel])) - np.array([0.0, 0.0, build.toe[2] + build.heel])
    tip_to_joint = np.array([0.0, joint_height, -build.toes])
    on_toes = (
        np.array([0.0, 0.0, build.toes]) + _turned(np.minimum(toes, 0.0), tip_to_joint) + _turned(pitch, -build.toe)
    )
    ankle = place + quaternion.rotate(heading, np.where((pitch > 0)[:, None], on_heel, on_toes))
    turn = quaternion.multiply(heading, _pitched(pitch))
    return Foot(ankle, turn, toes - pitch)


def flat(build: Build, footprint: Footprint, frames: int) -> Foot:
    """Return a foot that stands still with a flat sole."""
    return roll(build, footprint, np.zeros(frames), np.zeros(frames))


def _pitched(pitch: Array) -> Array:
    return quaternion.exp(-pitch[:, None] * np.array([1.0, 0.0, 0.0]))


def _turned(pitch: Array, vector: Array) -> Array:
    return quaternion.rotate(_pitched(pitch), np.broadcast_to(vector, (len(pitch), 3)))


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
