"""Persons of different size: how one walks the other's paths, on the same floor."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure
from segue.filling._support_kernels import point_paths
from segue.filling.supports import marks_of
from segue.motion.state import State
from segue.spacetime import SOLES
from segue.typing import Array

_SAME_SIZE = 0.01
_STANDING, _NEAR_FLOOR = 0.02, 0.1  # m above the lowest sole, and above the floor, within which a foot stands


def size_ratio(first: Figure, second: Figure) -> float:
    """Return by what to multiply the second person's paths so that the first one's legs can walk them.

    Legs that differ by less than measuring them does count as equal.
    """
    ratio = first.leg_length / second.leg_length
    return 1.0 if abs(ratio - 1.0) < _SAME_SIZE else ratio


def floor_rise(figure: Figure, other: Figure, state: State | None, scale: float) -> float:
    """Return by how much, in m, to lift a person who does what another does so that the feet stand on the same floor.

    Legs of the same length can still have thicker soles or longer feet. state: what the other does, where that is
    known; nobody is lifted where it is not. scale: see `size_ratio`.
    """
    if state is None:
        return 0.0
    root, _, _, balls, _, _, hinges, _, _ = state.parts
    own = _lowest(other, root, balls, hinges)
    worn = _lowest(figure, scale * root, balls, hinges)
    standing = (own < own.min() + _STANDING) & (own < _NEAR_FLOOR)
    return float(np.median((own - worn)[standing])) if standing.any() else 0.0


def _lowest(figure: Figure, root: Array, balls: Array, hinges: Array) -> Array:
    """Return the height of the lowest point of the soles in each pose, (T,)."""
    marks = marks_of(figure, SOLES)
    paths = point_paths(figure.tree, root, balls, hinges, marks.segments, marks.places)
    lowest: Array = paths[:, :, 1].min(axis=0)
    return lowest
