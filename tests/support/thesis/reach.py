"""The thesis's first experiment: both arms from the sides of the body to dance position [Lake1990, section 7.1]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.dance.gestures import Gestures, Pose
from segue.dance.notation.model import Part
from segue.dance.planning.rest import HANGING
from segue.dance.simulation.classic.gains import Gains
from segue.dance.simulation.classic.limbs import LIMB_OF, LIMBS
from segue.dance.simulation.environment import Environment
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.plausibility.jumps import jerk_peak
from segue.typing import Array
from tests.support.thesis.body import DANCE, ClassicBody, Footing, gains_of
from tests.support.thesis.record import Record

NEAR = np.radians(2.0)
"""How near to its goal a limb has to be to have reached it, rad."""

PUNCTUAL = 0.03
"""How much later than it should a limb may come as near as that, s."""

SETTLE = 1.0
"""Seconds that are recorded after the time for the reach."""

_SHORTEST, _LONGEST = 0.3, 30.0  # s
_TIPS = ("left_knuckles", "right_knuckles")


@dataclass(frozen=True)
class Arrival:
    """How a limb came to its goal.

    arc: rad, the whole way. left: rad to go when its time was over. late: s, how much later than it should it came
    within 2 degrees to stay; None if it did not. beyond: rad, how far it went past its goal along its way. astray: rad,
    the most that it was ahead of the normal curve or behind it.
    """

    arc: float
    left: float
    late: float | None
    beyond: float
    astray: float

    @property
    def reached(self) -> bool:
        """Whether it was within 2 degrees of its goal in time, to within 30 ms, stayed, and did not overshoot more."""
        return self.left <= NEAR and self.late is not None and self.late <= PUNCTUAL and self.beyond <= NEAR


@dataclass(frozen=True, eq=False)
class ArmReach:
    """A reach to dance position that was given so many seconds, and the second after it; see `Record` for arrays.

    gains: of springs and dampers; None: whole-body control.
    """

    seconds: float
    gains: Gains | None
    footing: Footing
    record: Record

    @property
    def control(self) -> str:
        """What moved the limbs: the name of the gains, or "torque" for whole-body control."""
        return "torque" if self.gains is None else self.gains.name

    @property
    def times(self) -> Array:
        """Times of the frames, (T,) in s."""
        return self.record.times

    @property
    def motion(self) -> Motion:
        """The reach as a motion of the figure."""
        return self.record.motion

    @cached_property
    def limbs(self) -> tuple[str, ...]:
        """The limbs that moved: those that were not at their goal when it began."""
        return tuple(name for name, arc in zip(LIMBS, self.record.angles[0], strict=True) if arc > NEAR)

    def angles(self, limb: str) -> Array:
        """Return the angle from a limb to its goal over time, (T,) in rad."""
        return self.record.angles[:, _place(limb)]

    def desired(self, limb: str) -> Array:
        """Return what that angle was to be, by the normal distribution's curve, (T,) in rad."""
        return self.record.desired[:, _place(limb)]

    @cached_property
    def arrivals(self) -> Mapping[str, Arrival]:
        """How each limb that moved came to its goal."""
        return {limb: self._arrival(limb) for limb in self.limbs}

    def _arrival(self, limb: str) -> Arrival:
        away, wanted = self.angles(limb), self.desired(limb)
        errors = self.record.errors[:, _place(limb) == LIMB_OF]
        way = errors[0] / away[0]
        over = min(int(np.searchsorted(self.times, self.seconds - 1e-9)), len(away) - 1)
        stays, due = (np.flatnonzero(angle > NEAR)[-1] + 1 for angle in (away, wanted))
        return Arrival(
            arc=float(away[0]),
            left=float(away[over]),
            late=None if stays == len(away) else float(stays - due) / self.record.fps,
            beyond=float(max((-errors @ way).max(), 0.0)),
            astray=float(np.abs(away - wanted).max()),
        )

    @property
    def reached(self) -> bool:
        """Whether every limb reached its goal."""
        return all(arrival.reached for arrival in self.arrivals.values())

    @cached_property
    def jerk(self) -> float:
        """The largest jerk of either hand, m/s^3."""
        points = {name: self.record.figure.point(name, self.record.poses) for name in _TIPS}
        return jerk_peak(self.times, points, np.ones(len(self.times), bool)).largest

    def report(self) -> dict[str, Any]:
        """Return the figures of the reach, ready for JSON; the worst of all limbs where there are several."""
        arrivals, drift = self.arrivals.values(), self.record.drift
        lates = [arrival.late for arrival in arrivals]
        hardest, share = self.record.hardest
        return {
            "seconds": self.seconds,
            "control": self.control,
            "footing": str(self.footing),
            "reached": self.reached,
            "left_deg": _degrees(max(arrival.left for arrival in arrivals)),
            "late_ms": None if None in lates else round(1e3 * max(late for late in lates if late is not None), 1),
            "beyond_deg": _degrees(max(arrival.beyond for arrival in arrivals)),
            "astray_deg": _degrees(max(arrival.astray for arrival in arrivals)),
            "hand_jerk": round(self.jerk, 2),
            "drift_mm": round(1e3 * drift.pelvis, 2),
            "drift_deg": _degrees(drift.turn),
            "feet_mm": round(1e3 * drift.feet, 2),
            "hardest_joint": {"name": hardest, "share_of_strength": round(share, 3)},
            "outside_torque_Nm": None if self.footing is Footing.HELD else round(float(self.record.outside.max()), 2),
        }


def arm_reach(
    figure: Figure,
    seconds: float,
    *,
    gains: str | Gains = "scaled",
    footing: str = "standing",
    part: str = "leader",
    environment: Environment | None = None,
) -> ArmReach:
    """Return what comes of raising both arms from the sides of the body to dance position in so many seconds.

    gains: "scaled", "thesis", or constants of one's own. footing: "standing" on its own legs, "balanced" with the
    thesis's torque on the upper body besides, or "held" by the pelvis. part: whose dance position, "leader" or
    "follower". Limbs that have nowhere to go are maintained where they are.
    """
    checked_seconds(seconds)
    chosen, stands = gains_of(gains), Footing.of(footing)
    goal = dance_position(part)
    body = ClassicBody(figure, HANGING, chosen, stands, environment)
    body.aim(goal, seconds)
    body.run(seconds + SETTLE)
    return ArmReach(float(seconds), chosen, stands, body.record)


def checked_seconds(seconds: float) -> None:
    """Raise unless a reach can be given so many seconds."""
    if not (np.isfinite(seconds) and _SHORTEST <= seconds <= _LONGEST):
        raise ArgumentError(f"the reach is given {seconds} s: it must be from {_SHORTEST:g} to {_LONGEST:g} s")


def dance_position(part: str = "leader") -> Pose:
    """Return how the arms of a part are held in the ballroom frame."""
    if part not in list(Part):
        raise ArgumentError(f"the part is '{part}': it must be one of {', '.join(Part)}")
    return Gestures.load(DANCE, Part(part)).table[part].goals[-1]


def _place(limb: str) -> int:
    if limb not in LIMBS:
        raise ArgumentError(f"the figure has no limb '{limb}': it has {', '.join(LIMBS)}")
    return LIMBS.index(limb)


def _degrees(angle: float) -> float:
    return round(float(np.degrees(angle)), 3)
