"""Persons of different size: how one walks the other's paths, on the same floor."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.spacetime import SOLES
from segue.transition._support_kernels import point_paths
from segue.transition.supports import marks_of

__all__ = ["floor_rise", "size_ratio"]

_SAME_SIZE = 0.01
_LOOK, _LOOKS = 1.0, 12  # s of the second motion, and at how many times, in which feet are looked for on the floor
_STANDING, _NEAR_FLOOR = 0.02, 0.1  # m above the lowest sole, and above the floor, within which a foot stands


def size_ratio(first: Figure, second: Figure) -> float:
    """Return by what to multiply the second person's paths so that the first one's legs can walk them.

    Legs that differ by less than measuring them does count as equal.
    """
    ratio = _leg(first) / _leg(second)
    return 1.0 if abs(ratio - 1.0) < _SAME_SIZE else ratio


def _leg(figure: Figure) -> float:
    return figure.build.thigh + figure.build.shank + figure.build.sole


def floor_rise(figure: Figure, second: Motion, enter: float, scale: float) -> float:
    """Return by how much, in m, to lift a person who does what another does so that the feet stand on the same floor.

    Legs of the same length can still have thicker soles or longer feet. scale: see `size_ratio`.
    """
    times = np.linspace(enter, min(second.stop, enter + _LOOK), _LOOKS)
    try:
        root, _, _, balls, _, _, hinges, _, _ = second.state(times).parts
    except ArgumentError:
        return 0.0  # it has a gap there, whose feet are nowhere
    own = _lowest(second.figure, root, balls, hinges)
    worn = _lowest(figure, scale * root, balls, hinges)
    standing = (own < own.min() + _STANDING) & (own < _NEAR_FLOOR)
    return float(np.median((own - worn)[standing])) if standing.any() else 0.0


def _lowest(figure: Figure, root: Array, balls: Array, hinges: Array) -> Array:
    """Return the height of the lowest point of the soles in each pose, (T,)."""
    marks = marks_of(figure, SOLES)
    paths = point_paths(figure.tree, root, balls, hinges, marks.segments, marks.places)
    lowest: Array = paths[:, :, 1].min(axis=0)
    return lowest
