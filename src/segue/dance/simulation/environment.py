"""Gravity, and a floor with friction, stiffness and damping."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from segue import checks
from segue.dance.behaviour.environment import Ground
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError

GRAVITIES = MappingProxyType({"earth": -GRAVITY[1], "moon": 1.62, "mars": 3.71})
"""Gravity in m/s^2 by name of the place."""


@dataclass(frozen=True)
class Environment:
    """Gravity and floor.

    gravity: m/s^2, downwards. friction: coefficient between sole and floor; 0.6 is usual [Lake1990, 5.5.3], 0.05 is
    ice. yielding: s, time constant in which the floor pushes out a body that has sunk in; a shorter time is a stiffer
    floor. damping: ratio, 1 is critical; a floor with less is a trampoline. believed_friction: coefficient that the
    dancer assumes, None: the true one. A dancer that assumes too much friction slides.
    """

    gravity: float = GRAVITIES["earth"]
    friction: float = 0.6
    yielding: float = 0.01
    damping: float = 1.0
    believed_friction: float | None = None

    def __post_init__(self) -> None:
        for name, least, most, meaning in _RANGES:
            value = getattr(self, name)
            if value is not None or name != "believed_friction":
                needed = f"it must be {meaning}, from {least:g} to {most:g}"
                object.__setattr__(self, name, checks.number(name, value, least=least, most=most, needed=needed))

    @property
    def expected_friction(self) -> float:
        """Friction that the dancer's controller assumes."""
        return self.friction if self.believed_friction is None else self.believed_friction

    @classmethod
    def of(cls, ground: Ground) -> Environment:
        """Return the gravity and floor of a dance evening's ground."""
        return cls(ground.gravity, ground.friction, ground.yielding, ground.damping)


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
    ("believed_friction", 0.0, 2.0, "a coefficient of friction"),
    ("yielding", 0.004, 0.2, "a time in s"),
    ("damping", 0.05, 3.0, "a damping ratio"),
)
