"""The usual penalties of figures, and those that go by a name.

Their strengths were found on real motion: of every twelfth frame of clips at 120 frames a second, what lies between
came nearest to what the person did with these (`benchmarks/keyframe_clips.py`). All penalties depend on mass.
Accelerations are weighted by the inertia that each joint moves, so that a leg and not the whole body corrects a
misplaced foot. Changes of the forces and torques that move the body count too, and so do those of the root, which the
floor exerts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.checks import hint, number
from segue.curves.sampled import runs
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError
from segue.keyframe.keyframes import FigureKeyframes
from segue.motion.box import Box
from segue.motion.contacts import CLEAR, stays_between
from segue.motion.ground import Ground
from segue.motion.targets import Flight
from segue.spacetime.figure_motion import FigureBodies, by_column
from segue.spacetime.terms.balance import Balance
from segue.spacetime.terms.body import FOOT_POINTS
from segue.spacetime.terms.feet import Plant, Skid
from segue.spacetime.terms.floor import Floor, Obstacle
from segue.spacetime.terms.joint_limits import JointLimits
from segue.spacetime.terms.smoothness import Acceleration, Jerk
from segue.spacetime.terms.term import Term, Weighted
from segue.spacetime.terms.torque import FreeFall, Torque, TorqueChange
from segue.typing import Array


def plants_between(frames: FigureKeyframes, points: Sequence[str] = FOOT_POINTS) -> tuple[Plant, ...]:
    """Return which points stand between keyframes that give legs and root, and how surely."""
    known = frames.knows(["root_position", "root", *_LEGS])
    poses, times = frames.poses(), frames.times
    found = []
    for point in points:
        strengths = stays_between(times, frames.figure.point(point, poses))
        for k in np.flatnonzero((strengths > 0) & known[1:] & known[:-1]).tolist():
            found.append(Plant(point, float(times[k]), float(times[k + 1]), float(strengths[k])))
    return tuple(found)


def flights_between(frames: FigureKeyframes, ground: Ground | None) -> tuple[tuple[float, float], ...]:
    """Return the flights that keyframes show, (start, stop) in s.

    A keyframe is in the air if all soles are clear of the ground, which is as low as the lowest keyframe where None.
    The flight begins before the first such keyframe and ends after the last. From the highest keyframe, the centre of
    mass falls to where it is in a keyframe on the ground in sqrt(2 h / g), and people land sooner, with straight legs.
    """
    poses, times, figure = frames.poses(), frames.times, frames.figure
    soles = np.array([figure.point(point, poses) for point in FOOT_POINTS])
    above = soles[..., 1] - soles[..., 1].min() if ground is None else ground.above(soles)
    clear = (above.min(axis=0) > CLEAR * figure.stature) & frames.knows(["root_position", "root", *_LEGS])
    heights = figure.centre_of_mass(poses)[:, 1]
    found = []
    for first, stop in runs(clear):
        top = first + int(np.argmax(heights[first:stop]))
        before, after = first - 1, stop
        if before < 0 or after == len(times) or times[after] - times[before] > _LONGEST_FLIGHT:
            continue
        fall = [np.sqrt(2.0 * max(heights[top] - heights[k], 0.0) / -GRAVITY[1]) for k in (before, after)]
        start = float(np.clip(times[top] - _SOONER * fall[0], times[before], times[first]))
        end = float(np.clip(times[top] + _SOONER * fall[1], times[stop - 1], times[after]))
        if end - start >= _SHORTEST_FLIGHT:
            found.append((start, end))
    return tuple(found)


def _floor(scene: Scene) -> Floor:
    """Return the penalty on feet below the ground, or below where a keyframe has them.

    If the ground is not known, each point may be as low as it is in its lowest keyframe.
    """
    paths = np.array([scene.frames.figure.point(point, scene.poses) for point in FOOT_POINTS])
    if scene.ground is not None and not scene.ground.is_flat:
        lowest = scene.ground.above(paths).min(axis=1)
        return Floor(scene.body, height=np.minimum(lowest, 0.0), ground=scene.ground)
    lowest = paths[:, :, 1].min(axis=1)
    return Floor(scene.body, height=lowest if scene.ground is None else np.minimum(lowest, scene.ground.plane[0]))


_LEGS = tuple(
    f"{side}_{track}"
    for side in ("left", "right")
    for track in ("hip", "knee_flexion", "ankle_flexion", "ankle_inversion", "toe_extension")
)


_INERTIA_FLOOR = 0.02  # kg m^2: light joints, such as wrists, would else cost nothing
_LEVEL = [3, 5]  # the root's turns about the axes that are not upright
_CLEARANCE = 0.03  # m
_MARGIN = np.radians(1.0)  # a soft limit is exceeded a little, which should still be within the hard one
FLIGHT_STRENGTH = 3e3
_SOONER = 0.8  # part of the time of a fall to a keyframe on the ground that belongs to the flight
_SHORTEST_FLIGHT, _LONGEST_FLIGHT = 0.2, 1.2  # s, of a jump, and between the keyframes on the ground around it
BOX = "box"
"""The names of the penalties of boxes, with a number each."""


@dataclass(frozen=True, eq=False)
class Scene:
    """The data of a figure's penalties: its keyframes, and what stands around it.

    ground: None where only the keyframes show how low feet come. boxes: by name. plants: points that stand, as the user
    gives them; where None, those that the keyframes show to stand. flights: as the user gives them; where None, those
    that the keyframes show.
    """

    frames: FigureKeyframes
    ground: Ground | None = None
    boxes: Mapping[str, Box] = field(default_factory=dict)
    plants: Sequence[Plant] | None = None
    flights: Sequence[Flight] | None = None

    @property
    def is_level(self) -> bool:
        """Whether the ground is level, as far as it is known."""
        return self.ground is None or self.ground.is_flat

    @cached_property
    def body(self) -> FigureBodies:
        """The figure with its masses."""
        return FigureBodies(self.frames.figure)

    @cached_property
    def poses(self) -> Poses:
        """The keyframes' poses."""
        return self.frames.poses()

    @cached_property
    def inertias(self) -> Array:
        """About what each degree of freedom moves, (44,), mean over some keyframes."""
        few = np.unique(np.linspace(0, len(self.poses) - 1, 8).astype(int))
        some = Poses(self.poses.root[few], self.poses.balls[few], self.poses.hinges[few])
        found = self.body.dynamics.inertias(some)
        # the root's are about the world's axes, and which way somebody faces must not matter
        found[_LEVEL] = found[_LEVEL].mean()
        return found + _INERTIA_FLOOR

    @cached_property
    def standing(self) -> tuple[Plant, ...]:
        """The points that stand, and when."""
        return plants_between(self.frames) if self.plants is None else tuple(self.plants)

    @cached_property
    def aloft(self) -> tuple[tuple[float, float], ...]:
        """The flights, (start, stop) in s."""
        if self.flights is not None:
            return tuple((each.start, each.stop) for each in self.flights)
        found = flights_between(self.frames, self.ground)
        # a point that stands carries the body, on a step of which nothing else is known
        return tuple(span for span in found if not any(p.start < span[1] and span[0] < p.stop for p in self.standing))


