"""Gestures: what the symbols of the notation mean for the limbs of the figure [Lake1990, section 5.4]."""

from segue.dance.gestures.anatomy import MOVEMENTS, Orientation, Pose
from segue.dance.gestures.gestures import (
    SHIPPED,
    SYMBOLS,
    Category,
    Gesture,
    GestureFile,
    Gestures,
    movers_of,
    read_gestures,
    shipped_gestures,
)

__all__ = [
    "MOVEMENTS",
    "SHIPPED",
    "SYMBOLS",
    "Category",
    "Gesture",
    "GestureFile",
    "Gestures",
    "Orientation",
    "Pose",
    "movers_of",
    "read_gestures",
    "shipped_gestures",
]
