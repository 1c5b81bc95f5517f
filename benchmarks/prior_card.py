"""The learned prior that ships: errors on persons left out of training, and the time of a proposal and of a fill."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

import segue as sg
from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue.filling.prior import GapRequest
from segue.motion.tracks import TRACKS
from segue.prior import shipped_prior
from segue.prior.learned import shipped_path

ROUNDS = 25
FIRST, SECOND = 1.0, 1.0  # s, start of the first gap and length of all
_SHIFT = 1e-3  # s from one gap to the next, since the prior remembers its last answer


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
    spent = {"proposal for a gap of a second": _median(_propose)}
    spent |= {f"fill of a gap of a second, prior {name}": _median(partial(_fill, name)) for name in ("learned", "none")}
    return rows + [Row(subject, f"{1e3 * seconds:.1f} ms of one core") for subject, seconds in spent.items()]


def _propose(start: float) -> None:
    walk, gap = sg.clips.walk, (start, start + SECOND)
    request = GapRequest(walk, *gap, walk.state(np.array(gap)), tuple(TRACKS), walk.ground)
    shipped_prior().propose(request)


def _fill(prior: str, start: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        sg.fill(sg.clips.walk, [(start, start + SECOND)], prior=prior)


def _median(run: Callable[[float], None]) -> float:
    """Return the median processor time in s of a run on gaps that start at different times, after one that is not
    counted.
    """
    run(FIRST)
    spent = []
    for k in range(1, ROUNDS + 1):
        start = time.process_time()
        run(FIRST + k * _SHIFT)
        spent.append(time.process_time() - start)
    return statistics.median(spent)


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure}")
