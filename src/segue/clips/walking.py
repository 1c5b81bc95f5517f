"""Walking at a natural pace: three strides after the curves of normal gait.

The thigh follows the mean hip curve of [Kadaba1990] less the pelvis's mean tilt, the knee that of [Winter1991] for
natural cadence, at every twentieth of the cycle. The tables keep the shape and the extremes of those curves; they are
no transcription and were not compared number by number. The foot's pitch against the floor is what thigh, knee and
Winter's ankle add up to, zero while the sole is flat, and a little more upwards before the strike. Pelvis
and trunk follow the ranges and phases of [Kadaba1990] and [PerryBurnfield2010], the arms those of [Murray1967].
"""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.clips.gait import Curve, FootPitch, Gait, cosine, feet, from_origin, stance_samples
from segue.clips.posture import Posture, pose, turn_of
from segue.typing import Array

WALK = Gait(
    period=64 / 60,
    stance=0.61,
    thigh=(
        *(24.5, 24, 22, 17.5, 12, 6.5, 1, -4.5, -9.5, -14),
        *(-17, -17, -11.5, -2.5, 7.5, 16.5, 23, 26, 26.5, 25.5),
    ),
    knee=(
        *(4, 11, 17, 19.5, 18.5, 15.5, 12, 9.5, 8, 10),
        *(17, 28.5, 42.5, 56, 64, 63.5, 55, 40, 22.5, 7),
    ),
    foot=FootPitch(
        landing=(20, 8.5),
        flat_from=0.098,
        flat_until=0.31,
        lifting=(
            *((0.40, -4.5), (0.45, -11), (0.50, -22), (0.55, -38), (0.60, -57), (0.65, -68)),
            *((0.70, -61), (0.75, -44), (0.80, -25), (0.85, -7), (0.90, 11), (0.95, 25)),
        ),
        strike_rate=-395.0,
    ),
    toes=FootPitch(
        landing=(26, 11),
        flat_from=0.098,
        flat_until=0.53,
        lifting=((0.57, -6), (0.61, -28), (0.66, -55), (0.70, -53), (0.75, -37), (0.80, -16), (0.88, 14), (0.95, 31)),
        strike_rate=-430.0,
    ),
    half_width=0.052,
    toe_out=6.0,
    ease=(0.042, 0.075),
    clearance=0.032,
)

_STRIDES = 3
_START = 0.15  # of the cycle: on the left leg, the right one swinging past
_SWAY = 0.02  # of the pelvis to the side of the standing leg, in metres
_BOB = 0.0148  # of the pelvis up and down, in metres
_LOWEST = 0.01  # of the cycle: just after foot strike, both feet on the floor

# In the tables the heel strikes in full flight. Ours comes to rest as it meets the floor, a little early, when the hips
# are further behind: so the stride is shorter and the hips are lower and further forward than the tables alone give,
# by as much as keeps the knee from ever being quite straight.
_STRIDE_KEPT = 0.958
_LOWER = 0.001  # metres
_FORWARD = 0.032  # metres


def walk(figure: Figure, fps: float) -> Poses:
    """Return three strides along +Z."""
    frames = round(_STRIDES * WALK.period * fps) + 1
    cycles = _START + np.arange(frames) / (fps * WALK.period)
    stride, root = _root(figure)
    both = feet(figure.build, WALK, stride, root, _pelvis, cycles)
    return from_origin(pose(figure, Posture(root(cycles), both, _angles(cycles))))


def _pelvis(cycles: Array) -> Array:
    return turn_of("pelvis", _angles(cycles))


def _root(figure: Figure) -> tuple[float, Curve]:
    """Return the stride in metres and the root's path (T, 3) over time in cycles.

    Height, stride and place are those that best keep the tables' standing leg, by least squares.
    """
    phase, seen = stance_samples(figure.build, WALK, _pelvis, 100)
    height = float(np.mean(seen[:, 0] - _bob(phase))) - _LOWER
    stride, ahead = np.polyfit(phase, seen[:, 1], 1) * np.array([_STRIDE_KEPT, 1.0])

    def root(cycles: Array) -> Array:
        advance = ahead + _FORWARD + stride * cycles
        return np.stack([cosine(cycles, 0.0, _SWAY, 0.29), height + _bob(cycles), advance], axis=1)

    return float(stride), root


def _bob(cycles: Array) -> Array:
    return cosine(cycles, 0.0, -_BOB, _LOWEST, times=2)


def _angles(cycles: Array) -> dict[str, Array]:
    """Return the trunk's and the arms' angles in degrees; the left foot strikes at whole cycles."""
    angles = {
        # the hip of the leading leg comes forward, the shoulder of that side goes back, the head looks ahead
        "pelvis_turn": cosine(cycles, 0.0, -4.5, 0.03),
        "pelvis_lean": cosine(cycles, 0.0, -4.0, 0.14),
        "pelvis_tilt": cosine(cycles, 3.0, 0.8, 0.05, times=2),
        "torso_turn": cosine(cycles, 0.0, 5.0, 0.05),
        "torso_lean": cosine(cycles, 0.0, 1.2, 0.25),
        "torso_tilt": cosine(cycles, 2.5, 1.0, 0.08, times=2),
        "head_turn": cosine(cycles, 0.0, 0.8, 0.1),
        "head_lean": cosine(cycles, 0.0, 0.5, 0.3),
        "head_tilt": cosine(cycles, 3.0, -1.0, 0.12, times=2),
    }
    for side, later in (("left", 0.0), ("right", 0.5)):
        own = cycles + later
        arm = {
            "clavicle_elevation": cosine(own, -3.0, 0.5, 0.5),
            "clavicle_protraction": cosine(own, 0.0, 3.0, 0.52),
            # 24 back to 8 forward, against the trunk [Murray1967]
            "shoulder_flexion": cosine(own, -5.0, 18.0, 0.52),
            "shoulder_abduction": cosine(own, 9.0, 1.5, 0.0, times=2),
            "shoulder_rotation": cosine(own, 8.0, 4.0, 0.55),
            # the forearm trails the upper arm
            "elbow_flexion": cosine(own, 25.0, 11.0, 0.58),
            "forearm_pronation": cosine(own, 12.0, 5.0, 0.6),
            "wrist_flexion": cosine(own, 2.0, 5.0, 0.12),
            "wrist_deviation": cosine(own, -2.0, 2.0, 0.62),
        }
        angles |= {f"{side}_{name}": values for name, values in arm.items()}
    return angles
