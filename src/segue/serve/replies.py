"""Messages from the engine to pages: see `requests` for spans, nodes and units.

A message with arrays is binary, all others are JSON text; `framing` has the layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from segue.serve.message import Reply
from segue.serve.outlines import SymbolShape
from segue.serve.requests import Change, Channel
from segue.serve.shapes import (
    ArrayShape,
    Completion,
    ContactMark,
    Diagnostic,
    FileEntry,
    FillCard,
    FindingMark,
    FunctionShape,
    Handle,
    JointRole,
    NodeValue,
    ParameterShape,
    Row,
    TreeNode,
)
from segue.serve.simulation_messages import SimulatedFrames, SimulationState


@dataclass(frozen=True)
class Welcome(Reply):
    """The answer to `hello`: all that does not change while the engine runs.

    points: points of the body that `drag` takes. joints, groups: names of the language. aliases: [Rose1996]'s names.
    scene: what the viewer needs once: tree of the body, colours (`segue.view.web.contents`). texts: kinds of text files
    beside the script. symbols: of the dance notation; rows: its rows, and alignments: its headings, in order.
    simulation: settings of `simulate`.
    """

    protocol: int
    version: str
    folder: str
    functions: tuple[FunctionShape, ...]
    aliases: dict[str, str]
    keywords: tuple[str, ...]
    clips: tuple[str, ...]
    joints: tuple[str, ...]
    points: tuple[str, ...]
    scene: dict[str, Any]
    texts: tuple[str, ...] = ()
    symbols: tuple[SymbolShape, ...] = ()
    rows: tuple[str, ...] = ()
    alignments: tuple[str, ...] = ()
    simulation: tuple[ParameterShape, ...] = ()


@dataclass(frozen=True)
class Doc(Reply):
    """The document. rev grows with every change of the text, whichever page made it.

    good: the newest revision that could be evaluated, whose motion is shown; if it is not rev, the motion is to be
    greyed. file: path below the folder, "" before the first save. changed: whether the file has another text. undo,
    redo: whether there is a step. tree: of the text if it parses, else of the last text that did (tree_rev). gesture:
    which is open. refused: the edit was for another revision.
    """

    rev: int
    good: int
    text: str
    file: str
    changed: bool
    undo: bool
    redo: bool
    gesture: str
    tree: tuple[TreeNode, ...]
    tree_rev: int
    diagnostics: tuple[Diagnostic, ...]
    refused: bool = False


@dataclass(frozen=True)
class Values(Reply):
    """Values of all nodes of a revision. shown: the node of the script's last motion. said: what the script printed."""

    rev: int
    shown: str
    nodes: dict[str, NodeValue]
    said: tuple[str, ...]
    ms: float


@dataclass(frozen=True)
class Timeline(Reply):
    """The time line of the shown motion. rev: whose spans the handles have."""

    rev: int
    node: str
    start: float
    stop: float
    rows: tuple[Row, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True)
class MotionShown(Reply):
    """Poses of a node: those of some frames, and where the page has the others.

    role: "text" is the figure of a text file, "rehearsed" a dancer of an open pattern. body: an entry of `motions` of
    the viewer's contents (label, start, fps, frames, stature, offsets, shapes, points, fills, ground, skin). After the
    first message it has only what changed, and is None if nothing did.

    The arrays are left out if no frame changed:

    - spans (S, 2) i4: first frame and count of frames that are sent, one span after another
    - root (F, 3) f4, balls (F, 7, 3) u2 as in `EncodedPoses`, hinges (F, 20) f4 in rad: the poses of these frames
    - kept (K, 4) i4: first frame and count of frames that the page has, which motion has them, first frame there
    - moves (M, 5) f8: a move on the floor, from the frame in the first column on

    Motions with arrays are counted back from the newest before this one, 0 to 7. Poses do not contain the moves. A move
    is a turn about the vertical in rad, and then a shift by x, y and z in m.
    """

    rev: int
    node: str
    role: Literal["shown", "ghost", "compare", "variant", "text", "rehearsed"]
    index: int
    start: float
    fps: float
    body: dict[str, Any] | None
    arrays: tuple[ArrayShape, ...] = ()


@dataclass(frozen=True)
class Curves(Reply):
    """A channel of the shown motion at its frames.

    effort: rows joints, torque as part of strength (1: all of it). torque: N m. angle: rad. speed: rad/s. contacts:
    rows points of the feet; 0 free, 1 touches, 2 planted. limits: [low, high] a row, None where there is none. Array:
    values (rows, frames) f4, or u1 for contacts.
    """

    rev: int
    node: str
    channel: Channel
    rows: tuple[str, ...]
    start: float
    fps: float
    limits: tuple[tuple[float | None, float | None], ...] = ()
    arrays: tuple[ArrayShape, ...] = ()


