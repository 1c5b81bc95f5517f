"""What the legs' reach asks of body and feet: a pelvis that is not too high, and heels that rise behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from segue.body.figure import Figure
from segue.curves import quaternion
from segue.dance.performance.carriage import Carriage
from segue.dance.performance.legs import SIDES, beyond_reach, highest_roots
from segue.dance.performance.rolling import FootMotion
from segue.dance.performance.smoothing import evened, evened_from, evened_up_to
from segue.typing import Array

_EVENED = 0.14  # s to either side over which the height is evened out
_DIP = 0.03  # m that the pelvis may sink before a heel rises instead
_STEEPEST = np.radians(58.0)  # that a heel rises for a leg's reach
_PITCHES = 10
_RISING = 0.12  # s to either side over which the rise of a heel is evened out
_LIFTING = 0.05  # s likewise for a foot in the air
_HIGHEST = 0.12  # m that a foot in the air is lifted further for a leg's reach
_DEEPEST = 0.1  # m that the pelvis sinks before the body is drawn to the foot that is too far away
_DRAWING = 0.25  # s to either side over which that is evened out
_HANGING = 0.8  # of the leg's lean to the side that a foot in the air leans too


def reachable_heights(
    figure: Figure, times: Array, body: Carriage, ground: Array, feet: Mapping[str, FootMotion]
) -> Array:
    """Return the root's heights (T,): smooth, as wished where the legs reach, and never beyond their reach.

    ground: (T, 2), x and z of the root.
    """
    limits = [highest_roots(figure, side, ground, body.pelvis, foot) for side, foot in feet.items()]
    return evened_up_to(np.minimum(body.height, np.min(limits, axis=0)), _EVENED, float(times[1] - times[0]))


def drawn_to_feet(figure: Figure, times: Array, body: Carriage, ground: Array, feet: Mapping[str, FootMotion]) -> Array:
    """Return how far the body is to go (T, 2), in m over the floor, towards feet that stand too far away from it.

    Who has to stand with the feet very far apart does not sink over one of them, but stands between them.
    """
    dt = float(times[1] - times[0])
    drawn = np.zeros_like(ground)
    for side, foot in feet.items():
        far = beyond_reach(figure, side, ground, body.pelvis, foot, body.height - _DEEPEST)
        far[foot.height > 0.0] = 0.0
        if far.any():
            length = np.linalg.norm(far, axis=1)
            towards = evened(far / np.maximum(length, 1e-9)[:, None], _DRAWING, dt)
            towards /= np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-9)
            drawn += evened_from(length, _DRAWING, dt)[:, None] * towards
    return drawn


def with_heel_raised(
    figure: Figure, side: str, times: Array, body: Carriage, ground: Array, foot: FootMotion
) -> FootMotion:
    """Return a foot whose heel rises from the floor where the body has gone on so far that its leg must reach.

    Only what stands behind the pelvis, or beside it, rises, and only while the foot does not bear on its heel.
    """
    steep = np.linspace(0.0, _STEEPEST, _PITCHES)
    reached = np.stack(
        [
            highest_roots(figure, side, ground, body.pelvis, replace(foot, pitch=np.minimum(foot.pitch, -pitch)))
            for pitch in steep
        ]
    )
    # how far the heel must rise lies between the last pitch that is too small and the first that is not
    enough = np.maximum.accumulate(reached, axis=0) >= body.height - _DIP
    needed = np.where(enough.any(axis=0), steep[enough.argmax(axis=0)], _STEEPEST)
    front = quaternion.rotate(body.pelvis, np.array([0.0, 0.0, 1.0]))[:, [0, 2]]
    behind = np.sum((ground - foot.place) * front, axis=1) > 0.0
    rolls_freely = foot.heel_share == 0.0
    standing = behind & rolls_freely & (foot.height < 1e-4)
    wanted = np.where(standing, np.maximum(needed + np.minimum(foot.pitch, 0.0), 0.0), 0.0)
    dt = float(times[1] - times[0])
    rise = evened_from(wanted, _RISING, dt) * evened_up_to(rolls_freely.astype(float), _RISING, dt)
    return replace(foot, pitch=foot.pitch - rise)


def with_foot_eased(
    figure: Figure, side: str, times: Array, body: Carriage, ground: Array, foot: FootMotion
) -> FootMotion:
    """Return a foot that, in the air, hangs from its leg: lifted where the leg could not reach, and leaning with it."""
    dt = float(times[1] - times[0])
    flying = evened_up_to((foot.height > 0.0).astype(float), _LIFTING, dt)
    missing = body.height - _DIP - highest_roots(figure, side, ground, body.pelvis, foot)
    wanted = np.where(foot.height > 0.0, np.clip(missing, 0.0, _HIGHEST), 0.0)
    lift = evened_from(wanted, _LIFTING, dt)
    out = SIDES[side] * figure.build.half_hip
    hip = np.stack([ground[:, 0], body.height, ground[:, 1]], axis=1)
    hip = hip + quaternion.rotate(body.pelvis, np.array([out, 0.0, 0.0]))
    seen = quaternion.rotate(quaternion.conjugate(foot.turns), hip - foot.ankles(figure.build))
    lean = -np.arctan2(seen[:, 0], seen[:, 1])
    return replace(foot, height=foot.height + flying * lift, roll=_HANGING * flying * lean)


def with_way_aside(times: Array, foot: FootMotion, aside: Array) -> FootMotion:
    """Return a foot that goes so far aside (T, 2), in m, while it is in the air."""
    flying = evened_up_to((foot.height > 0.0).astype(float), _LIFTING, float(times[1] - times[0]))
    return replace(foot, place=foot.place + flying[:, None] * aside)
