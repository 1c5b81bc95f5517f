"""Running at an easy pace: four strides, each step with a flight in which the body falls freely.

Thigh and knee follow the mean curves of [Novacheck1998] for running at every twentieth of the cycle, the thigh being
his hip less the pelvis's tilt. The tables keep the shape and the extremes of those curves; they are no transcription
and were not compared number by number. The foot's pitch is the sum of thigh, knee and ankle, and zero while the sole
is flat. The arms follow [HinrichsCavanaghWilliams1987].
"""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.clips.gait import Curve, FootPitch, Gait, cosine, feet, from_origin, periodic, stance_samples
from segue.clips.posture import Posture, pose, turn_of
from segue.typing import Array

RUN = Gait(
    period=0.7,
    stance=0.36,
    thigh=(
        *(29, 27, 22, 14, 5, -5, -14, -21, -25, -25),
        *(-20, -10, 3, 17, 29, 38, 43, 43, 39, 34),
    ),
    knee=(
        *(19, 33, 42, 45, 42, 35, 27, 22, 22, 30),
        *(45, 63, 80, 94, 101, 99, 87, 66, 42, 24),
    ),
    foot=FootPitch(
        landing=(12, 5),
        flat_from=0.055,
        flat_until=0.15,
        lifting=(
            *((0.20, -8), (0.25, -24), (0.30, -42), (0.35, -60), (0.40, -78), (0.45, -92), (0.50, -101)),
            *((0.57, -103), (0.64, -92), (0.71, -71), (0.78, -45), (0.85, -19), (0.92, 5)),
        ),
        strike_rate=-290.0,
    ),
    toes=FootPitch(
        landing=(17, 7),
        flat_from=0.055,
        flat_until=0.27,
        lifting=((0.32, -12), (0.36, -34), (0.42, -70), (0.50, -96), (0.60, -92), (0.71, -62), (0.82, -20), (0.92, 12)),
        strike_rate=-370.0,
    ),
    half_width=0.03,
    toe_out=5.0,
    ease=(0.14, 0.1),
)

_SPEED = 3.3  # m/s
_STRIDES = 4
_START = 0.1  # of the cycle: in the middle of the left foot's stance
_GRAVITY = 9.81  # m/s^2: part of this clip's data, on whose exact values documented figures depend
_SIDEWAYS = 0.03  # of the upward force: the foot is that far beside the body for each metre below it
_LOWER = 0.02  # metres
_FORWARD = 0.01  # metres
_ROUNDS = 8  # of settling the root under the centre of mass; each shrinks the error about sixfold


def run(figure: Figure, fps: float) -> Poses:
    """Return four strides along +Z; in every flight the centre of mass is on a parabola."""
    frames = round(_STRIDES * RUN.period * fps) + 1
    cycles = _START + np.arange(frames) / (fps * RUN.period)
    return from_origin(_pose(figure, _root(figure, round(RUN.period * fps)), cycles))


def _pose(figure: Figure, root: Curve, cycles: Array) -> Poses:
    both = feet(figure.build, RUN, _SPEED * RUN.period, root, _pelvis, cycles)
    return pose(figure, Posture(root(cycles), both, _angles(cycles)))


def _pelvis(cycles: Array) -> Array:
    return turn_of("pelvis", _angles(cycles))


def _root(figure: Figure, samples: int) -> Curve:
    """Return the root's path (T, 3) over time in cycles that carries the centre of mass along its course.

    samples: places around the cycle at which it does so exactly. The limbs hang from the root and their centre moves
    with them, so the root is found by repeated correction.
    """
    phase, seen = stance_samples(figure.build, RUN, _pelvis, 100)
    up, forward = np.mean(seen - _course(phase)[:, 1:], axis=0)
    place = np.array([0.0, up - _LOWER, forward + _FORWARD])
    cycle = _START + np.arange(samples) / samples
    root = _beside_course(np.tile(place, (samples, 1)))
    for _ in range(_ROUNDS):
        lead = figure.centre_of_mass(_pose(figure, root, cycle)) - root(cycle)
        root = _beside_course(place + lead.mean(axis=0) - lead)
    return root


def _beside_course(apart: Array) -> Curve:
    """Return the path (T, 3) that is as far from the course of the centre of mass as given around a cycle, (S, 3)."""
    around = periodic(apart)
    return lambda cycles: _course(cycles) + around(cycles - _START)


def _course(cycles: Array) -> Array:
    """Return the course of the centre of mass (T, 3), up to a constant: free fall, and half a sine of force in between.

    The floor's force a mass is A sin(pi t / D) over a stance of D seconds, which outweighs gravity over the whole step.
    It points from the foot to the body, so it also pushes sideways, to the other side each step.
    """
    step = np.floor(2 * cycles)
    time = (cycles - step / 2) * RUN.period
    stance, flight = RUN.stance * RUN.period, (0.5 - RUN.stance) * RUN.period
    force = np.pi * _GRAVITY * (stance + flight) / (2 * stance)
    bounce = force * (stance / np.pi) ** 2
    takeoff = _GRAVITY * flight / 2
    air = np.maximum(time - stance, 0.0)
    on_floor = np.where(air > 0, 0.0, np.sin(np.pi * time / stance))
    up = np.where(air > 0, takeoff * air - _GRAVITY * air**2 / 2, _GRAVITY * (stance - time) * time / 2)
    aside = _SIDEWAYS * (bounce * on_floor + force * stance / np.pi * (flight / 2 - air))
    side = np.where(step % 2 == 0, 1.0, -1.0)
    return np.stack([side * aside, up - bounce * on_floor, _SPEED * RUN.period * cycles], axis=1)


def _angles(cycles: Array) -> dict[str, Array]:
    """Return the trunk's and the arms' angles in degrees; the left foot strikes at whole cycles."""
    angles = {
        "pelvis_turn": cosine(cycles, 0.0, -6.0, 0.95),
        "pelvis_lean": cosine(cycles, 0.0, -4.0, 0.12),
        "pelvis_tilt": cosine(cycles, 9.0, 2.0, 0.35, times=2),
        "torso_turn": cosine(cycles, 0.0, 9.0, 0.98),
        "torso_lean": cosine(cycles, 0.0, 2.0, 0.18),
        "torso_tilt": cosine(cycles, 9.0, 2.0, 0.14, times=2),
        "head_turn": cosine(cycles, 0.0, 1.5, 0.98),
        "head_lean": cosine(cycles, 0.0, 0.7, 0.2),
        "head_tilt": cosine(cycles, 5.0, 1.5, 0.2, times=2),
    }
    for side, later in (("left", 0.0), ("right", 0.5)):
        own = cycles + later
        arm = {
            "clavicle_elevation": cosine(own, 2.0, 2.0, 0.5),
            "clavicle_protraction": cosine(own, 0.0, 6.0, 0.5),
            "shoulder_flexion": cosine(own, -16.0, 36.0, 0.5),
            "shoulder_abduction": cosine(own, 15.0, 5.0, 0.0),
            "shoulder_rotation": cosine(own, 14.0, 11.0, 0.52),
            # closes as the arm comes forward, opens a little as it passes the hip on the way back
            "elbow_flexion": cosine(own, 92.0, 14.0, 0.55) + cosine(own, 0.0, 5.0, 0.05, times=2),
            "forearm_pronation": cosine(own, 15.0, 8.0, 0.5),
            "wrist_flexion": cosine(own, 5.0, 4.0, 0.1),
        }
        angles |= {f"{side}_{name}": values for name, values in arm.items()}
    return angles
