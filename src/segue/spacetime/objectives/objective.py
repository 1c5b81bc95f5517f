"""What an objective is: weights of the costs that the one solve knows how to minimise."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import numpy as np

from segue.errors import ArgumentError

_SCALES = ("inertia_floor", "foot_speed", "foot_height")


@dataclass(frozen=True)
class Objective:
    """Weights of costs, each the integral over time of a sum over the joints that are not the root's.

    torque: of (weight * tau)^2, tau in N m. torque_change: of (weight * dtau/dt / (M_ii + inertia_floor))^2, M_ii the
    inertia about the joint in kg m^2. velocity, acceleration, jerk: of (weight * the joint value's first, second,
    third derivative)^2, in rad and s. foot: of (weight * v)^2 / (1 + (v / foot_speed)^2) for the feet's points, v in
    m/s, fading with height above the floor as exp(-height / foot_height): a slow foot near the floor is drawn to rest.
    Objectives add up: `a + b` has both costs.
    """

    torque: float = 0.0
    torque_change: float = 0.0
    velocity: float = 0.0
    acceleration: float = 0.0
    jerk: float = 0.0
    foot: float = 0.0
    inertia_floor: float = 0.02
    foot_speed: float = 0.3
    foot_height: float = 0.4

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.floating):
                raise ArgumentError(f"the objective's {field.name} is {value!r}: a number is needed")
            least = "positive" if field.name in _SCALES else "not negative"
            if not math.isfinite(value) or value < 0 or (field.name in _SCALES and value == 0):
                raise ArgumentError(f"the objective's {field.name} is {value}: it must be a number that is {least}")

    def __add__(self, other: Objective) -> Objective:
        weights = [field.name for field in fields(self) if field.name not in _SCALES]
        sums = {name: math.hypot(getattr(self, name), getattr(other, name)) for name in weights}
        scales = self if self.foot or not other.foot else other
        floor = self if self.torque_change or not other.torque_change else other
        return replace(scales, inertia_floor=floor.inertia_floor, **sums)

    @property
    def smooths(self) -> bool:
        """Whether every joint's path has a cost of its own, without which light joints run away."""
        return self.velocity > 0 or self.acceleration > 0 or self.jerk > 0
