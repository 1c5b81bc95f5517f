"""How strong people are: torques that joints reach in a strong adult's best effort."""

from __future__ import annotations

from types import MappingProxyType

STRENGTH = MappingProxyType(
    {
        # legs: isometric maxima of young men, the stronger direction [Anderson2007], [Sarabon2021], rounded up
        "hip": 3.5,
        "knee": 3.5,
        "ankle": 2.5,
        # trunk and arms: round numbers of the order that dynamometers show
        "lower_back": 4.5,
        "neck": 1.0,
        "shoulder": 1.5,
        "elbow": 1.2,
        "wrist": 0.4,
    }
)
"""N m per kg of body mass. Clavicles and toes are not listed: they share their load with what no joint shows."""


def strength_of(joint: str) -> float | None:
    """Return the torque a joint of the figure reaches, N m per kg of body mass, or None where none is listed."""
    return STRENGTH.get(joint.removeprefix("left_").removeprefix("right_"))
