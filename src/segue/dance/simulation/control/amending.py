"""Footsteps as an answer to a push wants them, and the course that goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from segue.dance.planning.model import Footprint, Footstep
from segue.dance.simulation.control.footholds import Answer, Situation
from segue.dance.simulation.control.support import Support
from segue.dance.simulation.course.course import TICK
from segue.dance.simulation.course.revised import AdjustedStep
from segue.typing import Array

_RETURN = 0.06  # m by which every later step comes nearer to its planned place
_SETTLED = 2.0  # s after the last shifted landing, when the course is as planned again
_EVERY = 10  # ticks: how often it is looked which foot bears the pressure


@dataclass(frozen=True, eq=False)
class Amended:
    """Footsteps to come, as amended; flights among them, as they were but for their times, with their shifts (n, 2)."""

    footsteps: tuple[Footstep, ...]
    flights: tuple[Footstep, ...]
    shifts: Array


def amended(answer: Answer, steps: Sequence[Footstep], coming: Sequence[Footstep], now: Situation) -> Amended:
    """Return the footsteps that are to come, in order, as an answer wants them.

    steps: the flights that the answer was found for. coming: all of the plan's that are still to be done. Those after
    the answer's keep their places relative to them at first, and come back to the plan step by step.
    """
    ahead = answer.prospect.steps
    inserted = list(ahead[: int(answer.prospect.unplanned)])
    number = {id(step): k for k, step in enumerate([*inserted, *steps])}
    prints, offs = dict(now.stands), {side: np.zeros(2) for side in now.stands}
    shift = np.zeros(2)
    footsteps: list[Footstep] = []
    flights: list[Footstep] = []
    shifts: list[Array] = []
    for step in sorted([*inserted, *coming], key=lambda each: each.lift):
        new, k = step, number.get(id(step))
        if k is not None:
            shift, new = answer.shifts[k], ahead[k]
        elif step.land > step.lift:
            shift = shift * max(0.0, 1.0 - _RETURN / max(float(np.hypot(*shift)), _RETURN))
        if step.land > step.lift:
            offs[step.foot] = shift
            flights.append(new)
            shifts.append(shift)
        # a foot that turns where it stands turns as far as planned, wherever that is
        start = prints[step.foot] if step.land > step.lift else _moved(step.start, offs[step.foot])
        end = _moved(step.end, offs[step.foot])
        if end != step.end or start != step.start or new is not step:
            new = _adjusted(new, start, end, None if any(step is each for each in inserted) else step)
        prints[step.foot] = end
        footsteps.append(new)
    return Amended(tuple(footsteps), tuple(flights), np.array(shifts).reshape(-1, 2))


def _moved(place: Footprint, off: Array) -> Footprint:
    return Footprint(place.x + off[0], place.z + off[1], place.heading)


def _adjusted(step: Footstep, start: Footprint, end: Footprint, before: Footstep | None) -> AdjustedStep:
    values = {each.name: getattr(step, each.name) for each in fields(Footstep)}
    planned = before.planned if isinstance(before, AdjustedStep) else before
    return AdjustedStep(**{**values, "start": start, "end": end}, planned=planned)


def added_pressure(answer: Answer, after: Amended, now: Situation) -> Array:
    """Return what is added (W, 2) to the pressure from now on, tick by tick, until the course is as planned again."""
    course, stop = now.course, float(now.course.times[-1])
    still = np.flatnonzero(after.shifts.any(axis=1))
    last = int(still[-1]) + 1 if len(still) else 0
    if last < len(after.flights):
        stop = min(stop, after.flights[last].land + _SETTLED)
    looked = np.arange(now.time, max(stop, now.time + TICK) + _EVERY * TICK, _EVERY * TICK)
    pressure = course.mass_centre.pressure[[course.tick(float(time)) for time in looked]]
    carried = Support(now.foot, now.stands, after.flights).mixes(looked, pressure) @ after.shifts
    times = course.times[course.tick(now.time) : course.tick(stop) + 1]
    ends = np.append(answer.times, answer.times[-1] + _EVERY * TICK)
    pressing = np.concatenate([answer.pressing, np.zeros((1, 2))])
    return np.stack(
        [np.interp(times, looked, carried[:, k]) + np.interp(times, ends, pressing[:, k]) for k in range(2)], axis=1
    )
