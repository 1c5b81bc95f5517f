"""Pops, steps, jerk and linear interpolation: frames that no body with mass moves through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from segue.curves import quaternion
from segue.curves.sampled import differentiated, median_filtered, runs
from segue.typing import Array, Flags

_FEWEST_FRAMES = 5
_NEIGHBOURHOOD = 0.3  # s on either side, over which a joint shows what is usual for it
_FEWEST_NEIGHBOURS = 4  # frames on either side, at low rates
_UNUSUAL = 6.0  # times the neighbourhood's median
# The allowances were found on captured clips (docs/check.md): feet and toes are tracked worst.
_TOES = 0.006  # m
_FEET = np.radians(1.0)
_AROUND = 0.2  # s on either side in which a joint shows how fast it turns,
_PLACE_AROUND = 0.1  # and how fast it moves: what quick movements and impacts explain is no pop
_FINE_DT, _COARSE_DT = 1.0 / 120.0, 1.0 / 30.0  # s: at lower rates a frame sees more of a flick or an impact
_COARSE_SHARE = 0.5  # more of the speed is allowed for at 30 frames a second
_IMPACTS = {"hand": np.radians(800.0), "foot": np.radians(80.0)}  # rad/s that are lost at an impact
_STEP_SPEED = 0.4  # m/s that the root may gain between frames
_STEADY = 0.5  # 1/s: a joint whose velocity changes more slowly, relative to itself, turns at a constant rate
_ROUNDING = np.radians(0.02)  # rad/s by which rates differ between frames that were rounded when written
_MOVING, _FEWEST_MOVING = np.radians(3.0), 5  # rad/s, and how many joints must be faster for a frame to count


@dataclass(frozen=True)
class Break:
    """A place that is not continuous: how much in rad, m, rad/s or m/s; which joint, when, and which frame."""

    size: float
    joint: str
    time: float
    frame: int


@dataclass(frozen=True)
class Jumps:
    """The largest breaks of joints and of the root, each None if no break was found.

    pop: how far a joint's place in the world, m, is from the curve through the two frames on either side, less what its
    speed explains. turn: the same of a joint's rotation in its parent's frame, rad. move: the same of the root, or a
    step of the root from one frame to the next that the steps before and after do not share, m. turn_kink, move_kink: a
    change of velocity from one frame to the next, rad/s and m/s.
    """

    pop: Break | None
    turn: Break | None
    move: Break | None
    turn_kink: Break | None
    move_kink: Break | None


@dataclass(frozen=True)
class Interpolation:
    """The longest time, from start to stop in s, in which all joints turn at constant rates."""

    start: float
    stop: float

    @property
    def seconds(self) -> float:
        """Seconds from start to stop."""
        return self.stop - self.start


@dataclass(frozen=True)
class Jerk:
    """The largest jerk of any of some points, in m/s^3, with point and time; the root mean square over all of them."""

    largest: float
    point: str | None
    time: float | None
    rms: float


def find_jumps(
    times: Array,
    names: Sequence[str],
    rotations: Array,
    root: Array,
    chosen: Flags,
    *,
    kinds: Sequence[str] = (),
    points: Array | None = None,
    point_names: Sequence[str] = (),
    toes: Flags | None = None,
) -> Jumps:
    """Return the largest breaks within the chosen frames.

    names, rotations, kinds: joints, their local rotations (T, J, 4), and what each is: "hand", "foot", "head" or
    "other". root: (T, 3) m. points, point_names, toes: (T, P, 3) m, places in the world, and (P,) which are toes.
    """
    if len(times) < _FEWEST_FRAMES:
        return Jumps(None, None, None, None, None)
    dt = float(times[1] - times[0])
    turned = _turn_pops(rotations, kinds or ["other"] * len(names), dt)
    placed = np.zeros((len(times), 0)) if points is None else _position_pops(points, dt, toes)
    steps = np.diff(root, axis=0)[:, None]
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[:-1]), rotations[1:]))
    bends = chosen[1:-1]
    return Jumps(
        pop=_largest(times, point_names, placed, chosen),
        turn=_largest(times, names, turned, chosen),
        move=_largest(times, names[:1], root_breaks(root, dt), chosen),
        turn_kink=_largest(times, names, _unusual(_kink(turns) / dt, dt), bends, first=1),
        move_kink=_largest(times, names[:1], _unusual(_kink(steps) / dt, dt), bends, first=1),
    )


def find_interpolation(times: Array, rotations: Array, chosen: Flags) -> Interpolation | None:
    """Return the longest part of the chosen frames in which all moving joints turn at constant rates, if any.

    rotations: (T, J, 4). Linear interpolation (slerp) between two poses looks like that. In captured motion muscles
    pull and noise shows, so that the rates of many joints never stay constant together.
    """
    if len(times) < 3:
        return None
    dt = float(times[1] - times[0])
    rates = quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[:-1]), rotations[1:])) / dt
    speeds = np.linalg.norm(rates, axis=2)[1:]
    moving = speeds > _MOVING
    steady = np.linalg.norm(np.diff(rates, axis=0), axis=2) <= _STEADY * dt * speeds + _ROUNDING
    linear = np.zeros(len(times), dtype=bool)
    linear[1:-1] = (steady | ~moving).all(axis=1) & (moving.sum(axis=1) >= _FEWEST_MOVING)
    spans = runs(linear & chosen)
    if not spans:
        return None
    first, stop = max(spans, key=lambda span: span[1] - span[0])
    return Interpolation(float(times[first]), float(times[stop]))


def pops(values: Array) -> Array:
    """Return (T, P) how far each of the values (T, P, 3) is from the cubic through two frames on either side."""
    found = np.zeros(values.shape[:2])
    curve = (4.0 * (values[1:-3] + values[3:-1]) - values[:-4] - values[4:]) / 6.0
    found[2:-2] = np.linalg.norm(values[2:-2] - curve, axis=2)
    return found


def root_breaks(root: Array, dt: float) -> Array:
    """Return (T, 1) how far the root (T, 3) pops in each frame, or steps from the frame before, m."""
    found = pops(root[:, None])
    step = _jump(np.diff(root, axis=0)[:, None]) - _STEP_SPEED * max(dt - _FINE_DT, 0.0)
    found[1:] = np.maximum(found[1:], step)
    return found


def turn_residuals(rotations: Array) -> Array:
    """Return (T, J) how far each of the rotations (T, J, 4) is from the curve through its neighbours, rad."""
    found = np.zeros(rotations.shape[:2])
    near = quaternion.slerp(rotations[1:-3], rotations[3:-1], 0.5)
    far = quaternion.slerp(rotations[:-4], rotations[4:], 0.5)
    bend = quaternion.exp(quaternion.log(quaternion.multiply(quaternion.conjugate(far), near)) / 3.0)
    found[2:-2] = quaternion.angle_between(quaternion.multiply(near, bend), rotations[2:-2])
    return found


def _position_pops(points: Array, dt: float, toes: Flags | None = None) -> Array:
    """Return (T, P) how far points (T, P, 3) pop in each frame, m, less what their speed around then explains."""
    found = pops(points)
    found -= _fastest_around(np.linalg.norm(np.diff(points, axis=0), axis=2), max(round(_PLACE_AROUND / dt), 2))
    if toes is not None:
        found[:, toes] -= _TOES
    return found


def _turn_pops(rotations: Array, kinds: Sequence[str], dt: float) -> Array:
    """Return (T, J) how far rotations (T, J, 4) pop in each frame, rad, less what speed and kind of joint explain."""
    coarse = max(dt - _FINE_DT, 0.0)
    share = 1.0 + _COARSE_SHARE * min(coarse / (_COARSE_DT - _FINE_DT), 1.0)
    steps = quaternion.angle_between(rotations[:-1], rotations[1:])
    found = turn_residuals(rotations)
    found -= share * _fastest_around(steps, max(round(_AROUND / dt), 2))
    allowed = [_IMPACTS.get(kind, 0.0) * coarse + (_FEET if kind == "foot" else 0.0) for kind in kinds]
    found -= np.array(allowed)
    return found


def _fastest_around(steps: Array, reach: int) -> Array:
    """Return (T, J) the largest of the steps (T - 1, J) that are 2 to `reach` frames away from a frame on either side.

    A pop does not touch these steps.
    """
    reach = min(reach, len(steps) + 2)  # further away there are no steps
    width = reach - 1
    padded = np.pad(steps, ((reach, reach), (0, 0)))
    largest = sliding_window_view(padded, width, axis=0).max(axis=-1)
    frames = np.arange(len(steps) + 1)
    found: Array = np.maximum(largest[frames], largest[frames + reach + 1])
    return found


def _jump(steps: Array) -> Array:
    """Return (T - 1, J) how much of each step (T - 1, J, 3) neither the one before nor the one after shares.

    The least of its distances from the one before, from the one after, and from their mean: a steady acceleration is
    no jump, nor is a movement that starts or stops at once.
    """
    before, after = (np.linalg.norm(steps - other, axis=2) for other in _neighbours(steps))
    least: Array = np.min([before, after, _misfit(steps)], axis=0)
    return least


def _misfit(steps: Array) -> Array:
    """Return (T - 1, J) how far each step (T - 1, J, 3) is from the mean of the one before and the one after."""
    before, after = _neighbours(steps)
    found: Array = np.linalg.norm(steps - 0.5 * (before + after), axis=2)
    return found


def _neighbours(steps: Array) -> tuple[Array, Array]:
    """Return for each step the one before and the one after; at the ends, the only one there is."""
    return np.concatenate([steps[1:2], steps[:-1]]), np.concatenate([steps[1:], steps[-2:-1]])


def _kink(steps: Array) -> Array:
    """Return (T - 2, J) how much more a step changes from the one before than the steps next to it do."""
    return _misfit(np.diff(steps, axis=0))


def _unusual(sizes: Array, dt: float) -> Array:
    """Return the sizes (K, J) that are many times what is usual for a joint around then, and 0 for the others."""
    reach = max(round(_NEIGHBOURHOOD / dt), _FEWEST_NEIGHBOURS)
    width = min(2 * reach + 1, 2 * len(sizes) + 1)  # a longer window only sees the reflected frames again
    usual = median_filtered(sizes, width, "symmetric")
    return np.where(sizes > _UNUSUAL * usual, sizes, 0.0)


def _largest(times: Array, names: Sequence[str], sizes: Array, chosen: Flags, first: int = 0) -> Break | None:
    """Return the largest of sizes (K, J) in the chosen frames; first: the frame that the first size belongs to."""
    if not sizes.size:
        return None
    inside = np.where(chosen[:, None], sizes, 0.0)
    frame, joint = (int(k) for k in np.unravel_index(inside.argmax(), inside.shape))
    if inside[frame, joint] <= 0:
        return None
    return Break(float(inside[frame, joint]), names[joint], float(times[frame + first]), frame + first)


def jerk_peak(times: Array, points: Mapping[str, Array], chosen: Flags) -> Jerk:
    """Return the largest jerk of the points (T, 3) in the chosen frames."""
    sizes = jerks(times, points)[chosen]
    frame, point = (int(k) for k in np.unravel_index(sizes.argmax(), sizes.shape))
    largest = float(sizes[frame, point])
    if largest <= 0:
        return Jerk(0.0, None, None, 0.0)
    return Jerk(largest, list(points)[point], float(times[chosen][frame]), float(np.sqrt(np.mean(sizes**2))))


def jerks(times: Array, points: Mapping[str, Array]) -> Array:
    """Return (T, P) the jerk of each point, m/s^3, of the cubic that fits each part of its path best."""
    dt = float(times[1] - times[0]) if len(times) > 1 else 1.0
    found: Array = np.linalg.norm(differentiated(np.stack(list(points.values()), axis=1), dt, 3), axis=2)
    return found
