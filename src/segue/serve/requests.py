"""Messages from a page to the engine.

Every message is a JSON object with its `kind`. Offsets into the text count UTF-16 code units, as JavaScript does, so
that `text.slice(start, stop)` is what a span means. `file` is the path of an open text file, as `text` names it, or ""
for the script. Times are seconds of the shown motion, places are metres, Y up.
A node is named by its path in the tree of the document: "2/0/1" is the second child of the first child of the third
statement. Such a name stays the same while only numbers change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from segue.serve.message import Request
from segue.serve.simulation_messages import GuideSimulation, KeepSimulation, PushDancer, Simulate

Channel = Literal["effort", "contacts", "torque", "angle", "speed"]
"""Curves that can be asked for beside poses."""

Version = Literal["mine", "theirs"]
"""The text in the studio, or the text of a file that another program changed."""


@dataclass(frozen=True)
class Change:
    """Text that replaces the text from start to stop."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True)
class Hello(Request):
    """Begin: the engine answers with `welcome`, and with the whole present state. protocol: see `welcome`."""

    protocol: int = 2


@dataclass(frozen=True)
class Edit(Request):
    """Change the text. The engine answers with `doc`, and later with `values` and `motion`; with `text` for a file.

    rev: the revision that the spans of all changes refer to. gesture: a name of the page's choice for one movement of
    the pointer, or one run of typing. All edits of a gesture refer to the revision before the gesture, so that a drag
    replaces the same number again and again, and a lost message does no harm. A gesture is one step of undo. Without
    a gesture, an edit is a step of its own. If the document has another revision, nothing changes and `doc` has
    `refused`. done: whether the gesture ends with this edit.
    """

    rev: int
    changes: tuple[Change, ...]
    gesture: str = ""
    done: bool = False
    file: str = ""


@dataclass(frozen=True)
class Commit(Request):
    """End a gesture and keep its text."""

    gesture: str
    file: str = ""


@dataclass(frozen=True)
class Revert(Request):
    """End a gesture and restore the text before it, as Esc does."""

    gesture: str
    file: str = ""


@dataclass(frozen=True)
class Undo(Request):
    """Go back one step."""

    file: str = ""


@dataclass(frozen=True)
class Redo(Request):
    """Go forward one step."""

    file: str = ""


@dataclass(frozen=True)
class Open(Request):
    """Open a script below the folder, or a clip, which makes a script that loads the clip."""

    path: str


@dataclass(frozen=True)
class Save(Request):
    """Write the text to its file, or to another path below the folder."""

    path: str = ""
    file: str = ""


@dataclass(frozen=True)
class ListTexts(Request):
    """List text files of a kind, Segue's own and those below the folder: the engine answers with `texts`.

    what: a kind of `welcome.texts`.
    """

    what: str


@dataclass(frozen=True)
class OpenText(Request):
    """Open a text file of a kind beside the script, by its path in `texts`; the engine answers with `text`.

    Files that come with Segue can only be read: `save` with another path writes a copy and opens it.
    """

    what: str
    path: str


@dataclass(frozen=True)
class NewText(Request):
    """Write a new text file of a kind below the folder and open it; the engine answers with `text`.

    name: what it describes, for a pattern its dance and name, as "foxtrot/side step". partner: an open pattern below
    the folder; its partner's part is written beside it, and no name is needed.
    """

    what: str
    name: str = ""
    partner: str = ""


@dataclass(frozen=True)
class Resolve(Request):
    """Decide after `conflict` which text to keep. The other text stays one undo away. file: as `conflict` names it."""

    keep: Version
    file: str = ""


@dataclass(frozen=True)
class Export(Request):
    """Write a motion to a file below the folder. The suffix says the format; .html is a page by itself.

    node: "" for the shown motion. fps: 0 for the motion's own rate.
    """

    path: str
    fps: float = 0.0
    node: str = ""


@dataclass(frozen=True)
class Listing(Request):
    """List a folder below the opened one: the engine answers with `files`. search: part of a name, in all folders."""

    folder: str = ""
    search: str = ""


@dataclass(frozen=True)
class Complete(Request):
    """Complete the word before a position of the text; the engine answers with `completions`.

    line: text of the prompt, in which the position is meant instead.
    """

    position: int
    line: str | None = None


@dataclass(frozen=True)
class AskHelp(Request):
    """Ask for help on a name of the language; "" lists all."""

    name: str = ""


@dataclass(frozen=True)
class Try(Request):
    """Evaluate a line of the prompt after the script, without changing the script. The engine answers with `tried`.

    To keep the line, append it with an `edit`.
    """

    line: str


