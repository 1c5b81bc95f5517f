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
_NEAR = 2.5  # m to the next couple ahead at which most give way
FAST = 0.25
"""M a beat along the lane: as fast as anybody gets on."""


@dataclass(frozen=True)
class Situation:
    """The state of a couple and its surroundings at the end of its pattern.

    inwards: m from the lane towards the centre. misaligned: rad between where the couple faces and the next alignment
    that one of its patterns begins with. bend: rad by which the line of dance turns within reach. ahead: free m along
    the lane up to the next couple, infinite if there is none. wall: free m up to the wall before the couple. crowd: how
    many others are near. beat_of_bar: on which beat of a bar, from 0, the next pattern begins. travels: whether the
    dance goes round the floor. friction: of the floor.
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
    """The N verbs that the couple could dance, and what each would lead to.

    progress: (N,) m a beat along the lane. inwards: m from the lane, at the end. off_home: m from the couple's own
    place, at the end. off_start, off_end: rad from the nearest alignment that the pattern, or any that could follow it,
    begins with. ahead: free m along the lane up to the next couple, at the end; wall: to the walls, room: to the
    nearest couple there, whichever way the couple then turns. idle: beats since the pattern was last danced. on_bar: 1
    where the verb after it begins with a bar. outlook: how well it could go on, from -1 to 1.
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
    """A behaviour: when it is triggered, how weighty it is then, and how it rates the options, each from -1 to 1."""

    name: str
    trigger: Callable[[Situation], bool]
    priority: Callable[[Situation], float]
    rating: Callable[[Situation, Options], Array]


class Vote(NamedTuple):
    """What a process had to say about what was chosen: its priority, its rating, and its lead over the patterns' mean,
    times the priority: how much it decided."""

    process: str
    priority: float
    rating: float
    lead: float


def _near(value: Array | float, scale: float) -> Array:
    """Return 1 where a value is 0, down to -1 where it is far larger than the scale."""
    return 2.0 / (1.0 + (np.asarray(value) / scale) ** 2) - 1.0


def _share(value: Array | float, most: float) -> Array:
    """Return -1 for 0 or less, up to 1 for the most."""
    return 2.0 * np.clip(np.asarray(value) / most, 0.0, 1.0) - 1.0


def _giving_way(now: Situation) -> float:
    """Return from when on a dancer gives way, in m to the next couple ahead."""
    return _NEAR * (1.4 - 0.8 * now.character.boldness)


def _difficulty(options: Options) -> Array:
    return np.array([verb.pattern.difficulty for verb in options.verbs], dtype=np.float64)


def _wanted(now: Situation) -> float:
    """Return the difficulty that suits a dancer: less in a crowd."""
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
"""All behaviours; their order decides nothing."""


def vote(now: Situation, options: Options, noise: Array) -> tuple[list[int], Callable[[int], tuple[Vote, ...]]]:
    """Return the options' order, the best first, and what tells of one what each triggered process said of it.

    noise: (N,) what chance adds to each option: it decides between those that all else leaves equal.
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
