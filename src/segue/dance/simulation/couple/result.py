"""What came of a dance of two: both parts, and the hold between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from segue.dance.performance.hold import Holding
from segue.dance.planning.couple import Couple
from segue.dance.simulation.couple.lead import Lead
from segue.dance.simulation.couple.record import HoldRecord
from segue.dance.simulation.result import SimulatedDance
from segue.motion.motion import Motion


@dataclass(frozen=True, eq=False)
class SimulatedCouple:
    """A dance of two bodies with mass. plan: what both share; the follower's own dance has it as she was led."""

    leader: SimulatedDance
    follower: SimulatedDance
    hold: HoldRecord
    plan: Couple
    holding: Holding
    lead: Lead

    @property
    def parts(self) -> dict[str, SimulatedDance]:
        """Both dances by part."""
        return {"leader": self.leader, "follower": self.follower}

    @property
    def motions(self) -> dict[str, Motion]:
        """Both motions by part, on one floor."""
        return {part: dance.motion for part, dance in self.parts.items()}

    @property
    def fallen(self) -> tuple[str, ...]:
        """Who fell."""
        return tuple(part for part, dance in self.parts.items() if dance.fall is not None)

    @property
    def interrupted(self) -> bool:
        """Whether the dance was ended before its time."""
        return self.leader.interrupted

    def report(self) -> dict[str, Any]:
        """Return the figures of both dances and of the hold, ready for JSON.

        The follower's landings are measured from her own plan, which is late by the lead's delay.
        """
        return {
            **{part: dance.report() for part, dance in self.parts.items()},
            "hold": {"kind": str(self.holding), **self.hold.report()},
            "lead": {
                "delay_ms": round(1e3 * self.lead.delay, 1),
                "error_mm": round(1e3 * self.lead.error, 1),
                "seed": self.lead.seed,
            },
        }
