"""How the swing of limbs shifts the push of the floor, foreseen from the kinematic performance of the same plan.

A body that turned nothing about its centre of mass would move as a point on a leg without mass. A leg that swings gives
it angular momentum, which the floor must provide: with L' its rate, the push has to be centred elsewhere than the
point's by (-L'_z, L'_x) / (m (g + height'')).
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dance.performance.perform import perform
from segue.dance.planning.model import Plan
from segue.dance.simulation.course.polynomial import rates_of

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
    """Return the angular momentum (T, 3) about the centre of mass of poses `step` s apart, in kg m^2/s."""
    positions, turns = figure.forward(poses)
    inertias = list(figure.inertias.values())
    masses = np.array([inertia.mass for inertia in inertias])
    centres = positions + quaternion.rotate(turns, np.array([inertia.centre for inertia in inertias]))
    whole = masses @ centres / masses.sum()
    arms = centres - whole[:, None]
    orbital = np.einsum("s,tsk->tk", masses, np.cross(arms, rates_of(arms, step)))
    spins = quaternion.log(quaternion.multiply(turns[2:], quaternion.conjugate(turns[:-2]))) / (2.0 * step)
    axes = quaternion.to_matrix(turns)
    tensors = np.array([inertia.tensor for inertia in inertias])
    own = np.einsum("tsij,sjk,tslk,tsl->ti", axes[1:-1], tensors, axes[1:-1], spins)
    found: Array = orbital
    found[1:-1] += own
    return found
