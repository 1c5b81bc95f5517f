"""Cycles of every walk and run at hand: seam, feet, way, distance from the clip, and how long it takes."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from tests.mocap import MOCAP

from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue import clips, io
from segue.curves import quaternion
from segue.cycle import BareCycle, Cycle, find_loops, loop_of, make_loop, repeat
from segue.cycle.search import verdict
from segue.cycle.travel import headings
from segue.errors import SegueWarning
from segue.motion import operators
from segue.motion.motion import Motion
from segue.plausibility import observe
from segue.plausibility.slide import foot_slide

WALKS = ("walk_07_01", "walk_69_02", "walk_brisk_07_12", "run_09_01", "jog_16_35", "walk4_subject1")
OTHERS = ("walk_turn_left_16_27", "walk_backward_69_34")
DANCES = ("salsa_60_01", "charleston_93_03")
COUNT = 20
MOST_SLIDE = 0.5  # cm
MOST_DISTANCE = 1.5  # cm
MOST_DRIFT = 2.0  # degrees
MOST_SECONDS = 0.3
TIMED = 10.0  # s of motion at 120 Hz


def main() -> list[Row]:
    """Measure on one thread; ratios are what is allowed over what was measured."""
    return on_one_thread(_measure)


def _measure() -> list[Row]:
    warnings.simplefilter("ignore", SegueWarning)
    rows: list[Row] = []
    for name in (*WALKS, "clips.walk", "clips.run"):
        rows += _cycle(name, strict=True)
    for name in (*OTHERS, *DANCES):
        rows += _cycle(name, strict=False)
    return [*rows, *_seconds()]


def _cycle(name: str, *, strict: bool) -> list[Row]:
    motion = _motion(name)
    if motion is None:
        return []
    cycle = make_loop(motion)
    made, long = loop_of(cycle), repeat(cycle, COUNT)
    seen = observe(long)
    planted = foot_slide(seen.times, seen.soles, seen.bearing, np.ones(len(seen), dtype=bool))
    distance = 100.0 * _distance(motion, cycle)
    facing = headings(long.sample("root", np.arange(4 * COUNT + 1) * 0.25 * made.period).value)
    drift = abs(float(np.degrees(facing[-1] - facing[0])))
    jumps = _jumps(made)
    lowest = -100.0 * min(seen.ground.above(track).min() for track in seen.soles.values())
    return [
        Row(
            name,
            f"{COUNT} times, {len(planted.planted)} stands, slide {100 * planted.largest:.2f} cm",
            MOST_SLIDE / max(100 * planted.largest, 1e-9),
            1.0 if strict else None,
        ),
        Row(f"  {verdict(made.seam.score)} cycle", f"{made.period:.3f} s, ends differ by {made.seam.score:.0%}"),
        Row("  distance from the clip", f"{distance:.2f} cm", MOST_DISTANCE / distance, 1.0 if strict else None),
        Row("  jump at the seam", f"value {jumps[0]:.0e}, velocity {jumps[1]:.0e}, acceleration {jumps[2]:.0e}"),
        Row("  below the floor at most", f"{max(lowest, 0.0):.2f} cm"),
        Row("  turned in all", f"{drift:.1e} degrees", MOST_DRIFT / max(drift, 1e-9), 1.0)
        if made.travel.turn == 0.0
        else Row("  turned in all", f"{drift:.0f} degrees: the clip turns"),
    ]


def _motion(name: str) -> Motion | None:
    if name.startswith("clips."):
        return clips.motion(name.removeprefix("clips."))
    files = sorted(MOCAP.glob(f"*/{name}*.bvh"))
    return Motion.from_clip(io.read(files[0])) if files else None


def _distance(motion: Motion, cycle: Motion) -> float:
    """Return how far joints of the user's skeleton are from the clip on average over the cycle, in m."""
    made = loop_of(cycle)
    assert isinstance(made, Cycle)
    seam, space = made.seam, motion.clip_source.space
    clip = motion.to_clip(start=seam.start, stop=seam.stop)
    times = motion.times[(motion.times >= seam.start - 1e-9) & (motion.times <= seam.stop + 1e-9)] - seam.start
    local = made.retargeter.to_skeleton(made.state(times).poses, made.residual_at(times))
    apart = space.to_metres(made.skeleton.forward(*local)[0]) - space.to_metres(clip.world[0])
    return float(np.linalg.norm(apart, axis=2).mean())


def _jumps(made: BareCycle) -> list[float]:
    """Return what value, velocity and acceleration jump by at the seam: what is left as the moment about it shrinks."""
    found = []
    for order in range(3):
        steps = []
        for moment in (1e-6, 2e-6):
            before, after = (made.state(np.array([made.period + side])) for side in (-moment, moment))
            if order == 0:
                turned = quaternion.angle_between(before.balls.value, after.balls.value)
                parts = [turned, before.root.value - after.root.value, before.hinges.value - after.hinges.value]
            else:
                parts = [a[order] - b[order] for a, b in zip(before, after, strict=True)]
            steps.append(np.concatenate([part.ravel() for part in parts]))
        found.append(float(np.abs(2.0 * steps[0] - steps[1]).max()))
    return found


def _seconds() -> list[Row]:
    """Time ten seconds of a captured walk at 120 Hz, in which the best cycle lasts four, against reading its file."""
    files = sorted(MOCAP.glob("*/walk_backward_69_34*.bvh"))
    if not files:
        return []
    whole = Motion.from_clip(io.read(files[0]))
    whole.fit()
    motion = operators.trim(whole, 0.0, TIMED)
    works: dict[str, Callable[[], object]] = {
        "reading": lambda: io.read(files[0]),
        "make_loop": lambda: make_loop(motion),
        "find_loops": lambda: find_loops(motion),
    }
    best = dict.fromkeys(works, float("inf"))
    for work in works.values():
        work()
    for _ in range(7):
        for name, work in works.items():
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    reading = best["reading"] * TIMED / whole.duration
    return [
        Row(
            f"make_loop of {TIMED:g} s at 120 Hz, one thread",
            f"{best['make_loop']:.3f} s, {best['make_loop'] / reading:.2g} times reading its file",
            MOST_SECONDS / best["make_loop"],
            1.0,
        ),
        Row(f"find_loops of {TIMED:g} s at 120 Hz", f"{best['find_loops']:.3f} s"),
    ]
