"""Penetration and sink: points under the feet below the ground, and bodies that shift up or down with their foot.

A person's hips drop or rise over a foot that stays where it is. Only a file lowers both at once, for example where
clips of unlike height were joined. A shift of 0.1 s is fitted to the heights of pelvis, torso and head beside a cubic,
and to the height of a sole that otherwise rests. The sink is what all of them share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from segue.curves.sampled import runs
from segue.motion.ground import Ground
from segue.typing import Array, Flags

_RAMP = 0.1  # s that the shift takes
_SPAN = 0.15  # s on either side over which the body's heights are fitted
_REST = 0.12  # s on either side over which the sole must rest
_STILL = 0.01  # m by which a resting sole's height may differ from level, shift, level
_LEVEL = 0.025  # m that a resting sole may move over the floor
_DEGREE = 3
_BELOW_TREAD = 0.12  # m below a found tread from which on a foot stands beside it, or before it was there


@dataclass(frozen=True)
class Penetration:
    """The point deepest below the ground: depth in m, name, time in s, and the height of the ground there in m.

    depth is 0, and the others are None, if no point is below the ground.
    """

    depth: float = 0.0
    point: str | None = None
    time: float | None = None
    ground: float | None = None


@dataclass(frozen=True)
class Sink:
    """The largest shift of the whole body with its foot: m (negative: down), which sole, and when."""

    shift: float = 0.0
    point: str | None = None
    time: float | None = None


def ground_penetration(times: Array, points: Mapping[str, Array], ground: Ground, chosen: Flags) -> Penetration:
    """Return how deep the points (T, 3) go below the ground in the chosen frames, at most.

    A tread that was found and that a foot passes far below is not there at that time, such as a box that was carried
    away. The point is then measured against the plane.
    """
    depths = np.array([-ground.above(track[chosen]) for track in points.values()])
    if ground.found:
        plane = Ground(ground.plane)
        for depth, track in zip(depths, points.values(), strict=True):
            for first, stop in runs(depth > 0):
                if depth[first:stop].max() > _BELOW_TREAD:
                    depth[first:stop] = -plane.above(track[chosen][first:stop])
    point, frame = (int(k) for k in np.unravel_index(depths.argmax(), depths.shape))
    depth, (name, track) = float(depths[point, frame]), list(points.items())[point]
    if depth <= 0:
        return Penetration()
    return Penetration(depth, name, float(times[chosen][frame]), float(track[chosen][frame, 1]) + depth)


def body_sink(times: Array, soles: Mapping[str, Array], body: Mapping[str, Array], chosen: Flags) -> Sink:
    """Return the largest shift in the chosen frames.

    soles: (T, 3) points under the feet, m, Y up. body: (T, 3) points such as pelvis and head.
    """
    if len(times) < 2:
        return Sink()
    dt = float(times[1] - times[0])
    wide, narrow = max(round(_SPAN / dt), _DEGREE + 1), max(round(_REST / dt), 3)
    frames = len(times) - 2 * wide
    if frames < 1:
        return Sink()
    moved = np.array([_shifts(track[:, 1], dt, wide, _DEGREE)[0] for track in body.values()])
    rested = []
    for track in soles.values():
        near = slice(wide - narrow, len(times) - wide + narrow)
        shift, residual = _shifts(track[near, 1], dt, narrow, 0)
        spread = np.ptp(sliding_window_view(track[near][:, [0, 2]], 2 * narrow + 1, axis=0), axis=2)
        rests = (residual < _STILL) & (np.linalg.norm(spread, axis=1) < _LEVEL)
        rested.append(np.where(rests, shift, 0.0))
    best = Sink()
    inside = chosen[wide : len(times) - wide]
    for sign in (-1.0, 1.0):
        shared = np.minimum(sign * np.array(rested), (sign * moved).min(axis=0))
        shared = np.where(inside, shared, 0.0)
        sole, frame = (int(k) for k in np.unravel_index(shared.argmax(), shared.shape))
        if shared[sole, frame] > abs(best.shift):
            best = Sink(sign * float(shared[sole, frame]), list(soles)[sole], float(times[frame + wide]))
    return best


def _shifts(heights: Array, dt: float, reach: int, degree: int) -> tuple[Array, Array]:
    """Return for each frame with `reach` frames on either side the fitted shift, and the largest residual, m.

    A polynomial of the given degree and a smooth step are fitted to the heights (T,) together.
    """
    since = np.arange(-reach, reach + 1) * dt
    along = np.clip(since / _RAMP + 0.5, 0.0, 1.0)
    powers = [(since / (reach * dt)) ** power for power in range(degree + 1)]
    basis = np.stack([*powers, along**2 * (3.0 - 2.0 * along)], axis=1)
    fit = np.linalg.pinv(basis)
    windows = sliding_window_view(heights, 2 * reach + 1)
    weights = windows @ fit.T
    residual: Array = np.abs(windows - weights @ basis.T).max(axis=1)
    return weights[:, -1], residual
