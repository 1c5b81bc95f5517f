"""Time the lifts and landings of a sequence of steps.

A step's foot lands on its first beat, as dancers count. It swings in the last part of the beats before. The first part
belongs to the step before: both feet are on the floor while its foot rolls and takes the weight.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from segue.dance.notation.model import Foot, FootPosition, Modifier, Step
from segue.dance.planning.model import Style

_LEAST_LEAD_IN = 1.2  # s, in which the weight moves onto one foot
_LONGEST_SWING = 0.8  # s: with more time the foot waits on the floor
_LEAST_SWING = 0.18
_LEAST_STAND = 0.02
_SLOW = 0.8  # s: quicker steps have a smaller share of double support
_PAUSE_BEATS = 0.5  # "a fraction of a beat" [Lake1990, section 5.2]
_HELD = 0.6  # share of its time after which a step ends if no foot lifts after it
_MOST_JITTER = 0.12  # of a beat


class StepTimes(NamedTuple):
    """Times of one step in s.

    start, stop: of its beats. lift, land: of its foot. release: when it reaches its end position, and the next foot may
    lift.
    """

    start: float
    stop: float
    lift: float
    land: float
    release: float


def lead_in_of(beats_per_bar: int, beat: float) -> float:
    """Return the default lead-in before the first beat in s: whole bars, at least 1.2 s."""
    bar = beats_per_bar * beat
    bars = 1
    while bars * bar < _LEAST_LEAD_IN:
        bars += 1
    return bars * bar


def step_times(
    steps: Sequence[Step], lingers: Sequence[float], beat: float, lead_in: float, style: Style
) -> tuple[StepTimes, ...]:
    """Return the times of consecutive steps.

    lingers: share of double support in each step. beat: s. lead_in: s before the first beat. The style's timing makes
    landings randomly early or late, from its seed.
    """
    starts = [lead_in]
    for step in steps:
        starts.append(starts[-1] + step.beats * beat)
    lands = _lands(starts, beat, style)
    lifts: list[float | None] = []
    for k, step in enumerate(steps):
        if step.foot is Foot.HOLD:
            lifts.append(None)
            continue
        seconds = starts[k] - starts[k - 1] if k else lead_in
        linger = lingers[k - 1] * seconds * min(1.0, math.sqrt(seconds / _SLOW)) if k else 0.0
        if k and Modifier.PAUSE in steps[k - 1].modifiers:
            linger += _PAUSE_BEATS * beat
        swing = min(max(seconds - linger, _LEAST_SWING), _LONGEST_SWING, 0.9 * seconds)
        # one foot stays on the floor however early or late the landings are
        lifts.append(max(lands[k] - swing, lands[k - 1] + _LEAST_STAND if k else 0.0))
    found = []
    for k in range(len(steps)):
        start, stop = starts[k], starts[k + 1]
        following = lifts[k + 1] if k + 1 < len(steps) else None
        release = start + _HELD * (stop - start) if following is None else following
        lift = lifts[k]
        found.append(StepTimes(start, stop, start if lift is None else lift, lands[k], release))
    return tuple(found)


def flies(step: Step) -> bool:
    """Return whether a step's foot leaves the floor: not in HOLD, and not in SIP without a turn."""
    still = step.position is FootPosition.IN_PLACE and step.turn is None
    return step.foot is not Foot.HOLD and not still


def _lands(starts: Sequence[float], beat: float, style: Style) -> list[float]:
    if style.timing == 0.0:
        return list(starts[:-1])
    chance = random.Random(style.seed)
    most = min(style.timing, _MOST_JITTER * beat)
    return [start + chance.uniform(-most, most) for start in starts[:-1]]
