"""Motions on their way to a page: whole at first, then only frames that the page does not have, and moves of others.

Frames are sent in the place and time of the functions that give them. An edit often moves all later frames on the floor
and in time. The page then keeps them, and takes the new moves alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from segue.body.figure import Poses
from segue.motion.motion import Motion
from segue.serve.completed import completed
from segue.serve.replies import MotionShown
from segue.serve.runs import Run, runs_of
from segue.view.character import smallest_three
from segue.view.web.contents import DrawnGround, ShownMotion, body, check_finite, drawn_ground

Role = Literal["shown", "ghost", "compare", "variant", "text", "rehearsed"]
Arrays = dict[str, npt.NDArray[Any]]
_REMEMBERED = 8
"""Motions of which a page keeps the frames. Times in ms, as in scripts, give frames of few phases, which come again."""


class DrawnMotion:
    """A motion as pages draw it; made once for all pages. mesh: show the mesh of its file."""

    def __init__(self, motion: Motion, label: str, mesh: bool = True) -> None:
        self.motion = completed(motion)
        self.label = label
        shown = ShownMotion(label, self.motion, motion.fills, mesh=mesh)
        self.ground: DrawnGround = drawn_ground(shown)
        self.body: dict[str, Any] = {**body(shown, self.ground), "frames": len(self.motion)}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of all frames, in order of time."""
        return tuple(runs_of(self.motion, self.ground.lift))

    @cached_property
    def moves(self) -> list[tuple[float, ...]]:
        """From which frame on each move holds, and the move."""
        found: list[tuple[float, ...]] = []
        for run in self.runs:
            if not found or found[-1][1:] != run.move:
                found.append((run.first, *run.move))
        return found


class SentMotions:
    """The motions that one page has, so that only changes are sent."""

    def __init__(self) -> None:
        self._sent: dict[tuple[Role, int], list[DrawnMotion]] = {}
        """The newest last."""

    def forget(self, role: Role | None = None) -> None:
        """Forget motions of a role, or all, so that the next message is whole."""
        self._sent = {} if role is None else {key: each for key, each in self._sent.items() if key[0] != role}

    def message(
        self, rev: int, node: str, role: Role, index: int, drawn: DrawnMotion, request: int = 0
    ) -> tuple[MotionShown, Arrays] | None:
        """Return the message that brings a page to a motion; None where nothing changed."""
        sent = self._sent.setdefault((role, index), [])
        before = sent[-1] if sent else None
        if before is drawn:
            return None
        changed: dict[str, Any] | None = drawn.body
        if before is not None:
            changed = {name: value for name, value in drawn.body.items() if before.body[name] != value} or None
        kept, new = _kept_and_new([each.runs for each in reversed(sent)], drawn.runs)
        arrays: Arrays = {}
        if new or before is None or not _as_before(before, drawn, kept):
            arrays = {**_encoded(new), **_table("kept", kept, 4, "<i4"), **_table("moves", drawn.moves, 5, "<f8")}
            sent.append(drawn)
            del sent[:-_REMEMBERED]
        else:
            sent[-1] = drawn
            if changed is None:
                return None
        motion = drawn.motion
        return MotionShown(rev, node, role, index, motion.start, motion.fps, changed, request=request), arrays


_Kept = tuple[int, int, int, int]
"""A first frame, a count, and where the frames are: how many motions before the newest, and the first frame there."""


def _as_before(before: DrawnMotion, after: DrawnMotion, kept: list[_Kept]) -> bool:
    """Return whether all frames stay where they are."""
    frames = before.body["frames"]
    same_times = before.motion.start == after.motion.start and frames == after.body["frames"]
    return same_times and kept == [(0, frames, 0, 0)] and before.moves == after.moves


@dataclass(frozen=True)
class _New:
    """Frames to send: of a run, the first of them in the motion, and their numbers in the time of the functions."""

    run: Run
    first: int
    begin: int
    count: int


def _kept_and_new(sent: Sequence[Sequence[Run]], after: Sequence[Run]) -> tuple[list[_Kept], list[_New]]:
    """Return frames that a page has, and those that it has not. sent: the runs of motions, the newest first."""
    known: dict[object, list[tuple[int, Run]]] = {}
    for age, runs in enumerate(sent):
        for run in runs:
            known.setdefault(run.key, []).append((age, run))
    kept: list[_Kept] = []
    new: list[_New] = []
    for run in after:
        alike = known.get(run.key, [])
        at, stop = run.begin, run.begin + run.count
        while at < stop:
            # of the motions that have the frame, the one that has most of those after it, and the newest of these
            there = [(each.stop, -age, each) for age, each in alike if each.begin <= at < each.stop]
            first = run.first + at - run.begin
            if there:
                end, age, best = max(there, key=lambda found: found[:2])
                count = min(end, stop) - at
                _append(kept, first, count, -age, best.first + at - best.begin)
            else:
                count = min([stop, *(each.begin for _, each in alike if each.begin > at)]) - at
                new.append(_New(run, first, at, count))
            at += count
    return kept, new


def _append(kept: list[_Kept], first: int, count: int, age: int, source: int) -> None:
    """Append frames that are kept, to the last ones if they follow these."""
    if kept:
        to, length, before, origin = kept[-1]
        if to + length == first and before == age and origin + length == source:
            kept[-1] = to, length + count, age, origin
            return
    kept.append((first, count, age, source))


def _encoded(new: Sequence[_New]) -> Arrays:
    """Return frames as arrays: see `MotionShown`."""
    parts = [each.run.poses(each.begin, each.count) for each in new]
    for each, poses in zip(new, parts, strict=True):
        check_finite(poses, each.first)
    spans: list[tuple[int, int]] = []
    for each in new:
        if spans and sum(spans[-1]) == each.first:
            spans[-1] = spans[-1][0], spans[-1][1] + each.count
        else:
            spans.append((each.first, each.count))
    parts.append(Poses.zero(0))  # if there is nothing to send
    return {
        **_table("spans", spans, 2, "<i4"),
        "root": np.concatenate([each.root for each in parts]).astype("<f4"),
        "balls": smallest_three(np.concatenate([each.balls for each in parts])),
        "hinges": np.concatenate([each.hinges for each in parts]).astype("<f4"),
    }


def _table(name: str, rows: Sequence[tuple[float, ...]], width: int, dtype: str) -> Arrays:
    return {name: np.array(rows, dtype=dtype).reshape(-1, width)}
