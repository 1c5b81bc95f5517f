"""Objectives: weights of the costs that the solver minimises; a sum of objectives is an objective, and can be named."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from segue.checks import hint, number, shown
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
            above = 0.0 if field.name in _SCALES else -math.inf
            number(f"the objective's {field.name}", getattr(self, field.name), above=above, least=0.0)

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


def torque(weight: float = 1.0, acceleration: float = 0.5) -> Objective:
    """Return the integral of squared torques, [Rose1996, section 3.2.3], with a little of squared accelerations.

    Without the latter, axes that hardly any mass turns about (forearm twist, wrists, toes) can do what they like.
    """
    return Objective(torque=weight, acceleration=acceleration)


def torque_change(weight: float = 1.0, jerk: float = 0.3) -> Objective:
    """Return the integral of squared rates of torques, each against the inertia about its joint, with a little jerk.

    The minimum torque-change model of human reaching, [Uno1989], with every joint counted in units of its own inertia.
    """
    return Objective(torque_change=weight, jerk=jerk)


def jerk(weight: float = 1.0) -> Objective:
    """Return the integral of squared third derivatives, the minimum-jerk model of [Flash1985] joint by joint."""
    return Objective(jerk=weight)


def velocity(weight: float = 100.0, jerk: float = 0.3) -> Objective:
    """Return the integral of squared velocities, with a little jerk to keep the ends from kinking."""
    return Objective(velocity=weight, jerk=jerk)


def foot(weight: float = 3000.0, *, speed: float = 0.3, height: float = 0.4, jerk: float = 0.3) -> Objective:
    """Return the robust cost of the feet's speed near the floor, with a little jerk for all other joints."""
    return Objective(foot=weight, foot_speed=speed, foot_height=height, jerk=jerk)


def natural() -> Objective:
    """Return change of torques, jerk, velocity and the foot term, in the proportions that filled real gaps best."""
    return torque_change(1.0, jerk=0.3) + velocity(100.0, jerk=0.0) + foot(3000.0, jerk=0.0)


_FACTORIES: tuple[Callable[[], Objective], ...] = (natural, torque, torque_change, jerk, velocity, foot)
_objectives = {factory.__name__: factory() for factory in _FACTORIES}
_BUILT_IN = frozenset(_objectives)

OBJECTIVES: Mapping[str, Objective] = MappingProxyType(_objectives)
"""Objectives by name, with their usual weights."""


def objective_named(objective: Objective | str) -> Objective:
    """Return an objective given itself or its name; it must give every joint's path a cost of its own."""
    if isinstance(objective, str):
        if objective not in OBJECTIVES:
            raise ArgumentError(f"there is no objective '{objective}': {hint(objective, OBJECTIVES, 'there are')}")
        return OBJECTIVES[objective]
    if not isinstance(objective, Objective):
        raise ArgumentError(f"the objective is {shown(objective)}: a name or an Objective is needed")
    if not objective.smooths:
        raise ArgumentError(
            "the objective has no cost of velocity, acceleration or jerk, without which light joints run away: add one"
        )
    return objective


def register_objective(name: str, objective: Objective) -> None:
    """Give an objective a name by which Python, the language and the command line know it.

    A registered name can be registered again; the names of Segue's own objectives cannot.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise ArgumentError(f"the objective's name is {name!r}: it must be one word of letters, digits and underscores")
    if name in _BUILT_IN:
        raise ArgumentError(f"the objective '{name}' is Segue's own: choose another name")
    if not isinstance(objective, Objective):
        raise ArgumentError(f"the objective '{name}' is {shown(objective)}: an Objective is needed")
    _objectives[name] = objective_named(objective)
