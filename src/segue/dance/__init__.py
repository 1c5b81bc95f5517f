"""Ballroom dance [Lake1990]: from notation to footsteps on the beat, and their performance by the figure.

from segue.dance import couple, solo

motion = solo("foxtrot/forward basic", bars=16)
both = couple("waltz/box step", tempo="90bpm")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segue.dance.performance import couple, measure, measure_couple, perform, perform_couple, planned, solo

__all__ = ["couple", "measure", "measure_couple", "perform", "perform_couple", "planned", "solo"]


def __getattr__(name: str) -> Any:
    """Return a function of the performance, which is imported when the first dance is: most motion is none."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module("segue.dance.performance"), name)


def __dir__() -> list[str]:
    return __all__
