"""Limits that a simulated dance must keep to be called danced, and its figures in words."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from segue.dance.planning.model import Plan
from segue.dance.simulation import Mode, SimulatedDance, simulate

__all__ = ["figures_of", "kept", "timed", "worst_of"]

_SLIP, _LANDING, _BEAT = 0.003, 0.010, 0.020  # m, m, s


def timed(plan: Plan, mode: Mode = Mode.TORQUE) -> tuple[SimulatedDance, float]:
    """Return a dance and how much faster than real time it was, by the processor's clock."""
    start = time.process_time()
    dance = simulate(plan, mode=mode)
    return dance, float(dance.times[-1]) / (time.process_time() - start)


def kept(dance: SimulatedDance) -> bool:
    """Return whether a dance was danced to its end, feet in their places and on the beat, with no help."""
    steady = dance.slip <= _SLIP and dance.landing_error <= _LANDING and dance.beat_error <= _BEAT
    strong = max(dance.efforts.values()) <= 1.0
    return dance.fall is None and steady and strong and dance.outside.applied == dance.help.largest == 0.0


def worst_of(dances: Sequence[SimulatedDance]) -> SimulatedDance:
    """Return the dance that is farthest from its limits: the first fall, or the largest share of a limit."""

    def share(dance: SimulatedDance) -> float:
        errors = (dance.slip, dance.landing_error, dance.beat_error)
        shares = [error / limit for error, limit in zip(errors, (_SLIP, _LANDING, _BEAT), strict=True)]
        return math.inf if dance.fall is not None else max(*shares, *dance.efforts.values())

    return max(dances, key=share)


def figures_of(dance: SimulatedDance) -> str:
    """Return how near to feet and beat a dance was, in words."""
    return (
        f"{'kept' if kept(dance) else 'not kept'}: {len(dance.landings)}/{dance.due} landed, "
        f"slip {1e3 * dance.slip:.1f} mm, landing {1e3 * dance.landing_error:.1f} mm, "
        f"beat {1e3 * dance.beat_error:.0f} ms, outside force {dance.outside.applied:g} N"
        f"{f', help {dance.help.largest:.0f} N m, {dance.help.rms:.0f} rms' if dance.help.largest else ''}"
        f"{'' if dance.fall is None else f', {dance.fall}'}"
    )
