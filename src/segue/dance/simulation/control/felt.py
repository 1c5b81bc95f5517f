"""What a dancer feels of forces from outside, and takes into account: those of a partner's hands."""

from __future__ import annotations

from typing import NamedTuple

from segue.typing import Array


class Felt(NamedTuple):
    """Forces as the body controller reckons with them.

    torques: (44,) what they come to in each degree of freedom; the body then foresees them. giving: (44,) accelerations
    by which limbs give way to them. shift: (3,) m by which the centre of mass does, beside its course.
    """

    torques: Array
    giving: Array
    shift: Array
