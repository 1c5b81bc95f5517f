"""Observations of a motion at its frames: joints of the skeleton it is seen on, soles, and the figure with its mass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.curves import quaternion
from segue.dynamics.ground_push import PUSH_POINTS
from segue.errors import ArgumentError
from segue.motion.clip_source import ClipSource
from segue.motion.contacts import (
    CLEAR,
    FLESH,
    PLANTED,
    SOLE_POINTS,
    TOUCHING,
    Contact,
    Strictness,
    contact_flags,
    find_contacts,
    floor_height,
)
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.plausibility.push import GroundPush, body_wrench, may_push
from segue.plausibility.slide import dragged_points
from segue.plausibility.torque import joint_moments
from segue.typing import Array, Flags

END_SEGMENTS = ("left_hand", "right_hand", "left_foot", "right_foot")
"""Segments beyond which nothing is measured but the place of toes: capture hardly sees fingers."""

_EXTREMES = ("pelvis", "head", "left_hand", "right_hand", "left_foot", "right_foot")
_FLOOR_AT_ZERO = 0.02  # m: feet that stand this near to y = 0 stand on it
_SHARE_AT_ZERO = 0.25  # of the time in contact, for y = 0 to be the floor: the rest may be steps, or faults


@dataclass(frozen=True, eq=False)
class Observed:
    """Frames of a motion, in metres, Y up, on the skeleton that its user sees.

    times: (T,) s. names, local: the joints and their rotations (T, J, 4) in their parents' frames. body: indices of all
    joints but those of fingers and toes; kinds: for each of these, "hand", "foot", "head" (and neck) or "other". root:
    (T, 3), where the skeleton's first joint is. points, point_names, toes: (T, P, 3) where the joints of the body, toes
    and tips of bones are, their names, and (P,) which are toes. segments: for each segment of the figure that the
    skeleton shows, its rotation (T, 4) as its joint has it, nothing fitted or clamped; origins: (T, 3), where that
    joint is. poses: the figure's own, as fitted or computed. found_ground: the ground that the motion shows, or the one
    that was given.
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
    found_ground: Ground

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
        """The points under each foot (T, 3) by the names of `SOLE_POINTS`."""
        return self.points_of(SOLE_POINTS)

    def points_of(self, names: Iterable[str], figure: Figure | None = None) -> dict[str, Array]:
        """Return named points of the figure, or of another one, each (T, 3), carried by the skeleton itself.

        Slide and sink are of the skeleton that is seen, not of the fitted figure. A point on toes that the skeleton
        lacks moves with the foot.
        """
        body, found = figure or self.figure, {}
        for name in names:
            segment, place = body.points[name]
            while segment not in self.origins:
                s = HUMAN.segments.index(segment)
                place, segment = place + body.offsets[s], HUMAN.segments[HUMAN.parents[s]]
            found[name] = self.origins[segment] + quaternion.rotate(self.segments[segment], place)
        return found

    def contacts_of(self, names: Iterable[str], strictness: Strictness = PLANTED) -> list[Contact]:
        """Return the contacts of named points of the figure with the ground."""
        chosen = tuple(names)
        # the soles always take part: on steps, a point is low if no other point is lower
        points = self.points_of(dict.fromkeys([*chosen, *SOLE_POINTS]))
        found = find_contacts(self.times, points, self.stature, self.ground, strictness)
        return [contact for contact in found if contact.point in chosen]

    @cached_property
    def ground(self) -> Ground:
        """The ground: as given, or as the feet show it, with treads where they stand higher.

        Its lowest level is 0 where the feet often stand there: most files have their floor at 0, and then a step that
        sinks below it is a fault, not the floor.
        """
        ground = self.found_ground
        if not ground.found or ground.plane[1:] != (0.0, 0.0):
            return ground
        rests = find_contacts(self.times, self.soles, self.stature)
        at_zero = sum(rest.duration for rest in rests if abs(rest.position[1]) < _FLOOR_AT_ZERO)
        often = at_zero > _SHARE_AT_ZERO * sum(rest.duration for rest in rests)
        height = 0.0 if often else floor_height(self.times, self.soles, self.stature)
        return Ground((height, 0.0, 0.0), ground.faces, found=True)

    @cached_property
    def contacts(self) -> list[Contact]:
        """When the points under the feet stand on something, be it the floor or a step."""
        return self.contacts_of(SOLE_POINTS, TOUCHING)

    @cached_property
    def touching(self) -> dict[str, Flags]:
        """Whether each point under the feet is in contact, (T,)."""
        return contact_flags(self.times, self.contacts, SOLE_POINTS)

    @cached_property
    def centre_of_mass(self) -> Array:
        """The body's centre of mass (T, 3), of the figure as it is posed."""
        return self.figure.centre_of_mass_at(*self._figure_world)

    @cached_property
    def aloft(self) -> Flags:
        """Whether the body is in the air, (T,): no foot is in contact, and no part of the body is at the ground.

        Parts other than feet roll and slide as they land, so that for them it is enough to be near the ground. A hand
        that rests anywhere carries the body too, as over an obstacle that the file does not have.
        """
        lowest_sole = np.min([self.ground.above(track) for track in self.soles.values()], axis=0)
        clear: Flags = ~self._on_feet & ~self.on_flesh & (lowest_sole > CLEAR * self.stature)
        return clear & ~self._on_hands

    @cached_property
    def bearing(self) -> dict[str, Flags]:
        """Whether each point under the feet bears the body, (T,): planted, or dragged along under it.

        Feet of someone who crawls or lies bear little, and may go where they like.
        """
        planted = contact_flags(self.times, self.contacts_of(SOLE_POINTS), SOLE_POINTS)
        dragged = dragged_points(
            self.times, self.soles, self.centre_of_mass, self._on_feet | self.on_flesh | self._on_hands, self.aloft
        )
        return {point: (planted[point] & ~self.on_flesh) | dragged[point] for point in self.soles}

    @cached_property
    def torques(self) -> dict[str, Array]:
        """The size of each joint's torque (T,) in N m per kg of body mass; NaN where it is not known."""
        # hinges of one joint are at right angles, whatever their angles
        return {name: np.linalg.norm(moment, axis=1) / self.figure.mass for name, moment in self.moments.items()}

    @cached_property
    def moments(self) -> dict[str, Array]:
        """The torque of each joint in N m, see `joint_moments`."""
        standing = {}
        for side in ("left", "right"):
            points = [point for point in SOLE_POINTS if side_of(point) == side]
            standing[side] = np.any([self.bearing[point] | self.touching[point] for point in points], axis=0)
        return joint_moments(self.figure, self.poses, self.fps, standing, ~self.on_flesh)

    @cached_property
    def push(self) -> GroundPush:
        """The push that the motion needs from outside, and from where the feet may give it."""
        points = np.stack(list(self.points_of(PUSH_POINTS).values()), axis=1)
        touching = np.stack([self.touching[name.replace("toe_tip", "ball")] for name in PUSH_POINTS], axis=1)
        heights = np.stack([self.ground.above(points[:, p]) for p in range(points.shape[1])], axis=1)
        return GroundPush(
            times=self.times,
            wrench=body_wrench(self.figure, self.poses, self.fps),
            points=points,
            normals=self.ground.normal(points[..., 0], points[..., 2]),
            may_push=may_push(touching, heights, self.aloft, self.dt),
            # a hand that is still carries a body whose feet do not; beside feet that stand it mostly just hangs
            known=~self.on_flesh & (self._on_feet | ~self._on_hands),
        )

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
        """Whether some part of the body other than a foot is at the ground, (T,)."""
        heights = self.ground.above(self._figure_world[0])
        parts = [segment.removeprefix("left_").removeprefix("right_") for segment in HUMAN.segments]
        near = [heights[:, s] < FLESH[part] * self.stature for s, part in enumerate(parts) if part in FLESH]
        on_flesh: Flags = np.any(near, axis=0)
        return on_flesh

    @property
    def extremes(self) -> dict[str, Array]:
        """Positions of hands, feet, head and hips, (T, 3) each: what an eye follows."""
        return {name: self.origins[name] for name in _EXTREMES}

    def within(self, start: float | None, stop: float | None) -> Flags:
        """Return (T,) which frames lie in a window of time; at least one must."""
        first, last = (float(self.times[k]) if given is None else given for k, given in ((0, start), (-1, stop)))
        chosen: Flags = (self.times >= first - 1e-6 * self.dt) & (self.times <= last + 1e-6 * self.dt)
        if not chosen.any():
            raise ArgumentError(
                f"no frame lies between {first:g} and {last:g} s: the motion lasts from {self.times[0]:g} to "
                f"{self.times[-1]:g} s"
            )
        return chosen


