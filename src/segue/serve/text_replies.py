"""Messages from the engine about text files beside the script: patterns, gestures, dancers and environments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from segue.serve.message import Reply
from segue.serve.outlines import FloorPlan, Outline, StepWarning
from segue.serve.shapes import Diagnostic, TextEntry


@dataclass(frozen=True)
class Text(Reply):
    """An open text file: see `doc` for rev, changed, undo, redo, gesture and refused.

    file: its path, with which requests name it; that of an original, which comes with Segue and is only read, begins
    with "segue:". what: its kind. outline: what it says, None where the text cannot be read.
    """

    file: str
    what: str
    original: bool
    rev: int
    text: str
    changed: bool
    undo: bool
    redo: bool
    gesture: str
    outline: Outline | None
    diagnostics: tuple[Diagnostic, ...]
    refused: bool = False


@dataclass(frozen=True)
class Texts(Reply):
    """Text files of a kind, sorted by group and title."""

    what: str
    entries: tuple[TextEntry, ...]


@dataclass(frozen=True)
class Rehearsal(Reply):
    """The plan of a pattern at a revision: the floor of each dancer, and what bodies cannot do in it."""

    file: str
    rev: int
    couple: bool
    floors: tuple[FloorPlan, ...]
    warnings: tuple[StepWarning, ...]


@dataclass(frozen=True)
class Choice:
    """How often a dancer chooses a pattern, and the behaviour that decided most often."""

    pattern: str
    count: int
    decided: str


@dataclass(frozen=True)
class Fared:
    """How a couple fares in an evening. laps: round the line of dance. room, wall: least free m, None if alone."""

    name: str
    laps: float
    patterns: int
    waited: int
    room: float | None
    wall: float
    decided: tuple[str, ...]


@dataclass(frozen=True)
class Posed(Reply):
    """A posed goal of a gesture. ranges: least and most degrees of each movement of each joint that may move.

    The figure follows as `motion` with role "text".
    """

    file: str
    rev: int
    ranges: dict[str, dict[str, tuple[float, float]]]


@dataclass(frozen=True)
class Chosen(Reply):
    """Patterns that a dancer chooses alone on an empty floor: for each its share, and its most frequent reason."""

    file: str
    rev: int
    dance: str
    patterns: tuple[Choice, ...]
    seconds: float


@dataclass(frozen=True)
class Evening(Reply):
    """An evening of an environment. contents: as the page of an evening has them (`segue.view.dance_floor`).

    seconds: that were danced, which are fewer than the file's for a preview. share: danced so far, 1 when `contents`
    are there. fared: what `segue dance floor` prints of each couple.
    """

    file: str
    rev: int
    share: float
    contents: dict[str, Any] | None
    fared: tuple[Fared, ...] = ()


TEXT_REPLIES: dict[str, type[Reply]] = {
    "text": Text,
    "texts": Texts,
    "rehearsal": Rehearsal,
    "posed": Posed,
    "chosen": Chosen,
    "evening": Evening,
}
"""Messages from the engine by their kind."""
