"""Ways in which feet might go on from here: as planned, sooner, or with a step that nobody planned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from segue.dance.planning.model import Bearing, Footprint, Footstep

BOTH = 0.1
"""Seconds that both feet stand at least between two hurried steps."""

_LANDINGS = (0.16, 0.22, 0.3, 0.4, 0.55)  # s from now, when a foot in flight may land
_LIFTS = (0.06, 0.15, 0.3)  # s from now, when a foot that stands may leave
_QUICK = 0.35  # s that a hurried swing takes
_LEAST_HURRY = 0.08  # s sooner than planned: what is less is not worth it


@dataclass(frozen=True)
class Prospect:
    """The next flights as they may be, in order of time.

    unplanned: whether the first is none of the plan's. sooner: s that feet land before their time.
    """

    steps: tuple[Footstep, ...]
    unplanned: bool = False
    sooner: float = 0.0


def prospects(
    steps: Sequence[Footstep], stands: Mapping[str, Footprint], flying: bool, time: float, earliest: float
) -> Iterator[Prospect]:
    """Yield other ways to go on than by these flights.

    stands: where each foot stands, or stood last. flying: whether the first flight is under way. earliest: s when a
    foot that stands may leave.
    """
    if flying:
        yield from _sooner_down(steps[0], steps[1:], time)
        return
    for lift in (earliest + later for later in _LIFTS):
        if steps and lift < steps[0].lift:
            land = min(lift + _QUICK, steps[0].land)
            yield Prospect((_timed(steps[0], lift, land), *steps[1:]), sooner=steps[0].land - land)
        if not steps or lift + _QUICK + 2.0 * BOTH < steps[0].lift:
            for side, where in stands.items():
                yield Prospect((_recovery(side, where, lift, steps), *steps), unplanned=True)


def _sooner_down(first: Footstep, others: Sequence[Footstep], time: float) -> Iterator[Prospect]:
    """Yield prospects in which a foot in flight lands sooner, and the other then leaves in time or sooner too."""
    for land in (time + later for later in _LANDINGS):
        if land >= first.land - _LEAST_HURRY:
            return
        hurried = _timed(first, first.lift, land)
        yield Prospect((hurried, *others), sooner=first.land - land)
        again = land + BOTH
        if others and others[0].foot != first.foot and again + _QUICK < others[0].land:
            second = _timed(others[0], again, again + _QUICK)
            yield Prospect((hurried, second, *others[1:]), sooner=others[0].land - second.land)


def _timed(step: Footstep, lift: float, land: float) -> Footstep:
    return replace(step, lift=lift, land=land, settled=land + step.settled - step.land)


def _recovery(side: str, where: Footprint, lift: float, steps: Sequence[Footstep]) -> Footstep:
    """Return a step that was not planned, in place so far: where it goes is still to be found."""
    land, number = lift + _QUICK, steps[0].step if steps else -1
    return Footstep(side, where, where, lift, land, land, Bearing.FLAT, Bearing.FLAT, True, number)
