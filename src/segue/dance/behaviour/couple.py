"""State of a couple on the floor: its place, its past dances, and the floor that it claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.dance.behaviour._room_kernels import least_gap, wall_gaps
from segue.dance.behaviour.dancer import Dancer
from segue.dance.behaviour.environment import Ground
from segue.dance.behaviour.motion_verbs import CELLS, HOLD, LEAD, Frame, MotionVerb, Repertoire, holding, moved
from segue.dance.behaviour.position_verbs import boxes_over, couple_positions
from segue.dance.behaviour.processes import Vote
from segue.dance.notation.model import Pattern
from segue.dance.planning.model import Stance
from segue.typing import Array

__all__ = ["APART", "WALL", "CoupleOnFloor", "Decision", "Refusal"]

APART, WALL = 0.16, 0.08
"""Least gaps in m between couples, and to the walls.

Claims come from plans of two patterns, which differ from the plan of the whole evening by a few centimetres. The gaps
are more than twice, and once, that difference.
"""

_LONG_WAIT = 4  # verbs of waiting after which the pattern before them no longer matters


class Refusal(NamedTuple):
    """A preferred verb that was not safe, and the reason: "wall", "reach" (of the legs), or a couple's name."""

    verb: str
    obstacle: str


class Decision(NamedTuple):
    """Choice of a couple at a beat, with the votes of the triggered processes, the most decisive first.

    frame: place at the start. options: number of verbs. refused: preferred verbs that were not safe.
    """

    couple: int
    beat: int
    verb: MotionVerb
    frame: Frame
    votes: tuple[Vote, ...]
    options: int
    refused: tuple[Refusal, ...]


class CoupleOnFloor:
    """A couple's state.

    frame, stance: place and stance at the end of the current verb, the stance in the frame of that place. ends: the
    beat of that end. course: (cells, 5) the box of floor that it claims in every cell of the evening. After its last
    verb the couple claims the place where it stands, so that waiting is always safe.
    """

    def __init__(
        self, number: int, dancer: Dancer, repertoire: Repertoire, begins: tuple[Frame, Stance], beats: int, intro: int
    ) -> None:
        self.number, self.dancer, self.repertoire = number, dancer, repertoire
        self.frame, self.stance = begins
        self.home: Frame = self.frame
        self.ends = intro
        # the last pattern and the waiting since, and the place before them
        self._before: tuple[MotionVerb, ...] = ()
        self._since = begins
        still = couple_positions(repertoire.planner.standing(self.stance), np.zeros(2))
        self.course: Array = np.tile(moved(boxes_over(still, repertoire.shape, 1), self.frame), (CELLS * beats, 1))
        self.decisions: list[Decision] = []
        self.last_danced: dict[str, int] = {}

    @property
    def begun(self) -> int:
        """First cell that the next verb claims."""
        return CELLS * (self.ends - LEAD)

    def verbs(self, like: Pattern, beats: int) -> list[MotionVerb]:
        """Return the couple's possible verbs; the first is to hold for a number of beats."""
        return [holding(like, beats, self.stance), *self.repertoire.verbs(self.stance)]

    def claim(self, verb: MotionVerb) -> Array | None:
        """Return the boxes (K, 5) that a verb would claim from the cell `begun` on; the last is its end.

        None if the couple's legs are too short for the verb after the current one.
        """
        if verb.title == HOLD:
            return self.course[self.begun : CELLS * (self.ends + verb.beats) + 1].copy()
        frame, stance = self._since
        outline = self.repertoire.outline(self._before, stance, verb)
        return None if outline is None else moved(np.concatenate([outline.way, outline.rest[None]]), frame)

    def obstacle(self, claim: Array | None, ground: Ground, couples: Sequence[CoupleOnFloor]) -> str | None:
        """Return the obstacle of a claim: "reach" without a claim, "wall" or a couple's name; None if it is safe."""
        if claim is None:
            return "reach"
        if wall_gaps(claim, 0.5 * ground.width, 0.5 * ground.length).min() < WALL:
            return "wall"
        return next(
            (other.dancer.name for other in couples if other is not self and self._gap(claim, other) < APART), None
        )

    def _gap(self, claim: Array, other: CoupleOnFloor) -> float:
        """Return the least gap between a claim and another couple's claims, now and later."""
        start, stop = self.begun, self.begun + len(claim)
        later = other.course[stop : CELLS * other.ends + 1]
        return min(
            float(least_gap(claim, other.course[start:stop])),
            float(least_gap(np.tile(claim[-1], (len(later), 1)), later)),
        )

    def dance(self, decision: Decision, claim: Array) -> None:
        """Apply a decision and claim its floor."""
        verb, start = decision.verb, self.begun
        self.course[start : start + len(claim)] = claim
        self.course[start + len(claim) :] = claim[-1]
        if verb.waits and 0 < len(self._before) < _LONG_WAIT:
            self._before += (verb,)
        else:
            self._before, self._since = (verb,), (self.frame, self.stance)
        x, z, heading = moved(np.array(verb.shift), self.frame)
        self.frame, self.stance = (float(x), float(z), float(heading)), verb.ends
        self.ends += verb.beats
        self.last_danced[verb.title] = decision.beat
        self.decisions.append(decision)
