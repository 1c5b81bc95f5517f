"""Measures of captured clips without a fault in the file: where the thresholds of `segue check` come from."""

from __future__ import annotations

import warnings
from collections import defaultdict

import numpy as np

import segue as sg
from benchmarks import Row
from benchmarks.check_faults import NAMED_FAULTS, SETS
from segue.plausibility.findings import Severity

ORDINARY = ("walk", "run", "jog", "jump", "climb")
PLAYED = ("charleston", "salsa", "dance", "soccer", "direct", "wave")
KINDS = ("walks, runs, jumps", "dances, kicks, gestures", "falls, pushes, obstacles, actions")


def main() -> list[Row]:
    """Return the median and the largest value of every measure over three kinds of clips."""
    warnings.simplefilter("ignore")
    if not all(folder.is_dir() for folder in SETS.values()):
        return [Row("captured clips", "not found, see SEGUE_MOCAP")]
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: {kind: [] for kind in KINDS})
    counts, failed = dict.fromkeys(KINDS, 0), list[str]()
    for folder in SETS.values():
        for file in sorted(folder.glob("*.bvh")):
            if file.stem in NAMED_FAULTS:
                continue
            kind = _kind(file.stem)
            counts[kind] += 1
            for finding in sg.check(sg.load(file)).findings:
                found[finding.measure][kind].append(finding.value)
                if finding.severity is Severity.FAULT:
                    failed.append(f"{file.stem} ({finding.measure} {_short(finding.value)} {finding.unit})")
    rows = [Row(f"clips: {kind}", f"{count}") for kind, count in counts.items()]
    rows.append(Row("faults of these clips", f"{len(failed)}: {', '.join(failed)}"))
    for measure, values in found.items():
        figure = "; ".join(f"median {_short(np.median(each))}, largest {_short(max(each))}" for each in values.values())
        rows.append(Row(measure, figure))
    return rows


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}" if value >= 10 else f"{value:.1f}"


def _kind(stem: str) -> str:
    return KINDS[0] if stem.startswith(ORDINARY) else KINDS[1] if stem.startswith(PLAYED) else KINDS[2]


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure}")
