"""Turn the steps of patterns into moves of the feet over the floor, without times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from segue.dance.notation.model import Foot, FootPosition, Modifier, Pattern, Step
from segue.dance.planning.feet import (
    FootShape,
    Point,
    clear_of,
    gap_between,
    inner_reach,
    local,
    moved,
    other_foot,
    outward,
    pivoted,
)
from segue.dance.planning.model import Footprint, Stance
from segue.dance.planning.positions import (
    PARALLEL,
    TRAVELLING,
    Placement,
    Strides,
    Turning,
    landing_heading,
    placed,
    turning_of,
)
from segue.errors import ArgumentError

_SIDES = {Foot.LEFT: "left", Foot.RIGHT: "right"}
_INWARD = {"left": Modifier.RIGHTWARD, "right": Modifier.LEFTWARD}
_MOST_TWIST = math.radians(45.0)
_REACH = 0.75  # of a leg, longest step towards a partner's target
_OVERLAP = -0.002  # m, tolerated overlap of touching soles


class FootTarget(NamedTuple):
    """Target of a foot from a partner: its place, the partner's feet to avoid, and the heading away from them."""

    place: Point
    partner: tuple[Footprint, ...]
    away: float


Place = Callable[[int, str, float], FootTarget | None]
"""Function from a step's index, foot and final heading to the partner's target of the foot."""


@dataclass(frozen=True)
class Move:
    """Move of one step on the floor.

    foot: the moving foot, None if neither moves. start, end: both feet by side, before the step and at landing.
    turning: headings of the body. stance: after all turns of the step. answers: whether the foot went to a partner's
    target.
    """

    step: Step
    pattern: Pattern
    number: int
    foot: str | None
    start: dict[str, Footprint]
    end: dict[str, Footprint]
    turning: Turning
    stance: Stance
    answers: bool = False

    @property
    def landing(self) -> Footprint | None:
        """Footprint of the moving foot at landing, None if neither moves."""
        return None if self.foot is None else self.end[self.foot]

    @property
    def goes_across(self) -> bool:
        """Whether the foot crosses to the other foot's side."""
        return self.foot is not None and _INWARD[self.foot] in self.step.modifiers

    @property
    def where(self) -> str:
        """Name of the step in error messages."""
        return f"step {self.number} of {self.pattern.title}"


@dataclass
class _State:
    """State between two steps; due: headings of the toes when all turns are done."""

    feet: dict[str, Footprint]
    due: dict[str, float]
    heading: float
    weight: str


def closed_stance(strides: Strides, heading: float = 0.0, place: Point = (0.0, 0.0)) -> Stance:
    """Return closed feet about a place, facing along a heading, with the weight on both."""
    half = 0.5 * strides.closed
    feet = [Footprint(*moved(place, heading, left, 0.0), heading) for left in (half, -half)]
    return Stance(feet[0], feet[1], heading)


def walk(
    patterns: Sequence[Pattern],
    begins: Stance,
    strides: Sequence[Strides],
    shape: FootShape,
    beat: float,
    place: Place | None = None,
) -> Iterator[Move]:
    """Yield the moves of consecutive patterns.

    strides: of each pattern. beat: s. place: targets of a partner; None to follow the notation alone.
    """
    state = _State(
        {"left": begins.left, "right": begins.right},
        {"left": begins.left.heading, "right": begins.right.heading},
        begins.heading,
        begins.weight,
    )
    before: Pattern | None = None
    index = 0
    for pattern, measures in zip(patterns, strides, strict=True):
        for number, step in enumerate(pattern.steps, 1):
            begun = any(earlier.foot is not Foot.HOLD for earlier in pattern.steps[: number - 1])
            _check_free(step, state.weight, pattern, number, None if begun else before)
            planner = _MovePlanner(state, step, pattern, number, measures, shape, step.beats * beat)
            move = planner.hold() if step.foot is Foot.HOLD else planner.go(place, index)
            yield move
            state = planner.after(move)
            index += 1
        before = pattern


def _check_free(step: Step, weight: str, pattern: Pattern, number: int, before: Pattern | None) -> None:
    if step.foot is Foot.HOLD or _SIDES[step.foot] != weight:
        return
    side = _SIDES[step.foot]
    if before is not None:
        raise ArgumentError(
            f"{pattern.title} begins with the {side} foot, but {before.title} ends with the weight on it: put a pattern"
            f" between them that ends on the other foot, or let it be mirrored"
        )
    raise ArgumentError(
        f"step {number} of {pattern.title} moves the {side} foot, which bears the weight: the {other_foot(side)} foot"
        " is free, or the step before needs NW"
    )


