"""Standing, breathing, gestures on two planted feet (wave, salute, reach), and a kick.

A gesture is a table of (time in s, departure from standing in degrees or metres). In each gesture the weight shifts
first, then trunk and head follow. The forearm arrives after the upper arm, and the wrist last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure, Poses
from segue.clips.gait import Curve, across, eased, rates
from segue.clips.posture import (
    BODY,
    SIDES,
    Foot,
    Footprint,
    Posture,
    ankle_from_hip,
    flat,
    hip_positions,
    pose,
    roll,
    turn_of,
)
from segue.typing import Array

Keys = Mapping[str, Sequence[tuple[float, float]]]
"""(time in s, departure from standing) by channel: degrees for angles, metres for "root_x", "root_y", "root_z"."""

FOOTPRINTS = MappingProxyType({side: Footprint(sign * 0.085, 0.088, sign * 0.15) for side, sign in SIDES.items()})

_KNEE = np.radians(9.0)
_TRUNK = {"pelvis_tilt": 2.0, "torso_tilt": 1.0, "head_tilt": 3.0}
_ARM = {
    "clavicle_elevation": -4.0,
    "shoulder_flexion": 1.0,
    "shoulder_abduction": 8.0,
    "shoulder_rotation": 14.0,
    "elbow_flexion": 16.0,
    "forearm_pronation": 20.0,
    "wrist_flexion": 4.0,
}
_BREATH = 4.0  # seconds, in and out
_SHIFT = 0.008  # of the weight from foot to foot, in metres


@dataclass(frozen=True)
class Gesture:
    """A gesture as departures from standing. duration: in s."""

    duration: float
    keys: Keys


def stand(figure: Figure, fps: float) -> Poses:
    """Return one breath of quiet standing. The last pose is the first."""
    return act(figure, fps, Gesture(_BREATH, {}))


def act(figure: Figure, fps: float, gesture: Gesture) -> Poses:
    """Return a gesture on two planted feet."""
    times = np.arange(round(gesture.duration * fps) + 1) / fps
    planted = {side: flat(figure.build, print_, len(times)) for side, print_ in FOOTPRINTS.items()}
    return pose(figure, gesture_posture(figure, times, gesture.keys, planted))


def gesture_posture(figure: Figure, times: Array, keys: Keys, feet: Mapping[str, Foot]) -> Posture:
    """Return the posture at times (T,): standing and breathing, plus the keyed departures."""
    angles = {name: np.full(len(times), _TRUNK.get(name, 0.0)) for name in BODY}
    for side in SIDES:
        angles |= {f"{side}_{name}": np.full(len(times), degrees) for name, degrees in _ARM.items()}
    root = np.tile([0.0, _standing_height(figure.build), 0.0], (len(times), 1))
    _live(times, root, angles)
    for name, channel in keys.items():
        change = eased(channel, times)
        if name.startswith("root_"):
            root[:, "xyz".index(name[-1])] += change
        else:
            angles[name] = angles.get(name, 0.0) + change
    return Posture(root, feet, angles)


def _standing_height(build: Build) -> float:
    """Return the height of the root for slightly bent knees."""
    reach2 = build.thigh**2 + build.shank**2 + 2 * build.thigh * build.shank * np.cos(_KNEE)
    ankle = flat(build, FOOTPRINTS["left"], 1).ankle[0]
    return float(ankle[1] + np.sqrt(reach2 - (ankle[0] - build.half_hip) ** 2 - ankle[2] ** 2))


def _live(times: Array, root: Array, angles: dict[str, Array]) -> None:
    """Add breathing, and a slow shift of the weight from foot to foot."""
    breath = 0.5 - 0.5 * np.cos(2 * np.pi * times / _BREATH)
    shift = np.sin(2 * np.pi * times / _BREATH)
    root[:, 0] += _SHIFT * shift
    root[:, 2] += 0.5 * _SHIFT * np.sin(4 * np.pi * times / _BREATH)
    angles["pelvis_lean"] += 0.8 * shift
    angles["pelvis_turn"] += 0.6 * shift
    angles["torso_lean"] -= 0.5 * shift
    angles["torso_tilt"] -= 1.2 * breath
    angles["head_tilt"] -= 0.8 * breath
    angles["head_turn"] += 1.5 * shift
    for side, sign in SIDES.items():
        angles[f"{side}_clavicle_elevation"] += 1.8 * breath
        angles[f"{side}_shoulder_abduction"] += 1.0 * breath
        angles[f"{side}_shoulder_flexion"] += 0.8 * sign * shift - 0.6 * breath
        angles[f"{side}_elbow_flexion"] += 1.2 * breath


WAVE = Gesture(
    3.2,
    {
        "root_x": ((0.1, 0.0), (0.8, 0.018), (2.2, 0.018), (3.0, 0.0)),
        "root_y": ((0.0, 0.0), (0.3, -0.006), (0.8, -0.002), (2.2, -0.002), (2.6, -0.005), (3.0, 0.0)),
        "pelvis_lean": ((0.1, 0.0), (0.8, 1.5), (2.2, 1.5), (3.0, 0.0)),
        "torso_lean": ((0.15, 0.0), (0.3, -1.0), (0.95, 4.0), (2.1, 4.0), (2.9, 0.0)),
        "torso_turn": ((0.15, 0.0), (0.35, -2.5), (0.95, 4.0), (2.1, 4.0), (2.9, 0.0)),
        "head_turn": ((0.1, 0.0), (0.7, -5.0), (2.2, -5.0), (2.9, 0.0)),
        "head_lean": ((0.3, 0.0), (1.0, -4.0), (2.1, -4.0), (2.9, 0.0)),
        "head_tilt": ((0.3, 0.0), (0.9, -3.0), (2.1, -3.0), (2.8, 0.0)),
        "right_clavicle_elevation": ((0.2, 0.0), (0.9, 14.0), (2.1, 14.0), (2.8, 0.0)),
        "right_shoulder_flexion": (
            (0.1, 0.0),
            (0.25, -4.0),
            (0.6, 30.0),
            (0.95, 22.0),
            (2.1, 22.0),
            (2.45, 26.0),
            (2.9, 0.0),
        ),
        "right_shoulder_abduction": ((0.15, 0.0), (0.95, 64.0), (2.1, 64.0), (2.85, 0.0)),
        "right_shoulder_rotation": ((0.15, 0.0), (0.95, -92.0), (2.15, -92.0), (2.5, -58.0), (3.0, 0.0)),
        "right_elbow_flexion": (
            *((0.15, 0.0), (0.75, 95.0), (1.02, 58.0), (1.25, 92.0), (1.48, 54.0), (1.71, 92.0), (1.94, 56.0)),
            *((2.15, 74.0), (2.5, 30.0), (2.9, 0.0)),
        ),
        "right_forearm_pronation": ((0.2, 0.0), (0.9, -12.0), (2.1, -12.0), (2.8, 0.0)),
        "right_wrist_flexion": ((0.2, 0.0), (0.6, 14.0), (0.95, -14.0), (2.1, -14.0), (2.45, 18.0), (3.0, 0.0)),
        "right_wrist_deviation": (
            *(
                (0.7, 0.0),
                (0.86, -7.0),
                (1.1, 11.0),
                (1.33, -11.0),
                (1.56, 11.0),
                (1.79, -11.0),
                (2.02, 10.0),
                (2.3, 0.0),
            ),
        ),
        "left_shoulder_flexion": ((0.3, 0.0), (1.0, -3.0), (2.1, -3.0), (2.9, 0.0)),
        "left_shoulder_abduction": ((0.3, 0.0), (1.0, 4.0), (2.1, 4.0), (2.9, 0.0)),
        "left_elbow_flexion": ((0.3, 0.0), (1.05, 6.0), (2.1, 6.0), (2.95, 0.0)),
    },
)

SALUTE = Gesture(
    3.0,
    {
        "root_y": ((0.0, 0.0), (0.4, 0.001), (2.2, 0.001), (2.8, 0.0)),
        "pelvis_tilt": ((0.05, 0.0), (0.5, -2.0), (2.1, -2.0), (2.8, 0.0)),
        "torso_tilt": ((0.05, 0.0), (0.55, -3.5), (2.1, -3.5), (2.8, 0.0)),
        "head_tilt": ((0.05, 0.0), (0.5, -4.0), (2.1, -4.0), (2.75, 0.0)),
        "right_clavicle_elevation": ((0.15, 0.0), (0.7, 14.0), (1.9, 14.0), (2.5, 0.0)),
        "right_shoulder_flexion": ((0.15, 0.0), (0.7, 55.5), (1.9, 55.5), (2.5, 0.0)),
        "right_shoulder_abduction": ((0.1, 0.0), (0.6, 52.0), (1.95, 52.0), (2.65, 0.0)),
        # turned out on the way up and down, so that the forearm passes beside the chest and not across it
        "right_shoulder_rotation": (
            (0.12, 0.0),
            (0.45, -38.0),
            (0.76, -10.5),
            (1.88, -10.5),
            (2.2, -38.0),
            (2.65, 0.0),
        ),
        "right_elbow_flexion": ((0.2, 0.0), (0.8, 132.5), (1.86, 132.5), (2.5, 0.0)),
        "right_forearm_pronation": ((0.2, 0.0), (0.8, -28.0), (1.9, -28.0), (2.5, 0.0)),
        "right_wrist_flexion": ((0.25, 0.0), (0.6, 5.0), (0.85, -4.0), (1.9, -4.0), (2.2, 8.0), (2.65, 0.0)),
        "left_shoulder_abduction": ((0.1, 0.0), (0.5, -3.0), (2.0, -3.0), (2.7, 0.0)),
        "left_elbow_flexion": ((0.1, 0.0), (0.5, -10.0), (2.0, -10.0), (2.7, 0.0)),
        "left_wrist_flexion": ((0.1, 0.0), (0.5, -4.0), (2.0, -4.0), (2.7, 0.0)),
    },
)

REACH = Gesture(
    3.2,
    {
        "root_x": ((0.1, 0.0), (1.1, -0.02), (1.7, -0.02), (2.8, 0.0)),
        "root_y": ((0.1, 0.0), (1.25, -0.075), (1.6, -0.075), (2.8, 0.0)),
        "root_z": ((0.1, 0.0), (1.25, -0.06), (1.6, -0.06), (2.8, 0.0)),
        "pelvis_tilt": ((0.1, 0.0), (1.25, 24.0), (1.6, 24.0), (2.75, 0.0)),
        "pelvis_turn": ((0.15, 0.0), (1.25, 5.0), (1.6, 5.0), (2.8, 0.0)),
        "torso_tilt": ((0.15, 0.0), (1.3, 42.0), (1.65, 42.0), (2.85, 0.0)),
        "torso_turn": ((0.15, 0.0), (1.3, 13.0), (1.65, 13.0), (2.85, 0.0)),
        "head_tilt": ((0.0, 0.0), (0.5, 16.0), (1.3, 34.0), (1.75, 34.0), (2.8, 0.0)),
        "head_turn": ((0.0, 0.0), (0.4, -6.0), (1.6, -4.0), (2.6, 0.0)),
        "right_clavicle_protraction": ((0.3, 0.0), (1.3, 12.0), (1.65, 12.0), (2.6, 0.0)),
        "right_shoulder_flexion": ((0.2, 0.0), (0.4, -3.0), (1.3, 64.0), (1.65, 64.0), (2.3, 30.0), (2.9, 0.0)),
        "right_shoulder_abduction": ((0.2, 0.0), (1.3, 4.0), (1.65, 4.0), (2.8, 0.0)),
        "right_shoulder_rotation": ((0.2, 0.0), (1.3, 2.0), (1.65, 2.0), (2.8, 0.0)),
        "right_elbow_flexion": ((0.2, 0.0), (0.75, 44.0), (1.35, 8.0), (1.65, 8.0), (2.2, 50.0), (2.95, 0.0)),
        "right_forearm_pronation": ((0.2, 0.0), (1.2, 30.0), (1.65, 30.0), (2.8, 0.0)),
        "right_wrist_flexion": ((0.3, 0.0), (0.9, 10.0), (1.35, -16.0), (1.65, -10.0), (2.2, 6.0), (2.9, 0.0)),
        "left_shoulder_flexion": ((0.2, 0.0), (1.3, 2.0), (1.65, 2.0), (2.9, 0.0)),
        "left_shoulder_abduction": ((0.2, 0.0), (1.3, 12.0), (1.65, 12.0), (2.9, 0.0)),
        "left_elbow_flexion": ((0.3, 0.0), (1.4, 16.0), (1.7, 16.0), (2.95, 0.0)),
    },
)


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
_KICK_KNEE = (
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
        leg = ankle_from_hip(build, eased(_THIGH, times), eased(_KICK_KNEE, times))
        place: Array = hip + np.concatenate([np.zeros((len(times), 1)), leg], axis=1)
        return place

    return ankle
