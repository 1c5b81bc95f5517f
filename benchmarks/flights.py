"""Jumps and runs cut out of captured motion and filled: joint error, apex, fall, and the push that nobody gives.

Rows compare the root that falls in jumps (`root="auto"`) or in every flight (`root="free"`) with the root that is given
before the solve (`root="given"`), and with the capture itself.
Constants were chosen on the clips of `CHOSEN_ON`; the other clips were only measured, and so was all of LAFAN1. Most of
the persons in CMU are in the training set of the learned prior.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.mocap import MOCAP, MOCAP_MORE

import segue as sg
from benchmarks import Row
from segue.errors import SegueError
from segue.motion.motion import Motion
from segue.plausibility.observed import Observed, observe
from segue.plausibility.push import GroundPush, body_wrench
from segue.typing import Array, Flags

JUMPS = {
    "13_39": (1.35, 1.85),
    "122_50": (2.43, 2.90),
    "108_17": (0.76, 1.02),
    "16_05": (1.12, 1.54),
    "122_61": (1.80, 2.30),
    "143_05": (3.60, 4.05),
}
"""Jumps by clip, with take-off and landing in s as `segue check` finds them. 122_61 is a jump with a full turn."""
RATES = {"143_05": 60.0}
"""Frames a second of clips that play too fast, as `segue info` suggests them."""
RUNS = ("09_01", "16_35", "108_13", "16_08")
WALKS = ("walk_07_01", "walk_69_02", "walk_brisk_07_12", "walk_turn_left_16_27", "walk_backward_69_34")
DANCES = ("salsa_60_01", "salsa_61_01", "charleston_93_03", "dance_pirouette_05_11")
CHOSEN_ON = frozenset({"13_39", "122_50", "108_17", "09_01", "108_13", *WALKS[:2], *DANCES[:2]})
GROUPS = ("jump", "run", "walk", "dance", "lafan1")
DURATIONS = (0.5, 1.0)
_ROOTS = ("given", "auto", "free")
_CAPTURED = "captured"
_OFFSETS = {0.5: (-0.15, -0.05, 0.05, 0.15), 1.0: (-0.12, -0.04, 0.04, 0.12)}
_EDGE = 0.15  # s that must stay on either side
_MOST = 8  # windows a clip
_LONG, _BESIDE = 20.0, 1.5  # s of a take that is cut into pieces, and of a piece on either side of its gap


@dataclass(frozen=True)
class Window:
    """A gap of a clip from start to stop in s; flight: take-off and landing in it, if it is about a jump."""

    clip: str
    start: float
    stop: float
    flight: tuple[float, float] | None = None


@dataclass(frozen=True)
class Result:
    """Errors of one fill: mean of joints in m, apex in m, fall in m/s^2, unexplained push in N/kg."""

    joints: float
    apex: float
    fall: float
    push: float


def main() -> list[Row]:
    """Measure all groups of windows with both roots."""
    return measure(GROUPS)


def measure(groups: Sequence[str], roots: Sequence[str] = _ROOTS) -> list[Row]:
    """Return the rows of some groups of windows."""
    if not MOCAP.is_dir():
        return [Row("flights", "skipped: no real clips, see SEGUE_MOCAP")]
    rows = []
    for group in groups:
        for duration in DURATIONS:
            found = {root: list(_results(group, duration, root)) for root in (*roots, _CAPTURED)}
            for half in ("chosen on", "only measured"):
                for root in found:
                    own = [result for clip, result in found[root] if (clip in CHOSEN_ON) == (half == "chosen on")]
                    if own:
                        figure = f"{_told(own)}, {len(own)} windows"
                        rows.append(Row(f"{group} {duration} s, {half}, {_named(root)}", figure))
    return rows


def _named(root: str) -> str:
    return root if root == _CAPTURED else f"root {root}"


def _told(results: Sequence[Result]) -> str:
    joints, apex, fall, push = (
        np.nanmean([getattr(each, name) for each in results])
        if np.isfinite([getattr(each, name) for each in results]).any()
        else np.nan
        for name in ("joints", "apex", "fall", "push")
    )
    text = f"joints {100 * joints:.2f} cm"
    text += "" if np.isnan(apex) else f", apex {100 * apex:.1f} cm"
    text += "" if np.isnan(fall) else f", fall {fall:.1f} m/s2"
    return text + ("" if np.isnan(push) else f", push {push:.2f} N/kg")


def _results(group: str, duration: float, root: str) -> Iterator[tuple[str, Result]]:
    for name in _clips(group):
        whole = sg.load(_file(name), fps=RATES.get(name))
        short = observe(whole) if whole.duration < _LONG else None
        for window in _windows(group, name, whole, duration):
            # a piece of a long take is enough, and much quicker to measure
            motion = whole if short else sg.trim(whole, window.start - _BESIDE, window.stop + _BESIDE, keep_time=True)
            seen = short or observe(motion)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    made = motion if root == _CAPTURED else sg.fill(motion, [(window.start, window.stop)], root=root)
                except SegueError:
                    continue
            yield name, _compared(motion, made, seen, window)


def _clips(group: str) -> Sequence[str]:
    if group == "lafan1":
        return [path.stem for path in sorted((MOCAP / "lafan1").glob("*.bvh"))]
    return {"jump": tuple(JUMPS), "run": RUNS, "walk": WALKS, "dance": DANCES}[group]


def _file(name: str) -> Path:
    return next(
        path for folder in (MOCAP, MOCAP_MORE) for path in sorted(folder.rglob("*.bvh")) if path.stem.endswith(name)
    )


def _windows(group: str, name: str, motion: Motion, duration: float) -> Iterator[Window]:
    edge = _EDGE if motion.duration < _LONG else _BESIDE + _EDGE
    low, high = motion.start + edge, motion.stop - edge - duration
    if group == "jump":
        flight = JUMPS[name]
        starts = [0.5 * sum(flight) - 0.5 * duration + offset for offset in _OFFSETS[duration]]
    else:
        flight = None
        count = min(_MOST if group != "lafan1" else 3, max(int((high - low) / 0.15), 1))
        starts = np.linspace(low, high, count).tolist() if high > low else []
    for start in starts:
        if low <= start <= high:
            yield Window(name, start, start + duration, flight)


def _compared(motion: Motion, made: Motion, seen: Observed, window: Window) -> Result:
    times = motion.times
    inside = (times > window.start) & (times < window.stop)
    at = times[inside]
    truth, ours = (each.state(at).poses for each in (motion, made))
    apart = np.linalg.norm(motion.figure.forward(truth)[0] - motion.figure.forward(ours)[0], axis=-1).mean()
    heights = [motion.figure.centre_of_mass(poses)[:, 1] for poses in (truth, ours)]
    apex = fall = np.nan
    if window.flight is not None:
        apex = abs(float(heights[0].max() - heights[1].max()))
        aloft = (at > window.flight[0] + 0.02) & (at < window.flight[1] - 0.02)
        if at[aloft].size and np.ptp(at[aloft]) > 0.12:
            fall = float(2.0 * np.polyfit(at[aloft] - at[0], heights[1][aloft], 2)[0])
    return Result(float(apart), apex, fall, _push(made, seen, inside))


def _push(made: Motion, seen: Observed, inside: Flags) -> float:
    """Return the push that the feet cannot give, rms over the gap, with the contacts of the capture."""
    captured = seen.push
    own = observe(made)
    push = GroundPush(
        times=seen.times,
        wrench=body_wrench(made.figure, own.poses, own.fps),
        points=own.push.points,
        normals=captured.normals,
        may_push=captured.may_push,
        known=captured.known,
    )
    sizes: Array = push.unexplained[inside]
    return float(np.sqrt(np.nanmean(sizes**2))) if np.isfinite(sizes).any() else np.nan


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", default=GROUPS)
    parser.add_argument("--root", choices=_ROOTS, action="append", help="one of them only")
    asked = parser.parse_args()
    for row in measure(asked.groups, asked.root or _ROOTS):
        print(f"{row.subject:55s} {row.figure}")
