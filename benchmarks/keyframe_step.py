"""A run and a jump onto a step, from keyframes: feet out of the step, joints within limits, in less than 2 s.

The scene is that of section 5 and figures 11 and 12 in Ramamoorthi, Ball and Barr; `examples/13_step.toml` has it. The
time is the processor's, on one core, of the fastest of three runs after one that compiles: what else the machine does
counts as little as it can.
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue.body.figure import Poses
from segue.cli.source import load_motion
from segue.keyframe import inbetween_report
from segue.keyframe.file import KeyframeFile, read_keyframes
from segue.motion.motion import Motion
from segue.spacetime.terms.body import FOOT_POINTS

SCENE = Path(__file__).parents[1] / "examples" / "13_step.toml"
SECONDS = 2.0
DEEPEST = 0.005  # m
RUNS = 3


def main() -> list[Row]:
    """Measure the scene before and after improvement."""
    return on_one_thread(measure)


def measure() -> list[Row]:
    """Return the report; in this process, whatever its threads."""
    given = read_keyframes(SCENE, cache(load_motion))
    plain, improved = given.spline(), given.inbetween()
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        given.inbetween()
        seconds.append(time.process_time() - start)
    before, after = _faults(given, plain), _faults(given, improved)
    missed, iterations = _missed(given, improved), inbetween_report(improved).iterations
    rows = [
        Row(f"{what}, {unit}", f"{scale * first:.2f} before, {scale * last:.2f} after", most / max(last, 1e-9), 1.0)
        for what, unit, scale, first, last, most in (
            ("feet inside the step", "cm", 100.0, before[0], after[0], DEEPEST),
            ("feet below the floor", "cm", 100.0, before[1], after[1], DEEPEST),
            ("joints outside limits", "degrees", np.degrees(1.0), before[2], after[2], np.radians(0.1)),
        )
    ]
    return [
        *rows,
        Row("keyframes missed, m", f"{missed:.1e}", 1e-9 / max(missed, 1e-18), 1.0),
        Row("improvement", f"{min(seconds):.2f} s of one core, {iterations} iterations", SECONDS / min(seconds), 1.0),
    ]


def _faults(given: KeyframeFile, motion: Motion) -> tuple[float, float, float]:
    """Return the deepest that feet are in the step and below the floor, m, and the farthest joints are off, rad."""
    poses = motion.at(np.linspace(motion.start, motion.stop, 2000))
    places = np.stack([motion.figure.point(point, poses) for point in FOOT_POINTS])
    depth = max(float(box.depth(places)[0].max()) for box in given.boxes.values())
    return depth, max(-float(places[..., 1].min()), 0.0), float(motion.figure.limit_excess(poses).max())


def _missed(given: KeyframeFile, motion: Motion) -> float:
    """Return how far any joint is from where a keyframe has it, m."""
    wanted = motion.figure.forward(Poses.from_rows(np.array([each.row for each in given.keys])))[0]
    found = motion.figure.forward(motion.at([each.time for each in given.keys]))[0]
    return float(np.abs(found - wanted).max())
