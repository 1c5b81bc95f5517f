"""Objectives: what a motion should minimise, one file each; any sum of them is an objective too, and can get a name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from segue.errors import ArgumentError
from segue.spacetime.objectives.foot import foot
from segue.spacetime.objectives.jerk import jerk
from segue.spacetime.objectives.natural import natural
from segue.spacetime.objectives.objective import Objective
from segue.spacetime.objectives.torque import torque
from segue.spacetime.objectives.torque_change import torque_change
from segue.spacetime.objectives.velocity import velocity

__all__ = [
    "OBJECTIVES",
    "Objective",
    "foot",
    "jerk",
    "natural",
    "objective_named",
    "register_objective",
    "torque",
    "torque_change",
    "velocity",
]

_FACTORIES: tuple[Callable[[], Objective], ...] = (natural, torque, torque_change, jerk, velocity, foot)
_objectives = {factory.__name__: factory() for factory in _FACTORIES}
_BUILT_IN = frozenset(_objectives)

OBJECTIVES: Mapping[str, Objective] = MappingProxyType(_objectives)
"""Objectives by name, with their usual weights."""


def objective_named(objective: Objective | str) -> Objective:
    """Return an objective given itself or its name; it must give every joint's path a cost of its own."""
    if isinstance(objective, str):
        if objective not in OBJECTIVES:
            raise ArgumentError(f"there is no objective '{objective}': there are {', '.join(OBJECTIVES)}")
        return OBJECTIVES[objective]
    if not isinstance(objective, Objective):
        raise ArgumentError(f"the objective is {objective!r}: a name or an Objective is needed")
    if not objective.smooths:
        raise ArgumentError(
            "the objective has no cost of velocity, acceleration or jerk, without which light joints run away: add one"
        )
    return objective


def register_objective(name: str, objective: Objective) -> None:
    """Give an objective a name by which Python, the language and the command line know it.

    A name can be given anew; those of Segue's own objectives cannot.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise ArgumentError(f"the objective's name is {name!r}: it must be one word of letters, digits and underscores")
    if name in _BUILT_IN:
        raise ArgumentError(f"the objective '{name}' is Segue's own: choose another name")
    if not isinstance(objective, Objective):
        raise ArgumentError(f"the objective '{name}' is {objective!r}: an Objective is needed")
    _objectives[name] = objective_named(objective)