@dataclass(frozen=True)
class Contacts(Reply):
    """Footprints of the shown motion, for the floor and for the contact rows."""

    rev: int
    node: str
    contacts: tuple[ContactMark, ...]


@dataclass(frozen=True)
class Fills(Reply):
    """The filled gaps of a node."""

    rev: int
    node: str
    fills: tuple[FillCard, ...]


@dataclass(frozen=True)
class Findings(Reply):
    """The findings of `check`, worst first."""

    rev: int
    node: str
    findings: tuple[FindingMark, ...]


@dataclass(frozen=True)
class Variant(Reply):
    """One of several solutions; its poses follow as `motion` with role "variant" and the same index.

    changes: the edit that writes it into the text of rev.
    """

    rev: int
    node: str
    index: int
    said: str
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class CutMap(Reply):
    """Distances of frames of two motions. Array: cost (leaves, enters) f4. best: the pairs that the search prefers.

    leave, enter: Handles' texts: prefix and suffix around each number, both with one edit.
    """

    rev: int
    node: str
    leaves: tuple[float, ...]
    enters: tuple[float, ...]
    best: tuple[tuple[float, float], ...]
    present: tuple[float, float] | None
    arrays: tuple[ArrayShape, ...] = ()


@dataclass(frozen=True)
class Completions(Reply):
    """Completions at a position."""

    completions: tuple[Completion, ...]


@dataclass(frozen=True)
class HelpText(Reply):
    """Help on a name."""

    name: str
    text: str


@dataclass(frozen=True)
class Tried(Reply):
    """The value of a line of the prompt, in one or more lines of text; its motion follows with role "ghost"."""

    line: str
    text: str
    failed: bool


@dataclass(frozen=True)
class Files(Reply):
    """Files below a folder of the workspace. writable: suffixes for `export`; readable: suffixes of clips."""

    folder: str
    entries: tuple[FileEntry, ...]
    writable: tuple[str, ...]
    readable: tuple[str, ...]


@dataclass(frozen=True)
class Saved(Reply):
    """A script or text file was saved, or a motion exported."""

    path: str
    what: Literal["script", "text", "motion"]
    sentence: str


@dataclass(frozen=True)
class Conflict(Reply):
    """Another program changed the file: both texts. Answer with `resolve`. recovered: theirs is an autosave."""

    file: str
    mine: str
    theirs: str
    recovered: bool = False


@dataclass(frozen=True)
class JobState(Reply):
    """Long work. done, of: steps; of is 0 where unknown."""

    job: str
    what: str
    done: int
    of: int
    state: Literal["running", "finished", "cancelled", "failed"]
    sentence: str = ""


@dataclass(frozen=True)
class Warm(Reply):
    """Kernels that are compiled, as a share from 0 to 1. Solving waits until it is 1."""

    share: float
    sentence: str = ""


@dataclass(frozen=True)
class State(Reply):
    """Whether the solver works on a revision."""

    rev: int
    busy: bool
    ms: float = 0.0


@dataclass(frozen=True)
class SkeletonShape(Reply):
    """The roles of a clip's joints. family: how the skeleton is named, "" where unknown.

    roles: all roles; needed: those without which no person is recognised. map: the clip's map file, "" without one.
    problem: why no person was recognised, "" otherwise.
    """

    path: str
    family: str
    joints: tuple[JointRole, ...]
    roles: tuple[str, ...]
    needed: tuple[str, ...] = ()
    map: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Uploaded(Reply):
    """A part of a file has come. path: its name. received, size: bytes; both are equal when the file is there."""

    path: str
    received: int
    size: int


@dataclass(frozen=True)
class Failure(Reply):
    """A request failed: one sentence; its place in the text if there is one."""

    sentence: str
    start: int | None = None
    stop: int | None = None


REPLIES: dict[str, type[Reply]] = {
    "welcome": Welcome,
    "doc": Doc,
    "values": Values,
    "timeline": Timeline,
    "motion": MotionShown,
    "channel": Curves,
    "contacts": Contacts,
    "fills": Fills,
    "findings": Findings,
    "variant": Variant,
    "cutmap": CutMap,
    "completions": Completions,
    "help": HelpText,
    "tried": Tried,
    "files": Files,
    "saved": Saved,
    "conflict": Conflict,
    "job": JobState,
    "simulation": SimulationState,
    "frames": SimulatedFrames,
    "warm": Warm,
    "state": State,
    "skeleton": SkeletonShape,
    "uploaded": Uploaded,
    "error": Failure,
}
"""Messages from the engine by their kind."""
