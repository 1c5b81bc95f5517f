"""Frames set aside before the motion: every CMU file has some, and no piece of any captured clip has."""

from __future__ import annotations

import numpy as np
from tests.mocap import MOCAP, MOCAP_MORE

from benchmarks import Row
from segue import io
from segue.body.roles import Roles, find_roles
from segue.motion.clip import Clip
from segue.motion.recognise import added_frames
from segue.motion.resample import select_frames

PIECES = 6000
LENGTHS = (4, 5, 6, 8, 12, 30, 60, 120, 240)


def main() -> list[Row]:
    """Look at all first frames, then at pieces cut at random, of which some frames are left out for lower rates."""
    rows = []
    for name, folders, steps in (
        ("CMU", (MOCAP / "cmu", MOCAP_MORE), (1, 2, 4, 5, 10)),
        ("LAFAN1", (MOCAP / "lafan1",), (1, 2, 3)),
    ):
        files = [path for folder in folders for path in sorted(folder.glob("*.bvh"))]
        known = [(clip, find_roles(clip.skeleton)) for clip in map(io.read, files)]
        found = [added_frames(clip, roles) for clip, roles in known]
        counts = ", ".join(f"{count} in {found.count(count)}" for count in sorted(set(found)))
        rows.append(Row(f"{name}: frames set aside", f"{counts} of {len(files)} files"))
        motions = [
            (select_frames(clip, added, len(clip)), roles) for (clip, roles), added in zip(known, found, strict=True)
        ]
        for step in steps:
            wrong = _wrong(motions, step) if motions else 0
            rows.append(Row(f"  pieces, every {step}. frame", f"{wrong} of {PIECES} have any"))
    return rows


def _wrong(motions: list[tuple[Clip, Roles]], step: int) -> int:
    """Return of how many pieces the first frames are set aside."""
    rng = np.random.default_rng(step)
    wrong = 0
    for _ in range(PIECES):
        clip, roles = motions[rng.integers(len(motions))]
        count = min(int(rng.choice(LENGTHS)), (len(clip) - 1) // step + 1)
        first = int(rng.integers(len(clip) - (count - 1) * step))
        kept = slice(first, first + (count - 1) * step + 1, step)
        piece = Clip.from_arrays(
            clip.skeleton, clip.positions[kept].copy(), clip.rotations[kept].copy(), clip.fps / step
        )
        wrong += added_frames(piece, roles) > 0
    return wrong
