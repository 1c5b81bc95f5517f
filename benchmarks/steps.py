"""Feet in transitions with the default prior and with least effort: how far planted feet slide, and what check finds.

All pairs of built-in clips with all defaults, then random transitions between random places of CMU's clips, of 0.2 to
1 s. Constants of filling were chosen on random transitions of another seed. LAFAN1 is not used. The last row has the
slides that captured people make in the same clips, in spans of the same length around the places that are joined.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

import segue as sg
from benchmarks import Row
from benchmarks.plausible import _CONTEXT, _excerpts
from segue.motion.motion import Motion

SEED = 21
PAIRS = 100
PRIORS = ("none", "auto")
MOST = 1.0  # cm that a foot may slide between built-in clips
_MARGIN = 0.1  # s before and after a transition that are examined with it


def main() -> list[Row]:
    """Measure built-in pairs and random pairs."""
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        clips = [sg.clips.motion(name) for name in sg.clips.NAMES]
        joins = list(_random_joins())
        for prior in PRIORS:
            slides, passed, _ = _measured((sg.transition(*pair, prior=prior) for pair in product(clips, clips)), 0.0)
            over = int(np.sum(slides > MOST))
            figure = f"{over} of {len(slides)} slide more than {MOST:g} cm, largest {slides.max():.1f} cm"
            figure += f"; {passed} pass check"
            rows.append(
                Row(f"built-in pairs, prior {prior}", figure, float(not over) if prior == "auto" else None, 1.0)
            )
            made = (sg.transition(a, b, d, leave=leave, enter=enter, prior=prior) for a, b, d, leave, enter in joins)
            slides, passed, faults = _measured(made, _MARGIN)
            median, most = np.quantile(slides, [0.5, 0.9])
            figure = f"worst foot slides {median:.2f} cm (median), 90 % below {most:.1f} cm"
            figure += f"; {passed} of {len(slides)} pass check; fail: {faults}"
            rows.append(Row(f"random pairs of CMU, prior {prior}", figure))
    slides = np.array([slide for join in joins for slide in _captured(*join)])
    median, most = np.quantile(slides, [0.5, 0.9])
    figure = f"worst foot slides {median:.2f} cm (median), 90 % below {most:.1f} cm"
    rows.append(Row("the same clips, as captured", figure))
    return rows


def _captured(first: Motion, second: Motion, duration: float, leave: float, enter: float) -> Iterator[float]:
    """Yield the largest slides in cm of both clips in spans as long as the transition."""
    for motion, start in ((first, leave), (second, enter - duration)):
        span = max(motion.start, start - _MARGIN), min(motion.stop, start + duration + _MARGIN)
        yield 100.0 * sg.check(motion, start=span[0], stop=span[1]).measures.slide.largest


def _random_joins() -> Iterator[tuple[Motion, Motion, float, float, float]]:
    rng = np.random.default_rng(SEED)
    excerpts = list(_excerpts(rng, "cmu"))
    for _ in range(PAIRS):
        first, second = (excerpts[i] for i in rng.integers(len(excerpts), size=2))
        duration = float(rng.uniform(0.2, 1.0))
        leave = float(rng.uniform(_CONTEXT, first.stop - _CONTEXT - duration))
        yield first, second, duration, leave, float(rng.uniform(_CONTEXT, second.stop - _CONTEXT))


def _measured(motions: Iterable[Motion], margin: float) -> tuple[np.ndarray, int, str]:
    """Return the largest slide in cm of each transition, how many pass check, and the faults of the others."""
    slides, passed, faults = [], 0, Counter[str]()
    for motion in motions:
        fill = motion.fills[-1]
        report = sg.check(motion, start=fill.start - margin, stop=fill.stop + margin)
        slides.append(100.0 * report.measures.slide.largest)
        passed += not report.faults
        faults.update(finding.measure for finding in report.faults)
    return np.array(slides), passed, ", ".join(f"{name} {count}" for name, count in faults.most_common())


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure} {row.verdict}")
