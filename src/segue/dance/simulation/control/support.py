"""Support of a dancer whose feet come and go: soles on the floor, and pressure that moves with shifted footsteps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import scipy

from segue.dance.course.stands import Foot
from segue.dance.planning.model import Footprint, Footstep
from segue.typing import Array

_SIDES = ("left", "right")
_HALF_BREADTH = 0.12  # of the foot's length
_ASIDE, _ALONG = 0.008, 0.025  # m inside the rim of the sole: a reserve for disturbances
_LEAST_SQUARE = 1e-6  # m^2 between two feet


class HalfPlanes(NamedTuple):
    """Bounds on a change (2,) of the pressure: normals (H, 2) @ change <= bounds (H,), m."""

    normals: Array
    bounds: Array


class _Span(NamedTuple):
    """A foot stands from one time to another, s, at the end of the step of that number; -1: of an earlier step."""

    since: float
    until: float
    where: Footprint
    by: int


def other_side(side: str) -> str:
    """Return the opposite side."""
    return _SIDES[side == _SIDES[0]]


class Support:
    """Feet that stand and fly in turn; stands: current or last footprint of each; steps: flights in order of time."""

    def __init__(self, foot: Foot, stands: Mapping[str, Footprint], steps: Sequence[Footstep]) -> None:
        self._foot, self._count = foot, len(steps)
        self._spans: dict[str, list[_Span]] = {}
        for side in _SIDES:
            spans, since, where, by = [], -np.inf, stands[side], -1
            for number, step in enumerate(steps):
                if step.foot == side:
                    spans.append(_Span(since, step.lift, where, by))
                    since, where, by = step.land, step.end, number
            self._spans[side] = [*spans, _Span(since, np.inf, where, by)]

    def standing(self, time: float) -> dict[str, _Span]:
        """Return the span of each foot that stands at a time, by side."""
        return {side: span for side, spans in self._spans.items() for span in spans if span.since <= time < span.until}

    def mixes(self, times: Array, pressure: Array) -> Array:
        """Return how much (N, n) the shift of each step shifts the pressure (N, 2): fully under a single standing foot.

        With both feet down, the share of each foot depends on how near the pressure is to it.
        """
        found = np.zeros((len(times), self._count))
        for k, time in enumerate(times):
            stand = self.standing(float(time))
            shares = dict.fromkeys(stand, 1.0)
            if len(stand) == len(_SIDES):
                left, right = (self._foot.on_floor(stand[side].where, self._foot.middle) for side in _SIDES)
                across = right - left
                square = max(float(across @ across), _LEAST_SQUARE)
                share = min(max(float((pressure[k] - left) @ across) / square, 0.0), 1.0)
                shares = {"left": 1.0 - share, "right": share}
            for side, span in stand.items():
                if span.by >= 0:
                    found[k, span.by] += shares[side]
        return found

    def room(self, times: Array, pressure: Array, shifts: Array) -> list[HalfPlanes]:
        """Return the allowed change of the pressure (N, 2) at each time, if steps are shifted by (n, 2).

        A pressure outside the soles may stay where it is, because swinging limbs may need it there.
        """
        found = []
        known: dict[tuple[Footprint, ...], HalfPlanes] = {}
        for time, point in zip(times, pressure, strict=True):
            prints = tuple(_shifted(span, shifts) for span in self.standing(float(time)).values())
            if prints not in known:
                known[prints] = self._hull(prints)
            normals, reach = known[prints]
            found.append(HalfPlanes(normals, np.maximum(reach - normals @ point, 0.0)))
        return found

    def _hull(self, prints: Sequence[Footprint]) -> HalfPlanes:
        """Return the convex hull of all soles."""
        foot, half = self._foot, _HALF_BREADTH * self._foot.length - _ASIDE
        corners = [
            foot.on_floor(each, ahead, aside)
            for each in prints
            for ahead in (_ALONG - foot.heel, foot.toe + foot.tip - _ALONG)
            for aside in (-half, half)
        ]
        sides = scipy.spatial.ConvexHull(np.array(corners)).equations
        return HalfPlanes(sides[:, :2], -sides[:, 2])


def _shifted(span: _Span, shifts: Array) -> Footprint:
    x, z = shifts[span.by] if span.by >= 0 else (0.0, 0.0)
    return Footprint(span.where.x + x, span.where.z + z, span.where.heading)