def observe(motion: Motion, ground: Ground | None = None) -> Observed:
    """Return what a whole motion shows at its own frames; ground: what it stands on, found where not given."""
    clip, figure = motion.to_clip(), motion.figure
    at, rotations = clip.world
    tips = np.stack(
        [at[:, j] + quaternion.rotate(rotations[:, j], tip) for j, tip in clip.skeleton.ends.items()] or [at[:, 0]],
        axis=1,
    )
    if isinstance(motion.source, ClipSource):
        space = motion.source.space
        at, tips, rotations = space.to_metres(at), space.to_metres(tips), space.turn(rotations)
        turns = motion.fit().calibration.turns
    else:
        turns = {segment: (s, quaternion.identity()) for s, segment in enumerate(HUMAN.segments)}
    lasts = {turns[segment][0]: segment for segment in END_SEGMENTS}
    above = [_ancestors(clip.parents, joint) for joint in range(len(clip.parents))]
    body = tuple(joint for joint, up in enumerate(above) if not (up - {joint}) & lasts.keys())
    neck = above[turns["head"][0]] - above[turns["torso"][0]]
    feet = {joint for joint, segment in lasts.items() if segment.endswith("foot")}
    toes = {joint for joint, up in enumerate(above) if up & feet and joint not in feet}
    shown = [joint for joint in range(len(above)) if joint in body or joint in toes]
    ends = [(k, joint) for k, joint in enumerate(clip.skeleton.ends) if joint in shown]
    return Observed(
        times=motion.times,
        fps=motion.fps,
        figure=figure,
        poses=motion.poses,
        names=clip.names,
        local=quaternion.make_continuous(clip.rotations),
        root=at[:, 0],
        segments={name: quaternion.multiply(rotations[:, j], constant) for name, (j, constant) in turns.items()},
        origins={name: at[:, j] for name, (j, _) in turns.items()},
        body=body,
        kinds=tuple(lasts[j].split("_")[1] if j in lasts else "head" if j in neck else "other" for j in body),
        points=np.concatenate([at[:, shown], tips[:, [k for k, _ in ends]]], axis=1),
        point_names=(*(clip.names[j] for j in shown), *(f"tip of {clip.names[j]}" for _, j in ends)),
        toes=np.array([*(j in toes for j in shown), *(j in toes or j in feet for _, j in ends)]),
        found_ground=motion.ground if ground is None else ground,
    )


def _ancestors(parents: Sequence[int], joint: int) -> set[int]:
    """Return a joint and all joints that it hangs on."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = parents[joint]
    return found
