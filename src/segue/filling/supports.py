"""Supports: points that carry weight on either side of a gap, and for how long they are held in it.

A support is a point that is `HOLDABLE`, near the floor [Rose1996, section 3.2.2]. A support that
both sides share is held through the gap; one that only one side shows is held from there for as long as the solved
motion leaves it where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.figure import FEET, Figure
from segue.errors import ArgumentError
from segue.filling._support_kernels import Resting, first_stay, point_paths, resting_points, support_path
from segue.filling.sides import STEP, GapContext
from segue.motion.contacts import HOLDABLE
from segue.motion.fills import Support
from segue.motion.functions import Placement
from segue.motion.ground import Ground
from segue.motion.interval import TINY
from segue.spacetime import Hold
from segue.typing import Array, Ints

CHOICES = ("auto", "enforce", "never")
_LIMBS = {
    f"{side}_{limb}": tuple(f"{side}_{point}" for point in points)
    for side in ("left", "right")
    for limb, points in (("foot", ("heel", "toe_tip")), ("hand", ("knuckles",)))
}

SHARED = 0.006  # of stature that a support may be apart on the two sides
_STAYS = 0.003  # of stature within which a free point counts as held
SHORTEST = 0.08  # s, the shortest support of one side
_CHANGE = 0.1  # of the gap on either side of its middle in which a support may change places
_CONTRADICTION = 0.05  # m by which the ends of an enforced support may differ
_SUNK = 0.03  # m by which a ground is lowered to a foot that is below it
_SETTLING = 0.04  # s, time constant of the decay of a support's speed


@dataclass(frozen=True, eq=False)
class GapContacts:
    """The ground under a gap, and the contacts at its start and stop.

    places, speeds: position in m and velocity in m/s of each point at start and stop, (2, 3). rests: whether each point
    is a support at start and at stop.
    """

    ground: Ground
    places: Mapping[str, Array]
    speeds: Mapping[str, Array]
    rests: Mapping[str, tuple[bool, bool]]

    @property
    def airborne(self) -> bool:
        """Whether no foot is a support on either side."""
        return not any(any(self.rests[point]) for point in FEET)

    def apart(self, point: str) -> float:
        """Return the distance between a point's positions at start and stop, in m."""
        return float(np.linalg.norm(self.places[point][1] - self.places[point][0]))


def check_supports(supports: Mapping[str, str], figure: Figure) -> dict[str, str]:
    """Return the choice for each point, checked: feet are "auto" by default, other points only if named."""
    choices = dict.fromkeys(FEET, "auto")
    for name, choice in supports.items():
        points = _LIMBS.get(name, (name,))
        for point in points:
            if point not in figure.points:
                known = ", ".join([*_LIMBS, *figure.points])
                raise ArgumentError(f"'{name}' cannot be a support: there are {known}")
        if choice not in CHOICES:
            raise ArgumentError(f"the support {name} is '{choice}': it must be one of {', '.join(CHOICES)}")
        choices |= dict.fromkeys(points, choice)
    return choices


def find_contacts(figure: Figure, sides: GapContext, points: Mapping[str, str], ground: Ground | None) -> GapContacts:
    """Detect the ground and the supports before and after a gap.

    ground: level at the height of the lowest foot where None. Soles of captured people are known to a few centimetres,
    so a given or detected ground is lowered to the lowest foot, by at most 3 cm.
    """
    named = body_points(figure, tuple(dict.fromkeys([*FEET, *points])))
    root, _, _, balls, _, _, hinges, _, _ = sides.state.parts
    paths = point_paths(figure.tree, root, balls, hinges, named.segments, named.places)
    stature = figure.stature
    resting = Resting(HOLDABLE.rest(stature), round(HOLDABLE.seconds / STEP), HOLDABLE.reach * stature, TINY)
    under = np.zeros(paths.shape[:2]) if ground is None else ground.under(paths)
    lowest, speeds, rests = resting_points(sides.times, paths, named.feet, under, resting)
    if ground is None:
        ground = Ground((lowest, 0.0, 0.0))
    elif lowest < 0.0:
        ground = ground.moved(Placement(rise=max(lowest, -_SUNK)))
    seam = len(sides.times) // 2
    return GapContacts(
        ground,
        dict(zip(named.names, paths[:, seam - 1 : seam + 1], strict=True)),
        dict(zip(named.names, speeds, strict=True)),
        {name: (own[0], own[1]) for name, own in zip(named.names, rests.tolist(), strict=True)},
    )


