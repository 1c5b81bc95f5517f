"""Move each foot over time: it stands, rolls off the floor, swings clear of it, lands on the beat and settles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.build import Build
from segue.curves.easing import least_jerk
from segue.dance.performance.courses import Course, smooth_share
from segue.dance.performance.rolling import FootMotion, ball_of, footprint_about, lowest_reach
from segue.dance.planning.model import Bearing, Footprint, Footstep, Plan
from segue.typing import Array

_PITCH = {Bearing.HEEL: float(np.radians(17.0)), Bearing.TOE: float(np.radians(-20.0)), Bearing.FLAT: 0.0}
_PIVOT_PITCH = np.radians(-5.0)  # a pivoting foot lifts its heel
_LONG_STEP = 0.7  # m: longer steps have the full pitch at lift and landing
_FORWARD_OFF, _BACKWARD_OFF, _ASIDE_OFF = np.radians([-40.0, 14.0, -12.0])
_ASIDE = 0.1  # m ahead or back below which a step counts as one to the side
_LEAST_OFF = 0.3  # of that pitch, however short the step
_RELEASE = 0.38  # s, the longest time for a foot to roll off the floor
_RELEASE_SHARE = 0.6  # of its time on the floor, at most
_QUICK_RELEASE = 0.18  # s: shorter times give less pitch
_SLOW_ROLL = 0.16  # s: a foot with less time to settle lands with less pitch
_LEAST_ROLL = 0.07  # s in which a foot rolls from where it landed to where it bears
_CLEARANCE = 0.022  # m of the lowest part above the floor in mid-swing: dancers' feet skim it
_SHORT_STEP, _LEAST_CLEARANCE = 0.3, 0.6
_APEX = 0.45  # of the time in the air
_TOUCH_SPEED = 0.45  # m/s of a foot just before it touches down
_TOUCH_TIME = 0.024  # s in which it stops
_CHANGE = 0.22  # of the flight, to either side, in which the pitch axis changes between heel and toe joint
_SAFETY = 1.15


@dataclass(frozen=True)
class _Release:
    """Release of a foot from the floor: start of its roll in s, and pitch in rad when it leaves."""

    start: float
    pitch: float


def own_footsteps(plan: Plan, side: str) -> list[Footstep]:
    """Return the footsteps of one foot, in order."""
    return sorted((step for step in plan.footsteps if step.foot == side), key=lambda step: (step.lift, step.land))


def _body_heading(plan: Plan, time: float) -> float:
    """Return the heading of the body at a time in rad, interpolated between its goals."""
    times = [goal.time for goal in plan.body]
    return float(np.interp(time, times, [goal.heading for goal in plan.body])) if times else plan.begins.heading


def _releases(plan: Plan, side: str) -> dict[int, _Release]:
    """Return the release before each flight of a foot, by the index of the footstep."""
    found = {}
    flat_from = turned_from = pitch = 0.0
    for k, step in enumerate(own_footsteps(plan, side)):
        bearing = _PITCH[step.bearing]
        if step.land > step.lift:
            found[k] = _release(step, flat_from, turned_from, pitch)
            flat_from = turned_from = _settled(step)
        else:
            flat_from = _settled(step)
            turned_from = flat_from if bearing != pitch else turned_from
        pitch = bearing
    return found


def _release(step: Footstep, flat_from: float, turned_from: float, pitch: float) -> _Release:
    """Return a release: forward off the toes, backward off the heel, aside slightly off the toes.

    flat_from, turned_from: s from which the foot stands still, and from which it may rise onto its ball.
    """
    ahead = _step_ahead(step)
    off = float(_ASIDE_OFF)
    if abs(ahead) >= _ASIDE:
        share = max(_LEAST_OFF, min(1.0, abs(ahead) / _LONG_STEP))
        off = share * float(_FORWARD_OFF if ahead > 0 else _BACKWARD_OFF)
    if off > 0 and (pitch < 0 or step.lift - flat_from < _QUICK_RELEASE):
        # a foot on its toes, or one that has just landed, cannot roll onto its heel in time
        off = float(_ASIDE_OFF)
    standing = step.lift - (flat_from if off > 0 else turned_from)
    window = min(_RELEASE, _RELEASE_SHARE * max(standing, 0.0))
    off *= min(1.0, window / _QUICK_RELEASE)
    return _Release(step.lift - window, min(pitch, off) if pitch < 0 else off)


def _step_ahead(step: Footstep) -> float:
    """Return the length of a step along the foot's heading before it, in m."""
    heading = step.start.heading
    return float((step.end.x - step.start.x) * np.sin(heading) + (step.end.z - step.start.z) * np.cos(heading))


