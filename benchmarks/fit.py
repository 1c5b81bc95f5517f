"""Fitting the figure to every clip at hand: frames a second, distance, jumps."""

from __future__ import annotations

import time
import warnings

import numpy as np
from tests.mocap import MOCAP

from benchmarks import Row
from segue import clips, io
from segue.errors import SegueWarning
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource

TARGET = 2000.0


def main() -> list[Row]:
    """Fit all clips one after another; the ratio is frames a second over the 2,000 asked for."""
    ClipSource.from_clip(clips.clip("stand")).fit()
    folders: dict[str, list[Clip]] = {"built-in clips": [clips.clip(name) for name in clips.NAMES]}
    for folder in sorted(path for path in MOCAP.glob("*") if path.is_dir()):
        folders[folder.name] = [io.read(path) for path in sorted(folder.glob("*.bvh"))]
    return [row for name, found in folders.items() for row in _fit(name, found)]


def _fit(name: str, found: list[Clip]) -> list[Row]:
    frames, seconds, jumps, at_limit, turns = 0, 0.0, 0, 0, 0.0
    errors, worst_mean, worst_p95 = [], 0.0, 0.0
    for clip in found:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SegueWarning)
            take = ClipSource.from_clip(clip)
        _ = take.sampled
        start = time.process_time()
        fit = take.fit()
        seconds += time.process_time() - start
        report = take.report()
        frames += report.frames
        jumps += report.jumps
        at_limit += report.frames_at_limit
        turns += report.mean_deg * report.frames
        worst_mean, worst_p95 = max(worst_mean, report.mean_cm), max(worst_p95, report.p95_cm)
        errors.append(100 * fit.position_errors.ravel())
    every = np.concatenate(errors)
    return [
        Row(
            f"{name}: {len(found)} clips, {frames} frames",
            f"{frames / seconds:.0f} frames/s",
            frames / seconds / TARGET,
            1.0,
        ),
        Row("  joint distance", f"mean {every.mean():.2f} cm, 95 % below {np.percentile(every, 95):.2f} cm"),
        Row("  worst clip", f"mean {worst_mean:.2f} cm, 95 % below {worst_p95:.2f} cm"),
        Row("  orientation", f"mean {turns / frames:.1f} degrees"),
        Row("  jumps the clip does not have", f"{jumps} frames"),
        Row("  at a joint limit", f"{100 * at_limit / frames:.1f} % of frames"),
    ]
