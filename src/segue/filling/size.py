"""Scale the paths of one person to the size of another, on the same floor."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure
from segue.filling._support_kernels import point_paths
from segue.filling.supports import body_points
from segue.motion.ground import Ground
from segue.motion.state import State
from segue.spacetime import SOLES
from segue.typing import Array

_SAME_SIZE = 0.01
_STANDING, _NEAR_FLOOR = 0.02, 0.1  # m above the lowest sole, and above the ground, within which a foot stands


def size_ratio(first: Figure, second: Figure) -> float:
    """Return the factor on the second person's paths that fits them to the first person's legs.

    Leg lengths that differ by less than 1 % count as equal.
    """
    ratio = first.leg_length / second.leg_length
    return 1.0 if abs(ratio - 1.0) < _SAME_SIZE else ratio


def floor_rise(figure: Figure, other: Figure, state: State | None, scale: float, ground: Ground | None = None) -> float:
    """Return the height in m to add to another person's motion so that the figure's feet stand on the same floor.

    Persons with equal leg lengths can differ in the soles. state: of the other person; the result is 0 where None.
    scale: see `size_ratio`. ground: under the other person, level at 0 where None.
    """
    if state is None:
        return 0.0
    root, _, _, balls, _, _, hinges, _, _ = state.parts
    own = _soles(other, root, balls, hinges)
    above = (own[:, :, 1] if ground is None else ground.above(own)).min(axis=0)
    standing = (above < above.min() + _STANDING) & (above < _NEAR_FLOOR)
    scaled = _soles(figure, scale * root, balls, hinges)
    lift = own[:, :, 1].min(axis=0) - scaled[:, :, 1].min(axis=0)
    return float(np.median(lift[standing])) if standing.any() else 0.0


def _soles(figure: Figure, root: Array, balls: Array, hinges: Array) -> Array:
    """Return the points of the soles in each pose, (P, T, 3)."""
    named = body_points(figure, SOLES)
    paths: Array = point_paths(figure.tree, root, balls, hinges, named.segments, named.places)
    return paths
