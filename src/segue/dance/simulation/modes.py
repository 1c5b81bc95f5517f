"""How a plan is danced: by joint torques alone, with a helping torque, or by the thesis's own motor control."""

from __future__ import annotations

from enum import StrEnum

from segue.errors import ArgumentError


class Mode(StrEnum):
    """Who keeps the dancer up."""

    TORQUE = "torque"
    """Its own joints, by whole-body control; nothing acts from outside."""

    ASSISTED = "assisted"
    """The same, and a bounded torque on the upper body from outside where it begins to fall."""

    CLASSIC = "classic"
    """Springs and dampers of single limbs, and the thesis's torque on the upper body [Lake1990, chapter 6]."""

    @classmethod
    def of(cls, name: str) -> Mode:
        """Return the mode of a name."""
        if name not in list(cls):
            raise ArgumentError(f"the mode is '{name}': it must be one of {', '.join(cls)}")
        return cls(name)
