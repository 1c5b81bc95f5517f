"""Calls for ballroom dance: the names of patterns, and dances on the skeletons of one program's armatures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from segue.errors import ArgumentError
from segue.motion.functions import Placement
from segue.motion.motion import Motion
from segue.motion.retarget import frames_at
from segue.serve.array_clips import Answer, ClipShape, GivenClip, frames_of

if TYPE_CHECKING:
    from segue.serve.calls import Running


@dataclass(frozen=True)
class Patterns:
    """List the patterns."""


@dataclass(frozen=True)
class Dance:
    """Dance a pattern from where the first clip's first frame stands and faces.

    clips: of the dancer, or of leader and follower; any frames of their skeletons, such as the rest pose. tempo: bars a
    minute or "120bpm", "" for the pattern's own. fps: of the frames that are returned.
    """

    clips: tuple[ClipShape, ...]
    pattern: str
    fps: float
    part: Literal["leader", "follower"] = "leader"
    tempo: str = ""
    repeat: int = 1
    simulate: bool = False


def patterns(asked: Patterns, run: Running) -> Answer:
    """Return the titles of all patterns, such as "waltz/box step"."""
    from segue.dance.patterns import DanceLibrary

    return {"patterns": sorted({f"{each.dance}/{each.name}" for each in DanceLibrary().entries()})}, {}


def dance(asked: Dance, run: Running) -> Answer:
    """Return frames for one or two skeletons, with when a simulated dancer fell, in s."""
    from segue import dance as dances

    if not 1 <= len(asked.clips) <= 2:
        raise ArgumentError(f"{len(asked.clips)} dancers are given: a dance takes one, or two as a couple")
    given = [run.clip(asked.clips, number) for number in range(len(asked.clips))]
    tempo = asked.tempo or None
    figures = [each.motion.figure for each in given]
    falls: dict[str, float] = {}
    motions: Mapping[str, Motion]
    if len(given) == 2:
        both = dances.preview_couple(
            asked.pattern, leader=figures[0], follower=figures[1], tempo=tempo, repeat=asked.repeat
        )
        motions = both.motions
        if asked.simulate:
            simulated = dances.simulate_couple(both, progress=run.progress)
            motions = simulated.motions
            falls = {part: each.fall.time for part, each in simulated.parts.items() if each.fall is not None}
    elif asked.simulate:
        plan = dances.plan(asked.pattern, figures[0], part=asked.part, tempo=tempo, repeat=asked.repeat)
        alone = dances.simulate(plan, progress=run.progress)
        motions = {asked.part: alone.motion}
        falls = {} if alone.fall is None else {asked.part: alone.fall.time}
    else:
        made = dances.preview(asked.pattern, figure=figures[0], part=asked.part, tempo=tempo, repeat=asked.repeat)
        motions = {asked.part: made}
    placement = _placement(given[0], next(iter(motions.values())))
    arrays: dict[str, Any] = {}
    for number, (own, motion) in enumerate(zip(given, motions.values(), strict=True)):
        placed = Motion(motion.tracks.changed(lambda part: part.placed(placement)), own.motion.source)
        count = int((motion.stop - motion.start) * asked.fps + 1e-6) + 1
        arrays |= frames_of(frames_at(placed, motion.start + np.arange(count) / asked.fps, asked.fps), number)
    return {"falls": falls, "parts": list(motions)}, arrays


def _placement(given: GivenClip, motion: Motion) -> Placement:
    """Return the move that brings the start of a dance to where a clip begins, facing as it does, on its floor."""
    here = given.motion.at([given.motion.start])
    there = motion.at([motion.start])
    turn = _heading(here.ball("root")[0]) - _heading(there.ball("root")[0])
    moved = Placement(turn).moved(there.root[0])
    return Placement(turn, float(here.root[0, 0] - moved[0]), float(here.root[0, 2] - moved[2]))


def _heading(rotation: Any) -> float:
    from segue.curves import quaternion

    forward = quaternion.rotate(rotation, np.array([0.0, 0.0, 1.0]))
    return float(np.arctan2(forward[0], forward[2]))
