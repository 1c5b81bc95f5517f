"""Bring the arms of a couple into hold, and let go where they do not reach.

In closed hold the leader's left and the follower's right palm meet beside the couple. The leader's right hand lies on
the follower's left shoulder blade, or farther round to the side if the follower is far away. The follower's left hand
lies on the leader's right upper arm. In a two-hand hold both pairs of palms meet between the partners.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.sampled import smooth_ceiling, smooth_floor
from segue.dance.body.arms import Arm, reach_for, reach_of
from segue.dance.body.legs import ball_limit
from segue.dance.notation.manner import manner_of
from segue.typing import Array

_UP = np.array([0.0, 1.0, 0.0])
_TURNING = 0.08  # s over which the forearm's rotation is smoothed
_LETTING_GO = 0.35  # s to either side in which hands come together or part
_STRAINED = np.radians(1.0)  # a shoulder lets go when it is farther beyond its range
_TRUNK_RADIUS = 0.068  # of stature
_BACK, _BACK_LENGTH = (0.03, -0.06, 0.0), 0.2  # of stature: its middle from between the shoulders, and its height
_SLEEVE_RADIUS = 0.028  # of stature
_BLADE, _SIDE = np.radians([5.0, 90.0])  # round a trunk from its back: the shoulder blade, the side below the arm
_EASY = 0.012  # m
_SLIDING = 0.25  # s to either side over which a hand slides round a back
_FACING = 0.15  # partners let go when the cosine of the angle to facing each other is smaller


class Holding(StrEnum):
    """Hold of a couple."""

    CLOSED = "closed"
    TWO_HANDS = "two hands"


def hold_of_dance(dance: str) -> Holding:
    """Return the hold of a dance: closed in ballroom dances, two hands in latin ones and swing."""
    return Holding(manner_of(dance).hold)


@dataclass(frozen=True, eq=False)
class Partner:
    """One of two dancers: a figure in poses, whose arms `take_hold` moves in place."""

    figure: Figure
    poses: Poses

    @cached_property
    def frames(self) -> tuple[Array, Array]:
        """Positions (T, 19, 3) and rotations (T, 19, 4) of the segments, with the arms as given."""
        return self.figure.forward(self.poses)

    def at(self, segment: str, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """Return a point of a segment in the world, (T, 3); place: in shares of stature."""
        index = HUMAN.segments.index(segment)
        local = self.figure.stature * np.array(place)
        return self.frames[0][:, index] + quaternion.rotate(self.frames[1][:, index], local)

    def axis(self, segment: str, axis: tuple[float, float, float]) -> Array:
        """Return a segment's axis in the world, (T, 3)."""
        return quaternion.rotate(self.frames[1][:, HUMAN.segments.index(segment)], np.array(axis))

    @cached_property
    def chest(self) -> Array:
        """The middle between the shoulders, (T, 3)."""
        middle: Array = 0.5 * (self.at("left_upper_arm") + self.at("right_upper_arm"))
        return middle

    @cached_property
    def front(self) -> Array:
        """Direction that the chest faces, (T, 3)."""
        return self.axis("torso", (0.0, 0.0, 1.0))


class Surface(NamedTuple):
    """Surface under a hand: a capsule from start to stop (3,) in a segment's frame, and its radius, in m."""

    segment: str
    start: Array
    stop: Array
    radius: float


class _Touch(NamedTuple):
    """Target of a hand: place and normal of the palm, (T, 3); raised: upward part of the elbow's direction."""

    side: str
    place: Array
    facing: Array
    raised: float


def take_hold(leader: Partner, follower: Partner, holding: Holding, dt: float, easy: float = _EASY) -> None:
    """Move the arms of both partners into hold, in place.

    dt: s between frames. easy: m of its reach that the arm round the partner keeps in reserve.
    """
    across = _level(follower.chest - leader.chest)
    beside = np.cross(_UP, across)
    looking = np.minimum(_dot(leader.front, across), -_dot(follower.front, across))
    if holding is Holding.TWO_HANDS:
        _join(leader, follower, ("left", "right"), _between(leader, follower, beside, 0.1, -0.15), across, looking, dt)
        _join(leader, follower, ("right", "left"), _between(leader, follower, beside, -0.1, -0.15), across, looking, dt)
        return
    _join(leader, follower, ("left", "right"), _between(leader, follower, beside, 0.27, 0.015), across, looking, dt)
    _lay(leader, _on_back(leader, follower, dt, easy), looking, dt)
    # the leader's arm has moved: find the sleeve again
    led = Partner(leader.figure, leader.poses)
    outside = led.axis("right_upper_arm", (0.0, 1.0, 0.0))
    sleeve = led.at("right_upper_arm", (-0.05, 0.0, 0.0)) + _SLEEVE_RADIUS * leader.figure.stature * outside
    _lay(follower, _Touch("left", sleeve, -outside, 0.1), looking, dt)


