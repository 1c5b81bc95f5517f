"""Motions on their way to a page: whole at first, then only what changed."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from segue.body.figure import Poses
from segue.motion.motion import Motion
from segue.serve.completed import completed
from segue.serve.replies import MotionShown
from segue.view.web.contents import DrawnGround, ShownMotion, body, drawn_ground, encode

Role = Literal["shown", "ghost", "compare", "variant", "text", "rehearsed"]
Arrays = dict[str, npt.NDArray[Any]]


class DrawnMotion:
    """A motion as pages draw it; made once for all pages. mesh: show the mesh of its file."""

    def __init__(self, motion: Motion, label: str, mesh: bool = True) -> None:
        self.motion = completed(motion)
        self.label = label
        shown = ShownMotion(label, self.motion, motion.fills, mesh=mesh)
        self.ground: DrawnGround = drawn_ground(shown)
        self.poses: Poses = self.ground.lifted(self.motion.poses)
        self.body: dict[str, Any] = {**body(shown, self.ground), "frames": len(self.poses)}


class SentMotions:
    """The motions that one page has, so that only changes are sent."""

    def __init__(self) -> None:
        self._sent: dict[tuple[Role, int], DrawnMotion] = {}

    def forget(self, role: Role | None = None) -> None:
        """Forget motions of a role, or all, so that the next message is whole."""
        self._sent = {} if role is None else {key: each for key, each in self._sent.items() if key[0] != role}

    def message(
        self, rev: int, node: str, role: Role, index: int, drawn: DrawnMotion, request: int = 0
    ) -> tuple[MotionShown, Arrays] | None:
        """Return the message that brings a page to a motion; None where nothing changed."""
        before = self._sent.get((role, index))
        self._sent[role, index] = drawn
        if before is drawn:
            return None
        first, last = 0, len(drawn.poses)
        changed: dict[str, Any] | None = drawn.body
        if before is not None:
            changed = {name: value for name, value in drawn.body.items() if before.body[name] != value} or None
            first, last = _changed(before.poses, drawn.poses)
            if first >= last and changed is None:
                return None
        part = encode(drawn.poses[first:last]) if last > first else None
        hinges = {"lows": list(part.lows), "steps": list(part.steps)} if part else {"lows": [], "steps": []}
        motion = drawn.motion
        message = MotionShown(
            rev, node, role, index, first, last - first, motion.start, motion.fps, hinges, changed, request=request
        )
        arrays: Arrays = {} if part is None else {"root": part.root, "balls": part.balls, "hinges": part.hinges}
        return message, arrays


def _changed(before: Poses, after: Poses) -> tuple[int, int]:
    """Return the first frame that differs and the last plus one; up to the end where the length differs."""
    common = min(len(before), len(after))
    same = np.ones(common, dtype=bool)
    for old, new in ((before.root, after.root), (before.balls, after.balls), (before.hinges, after.hinges)):
        same &= (old[:common] == new[:common]).reshape(common, -1).all(axis=1)
    different = np.flatnonzero(~same)
    first = int(different[0]) if len(different) else common
    if len(before) != len(after):
        return first, len(after)
    return first, int(different[-1]) + 1 if len(different) else first
