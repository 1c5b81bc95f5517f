"""What a dancer feels of forces from outside, and takes into account: those of a partner's hands."""

from __future__ import annotations

from typing import NamedTuple

from segue.curves.quaternion import Array

__all__ = ["Felt"]


class Felt(NamedTuple):
    """Forces as the body controller reckons with them.

    torques: (44,) what they come to in each degree of freedom; the balance then foresees them. shift: (3,) m by which
    the course of the centre of mass is moved: the dancer yields.
    """

    torques: Array
    shift: Array