def _settled(step: Footstep) -> float:
    return max(step.settled, step.land + _LEAST_ROLL)


def foot_motion(plan: Plan, side: str, times: Array) -> FootMotion:
    """Return one foot at times (T,)."""
    footsteps, releases = own_footsteps(plan, side), _releases(plan, side)
    start: Footprint = plan.begins.left if side == "left" else plan.begins.right
    count = len(times)
    foot = FootMotion(
        place=np.tile([start.x, start.z], (count, 1)),
        height=np.zeros(count),
        heading=np.full(count, start.heading),
        pitch=np.zeros(count),
        heel_share=np.zeros(count),
        roll=np.zeros(count),
    )
    heading, pitch = start.heading, 0.0
    for k, step in enumerate(footsteps):
        stop = footsteps[k + 1].lift if k + 1 < len(footsteps) else np.inf
        turn = _turn(plan, step, heading)
        done = min(_settled(step), max(stop, step.land))
        if step.land > step.lift:
            pitch = _fly(plan, foot, times, step, releases[k], heading, turn, pitch)
        else:
            _pivot(plan, foot, times, step, heading, turn, done)
        heading += turn
        pitch = _settle(foot, times, step, pitch, done)
    return foot


def _turn(plan: Plan, step: Footstep, heading: float) -> float:
    """Return the turn of a foot in a step in rad: of all equivalent angles, the one nearest to the body's turn."""
    turn = step.end.heading - heading
    guide = _body_heading(plan, _settled(step)) - _body_heading(plan, step.lift)
    return turn + 2 * np.pi * round((guide - turn) / (2 * np.pi)) if abs(turn) > np.pi / 2 else turn


def _fly(
    plan: Plan,
    foot: FootMotion,
    times: Array,
    step: Footstep,
    release: _Release,
    heading: float,
    turn: float,
    pitch: float,
) -> float:
    """Write the release and the swing of a foot; return its pitch at landing."""
    rolling = slice(*np.searchsorted(times, [release.start, step.lift]))
    foot.pitch[rolling] += (release.pitch - pitch) * smooth_share(times[rolling], release.start, step.lift)
    if release.pitch > 0:
        foot.heel_share[rolling] = 1.0
    landing = _landing_pitch(step)
    first, last = np.searchsorted(times, [step.lift, step.land])
    flight = swing(plan.figure.build, step, times[first:last], heading, turn, (release.pitch, landing))
    for name in ("place", "height", "heading", "pitch", "heel_share"):
        getattr(foot, name)[first:last] = getattr(flight, name)
    foot.place[last:] = [step.end.x, step.end.z]
    foot.heading[last:] = heading + turn
    return landing


def _landing_pitch(step: Footstep) -> float:
    """Return the pitch of a foot at landing, less for short steps and for short times until it settles."""
    landing, bearing = _PITCH[step.landing], _PITCH[step.bearing]
    if step.landing is Bearing.HEEL:
        landing *= max(_LEAST_OFF, min(1.0, abs(_step_ahead(step)) / _LONG_STEP))
    if landing == bearing:
        return landing
    return landing * max(_LEAST_OFF, min(1.0, (_settled(step) - step.land) / _SLOW_ROLL))


def _pivot(
    plan: Plan, foot: FootMotion, times: Array, step: Footstep, heading: float, turn: float, stop: float
) -> None:
    """Write the turn of a standing foot about its ball."""
    if abs(turn) < 1e-9:
        return
    build = plan.figure.build
    turning = slice(int(np.searchsorted(times, step.lift)), len(times))
    share = smooth_share(times[turning], step.lift, stop)
    foot.heading[turning] = heading + turn * share
    ball = ball_of(build, np.array([[step.start.x, step.start.z]]), np.array([heading]))
    foot.place[turning] = footprint_about(build, ball, foot.heading[turning])


