"""Messages from a page about text files in TOML: gestures, dancers and environments. See `requests` for all others."""

from __future__ import annotations

from dataclasses import dataclass

from segue.serve.message import Request


@dataclass(frozen=True)
class TomlValue:
    """A value for a place of a TOML file: keys and numbers of tables, and the value as TOML writes it, "" for none."""

    place: tuple[str, ...]
    value: str


@dataclass(frozen=True)
class SetValues(Request):
    """Set, add or remove values of a TOML file; the engine changes the text by spans and answers with `text`.

    rev, gesture, done: as in `edit`.
    """

    file: str
    rev: int
    values: tuple[TomlValue, ...]
    gesture: str = ""
    done: bool = False


@dataclass(frozen=True)
class ListTable(Request):
    """Add a table to a list of tables of a TOML file, as a goal of a gesture, or take one away.

    place: of the list to add to, with the entries as TOML in braces, or of the table to take away. rev: as in `edit`.
    """

    file: str
    rev: int
    place: tuple[str, ...]
    entries: str = ""


@dataclass(frozen=True)
class GoalOf:
    """A goal of a gesture: its number among the goals of a symbol. mirrored: as it is danced with the right foot."""

    symbol: str
    dance: str = ""
    goal: int = 0
    mirrored: bool = False


@dataclass(frozen=True)
class AdoptGesture(Request):
    """Write a symbol's gesture that comes with Segue into the file, so that it can be changed. rev: as in `edit`."""

    file: str
    rev: int
    goal: GoalOf


@dataclass(frozen=True)
class Pose(Request):
    """Turn the joints of a gesture's category so that a point of the body goes to a place. The engine changes the text.

    segment, point: a point in the segment's frame. place: in the world, m, of the figure that `view_text` showed. rev,
    gesture, done: as in `edit`.
    """

    file: str
    rev: int
    goal: GoalOf
    segment: str
    point: tuple[float, float, float]
    place: tuple[float, float, float]
    gesture: str = ""
    done: bool = False


@dataclass(frozen=True)
class ViewText(Request):
    """Ask what a text file comes to; the engine answers with `posed`, `chosen` or `evening`.

    goal: of a gesture. It is posed, and its figure is sent as `motion` with role "text". dance: what a dancer chooses
    in an evening of this dance.
    """

    file: str
    goal: GoalOf | None = None
    dance: str = ""


@dataclass(frozen=True)
class Rehearse(Request):
    """Plan and preview an open pattern; the engine answers with `rehearsal`, then `motion` with role "rehearsed".

    couple: both parts in hold. beside: a clip below the folder to play with it, such as its simulation.
    """

    file: str
    couple: bool = False
    beside: str = ""


TEXT_REQUESTS: dict[str, type[Request]] = {
    "rehearse": Rehearse,
    "set_values": SetValues,
    "list_table": ListTable,
    "adopt_gesture": AdoptGesture,
    "pose": Pose,
    "view_text": ViewText,
}
"""Messages from a page by their kind."""
