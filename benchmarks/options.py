"""How the options of filling gaps compare on captured motion: L2P as a ratio to slerp, iterations, time of the solve.

Windows are those of `inbetween`, fewer of them: what is measured of one option goes with another on the same windows.
All rows but one of each gap leave out the prior, whose proposal would hide what the option does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Unpack

from tests.support.inbetween_fillers import Filled, by_clip, hermite, slerp
from tests.support.inbetween_metrics import l2p, together
from tests.support.inbetween_windows import DATASETS, FPS, GAPS, GIVEN, MOCAP, Windows, cut_windows, read_sources

import segue as sg
from benchmarks import Row
from segue.filling.options import OptionNames
from segue.motion.fills import FillReport
from segue.motion.space import Space
from segue.spacetime import OBJECTIVES

LIMIT = 50  # windows a dataset
MIDDLE = GAPS[1]
COEFFICIENTS = (2, 3, 5, 7, 10, 16, 24)
TOLERANCES = (1e-1, 1e-2, 6e-4, 1e-5, 1e-7)
FREE_FEET = {"left_foot": "never", "right_foot": "never"}


@dataclass
class Filler:
    """Fills windows by some options, and keeps the reports."""

    options: OptionNames
    reports: list[FillReport] = field(default_factory=list)

    def __call__(self, clip: sg.Clip, gap: int, space: Space) -> sg.Clip:
        motion = sg.Motion.from_clip(clip, scale=space.scale, up=space.up)
        filled = sg.fill(motion, [((GIVEN - 1) / FPS, (GIVEN + gap) / FPS)], **self.options)
        self.reports += filled.fills
        return filled.to_clip()


def main() -> list[Row]:
    """Measure objectives on all gaps, everything else on those of half a second."""
    if not MOCAP.is_dir():
        return [Row("options", "skipped: no real clips, see SEGUE_MOCAP")]
    sets = [cut_windows(name, read_sources(name), LIMIT) for name in DATASETS]
    base = {gap: _distance(sets, gap, [slerp(windows, gap) for windows in sets]) for gap in GAPS}

    def row(subject: str, gap: int, **options: Unpack[OptionNames]) -> Row:
        filler = Filler(options if "prior" in options else {**options, "prior": "none"})
        ratio = _distance(sets, gap, [by_clip(filler, windows, gap) for windows in sets]) / base[gap]
        steps = median(report.iterations for report in filler.reports)
        solve = 1000 * median(report.seconds[1] for report in filler.reports)
        return Row(f"{gap} frames: {subject}", f"{ratio:.3f} of slerp, {steps:g} iterations, {solve:.2g} ms")

    rows = []
    for gap in GAPS:
        ratio = _distance(sets, gap, [hermite(windows, gap) for windows in sets]) / base[gap]
        rows.append(Row(f"{gap} frames: cubic Hermite", f"{ratio:.3f} of slerp"))
        rows.append(row("all defaults, with the learned prior", gap, prior="auto"))
        rows += [row(f"objective {name}", gap, objective=name) for name in OBJECTIVES]
    rows += [row(f"{count} coefficients", MIDDLE, coefficients=count) for count in COEFFICIENTS]
    rows += [row(f"tolerance {value:g}", MIDDLE, tolerance=value, iterations=400) for value in TOLERANCES]
    rows.append(row("no supports", MIDDLE, supports=FREE_FEET))
    rows.append(row("no limits", MIDDLE, limits=False))
    return rows


def _distance(sets: list[Windows], gap: int, filled: list[Filled]) -> float:
    """Return the mean L2P over all datasets, each counting as many windows as it has."""
    found = []
    for windows, each in zip(sets, filled, strict=True):
        truth = windows.world(windows.frames.frames(GIVEN, GIVEN + gap)).positions
        measure = l2p(windows.world(each.gap).positions, truth, windows.deviation)
        found.append(measure.counting(windows.whole_count / len(windows)))
    return together(found).mean
