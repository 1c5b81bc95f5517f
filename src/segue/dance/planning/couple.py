"""Plan a couple: the follower steps where the leader's step leaves room, so that the partners stay in hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.notation.model import Foot, FootPosition, Pattern, Step
from segue.dance.planning.detour import Obstacle, standing_foot, swinging_foot
from segue.dance.planning.feet import FootShape, Point, moved, other_foot
from segue.dance.planning.model import PLAIN, Footprint, Plan, Stance, Style, Tempo
from segue.dance.planning.planner import Course, course_of, plan_of
from segue.dance.planning.timing import flies
from segue.dance.planning.walk import FootTarget, Move
from segue.errors import ArgumentError

_BETWEEN_TOES = 0.05  # m, in closed hold
_FACE_TO_FACE = math.radians(60.0)  # partners turned farther from each other stand side by side
_ALONE = 1e-6  # rad: a partner turned farther than the other turns alone
_ALIKE = frozenset({FootPosition.FIRST, FootPosition.SECOND})
_OPPOSITE = {
    FootPosition.FORWARD: FootPosition.BACKWARD,
    FootPosition.BACKWARD: FootPosition.FORWARD,
    FootPosition.CROSS_FRONT: FootPosition.CROSS_BEHIND,
    FootPosition.CROSS_BEHIND: FootPosition.CROSS_FRONT,
}


class Hold(NamedTuple):
    """Distance between partners in m: from ankles to ankles, and of the follower to the leader's right.

    With aside = 0 each foot has the partner's foot in its own track, and never steps onto a standing foot.
    """

    apart: float
    aside: float = 0.0

    @classmethod
    def closed(cls, leader: Figure, follower: Figure) -> Hold:
        """Return the closest hold in which the partners' toes do not touch."""
        return cls(FootShape.of(leader).tip + FootShape.of(follower).tip + _BETWEEN_TOES)

    def answer(self, place: Footprint | Point, facing: float) -> Point:
        """Return the place of the follower's foot that mirrors a leader's foot, for a couple facing along a heading."""
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
    """Plan two partners who begin face to face.

    leads, follows: both parts of the same patterns. begins: the first stance of the leader. The shorter legs decide the
    length of steps. A follower's step that mirrors the leader's (the other foot, back for forward) is set just before
    the leader's foot; other steps follow their own notation. The follower lands with the leader, on the beat or off it.
    Feet swing round the partner's feet where a path is free. gestures: a folder of gesture files, as for `plan`.
    """
    _check_answering(leads, follows)
    hold = Hold.closed(leader, follower) if hold is None else hold
    leg = min(leader.leg_length, follower.leg_length)
    led = course_of(leads, leader, tempo=tempo, style=styles[0], begins=begins, lead_in=lead_in, leg=leg)
    followed = course_of(
        follows,
        follower,
        tempo=led.tempo,
        style=replace(styles[1], timing=styles[0].timing, seed=styles[0].seed, step_size=styles[0].step_size),
        begins=_facing(led.begins, hold),
        lead_in=led.lead_in,
        place=_FollowerTargets(led, follows, hold).place,
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
    """Return both feet of a dancer as obstacles in each move; ways: points of the paths of flights, by move."""
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


class _FollowerTargets:
    """Targets of the follower's feet."""

    def __init__(self, led: Course, follows: Sequence[Pattern], hold: Hold) -> None:
        self.moves, self.hold = led.moves, hold
        self.steps = [step for pattern in follows for step in pattern.steps]
        self.axes = list(_axes(led, self.steps))

    def place(self, index: int, foot: str, heading: float) -> FootTarget | None:
        """Return the target of a step's foot, or None if the step does not mirror the leader's."""
        move, step, axis = self.moves[index], self.steps[index], self.axes[index]
        # in promenade the partners turn away from each other, each as far from the axis of the couple
        away = heading - math.pi - axis.after
        lopsided = math.remainder(away + move.turning.after - axis.after, 2.0 * math.pi)
        if move.foot != other_foot(foot) or move.landing is None or abs(lopsided) > _ALONE:
            return None
        if not _answers(move.step, step, math.remainder(2.0 * away, 2.0 * math.pi)):
            return None
        # the leader's feet as they stand, and after they have turned on their balls
        partner = tuple(dict.fromkeys((*move.end.values(), move.stance.left, move.stance.right)))
        return FootTarget(self.hold.answer(move.landing, axis.facing), partner, axis.facing)


class _Axis(NamedTuple):
    """Heading from the leader to the follower in a step, rad: for the follower's landing, and after the step."""

    facing: float
    after: float


def _axes(led: Course, steps: Sequence[Step]) -> Iterator[_Axis]:
    """Yield the axis of the couple in each step: it turns with both, and not with one who turns alone.

    The follower's foot stands until after the leader's next step, by which the leader has turned farther than at the
    landing.
    """
    axis = behind = led.begins.heading
    for move, step in zip(led.moves, steps, strict=True):
        turning, before = move.turning, axis
        turn, answer = turning.after - turning.before, 0.0 if step.turn is None else step.turn.angle
        behind += answer
        if turn and answer:
            axis += 0.5 * (turn + answer)
        if abs(math.remainder(behind - turning.after, 2.0 * math.pi)) < _ALONE:
            axis = turning.after  # face to face
        released = (turning.released - turning.before) / turn if turn else 1.0
        yield _Axis(before + 0.5 * (1.0 + released) * (axis - before), axis)


def _answers(led: Step, step: Step, away: float) -> bool:
    """Return whether a follower's step mirrors the leader's: forward by back face to face, by forward side by side.

    away: angle in rad between the partners, 0 face to face.
    """
    if led.position is None or step.position is None:
        return False
    opposite = _OPPOSITE.get(led.position, led.position if led.position in _ALIKE else None)
    if abs(away) < _FACE_TO_FACE and led.turn == step.turn:
        return step.position is opposite
    return step.position is led.position and (led.position in _ALIKE or led.position in _OPPOSITE)


def _facing(stance: Stance, hold: Hold) -> Stance:
    """Return the follower's stance opposite a leader: the left foot before the leader's right."""
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