@dataclass(frozen=True)
class Show(Request):
    """Choose nodes whose motions are sent to this page; an empty list stands for the script's last motion.

    channels: curves of the first node that are sent with its motion. joints: for angle, speed and torque; all if empty.
    """

    nodes: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = ()
    joints: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check(Request):
    """Measure the plausibility of the shown motion; the engine answers with `findings`."""


@dataclass(frozen=True)
class Explain(Request):
    """Ask how the gaps in a node's motion were filled; the engine answers with `fills`."""

    node: str = ""


@dataclass(frozen=True)
class Variants(Request):
    """Solve a transition or fill in several ways; the engine answers with `job`, then one `variant` each."""

    node: str
    count: int = 4


@dataclass(frozen=True)
class Cuts(Request):
    """Ask for the distances of all pairs of frames of a transition; the engine answers with `cutmap`."""

    node: str


@dataclass(frozen=True)
class Drag(Request):
    """Move a hand, a foot or the hip at a time of the shown motion. The engine changes the text.

    point: see `welcome.points`. rev, gesture, done: as in `edit`. node: the call that fills the gap; "" finds it.
    """

    rev: int
    time: float
    point: str
    place: tuple[float, float, float]
    gesture: str = ""
    done: bool = False
    node: str = ""


@dataclass(frozen=True)
class Footprint(Request):
    """Move a foot's contact to a place on the floor, turn it, or add it. The engine changes the text.

    time: within the contact. x, z: m. heading: rad, None to leave it free. remove: take the target away again.
    """

    rev: int
    time: float
    foot: Literal["left_foot", "right_foot"]
    x: float
    z: float
    heading: float | None = None
    gesture: str = ""
    done: bool = False
    remove: bool = False
    node: str = ""


@dataclass(frozen=True)
class Compare(Request):
    """Send the motion of an earlier revision beside the present one; rev 0 ends the comparison."""

    rev: int


@dataclass(frozen=True)
class AskSkeleton(Request):
    """Ask which joints of a clip's skeleton play which role; the engine answers with `skeleton`."""

    path: str


@dataclass(frozen=True)
class RoleJoints:
    """The joints that play a role, from the bottom up; none where the skeleton has no such joint."""

    role: str
    joints: tuple[str, ...]


@dataclass(frozen=True)
class MapJoints(Request):
    """Say which joint of a clip's skeleton plays which role; the engine writes a map file beside the clip.

    The engine answers with `skeleton`, whose `map` is the file for `load(path, map=...)`. Roles that are not given are
    recognised.
    """

    path: str
    roles: tuple[RoleJoints, ...]


@dataclass(frozen=True)
class Upload(Request):
    """Write a file below the folder in parts; the engine answers each with `uploaded`.

    path: its suffix must be that of a clip, script, map or ground. size: bytes of the whole file. offset: bytes that
    earlier parts held. data: base64, at most `uploads.PART` bytes. The file appears when the last part has come. A name
    that is taken is replaced by the next free one, which `uploaded` has.
    """

    path: str
    size: int
    offset: int
    data: str


@dataclass(frozen=True)
class StartJob(Request):
    """Start long work in a process of its own; the engine answers with `job`.

    job: "library" (arguments: path of the library, then clips), "simulate" (path of a dance).
    """

    job: Literal["library", "simulate"]
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class CancelJob(Request):
    """Stop a job."""

    job: str


REQUESTS: dict[str, type[Request]] = {
    "hello": Hello,
    "edit": Edit,
    "commit": Commit,
    "revert": Revert,
    "undo": Undo,
    "redo": Redo,
    "open": Open,
    "save": Save,
    "list_texts": ListTexts,
    "open_text": OpenText,
    "new_text": NewText,
    "resolve": Resolve,
    "export": Export,
    "list": Listing,
    "complete": Complete,
    "help": AskHelp,
    "try": Try,
    "show": Show,
    "check": Check,
    "explain": Explain,
    "variants": Variants,
    "cuts": Cuts,
    "drag": Drag,
    "footprint": Footprint,
    "compare": Compare,
    "mapping": AskSkeleton,
    "map_joints": MapJoints,
    "upload": Upload,
    "start_job": StartJob,
    "cancel_job": CancelJob,
    "simulate": Simulate,
    "guide_simulation": GuideSimulation,
    "push": PushDancer,
    "keep_simulation": KeepSimulation,
}
"""Messages from a page by their kind."""
