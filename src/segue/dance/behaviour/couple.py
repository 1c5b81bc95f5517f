"""A couple on the floor: where it is, what it has danced, and the floor it has claimed from now on."""

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
"""Free m that are always kept between couples, and to the walls.

The plan of the whole evening differs by a few centimetres from those of two patterns by which floor is claimed: these
are more than twice, and once, as much as that.
"""

_LONG_WAIT = 4  # verbs, after which it does not matter what was danced before


class Refusal(NamedTuple):
    """A verb that was preferred but not safe, and why: "wall", "reach" (of the legs), or the name of a couple."""

    verb: str
    obstacle: str


class Decision(NamedTuple):
    """What a couple chose to dance from a beat on, and which processes had a say, the most decisive first.

    frame: where it began. options: how many verbs there were. refused: those that were preferred, but not safe.
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

    frame, stance: where the couple is at the end of what it dances now, and how it then stands, as seen from there.
    ends: the beat of that. course: (cells, 5) the box of floor that it claims in every cell of the evening: past its
    last pattern, where it will then stand, so that whoever only waits is never in anybody's way.
    """

    def __init__(
        self, number: int, dancer: Dancer, repertoire: Repertoire, begins: tuple[Frame, Stance], beats: int, intro: int
    ) -> None:
        self.number, self.dancer, self.repertoire = number, dancer, repertoire
        self.frame, self.stance = begins
        self.home: Frame = self.frame
        self.ends = intro
        # what it danced last, and what it has waited since; and from where
        self._before: tuple[MotionVerb, ...] = ()
        self._since = begins
        still = couple_positions(repertoire.planner.standing(self.stance), np.zeros(2))
        self.course: Array = np.tile(moved(boxes_over(still, repertoire.shape, 1), self.frame), (CELLS * beats, 1))
        self.decisions: list[Decision] = []
        self.last_danced: dict[str, int] = {}

    @property
    def begun(self) -> int:
        """The cell from which on the next verb claims floor."""
        return CELLS * (self.ends - LEAD)

    def verbs(self, like: Pattern, beats: int) -> list[MotionVerb]:
        """Return what the couple could dance next; the first is to hold for so many beats, just where it stands."""
        return [holding(like, beats, self.stance), *self.repertoire.verbs(self.stance)]

    def claim(self, verb: MotionVerb) -> Array | None:
        """Return the boxes (K, 5) that a verb would claim, from the cell `begun` on; the last is where it ends.

        None where the couple's legs are too short for it after what they dance now.
        """
        if verb.title == HOLD:
            return self.course[self.begun : CELLS * (self.ends + verb.beats) + 1].copy()
        frame, stance = self._since
        outline = self.repertoire.outline(self._before, stance, verb)
        return None if outline is None else moved(np.concatenate([outline.way, outline.rest[None]]), frame)

    def obstacle(self, claim: Array | None, ground: Ground, couples: Sequence[CoupleOnFloor]) -> str | None:
        """Return why a claim is not safe: "reach" if there is none, "wall", or whom it comes too near; else None."""
        if claim is None:
            return "reach"
        if wall_gaps(claim, 0.5 * ground.width, 0.5 * ground.length).min() < WALL:
            return "wall"
        return next(
            (other.dancer.name for other in couples if other is not self and self._gap(claim, other) < APART), None
        )

    def _gap(self, claim: Array, other: CoupleOnFloor) -> float:
        """Return how near a claim comes to what another couple has claimed, now and ever after."""
        start, stop = self.begun, self.begun + len(claim)
        later = other.course[stop : CELLS * other.ends + 1]
        return min(
            float(least_gap(claim, other.course[start:stop])),
            float(least_gap(np.tile(claim[-1], (len(later), 1)), later)),
        )

    def dance(self, decision: Decision, claim: Array) -> None:
        """Take up what was decided, and claim the floor for it."""
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
