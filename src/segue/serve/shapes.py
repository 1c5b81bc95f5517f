"""Parts of the messages from the engine to pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Accepted = Literal["number", "text", "truth", "place", "joints", "motion"]
"""Values that a parameter can accept."""


@dataclass(frozen=True)
class ParameterShape:
    """A parameter of a function. takes: what, in words. default: as text of the language; None if it must be given.

    choices: texts that it accepts, if these are few. unit: "s", "m", "rad", "kg" or "". accepts: what can be given, for
    the controls of a form; "place" is a list of two numbers. usual: the range of a slider; numbers outside are fine.
    """

    name: str
    takes: str
    default: str | None
    many: bool
    choices: tuple[str, ...] = ()
    unit: str = ""
    accepts: tuple[Accepted, ...] = ()
    usual: tuple[float, float] | None = None


@dataclass(frozen=True)
class FunctionShape:
    """A function of the language. extension: whether it comes from outside Segue and is not bounded by limits."""

    name: str
    signature: str
    parameters: tuple[ParameterShape, ...]
    help: str
    example: str
    extension: bool = False


@dataclass(frozen=True)
class TreeNode:
    """An expression of the document. what: its class in lower case ("call", "number", "name", ...).

    label: the function, operator, name or number as written. parameter: the parameter of the call above that the node
    is given to; "" elsewhere. start, stop: its span in the text. name: of an assignment or definition.
    """

    node: str
    parent: str
    what: str
    label: str
    start: int
    stop: int
    parameter: str = ""
    name: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """A sentence about a place of the text."""

    sentence: str
    start: int
    stop: int
    severity: Literal["error", "warning"] = "error"


@dataclass(frozen=True)
class NodeValue:
    """The value of a node. type: "motion", "number", ... said: described in one line.

    start, stop, fps, gaps ([start, stop, parts]): of a motion. ms: to compute it, its parts included. cached: it was
    taken from memory.
    """

    type: str
    said: str
    ms: float
    cached: bool
    start: float | None = None
    stop: float | None = None
    fps: float | None = None
    gaps: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True)
class RowPiece:
    """A part of a row of the time line. what: which it is. label: its source, as "walk". node: "" if unknown."""

    start: float
    stop: float
    what: Literal["source", "fill", "blend", "gap", "conflict"]
    label: str
    node: str = ""


@dataclass(frozen=True)
class Row:
    """A row of the time line: the whole body, a limb or a joint."""

    label: str
    joints: tuple[str, ...]
    pieces: tuple[RowPiece, ...]


@dataclass(frozen=True)
class Handle:
    """A number of the text that can be dragged on the time line.

    time: where it stands on the shown motion's clock. value: the number now. scale: its change for a change of time by
    1 s. least, most: its bounds. To set it, replace start to stop by prefix + number + suffix; this also works where
    the number is not written yet.
    """

    node: str
    parameter: str
    what: Literal["leave", "enter", "duration", "start", "stop", "at", "gap"]
    time: float
    value: float
    scale: float
    least: float
    most: float
    start: int
    stop: int
    prefix: str
    suffix: str


@dataclass(frozen=True)
class ArrayShape:
    """An array behind the header of a binary message: its offset in bytes from the end of the padded header."""

    name: str
    dtype: Literal["f4", "f8", "u2", "u1", "i4"]
    shape: tuple[int, ...]
    offset: int


@dataclass(frozen=True)
class ContactMark:
    """A contact of a foot: when, where (m), its heading (rad), and whether a target holds it there."""

    foot: str
    start: float
    stop: float
    x: float
    z: float
    heading: float
    fixed: bool = False
    node: str = ""


@dataclass(frozen=True)
class SupportMark:
    """A held point of a fill: choice as in the text; moved: m that it strays; target: the place that it was given."""

    point: str
    start: float
    stop: float
    choice: Literal["auto", "enforce", "never"]
    moved: float | None
    target: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class FillCard:
    """How one gap was filled.

    costs: cost by term of the objective in this fill; before_costs: the same of interpolation; energy, before: of all
    terms. match: the prior's sentence. clips: the clips
    it drew on.
    """

    node: str
    start: float
    stop: float
    joints: tuple[str, ...]
    objective: str
    status: str
    ms: float
    energy: float
    before: float
    costs: dict[str, float]
    supports: tuple[SupportMark, ...]
    notes: tuple[str, ...]
    match: str
    clips: tuple[str, ...]
    cut: tuple[float, float] | None
    before_costs: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class FindingMark:
    """A finding of `check`: in one sentence; time in s, None where it concerns the whole motion."""

    measure: str
    sentence: str
    severity: Literal["fine", "suspicious", "fault"]
    value: float
    unit: str
    where: str
    time: float | None


@dataclass(frozen=True)
class Completion:
    """A completion: the text that replaces start to stop, and its kind in words."""

    text: str
    start: int
    stop: int
    about: str


@dataclass(frozen=True)
class FileEntry:
    """A file or folder. type: "folder", "script", "clip", "library", "other". size: bytes."""

    path: str
    type: Literal["folder", "script", "clip", "library", "other"]
    size: int


@dataclass(frozen=True)
class TextEntry:
    """A text file of a kind. group: under which it is listed, as the dance of a pattern. about: a few words on it.

    original: it comes with Segue and is only read.
    """

    path: str
    title: str
    group: str
    about: str
    original: bool


@dataclass(frozen=True)
class JointRole:
    """A joint of a skeleton and the role that it plays; "" for none. sure: whether its family is recognised."""

    joint: str
    parent: str
    role: str
    sure: bool


@dataclass(frozen=True)
class PushMark:
    """A push of a simulated dancer: its time in s, whom, the phrase for `--push`, N, and the pushed segment."""

    time: float
    part: str
    phrase: str
    force: float
    point: str