class BodyPoints(NamedTuple):
    """Named points of a figure: segment (N,), place on that segment (N, 3) in m, and whether it is on a foot (N,)."""

    names: tuple[str, ...]
    segments: Ints
    places: Array
    feet: npt.NDArray[np.bool_]


@lru_cache(maxsize=256)
def body_points(figure: Figure, names: tuple[str, ...]) -> BodyPoints:
    """Return named points of a figure as arrays for the kernels."""
    return BodyPoints(names, *figure.places(names), np.array([name in FEET for name in names]))


def check_enforced(contacts: GapContacts, choices: Mapping[str, str], start: float, stop: float) -> None:
    """Raise if an enforced point has different positions at start and stop, in s of the motion."""
    for point, choice in choices.items():
        apart = contacts.apart(point)
        if choice == "enforce" and apart > _CONTRADICTION:
            raise ArgumentError(
                f"{point.replace('_', ' ')} cannot be held from {start:g} to {stop:g} s: it is {100 * apart:.0f} cm "
                f"away at the end; let it go (never or auto), or place the motions so that it stays"
            )


def find_supports(contacts: GapContacts, choices: Mapping[str, str], figure: Figure, duration: float) -> list[Support]:
    """Return the supports that are held through the whole gap, whose time begins at 0."""
    held = []
    for point, choice in choices.items():
        shared = all(contacts.rests[point]) and contacts.apart(point) <= SHARED * figure.stature
        if choice == "enforce" or (choice == "auto" and shared):
            held.append(Support(point, 0.0, duration, contacts.places[point]))
    return held


def partial_supports(
    contacts: GapContacts, choices: Mapping[str, str], figure: Figure, times: Array, paths: Mapping[str, Array]
) -> list[Support]:
    """Return supports of one side only, each held for as long as a solved motion leaves it in place.

    times: (S,) of the gap. paths: (S, 3) of each point in the motion that was solved without them.
    """
    found = []
    middle, apart = 0.5 * (times[0] + times[-1]), _CHANGE * (times[-1] - times[0])
    for point, choice in choices.items():
        rests = contacts.rests[point]
        if choice != "auto" or point not in paths or not any(rests):
            continue
        # a point that rests on both sides, but not in the same place, needs time to get from the one to the other
        latest = middle - apart if all(rests) else times[-1]
        earliest = middle + apart if all(rests) else times[0]
        for side in (0, 1):
            if not rests[side]:
                continue
            place = contacts.places[point][side]
            run = first_stay(paths[point], place, _STAYS * figure.stature, side == 1)
            span = (times[0], min(times[run], latest)) if side == 0 else (max(times[-1 - run], earliest), times[-1])
            if span[1] - span[0] >= SHORTEST:
                found.append(Support(point, float(span[0]), float(span[1]), np.stack([place, place])))
    return found


def hold_of(
    supports: list[Support], contacts: GapContacts, times: Array, ways: Iterable[Hold] = ()
) -> tuple[Hold, ...]:
    """Return the holds of supports at the sample times of a gap; a point may be held several times.

    A support that starts when it stops is held at the nearest sample. ways: holds of points that no support holds.
    """
    holds = {way.point: way for way in ways}
    for support in supports:
        if support.start == support.stop:
            weights = (np.arange(len(times)) == np.abs(times - support.start).argmin()).astype(float)
        else:
            weights = ((times >= support.start - TINY) & (times <= support.stop + TINY)).astype(float)
        # the speed at a seam decays in the support that begins or ends there
        decaying = np.array([support.start <= TINY, support.stop >= times[-1] - TINY])[:, None]
        path = support_path(times, support.place, decaying * contacts.speeds[support.point], _SETTLING)
        if support.point in holds:
            other = holds[support.point]
            path = np.where(weights[:, None] > 0, path, other.path)
            weights = np.where(weights > 0, weights, other.weights)
        holds[support.point] = Hold(support.point, weights, path)
    return tuple(holds.values())


def supports_of(text: str) -> dict[str, str]:
    """Return the choice for each point by name, from "left_foot=enforce, right_hand=auto"."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, sign, choice = (word.strip() for word in part.partition("="))
        if not (name and sign and choice):
            raise ArgumentError(
                f"the support '{part.strip()}' is not NAME=CHOICE: write left_foot=enforce, with commas between "
                f"several; choices are {', '.join(CHOICES)}"
            )
        if name in found:
            raise ArgumentError(f"the support {name} is given twice: give it once")
        found[name] = choice
    return found
