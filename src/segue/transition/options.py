"""How gaps are filled: objective, coefficients, supports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.spacetime.objectives import Objective, objective_named

__all__ = ["OptionNames", "Options", "options_of"]

_MOST_COEFFICIENTS = 40


@dataclass(frozen=True)
class Options:
    """How gaps are filled.

    objective: what to minimise, a name or an `Objective`. coefficients: free spline coefficients a joint; chosen from
    the gap's length where None. supports: what to do with points that can carry weight, by name ("left_foot",
    "right_hand", "left_heel", ...): "auto" holds it where both sides show it at rest, "enforce" holds it all through
    the gap, "never" leaves it free. limits: whether joint limits are kept. tolerance: a solve has converged
    when another step would gain less than this part of the energy. iterations: at most in each solve. stop: an
    array of one number; another thread may set it to 1 to end the solves where they are.
    """

    objective: Objective | str = "natural"
    coefficients: int | None = None
    supports: Mapping[str, str] = field(default_factory=dict)
    limits: bool = True
    tolerance: float = 3e-4
    iterations: int = 60
    stop: npt.NDArray[np.int64] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "objective", objective_named(self.objective))
        if self.coefficients is not None and not (
            isinstance(self.coefficients, int) and 1 <= self.coefficients <= _MOST_COEFFICIENTS
        ):
            raise ArgumentError(
                f"coefficients is {self.coefficients}: it must be a whole number from 1 to {_MOST_COEFFICIENTS}"
            )

    @property
    def goal(self) -> Objective:
        """The objective itself."""
        return objective_named(self.objective)


class OptionNames(TypedDict, total=False):
    """The fields of `Options` as keyword arguments."""

    objective: Objective | str
    coefficients: int | None
    supports: Mapping[str, str]
    limits: bool
    tolerance: float
    iterations: int
    stop: npt.NDArray[np.int64] | None


def options_of(names: OptionNames) -> Options:
    """Return the options given by name."""
    known = [each.name for each in fields(Options)]
    for name in names:
        if name not in known:
            raise ArgumentError(f"there is no option '{name}': there are {', '.join(known)}")
    return Options(**names)
