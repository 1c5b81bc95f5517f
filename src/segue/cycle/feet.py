"""Feet that stand in a cycle stay where they stand: inverse kinematics over the whole period at once.

As in [Rose1996], section 3.2.2, the unknowns are the coefficients of splines, here cyclic ones, of the joints from the
points that stand up to the root; what is minimised is how far the points are from their places, integrated over time.
Places are fixed in the world, so that in the frame that travels with the cycle they move backwards.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import ROOT_POSITION, side_of
from segue.compiled import compiled
from segue.curves import quaternion
from segue.cycle.closing import ClosedBasis
from segue.cycle.cycle import BareCycle
from segue.cycle.soles import Stand, captured_stands, soles_at, stands
from segue.motion.contacts import SOLE_POINTS
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.typing import Array, Flags, Ints

_LEVEL = 0.015  # m by which points of a foot may differ that stand on the same floor
_SUNK = 0.03  # m by which a known ground is lowered to feet that stand below it
_FADE = 0.03  # s before and after a stand, over which its hold comes and goes
_LOOKS = 2  # a foot that has stopped sliding is seen to stand longer than before
_ROUNDS = 2

# A point that misses its place by _MISS (m) costs as much as a joint of the leg that turns by _TURN (rad), a root that
# shifts by _SHIFT (m), or a hinge that is beyond its limit by _OVER (rad); and as either change that is made and undone
# in about the time _PACE (s).
_MISS = 0.0005
_TURN = 0.05
_SHIFT = 0.01
_OVER = 0.002
_PACE = 0.05

_SIDES = ("left", "right")
_LEG = 7  # unknowns a sample: the hip's quaternion, knee, ankle twice
_COUNT = 3 + 2 * _LEG


_HINGES = ("knee_flexion", "ankle_flexion", "ankle_inversion")
_TRACKS = [ROOT_POSITION, *(f"{side}_{part}" for side in _SIDES for part in ("hip", *_HINGES))]
_COLUMNS = np.concatenate([np.arange(HUMAN.column_count)[HUMAN.columns[track]] for track in _TRACKS])
"""The unknowns among the columns of a spline through poses: the root's place, then each leg's joints."""


def _ranges() -> Array:
    """Return the least and the greatest value of each unknown, (2, 17): hinges have limits, the others none here."""
    ranges = np.tile([[-np.inf], [np.inf]], HUMAN.column_count)
    ranges[:, HUMAN.hinge_columns] = HUMAN.limits.low, HUMAN.limits.high
    return ranges[:, _COLUMNS]


_RANGES = _ranges()
_BEYOND = (_MISS / _OVER) ** 2


def plant_feet(
    motion: Motion,
    basis: ClosedBasis,
    coefficients: Array,
    made: Callable[[Array], BareCycle],
    ground: Ground | None = None,
) -> Array:
    """Return coefficients (m, 51) of a cycle with the feet planted that stand in it.

    made: the cycle of given coefficients. It is the feet of the user's skeleton that are planted: the figure's are
    brought to where the others then stand. ground: level as low as the feet stand where None.
    """
    equations = _Equations(motion.figure, basis, coefficients[:, _COLUMNS])
    solved = coefficients.copy()
    captured = captured_stands(motion, made(coefficients), ground)
    times = basis.times
    sinks = np.zeros((len(SOLE_POINTS), len(times)), dtype=bool)
    for _ in range(_LOOKS):
        cycle = made(solved)
        found = stands(motion, cycle, captured, ground)
        if not found:
            break
        hold, targets = _targets(found, times)
        levels = _levels(found, ground)
        for _ in range(_ROUNDS):
            soles = soles_at(motion, cycle, times)
            floors = levels[:, None] + (0.0 if ground is None else ground.under(soles.seen))
            # once lifted a point stays so, or the next round would let it sink again
            sinks |= soles.seen[:, :, 1] < floors
            firm, places = _lifted(sinks & (hold == 0), floors, soles.seen, hold, targets)
            # what the skeleton's foot is away from the figure's changes little with the pose
            wanted = np.moveaxis(places - (soles.seen - soles.figure), 0, 1)
            solved[:, _COLUMNS] += equations.step(solved, firm, np.moveaxis(cycle.travel.seen(wanted, times), 1, 0))
            cycle = made(solved)
    return solved


def _targets(found: list[Stand], times: Array) -> tuple[Array, Array]:
    """Return how firmly each point is held at the samples, (4, T) from 0 to 1, and where in the world, (4, T, 3)."""
    hold = np.zeros((len(SOLE_POINTS), len(times)))
    targets = np.zeros((*hold.shape, 3))
    for stand in found:
        p = SOLE_POINTS.index(stand.point)
        outside = np.maximum(np.maximum(stand.start - times, times - stand.stop), 0.0)
        weight = np.clip(1.0 - outside / _FADE, 0.0, 1.0)
        firmer = weight > hold[p]
        targets[p][firmer] = stand.place
        hold[p][firmer] = weight[firmer]
    return hold, targets


def _levels(found: list[Stand], ground: Ground | None) -> Array:
    """Return the height above the ground below which each point sinks, (4,) m: the lowest at which it stands.

    ground: at 0 where None. The ground itself where it is known, or a little lower, since soles are known to a few cm.
    """
    heights = [stand.place[1] if ground is None else float(ground.above(stand.place)) for stand in found]
    levels = []
    for point in SOLE_POINTS:
        own = [height for height, stand in zip(heights, found, strict=True) if stand.point == point]
        foot = [height for height, stand in zip(heights, found, strict=True) if side_of(stand.point) == side_of(point)]
        lowest = min(foot or heights)
        # a heel that stands higher than the toes of its foot by more is on a step, or in the air
        levels.append(min(*own, lowest + _LEVEL) if own else lowest)
    return np.array(levels) if ground is None else np.clip(levels, -_SUNK, 0.0)


def _lifted(sinks: Flags, floors: Array, seen: Array, hold: Array, targets: Array) -> tuple[Array, Array]:
    """Return holds (4, T, 3) by direction, and places: points that sink below where they stand are lifted to there.

    sinks: (4, T) which and when. floors: (4, T) m. seen: (4, T, 3) where the points are.
    """
    firm, places = np.repeat(hold[:, :, None], 3, axis=2), targets.copy()
    firm[:, :, 1][sinks] = 1.0
    places[sinks] = seen[sinks]
    places[:, :, 1] = np.where(sinks, floors, places[:, :, 1])
    return firm, places


class _Equations:
    """The least squares that bring points to their places while joints stay near where they were."""

    def __init__(self, figure: Figure, basis: ClosedBasis, start: Array) -> None:
        self._figure = figure
        self._basis = basis
        self._start = start
        self._values, self._bends = basis.matrix(), basis.matrix(2)
        self._weights = basis.weights(0), basis.weights(2)
        sizes = np.full(_COUNT, _TURN)
        sizes[:3] = _SHIFT
        for leg in (3, 3 + _LEG):
            sizes[leg : leg + 4] = 0.5 * _TURN  # a quaternion changes by half the angle
        self._keep = (_MISS / sizes) ** 2
        self._calm = self._keep * _PACE**4
        self._place = folded(basis.pieces)
        places = self._place[basis.which]
        span = int(np.ptp(places, axis=1).max())
        self._wide = (span + 1) * _COUNT

    def step(self, coefficients: Array, hold: Array, wanted: Array) -> Array:
        """Return how the unknowns (m, 17) change in a step of Gauss and Newton.

        hold: (4, T, 3) how firmly each point is held at the samples, by direction. wanted: (4, T, 3) where.
        """
        rows = self._values @ coefficients
        points, slopes = _points(self._figure, rows)
        firm, off = (np.moveaxis(part, 1, 0).reshape(len(rows), -1) for part in (hold, points - wanted))
        weighted = firm[:, :, None] * slopes
        change = coefficients[:, _COLUMNS] - self._start
        angles = rows[:, _COLUMNS]
        beyond = angles - np.clip(angles, *_RANGES)
        pull = (weighted * off[:, :, None]).sum(axis=1) + self._keep * (self._values @ change) + _BEYOND * beyond
        right = self._values.T @ pull + self._bends.T @ (self._calm * (self._bends @ change))
        hold_rows = np.swapaxes(slopes, 1, 2) @ weighted + _BEYOND * (beyond != 0)[:, :, None] * np.eye(_COUNT)
        band = band_of(self._basis.which, *self._weights, hold_rows, self._keep, self._calm, self._place, self._wide)
        ordered = np.empty_like(right)
        ordered[self._place] = right
        solved = scipy.linalg.solveh_banded(band, -ordered.ravel(), lower=True, check_finite=False)
        step: Array = solved.reshape(right.shape)[self._place]
        return step


def _points(figure: Figure, rows: Array) -> tuple[Array, Array]:
    """Return points of the soles (4, T, 3) of poses (T, 51), and their derivatives by the unknowns (T, 12, 17)."""
    count, poses = len(rows), Poses.of_rows(rows)
    positions, rotations = figure.forward(poses)
    points, slopes = np.empty((len(SOLE_POINTS), count, 3)), np.zeros((count, len(SOLE_POINTS), 3, _COUNT))
    turning = {side: _turning(side, poses, rows[:, HUMAN.columns[f"{side}_hip"]], rotations) for side in _SIDES}
    for p, name in enumerate(SOLE_POINTS):
        segment, place = figure.points[name]
        s, side = HUMAN.segments.index(segment), side_of(name)
        points[p] = positions[:, s] + quaternion.rotate(rotations[:, s], place)
        slopes[:, p, :, :3] = np.eye(3)
        first = 3 + _LEG * _SIDES.index(side)
        for k, (pivot, axis) in enumerate(turning[side]):
            arm = points[p] - positions[:, HUMAN.segments.index(f"{side}_{pivot}")]
            slopes[:, p, :, first + k] = np.cross(axis, arm)
    return points, slopes.reshape(count, -1, _COUNT)


def _turning(side: str, poses: Poses, hip: Array, rotations: Array) -> list[tuple[str, Array]]:
    """Return for each unknown of a leg the segment at whose joint it turns, and about which axes of the world (T, 3).

    hip: (T, 4) the quaternion of the hip before it is made one of unit length.
    """
    square = np.sum(hip**2, axis=1, keepdims=True)
    found = []
    for unit in np.eye(4):
        turn = quaternion.multiply(np.broadcast_to(unit, hip.shape), quaternion.conjugate(hip))
        found.append(("thigh", quaternion.rotate(rotations[:, 0], 2.0 * turn[:, 1:] / square)))
    thigh, shank = (rotations[:, HUMAN.segments.index(f"{side}_{part}")] for part in ("thigh", "shank"))
    knee, flexion, inversion = (np.array(HUMAN.hinge(f"{side}_{name}").axis) for name in _HINGES)
    bent = quaternion.exp(poses.hinge(f"{side}_ankle_flexion")[:, None] * flexion)
    found += [
        ("shank", quaternion.rotate(thigh, knee)),
        ("foot", quaternion.rotate(shank, flexion)),
        ("foot", quaternion.rotate(quaternion.multiply(shank, bent), inversion)),
    ]
    return found


@compiled(seconds=2)
def band_of(
    which: Ints, by: Array, bend: Array, hold: Array, keep: Array, calm: Array, place: Ints, wide: int
) -> Array:
    """Return the lower band (wide, m n) of the normal equations of n splines with m coefficients.

    which, by, bend: (T, 4) the coefficients that count at a sample, for values and for second derivatives. hold:
    (T, n, n) the equations of values at a sample; keep, calm: (n,) what is added to the diagonal for values and for
    second derivatives. place: (m,) where each coefficient comes in order.
    """
    n = len(keep)
    band = np.zeros((wide, len(place) * n))
    for t in range(len(which)):
        for i in range(4):
            for j in range(4):
                row, column = place[which[t, i]] * n, place[which[t, j]] * n
                if row < column:
                    continue
                values, bends = by[t, i] * by[t, j], bend[t, i] * bend[t, j]
                for a in range(n):
                    for b in range(n if row > column else a + 1):
                        band[row + a - column - b, column + b] += values * hold[t, a, b]
                    if row + a >= column + a:
                        band[row - column, column + a] += values * keep[a] + bends * calm[a]
    return band


def folded(count: int) -> Ints:
    """Return the place of each coefficient of a cycle in an order in which neighbours are near: from both ends."""
    index = np.arange(count)
    return np.where(index < (count + 1) // 2, 2 * index, 2 * (count - 1 - index) + 1)
