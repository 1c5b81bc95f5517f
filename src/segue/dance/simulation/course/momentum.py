"""How the swing of limbs shifts the push of the floor, foreseen from the kinematic performance of the same plan.

A body that turned nothing about its centre of mass would move as a point on a leg without mass. A leg that swings gives
it angular momentum, which the floor must provide: with L' its rate, the push has to be centred elsewhere than the
point's by (-L'_z, L'_x) / (m (g + height'')).
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Figure, Poses
from segue.curves.quaternion import Array
from segue.dance.performance.perform import perform
from segue.dance.planning.model import Plan
from segue.dance.simulation.course.polynomial import rates_of
from segue.dance.simulation.segments import SegmentMotion

__all__ = ["angular_momentum", "momentum_shift"]

_FPS = 100.0
_SMOOTH = 0.03  # s over which the rate of the momentum is smoothed: what is shorter the feet cannot follow


def momentum_shift(plan: Plan, times: Array, gravity: float) -> Array:
    """Return how far (N, 2), x and z, the pressure that moves the body as a point lies from the floor's real push."""
    motion = perform(plan)
    frames = np.arange(0.0, float(times[-1]) + 0.5 / _FPS, 1.0 / _FPS)
    poses = motion.at(np.clip(frames, motion.start, motion.stop))
    rate = rates_of(angular_momentum(plan.figure, poses, 1.0 / _FPS), 1.0 / _FPS)
    rate = gaussian_filter1d(rate, _SMOOTH * _FPS, axis=0)
    shift = np.stack([-rate[:, 2], rate[:, 0]], axis=1) / (plan.figure.mass * gravity)
    return np.stack([np.interp(times, frames, shift[:, k]) for k in range(2)], axis=1)


def angular_momentum(figure: Figure, poses: Poses, step: float) -> Array:
    """Return the angular momentum (T, 3) about the centre of mass of poses `step` s apart, in N m s."""
    here = np.arange(len(poses))
    before, after = np.maximum(here - 1, 0), np.minimum(here + 1, len(poses) - 1)
    first, last = (Poses(poses.root[at], poses.balls[at], poses.hinges[at]) for at in (before, after))
    return SegmentMotion.between(figure, first, poses, last, step * (after - before)).angular_momentum
