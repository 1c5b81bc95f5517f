"""What a follower knows of the leader's intention: the plan that both share, somewhat later and not quite exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from segue.dance.planning.model import Footprint, Plan, PlannedStep
from segue.errors import ArgumentError
from segue.typing import Array

_SIDES = ("left", "right")
_FARTHEST = 2.0  # standard deviations that a foot lands astray at most: a dancer would see more, and step elsewhere
_RANGES = (("delay", 0.0, 0.25, "a time in s"), ("error", 0.0, 0.05, "a distance in m"))


@dataclass(frozen=True)
class Lead:
    """How well a follower is led.

    delay: s by which she does later whatever the shared plan says: lifting, landing, turning. A cue that is felt in the
    hands is answered after some 150 ms, but who hears the music and knows the pattern foresees most of it; a few
    hundredths of a second are left. error: m, the standard deviation along each axis of the floor of where her feet
    land, from where the shared plan has them. seed: of that error.
    """

    delay: float = 0.03
    error: float = 0.004
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least, most, meaning in _RANGES:
            value = getattr(self, name)
            if not (
                isinstance(value, (int, float, np.integer, np.floating))
                and np.isfinite(value)
                and least <= value <= most
            ):
                raise ArgumentError(f"the lead's {name} is {value}: it must be {meaning}, from {least:g} to {most:g}")
            object.__setattr__(self, name, float(value))  # of arrays come numbers of many types
        if not (isinstance(self.seed, (int, np.integer)) and self.seed >= 0):
            raise ArgumentError(f"the lead's seed is {self.seed}: it must be a whole number, 0 or more")
        object.__setattr__(self, "seed", int(self.seed))

    def followed(self, plan: Plan) -> Plan:
        """Return the follower's plan as she dances it: late, and beside."""
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
        """Return when she does what the plan has at a time; how she stands at the beginning is no answer to a lead."""
        return time if time <= 0.0 else time + self.delay

    def _astray(self, plan: Plan) -> list[Array | None]:
        """Return how far (2,) each footstep lands from its place, None where its foot does not leave the floor."""
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
