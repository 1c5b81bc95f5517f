"""The cost of a cut, in legs: unlikeness of the motions, haste, what is left out, and cuts in mid-air.

The weights say what a user gives up for what. A second that is left out costs as much as motions that are 0.05 legs
more unlike; the best and the worst pair of moments of two clips differ by about 0.5 legs.
"""

from __future__ import annotations

import numpy as np

from segue.library.cutting_map import Comparison, DistanceMap, Footing
from segue.library.cutting_stance import jumps_of, near_flight
from segue.library.library_clip import Single
from segue.typing import Array, Flags

_LEFT_OUT = 0.05  # legs a second that is left out
_JUMP = 1.5  # legs a second of a jump that is left out, besides: a jump is rarely what the user can spare
_CROUCH = 0.5  # legs that it costs to cut where the body gathers for a jump or lands from it
_MADE = 0.3  # legs a second of the transition: in longer ones more goes wrong, and a person would take a step
_PACE = (
    0.87  # s: motions that are 0.33 legs apart, as one step makes them, take 0.5 s; with even strength T^2 ~ distance
)
_HASTE = 1.0  # legs a second by which a transition is shorter than that
_GLIDE = 0.4  # legs that a foot costs for each leg by which it is elsewhere after the transition
_BORNE = 0.3  # legs that it is worth if the same foot stands before and after: somebody must bear the body
_MID_AIR = 10.0  # legs: more than all else together


def costs_of(compared: Comparison, found: DistanceMap) -> Single:
    """Return what each cut of a map costs, (L, E) in legs; compared: what the map was made from."""
    distances = found.distances
    haste = np.maximum(_PACE * np.sqrt(distances) - found.duration, 0.0)
    costs = distances + _HASTE * haste + _MADE * found.duration
    costs += _feet(*compared.footing, found.duration)
    left, entered = (footing.aloft for footing in compared.footing)
    after, before = jumps_of(left, compared.step), jumps_of(entered, compared.step)
    costs += _losses(compared.leaves[-1] - compared.leaves, after.seconds[-1] - after.seconds)[:, None]
    costs += _losses(compared.enters - compared.enters[0], before.seconds)
    costs += _CROUCH * (after.about[:, None] | before.about)
    costs += _mid_air(left, entered)
    return costs.astype(np.float32, copy=False)


def _feet(left: Footing, entered: Footing, duration: float) -> Single:
    """Return what feet cost, (L, E) in legs: those that stand before and after a transition should not have to move.

    The root goes on at the mean of its speeds at both ends, and the feet are where they are beside it. The cost is
    negative where a foot can stay and bear the body throughout.
    """
    costs = np.zeros((len(left.aloft), len(entered.aloft)), np.float32)
    shared = np.zeros_like(costs)
    half = np.float32(0.5 * duration)
    for foot in (0, 1):
        here, there = left.places[:, foot] - half * left.pace, entered.places[:, foot] + half * entered.pace
        apart = np.hypot(here[:, None, 0] - there[:, 0], here[:, None, 1] - there[:, 1])
        both = left.stands[:, None, foot] * entered.stands[:, foot]
        costs += _GLIDE * both * apart
        np.maximum(shared, both, out=shared)
    return costs - _BORNE * shared


def _mid_air(left: Flags, entered: Flags) -> Single:
    """Return what cuts in mid-air cost, (L, E) in legs; where a window holds nothing else, both may be in the air."""
    one = near_flight(left)[:, None] | near_flight(entered)
    both = left[:, None] & entered
    return np.where(both, np.float32(0.5 * _MID_AIR), np.where(one, np.float32(_MID_AIR), np.float32(0.0)))


def _losses(seconds: Array, flights: Array) -> Array:
    return _LEFT_OUT * seconds + _JUMP * flights
