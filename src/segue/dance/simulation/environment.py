"""Where a dancer dances: gravity, and a floor with friction, stiffness and damping."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType

import numpy as np

from segue.dynamics import GRAVITY
from segue.errors import ArgumentError, FileFormatError
from segue.tables import read_text, toml_table

__all__ = ["GRAVITIES", "Environment"]

GRAVITIES = MappingProxyType({"earth": -GRAVITY[1], "moon": 1.62, "mars": 3.71})
"""Acceleration of free fall in m/s^2 at places that have a name."""


@dataclass(frozen=True)
class Environment:
    """Gravity and floor.

    gravity: m/s^2, downwards. friction: coefficient between sole and floor; 0.6 is a usual one [Lake1990, 5.5.3], 0.05
    is ice. yielding: s, the time in which the floor pushes out what has sunk into it; the shorter, the stiffer.
    damping: of that, 1 for critical; with less the floor is a trampoline.
    """

    gravity: float = GRAVITIES["earth"]
    friction: float = 0.6
    yielding: float = 0.01
    damping: float = 1.0

    def __post_init__(self) -> None:
        for name, least, most, meaning in _RANGES:
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and np.isfinite(value) and least <= value <= most):
                raise ArgumentError(f"{name} is {value}: it must be {meaning}, from {least:g} to {most:g}")

    @classmethod
    def read(cls, path: str | Path) -> Environment:
        """Return the environment of a TOML file; what it does not tell is as usual, gravity may be a name."""
        text = read_text(path, "environment", "TOML")
        table = toml_table(text, path, ", such as friction = 0.4")
        known = [field.name for field in fields(cls)]
        for name, value in table.items():
            line = next((k for k, row in enumerate(text.splitlines(), 1) if row.strip().startswith(name)), None)
            if name not in known:
                raise FileFormatError(f"an environment has no '{name}': it has {', '.join(known)}", path, line)
            try:
                table[name] = gravity_of(value) if name == "gravity" else value
                cls(**{name: table[name]})
            except ArgumentError as error:
                raise FileFormatError(str(error), path, line) from None
        return cls(**table)


def gravity_of(value: str | float) -> float:
    """Return gravity in m/s^2 from a number, or a place such as "moon"."""
    if isinstance(value, str) and value.lower() in GRAVITIES:
        return GRAVITIES[value.lower()]
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"gravity is '{value}': it must be {', '.join(GRAVITIES)} or a number of m/s^2") from None


_RANGES = (
    ("gravity", 0.1, 30.0, "an acceleration in m/s^2"),
    ("friction", 0.0, 2.0, "a coefficient of friction"),
    ("yielding", 0.004, 0.2, "a time in s"),
    ("damping", 0.05, 3.0, "a damping ratio"),
)
