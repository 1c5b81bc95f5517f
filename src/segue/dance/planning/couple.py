"""Two dancers planned together: who follows steps where the leader's step leaves room, so that the hold stays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.notation.model import Foot, FootPosition, Pattern, Step
from segue.dance.planning.detour import Obstacle, standing_foot, swinging_foot
from segue.dance.planning.feet import FootShape, Point, moved, other_foot
from segue.dance.planning.model import PLAIN, Footprint, Plan, Stance, Style, Tempo
from segue.dance.planning.plan import Course, course_of, plan_of
from segue.dance.planning.strides import leg_length
from segue.dance.planning.timing import flies
from segue.dance.planning.walk import Move, Wanted
from segue.errors import ArgumentError

_BETWEEN_TOES = 0.05  # m, in closed hold
_FACE_TO_FACE = math.radians(60.0)  # partners who have turned further from each other stand side by side
_ALIKE = frozenset({FootPosition.FIRST, FootPosition.SECOND})
_OPPOSITE = {
    FootPosition.FORWARD: FootPosition.BACKWARD,
    FootPosition.BACKWARD: FootPosition.FORWARD,
    FootPosition.CROSS_FRONT: FootPosition.CROSS_BEHIND,
    FootPosition.CROSS_BEHIND: FootPosition.CROSS_FRONT,
}


class Hold(NamedTuple):
    """How partners stand: from ankles to ankles, and how far the follower is to the leader's right, in m.

    Not aside, each foot has the partner's in its own track, and never steps onto one that the partner stands on.
    """

    apart: float
    aside: float = 0.0

    @classmethod
    def closed(cls, leader: Figure, follower: Figure) -> Hold:
        """Return the hold in which the partners' toes just do not touch."""
        return cls(FootShape.of(leader).tip + FootShape.of(follower).tip + _BETWEEN_TOES)

    def answer(self, place: Footprint | Point, facing: float) -> Point:
        """Return where the follower's foot answers a leader's foot at a place, the couple facing along a heading."""
        return moved(place, facing, -self.aside, self.apart)


class Couple(NamedTuple):
    """The plans of both partners."""

    leader: Plan
    follower: Plan
    hold: Hold


def plan_couple(
    leads: Sequence[Pattern],
    follows: Sequence[Pattern],
    leader: Figure,
    follower: Figure,
    *,
    tempo: Tempo | None = None,
    styles: tuple[Style, Style] = (PLAIN, PLAIN),
    begins: Stance | None = None,
    lead_in: float | None = None,
    hold: Hold | None = None,
    gestures: str | Path | None = None,
) -> Couple:
    """Return plans of two partners who begin face to face.

    leads, follows: both parts of the same patterns. begins: how the leader stands at first. Steps are as long as the
    shorter legs take them. Where the follower's step answers the leader's (the other foot, back for forward) it is set
    just before the leader's foot, whatever way round that is; else it goes as its own notation says. The follower lands
    with the leader, on the beat or off it. Feet swing round the partner's where there is a way. gestures: a folder with
    files of one's own, as `plan` takes it.
    """
    _check_answering(leads, follows)
    hold = Hold.closed(leader, follower) if hold is None else hold
    leg = min(leg_length(leader), leg_length(follower))
    led = course_of(leads, leader, tempo=tempo, style=styles[0], begins=begins, lead_in=lead_in, leg=leg)
    followed = course_of(
        follows,
        follower,
        tempo=led.tempo,
        style=replace(styles[1], timing=styles[0].timing, seed=styles[0].seed, step_size=styles[0].step_size),
        begins=_facing(led.begins, hold),
        lead_in=led.lead_in,
        place=_Answer(led, follows, hold).place,
        leg=leg,
    )
    shape = max(FootShape.of(leader), FootShape.of(follower), key=lambda sole: sole.length)
    leading = plan_of(led, leader, styles[0], gestures, _in_the_way(followed.moves, {}, shape))
    ways = {each.step: each.via for each in leading.footsteps if each.land > each.lift}
    following = plan_of(followed, follower, styles[1], gestures, _in_the_way(led.moves, ways, shape))
    return Couple(leading, following, hold)


