"""The other two limb motor programs on trial: an arm that is maintained under a push, and one that swings freely."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.curves.sampled import differentiated
from segue.dance.simulation.classic.gains import Gains
from segue.dance.simulation.classic.limbs import LIMBS
from segue.dance.simulation.push import Push
from segue.errors import ArgumentError
from segue.typing import Array
from tests.support.thesis.body import ClassicBody, Footing, gains_of
from tests.support.thesis.reach import NEAR, dance_position
from tests.support.thesis.record import Record

_AFTER = 2.0  # s that are recorded after a push
_LONGEST = 60.0  # s
_STILL = 0.05  # m/s of a hand that has come to rest


@dataclass(frozen=True, eq=False)
class PushedLimb:
    """A body in dance position, all limbs maintained, that was pushed."""

    push: Push
    gains: Gains
    record: Record

    @cached_property
    def _worst(self) -> Array:
        worst: Array = self.record.angles.max(axis=1)
        return worst

    @property
    def gave(self) -> float:
        """The farthest that any limb was moved out of its position, rad."""
        return float(self._worst.max())

    @property
    def yielding(self) -> str:
        """The limb that gave most."""
        return LIMBS[int(self.record.angles.max(axis=0).argmax())]

    @property
    def back(self) -> float | None:
        """How long after the push all limbs were within 2 degrees of their positions to stay, s; None if never."""
        away = np.flatnonzero(self._worst > NEAR)
        if not len(away):
            return 0.0
        if away[-1] == len(self._worst) - 1:
            return None
        return max(float(self.record.times[away[-1] + 1]) - self.push.time - self.push.duration, 0.0)

    @property
    def left(self) -> float:
        """How far the worst limb was out of its position in the end, rad."""
        return float(self._worst[-1])


@dataclass(frozen=True, eq=False)
class FreeSwing:
    """A body in dance position that let one arm go."""

    side: str
    gains: Gains
    record: Record

    @cached_property
    def hand(self) -> Array:
        """Where the knuckles are, (T, 3) in m."""
        return self.record.figure.point(f"{self.side}_knuckles", self.record.poses)

    @cached_property
    def raised(self) -> Array:
        """The angle between the line from shoulder to hand and the vertical, (T,) in rad; 0 hangs straight down."""
        joint = HUMAN.segments.index(f"{self.side}_upper_arm")
        line = self.hand - self.record.figure.forward(self.record.poses)[0][:, joint]
        raised: Array = np.arccos(np.clip(-line[:, 1] / np.linalg.norm(line, axis=1), -1.0, 1.0))
        return raised

    @property
    def settled(self) -> float | None:
        """When the hand had come to rest, s; None if it had not."""
        speed = np.linalg.norm(differentiated(self.hand, 1.0 / self.record.fps, 1), axis=1)
        moving = np.flatnonzero(speed > _STILL)
        return None if moving[-1] == len(speed) - 1 else float(self.record.times[moving[-1] + 1])


def pushed_limb(figure: Figure, push: Push, *, gains: str | Gains = "scaled", footing: str = "standing") -> PushedLimb:
    """Return what comes of pushing a body that stands in dance position and maintains all its limbs."""
    chosen = gains_of(gains)
    body = ClassicBody(figure, dance_position(), chosen, Footing.of(footing))
    body.run(push.time + push.duration + _AFTER, (push,))
    return PushedLimb(push, chosen, body.record)


def free_swing(
    figure: Figure, seconds: float, *, side: str = "left", gains: str | Gains = "scaled", footing: str = "standing"
) -> FreeSwing:
    """Return what comes of letting one arm go in dance position, for so many seconds; other limbs are maintained."""
    if side not in ("left", "right"):
        raise ArgumentError(f"the side is '{side}': it must be left or right")
    if not (np.isfinite(seconds) and 0.0 < seconds <= _LONGEST):
        raise ArgumentError(f"the arm swings for {seconds} s: it must be more than 0 and at most {_LONGEST:g} s")
    chosen = gains_of(gains)
    body = ClassicBody(figure, dance_position(), chosen, Footing.of(footing))
    body.limbs.release(joint for joint in HUMAN.groups[f"{side}_arm"] if not joint.endswith("clavicle"))
    body.run(seconds)
    return FreeSwing(side, chosen, body.record)
