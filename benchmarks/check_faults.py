"""`segue check` on captured clips: how many pass, and how many faults of known size it finds in those that do."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import numpy as np
from tests.mocap import MOCAP, MOCAP_MORE

import segue as sg
from benchmarks import Row
from benchmarks._check_faults import FAULTS, slerp_blend
from segue.motion.motion import Motion
from segue.motion.resample import select_frames
from segue.plausibility import Observed, Report, examine, observe

SETS = {"CMU": MOCAP / "cmu", "LAFAN1": MOCAP / "lafan1"}
OTHERS = {"other CMU": MOCAP_MORE}
TRIALS = 40
_EXCERPT = 6.0  # s
_EXCERPTS = {"CMU": 3, "LAFAN1": 6}  # of each clip
_BLEND = "slerp blend of 0.6 s"
NAMED_FAULTS = {
    "dance_pirouette_05_11": "a shoulder turns 62 degrees beyond its limit",
    "jump_distance_143_05": "plays at twice its speed: the jumper falls at 44 m/s^2",
    "salsa_60_01": "an ankle turns 126 degrees beyond its limit, and flips",
    "soccer_kick_10_01": "an arm flips in one frame",
    "pushAndFall1_subject4": "a hand flips in one frame",
}
"""Clips of the two sets that have a fault in the file, and the fault. They do not count as clean."""


class Excerpt:
    """A few seconds of a captured clip, and what is observed of them."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion

    @cached_property
    def seen(self) -> Observed:
        """The action that the excerpt shows."""
        return observe(self.motion)

    @cached_property
    def passes(self) -> bool:
        """Whether no fault is found in it."""
        return not examine(self.seen).faults


def excerpts(folder: Path, each: int, rng: np.random.Generator) -> list[Excerpt]:
    """Return excerpts of every clip of a folder, in random order."""
    found = []
    for file in sorted(folder.glob("*.bvh")):
        clip = sg.load(file).to_clip()
        length = round(_EXCERPT * clip.fps)
        for _ in range(each if len(clip) > length else 1):
            first = int(rng.integers(0, max(len(clip) - length, 0) + 1))
            part = select_frames(clip, first, min(first + length, len(clip)) - 1)
            found.append(Excerpt(Motion.from_clip(part)))
    return [found[k] for k in rng.permutation(len(found))]


def trials(pool: list[Excerpt], fault: str, count: int, rng: np.random.Generator) -> Iterator[tuple[Report, Report]]:
    """Yield reports on clips with a fault, without and with their sources, as often as asked or there are places."""
    done = 0
    for k in range(40 * count):
        if done == count:
            return
        one, two = pool[k % len(pool)], pool[int(rng.integers(len(pool)))]
        if not (one.passes and two.passes):
            continue
        if fault == _BLEND:
            made, sources = slerp_blend(one.motion, two.motion, rng)[0], [one.seen, two.seen]
        else:
            changed = FAULTS[fault](one.motion, one.seen, rng)
            if changed is None:
                continue
            made, sources = changed, [one.seen]
        seen = observe(Motion.from_clip(made))
        done += 1
        yield examine(seen), examine(seen, sources=sources)


def pass_rates() -> Iterator[Row]:
    """Yield how many clips have no fault: of all, and of those without a fault in the file that can be named."""
    for name, folder in (SETS | OTHERS).items():
        failed = {file.stem: sg.check(sg.load(file)).problems() for file in sorted(folder.glob("*.bvh"))}
        clean = {stem: problems for stem, problems in failed.items() if stem not in NAMED_FAULTS}
        passed = sum(not problems for problems in clean.values())
        everything = sum(not problems for problems in failed.values())
        share = passed / len(clean) if name in SETS else None
        figure = f"{passed} of {len(clean)} clean clips, {everything} of all {len(failed)}"
        yield Row(f"{name}: clips that pass", figure, share, 0.95 if name in SETS else None)
        for stem, problems in failed.items():
            if problems:
                names = ", ".join(problem.partition(":")[0] for problem in problems)
                yield Row(f"  {stem}", f"{names}. {NAMED_FAULTS.get(stem, '')}".strip())


def main(count: int = TRIALS) -> list[Row]:
    """Return pass rates, and for each fault the shares found without and with the source as a baseline."""
    warnings.simplefilter("ignore")
    if not all(folder.is_dir() for folder in SETS.values()):
        return [Row("captured clips", f"not found in {MOCAP}")]
    rows = list(pass_rates())
    for name, folder in SETS.items():
        rng = np.random.default_rng(0)
        pool = excerpts(folder, _EXCERPTS[name], rng)
        for fault in (*FAULTS, _BLEND):
            found = np.array([[bool(r.faults) for r in pair] for pair in trials(pool, fault, count, rng)]).reshape(
                -1, 2
            )
            if not len(found):
                rows.append(Row(f"{name}: {fault}", "no place for it"))
                continue
            alone, compared = found.mean(axis=0)
            target = None if fault == "20 % too fast" else 0.8
            rows.append(Row(f"{name}: {fault}", f"{found[:, 0].sum()} of {len(found)} found", alone, target))
            rows.append(Row("  with its source", f"{found[:, 1].sum()} of {len(found)} found", compared, 0.95))
    return rows
