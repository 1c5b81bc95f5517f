"""Feet that stand in a cycle stay where they stand: inverse kinematics over the whole period at once.

As in [Rose1996], section 3.2.2, the unknowns are the coefficients of splines, here cyclic ones, of the joints from the
standing points up to the root. The objective is the distance of the points from their places, integrated over time.
Places are fixed in the world, so that in the frame that travels with the cycle they move backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import ROOT_POSITION, side_of
from segue.curves import quaternion
from segue.cycle.closing import ClosedBasis
from segue.cycle.cycle import BareCycle
from segue.cycle.soles import Stand, captured_stands, soles_at, stands
from segue.motion.contacts import SOLE_POINTS
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.spacetime.cyclic_path import CyclicPath
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.path import Samples
from segue.spacetime.terms.hold import Hold, Holds
from segue.spacetime.terms.joint_limits import JointLimits
from segue.spacetime.terms.smoothness import Acceleration, Distance
from segue.spacetime.terms.term import TermSum, Weighted
from segue.typing import Array, Flags, Ints

_LEVEL = 0.015  # m by which points of a foot may differ that stand on the same floor
_SUNK = 0.03  # m by which a known ground is lowered to feet that stand below it
_FADE = 0.03  # s before and after a stand, over which its hold comes and goes
_LOOKS = 2  # a foot that has stopped sliding is seen to stand longer than before
_ROUNDS = 2
_STEPS, _TOLERANCE = 12, 1e-5  # of a descent with terms of a user; one step of Gauss and Newton does without

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


def plant_feet(
    motion: Motion,
    basis: ClosedBasis,
    coefficients: Array,
    made: Callable[[Array], BareCycle],
    ground: Ground | None = None,
    *,
    flips: Flags,
    plant: bool = True,
    terms: Sequence[Weighted] = (),
) -> Array:
    """Return coefficients (m, 51) of a cycle with the feet planted that stand in it.

    made: the cycle of given coefficients. It is the feet of the user's skeleton that are planted: the figure's are
    brought to where the others then stand. ground: level as low as the feet stand where None. flips: (51,) which curves
    come back with the other sign. plant: whether feet are planted at all. terms: costs of a user,
    which see the path from the frame that travels; they move all joints, and then the legs again with what is planted.
    """
    path = _path(basis, flips, _COLUMNS)
    body = FigureBodies(motion.figure)
    stay = [*_stay(path, coefficients), Weighted(JointLimits(body), _OVER**-2.0), *terms]
    solved = coefficients.copy()
    if terms:
        TermSum.of(terms).parts(path.samples(solved))  # says what is wrong with a term before anything is done with it
        whole = _path(basis, flips, np.arange(HUMAN.column_count))
        solved = whole.improved(solved, _sum(stay), iterations=_STEPS, tolerance=_TOLERANCE)
    if not plant:
        return solved
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
            seen = np.moveaxis(cycle.travel.seen(wanted, times), 1, 0)
            holds = [Hold(name, firm[p], seen[p]) for p, name in enumerate(SOLE_POINTS)]
            total = _sum([*stay, Weighted(_LegHolds(body, holds), _MISS**-2.0)])
            solved = path.improved(solved, total, iterations=_STEPS if terms else 1, tolerance=_TOLERANCE)
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


class _LegHolds(Holds):
    """Holds of points of the soles, whose curvature couples the root's place and the legs' joints."""

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (1, 51, 1, 51, T), by Gauss and Newton."""
        slopes = _points(self.body.figure, samples.value)[1]
        firm = 2.0 * samples.weights[:, None] * self.weights.reshape(len(slopes), -1)
        whole = np.zeros((len(slopes), HUMAN.column_count, HUMAN.column_count))
        whole[:, _COLUMNS[:, None], _COLUMNS] = np.swapaxes(slopes, 1, 2) @ (firm[:, :, None] * slopes)
        return np.moveaxis(whole, 0, -1)[None, :, None]


def _sum(terms: Sequence[Weighted]) -> TermSum:
    """Return a sum of terms, some of which may have one name: ours and the user's."""
    return TermSum(tuple(each.term for each in terms), tuple(each.weight for each in terms))


def _path(basis: ClosedBasis, flips: Flags, variable: Ints) -> CyclicPath:
    orders = np.stack([basis.weights(order) for order in range(4)])
    weights = np.full(len(basis.times), basis.period / len(basis.times))
    return CyclicPath(basis.times, weights, basis.which, orders, flips, variable)


def _stay(path: CyclicPath, coefficients: Array) -> list[Weighted]:
    """Return the terms by which joints stay near where they were, and go as gently."""
    start = path.samples(coefficients)
    sizes = np.full(HUMAN.column_count, _TURN)
    sizes[:3] = _SHIFT
    sizes[HUMAN.ball_columns] = 0.5 * _TURN  # a quaternion changes by half the angle
    keep = sizes**-2.0
    return [
        Weighted(Distance(keep, start.value)),
        Weighted(Acceleration(keep * _PACE**4, start.acceleration)),
    ]


def _points(figure: Figure, rows: Array) -> tuple[Array, Array]:
    """Return points of the soles (4, T, 3) of poses (T, 51), and their derivatives by the unknowns (T, 12, 17)."""
    count, poses = len(rows), Poses.from_rows(rows)
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
