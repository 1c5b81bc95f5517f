"""Figures of worked examples in the pages: options on built-in clips, a second of two captured walks, mended limbs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tests.mocap import MOCAP, MOCAP_MORE

import segue as sg
from benchmarks import Row
from segue.curves import quaternion
from segue.motion.motion import Motion

TOLERANCES = (0.1, 0.01, 6e-4, 1e-5, 1e-7)
FREE_FEET = {"left_foot": "never", "right_foot": "never"}
WALKS = (("08_06", 0.7), ("walk_07_01", 0.8))  # clips, and where a second of them is erased
LIMBS = ("walk_07_01", "run_09_01", "soccer_kick_10_03")
HANDS, TOES = ("left_knuckles",), ("left_toe_tip",)


def main() -> list[Row]:
    """Measure all examples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        return [*_options(), *_mended_arm(), *_walks(), *_limbs(), *_pages()]


def _options() -> Iterator[Row]:
    """Measure a transition and fills of built-in clips under different options."""
    cut: dict[str, Any] = {"leave": 1.9, "enter": 0.2, "prior": "none"}
    pinned = sg.transition(sg.clips.walk, sg.clips.run, 0.6, mode="pinned", **cut)
    yield Row("walk to run, pinned: largest slide", f"{_slide(pinned):.0f} cm")
    reports = [
        sg.transition(sg.clips.walk, sg.clips.run, 0.6, tolerance=each, iterations=400, **cut).fills[0]
        for each in TOLERANCES
    ]
    least = min(report.energy for report in reports)
    for tolerance, report in zip(TOLERANCES, reports, strict=True):
        above = 100 * (report.energy / least - 1)
        yield Row(
            f"walk to run, tolerance {tolerance:g}", f"{report.iterations} iterations, {above:.2f} % above the least"
        )
    for objective in ("natural", "torque"):
        for name, supports in (("held", {}), ("never", FREE_FEET)):
            gap = (1.7, 2.2)
            made = sg.fill(sg.clips.kick, [gap], prior="none", objective=objective, supports=supports)
            strays = _farthest(made, None, ("left_heel", "left_toe_tip"), gap)
            yield Row(f"end of a kick, {objective}, supports {name}: standing foot", f"{strays:.2f} cm")


def _mended_arm() -> Iterator[Row]:
    """Mend an upper arm that trembles for 0.3 s by 60 degrees, root mean square, as in examples/04."""
    good = sg.clips.clip("walk")
    rotations, j = good.rotations.copy(), good.skeleton.index("left_upper_arm")
    bad = np.flatnonzero((good.times >= 1.25) & (good.times <= 1.55))
    shaking = 0.6 * np.random.default_rng(7).standard_normal((len(bad), 3))
    rotations[bad, j] = quaternion.multiply(rotations[bad, j], quaternion.exp(shaking))
    capture = Motion.from_clip(sg.Clip.from_arrays(good.skeleton, good.positions.copy(), rotations, good.fps))
    for name, joints in (("the arm", ("left_arm",)), ("the upper body", ("upper_body",)), ("the whole body", ())):
        made = sg.fill(capture, [(1.2, 1.6)], *joints)
        yield Row(f"trembling arm, {name} filled: hand", f"{_farthest(made, sg.clips.walk, HANDS, (1.2, 1.6)):.1f} cm")


def _walks() -> Iterator[Row]:
    """Fill a second of captured walks without and with the learned prior."""
    for name, start in WALKS:
        for file in _files(name):
            walk = sg.load(file)
            times = np.linspace(start, start + 1.0, 31)
            erased = walk.figure.forward(walk.at(times))[0]
            for prior in ("none", "learned"):
                made = sg.fill(walk, [(start, start + 1.0)], prior=prior)
                apart = np.linalg.norm(made.figure.forward(made.at(times))[0] - erased, axis=-1).mean()
                yield Row(f"{name}, prior {prior}: joints", f"{100 * apart:.1f} cm from the capture on average")
                yield Row("  largest slide", f"{_slide(made):.1f} cm")


def _limbs() -> Iterator[Row]:
    """Fill limbs for 0.3 s in the middle of captured clips, alone and with the whole body."""
    for subject, joints, points in (
        ("left hand, the arm filled", ("left_arm",), HANDS),
        ("left hand, the whole body filled", (), HANDS),
        ("left toes, the leg filled", ("left_leg",), TOES),
    ):
        found = []
        for name in LIMBS:
            for file in _files(name):
                clip = sg.load(file)
                middle = 0.5 * (clip.start + clip.stop)
                gap = (middle - 0.15, middle + 0.15)
                found.append(_farthest(sg.fill(clip, [gap], *joints), clip, points, gap))
        if found:
            listed = ", ".join(f"{each:.1f}" for each in found)
            yield Row(f"0.3 s of {len(found)} clips: {subject}", f"at most {max(found):.1f} cm astray ({listed})")


def _pages() -> Iterator[Row]:
    """Weigh a page of the viewer."""
    walking = sg.repeat(sg.make_loop(sg.clips.walk), 28)
    size = len(sg.show(walking).text.encode()) / 1000
    yield Row(f"page of the viewer, {walking.duration:.0f} s of a walk", f"{size:.0f} kB")


def _files(name: str) -> list[Path]:
    return [path for folder in (MOCAP, MOCAP_MORE) for path in sorted(folder.rglob(f"{name}.bvh"))][:1]


def _slide(motion: Motion) -> float:
    """Return how far the worst planted foot slides in a fill, in cm."""
    fill = motion.fills[0]
    return 100.0 * sg.check(motion, start=fill.start - 0.1, stop=fill.stop + 0.1).measures.slide.largest


def _farthest(made: Motion, truth: Motion | None, points: Sequence[str], gap: tuple[float, float]) -> float:
    """Return how far points of a fill are from where they were, or where None from where the gap begins, in cm."""
    times = np.linspace(*gap, 61)
    far = 0.0
    for point in points:
        path = made.figure.point(point, made.at(times))
        other = path[:1] if truth is None else truth.figure.point(point, truth.at(times))
        far = max(far, float(np.linalg.norm(path - other, axis=1).max()))
    return 100.0 * far


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure}")
