"""Ballroom dance [Lake1990]: from notation to footsteps on the beat, and their performance by the figure.

from segue.dance import couple, solo

motion = solo("foxtrot/forward basic", bars=16)
both = couple("waltz/box step", tempo="90bpm")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segue.dance.performance import couple, measure, measure_couple, perform, perform_couple, planned, solo
    from segue.dance.simulation import simulate
    from segue.dance.simulation.couple import simulate_couple

__all__ = [
    "couple",
    "measure",
    "measure_couple",
    "perform",
    "perform_couple",
    "planned",
    "simulate",
    "simulate_couple",
    "solo",
]
_MODULES = {"simulate": "segue.dance.simulation", "simulate_couple": "segue.dance.simulation.couple"}


def __getattr__(name: str) -> Any:
    """Import the module of a function when the function is first used: most programs do not dance."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(_MODULES.get(name, "segue.dance.performance")), name)


def __dir__() -> list[str]:
    return __all__