@dataclass(frozen=True)
class _Named:
    """A penalty that goes by a name: how strong it is as 1, whether it is usual, and how it is made.

    Some are made of nothing, where nothing stands.
    """

    strength: float
    usual: bool
    make: Callable[[Scene], Term | None]


def _torque_change(scene: Scene) -> Term:
    weights = 1.0 / scene.inertias
    if scene.aloft:
        weights[: HUMAN.root_dofs] = 0.0  # at take-off and landing the push of the floor changes suddenly
    return TorqueChange(scene.body, weights)


PENALTIES: Mapping[str, _Named] = MappingProxyType(
    {
        "acceleration": _Named(1.0, True, lambda scene: Acceleration(by_column(scene.inertias))),
        "jerk": _Named(1e-3, False, lambda scene: Jerk(by_column(scene.inertias))),
        "torque": _Named(0.3, False, lambda scene: Torque(scene.body, 1.0 / scene.inertias)),
        "torque change": _Named(1e-2, True, _torque_change),
        "limits": _Named(1e7, True, lambda scene: JointLimits(scene.body, scene.poses, margin=_MARGIN)),
        "floor": _Named(1e8, True, lambda scene: _floor(scene)),
        "skid": _Named(5e4, True, lambda scene: Skid(scene.body, scene.standing) if scene.standing else None),
        "flight": _Named(
            FLIGHT_STRENGTH, True, lambda scene: FreeFall(scene.body, scene.aloft) if scene.aloft else None
        ),
        "balance": _Named(1e4, False, lambda scene: Balance(scene.body, scene.standing) if scene.standing else None),
    }
)
"""Penalties by name."""

