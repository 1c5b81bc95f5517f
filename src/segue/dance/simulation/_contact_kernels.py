"""Compiled contact forces of soles and legs, sliding of soles, and the unexplained change of momentum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=2)
def sole_forces(
    pairs: npt.NDArray[np.int32],
    addresses: npt.NDArray[np.int32],
    frames: Array,
    forces: Array,
    place: npt.NDArray[np.int64],
    out: Array,
) -> float:
    """Write the force (12, 3) of the floor on each ball under the soles; return the largest force between the legs, N.

    pairs: (C, 2) geometries in contact; the floor is number 0. addresses: (C,) index of each contact's force in forces
    (E,), negative if it has none. A force is normal, then two tangential components, in the axes frames (C, 9), one row
    per axis. place: (geometries,) number of the ball, or -1.
    """
    out[:] = 0.0
    legs = 0.0
    for c in range(len(pairs)):
        at = addresses[c]
        if at < 0:
            continue
        # the normal points from the first geometry to the second
        ball, sign = place[pairs[c, 1]], 1.0
        if ball < 0:
            ball, sign = place[pairs[c, 0]], -1.0
        if ball < 0:
            if pairs[c, 0] != 0 and pairs[c, 1] != 0:
                legs += forces[at]
            continue
        for k in range(3):
            for axis in range(3):
                out[ball, k] += sign * forces[at + axis] * frames[c, 3 * axis + k]
    return legs


@compiled(seconds=1)
def slide_on(slid: Array, slides: Array, forces: Array, least: float, lasting: float) -> None:
    """Add the motion of loaded points to their sliding distance (P, 3).

    slides: (P, 3) m/s. forces: (P,) N; a point slides if its force exceeds `least`. lasting: s.
    """
    for p in range(len(slid)):
        if forces[p] > least:
            for k in range(3):
                slid[p, k] += lasting * slides[p, k]


@compiled(seconds=1)
def farthest_slid(slid: Array, forces: Array, least: float) -> float:
    """Return the largest horizontal sliding distance of the loaded points, m."""
    farthest = 0.0
    for p in range(len(slid)):
        if forces[p] > least:
            farthest = max(farthest, slid[p, 0] * slid[p, 0] + slid[p, 2] * slid[p, 2])
    return float(np.sqrt(farthest))


@compiled(seconds=1)
def unexplained_force(before: Array, now: Array, impulse: Array, weight: float, lasting: float) -> float:
    """Return the size of the force, N, that changed a momentum (3,) besides an impulse (3,) and the weight."""
    total = 0.0
    for k in range(3):
        miss = (now[k] - before[k] - impulse[k]) / lasting + (weight if k == 1 else 0.0)
        total += miss * miss
    return float(np.sqrt(total))
