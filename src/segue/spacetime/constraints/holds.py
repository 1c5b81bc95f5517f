"""Holds: points of the body that stay on a path, such as a planted heel."""

from __future__ import annotations

from dataclasses import dataclass

from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Hold:
    """A named point of the figure that is to follow a path at some of a gap's samples.

    point: name as in `Figure.points`. weights: (S,), 0 where the point is free, 1 where it is held. path: (S, 3) in m.
    """

    point: str
    weights: Array
    path: Array
