"""Messages from the engine about text files in TOML: gestures, dancers and environments. All others: `replies`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from segue.serve.replies import Reply


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
    "posed": Posed,
    "chosen": Chosen,
    "evening": Evening,
}
"""Messages from the engine by their kind."""
