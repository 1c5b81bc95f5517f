"""What came of a dance of two: both parts, and the hold between them.

Dancing with a partner: two bodies step by step at the same time, and what passes between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from segue.dance.notation.model import Part
from segue.dance.performance.couple import CouplePreview
from segue.dance.performance.hold import Holding, hold_of_dance
from segue.dance.planning.couple import Couple
from segue.dance.simulation.couple.forces import Between, HoldRecord
from segue.dance.simulation.couple.hold import arms_in_hold
from segue.dance.simulation.couple.lead import Lead
from segue.dance.simulation.dancer import FPS, STEPS, TICKS, Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import Ready
from segue.dance.simulation.push import Push, shoves_during
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import Progress
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


def simulate_couple(
    couple: Couple | CouplePreview,
    environment: Environment | None = None,
    *,
    holding: Holding | None = None,
    lead: Lead | None = None,
    pushes: Mapping[Part, Sequence[Push]] | None = None,
    progress: Progress | None = None,
) -> SimulatedCouple:
    """Dance both parts of a plan in hold, by the joint torques of two bodies, and return what came of it.

    couple: both plans, or a performance, whose plans and hold are taken. holding: that of the plan's dance if not
    given. lead: how well the follower is led. pushes: on whom. Who falls is let go by the partner; the dance ends when
    one lies. Ctrl-C ends it early; what was simulated so far is returned.
    """
    plan, chosen = _understood(couple, holding)
    led = lead or Lead()
    where = environment or Environment()
    arms = arms_in_hold(
        [Ready.of(part, where) for part in (plan.leader, led.followed(plan.follower))], chosen, led.delay
    )
    shoves = [list((pushes or {}).get(part, ())) for part in Part]
    leader, follower = (
        Dancer(ready, shoves_during(given, ready.course.plan.stop))
        for ready, given in zip(arms.ready, shoves, strict=True)
    )
    between = Between(arms, leader, follower)
    frames = int(max(leader.plan.stop, follower.plan.stop) * FPS) + 1
    interrupted = False
    try:
        for frame in range(frames):
            for dancer in between.dancers:
                dancer.record()
            between.record()
            for _ in range(TICKS):
                _tick(between)
            if progress is not None:
                progress(frame + 1, frames)
            if leader.done or follower.done:
                break
    except KeyboardInterrupt:
        if not between.recorded:
            raise
        interrupted = True
    whole = between.recorded  # Ctrl-C may have come when only one of the two had noted down the last frame
    leads, follows = (dancer.result(interrupted, whole) for dancer in between.dancers)
    return SimulatedCouple(leads, follows, between.result(), plan, chosen, led)


def _understood(couple: Couple | CouplePreview, holding: Holding | None) -> tuple[Couple, Holding]:
    """Return the plan and the hold that are meant."""
    if isinstance(couple, CouplePreview):
        return couple.plan, holding or couple.holding
    return couple, holding or hold_of_dance(couple.leader.steps[0].pattern.dance if couple.leader.steps else "")


def _tick(between: Between) -> None:
    """Let both dancers decide, and go on with the physics until the next decision."""
    leader, follower = between.dancers
    between.feel()
    leader.decide()
    follower.decide()
    for step in range(STEPS):
        leader.look(step)
        follower.look(step)
        between.meet()
        leader.move(step)
        follower.move(step)
    leader.feel()
    follower.feel()
