"""Random transitions between random places of random clips: how many are as plausible as people's own motion.

Half of them are free, so that the second motion goes where the first takes it; half are pinned, the second motion
placed beforehand about where both velocities lead. Each is examined from just before it to just after it, and so is
as long a piece of captured motion, by the same measures and thresholds.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import segue as sg
from benchmarks import Row
from segue import clips, io
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.motion.resample import select_frames
from segue.motion.take import understand
from segue.plausibility import Check, plausibility

MOCAP = Path(__file__).parents[2] / "shared" / "mocap"
TRANSITIONS = 300
EXCERPTS = 48
MODES = ("free", "pinned")
SHORTEST, LONGEST = 0.2, 1.0  # s
_EXCERPT = 3.0  # s
_CONTEXT = 0.6  # s of motion that is left before and after a transition
_MARGIN = 0.1  # s before and after a transition that are examined with it
_FORWARD = np.array([0.0, 0.0, 1.0])


@dataclass
class Tally:
    """What came of some transitions, or of captured motion."""

    tried: int = 0
    sound: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    values: dict[str, list[float]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def count(self, checks: list[Check]) -> None:
        """Count one motion by its checks."""
        self.tried += 1
        self.sound += all(check.passed for check in checks)
        for check in checks:
            self.failed[check.name] += not check.passed
            self.values.setdefault(f"{check.name}, {check.unit}", []).append(check.value)


def main() -> list[Row]:
    """Make and examine the transitions."""
    if not hasattr(sg, "transition"):
        return [Row("transitions", "skipped: this version has none")]
    rng = np.random.default_rng(1996)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        excerpts = list(_excerpts(rng))
        tallies = {name: Tally() for name in (*MODES, "captured")}
        for k in range(TRANSITIONS):
            first, second = (excerpts[i] for i in rng.integers(len(excerpts), size=2))
            duration = float(rng.uniform(SHORTEST, LONGEST))
            leave = float(rng.uniform(_CONTEXT, first.stop - _CONTEXT - duration))
            enter = float(rng.uniform(_CONTEXT, second.stop - _CONTEXT))
            _try_transition(tallies[MODES[k % 2]], MODES[k % 2], first, second, duration, leave, enter)
            _examine(tallies["captured"], first, leave, duration)
    return [row for name, tally in tallies.items() for row in _report(name, tally)]


def _excerpts(rng: np.random.Generator) -> Iterator[sg.Motion]:
    """Yield motions of three seconds from random places of real clips, or built-in clips where those are absent."""
    files = sorted(MOCAP.glob("*/*.bvh"))
    known = {}
    found = 0
    while found < EXCERPTS:
        pick, at = int(rng.integers(len(files) or len(clips.NAMES))), float(rng.uniform())
        if pick not in known:
            known[pick] = understand(io.read(files[pick]) if files else clips.clip(clips.NAMES[pick]))
        take = known[pick]
        if take.duration > 2 * _CONTEXT + LONGEST:
            seconds = min(_EXCERPT, take.duration)
            first = int(at * (take.duration - seconds) * take.fps)
            part = select_frames(take.clip, first, first + int(seconds * take.fps) + 1)
            motion = sg.Motion.from_clip(part, scale=take.space.scale, up=take.space.up)
            motion.fit()
            yield motion
            found += 1


def _try_transition(
    tally: Tally, mode: str, first: sg.Motion, second: sg.Motion, duration: float, leave: float, enter: float
) -> None:
    try:
        if mode == "pinned":
            second, enter = _placed(first, second, duration, leave, enter)
        start = time.perf_counter()
        joined = sg.transition(first, second, duration=duration, start=leave, to=enter, mode=mode)
        tally.seconds.append(time.perf_counter() - start)
        _examine(tally, joined, leave, duration)
    except sg.SegueError as error:
        tally.tried += 1
        tally.refused.append(str(error))


def _examine(tally: Tally, motion: sg.Motion, leave: float, duration: float) -> None:
    tally.count(plausibility(motion, start=leave - _MARGIN, stop=leave + duration + _MARGIN).checks())


def _placed(
    first: sg.Motion, second: sg.Motion, duration: float, leave: float, enter: float
) -> tuple[sg.Motion, float]:
    """Return the second motion from where it is entered, facing as the first does, put where both velocities lead."""
    rest = sg.clip(second, enter, second.stop)
    where, speed, heading = _root(first, leave)
    _, other_speed, other_heading = _root(rest, rest.start)
    turn = quaternion.exp(np.array([0.0, heading - other_heading, 0.0]))
    there = where + 0.5 * duration * (speed + quaternion.rotate(turn, other_speed))
    return sg.place(rest, at=(float(there[0]), float(there[2])), heading=heading), rest.start


def _root(motion: sg.Motion, at: float) -> tuple[Array, Array, float]:
    """Return the root's position and velocity, and the way it faces in radians from +Z towards +X."""
    position, velocity, _ = motion.sample("root_position", at)
    forward = quaternion.rotate(motion.sample("root", at).value[0], _FORWARD)
    return position[0], velocity[0], float(np.arctan2(forward[0], forward[2]))


def _report(name: str, tally: Tally) -> list[Row]:
    share = tally.sound / tally.tried
    rows = [Row(f"{name}: {tally.tried} pieces", f"{100 * share:.0f} % pass every check")]
    if tally.seconds:
        rows.append(Row(f"{name}: one transition", f"median {1e3 * np.median(tally.seconds):.1f} ms"))
    if tally.refused:
        rows.append(Row(f"{name}: refused", f"{len(tally.refused)}, such as: {tally.refused[0]}"))
    for measure, values in tally.values.items():
        check = measure.partition(",")[0]
        figure = (
            f"{tally.failed[check]} fail; median {np.median(values):.3g}, 95 % below {np.quantile(values, 0.95):.3g}"
        )
        rows.append(Row(f"{name}: {measure}", figure))
    return rows


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure}")
