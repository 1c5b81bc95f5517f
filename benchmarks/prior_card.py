"""The learned prior that ships: errors on persons left out of training, and the time of a proposal and of a fill."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable

import numpy as np

import segue as sg
from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue.filling.prior import GapRequest
from segue.motion.tracks import TRACKS
from segue.prior import shipped_prior
from segue.prior.learned import shipped_path

ROUNDS = 25
GAP = (1.0, 2.0)


def main() -> list[Row]:
    """Measure on one thread; errors are those that the training run measured and wrote into the file of weights."""
    return on_one_thread(_measure)


def _measure() -> list[Row]:
    prior = shipped_prior()
    about = prior.about
    size = shipped_path().stat().st_size
    rows = [
        Row("weights", f"{size / 1e6:.1f} MB, {about['layers']} layers of width {about['width']}"),
        Row(
            "training",
            f"{about['minutes_of_motion']:.0f} minutes in {about['sections']} sections, {about['steps']} steps",
        ),
    ]
    for name, each in about["measures"].items():
        figure = f"{each['path']:.2f} of the cubic path's error, F1 of contacts {each['f1']:.2f}"
        figure += f", mean error {100 * each['error']:.1f} % of a leg, estimated {100 * each['estimate']:.1f} %"
        gap, _, after = name.partition("/")
        rows.append(Row(f"{gap} frames, {after} known after", figure))
    walk = sg.clips.walk
    request = GapRequest(walk, *GAP, walk.state(np.array(GAP)), tuple(TRACKS), walk.ground)
    fills = {name: _fill(name) for name in ("learned", "none")}
    spent = {"proposal for a gap of a second": _median(lambda: prior.propose(request))}
    spent |= {f"fill of a gap of a second, prior {name}": _median(fill) for name, fill in fills.items()}
    return rows + [Row(subject, f"{1e3 * seconds:.1f} ms of one core") for subject, seconds in spent.items()]


def _fill(prior: str) -> Callable[[], object]:
    def run() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sg.SegueWarning)
            return sg.fill(sg.clips.walk, [GAP], prior=prior)

    return run


def _median(run: Callable[[], object]) -> float:
    """Return the median processor time in s, after one call that does not count."""
    run()
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure}")
