"""Values of one track or of the whole figure at some times, with velocities and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves.quaternion_kernels import kernel_array
from segue.motion._state_kernels import Parts
from segue.typing import Array


class Sample(NamedTuple):
    """Values at some times and their first two time derivatives.

    Positions: (T, 3) m, m/s, m/s^2. Angles: (T,) rad, ... . Rotations: value (T, 4) unit quaternions, velocity and
    acceleration (T, 3) angular, in the parent's frame, rad/s and rad/s^2.
    """

    value: Array
    velocity: Array
    acceleration: Array


class State(NamedTuple):
    """The whole figure at some times, with its first two time derivatives.

    root: values (T, 3). balls: values (T, 7, 4), velocity and acceleration (T, 7, 3) angular, in the parent's frame.
    hinges: (T, 20). Orders and units as in `Poses` and `Sample`.
    """

    root: Sample
    balls: Sample
    hinges: Sample

    @classmethod
    def of_parts(cls, parts: Parts) -> State:
        """Return the state of nine arrays in the order of its fields."""
        return cls(Sample(*parts[:3]), Sample(*parts[3:6]), Sample(*parts[6:]))

    @classmethod
    def joined(cls, states: Sequence[State]) -> State:
        """Return states concatenated in time."""
        return cls.of_parts(tuple(map(np.concatenate, zip(*(state.parts for state in states), strict=True))))  # type: ignore[arg-type]

    @classmethod
    def still(cls, count: int) -> State:
        """Return the zero pose at rest, `count` times."""
        zero = Poses.zero(count)
        turning = np.zeros((2, count, len(HUMAN.ball_names), 3))
        return cls(
            Sample(zero.root, *np.zeros((2, *zero.root.shape))),
            Sample(zero.balls, *turning),
            Sample(zero.hinges, *np.zeros((2, *zero.hinges.shape))),
        )

    def rows(self, first: int, last: int | None) -> State:
        """Return the state at times number `first` to `last` - 1, or to the end; its arrays are views of this one's."""
        chosen = slice(first, last)
        return State.of_parts(tuple([part[chosen] for sample in self for part in sample]))  # type: ignore[arg-type]

    @property
    def parts(self) -> Parts:
        """The nine arrays in the order of the fields, for the kernels."""
        a, b, c, d, e, f, g, h, i = map(kernel_array, (*self.root, *self.balls, *self.hinges))
        return a, b, c, d, e, f, g, h, i

    @property
    def poses(self) -> Poses:
        """The poses alone."""
        return Poses(self.root.value, self.balls.value, self.hinges.value)

    def of(self, track: str) -> Sample:
        """Return one track's sample; its arrays are views of the state's."""
        field, index = _PLACES[track]
        sample: Sample = self[field]
        return sample if index is None else Sample(*(part[:, index] for part in sample))


_PLACES: dict[str, tuple[int, int | None]] = {"root_position": (0, None)}
_PLACES |= {name: (1, k) for k, name in enumerate(HUMAN.ball_names)}
_PLACES |= {name: (2, k) for k, name in enumerate(HUMAN.hinge_names)}
