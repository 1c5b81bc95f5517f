"""How far a limb is to be along its arc, and what spring would take it there in time."""

from __future__ import annotations

import numpy as np

from segue.dance.simulation.course.limbs import normal_curve
from segue.typing import Array

_FRACTIONS = np.linspace(0.0, 1.0, 2001)
_DONE = normal_curve(_FRACTIONS)
_SPEED = np.gradient(_DONE, _FRACTIONS)
_ACCELERATION = np.gradient(_SPEED, _FRACTIONS)
# From here on the spring keeps its strength: on the last thousandths of the way the curve would ask for an endless one.
_NEARLY = int(np.searchsorted(_DONE, 0.998))
_STEEPEST = float(_SPEED[_NEARLY] / (1.0 - _DONE[_NEARLY]))  # per movement: speed by what is left of the way


def distance_left(fraction: Array) -> Array:
    """Return the share of its arc that a limb should have left at fractions of its time [Lake1990, section 6.4]."""
    left: Array = 1.0 - normal_curve(fraction)
    return left


def critical_damper(seconds: float) -> float:
    """Return the damper, 1/s, that is critical for the spring with which a movement of so many seconds ends.

    A damped limb follows its spring k at the rate k / c. At the end of the normal curve that rate is the largest, h, so
    k = c h, and the damper is critical where c^2 = 4 k.
    """
    return 4.0 * _STEEPEST / seconds


def predicted_beta(fraction: Array, arc: Array, spring: Array, damper: Array, seconds: Array) -> Array:
    """Return the beta at which the torque function gives a limb on its arc just the acceleration of the normal curve.

    arc: rad, the whole way. spring: 1/s^2, alpha by inertia. damper: 1/s, gamma by inertia.
    """
    at = np.minimum(fraction, _FRACTIONS[_NEARLY])
    speed, acceleration = np.interp(at, _FRACTIONS, _SPEED), np.interp(at, _FRACTIONS, _ACCELERATION)
    pull = arc * (damper * speed / seconds + acceleration / seconds**2)
    beta: Array = np.log1p(np.maximum(pull, 0.0) / spring) / (arc * (1.0 - np.interp(at, _FRACTIONS, _DONE)))
    return beta
