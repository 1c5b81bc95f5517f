"""A whole transition, from two loaded motions to frames on the user's skeleton: where the time goes, and on two cores.

Limits, supports and the foot term are on. Times are wall times of one thread; the frames are those of the transition.
The peers in the same run: slerp of the same frames in NumPy, as a game engine's blend would do, and the same
transitions on all cores at once.
"""

from __future__ import annotations

import cProfile
import os
import time
import warnings

import numpy as np

import segue as sg
from benchmarks import Row
from benchmarks.plausible import _CONTEXT, _excerpts
from segue.curves import quaternion
from segue.filling import Options
from segue.filling.cutting import cuts_between
from segue.motion.clip import Clip

TRANSITIONS = 200
DURATION = 0.6
ROUNDS = 3
PROFILED = 40
MEDIAN, SLOW = 2.0, 4.0  # ms
CORES = 1.8


def main() -> list[Row]:
    """Time transitions at random places of real clips."""
    rng = np.random.default_rng(1996)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        motions = list(_excerpts(rng))
        for motion in motions:
            motion.clip_source.prepare()
        joins = [_random_join(rng, motions) for _ in range(TRANSITIONS)]
        for join in joins[:20]:
            _frames(_made(join), join)
        return [*_split(joins), _search(joins), _calls(joins[:PROFILED]), *_cores(joins)]


def _random_join(rng: np.random.Generator, motions: list[sg.Motion]) -> sg.Join:
    first, second = (motions[i] for i in rng.integers(len(motions), size=2))
    leave = float(rng.uniform(_CONTEXT, first.stop - _CONTEXT))
    enter = float(rng.uniform(_CONTEXT, second.stop - _CONTEXT))
    return sg.Join(first, second, DURATION, leave, enter)


def _made(join: sg.Join) -> sg.Motion:
    return sg.transition(join.first, join.second, join.duration, leave=join.leave, enter=join.enter)


def _frames(motion: sg.Motion, join: sg.Join) -> Clip:
    assert isinstance(join.leave, float)
    return motion.to_clip(start=join.leave, stop=join.leave + DURATION)


def _slerp(before: Clip, after: Clip, count: int) -> object:
    u = np.linspace(0.0, 1.0, count)
    root = before.positions[-1, 0] + u[:, None] * (after.positions[0, 0] - before.positions[-1, 0])
    return root, quaternion.slerp(before.rotations[-1], after.rotations[0], u[:, None])


def _split(joins: list[sg.Join]) -> list[Row]:
    calls, prepared, solved, dressed, blends = [], [], [], [], []
    for join in joins:
        start = time.perf_counter()
        motion = _made(join)
        middle = time.perf_counter()
        clip = _frames(motion, join)
        done = time.perf_counter()
        _slerp(join.first.clip_source.clip, clip, len(clip))
        blends.append(time.perf_counter() - done)
        report = motion.fills[0]
        calls.append(done - start)
        prepared.append(middle - start - report.seconds[1])
        solved.append(report.seconds[1])
        dressed.append(done - middle)
    ms = 1e3 * np.array([calls, prepared, solved, dressed, blends])
    median, slow = float(np.median(ms[0])), float(np.quantile(ms[0], 0.95))
    parts = ", ".join(
        f"{name} {np.median(part):.2f} ms"
        for name, part in zip(("prepare and join", "solve", "dress"), ms[1:4], strict=True)
    )
    return [
        Row("whole call, median", f"{median:.2f} ms", MEDIAN / median, 1.0),
        Row("whole call, 95th percentile", f"{slow:.2f} ms", SLOW / slow, 1.0),
        Row("the split, medians", parts),
        Row("slerp of the same frames", f"{np.median(ms[4]):.3f} ms", float(np.median(ms[4])) / median),
    ]


def _search(joins: list[sg.Join]) -> Row:
    """Time the search of a second of each motion, which comes before a transition whose times are not given."""
    searched, joined = [], []
    for join in joins:
        start = time.thread_time()
        cut = cuts_between(join.first, join.second, DURATION, None, None, "free", Options())[0]
        middle = time.thread_time()
        sg.transition(join.first, join.second, DURATION, leave=cut.leave, enter=cut.enter)
        joined.append(time.thread_time() - middle)
        searched.append(middle - start)
    search, rest = (1e3 * float(np.median(each)) for each in (searched, joined))
    figure = f"{search:.2f} ms of a core; the transition that follows takes {rest:.2f} ms"
    return Row("search for cut points near the ends, median", figure, rest / search, 1.0)


def _calls(joins: list[sg.Join]) -> Row:
    """Count what the interpreter does for a transition: unlike time, it is the same on every machine, busy or not."""
    with cProfile.Profile() as profile:
        for join in joins:
            _frames(_made(join), join)
    calls = sum(entry.callcount for entry in profile.getstats()) / len(joins)
    return Row("Python's function calls for one", f"{calls:.0f}")


def _cores(joins: list[sg.Join]) -> list[Row]:
    count = os.cpu_count() or 1
    best = {1: np.inf, count: np.inf}
    made: dict[int, list[sg.Motion]] = {}
    for _ in range(ROUNDS):
        for each in best:
            start = time.perf_counter()
            made[each] = sg.transitions(joins, threads=each)
            best[each] = min(best[each], time.perf_counter() - start)
    clips = [[_frames(motion, join) for motion, join in zip(made[each], joins, strict=True)] for each in best]
    same = all(a.rotations.tobytes() == b.rotations.tobytes() for a, b in zip(clips[0], clips[-1], strict=True))
    ratio = best[1] / best[count]
    return [
        Row(f"{len(joins)} transitions, {count} cores against one", f"{ratio:.2f} times as fast", ratio, CORES),
        Row("the same bytes with one core and with all", "yes" if same else "no", float(same), 1.0),
    ]


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure} {row.verdict}")
