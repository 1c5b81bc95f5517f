"""Acceleration: the path of least squared acceleration is the natural cubic spline, from which other aims depart."""

from __future__ import annotations

from segue.keyframe.penalties.smoothness import SquaredDerivative


class Acceleration(SquaredDerivative):
    """The integral of squared acceleration; see `SquaredDerivative` for its scale."""

    name = "acceleration"
    order = 2
