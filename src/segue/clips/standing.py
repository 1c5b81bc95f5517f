"""Standing at ease, breathing, and every gesture as keyed departures from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure, Poses
from segue.clips.feet import Foot, Footprint, flat
from segue.clips.posture import BODY, SIDES, Posture, pose
from segue.clips.timing import eased
from segue.curves.quaternion import Array

__all__ = ["FOOTPRINTS", "Gesture", "Keys", "act", "gesture_posture", "stand"]

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
    """A gesture of so many seconds, as departures from standing."""

    duration: float
    keys: Keys


def stand(figure: Figure, fps: float) -> Poses:
    """Return one breath of quiet standing; the end meets the start."""
    return act(figure, fps, Gesture(_BREATH, {}))


def act(figure: Figure, fps: float, gesture: Gesture) -> Poses:
    """Return a gesture on two planted feet."""
    times = np.arange(round(gesture.duration * fps) + 1) / fps
    planted = {side: flat(figure.build, print_, len(times)) for side, print_ in FOOTPRINTS.items()}
    return pose(figure, gesture_posture(figure, times, gesture.keys, planted))


def gesture_posture(figure: Figure, times: Array, keys: Keys, feet: Mapping[str, Foot]) -> Posture:
    """Return the posture at times (T,): standing, breathing, and what the keys add."""
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
    """Return the root's height at which the knees are a little bent."""
    reach2 = build.thigh**2 + build.shank**2 + 2 * build.thigh * build.shank * np.cos(_KNEE)
    ankle = flat(build, FOOTPRINTS["left"], 1).ankle[0]
    return float(ankle[1] + np.sqrt(reach2 - (ankle[0] - build.half_hip) ** 2 - ankle[2] ** 2))


def _live(times: Array, root: Array, angles: dict[str, Array]) -> None:
    """Add what a body at rest never stops doing: it breathes, and its weight goes from one foot to the other."""
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