def _on_back(leader: Partner, follower: Partner, dt: float, easy: float) -> _Touch:
    """Return the target of the leader's right hand: the follower's left shoulder blade, or a nearer place.

    Places from the shoulder blade round to the side of the trunk are ever nearer to the leader.
    """
    shoulder, reach = leader.at("right_upper_arm"), reach_of(leader.figure) - easy
    angles = np.linspace(_BLADE, _SIDE, 12)
    spans = [np.linalg.norm(_round_back(follower, np.array([angle]))[0] - shoulder, axis=1) for angle in angles]
    reached = np.stack(spans) < reach
    nearest = np.where(reached.any(axis=0), angles[reached.argmax(axis=0)], _SIDE)
    place, inwards = _round_back(follower, smooth_ceiling(nearest, _SLIDING, dt))
    return _Touch("right", place, inwards, -0.5)


def _round_back(follower: Partner, angle: Array) -> tuple[Array, Array]:
    """Return a place on the follower's left back and its inward normal, (T, 3); angle: (T,) rad, from behind."""
    sin, cos = np.sin(angle)[:, None], np.cos(angle)[:, None]
    left = follower.axis("torso", (1.0, 0.0, 0.0))
    middle = follower.at("torso", _from_chest(follower.figure, _BACK))
    inwards = cos * follower.front - sin * left
    return middle - _TRUNK_RADIUS * follower.figure.stature * inwards, inwards


def _between(leader: Partner, follower: Partner, beside: Array, left: float, up: float) -> Array:
    """Return the meeting place of palms, (T, 3): midway, moved left and up by shares of the mean stature."""
    size = 0.5 * (leader.figure.stature + follower.figure.stature)
    place: Array = 0.5 * (leader.chest + follower.chest) + size * (left * beside + up * _UP)
    return place


def back_of(figure: Figure) -> Surface:
    """Return the surface for a hand between the left shoulder blade and the side of the trunk."""
    middle = figure.stature * np.array(_from_chest(figure, _BACK))
    half = 0.5 * _BACK_LENGTH * figure.stature * _UP
    return Surface("torso", middle - half, middle + half, _TRUNK_RADIUS * figure.stature)


def sleeve_of(figure: Figure) -> Surface:
    """Return the surface for a hand on the right upper arm."""
    out = np.array([-figure.build.upper_arm, 0.0, 0.0])
    return Surface("right_upper_arm", np.zeros(3), out, _SLEEVE_RADIUS * figure.stature)


def _from_chest(figure: Figure, place: tuple[float, float, float]) -> tuple[float, float, float]:
    """Convert a place from between the shoulders to the torso's frame, in shares of stature."""
    build = figure.build
    _, up, ahead = ((build.clavicle + build.shoulder) / build.stature).tolist()
    return place[0], up + place[1], ahead + place[2]


def _join(
    leader: Partner,
    follower: Partner,
    sides: tuple[str, str],
    place: Array,
    across: Array,
    looking: Array,
    dt: float,
) -> None:
    """Bring two palms together where both arms reach, each facing the other partner."""
    touches = (_Touch(sides[0], place, across, -0.45), _Touch(sides[1], place, -across, -0.45))
    arms = [_reached(partner, touch, dt) for partner, touch in zip((leader, follower), touches, strict=True)]
    able = [
        _can_hold(partner, touch, arm, looking)
        for partner, touch, arm in zip((leader, follower), touches, arms, strict=True)
    ]
    share = smooth_floor(np.minimum(*able), _LETTING_GO, dt)
    for partner, touch, arm in zip((leader, follower), touches, arms, strict=True):
        Arm.of(partner.poses, touch.side).mixed(arm, share).put(partner.poses, touch.side)


def _lay(partner: Partner, touch: _Touch, looking: Array, dt: float) -> None:
    """Lay a hand on the other partner where the arm reaches."""
    arm = _reached(partner, touch, dt)
    share = smooth_floor(_can_hold(partner, touch, arm, looking), _LETTING_GO, dt)
    Arm.of(partner.poses, touch.side).mixed(arm, share).put(partner.poses, touch.side)


def _reached(partner: Partner, touch: _Touch, dt: float) -> Arm:
    """Return the arm that touches its target, or points at it; dt: s between frames."""
    side, sign = touch.side, 1.0 if touch.side == "left" else -1.0
    out = partner.axis("torso", (sign, 0.0, 0.0))
    # elbows point outwards and back, lowered or raised
    pole = 0.6 * out - 0.8 * partner.front + touch.raised * _UP
    girdle = partner.frames[1][:, HUMAN.segments.index(f"{side}_clavicle")]
    shoulder = partner.at(f"{side}_upper_arm")
    return reach_for(partner.figure, side, girdle, shoulder, touch.place, touch.facing, pole, _TURNING / dt)


def _can_hold(partner: Partner, touch: _Touch, arm: Arm, looking: Array) -> Array:
    """Return 1 where a hand can hold, else 0, (T,): within reach and shoulder range, partners facing each other."""
    span = np.linalg.norm(touch.place - partner.at(f"{touch.side}_upper_arm"), axis=1)
    easy = ball_limit(f"{touch.side}_upper_arm").excess(arm.shoulder) < _STRAINED
    can: Array = ((span < reach_of(partner.figure)) & easy & (looking > _FACING)).astype(float)
    return can


def _level(vectors: Array) -> Array:
    flat = vectors * np.array([1.0, 0.0, 1.0])
    unit: Array = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-9)
    return unit


def _dot(a: Array, b: Array) -> Array:
    product: Array = np.sum(a * b, axis=1)
    return product
