"""Jerk: the third derivative, which [Flash1985] found arms to keep small."""

from __future__ import annotations

from segue.keyframe.penalties.smoothness import SquaredDerivative


class Jerk(SquaredDerivative):
    """The integral of squared jerk; see `SquaredDerivative` for its scale.

    A cubic's jerk jumps at its knots: between frames that are far apart this is a rough measure, and it gains more
    than others from subdivision.
    """

    name = "jerk"
    order = 3