def _in_the_way(
    moves: Sequence[Move], ways: Mapping[int, tuple[Point, ...]], shape: FootShape
) -> list[tuple[Obstacle, ...]]:
    """Return both feet of a dancer in each move as the partner must pass them; ways: points that flights go through."""
    found = []
    for k, move in enumerate(moves):
        feet = []
        for side in ("left", "right"):
            start, end = move.start[side], move.end[side]
            flying = side == move.foot and flies(move.step)
            feet.append(
                swinging_foot(start, end, ways.get(k, ()), shape) if flying else standing_foot((start, end), shape)
            )
        found.append(tuple(feet))
    return found


class _Answer:
    """Where the follower's feet are wanted."""

    def __init__(self, led: Course, follows: Sequence[Pattern], hold: Hold) -> None:
        self.moves, self.hold = led.moves, hold
        self.steps = [step for pattern in follows for step in pattern.steps]

    def place(self, index: int, foot: str, heading: float) -> Wanted | None:
        """Return where a step's foot is wanted, or None where it does not answer the leader's."""
        move, step = self.moves[index], self.steps[index]
        # in promenade the partners turn away from each other: the couple then faces midway
        away = math.remainder(heading - math.pi - move.turning.after, 2.0 * math.pi)
        if move.foot != other_foot(foot) or move.landing is None or not _answers(move.step, step, away):
            return None
        # her foot stands until after his next step: by then he faces further round than when it lands
        facing = 0.5 * (away + move.turning.released + move.turning.after)
        # as the leader's feet stand now, and as they will when they have turned on their balls
        partner = tuple(dict.fromkeys((*move.end.values(), move.stance.left, move.stance.right)))
        return Wanted(self.hold.answer(move.landing, facing), partner, facing)


def _answers(led: Step, step: Step, away: float) -> bool:
    """Whether a follower's step goes where the leader's does: face to face forward answers back, side by side forward.

    away: rad by which the partners have turned from each other.
    """
    if led.position is None or step.position is None:
        return False
    opposite = _OPPOSITE.get(led.position, led.position if led.position in _ALIKE else None)
    if abs(away) < _FACE_TO_FACE and led.turn == step.turn:
        return step.position is opposite
    return step.position is led.position and (led.position in _ALIKE or led.position in _OPPOSITE)


def _facing(stance: Stance, hold: Hold) -> Stance:
    """Return how the follower stands before a leader: the left foot before the right one."""
    feet = {}
    for foot, answered in (("left", stance.right), ("right", stance.left)):
        toes = stance.heading + math.pi - (answered.heading - stance.heading)
        feet[foot] = Footprint(*hold.answer(answered, stance.heading), toes)
    weight = stance.weight if stance.weight == "both" else other_foot(stance.weight)
    return Stance(feet["left"], feet["right"], stance.heading + math.pi, weight)


def _check_answering(leads: Sequence[Pattern], follows: Sequence[Pattern]) -> None:
    if len(leads) != len(follows):
        raise ArgumentError(f"the leader dances {len(leads)} patterns and the follower {len(follows)}: give both parts")
    for led, followed in zip(leads, follows, strict=True):
        beats = [[step.beats for step in pattern.steps] for pattern in (led, followed)]
        if beats[0] != beats[1]:
            raise ArgumentError(f"the parts of {led.title} differ in their beats: partners step at the same time")
        for number, (one, other) in enumerate(zip(led.steps, followed.steps, strict=True), 1):
            if one.foot is not Foot.HOLD and one.foot is other.foot:
                raise ArgumentError(
                    f"step {number} of {led.title} moves the same foot ({one.foot}) of both partners: in hold the"
                    " follower's other foot answers"
                )