def _settle(foot: FootMotion, times: Array, step: Footstep, pitch: float, stop: float) -> float:
    """Write the roll of a foot from landing to its bearing; return its final pitch."""
    bearing = _PITCH[step.bearing]
    after = slice(int(np.searchsorted(times, step.land)), len(times))
    since = times[after]
    if pitch * bearing < 0:
        # between heel and toes the foot is flat for a moment, where the pitch axis changes
        flat = 0.5 * (step.land + stop)
        rolled = pitch * (1.0 - smooth_share(since, step.land, flat)) + bearing * smooth_share(since, flat, stop)
        heel = np.where(since < flat, float(pitch > 0), float(bearing > 0))
    else:
        rolled = pitch + (bearing - pitch) * smooth_share(since, step.land, stop)
        heel = np.where(since < stop, float(pitch > 0 or bearing > 0), float(bearing > 0))
        if pitch == bearing == 0.0 and step.land == step.lift and step.start.heading != step.end.heading:
            eased = smooth_share(since, step.land, stop)
            rolled = rolled + _PIVOT_PITCH * 16.0 * (eased * (1.0 - eased)) ** 2
    foot.pitch[after] = rolled
    foot.heel_share[after] = heel
    return bearing


def swing(
    build: Build, step: Footstep, times: Array, heading: float, turn: float, pitches: tuple[float, float]
) -> FootMotion:
    """Return a foot at times (T,) within its flight.

    heading, turn: rad, at lift and over the flight. pitches: rad, at lift and landing.
    """
    span = step.land - step.lift
    share = (times - step.lift) / span
    way = least_jerk(share)
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
    """Return the path over the floor from footprint to footprint through the points between.

    Each point is passed when a minimum-jerk move of the same length would have covered its distance.
    """
    points = np.array([step.start[:2], *step.via, step.end[:2]], dtype=float)
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    times = step.lift + (step.land - step.lift) * _time_of(gone / max(gone[-1], 1e-9))
    passed = [False, *(True for _ in step.via), False]
    times[0], times[-1] = step.lift, step.land
    return Course.through(zip(times.tolist(), points, passed, strict=True))


def _time_of(way: Array) -> Array:
    """Return the share of time at which shares of the path are covered: the inverse of `least_jerk`."""
    fine = np.linspace(0.0, 1.0, 401)
    return np.interp(way, least_jerk(fine), fine)


def _heel_share(share: Array, off: float, landing: float) -> Array:
    """Return the share of the heel as pitch axis (T,), which changes while the foot is about level."""
    if off * landing >= 0:
        return np.full(len(share), float(off > 0 or landing > 0))
    level = off / (off - landing)
    middle = float(_time_of(np.array([level]))[0])
    half = min(_CHANGE, 0.95 * middle, 0.95 * (1.0 - middle))
    changed = smooth_share(share, middle - half, middle + half)
    return changed if landing > 0 else 1.0 - changed


def _height(build: Build, step: Footstep, times: Array, pitch: Array, heel_share: Array) -> Array:
    """Return the height of the foot (T,), raised so that every part clears the floor."""
    reach = float(np.hypot(step.end.x - step.start.x, step.end.z - step.start.z))
    apex = _CLEARANCE * max(_LEAST_CLEARANCE, min(1.0, reach / _SHORT_STEP))
    missing = -lowest_reach(build, pitch, heel_share)
    height = _arc(step, apex).at(times)[:, 0]
    under = missing > 1e-6
    if under.any():
        # raise the whole arc by what dips below the sole while the pitch axis changes
        apex += float((_SAFETY * missing[under] / np.maximum(height[under] / apex, 0.1)).max())
        height = _arc(step, apex).at(times)[:, 0]
    return height


def _arc(step: Footstep, apex: float) -> Course:
    """Return the height over time: a gentle rise, and a descent at walking speed until just before the beat."""
    span = step.land - step.lift
    touch = min(_TOUCH_TIME, 0.15 * span)
    times = np.array([step.lift, step.lift + _APEX * span, step.land - touch, step.land])
    values = np.array([0.0, apex, 0.5 * _TOUCH_SPEED * touch, 0.0])
    rates = np.array([0.0, 0.0, -_TOUCH_SPEED, 0.0])
    bends = np.array([0.0, -6.0 * apex / span**2, 0.0, 0.0])
    return Course(times, values[:, None], rates[:, None], bends[:, None])
