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
from segue.motion.functions import Curve
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.motion.take import Sketch, Take
from segue.motion.tracks import TRACKS

__all__ = ["ends_clip", "frames_beside", "steady_velocities"]

_WINDOW = 0.1  # s of motion next to a seam that are fitted
_FRAMES = 6  # at least, at low frame rates

_MOVE, _TURN = 0.1, 1.0
"""Velocities, in m/s and rad/s, that do not matter: the exact one stays if the fit differs by no more."""

_MOVE_NOISE, _TURN_NOISE = 0.8, 8.0
"""Jitter, as the change of velocity in m/s and rad/s that it may cause, from which on the fit begins to count."""

_SUSPECT, _ENDS = 0.3, 2.5
"""What is left of that jitter at the first and the last frames of a clip, so many of them: captured clips are cut there,
and what filled and smoothed them had nothing beyond to go by."""

_NAMES = tuple(TRACKS)


def frames_beside(at: float, towards: int, fps: float, first: float, last: float) -> Array:
    """Return the times of a seam and of the frames next to it, earlier (-1) or later (1), within first and last."""
    times: Array = at + towards * np.arange(max(round(_WINDOW * fps), _FRAMES) + 1) / fps
    return times[(times >= first) & (times <= last)]


def ends_clip(motion: Motion, at: float, towards: int) -> bool:
    """Whether a seam, kept on the earlier (-1) or the later (1) side, is at an end of the clip that is shown there."""
    track = motion.tracks["root_position"]
    interval = track.at(at + towards * TINY)
    function = interval.functions[0] if interval is not None else None
    if not isinstance(function, Curve) or not isinstance(function.source, Take | Sketch):
        return False
    rate, shift = function.time
    own = rate * at + shift
    return min(own, function.source.duration - own) * function.source.fps < _ENDS


def steady_velocities(seam: State, frames: State, step: float, suspect: bool) -> dict[str, float]:
    """Change the velocities of a state at a seam, one row, in place where the frames next to it jitter.

    frames: the state at the seam and at the frames next to it, which lie `step` s apart, negative before the seam.
    suspect: whether these are the first or the last frames of a clip.
    Return by how much the velocity of each track that is not met exactly changes, in m/s or rad/s.
    """
    places, angles = kernel_array(frames.root.value), kernel_array(frames.hinges.value)
    share = _SUSPECT if suspect else 1.0
    changes = []
    for rows, part, width, least, noise in (
        (places, seam.root.velocity, 3, _MOVE, _MOVE_NOISE),
        (parent_vectors(kernel_array(frames.balls.value)), seam.balls.velocity, 3, _TURN, _TURN_NOISE),
        (angles, seam.hinges.velocity, 1, _TURN, _TURN_NOISE),
    ):
        rates, changed = steady_rates(rows, np.ravel(part), step, width, least, share * noise)
        part[:] = rates.reshape(part.shape)
        changes.append(changed)
    whole = np.concatenate(changes)
    return {_NAMES[k]: float(whole[k]) for k in np.flatnonzero(whole).tolist()}
