"""Rate what a couple could dance next: behaviours that a situation triggers vote for the options.

Each process has a trigger and a priority that the dancer's character shifts [Lake1990, sections 4.1 and 4.3]. In the
thesis the process of the highest priority decides alone. Here every triggered process rates all options from -1 to 1,
and its priority is the weight of its vote, so that one pattern can take a corner and give way at once. A new behaviour
is one more entry of `PROCESSES`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue.dance.behaviour.dancer import Character
from segue.dance.behaviour.motion_verbs import MotionVerb
from segue.typing import Array

SLIPPERY = 0.35
"""Friction below which a floor is slippery."""

_EIGHTH = 0.25 * math.pi
_NEAR = 2.5  # m to the next couple ahead at which an average couple gives way
FAST = 0.25
"""Fastest progress along the lane, in m per beat."""


@dataclass(frozen=True)
class Situation:
    """Situation of a couple at the end of its pattern.

    inwards: distance from the lane towards the centre in m. misaligned: angle in rad from the couple's heading to the
    nearest alignment in which one of its patterns begins. bend: turn of the line of dance within reach in rad. ahead:
    free distance along the lane to the next couple in m, infinite if there is none. wall: free distance to the wall
    ahead in m. crowd: number of couples nearby. beat_of_bar: beat of the bar, from 0, on which the next pattern begins.
    travels: whether the dance goes round the floor. friction: of the floor.
    """

    character: Character
    inwards: float
    misaligned: float
    bend: float
    ahead: float
    wall: float
    crowd: int
    beat_of_bar: int
    travels: bool
    friction: float


@dataclass(frozen=True, eq=False)
class Options:
    """The N possible verbs of a couple, and the result of each, as arrays (N,).

    progress: m per beat along the lane. Values at the end of the verb come first. inwards: m from the lane. off_home: m
    from the couple's first place. ahead: free m along the lane to the next couple. wall, room: free m to walls and to
    the nearest couple, for any heading. on_bar: 1 if the next verb begins with a bar. outlook: the rating of the best
    next pattern, -1 to 1. off_start, off_end: rad from the nearest alignment in which the pattern, or a next one,
    begins. idle: beats since the pattern was last danced.
    """

    verbs: tuple[MotionVerb, ...]
    progress: Array
    inwards: Array
    off_home: Array
    off_start: Array
    off_end: Array
    ahead: Array
    wall: Array
    room: Array
    idle: Array
    on_bar: Array
    outlook: Array

    def __len__(self) -> int:
        return len(self.verbs)


class Process(NamedTuple):
    """A behaviour: its trigger, its priority, and its rating of each option from -1 to 1."""

    name: str
    trigger: Callable[[Situation], bool]
    priority: Callable[[Situation], float]
    rating: Callable[[Situation, Options], Array]


class Vote(NamedTuple):
    """Vote of a process for the chosen verb: priority, rating, and lead = priority * (rating - mean of patterns)."""

    process: str
    priority: float
    rating: float
    lead: float


def _near(value: Array | float, scale: float) -> Array:
    """Return a rating from 1 at value 0 to -1 at values far above the scale."""
    return 2.0 / (1.0 + (np.asarray(value) / scale) ** 2) - 1.0


def _share(value: Array | float, most: float) -> Array:
    """Return a rating from -1 at value 0 or less to 1 at the most."""
    return 2.0 * np.clip(np.asarray(value) / most, 0.0, 1.0) - 1.0


def _giving_way(now: Situation) -> float:
    """Return the distance to the next couple ahead at which a dancer gives way, in m."""
    return _NEAR * (1.4 - 0.8 * now.character.boldness)


def _difficulty(options: Options) -> Array:
    return np.array([verb.pattern.difficulty for verb in options.verbs], dtype=np.float64)


def _wanted(now: Situation) -> float:
    """Return the difficulty that suits a dancer, less in a crowd."""
    return 1.0 + 4.0 * now.character.ambition / (1.0 + 0.3 * now.crowd)


PROCESSES = (
    Process(
        "travel",
        lambda now: now.travels,
        lambda now: 0.3 + 1.7 * now.character.drive,
        lambda _, options: np.clip(options.progress / FAST, -1.0, 1.0),
    ),
    Process(
        "think ahead",
        lambda now: now.travels,
        lambda _: 0.8,
        lambda _, options: options.outlook,
    ),
    Process(
        "keep to the lane",
        lambda now: now.travels,
        lambda now: 0.5 + min(abs(now.inwards), 1.0),
        lambda _, options: _near(options.inwards, 0.6),
    ),
    Process(
        "take the corner",
        lambda now: now.travels and now.bend > 0.5 * _EIGHTH,
        lambda _: 1.0,
        lambda _, options: _near(options.off_end, _EIGHTH),
    ),
    Process(
        "align",
        lambda now: now.travels and now.misaligned > 0.25 * _EIGHTH,
        lambda now: 0.4 + 0.4 * min(now.misaligned / _EIGHTH, 2.0),
        lambda _, options: 0.5 * (_near(options.off_start, _EIGHTH) + _near(options.off_end, _EIGHTH)),
    ),
    Process(
        "give way",
        lambda now: now.ahead < _giving_way(now),
        lambda now: (1.3 - 0.6 * now.character.boldness) * (1.0 - 0.5 * now.ahead / _giving_way(now)),
        lambda now, options: _share(options.ahead, _giving_way(now)),
    ),
    Process(
        "keep distance",
        lambda now: now.crowd > 0,
        lambda now: 0.9 - 0.7 * now.character.boldness,
        lambda now, options: _share(options.room, 2.0 * now.character.room),
    ),
    Process(
        "mind the wall",
        lambda now: now.wall < 1.0,
        lambda _: 0.7,
        lambda _, options: _share(options.wall, 0.5),
    ),
    Process(
        "keep the place",
        lambda now: not now.travels,
        lambda _: 1.2,
        lambda _, options: _near(options.off_home, 0.5),
    ),
    Process(
        "seek variety",
        lambda _: True,
        lambda now: 0.1 + 0.7 * now.character.variety,
        lambda _, options: _share(options.idle, 48.0),
    ),
    Process(
        "dance what is liked",
        lambda _: True,
        lambda _: 0.3,
        lambda _, options: _share(np.array([verb.command.liking * verb.command.skill for verb in options.verbs]), 1.0),
    ),
    Process(
        "show what one can",
        lambda now: now.friction >= SLIPPERY,
        lambda now: 0.1 + 0.3 * now.character.ambition,
        lambda now, options: _near(_difficulty(options) - _wanted(now), 1.5),
    ),
    Process(
        "mind the slippery floor",
        lambda now: now.friction < SLIPPERY,
        lambda _: 1.0,
        lambda _, options: _near(_difficulty(options) - 1.0, 1.0),
    ),
    Process(
        "begin with the bar",
        lambda _: True,
        lambda now: 0.5 * now.character.musicality,
        lambda _, options: 2.0 * options.on_bar - 1.0,
    ),
    Process(
        "go on dancing",
        lambda _: True,
        lambda _: 1.5,
        lambda _, options: np.array([-1.0 if verb.waits else 1.0 for verb in options.verbs]),
    ),
)
"""All behaviours, in any order."""


def vote(now: Situation, options: Options, noise: Array) -> tuple[list[int], Callable[[int], tuple[Vote, ...]]]:
    """Return the options in order, the best first, and a function that returns the votes for one option.

    noise: (N,) random part of each rating, which decides between equal options.
    """
    total, said = np.array(noise, dtype=np.float64), []
    for process in PROCESSES:
        if process.trigger(now):
            rating, priority = process.rating(now, options), process.priority(now)
            total += priority * rating
            said.append((process.name, priority, rating))
    dancing = np.array([not verb.waits for verb in options.verbs])

    def votes(chosen: int) -> tuple[Vote, ...]:
        found = [
            Vote(name, priority, float(rating[chosen]), priority * float(rating[chosen] - rating[dancing].mean()))
            for name, priority, rating in said
        ]
        return tuple(sorted(found, key=lambda each: -each.lead))

    return np.argsort(-total, kind="stable").tolist(), votes
