"""How the figure stands in each frame, in or out of the air, and how far its feet move along the ground.

The search for cut points compares how firmly soles stand, from 0 to 1, because it needs a smooth cost.
`segue.motion.contacts` decides whether a point is in contact, with the same threshold of speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from segue.body.figure import FEET, SOLES, Figure, Poses
from segue.curves.quaternion_kernels import kernel_array
from segue.curves.sampled import runs
from segue.dynamics import GRAVITY
from segue.filling._support_kernels import glide, point_paths
from segue.filling.features import POINTS, RATE, Trace
from segue.filling.supports import body_points
from segue.motion.contacts import CLEAR, FLESH, PLANTED
from segue.motion.ground import Ground
from segue.typing import Array, Flags

_SPEED, _SPEED_STEP = PLANTED.speed, 0.1  # m/s: at this speed a sole half stands, and how quickly that changes
_HEIGHT, _HEIGHT_STEP = 0.08, 0.02  # m above the floor, likewise
_FLOOR = 0.05  # part of the lowest soles that counts as the floor
_FALLING = 0.5 * GRAVITY[1]  # m/s^2: a body that rests on anything does not fall like this
_FALL_FRAMES = 2  # frames on either side between which the fall is measured
_UNDER = [k for k, name in enumerate(SOLES) if name.endswith(("heel", "ball"))]  # tips of toes trail behind in the air
_JUMP = 0.2  # s: a shorter flight belongs to a run
_CROUCH, _LANDING = 0.4, 0.2  # s before and after a jump in which the body gathers for it, and comes to rest
_PARTS = [name.removeprefix("left_").removeprefix("right_") for name in POINTS]
_FLESHY = [k for k, part in enumerate(_PARTS) if part in FLESH]
_FLESH_HEIGHTS = np.array([FLESH[_PARTS[k]] for k in _FLESHY])


class Stance(NamedTuple):
    """How the figure stands in T frames.

    standing: (T, 4) how firmly each of the `FEET` stands, from 0 to 1. aloft: (T,) whether the body is in the air.
    ground: (T,) mean height in m of uneven ground under the soles; 0 on level ground.
    """

    standing: Array
    aloft: Flags
    ground: Array

    @property
    def feet(self) -> Array:
        """How firmly the left and the right foot stand, (T, 2): on the heel or on the toe."""
        feet: Array = self.standing.reshape(-1, 2, 2).max(axis=2)
        return feet


def stance_of(figure: Figure, poses: Poses, trace: Trace, ground: Ground | None = None) -> Stance:
    """Return how the figure stands in poses that are 1 / `RATE` s apart; trace: of the same poses.

    ground: what is under the figure, level as low as the soles come where None. The body is in the air if all soles are
    clear of the ground and no other part is near the ground. No sole may rest on something higher, such as a box that
    is not part of the ground. A sole that is still at the top of a jump does not rest: the body falls.
    """
    named = body_points(figure, SOLES)
    values = (kernel_array(part) for part in (poses.root, poses.balls, poses.hinges))
    soles = point_paths(figure.tree, *values, named.segments, named.places)
    feet = soles[: len(FEET)]
    speeds = np.zeros(feet.shape[:2])
    if feet.shape[1] > 1:
        speeds = np.linalg.norm(np.gradient(feet, 1.0 / RATE, axis=1), axis=-1)
    under = np.zeros(soles.shape[:2]) if ground is None else ground.under(soles)
    above = soles[..., 1] - under
    lowest = above[_UNDER].min(axis=0)
    floor = float(np.sort(lowest)[int(_FLOOR * len(lowest))])
    standing = _low(speeds, _SPEED, _SPEED_STEP) * _low(above[: len(FEET)] - floor, _HEIGHT, _HEIGHT_STEP)
    return Stance(standing.T, _aloft(figure, floor, lowest, speeds, trace, ground), under.mean(axis=0))


def _aloft(figure: Figure, floor: float, lowest: Array, speeds: Array, trace: Trace, ground: Ground | None) -> Flags:
    """Return (T,) whether the body is in the air; lowest: height (T,) of its soles, speeds: of its feet (4, T).

    floor: height above the ground from which both are measured.
    """
    points = trace.points[:, _FLESHY].astype(float) * figure.leg_length
    body = points[:, :, 1] - floor
    near = body if ground is None else body - ground.under(points)
    lying = (near < _FLESH_HEIGHTS * figure.stature).any(axis=1)
    aloft: Flags = (lowest - floor > CLEAR * figure.stature) & ~lying
    if aloft.any() and len(aloft) > 2 * _FALL_FRAMES:
        aloft &= _falling(body[:, 0]) | (speeds.min(axis=0) > _SPEED)
    return aloft


def _falling(height: Array) -> Flags:
    """Return (T,) whether a height (T,) in m accelerates downwards as a body in free fall does."""
    k = _FALL_FRAMES
    falling = np.zeros(len(height), dtype=bool)
    falling[k:-k] = (height[2 * k :] - 2.0 * height[k:-k] + height[: -2 * k]) * (RATE / k) ** 2 < _FALLING
    return falling


def near_flight(aloft: Flags) -> Flags:
    """Return (T,) whether the body is in the air, or leaves or meets the floor within a frame."""
    near = aloft.copy()
    near[1:] |= aloft[:-1]
    near[:-1] |= aloft[1:]
    return near


class Jumps(NamedTuple):
    """Jumps, which are flights longer than those of a run, in T frames.

    about: (T,) whether the body crouches for a jump, jumps, or lands from it. seconds: (T,) how long it has been in the
    air until then.
    """

    about: Flags
    seconds: Array


def jumps_of(aloft: Flags, step: float) -> Jumps:
    """Return the jumps among flights (T,); step: s between frames."""
    about, jumping = np.zeros(len(aloft), dtype=bool), np.zeros(len(aloft))
    for first, stop in runs(aloft):
        if (stop - first) * step >= _JUMP:
            about[max(first - round(_CROUCH / step), 0) : stop + round(_LANDING / step)] = True
            jumping[first:stop] = step
    return Jumps(about, np.cumsum(jumping))


def _low(values: Array, middle: float, step: float) -> Array:
    """Return 1 where values are low, 0 where they are high, and a smooth step between."""
    return 0.5 - 0.5 * np.tanh(0.5 * (values - middle) / step)


_ON_GROUND = 0.015
"""Height in m above the ground up to which a sole is on the ground."""
_BEARING = 0.05
"""Height in m above the ground up to which a sole can carry the body: as `segue check` has it, 3 % of stature."""


def foot_glides(paths: Mapping[str, Array], ground: Ground | None) -> dict[str, float]:
    """Return how far each foot glides along the ground in m; paths: (S, 3) in m of each point of the feet."""
    glides = {}
    for side in ("left", "right"):
        sole = [path for name, path in paths.items() if name in (f"{side}_heel", f"{side}_ball", f"{side}_toe_tip")]
        if sole and ground is not None:
            tracks = np.stack(sole)
            glides[side] = float(glide(tracks, ground.under(tracks) + _ON_GROUND))
    return glides


def body_glide(paths: Mapping[str, Array], ground: Ground | None) -> float:
    """Return how far the body glides over the ground in m: the way of the stillest sole that can carry it.

    paths: (S, 3) in m of each point of the soles. A body whose soles are all clear of the ground flies, which counts as
    no way. A foot that swings low while the other stands does not count, either.
    """
    soles = {name: path for name, path in paths.items() if name in SOLES}
    if not soles or ground is None:
        return 0.0
    tracks = np.stack(list(soles.values()))
    low = tracks[..., 1] - ground.under(tracks) < _BEARING
    ways = np.linalg.norm(np.diff(tracks[..., [0, 2]], axis=1), axis=-1)
    stillest = np.where(low[:, 1:] & low[:, :-1], ways, np.inf).min(axis=0)
    return float(stillest[np.isfinite(stillest)].sum())
