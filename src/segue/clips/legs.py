"""Legs and feet of the built-in clips: a leg solved in closed form, and feet that roll without sliding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.build import Build
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
    heading = np.broadcast_to(quaternion.exp(np.array([0.0, footprint.turn, 0.0])), (len(pitch), 4))
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
