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
from segue.dance.simulation.dancer import STEPS, Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import check_plan
from segue.dance.simulation.push import Push
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.running import Progress, Simulation
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


class CoupleSimulation(Simulation[SimulatedCouple]):
    """A simulation of a couple; arguments as for `simulate_couple`."""

    def __init__(
        self,
        couple: Couple | CouplePreview,
        environment: Environment | None = None,
        *,
        holding: Holding | None = None,
        lead: Lead | None = None,
        pushes: Mapping[Part, Sequence[Push]] | None = None,
    ) -> None:
        self._plan, self._holding = _understood(couple, holding)
        self._lead = lead or Lead()
        where = environment or Environment()
        plans = (self._plan.leader, self._lead.follower_plan(self._plan.follower))
        for part in plans:
            check_plan(part)
        arms = ArmsInHold.of(
            CoupleCourse.of(*plans, self._holding, where.gravity, self._lead.delay), self._holding, where
        )
        self._forces = CoupleForces(arms, *(Dancer(ready) for ready in arms.ready))
        self.contacts = tuple(each.name for each in arms.contacts)
        super().__init__(dict(zip(Part, self._forces.dancers, strict=True)))
        for who, given in (pushes or {}).items():
            for push in given:
                self.push(push, who)

    @property
    def recorded(self) -> int:
        """Number of recorded frames."""
        return self._forces.recorded

    def result(self, interrupted: bool = False, first: int = 0) -> SimulatedCouple:
        """Return the recorded dance, from a frame on; interrupted: whether Ctrl-C ended it."""
        # Ctrl-C may come when only one of the two has recorded the last frame
        frames = slice(first, self.recorded)
        leader, follower = (dancer.result(interrupted, frames) for dancer in self._forces.dancers)
        return SimulatedCouple(leader, follower, self._forces.result(frames), self._plan, self._holding, self._lead)

    def _record(self) -> None:
        for dancer in self._forces.dancers:
            dancer.record()
        self._forces.record()

    def _tick(self) -> None:
        leader, follower = self._forces.dancers
        self._forces.inform()
        leader.decide()
        follower.decide()
        for step in range(STEPS):
            leader.update_kinematics(step)
            follower.update_kinematics(step)
            self._forces.compute()
            leader.move(step)
            follower.move(step)
        leader.read_contacts()
        follower.read_contacts()


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
    return CoupleSimulation(couple, environment, holding=holding, lead=lead, pushes=pushes).run(progress)


def _understood(couple: Couple | CouplePreview, holding: Holding | None) -> tuple[Couple, Holding]:
    """Return the plan and the hold."""
    if isinstance(couple, CouplePreview):
        return couple.plan, holding or couple.holding
    return couple, holding or hold_of_dance(couple.leader.steps[0].pattern.dance if couple.leader.steps else "")
