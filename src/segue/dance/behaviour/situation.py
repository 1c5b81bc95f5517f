"""What a couple perceives when it decides: its place by the line of dance, who is ahead, the bar, what is possible."""

from __future__ import annotations

from dataclasses import dataclass

from segue.dance.behaviour.character import Character
from segue.dance.behaviour.motion_verbs import MotionVerb
from segue.typing import Array

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
