"""A dancer's own way of dancing: how large the steps, how upright, how exactly on the beat."""

from __future__ import annotations

import math
from dataclasses import dataclass

from segue.errors import ArgumentError

_RANGES = {
    "step_size": (0.2, 1.6, "a factor"),
    "lean": (-0.35, 0.35, "rad"),
    "timing": (0.0, 0.1, "s"),
    "rise": (0.0, 2.0, "a factor"),
}


@dataclass(frozen=True)
class Style:
    """How one dancer differs from another.

    step_size: factor on the length of steps. lean: rad that the upper body inclines forward; back, if negative.
    timing: s by which landings miss the beat at most, early or late, as the seed has it. rise: factor on rise and fall.
    """

    step_size: float = 1.0
    lean: float = 0.0
    timing: float = 0.0
    rise: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (low, high, unit) in _RANGES.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ArgumentError(f"the style's {name} is {value}: it must be {unit} from {low:g} to {high:g}")
        if self.seed < 0:
            raise ArgumentError(f"the style's seed is {self.seed}: it must be 0 or a positive whole number")


PLAIN = Style()
"""As the dance is taught: on the beat, with steps of the usual size."""
