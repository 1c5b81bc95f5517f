"""Velocities at seams that jitter of capture cannot spoil.

The curve through captured frames follows their jitter, most of all at its ends: a joint that is 7 degrees off in the
first of 120 frames a second leaves it at more than 1,000 degrees a second. A gap that met such a velocity would throw
the limb. So the frames next to a seam, on the side that is kept, are fitted as well, and where they jitter, the gap
meets the velocity of the fit. Values at the seam stay exact.
"""

from __future__ import annotations

import numpy as np

from segue.curves.quaternion import Array
from segue.curves.quaternion_kernels import kernel_array
from segue.motion._rate_kernels import parent_vectors, steady_rates
from segue.motion.state import State
from segue.motion.tracks import TRACKS

__all__ = ["frames_beside", "steady_velocities"]

_WINDOW = 0.1  # s of motion next to a seam that are fitted
_FRAMES = 6  # at least, at low frame rates

_MOVE, _TURN = 0.1, 1.0
"""Velocities, in m/s and rad/s, that do not matter: the exact one stays if the fit differs by no more."""

_MOVE_NOISE, _TURN_NOISE = 0.5, 5.0
"""Jitter, as the change of velocity in m/s and rad/s that it may cause, from which on the fit begins to count."""

_NAMES = tuple(TRACKS)


def frames_beside(at: float, towards: int, fps: float, first: float, last: float) -> Array:
    """Return the times of a seam and of the frames next to it, earlier (-1) or later (1), within first and last."""
    times: Array = at + towards * np.arange(max(round(_WINDOW * fps), _FRAMES) + 1) / fps
    return times[(times >= first) & (times <= last)]


def steady_velocities(seam: State, frames: State, step: float) -> dict[str, float]:
    """Change the velocities of a state at a seam, one row, in place where the frames next to it jitter.

    frames: the state at the seam and at the frames next to it, which lie `step` s apart, negative before the seam.
    Return by how much the velocity of each track that is not met exactly changes, in m/s or rad/s.
    """
    places, angles = kernel_array(frames.root.value), kernel_array(frames.hinges.value)
    changes = []
    for rows, part, width, least, noise in (
        (places, seam.root.velocity, 3, _MOVE, _MOVE_NOISE),
        (parent_vectors(kernel_array(frames.balls.value)), seam.balls.velocity, 3, _TURN, _TURN_NOISE),
        (angles, seam.hinges.velocity, 1, _TURN, _TURN_NOISE),
    ):
        rates, changed = steady_rates(rows, np.ravel(part), step, width, least, noise)
        part[:] = rates.reshape(part.shape)
        changes.append(changed)
    whole = np.concatenate(changes)
    return {_NAMES[k]: float(whole[k]) for k in np.flatnonzero(whole).tolist()}
