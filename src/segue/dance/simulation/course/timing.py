"""When feet leave the floor: sooner than planned where they would have to hurry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from segue.dance.planning.model import Footstep

_SWIFT = 2.0  # m/s on the average: a leg that swings faster turns the foot that the body stands on
_BOTH = 0.1  # s that both feet stand at least, to hand over the weight


def unhurried(footsteps: Sequence[Footstep]) -> tuple[Footstep, ...]:
    """Return footsteps of which those that go far in little time leave earlier, as soon as the other foot bears."""
    landed, found = -np.inf, []
    for step in sorted(footsteps, key=lambda step: (step.lift, step.land)):
        if step.land > step.lift:
            soonest = max(landed + _BOTH, step.land - _length(step) / _SWIFT)
            found.append(replace(step, lift=soonest) if soonest < step.lift else step)
            landed = step.land
        else:
            found.append(step)
    return tuple(found)


def _length(step: Footstep) -> float:
    """Return how long the way of a foot is, m."""
    points = [step.start[:2], *step.via, step.end[:2]]
    return float(sum(np.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)))
