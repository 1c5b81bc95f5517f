"""Evenings that tests of dance floors share."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np

from segue.dance.behaviour import Choreography, Environment, Ground, both_parts, choreograph
from segue.dance.behaviour._room_kernels import least_gap, wall_gaps
from segue.dance.behaviour.motion_verbs import Parts
from segue.dance.behaviour.position_verbs import boxes_over
from segue.dance.behaviour.report import positions_over_time
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.errors import SegueWarning

RATE = 60.0


@cache
def parts_of(dance: str) -> tuple[Parts, ...]:
    """Return all shipped patterns of a dance."""
    return tuple(both_parts(DanceLibrary(SHIPPED), dance))


@cache
def evening(
    dance: str, couples: int, minutes: float, seed: int, width: float = 8.0, length: float = 12.0
) -> Choreography:
    """Return an evening of the shipped patterns; the same one again is the same object."""
    environment = Environment(dance, None, minutes, couples, seed, Ground(width, length))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)  # a pattern in another time may be left out
        return choreograph(environment, parts_of(dance))


def truly_taken(danced: Choreography) -> list[np.ndarray]:
    """Return the boxes of floor that couples take by the plan of the whole evening, 60 times a second."""
    _, placed = positions_over_time(danced, RATE)
    return [boxes_over(each, couple.planner.shape, 1) for each, couple in zip(placed, danced.couples, strict=True)]


def narrowest(danced: Choreography) -> tuple[float, float]:
    """Return the least room between any two couples, and to the walls, by the plan of the whole evening."""
    taken, ground = truly_taken(danced), danced.environment.floor
    gaps = [least_gap(one, other) for k, one in enumerate(taken) for other in taken[:k]]
    walls = [wall_gaps(each, 0.5 * ground.width, 0.5 * ground.length).min() for each in taken]
    return min(gaps, default=np.inf), min(walls)
