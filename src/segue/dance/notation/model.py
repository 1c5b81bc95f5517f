"""The ballroom notation [Lake1990, section 5.2]: symbols, steps and patterns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

MOST_STEPS = 12
"""Most steps of a pattern."""

MOST_BEATS = 4
"""Most beats of a step."""


class Foot(StrEnum):
    """Moving foot; HOLD for neither."""

    LEFT = "LF"
    RIGHT = "RF"
    HOLD = "HOLD"


class FootPosition(StrEnum):
    """Target of the moving foot relative to the other: the five positions of ballroom dance, and others."""

    FIRST = "1ST"
    SECOND = "2ND"
    THIRD = "3RD"
    FORWARD = "FWD"
    BACKWARD = "BWD"
    FIFTH = "5TH"
    IN_PLACE = "SIP"
    CROSS_FRONT = "XIF"
    CROSS_BEHIND = "XIB"
    UNCROSS = "UNX"


class Modifier(StrEnum):
    """Variation of a step's position."""

    CONTRA_BODY = "CBMP"
    DIAGONAL = "DIAG"
    LEFTWARD = "LWD"
    RIGHTWARD = "RWD"
    NO_WEIGHT = "NW"
    SMALL = "SS"
    TOE_OUT = "TO"
    PAUSE = "PAUSE"


class Footwork(StrEnum):
    """Part of the foot that lands, and part that bears the weight at the end of the step."""

    HEEL = "H"
    TOE = "T"
    HEEL_TOE = "H-T"
    TOE_HEEL = "T-H"


class Head(StrEnum):
    """Direction of the dancer's look."""

    LEFT = "LL"
    NORMAL = "NP"
    RIGHT = "LR"


class Body(StrEnum):
    """Movement of the upper body, an optional row as in figure 5.2 of [Lake1990]."""

    CONTRA_BODY_MOVEMENT = "CBM"
    SLIGHT_CONTRA_BODY_MOVEMENT = "SCBM"
    SWAY_LEFT = "SWL"
    SWAY_RIGHT = "SWR"


class Part(StrEnum):
    """Partner whose steps a pattern describes."""

    LEADER = "leader"
    FOLLOWER = "follower"


class Alignment(StrEnum):
    """Heading relative to the line of dance, which runs counter-clockwise round the floor."""

    FACING_LINE = "facing line of dance"
    BACKING_LINE = "backing line of dance"
    FACING_WALL = "facing wall"
    FACING_CENTRE = "facing centre"
    DIAGONAL_WALL = "facing diagonally to wall"
    DIAGONAL_CENTRE = "facing diagonally to centre"
    BACKING_DIAGONAL_WALL = "backing diagonally to wall"
    BACKING_DIAGONAL_CENTRE = "backing diagonally to centre"

    @property
    def angle(self) -> float:
        """The heading in rad, counter-clockwise seen from above; 0 is along the line of dance, pi/2 to the centre."""
        return math.radians(_ALIGNED[self])


_ALIGNED = {
    Alignment.FACING_LINE: 0.0,
    Alignment.BACKING_LINE: 180.0,
    Alignment.FACING_WALL: -90.0,
    Alignment.FACING_CENTRE: 90.0,
    Alignment.DIAGONAL_WALL: -45.0,
    Alignment.DIAGONAL_CENTRE: 45.0,
    Alignment.BACKING_DIAGONAL_WALL: 135.0,
    Alignment.BACKING_DIAGONAL_CENTRE: -135.0,
}


@dataclass(frozen=True)
class Turn:
    """A turn of the body over one step: 1, 2, 3, 4, 5 or 6 eighths, to the left (counter-clockwise) or the right."""

    eighths: int
    left: bool

    @property
    def angle(self) -> float:
        """The turn in rad, counter-clockwise seen from above."""
        return (1.0 if self.left else -1.0) * self.eighths * math.pi / 4.0

    def __str__(self) -> str:
        top, bottom = self.eighths, 8
        while top % 2 == 0:
            top, bottom = top // 2, bottom // 2
        return f"{top}/{bottom} {'L' if self.left else 'R'}"


@dataclass(frozen=True)
class Step:
    """One column of a pattern: a goal position and the beats that the step lasts.

    position: None for HOLD. footwork: None for the usual footwork of the position. beats: 1 to 4. Symbols that are not
    written are None or empty.
    """

    foot: Foot
    position: FootPosition | None
    beats: int
    modifiers: frozenset[Modifier] = frozenset()
    footwork: Footwork | None = None
    head: Head | None = None
    turn: Turn | None = None
    body: frozenset[Body] = frozenset()

    @property
    def takes_weight(self) -> bool:
        """Whether the moving foot bears the weight at the end of the step."""
        return self.foot is not Foot.HOLD and Modifier.NO_WEIGHT not in self.modifiers


@dataclass(frozen=True)
class Pattern:
    """A named sequence of steps of one dance.

    commence: alignment at the start. beats_per_bar, beat_unit: numbers of the time signature, such as 3/4, or 8/8 if
    half beats are counted. tempo: bars per minute. difficulty: 1 (easy) to 5.
    """

    dance: str
    name: str
    steps: tuple[Step, ...]
    part: Part = Part.LEADER
    commence: Alignment = Alignment.FACING_LINE
    beats_per_bar: int = 4
    beat_unit: int = 4
    tempo: float = 30.0
    difficulty: int = 1
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def beats(self) -> int:
        """Beats of the whole pattern."""
        return sum(step.beats for step in self.steps)

    @property
    def beat_seconds(self) -> float:
        """Seconds per beat at the pattern's tempo."""
        return 60.0 / (self.tempo * self.beats_per_bar)

    @property
    def title(self) -> str:
        """Dance and name, as commands take them: "foxtrot/forward basic"."""
        return f"{self.dance}/{self.name}"


def folded(name: str) -> str:
    """Return a name's letters and digits in lower case: equal for names that differ in case, spaces or hyphens only."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
