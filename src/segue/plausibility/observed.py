"""What a motion shows at its frames: joints of the skeleton it is seen on, soles, and the figure with its mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import SEGMENTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion.contacts import Contact, find_contacts, floor_height
from segue.motion.motion import Motion
from segue.motion.take import Take
from segue.plausibility.planted import Flags, contact_frames, dragged_points, planted_points

__all__ = ["FOOT_POINTS", "Observed", "observe"]

FOOT_POINTS = ("left_heel", "left_toe", "right_heel", "right_toe")
"""Points under the sole that can be planted; "toe" is the ball of the foot, where toes begin and weight is borne."""

_ON_FIGURE = {name: name.replace("toe", "ball") for name in FOOT_POINTS}
# how far from the floor a joint is, as a fraction of stature, when the body rests on the flesh around it, generously
_FLESH = {
    "pelvis": 0.12,
    "torso": 0.12,
    "head": 0.12,
    "upper_arm": 0.08,
    "forearm": 0.05,
    "hand": 0.07,
    "shank": 0.07,
}
_CLEAR = 0.03  # of stature: what is higher above the floor is clear of it
_FLOOR_AT_ZERO = 0.02  # m: feet that stand this near to y = 0 stand on it
_SHARE_AT_ZERO = 0.25  # of the planted time, for y = 0 to be the floor: the rest may be steps, or faults


@dataclass(frozen=True, eq=False)
class Observed:
    """Frames of a motion, in metres, Y up, on the skeleton that its user sees.

    times: (T,) s. names, local: the joints and their rotations (T, J, 4) in their parents' frames. root: (T, 3), where
    the skeleton's first joint is. positions: (T, J, 3) of all joints. segments: for each segment of the figure that the
    skeleton shows, its rotation (T, 4) as its joint has it: nothing is fitted or clamped. origins: (T, 3) for each of
    those, where its joint is. poses: the figure's own, as fitted or computed. given_floor: its height, where known.
    """

    times: Array
    fps: float
    figure: Figure
    poses: Poses
    names: tuple[str, ...]
    local: Array
    root: Array
    positions: Array
    segments: dict[str, Array]
    origins: dict[str, Array]
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
        found = {}
        for name, point in _ON_FIGURE.items():
            segment, place = self.figure.points[point]
            found[name] = self.origins[segment] + quaternion.rotate(self.segments[segment], place)
        return found

    @cached_property
    def floor(self) -> float:
        """The floor's height in m: as given, or 0 where the feet often stand there, or where the lowest of them rest.

        Most files have their floor at 0, and then a step that sinks below it is a fault, not the floor.
        """
        if self.given_floor is not None:
            return self.given_floor
        contacts = find_contacts(self.times, self.soles, self.stature)
        at_zero = sum(c.duration for c in contacts if abs(c.position[1]) < _FLOOR_AT_ZERO)
        if at_zero > _SHARE_AT_ZERO * sum(c.duration for c in contacts):
            return 0.0
        return floor_height(self.times, self.soles, self.stature)

    @cached_property
    def contacts(self) -> list[Contact]:
        """When the points under the feet are planted."""
        return find_contacts(self.times, self.soles, self.stature)

    @cached_property
    def centre_of_mass(self) -> Array:
        """The body's centre of mass (T, 3), of the figure as it is posed."""
        positions, rotations = self.figure.forward(self.poses)
        weighted = np.zeros((len(self), 3))
        for s, inertia in enumerate(self.figure.inertias.values()):
            weighted += inertia.mass * (positions[:, s] + quaternion.rotate(rotations[:, s], inertia.centre))
        return weighted / sum(inertia.mass for inertia in self.figure.inertias.values())

    @cached_property
    def aloft(self) -> Flags:
        """Whether the body is in the air, (T,): no foot is planted, and no part of it is where the floor is.

        Parts other than feet roll and slide as they land, so that for them it is enough to be near the floor.
        """
        lowest_sole = np.min([track[:, 1] for track in self.soles.values()], axis=0)
        return ~self._on_feet & ~self._on_flesh & (lowest_sole - self.floor > _CLEAR * self.stature)

    @cached_property
    def bearing(self) -> dict[str, Flags]:
        """Whether each point under the feet bears the body, (T,): firmly planted, or dragged along under it."""
        planted = planted_points(self.times, self.soles, self.contacts)
        dragged = dragged_points(
            self.times, self.soles, self.centre_of_mass, self._on_feet | self._on_flesh, self.aloft
        )
        return {point: planted[point] | dragged[point] for point in self.soles}

    @cached_property
    def _on_feet(self) -> Flags:
        """Whether some point under the feet is in contact, (T,)."""
        carried = np.zeros(len(self), dtype=bool)
        for spans in contact_frames(self.times, self.contacts).values():
            for first, stop in spans:
                carried[first:stop] = True
        return carried

    @cached_property
    def _on_flesh(self) -> Flags:
        """Whether some part of the body other than a foot is at the floor, (T,)."""
        heights = self.figure.forward(self.poses)[0][:, :, 1] - self.floor
        parts = [segment.removeprefix("left_").removeprefix("right_") for segment in SEGMENTS]
        near = [heights[:, s] < _FLESH[part] * self.stature for s, part in enumerate(parts) if part in _FLESH]
        return np.any(near, axis=0)

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


def observe(motion: Motion, floor: float | None = None) -> Observed:
    """Return what a whole motion shows at its own frames; floor: its height in m, estimated where not given."""
    clip, figure = motion.to_clip(), motion.figure
    if isinstance(motion.host, Take):
        space = motion.host.space
        positions, rotations = space.to_metres(clip.world[0]), space.turn(clip.world[1])
        turns = motion.fit().calibration.turns
    else:
        positions, rotations = clip.world
        turns = {segment: (s, quaternion.identity()) for s, segment in enumerate(SEGMENTS)}
    return Observed(
        times=motion.times,
        fps=motion.fps,
        figure=figure,
        poses=motion.poses,
        names=clip.names,
        local=quaternion.make_continuous(clip.rotations),
        root=positions[:, 0],
        positions=positions,
        segments={name: quaternion.multiply(rotations[:, j], constant) for name, (j, constant) in turns.items()},
        origins={name: positions[:, j] for name, (j, _) in turns.items()},
        given_floor=floor,
    )


def _time(given: float | None, otherwise: float) -> str:
    return f"{otherwise if given is None else given:g}"
