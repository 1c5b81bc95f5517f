"""The character level: what a dancer wants in the long run, and with what habits of movement [Lake1990, section 4.1].

Without it all dancers who know the same patterns would dance alike. It shifts the triggers and priorities of the
behaviours (`segue.dance.behaviour.processes`) and the size and timing of every step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from segue.dance.behaviour.settings import check_settings, setting
from segue.dance.planning.style import Style

_NEAREST, _FARTHEST = 0.06, 0.3  # m of free floor that the boldest and the shyest keep around themselves


@dataclass(frozen=True)
class Character:
    """Long-term goals and temper, each from 0 to 1."""

    drive: float = setting(0.7, "how keen to travel along the line of dance", least=0, most=1)
    boldness: float = setting(0.5, "how near to others: the shy give way early and keep far", least=0, most=1)
    ambition: float = setting(0.5, "how difficult patterns may be", least=0, most=1)
    variety: float = setting(0.5, "how soon a pattern is dull", least=0, most=1)
    musicality: float = setting(0.6, "how much it matters that patterns begin with bars", least=0, most=1)

    def __post_init__(self) -> None:
        check_settings(self, "the character")

    @property
    def room(self) -> float:
        """The free floor in m that the dancer keeps around the couple."""
        return _FARTHEST + (_NEAREST - _FARTHEST) * self.boldness

    @classmethod
    def by_lot(cls, chance: np.random.Generator) -> Character:
        """Return a character drawn by lot, none of them extreme."""
        return cls(*(round(each, 2) for each in chance.uniform(0.25, 0.95, 5).tolist()))


@dataclass(frozen=True)
class Habits:
    """How steps are taken: what the planner is told."""

    step_size: float = setting(1.0, "length of steps, times the usual", least=0.5, most=1.3)
    lean: float = setting(0.0, "posture: degrees that the trunk leans forward", least=-10, most=10)
    rise: float = setting(1.0, "rise and fall, times the usual", least=0, most=2)
    timing: float = setting(0.0, "ms that steps are off the beat, at most", least=0, most=60)

    def __post_init__(self) -> None:
        check_settings(self, "the dancer")

    def style(self, seed: int = 0) -> Style:
        """Return the habits as the planner takes them; seed: of the timing."""
        return Style(self.step_size, math.radians(self.lean), 1e-3 * self.timing, self.rise, seed)

    @classmethod
    def by_lot(cls, chance: np.random.Generator) -> Habits:
        """Return habits drawn by lot."""
        step_size, lean, rise, timing = chance.uniform((0.85, -2.0, 0.7, 0.0), (1.05, 3.0, 1.2, 15.0)).tolist()
        return cls(round(step_size, 3), round(lean, 1), round(rise, 2), round(timing, 1))
