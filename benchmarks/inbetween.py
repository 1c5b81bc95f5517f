"""In-betweens of real motion, against what the person did: L2P, L2Q and NPSS, and each as a ratio to slerp.

Gaps of 5, 15 and 30 frames at 30 frames a second are cut from every clip of LAFAN1 and CMU, a window every 40 frames,
ten frames given on either side. Positions are normalised by the standard deviations over all windows of their dataset.
The benchmark fills a fixed choice of windows, spread evenly, whose ratios differ from those of all windows by up to
0.03 (cubic Hermite: 0.33, 0.56, 0.75 against 0.33, 0.58, 0.78); `python -m benchmarks.inbetween --all` fills them all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from tests.support.inbetween_fillers import ClipFiller, Filled, by_clip, hermite, segue_fill, slerp
from tests.support.inbetween_metrics import Measure, l2p, l2q, npss, together
from tests.support.inbetween_windows import DATASETS, GAPS, GIVEN, MOCAP, Windows, cut_windows, read_sources

from benchmarks import Row

LIMIT = 150  # windows a dataset
TARGETS = {5: 0.27, 15: 0.45, 30: 0.62}  # L2P as a ratio to slerp, both datasets together
BOTH = "both"
OURS = "segue"

Measures = dict[str, Measure]


def main() -> list[Row]:
    """Measure slerp, cubic Hermite and Segue's default on a choice of windows."""
    return measure(list(DATASETS), GAPS, LIMIT, filler=segue_fill)


def measure(
    datasets: Sequence[str],
    gaps: Sequence[int],
    limit: int | None = None,
    processes: int = 1,
    filler: ClipFiller | None = segue_fill,
) -> list[Row]:
    """Return the report on a filler beside slerp and cubic Hermite."""
    if not MOCAP.is_dir():
        return [Row("in-betweening", "skipped: no real clips, see SEGUE_MOCAP")]
    methods: dict[str, Callable[[Windows, int], Filled]] = {"slerp": slerp, "hermite": hermite}
    if filler is not None:
        methods[OURS] = partial(by_clip, filler, processes=processes)
    sets = [cut_windows(name, read_sources(name), limit) for name in datasets]
    rows = [Row(f"{windows.dataset}: windows", f"{len(windows)} of {windows.whole_count}") for windows in sets]
    for gap in gaps:
        found = {name: [_measured(windows, gap, method) for windows in sets] for name, method in methods.items()}
        for k, windows in enumerate(sets):
            rows += _report(windows.dataset, gap, {name: results[k][0] for name, results in found.items()})
        if len(sets) > 1:
            rows += _report(BOTH, gap, {name: _both(sets, results) for name, results in found.items()})
        for name, results in found.items():
            rows += _mishaps(name, gap, [filled for _, filled in results])
    return rows


def _measured(windows: Windows, gap: int, method: Callable[[Windows, int], Filled]) -> tuple[Measures, Filled]:
    filled = method(windows, gap)
    truth = windows.world(windows.frames.frames(GIVEN, GIVEN + gap))
    world = windows.world(filled.gap)
    measures = {
        "L2P": l2p(world.positions, truth.positions, windows.deviation),
        "L2Q": l2q(world.rotations, truth.rotations),
        "NPSS": npss(world.rotations, truth.rotations),
    }
    return measures, filled


def _both(sets: Sequence[Windows], results: Sequence[tuple[Measures, Filled]]) -> Measures:
    """Return measures over all datasets; windows that were left out count as those of their dataset that were not."""
    return {
        name: together(
            [
                measures[name].counting(windows.whole_count / len(windows))
                for windows, (measures, _) in zip(sets, results, strict=True)
            ]
        )
        for name in results[0][0]
    }


def _report(dataset: str, gap: int, found: dict[str, Measures]) -> list[Row]:
    rows = []
    for method, measures in found.items():
        ratios = {name: measure.mean / found["slerp"][name].mean for name, measure in measures.items()}
        figure = ", ".join(
            f"{name} {measure.mean:.4f}" + ("" if method == "slerp" else f" ({ratios[name]:.3f} of slerp)")
            for name, measure in measures.items()
        )
        subject = f"{dataset}, {gap} frames: {method}"
        if dataset == BOTH and method == OURS and gap in TARGETS:
            subject += f", L2P to be at most {TARGETS[gap]} of slerp"
            rows.append(Row(subject, figure, TARGETS[gap] / ratios["L2P"], 1.0))
        else:
            rows.append(Row(subject, figure))
    return rows


def _mishaps(method: str, gap: int, filled: Sequence[Filled]) -> list[Row]:
    """Say what a filler refused, which then counts as slerp, and whether it moved frames that were given."""
    rows = []
    refused = [reason for result in filled for reason in result.refused]
    if refused:
        rows.append(Row(f"{gap} frames: {method} refused {len(refused)} windows", refused[0]))
    moved = max(result.moved for result in filled)
    if moved > 1e-6:
        rows.append(Row(f"{gap} frames: {method} moved given frames", f"by up to {100 * moved:.2g} cm"))
    return rows


def _command_line() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="fill every window")
    parser.add_argument("--limit", type=int, default=LIMIT, help="about how many windows to fill of each dataset")
    parser.add_argument("--gap", type=int, action="append", choices=range(1, max(GAPS) + 1), metavar="FRAMES")
    parser.add_argument("--dataset", action="append", choices=list(DATASETS))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--baselines", action="store_true", help="only slerp and cubic Hermite")
    chosen = parser.parse_args()
    for row in measure(
        chosen.dataset or list(DATASETS),
        chosen.gap or GAPS,
        None if chosen.all else chosen.limit,
        chosen.processes,
        None if chosen.baselines else segue_fill,
    ):
        print(f"{row.subject}: {row.figure} {row.verdict}".rstrip(": "))


if __name__ == "__main__":
    _command_line()
