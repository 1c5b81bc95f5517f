"""A foot in the air: on a smooth arc from footprint to footprint, past the points between, clear of the floor."""

from __future__ import annotations

import numpy as np

from segue.body.build import Build
from segue.dance.performance.courses import Course, smooth_share, smooth_step
from segue.dance.performance.rolling import FootMotion, lowest_reach
from segue.dance.planning.model import Footstep
from segue.typing import Array

_CLEARANCE = 0.022  # m of the lowest part above the floor in mid-swing: dancers' feet skim it
_SHORT_STEP, _LEAST_CLEARANCE = 0.3, 0.6
_APEX = 0.45  # of the time in the air
_TOUCH_SPEED = 0.45  # m/s with which a foot comes down just before it is slowed by the floor
_TOUCH_TIME = 0.024  # s in which it is
_CHANGE = 0.22  # of the time in the air, to either side, in which it changes over what it pitches about
_SAFETY = 1.15


def swing(
    build: Build, step: Footstep, times: Array, heading: float, turn: float, pitches: tuple[float, float]
) -> FootMotion:
    """Return a foot at times (T,) within its flight.

    heading, turn: rad, where it points as it leaves, and by how much it turns. pitches: rad, as it leaves and lands.
    """
    span = step.land - step.lift
    share = (times - step.lift) / span
    way = smooth_step(share)
    off, landing = pitches
    pitch = off + (landing - off) * way
    heel_share = _heel_share(share, off, landing)
    return FootMotion(
        place=_way(step).at(times),
        height=_height(build, step, times, pitch, heel_share),
        heading=heading + turn * way,
        pitch=pitch,
        heel_share=heel_share,
        roll=np.zeros(len(times)),
    )


def _way(step: Footstep) -> Course:
    """Return the way over the floor from footprint to footprint, through the points between and past none of them.

    Each is passed when a foot that goes straight, from rest to rest, would have gone as far.
    """
    points = np.array([step.start[:2], *step.via, step.end[:2]], dtype=float)
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    times = step.lift + (step.land - step.lift) * _time_of(gone / max(gone[-1], 1e-9))
    passed = [False, *(True for _ in step.via), False]
    times[0], times[-1] = step.lift, step.land
    return Course.through(zip(times.tolist(), points, passed, strict=True))


def _time_of(way: Array) -> Array:
    """Return at which share of its time a foot has gone shares of its way: the inverse of `smooth_step`."""
    fine = np.linspace(0.0, 1.0, 401)
    return np.interp(way, smooth_step(fine), fine)


def _heel_share(share: Array, off: float, landing: float) -> Array:
    """Return about what the foot pitches (T,): it changes over while the foot is about level."""
    if off * landing >= 0:
        return np.full(len(share), float(off > 0 or landing > 0))
    level = off / (off - landing)
    middle = float(_time_of(np.array([level]))[0])
    half = min(_CHANGE, 0.95 * middle, 0.95 * (1.0 - middle))
    changed = smooth_share(share, middle - half, middle + half)
    return changed if landing > 0 else 1.0 - changed


def _height(build: Build, step: Footstep, times: Array, pitch: Array, heel_share: Array) -> Array:
    """Return the height (T,) at which no part of the foot comes too near the floor."""
    reach = float(np.hypot(step.end.x - step.start.x, step.end.z - step.start.z))
    apex = _CLEARANCE * max(_LEAST_CLEARANCE, min(1.0, reach / _SHORT_STEP))
    missing = -lowest_reach(build, pitch, heel_share)
    height = _arc(step, apex).at(times)[:, 0]
    under = missing > 1e-6
    if under.any():
        # what lies below the sole in the middle of the change is added to the arc, in its shape
        apex += float((_SAFETY * missing[under] / np.maximum(height[under] / apex, 0.1)).max())
        height = _arc(step, apex).at(times)[:, 0]
    return height


def _arc(step: Footstep, apex: float) -> Course:
    """Return the height over time: up gently, and down at a walker's pace until just before the beat."""
    span = step.land - step.lift
    touch = min(_TOUCH_TIME, 0.15 * span)
    times = np.array([step.lift, step.lift + _APEX * span, step.land - touch, step.land])
    values = np.array([0.0, apex, 0.5 * _TOUCH_SPEED * touch, 0.0])
    rates = np.array([0.0, 0.0, -_TOUCH_SPEED, 0.0])
    bends = np.array([0.0, -6.0 * apex / span**2, 0.0, 0.0])
    return Course(times, values[:, None], rates[:, None], bends[:, None])
