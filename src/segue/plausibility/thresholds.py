"""How much of what is still plausible."""

from __future__ import annotations

from dataclasses import dataclass, fields

from segue.errors import ArgumentError

__all__ = ["Thresholds"]


@dataclass(frozen=True)
class Thresholds:
    """The most that each measure may be; infinity: anything goes.

    Found by looking at what 47 captured clips show: walks, runs and jumps pass with room to spare, and most of what
    does not has a fault one can see (docs/check.md). slide_cm and penetration_cm: of points under the
    feet. limit_deg: of any joint beyond its limit; bend_deg: of knees and elbows, which are surer to measure. jump_deg
    and jump_cm: of a joint and of the root from frame to frame. jerk: m/s^3 of hands, feet, head and hips.
    flight_error: m/s^2 from free fall. effort: torque as a multiple of human strength.
    """

    slide_cm: float = 5.0
    penetration_cm: float = 5.0
    limit_deg: float = 35.0
    bend_deg: float = 15.0
    jump_deg: float = 20.0
    jump_cm: float = 5.0
    jerk: float = 5000.0
    flight_error: float = 5.0
    effort: float = 3.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value >= 0:
                raise ArgumentError(f"the threshold {field.name} is {value}: it must be a number, 0 or more")
