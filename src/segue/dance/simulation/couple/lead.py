"""How well the follower is led: the shared plan with a delay and random errors of landing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from segue import checks
from segue.dance.planning.model import Footprint, Plan, PlannedStep
from segue.typing import Array

_SIDES = ("left", "right")
_FARTHEST = 2.0  # standard deviations, largest error: a dancer would see and correct more
_RANGES = (("delay", 0.0, 0.25, "a time in s"), ("error", 0.0, 0.05, "a distance in m"))


@dataclass(frozen=True)
class Lead:
    """The quality of the lead.

    delay: s by which the follower is behind the shared plan in lifting, landing and turning. People react to a cue in
    the hands after some 150 ms. A follower that hears the music and knows the pattern predicts most of it, and a few
    hundredths of a second are left. error: m, standard deviation of the follower's landings along each axis of the
    floor. seed: random seed of the landing errors.
    """

    delay: float = 0.03
    error: float = 0.004
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least, most, meaning in _RANGES:
            value = getattr(self, name)
            needed = f"it must be {meaning}, from {least:g} to {most:g}"
            checked = checks.number(f"the lead's {name}", value, least=least, most=most, needed=needed)
            object.__setattr__(self, name, checked)
        object.__setattr__(self, "seed", checks.integer("the lead's seed", self.seed, least=0))

    def follower_plan(self, plan: Plan) -> Plan:
        """Return the follower's plan with delay and landing errors."""
        astray = self._astray(plan)
        feet: dict[str, Array] = {side: np.zeros(2) for side in _SIDES}
        after, footsteps = {-1: dict(feet)}, []
        for step, aside in zip(plan.footsteps, astray, strict=True):
            start = feet[step.foot]
            if aside is not None:
                feet[step.foot] = aside
            after[step.step] = dict(feet)
            footsteps.append(
                replace(
                    step,
                    start=_moved(step.start, start),
                    end=_moved(step.end, feet[step.foot]),
                    lift=step.lift + self.delay,
                    land=step.land + self.delay,
                    settled=step.settled + self.delay,
                )
            )
        for number in range(len(plan.steps)):
            after.setdefault(number, after[number - 1])  # a step may move no foot
        return replace(
            plan,
            footsteps=tuple(footsteps),
            steps=tuple(self._step(each, after[number]) for number, each in enumerate(plan.steps)),
            body=tuple(goal._replace(time=self._later(goal.time)) for goal in plan.body),
            goals=tuple(goal._replace(time=self._later(goal.time)) for goal in plan.goals),
            lead_in=plan.lead_in + self.delay,
            stop=plan.stop + self.delay,
        )

    def _later(self, time: float) -> float:
        """Return the delayed time; the initial stance at time 0 has no delay."""
        return time if time <= 0.0 else time + self.delay

    def _astray(self, plan: Plan) -> list[Array | None]:
        """Return the error (2,) of each footstep, None for footsteps without flight."""
        lots = np.random.default_rng(self.seed).standard_normal((len(plan.footsteps), 2))
        lengths = np.maximum(np.linalg.norm(lots, axis=1, keepdims=True), 1e-9)
        aside = self.error * lots * np.minimum(1.0, _FARTHEST / lengths)
        return [each if step.land > step.lift else None for step, each in zip(plan.footsteps, aside, strict=True)]

    def _step(self, planned: PlannedStep, astray: Mapping[str, Array]) -> PlannedStep:
        stance = planned.stance._replace(
            left=_moved(planned.stance.left, astray["left"]), right=_moved(planned.stance.right, astray["right"])
        )
        return replace(planned, start=planned.start + self.delay, stop=planned.stop + self.delay, stance=stance)


def _moved(footprint: Footprint, aside: Array) -> Footprint:
    return footprint._replace(x=footprint.x + float(aside[0]), z=footprint.z + float(aside[1]))
