"""Outlines of text files, as pages show them: one class for each kind of file. Offsets are UTF-16 code units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class SymbolShape:
    """A symbol of the notation: see `dance.notation.symbols`. many: a cell may have more than one of its kind."""

    text: str
    row: str
    kind: str
    many: bool
    name: str
    meaning: str


@dataclass(frozen=True)
class HeaderField:
    """A header line of a pattern: its name as in the notation, and its value with the value's span."""

    name: str
    value: str
    start: int
    stop: int


@dataclass(frozen=True)
class GridCell:
    """A cell of a grid. start, stop: all between its bars, blanks included. words: as written, without blanks."""

    words: str
    start: int
    stop: int


@dataclass(frozen=True)
class GridRow:
    """A row of a grid: its name in the notation, "" for an unknown name, and its cells.

    label: its name as written. start, stop: the line without its end.
    """

    name: str
    label: str
    start: int
    stop: int
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class Sole:
    """A flat foot on the floor: the point under its ankle in m, and the heading of its toes in rad."""

    x: float
    z: float
    heading: float


@dataclass(frozen=True)
class StepOnFloor:
    """A planned step: both feet at its end, which of them moved ("" for neither) and which bears the weight.

    start, stop: from the landing on the beat to the end of the last beat, in s of the preview. done: when the next foot
    leaves the floor, at which pictures show the step.
    """

    start: float
    stop: float
    done: float
    left: Sole
    right: Sole
    moves: Literal["left", "right", ""]
    weight: str


@dataclass(frozen=True)
class FloorPlan:
    """The steps of one part on the floor. heading: of the body at the start, rad.

    heel, tip, half_width: of a sole about the point under its ankle, in m.
    """

    part: str
    heading: float
    left: Sole
    right: Sole
    steps: tuple[StepOnFloor, ...]
    heel: float
    tip: float
    half_width: float


@dataclass(frozen=True)
class StepWarning:
    """A sentence of the plan about a step, or about the whole pattern (0)."""

    step: int
    sentence: str


@dataclass(frozen=True)
class PatternOutline:
    """A pattern file: header lines and the grid, also of a text with errors.

    finish: the alignment that the turns lead to. partner: names and cells of the partner's rows, as they follow in
    closed hold. floor: where its steps lead. All three are empty while the pattern has errors. partner_file: the file
    of the partner's own part, "" without one.
    """

    what: Literal["pattern"]
    title: str
    part: str
    headers: tuple[HeaderField, ...]
    rows: tuple[GridRow, ...]
    finish: str
    partner: tuple[tuple[str, ...], ...]
    partner_file: str
    floor: FloorPlan | None


@dataclass(frozen=True)
class Setting:
    """A setting of a TOML file. about: its meaning and unit. given: whether the file has it; else value is the default.

    value: None where it may be left out, and is. least, most: of a number, None where there is no bound. choices: of a
    text, empty for any text. place: keys that lead to it, for `set_values`.
    """

    name: str
    place: tuple[str, ...]
    about: str
    value: float | str | None
    default: float | str | None
    given: bool
    least: float | None
    most: float | None
    whole: bool
    choices: tuple[str, ...]


@dataclass(frozen=True)
class SettingTable:
    """Settings of a table; name: "" for those before the first header."""

    name: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True)
class GestureSymbol:
    """The meaning of a symbol for the body. dance: "" for all dances. place: keys that lead to it, for `set_values`.

    given: whether the file has it; if not, goals and sway are those of the gestures that come with Segue. goals:
    degrees by joint and movement, the last one after those that are passed. sway: degrees to the left.
    """

    symbol: str
    dance: str
    place: tuple[str, ...]
    given: bool
    sway: float
    goals: tuple[dict[str, dict[str, float]], ...]


@dataclass(frozen=True)
class GestureOutline:
    """A file of gestures of one category.

    by_foot: whether gestures are written for the left foot and mirrored for the right. movements: of the joints that
    the category may move. others: the category of each other joint. segments: that each joint moves.
    """

    what: Literal["gestures"]
    category: str
    by_foot: bool
    movements: dict[str, tuple[str, ...]]
    others: dict[str, str]
    segments: dict[str, str]
    symbols: tuple[GestureSymbol, ...]


@dataclass(frozen=True)
class KnownPattern:
    """A pattern of a dancer's vocabulary, or of the library. place: keys that lead to it, for `set_values`.

    difficulty: None for a pattern that the library has not. bare: whether the file has its skill alone.
    """

    name: str
    place: tuple[str, ...]
    difficulty: float | None
    known: bool
    bare: bool
    skill: float
    liking: float


@dataclass(frozen=True)
class KnownDance:
    """The patterns of a dance, those of a dancer's vocabulary first."""

    name: str
    patterns: tuple[KnownPattern, ...]


@dataclass(frozen=True)
class DancerOutline:
    """A dancer's file: its settings, and all patterns with skill and liking, each from 0 to 1."""

    what: Literal["dancer"]
    name: str
    tables: tuple[SettingTable, ...]
    dances: tuple[KnownDance, ...]


@dataclass(frozen=True)
class FloorDancer:
    """A dancer's file of an evening, as the environment names it. problem: why it cannot dance, "" if it can."""

    file: str
    name: str
    problem: str


@dataclass(frozen=True)
class EnvironmentOutline:
    """An environment's file. dancers: the first couples; others: further dancers' files beside the file.

    places: x and z in m of the first couples, where the file has them. dances: of the library.
    """

    what: Literal["environment"]
    tables: tuple[SettingTable, ...]
    dancers: tuple[FloorDancer, ...]
    others: tuple[FloorDancer, ...]
    places: tuple[tuple[float, float], ...]


Outline = PatternOutline | GestureOutline | DancerOutline | EnvironmentOutline
"""The outline of a text file of any kind; `what` names its class."""
