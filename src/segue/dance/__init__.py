"""Ballroom dance [Lake1990]: patterns in notation become footsteps on the beat, and motions of one figure or of two.

from segue.dance import preview, preview_couple

motion = preview("foxtrot/forward basic", bars=16)
both = preview_couple("waltz/box step", tempo="90bpm")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segue.dance.performance.couple import preview_couple
    from segue.dance.performance.measure import measure, measure_couple
    from segue.dance.performance.solo import preview
    from segue.dance.planning.planner import plan
    from segue.dance.simulation.couple.simulated import simulate_couple
    from segue.dance.simulation.solo import simulate

__all__ = ["measure", "measure_couple", "plan", "preview", "preview_couple", "simulate", "simulate_couple"]
_MODULES = {
    "measure": "performance.measure",
    "measure_couple": "performance.measure",
    "plan": "planning",
    "preview": "performance.solo",
    "preview_couple": "performance.couple",
    "simulate": "simulation",
    "simulate_couple": "simulation.couple",
}


def __getattr__(name: str) -> Any:
    """Import the module of a function when the function is first used: most programs do not dance."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"segue.dance.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