_BOX_STRENGTH = 3e8


def checked_weight(name: str, weight: object, boxes: Iterable[str] = ()) -> float:
    """Return the weight of a penalty that goes by a name, or is a box's, if both make sense."""
    known = [*PENALTIES, *boxes]
    if name not in known:
        raise ArgumentError(f"there is no penalty '{name}': {hint(name, known, 'there are', 2)}")
    return number(f"the weight of the penalty '{name}'", weight, least=0.0)


def named_penalties(scene: Scene, weights: Mapping[str, float] | None = None) -> list[Weighted]:
    """Return the usual penalties and those of the scene's boxes, with weights changed as said.

    weights: by name; 1 is the usual strength, 0 leaves a penalty out, and naming an unusual one brings it in.
    """
    asked = {name: checked_weight(name, weight, scene.boxes) for name, weight in (weights or {}).items()}
    found = []
    for name, entry in PENALTIES.items():
        weight = asked.get(name, 1.0 if entry.usual else 0.0)
        penalty = entry.make(scene) if weight > 0 else None
        if penalty is not None:
            found.append(Weighted(penalty, weight * entry.strength))
    for name, box in scene.boxes.items():
        weight = asked.get(name, 1.0)
        if weight > 0:
            made = Obstacle(scene.body, box, scene.frames.figure.outer_points, clearance=_CLEARANCE, name=name)
            found.append(Weighted(made, weight * _BOX_STRENGTH))
    if not found:
        raise ArgumentError("all penalties have the weight 0: at least one is needed to say what is better")
    return found


_DEEPEST = 0.005  # m inside a box or below the ground
_STRAY = 0.05  # m that a point which is said to stand may move between keyframes


def check_scene(scene: Scene) -> None:
    """Raise ArgumentError where a keyframe contradicts the ground, a box or a point that is to stand."""
    figure, poses, times = scene.frames.figure, scene.poses, scene.frames.times
    known = scene.frames.knows(scene.frames.tracks)
    places = {point: figure.point(point, poses) for point in figure.points}
    for name in scene.boxes:
        if name in PENALTIES:
            raise ArgumentError(f"a box is called '{name}', as a penalty is: give it a name of its own")
    for point in figure.outer_points:
        for k in np.flatnonzero(known).tolist():
            if point in FOOT_POINTS and scene.ground is not None:
                floor = float(scene.ground.under(places[point][k]))
                deep = floor - places[point][k, 1]
                if deep > _DEEPEST:
                    raise ArgumentError(
                        f"in the keyframe at {times[k]:g} s the {_words(point)} is {100 * deep:.1f} cm below the "
                        f"ground at {floor:g} m, and keyframes are met exactly: lower the ground, or raise the pose"
                    )
            for name, box in scene.boxes.items():
                depth = float(box.depth(places[point][k])[0])
                if depth > _DEEPEST:
                    raise ArgumentError(
                        f"in the keyframe at {times[k]:g} s the {_words(point)} is {100 * depth:.1f} cm inside "
                        f"'{name}', and keyframes are met exactly: move the box or the pose"
                    )
    for plant in scene.plants or ():
        figure.places([plant.point])
        during = np.flatnonzero(known & (times >= plant.start) & (times <= plant.stop))
        if len(during):
            stray = float(np.ptp(places[plant.point][during], axis=0).max())
            if stray > _STRAY:
                raise ArgumentError(
                    f"the {_words(plant.point)} should stand from {plant.start:g} to {plant.stop:g} s, but "
                    f"keyframes have it in places {100 * stray:.0f} cm apart: shorten that time, or leave it out"
                )


def _words(point: str) -> str:
    return point.replace("_", " ")
