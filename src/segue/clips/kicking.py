"""A kick with the right foot: the thigh is thrown, the shank whips after it, the left foot stands.

The order of things (thigh first, its slowing sends the shank, knee almost straight just after the middle of the forward
swing) follows [Putnam1991]; the angles are our own.
"""

from __future__ import annotations

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure, Poses
from segue.clips.legs import Foot, ankle_from_hip, flat, hip_positions, roll
from segue.clips.posture import Posture, pose, turn_of
from segue.clips.standing import FOOTPRINTS, gesture_posture
from segue.clips.timing import Curve, across, eased, rates
from segue.typing import Array

_DURATION = 2.8
_LEAVES, _LANDS = 0.5, 2.0  # of the right foot, in s
_EASE = (0.12, 0.2)  # s

# departures from standing
_BODY = {
    "root_x": ((0.0, 0.0), (0.5, 0.085), (1.9, 0.085), (2.6, 0.0)),
    "root_y": ((0.0, 0.0), (0.5, -0.02), (0.85, -0.028), (1.12, -0.012), (1.5, -0.02), (2.0, -0.026), (2.6, 0.0)),
    "root_z": ((0.1, 0.0), (0.7, -0.01), (1.1, 0.045), (1.5, 0.03), (2.0, 0.0), (2.6, 0.0)),
    "pelvis_turn": ((0.2, 0.0), (0.78, -14.0), (1.12, 16.0), (1.4, 12.0), (2.1, 0.0)),
    "pelvis_tilt": ((0.2, 0.0), (0.78, 8.0), (1.12, -12.0), (1.45, -8.0), (2.2, 0.0)),
    "pelvis_lean": ((0.1, 0.0), (0.6, 3.0), (1.1, 6.0), (1.9, 3.0), (2.5, 0.0)),
    "torso_turn": ((0.2, 0.0), (0.8, 9.0), (1.14, -16.0), (1.45, -11.0), (2.2, 0.0)),
    "torso_tilt": ((0.2, 0.0), (0.8, 6.0), (1.15, -5.0), (1.45, 0.0), (1.9, 3.0), (2.4, 0.0)),
    "torso_lean": ((0.1, 0.0), (0.6, 2.0), (1.1, 7.0), (1.9, 2.0), (2.5, 0.0)),
    "head_tilt": ((0.0, 0.0), (0.6, 14.0), (1.1, 14.0), (1.7, 3.0), (2.4, 0.0)),
    "head_turn": ((0.1, 0.0), (0.6, -4.0), (1.3, -4.0), (2.2, 0.0)),
    "left_shoulder_flexion": ((0.15, 0.0), (0.8, -32.0), (1.16, 46.0), (1.45, 36.0), (2.3, 0.0)),
    "left_shoulder_abduction": ((0.1, 0.0), (0.7, 44.0), (1.16, 30.0), (1.5, 26.0), (2.4, 0.0)),
    "left_elbow_flexion": ((0.1, 0.0), (0.75, 14.0), (1.2, 32.0), (1.6, 26.0), (2.5, 0.0)),
    "right_shoulder_flexion": ((0.2, 0.0), (0.8, 26.0), (1.18, -38.0), (1.5, -28.0), (2.4, 0.0)),
    "right_shoulder_abduction": ((0.2, 0.0), (0.8, 16.0), (1.18, 28.0), (1.6, 20.0), (2.5, 0.0)),
    "right_elbow_flexion": ((0.2, 0.0), (0.8, 34.0), (1.2, 12.0), (1.6, 18.0), (2.5, 0.0)),
}

# the right leg in the air, in degrees: thigh forward of the vertical, knee bent, foot pointing up against the floor
_THIGH = ((0.3, 4.0), (0.5, 24.0), (0.82, -24.0), (1.02, 36.0), (1.16, 66.0), (1.34, 69.0), (1.7, 36.0), (2.0, 15.0))
_KNEE = (
    *((0.3, 10.0), (0.5, 47.0), (0.84, 92.0), (0.95, 88.0), (1.13, 24.0), (1.22, 20.0), (1.5, 54.0), (1.75, 48.0)),
    *((2.0, 31.0),),
)
_FOOT = (
    *((0.2, 0.0), (0.5, -34.0), (0.84, -120.0), (0.96, -92.0), (1.14, 14.0), (1.3, 22.0), (1.6, -24.0), (2.0, -20.0)),
    *((2.3, 0.0),),
)
_TOES = (
    *((0.38, 0.0), (0.5, -10.0), (0.84, -112.0), (0.96, -86.0), (1.14, 10.0), (1.3, 20.0), (1.6, -8.0), (1.9, 0.0)),
)


def kick(figure: Figure, fps: float) -> Poses:
    """Return one kick, from standing to standing."""
    times = np.arange(round(_DURATION * fps) + 1) / fps
    return pose(figure, _posture(figure, times))


def _posture(figure: Figure, times: Array) -> Posture:
    feet = {
        "left": flat(figure.build, FOOTPRINTS["left"], len(times)),
        "right": _kicking(figure, times),
    }
    return gesture_posture(figure, times, _BODY, feet)


def _kicking(figure: Figure, times: Array) -> Foot:
    """Return the right foot: rolled on its toes off the floor, thrown, and set down again toes first."""
    build = figure.build
    standing = _on_floor(build, times)
    guide = _guide(figure)

    def ankle(at: Array) -> Array:
        return _on_floor(build, at).ankle

    air = (times > _LEAVES) & (times < _LANDS)
    path = across(guide, (_LEAVES, rates(ankle, _LEAVES)), (_LANDS, rates(ankle, _LANDS)), _EASE)
    places = np.where(air[:, None], path(np.clip(times, _LEAVES, _LANDS)), standing.ankle)
    return Foot(places, standing.turn, standing.toe)


def _on_floor(build: Build, times: Array) -> Foot:
    return roll(build, FOOTPRINTS["right"], np.radians(eased(_FOOT, times)), np.radians(eased(_TOES, times)))


def _guide(figure: Figure) -> Curve:
    """Return where thigh and knee would carry the ankle, (T, 3), over time."""
    build = figure.build

    def ankle(times: Array) -> Array:
        body = gesture_posture(figure, times, _BODY, {})
        hip = hip_positions(build, "right", body.root, turn_of("pelvis", body.angles))
        leg = ankle_from_hip(build, eased(_THIGH, times), eased(_KNEE, times))
        place: Array = hip + np.concatenate([np.zeros((len(times), 1)), leg], axis=1)
        return place

    return ankle
