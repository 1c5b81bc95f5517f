"""Messages on a streamed simulation, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from segue.serve.message import Reply, Request
from segue.serve.shapes import ArrayShape, PushMark


@dataclass(frozen=True)
class Simulate(Request):
    """Simulate a dance in a process of its own; it streams `frames`, and `simulation` tells its state.

    pattern: a title of the library, or a pattern file below the folder. tempo: bars a minute or "120bpm", "" for the
    pattern's own. mass: kg, 0 for the usual one. `welcome.simulation` describes the settings.
    """

    pattern: str
    part: Literal["leader", "follower", "couple"] = "leader"
    tempo: str = ""
    repeat: int = 1
    stature: float = 1.75
    mass: float = 0.0
    mode: Literal["torque", "assisted", "classic"] = "torque"
    friction: float = 0.6
    gravity: float = 9.80665


@dataclass(frozen=True)
class GuideSimulation(Request):
    """Guide the simulation.

    "branch": go back to a time and go on from there, without later pushes. "seen": the page has taken all frames up to
    a time; the simulation runs at most some seconds ahead of them. "again": send all frames again. "stop": end it.
    """

    action: Literal["pause", "resume", "branch", "seen", "again", "stop"]
    time: float = 0.0


@dataclass(frozen=True)
class PushDancer(Request):
    """Push a simulated dancer at a simulated time; a time in the past goes back to it first.

    point: the segment that is pushed. force: N, in the world. lasting: s.
    """

    time: float
    point: str
    force: tuple[float, float, float]
    lasting: float = 0.1
    part: Literal["leader", "follower"] = "leader"


@dataclass(frozen=True)
class KeepSimulation(Request):
    """Write the simulated motion to a file below the folder; of a couple, one file for each part."""

    path: str


@dataclass(frozen=True)
class SimulationState(Reply):
    """The simulation. time: simulated so far, stop: of the whole dance, s.

    parts, contacts: of a couple and its hold, else empty. pushes: that it has felt or will feel. branch: grows with
    each step back; frames of earlier branches are void.
    """

    state: Literal["none", "preparing", "running", "paused", "done", "failed"]
    time: float
    stop: float
    parts: tuple[str, ...]
    pushes: tuple[PushMark, ...]
    branch: int
    sentence: str = ""
    contacts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SimulatedFrames(Reply):
    """Frames of a simulated dancer; later frames of earlier messages are void.

    index: of the dancer. body: as in `motion`, with the first frame only. Arrays: root, balls, hinges as in `motion`;
    ends (count, A, 2, 3) f4, lines of forces in m; loads (count, 2) f4, N on the left and right foot; energy (count)
    f4, J; balance (count, 5) f4, m, the centre of mass, then x and z of the centre of pressure; hold (count, C) f4, N
    of each contact, for the first dancer of a couple.
    """

    branch: int
    index: int
    first: int
    count: int
    fps: float
    hinges: dict[str, list[float]]
    body: dict[str, Any] | None
    arrays: tuple[ArrayShape, ...] = ()
