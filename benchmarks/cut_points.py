"""Cut points: transitions at cut points that were found, beside those from the end of a clip to the start of another.

Pairs are random pieces of random clips, lying people, dancers and climbers among them. Each pair is joined in four
ways. Three last 0.6 s: from the end to the start, by default (which searches a second of each), and by "auto". The
fourth is "auto" with the duration found, too. The search does not look at what `segue check` measures of a transition,
nor at how far planted feet slide.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from tests.mocap import MOCAP

import segue as sg
from benchmarks import Row
from segue import clips, io
from segue.filling import Options, cut_points
from segue.filling.cutting import cuts_between
from segue.motion.clip_source import ClipSource
from segue.motion.resample import select_frames

PAIRS = 60
EXCERPTS = 40
_SECONDS = 8.0  # of each piece
_SHORTEST = 2.0  # s that a clip must last
_USUAL = 0.6  # s
WAYS: dict[str, tuple[float | str, str | None]] = {
    "default": (_USUAL, None),
    "auto": (_USUAL, "auto"),
    "auto with duration": ("auto", "auto"),
}
"""How the pairs are cut where cut points are found: the duration, and where they are searched for."""

_CONTEXT, _MARGIN = 1.0, 0.1  # s around a transition that are looked at, and examined with it


@dataclass
class Tally:
    """Measurements of transitions that were cut in one way."""

    energies: list[float] = field(default_factory=list)
    slides: list[float] = field(default_factory=list)
    durations: list[float] = field(default_factory=list)
    left_out: list[float] = field(default_factory=list)
    gliding: int = 0
    sound: int = 0
    failed: Counter[str] = field(default_factory=Counter)


def main() -> list[Row]:
    """Join the pairs in all four ways."""
    rng = np.random.default_rng(2002)
    tallies = {name: Tally() for name in ("ends", *WAYS)}
    seconds: dict[str, list[float]] = {name: [] for name in WAYS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        pieces = _excerpts(rng)
        for _ in range(PAIRS):
            first, second = (pieces[k] for k in rng.choice(len(pieces), size=2, replace=False))
            _measure(tallies["ends"], sg.transition(first, second, _USUAL, leave="end", enter="start"))
            for name, (duration, moment) in WAYS.items():
                began = time.process_time()
                cut = cuts_between(first, second, duration, moment, moment, "free", Options())[0]
                seconds[name].append(time.process_time() - began)
                _measure(tallies[name], sg.transition(first, second, cut.duration, leave=cut.leave, enter=cut.enter))
        long = _long_clips()
        began = time.process_time()
        cut_points(*long, count=1)
        whole = time.process_time() - began
    return [*_report(tallies), *_times(seconds, long, whole)]


def _excerpts(rng: np.random.Generator) -> list[sg.Motion]:
    """Return pieces of some seconds from random places of real clips, or built-in clips where those are absent."""
    files = sorted(MOCAP.glob("*/*.bvh"))
    if not files:
        return [clips.motion(name) for name in clips.NAMES]
    known: dict[int, ClipSource] = {}
    found: list[sg.Motion] = []
    while len(found) < EXCERPTS:
        pick, at = int(rng.integers(len(files))), float(rng.uniform())
        take = known.setdefault(pick, ClipSource.from_clip(io.read(files[pick])))
        if take.duration > _SHORTEST:
            length = min(_SECONDS, take.duration)
            first = int(at * (take.duration - length) * take.fps)
            part = select_frames(take.clip, first, first + int(length * take.fps) + 1)
            motion = sg.Motion.from_clip(part, scale=take.space.scale, up=take.space.up)
            motion.fit()
            found.append(motion)
    return found


def _long_clips() -> tuple[sg.Motion, sg.Motion]:
    """Return two clips of minutes, or the longest that are built in."""
    files = sorted(MOCAP.glob("lafan1/*.bvh"))[:2]
    first, second = (sg.load(file) for file in files) if len(files) == 2 else (clips.walk, clips.run)
    first.fit()
    second.fit()
    return first, second


def _measure(tally: Tally, joined: sg.Motion) -> None:
    (fill,) = joined.fills
    around = sg.trim(
        joined, max(fill.start - _CONTEXT, joined.start), min(fill.stop + _CONTEXT, joined.stop), keep_time=True
    )
    found = sg.check(around, start=fill.start - _MARGIN, stop=fill.stop + _MARGIN)
    failed = [finding.measure for finding in found.faults]
    tally.energies.append(fill.energy)
    tally.slides.append(100 * found.measures.slide.largest)
    tally.durations.append(fill.stop - fill.start)
    tally.left_out.append(sum(fill.cut.left_out) if fill.cut else 0.0)
    tally.gliding += bool(fill.notes)
    tally.sound += not failed
    tally.failed.update(failed)


def _report(tallies: dict[str, Tally]) -> list[Row]:
    ends = tallies["ends"]
    rows = []
    for name, tally in tallies.items():
        failing = ", ".join(f"{check} {count}" for check, count in tally.failed.most_common())
        ratio = None if tally is ends else tally.sound / ends.sound
        rows.append(Row(f"segue check, {name}", f"{tally.sound} of {PAIRS} pass; fail: {failing}", ratio, 1.0))
    for name, tally in tallies.items():
        slides = np.array(tally.slides)
        figure = f"mean {slides.mean():.2f}, median {np.median(slides):.2f}, 90 % below {np.quantile(slides, 0.9):.1f}"
        ratio = None if tally is ends else float(np.mean(ends.slides) / slides.mean())
        rows.append(Row(f"largest slide of a planted foot, cm, {name}", figure, ratio, 1.0))
    for name, tally in tallies.items():
        ratio = None if tally is ends else ends.gliding / max(tally.gliding, 1)
        rows.append(Row(f"notes, as of feet that glide, {name}", f"{tally.gliding} of {PAIRS} transitions", ratio, 1.0))
    for name in ("default", "auto"):
        change = np.log(np.array(tallies[name].energies) / np.array(ends.energies))
        figure = f"geometric mean {np.exp(change.mean()):.2f}, lower in {np.mean(change < 0):.0%}"
        part = float(np.exp(-change.mean()))
        rows.append(Row(f"energy at 0.6 s, as a part of that at the ends, {name}", figure, part, 1.0))
    lengths = Counter(round(duration, 2) for duration in tallies["auto with duration"].durations)
    figure = ", ".join(f"{length:g} s {count}" for length, count in sorted(lengths.items()))
    rows.append(Row("durations found, auto with duration", figure))
    for name in WAYS:
        lost = np.array(tallies[name].left_out)
        figure = (
            f"median {np.median(lost):.2f} s, 90 % below {np.quantile(lost, 0.9):.2f} s, at most {lost.max():.2f} s"
        )
        rows.append(Row(f"left out of both pieces, {name}", figure))
    return rows


def _times(seconds: dict[str, list[float]], long: tuple[sg.Motion, sg.Motion], whole: float) -> list[Row]:
    lengths = " and ".join(f"{motion.duration:.0f}" for motion in long)
    return [
        *(
            Row(f"time to find a cut, pieces of 8 s, {name}", f"median {1e3 * np.median(each):.1f} ms of a core")
            for name, each in seconds.items()
        ),
        Row(
            "time to find a cut, two whole clips; as a ratio, how much shorter than they are",
            f"{whole:.1f} s of a core, clips of {lengths} s",
            sum(motion.duration for motion in long) / whole,
            50.0,
        ),
    ]


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure} {row.verdict}")
