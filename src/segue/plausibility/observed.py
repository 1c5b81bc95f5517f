"""What a motion shows at its frames: joints of the skeleton it is seen on, soles, and the figure with its mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.contacts import (
    CLEAR,
    FLESH,
    PLANTED,
    TOUCHING,
    Contact,
    contact_flags,
    find_contacts,
    floor_height,
)
from segue.plausibility.slide import dragged_points
from segue.plausibility.torque import joint_torques
from segue.typing import Array, Flags

FOOT_POINTS = ("left_heel", "left_toe", "right_heel", "right_toe")
"""Points under the sole that can be planted; "toe" is the ball of the foot, where toes begin and weight is borne."""

END_SEGMENTS = ("left_hand", "right_hand", "left_foot", "right_foot")
"""Segments beyond which nothing is measured but the place of toes: capture hardly sees fingers."""

_ON_FIGURE = {name: name.replace("toe", "ball") for name in FOOT_POINTS}
_EXTREMES = ("pelvis", "head", "left_hand", "right_hand", "left_foot", "right_foot")
_FLOOR_AT_ZERO = 0.02  # m: feet that stand this near to y = 0 stand on it
_SHARE_AT_ZERO = 0.25  # of the planted time, for y = 0 to be the floor: the rest may be steps, or faults


@dataclass(frozen=True, eq=False)
class Observed:
    """Frames of a motion, in metres, Y up, on the skeleton that its user sees.

    times: (T,) s. names, local: the joints and their rotations (T, J, 4) in their parents' frames. body: indices of all
    joints but those of fingers and toes; kinds: for each of these, "hand", "foot", "head" (and neck) or "other". root:
    (T, 3), where the skeleton's first joint is. points, point_names, toes: (T, P, 3) where the joints of the body, toes
    and tips of bones are, their names, and (P,) which are toes. segments: for each segment of the figure that the
    skeleton shows, its rotation (T, 4) as its joint has it, nothing fitted or clamped; origins: (T, 3), where that
    joint is. poses: the figure's own, as fitted or computed. given_floor: its height, where known.
    """

    times: Array
    fps: float
    figure: Figure
    poses: Poses
    names: tuple[str, ...]
    local: Array
    root: Array
    segments: dict[str, Array]
    origins: dict[str, Array]
    body: tuple[int, ...]
    kinds: tuple[str, ...]
    points: Array
    point_names: tuple[str, ...]
    toes: Flags
    given_floor: float | None = None

    def __len__(self) -> int:
        return len(self.times)

    @property
    def dt(self) -> float:
        """Seconds from a frame to the next."""
        return 1.0 / self.fps

    @property
    def stature(self) -> float:
        """The body's height in metres."""
        return self.figure.stature

    @cached_property
    def soles(self) -> dict[str, Array]:
        """The points under each foot (T, 3) by the names of `FOOT_POINTS`.

        They are the figure's points of the sole, carried by the foot of the skeleton itself: what is seen slides and
        sinks, not what was fitted.
        """
        return self.soles_of(self.figure)

    def soles_of(self, figure: Figure) -> dict[str, Array]:
        """Return the points under each foot (T, 3) as if the soles were those of another figure."""
        found = {}
        for name, point in _ON_FIGURE.items():
            segment, place = figure.points[point]
            found[name] = self.origins[segment] + quaternion.rotate(self.segments[segment], place)
        return found

    @cached_property
    def floor(self) -> float:
        """The floor's height in m: as given, or 0 where the feet often stand there, or where the lowest of them rest.

        Most files have their floor at 0, and then a step that sinks below it is a fault, not the floor.
        """
        if self.given_floor is not None:
            return self.given_floor
        at_zero = sum(c.duration for c in self.contacts if abs(c.position[1]) < _FLOOR_AT_ZERO)
        if at_zero > _SHARE_AT_ZERO * sum(c.duration for c in self.contacts):
            return 0.0
        return floor_height(self.times, self.soles, self.stature)

    @cached_property
    def contacts(self) -> list[Contact]:
        """When the points under the feet stand on something, be it the floor or a step."""
        return find_contacts(self.times, self.soles, self.stature)

    @cached_property
    def touching(self) -> dict[str, Flags]:
        """Whether each point under the feet is in contact, (T,)."""
        return contact_flags(self.times, self.contacts, self.soles)

    @cached_property
    def centre_of_mass(self) -> Array:
        """The body's centre of mass (T, 3), of the figure as it is posed."""
        positions, rotations = self._figure_world
        weighted = np.zeros((len(self), 3))
        for s, inertia in enumerate(self.figure.inertias.values()):
            weighted += inertia.mass * (positions[:, s] + quaternion.rotate(rotations[:, s], inertia.centre))
        return weighted / sum(inertia.mass for inertia in self.figure.inertias.values())

    @cached_property
    def aloft(self) -> Flags:
        """Whether the body is in the air, (T,): no foot is planted, and no part of it is where the floor is.

        Parts other than feet roll and slide as they land, so that for them it is enough to be near the floor. A hand
        that rests anywhere carries the body too, as over an obstacle that the file does not have.
        """
        lowest_sole = np.min([track[:, 1] for track in self.soles.values()], axis=0)
        clear: Flags = ~self._on_feet & ~self.on_flesh & (lowest_sole - self.floor > CLEAR * self.stature)
        return clear & ~self._on_hands

    @cached_property
    def bearing(self) -> dict[str, Flags]:
        """Whether each point under the feet bears the body, (T,): firmly planted, or dragged along under it.

        Feet of someone who crawls or lies bear little, and may go where they like.
        """
        found = find_contacts(self.times, self.soles, self.stature, strictness=PLANTED)
        planted = contact_flags(self.times, found, self.soles)
        dragged = dragged_points(
            self.times, self.soles, self.centre_of_mass, self._on_feet | self.on_flesh | self._on_hands, self.aloft
        )
        return {point: (planted[point] & ~self.on_flesh) | dragged[point] for point in self.soles}

    @cached_property
    def torques(self) -> dict[str, Array]:
        """The size of each joint's torque (T,) in N m per kg of body mass; NaN where it is not known."""
        standing = {}
        for side in ("left", "right"):
            points = [point for point in FOOT_POINTS if side_of(point) == side]
            standing[side] = np.any([self.bearing[point] | self.touching[point] for point in points], axis=0)
        return joint_torques(self.figure, self.poses, self.fps, standing, ~self.on_flesh)

    @cached_property
    def _on_feet(self) -> Flags:
        """Whether some point under the feet is in contact, (T,)."""
        carried: Flags = np.any(list(self.touching.values()), axis=0)
        return carried

    @cached_property
    def _on_hands(self) -> Flags:
        """Whether a hand rests on something, at any height, (T,)."""
        hands = {name: self.origins[name] for name in END_SEGMENTS[:2]}
        found = find_contacts(self.times, hands, self.stature, strictness=TOUCHING._replace(reach=np.inf))
        resting: Flags = np.any(list(contact_flags(self.times, found, hands).values()), axis=0)
        return resting

    @cached_property
    def _figure_world(self) -> tuple[Array, Array]:
        return self.figure.forward(self.poses)

    @cached_property
    def on_flesh(self) -> Flags:
        """Whether some part of the body other than a foot is at the floor, (T,)."""
        heights = self._figure_world[0][:, :, 1] - self.floor
        parts = [segment.removeprefix("left_").removeprefix("right_") for segment in HUMAN.segments]
        near = [heights[:, s] < FLESH[part] * self.stature for s, part in enumerate(parts) if part in FLESH]
        on_flesh: Flags = np.any(near, axis=0)
        return on_flesh

    @property
    def extremes(self) -> dict[str, Array]:
        """Where hands, feet, head and hips are, (T, 3) each: what an eye follows."""
        return {name: self.origins[name] for name in _EXTREMES}

    def within(self, start: float | None, stop: float | None) -> Flags:
        """Return (T,) which frames lie in a window of time; at least one must."""
        chosen = np.ones(len(self), dtype=bool)
        if start is not None:
            chosen &= self.times >= start - 1e-6 * self.dt
        if stop is not None:
            chosen &= self.times <= stop + 1e-6 * self.dt
        if not chosen.any():
            first, last = self.times[0], self.times[-1]
            raise ArgumentError(
                f"no frame lies between {_time(start, first)} and {_time(stop, last)} s: the motion lasts from "
                f"{first:g} to {last:g} s"
            )
        return chosen


def _time(given: float | None, otherwise: float) -> str:
    return f"{otherwise if given is None else given:g}"