class _MovePlanner:
    """Plans the move of one step from the state before it."""

    def __init__(
        self,
        state: _State,
        step: Step,
        pattern: Pattern,
        number: int,
        strides: Strides,
        shape: FootShape,
        seconds: float,
    ) -> None:
        self.state, self.step, self.pattern, self.number = state, step, pattern, number
        self.strides, self.shape, self.seconds = strides, shape, seconds

    def hold(self) -> Move:
        """Return the move of a HOLD, whose turn is made on the balls of both feet."""
        turn = self._turn()
        heading = self.state.heading + turn
        end = {side: self._untwisted(side, self.state.due[side] + turn, heading) for side in ("left", "right")}
        if turn and gap_between(end["left"], end["right"], self.shape) < _OVERLAP:
            raise ArgumentError(
                f"{self._where} turns by {abs(math.degrees(turn)):.0f} degrees while both feet stand, which sets one on"
                " the other: let a foot step, or turn less"
            )
        turning = turning_of(self.state.heading, turn, 0.0, travels=False)
        return self._move(None, end, turning, Stance(end["left"], end["right"], heading, self.state.weight))

    def go(self, place: Place | None, index: int) -> Move:
        """Return the move of the step's foot; place: targets of a partner."""
        foot = _SIDES[self.step.foot]
        standing_foot = other_foot(foot)
        turn = self._turn()
        heading = self.state.heading + turn
        travels = self.step.position in TRAVELLING
        aligned = self.state.heading if travels else heading
        standing = self._standing(standing_foot, aligned)
        placement = self._placement(foot, standing, aligned)
        turning = turning_of(self.state.heading, turn, placement.facing, travels=travels)
        out = outward(foot)
        due = heading + out * placement.toe_out
        across = _INWARD[foot] in self.step.modifiers
        toes = landing_heading(turning, out, across=across) + out * placement.toe_out if travels else due
        wanted = None if place is None else place(index, foot, heading)
        if wanted is None:
            wider = inner_reach(out * (toes - aligned), self.shape) if travels else 0.0
            set_down = Footprint(*moved(placement.place, aligned, out * wider, 0.0), toes)
            landing = clear_of(set_down, standing, self.shape, placement.push, self.strides.gap)
        else:
            # the partner may be ahead or behind: a foot without room moves to the side
            push = heading + out * math.pi / 2 if travels else placement.push
            landing = self._answering(wanted, toes, standing, push)
        bears = foot if self.step.takes_weight else standing_foot
        stood = {foot: pivoted(landing, due, self.shape), standing_foot: standing}
        if travels and bears == standing_foot:
            stood[standing_foot] = self._untwisted(standing_foot, standing.heading, heading)
        stance = Stance(stood["left"], stood["right"], heading + placement.facing, bears)
        feet = {foot: landing, standing_foot: standing}
        return self._move(foot, feet, turning, stance, answers=wanted is not None)

    def after(self, move: Move) -> _State:
        """Return the state after a move."""
        due = {"left": move.stance.left.heading, "right": move.stance.right.heading}
        return _State(move.end, due, move.turning.after, move.stance.weight)

    @property
    def _where(self) -> str:
        return f"step {self.number} of {self.pattern.title}"

    def _move(
        self, foot: str | None, end: dict[str, Footprint], turning: Turning, stance: Stance, *, answers: bool = False
    ) -> Move:
        return Move(self.step, self.pattern, self.number, foot, self.state.feet, end, turning, stance, answers)

    def _turn(self) -> float:
        """Return the step's turn in rad; UNX without a written turn unwinds the legs by half a turn."""
        if self.step.turn is not None:
            return self.step.turn.angle
        if self.step.position is not FootPosition.UNCROSS:
            return 0.0
        foot = _SIDES[self.step.foot]
        feet = self.state.feet
        left, forward = local(feet[foot], feet[other_foot(foot)], self.state.heading)
        if left * outward(foot) > 0.0:
            raise ArgumentError(f"{self._where} uncrosses feet that are not crossed: UNX follows XIF or XIB")
        # right crossed over left unwinds to the left; the other three cases follow by symmetry
        return math.copysign(math.pi, -outward(foot) * forward)

    def _standing(self, foot: str, aligned: float) -> Footprint:
        """Return the standing foot after its pivot in the step."""
        toes = aligned
        if self.step.position not in PARALLEL:
            toes = self.state.due[foot] + aligned - self.state.heading
        return pivoted(self.state.feet[foot], toes, self.shape)

    def _answering(self, wanted: FootTarget, toes: float, standing: Footprint, push: float) -> Footprint:
        """Return a foot at a partner's target, or as near as legs and other feet allow."""
        far = math.dist(wanted.place, standing[:2])
        share = min(1.0, _REACH * self.strides.leg / far) if far > 0.0 else 1.0
        x, z = (at + share * (to - at) for at, to in zip(standing[:2], wanted.place, strict=True))
        foot = Footprint(x, z, toes)
        for partner in wanted.partner:
            foot = clear_of(foot, partner, self.shape, wanted.away, self.strides.gap)
        return clear_of(foot, standing, self.shape, push, self.strides.gap)

    def _untwisted(self, foot: str, toes: float, heading: float) -> Footprint:
        """Return a foot turned on its ball to a heading, within the range of the hip."""
        toes = heading + min(max(toes - heading, -_MOST_TWIST), _MOST_TWIST)
        return pivoted(self.state.feet[foot], toes, self.shape)

    def _placement(self, foot: str, standing: Footprint, heading: float) -> Placement:
        step = self.step
        if step.position is FootPosition.IN_PLACE:
            moving = pivoted(self.state.feet[foot], self.state.due[foot] + self._turn(), self.shape)
            toe_out = outward(foot) * (moving.heading - heading)
            return Placement((moving.x, moving.z), toe_out, 0.0, heading + outward(foot) * math.pi / 2)
        inward = _INWARD[foot]
        if step.position is FootPosition.SECOND and inward in step.modifiers:
            raise ArgumentError(
                f"{self._where} sends the {foot} foot to second position on the other side ({inward}): XIF or XIB"
                " cross the feet"
            )
        return placed(step, foot, standing, heading, self.seconds, self.strides, self.shape)
