"""Simulate a couple: two bodies in step, the forces between them, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from segue.dance.course.couple import CoupleCourse
from segue.dance.course.hold import Holding, hold_of_dance
from segue.dance.notation.model import Part
from segue.dance.performance.couple import CouplePreview
from segue.dance.planning.couple import Couple
from segue.dance.simulation.couple.forces import CoupleForces, HoldRecord
from segue.dance.simulation.couple.hold import ArmsInHold
from segue.dance.simulation.couple.lead import Lead
from segue.dance.simulation.dancer import FPS, STEPS, TICKS, Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import check_plan
from segue.dance.simulation.push import Push, push_forces
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import Progress
from segue.motion.motion import Motion


@dataclass(frozen=True, eq=False)
class SimulatedCouple:
    """A dance of two bodies with mass; plan: shared by both. The follower's dance has her own, led plan."""

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
        """The parts that fell."""
        return tuple(part for part, dance in self.parts.items() if dance.fall is not None)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the dance."""
        return self.leader.interrupted

    def report(self) -> dict[str, Any]:
        """Return the results of both dances and of the hold as JSON values.

        The follower's landings are measured from her own plan, which has the delay of the lead.
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
    """Simulate both parts of a plan in hold, by the joint torques of two bodies.

    couple: both plans, or a preview, whose plans and hold are used. holding: the hold; that of the dance by default.
    lead: how well the follower is led. pushes: by part. If one partner falls, both release the hold, and the dance ends
    when one lies. Ctrl-C ends the dance early, and the part that was simulated is returned.
    """
    plan, chosen = _understood(couple, holding)
    led = lead or Lead()
    where = environment or Environment()
    plans = (plan.leader, led.follower_plan(plan.follower))
    for part in plans:
        check_plan(part)
    arms = ArmsInHold.of(CoupleCourse.of(*plans, chosen, where.gravity, led.delay), chosen, where)
    shoves = [list((pushes or {}).get(part, ())) for part in Part]
    leader, follower = (
        Dancer(ready, push_forces(given, ready.course.plan.stop))
        for ready, given in zip(arms.ready, shoves, strict=True)
    )
    forces = CoupleForces(arms, leader, follower)
    frames = int(max(leader.plan.stop, follower.plan.stop) * FPS) + 1
    interrupted = False
    try:
        for frame in range(frames):
            for dancer in forces.dancers:
                dancer.record()
            forces.record()
            for _ in range(TICKS):
                _tick(forces)
            if progress is not None:
                progress(frame + 1, frames)
            if leader.done or follower.done:
                break
    except KeyboardInterrupt:
        if not forces.recorded:
            raise
        interrupted = True
    whole = forces.recorded  # Ctrl-C may come when only one of the two has recorded the last frame
    leads, follows = (dancer.result(interrupted, whole) for dancer in forces.dancers)
    return SimulatedCouple(leads, follows, forces.result(), plan, chosen, led)


def _understood(couple: Couple | CouplePreview, holding: Holding | None) -> tuple[Couple, Holding]:
    """Return the plan and the hold."""
    if isinstance(couple, CouplePreview):
        return couple.plan, holding or couple.holding
    return couple, holding or hold_of_dance(couple.leader.steps[0].pattern.dance if couple.leader.steps else "")


def _tick(forces: CoupleForces) -> None:
    """Let both dancers decide, and step the physics until the next decision."""
    leader, follower = forces.dancers
    forces.inform()
    leader.decide()
    follower.decide()
    for step in range(STEPS):
        leader.update_kinematics(step)
        follower.update_kinematics(step)
        forces.compute()
        leader.move(step)
        follower.move(step)
    leader.read_contacts()
    follower.read_contacts()
