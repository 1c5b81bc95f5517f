"""The angular momentum of poses in motion."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.dance.simulation.segments import SegmentMotion
from segue.typing import Array


def angular_momentum(figure: Figure, poses: Poses, step: float) -> Array:
    """Return the angular momentum (T, 3) about the centre of mass of poses `step` s apart, in N m s."""
    here = np.arange(len(poses))
    before, after = np.maximum(here - 1, 0), np.minimum(here + 1, len(poses) - 1)
    first, last = (Poses(poses.root[at], poses.balls[at], poses.hinges[at]) for at in (before, after))
    return SegmentMotion.between(figure, first, poses, last, step * (after - before)).angular_momentum
