"""Velocities at seams that jitter of capture cannot spoil.

The curve through captured frames follows their jitter, most of all at its ends: a joint that is 7 degrees off in the
first of 120 frames a second leaves it at more than 1,000 degrees a second. A gap that met such a velocity would throw
the limb. So the frames next to a seam, on the side that is kept, are fitted as well, and where they jitter, the gap
meets the velocity of the fit. Values at the seam stay exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.curves.quaternion_kernels import kernel_array
from segue.motion._rate_kernels import frames_to_fit, parent_vectors, steady_rates
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Piece
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.pose_source import PoseSource
from segue.motion.state import State
from segue.motion.tracks import TRACKS
from segue.typing import Array

_MOVE, _TURN = 0.1, 1.0
"""Velocities, in m/s and rad/s, that do not matter: the exact one stays if the fit differs by no more."""

_MOVE_NOISE, _TURN_NOISE = 1.0, 10.0
"""Jitter, as the change of velocity in m/s and rad/s that it may cause, from which on the fit begins to count."""

_FINE = 100.0  # frames a second from which on that is so

_ENDS, _ROOT_ENDS, _JOINT_ENDS = 2.5, 0.25, 0.4
"""So many first and last frames of a clip are suspect: it was cut there, and whatever smoothed it had nothing beyond to
go by. What is left there of the jitter from which on the fit counts, for the root and for other joints."""

_NAMES = tuple(TRACKS)


class Frames(NamedTuple):
    """The frames next to a seam: times (N,), the seam's first; seconds from each to the next, negative before a seam.

    coarse: how many times as much jitter it takes: more where time passes faster than in the clip, and at low frame
    rates, where quick movements look like jitter. suspect: whether these are the first or last frames of a clip.
    """

    times: Array
    step: float
    coarse: float
    suspect: bool


def frames_beside(motion: Motion, at: float, towards: int, first: float, last: float) -> Frames:
    """Return the frames next to a seam, earlier (-1) or later (1), of the clip shown there, within first and last."""
    interval = motion.tracks["root_position"].at(at + towards * TINY)
    function = interval.functions[0] if interval is not None else None
    rate, fps, suspect = 1.0, float(motion.fps), False
    if isinstance(function, Piece) and isinstance(function.source, ClipSource | PoseSource):
        rate, fps = abs(function.time.rate), function.source.fps
        own = function.time.rate * at + function.time.shift
        suspect = min(own, function.source.duration - own) * fps < _ENDS
    step = towards / (rate * fps)
    times = at + step * np.arange(float(frames_to_fit(fps)))
    return Frames(times[(times >= first) & (times <= last)], step, rate * max(_FINE / fps, 1.0), suspect)


def steady_velocities(seam: State, frames: Frames, state: State) -> dict[str, float]:
    """Change the velocities of a state at a seam, one row, in place where the frames next to it jitter.

    state: at the frames. Return by how much the velocity of each track that is not met exactly changes, m/s or rad/s.
    """
    turns = parent_vectors(kernel_array(state.balls.value))
    spins = np.ravel(seam.balls.velocity)
    changes = []
    for rows, part, width, least, noise, ends in (
        (state.root.value, seam.root.velocity[0], 3, _MOVE, _MOVE_NOISE, _ROOT_ENDS),
        (turns[:, :3], spins[:3], 3, _TURN, _TURN_NOISE, _ROOT_ENDS),
        (turns[:, 3:], spins[3:], 3, _TURN, _TURN_NOISE, _JOINT_ENDS),
        (state.hinges.value, seam.hinges.velocity[0], 1, _TURN, _TURN_NOISE, _JOINT_ENDS),
    ):
        noise *= frames.coarse * (ends if frames.suspect else 1.0)
        rates, changed = steady_rates(kernel_array(rows), part.copy(), frames.step, width, least, noise, frames.suspect)
        part[:] = rates
        changes.append(changed)
    seam.balls.velocity[:] = spins.reshape(seam.balls.velocity.shape)
    whole = np.concatenate(changes)
    return {_NAMES[k]: float(whole[k]) for k in np.flatnonzero(whole).tolist()}
