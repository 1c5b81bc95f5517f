"""How a cycle gets on: the even travel and turn that are taken out of it, and put back when it is repeated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from segue.curves import quaternion
from segue.motion.functions import Placement
from segue.motion.tracks import Sample, State
from segue.typing import Array

_UP = np.array([0.0, 1.0, 0.0])
_FULL = 2.0 * math.pi


def headings(rotations: Array) -> Array:
    """Return how far orientations (T, 4) are turned about the vertical, (T,) rad, without jumps.

    It is the turn that, followed by the least tilt, gives the orientation: defined for all but those upside down.
    """
    turned: Array = np.unwrap(quaternion.headings(rotations))
    return turned


@dataclass(frozen=True)
class Travel:
    """A frame that moves over the ground at an even pace: straight on, or round a circle.

    period: s. origin: (x, z) m, where the frame is at time 0. turn: rad a period; full turns spin on the spot, what is
    left of them bends the path. velocity: (x, z) m/s at time 0. rise: m a period, as on stairs.
    """

    period: float
    origin: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    velocity: tuple[float, float] = (0.0, 0.0)
    rise: float = 0.0

    @classmethod
    def between(cls, period: float, first: Array, last: Array, turn: float, rise: float = 0.0) -> Travel:
        """Return the travel that takes a place on the ground (x, z) to another in a period."""
        there = cls(period, (float(first[0]), float(first[1])), turn)
        along, across = _way(there.bend, np.array([period]))
        way = complex(along[0], across[0])
        # places on the floor as complex numbers z + i x: a turn about the vertical multiplies them
        velocity = complex(last[1] - first[1], last[0] - first[0]) / way
        return cls(period, there.origin, turn, (velocity.imag, velocity.real), rise)

    @property
    def rate(self) -> float:
        """How fast the frame turns, rad/s."""
        return self.turn / self.period

    @property
    def bend(self) -> float:
        """How fast its path turns, rad/s: full turns do not count."""
        return (self.turn - _FULL * round(self.turn / _FULL)) / self.period

    @property
    def step(self) -> Placement:
        """The move from one period to the next."""
        turn = self.bend * self.period
        x, rise, z = self._origins(np.array([self.period]))[0]
        back = Placement(turn).moved(np.array([self.origin[0], 0.0, self.origin[1]]))
        return Placement(turn, x - back[0], z - back[2], rise=rise)

    def _origins(self, times: Array) -> Array:
        """Return where the frame is, (T, 3)."""
        along, across = _way(self.bend, times)
        x, z = self.velocity
        height = self.rise / self.period * times
        return np.stack([self.origin[0] + along * x + across * z, height, self.origin[1] + along * z - across * x], 1)

    def _turns(self, times: Array) -> Array:
        return quaternion.about_up(self.rate * times)

    def seen(self, points: Array, times: Array) -> Array:
        """Return world positions (T, ..., 3) as seen from the frame at their times."""
        moved = points.copy()
        lifted = (len(times), *(1,) * (points.ndim - 2))
        for axis in range(3):
            moved[..., axis] -= self._origins(times)[:, axis].reshape(lifted)
        back = quaternion.conjugate(self._turns(times)).reshape(*lifted, 4)
        return quaternion.rotate(back, moved)

    def placed(self, points: Array, times: Array) -> Array:
        """Return positions (T, ..., 3) seen from the frame as world positions: undoes `seen`."""
        lifted = (len(times), *(1,) * (points.ndim - 2))
        moved = quaternion.rotate(self._turns(times).reshape(*lifted, 4), points)
        for axis in range(3):
            moved[..., axis] += self._origins(times)[:, axis].reshape(lifted)
        return moved

    def turned_back(self, rotations: Array, times: Array) -> Array:
        """Return world rotations (T, ..., 4) as seen from the frame."""
        back = quaternion.conjugate(self._turns(times))
        return quaternion.multiply(back.reshape(len(times), *(1,) * (rotations.ndim - 2), 4), rotations)

    def turned(self, rotations: Array, times: Array) -> Array:
        """Return rotations (T, ..., 4) seen from the frame as world rotations."""
        turns = self._turns(times)
        return quaternion.multiply(turns.reshape(len(times), *(1,) * (rotations.ndim - 2), 4), rotations)

    def carried(self, state: State, times: Array) -> State:
        """Return the state in the world of a figure whose root's state is given as seen from the frame."""
        turns, rate = self._turns(times), self.rate
        place, speed, push = state.root
        value = self.placed(place, times)
        swept = _swept(rate, place)
        moving = quaternion.rotate(turns, speed + swept)
        pushing = quaternion.rotate(turns, push + 2.0 * _swept(rate, speed) + _swept(rate, swept))
        bending = quaternion.about_up(self.bend * times)
        pace = quaternion.rotate(bending, np.array([self.velocity[0], self.rise / self.period, self.velocity[1]]))
        turn, angular, angular_push = (part.copy() for part in state.balls)
        turn[:, 0] = quaternion.multiply(turns, turn[:, 0])
        angular_push[:, 0] = quaternion.rotate(turns, angular_push[:, 0] + _swept(rate, angular[:, 0]))
        angular[:, 0] = quaternion.rotate(turns, angular[:, 0] + rate * _UP)
        return State(
            Sample(value, moving + pace, pushing + _swept(self.bend, pace)),
            Sample(turn, angular, angular_push),
            state.hinges,
        )


def _swept(rate: float, vectors: Array) -> Array:
    """Return the cross product of a turn about the vertical, in rad/s, and vectors (T, 3)."""
    return np.stack([rate * vectors[:, 2], np.zeros(len(vectors)), -rate * vectors[:, 0]], axis=1)


def _way(bend: float, times: Array) -> tuple[Array, Array]:
    """Return how far one gets along and across the first direction at a pace of 1 that bends: the integral of both."""
    half = 0.5 * bend * times
    # sin(b t) / b and (1 - cos(b t)) / b, exact for a path that does not bend
    chord = times * np.sinc(half / math.pi)
    return chord * np.cos(half), chord * np.sin(half)
