"""Targets in gaps: supports at footsteps, points that are held at one time, and a root that passes through a place.

A footstep becomes two supports, of heel and toe tip. A point that has to be somewhere at one time becomes a support at
one sample, which is aimed again until the point is there. The hips are the root, whose path is moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from segue.body.figure import Figure
from segue.checks import hint, shown
from segue.curves.bspline import SplineBasis
from segue.errors import ArgumentError
from segue.filling.supports import SHORTEST, GapContacts
from segue.motion.fills import Support
from segue.motion.interval import TINY
from segue.motion.targets import Flight, Footstep, Reach, Target
from segue.spacetime import Gap
from segue.spacetime.solver import trace
from segue.typing import Array

if TYPE_CHECKING:
    from segue.filling.solving import Solved

Supports: TypeAlias = Mapping[str, str] | Target | Iterable[Mapping[str, str] | Target]
"""Supports as users give them: choices by the names of points, a target, or several of both."""

HIPS = "hips"
_REACHING = {
    f"{side}_{limb}": f"{side}_{point}"
    for side in ("left", "right")
    for limb, point in (("foot", "ball"), ("hand", "knuckles"))
}
_PACE = 3.0  # m/s, mean speed of a foot that has to be elsewhere soon
_LEAST_SWING = 0.12  # s
_SAME = 0.02  # m that a foot may move without a step
_MISSED = 0.005
"""Metres that a target may be missed by before a note reports it."""
_PIECES = 20.0
"""Pieces a second of the spline in a gap with targets, which have to be met to millimetres."""


def parted(supports: object) -> tuple[dict[str, str], tuple[Target, ...]]:
    """Return the choices for points, and the targets, of supports as users give them."""
    if isinstance(supports, Mapping):
        return dict(supports), ()
    if isinstance(supports, Footstep | Reach | Flight):
        return {}, (supports,)
    if isinstance(supports, str) or not isinstance(supports, Iterable):
        raise ArgumentError(f'supports is {shown(supports)}: it must name points, as {{"left_foot": "enforce"}}')
    choices: dict[str, str] = {}
    targets: list[Target] = []
    for each in supports:
        own, wanted = ({}, ()) if isinstance(each, list | tuple) else parted(each)
        if not own and not wanted and not isinstance(each, Mapping):
            raise ArgumentError(f"the support {shown(each)} is neither a mapping nor a Footstep, Reach or Flight")
        choices |= own
        targets += wanted
    return choices, tuple(targets)


def check_inside(targets: Iterable[Target], gaps: Sequence[tuple[float, float]]) -> None:
    """Raise if a target overlaps none of some gaps, (start, stop) in s."""
    for target in targets:
        if not any(target.stop > start + TINY and target.start < stop - TINY for start, stop in gaps):
            listed = ", ".join(f"{start:g} to {stop:g} s" for start, stop in gaps) or "none"
            raise ArgumentError(f"{target} lies in no gap: the gaps are {listed}")


class GapTargets(NamedTuple):
    """The targets of one gap, whose time begins at 0."""

    footsteps: tuple[Footstep, ...] = ()
    reaches: tuple[Reach, ...] = ()
    flights: tuple[Flight, ...] = ()

    @classmethod
    def inside(cls, targets: Iterable[Target], start: float, stop: float, figure: Figure) -> GapTargets:
        """Return the targets that overlap a gap from start to stop, with named points of the figure."""
        own = [each.later(-start) for each in targets if each.stop > start + TINY and each.start < stop - TINY]
        reaches = [replace(each, point=_named(each.point, figure)) for each in own if isinstance(each, Reach)]
        return cls(
            tuple(each for each in own if isinstance(each, Footstep)),
            tuple(reaches),
            tuple(each for each in own if isinstance(each, Flight)),
        )

    @property
    def feet(self) -> tuple[str, ...]:
        """The points of the feet that have footsteps."""
        return tuple(dict.fromkeys(point for step in self.footsteps for point in _points(step)))

    @property
    def points(self) -> tuple[str, ...]:
        """The points that are held at one time."""
        return tuple(dict.fromkeys(each.point for each in self.reaches if each.point != HIPS))

    def check_free(self, gap: Gap, choices: Mapping[str, str], tracks: Sequence[str], start: float) -> None:
        """Raise if a target cannot count: no filled joint moves it, or its foot is held throughout the gap."""
        if self.flights and "root_position" not in tracks:
            raise ArgumentError(f"{self.flights[0].later(start)} cannot be met: the root is not filled")
        wanted: tuple[Footstep | Reach, ...] = (*self.footsteps, *self.reaches)
        for target in wanted:
            points = _points(target) if isinstance(target, Footstep) else (target.point,)
            moved = "root_position" in tracks if points == (HIPS,) else all(each in gap.points for each in points)
            if not moved:
                raise ArgumentError(f"{target.later(start)} cannot be met: no filled joint moves it")
            if any(choices.get(point) == "enforce" for point in points):
                raise ArgumentError(f"{target.later(start)} cannot be met: the point is enforced; leave that out")

    def coefficients(self, duration: float, usual: int) -> int:
        """Return the number of coefficients a joint with which the targets can be met."""
        return max(usual, min(round(_PIECES * duration), 40)) if self.footsteps or self.reaches else usual

    def moved_root(self, control: Array, duration: float) -> Array:
        """Return spline coefficients (m + 4, k) whose first three columns, the root, pass through targets of the hips.

        The displacement has the least squared acceleration, and is zero with its velocity at both ends.
        """
        wanted = [each for each in self.reaches if each.point == HIPS]
        if not wanted:
            return control
        basis = SplineBasis.uniform(0.0, duration, len(control))
        rows = basis.matrix(np.array([each.at for each in wanted]))
        off = np.array([[each.x, each.y, each.z] for each in wanted]) - rows @ control[:, :3]
        return np.concatenate([control[:, :3] + bump(basis, rows, off), control[:, 3:]], axis=1)

    def supports(self, gap: Gap, contacts: GapContacts, start: float) -> list[Support]:
        """Return the supports at the targets; start: of the gap in s, for messages.

        Headings that are not given are those of the gap's reference path.
        """
        if not self.footsteps and not self.points:
            return []
        paths = trace(gap, np.zeros((len(gap.free), gap.coefficients)))
        found = [each for step in self.footsteps for each in _stance(step, gap, contacts, paths, start)]
        for each in self.reaches:
            if each.point != HIPS:
                found.append(Support(each.point, each.at, each.at, np.tile([each.x, each.y, each.z], (2, 1))))
        return found

    def predicted(self, contacts: Array, duration: float, feet: Sequence[str]) -> Array:
        """Return contacts (T, 4) of `feet` at even times with those of footsteps and flights in place of their own."""
        if not self.footsteps and not self.flights:
            return contacts
        times, out = np.linspace(0.0, duration, len(contacts)), contacts.copy()
        for step in self.footsteps:
            near = (times > step.start - _LEAST_SWING) & (times < step.stop + _LEAST_SWING)
            within = (times >= step.start) & (times <= step.stop)
            for point in _points(step):
                out[near, feet.index(point)] = within[near]
        for flight in self.flights:
            out[(times > flight.start) & (times < flight.stop)] = 0.0
        return out


def bump(basis: SplineBasis, rows: Array, values: Array) -> Array:
    """Return coefficients (n, k) of least squared second differences whose `rows` (r, n) give values (r, k).

    The first and the last two coefficients are zero, so that the spline and its velocity vanish at both ends.
    """
    bend = np.diff(np.eye(basis.count), n=2, axis=0)[:, 2:-2]
    inverse = np.linalg.inv(bend.T @ bend)
    inner = rows[:, 2:-2]
    out = np.zeros((basis.count, values.shape[1]))
    out[2:-2] = inverse @ inner.T @ np.linalg.lstsq(inner @ inverse @ inner.T, values, rcond=1e-9)[0]
    return out


def clear_of(supports: Sequence[Support], fixed: Sequence[Support]) -> list[Support]:
    """Return supports without the times at which their foot is at a footstep, or on its way there."""
    left = list(supports)
    for target in fixed:
        side = target.point.split("_")[0]
        parts = []
        for each in left:
            if each.point.split("_")[0] != side or target.start == target.stop:
                parts.append(each)
                continue
            same = (
                float(np.linalg.norm(each.place.mean(axis=0) - target.place[0])) if each.point == target.point else 1.0
            )
            swing = 0.0 if same < _SAME else _LEAST_SWING
            for start, stop in ((each.start, target.start - swing), (target.stop + swing, each.stop)):
                begin, end = max(start, each.start), min(stop, each.stop)
                if end - begin >= SHORTEST:
                    parts.append(replace(each, start=begin, stop=end))
        left = parts
    return left


def aimed(supports: Sequence[Support], solved: Solved, fixed: Sequence[Support]) -> list[Support] | None:
    """Return supports with points that miss their place at one time aimed further; None if all are near enough.

    supports: as they were aimed in the last solve. fixed: with the places that are wanted.
    """
    at_once = [each for each in fixed if each.start == each.stop]
    off = {id(each): each.place[0] - solved.place(each.point, each.start) for each in at_once}
    if max((float(np.linalg.norm(each)) for each in off.values()), default=0.0) < 0.2 * _MISSED:
        return None
    known = {(each.point, each.start): off[id(each)] for each in at_once}
    return [replace(each, place=each.place + known.get((each.point, each.start), 0.0)) for each in supports]


def target_notes(fixed: Sequence[Support], start: float) -> list[str]:
    """Return a sentence for each measured target that is missed; start: of the gap in s."""
    worst: dict[tuple[str, float], float] = {}
    for each in fixed:
        part = f"{each.point.split('_')[0]}_foot" if each.start < each.stop else each.point
        missed = each.moved if each.moved is not None else 0.0
        key = (part, each.start)
        worst[key] = max(worst.get(key, 0.0), missed)
    return [
        f"the {part.replace('_', ' ')} misses its target at {start + at:.2f} s by {100 * missed:.1f} cm: "
        "it is out of reach, or there is too little time"
        for (part, at), missed in worst.items()
        if missed > _MISSED
    ]


def _sole(figure: Figure) -> float:
    """Return the distance in m from heel to toe tip of a flat foot."""
    build = figure.build
    return float(np.hypot(build.heel + build.toe[2] + build.toes, build.toe[0]))


def _named(point: str, figure: Figure) -> str:
    name = _REACHING.get(point, point)
    if name != HIPS and name not in figure.points:
        known = (*_REACHING, HIPS, *figure.points)
        raise ArgumentError(f"'{point}' cannot have a target: {hint(point, known, 'there are')}")
    return name


def _points(step: Footstep) -> tuple[str, str]:
    return f"{step.side}_heel", f"{step.side}_toe_tip"


def _stance(step: Footstep, gap: Gap, contacts: GapContacts, paths: Mapping[str, Array], start: float) -> list[Support]:
    """Return the supports of heel and toe tip at a footstep, which leave the foot time to come there and to go on."""
    names = _points(step)
    if step.heading is None:
        along = np.interp([0.5 * (step.start + step.stop)], gap.times, np.arange(len(gap.times)))
        ahead = paths[names[1]][int(along[0])] - paths[names[0]][int(along[0])]
        heading = float(np.arctan2(ahead[0], ahead[2]))
    else:
        heading = float(np.radians(step.heading))
    half = 0.5 * _sole(gap.figure) * np.array([np.sin(heading), 0.0, np.cos(heading)])
    middle = np.array([step.x, 0.0, step.z])
    places = np.stack([middle - half, middle + half])
    places[:, 1] = contacts.ground.height(places[:, 0], places[:, 2])
    earliest, latest = step.start, step.stop
    for point, place in zip(names, places, strict=True):
        away = np.linalg.norm(contacts.places[point] - place, axis=1)
        needed = np.where(away > _SAME, np.maximum(away / _PACE, _LEAST_SWING), 0.0)
        earliest, latest = max(earliest, float(needed[0])), min(latest, gap.duration - float(needed[1]))
    if latest - earliest < 2.0 * float(gap.times[1] - gap.times[0]):
        apart = [100 * float(np.linalg.norm(contacts.places[names[0]][k] - places[0])) for k in (0, 1)]
        raise ArgumentError(
            f"{step.later(start)} leaves no time to step: the foot is {apart[0]:.0f} cm away when the gap begins and "
            f"{apart[1]:.0f} cm when it ends; make the gap longer or the step shorter"
        )
    return [
        Support(name, earliest, latest, np.stack([place, place])) for name, place in zip(names, places, strict=True)
    ]
