"""Random pushes that throw a standing dancer, from a state that another processor might have rounded differently."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.dance.simulation.dancer import Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.push import Push, PushForces
from tests.support.simulated_plans import plan_of

STANDING = plan_of([], lead_in=0.6)
ROUNDING = 1e-9  # m, rad, m/s, rad/s
IMPULSES, LASTING = (90.0, 600.0), (0.05, 0.3)  # N s, which give 68 kg 1.3 to 8.8 m/s, and s
SEGMENTS = ("torso", "pelvis", "head", "left_upper_arm", "right_thigh")
SHARES = (0.4, 0.3, 0.1, 0.1, 0.1)
AT, WAITED = 0.3, 4.0  # s: when a push begins, and how long after it a fall is waited for


class Thrown(NamedTuple):
    """What became of a dancer.

    fell: whether it fell. speed: rad/s, the largest of a joint. gained: J of mechanical energy that the body had more,
    passive and with no push on it any more, than at the moment from which this holds. left: J at the end, above a body
    whose mass lies on the floor. stable: whether the engine never gave up on a state.
    """

    fell: bool
    speed: float
    gained: float
    left: float
    stable: bool


def hard_pushes(count: int, seed: int = 1) -> list[Push]:
    """Return pushes in any direction, each strong enough to throw a dancer over."""
    random, found = np.random.default_rng(seed), []
    for _ in range(count):
        impulse, lasting = random.uniform(*IMPULSES), round(random.uniform(*LASTING), 3)
        segment = SEGMENTS[random.choice(len(SEGMENTS), p=SHARES)]
        found.append(Push(AT, impulse / lasting, lasting, f"{random.uniform(0.0, 360.0):.1f} deg", segment))
    return found


def throw(push: Push, seed: int, after: float = 1.5) -> Thrown:
    """Return what a push does to a dancer whose first state is off by about `ROUNDING`, until some s after a fall."""
    random = np.random.default_rng(seed)
    dancer = Dancer(InitialState.of(STANDING, Environment()), [PushForces([push])], adjusting=True)
    data = dancer.data
    dancer.model.engine_model.opt.enableflags |= 2  # the engine's own account of energy
    data.qpos[:] += ROUNDING * random.normal(size=len(data.qpos))
    data.qvel[:] += ROUNDING * random.normal(size=len(data.qvel))
    speed, energies = 0.0, [0.0]
    while dancer.time < push.time + WAITED and not (dancer.fall and dancer.time > dancer.fall.time + after):
        dancer.tick()
        speed = max(speed, float(np.abs(data.qvel[6:]).max()))
        if dancer.passive and dancer.time > push.time + push.duration:
            energies.append(float(data.energy.sum()))
    passive = energies[1:] or energies
    return Thrown(
        dancer.fall is not None,
        speed,
        max(passive) - passive[0],
        passive[-1],
        not data.warning.number.any() and bool(np.isfinite(data.qpos).all()),
    )
