"""Transitions at the very ends of captured clips, where frames jitter most, and fills anywhere: nothing may be thrown.

Each of 1,000 transitions leaves a random clip at its last frame and enters another at its first, all defaults. Counted
are those whose energy is above that of interpolation, and those in which a joint leaves what both clips show by more
than 15 degrees. For a hinge that is how far it goes beyond the range of its values in both clips. For a ball joint it
is the smallest angle to any of its poses in either clip, or to the shortest way from its pose at one seam to that at
the other. The pelvis is compared by where its own up axis points, since clips are turned on the floor. Then random gaps
of captured clips are filled, and the written frames are compared with the captured ones. The benchmark counts steps
from a frame to the next that differ from both neighbours by more than 1 degree where the captured step does not.
"""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from tests.mocap import MOCAP, MOCAP_MORE

import segue as sg
from benchmarks import Row
from segue import io
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.clip_source import ClipSource
from segue.motion.resample import select_frames
from segue.typing import Array

TRANSITIONS, FILLS = 1000, 300
DURATION = 0.6  # s
MOST = 15.0  # degrees
STEP = 1.0  # degree
_SHOWN = 10.0  # s of long clips, at either end
_LONG = 25.0  # s
_SAMPLES, _ALONG = 61, 31

Clips = dict[str, tuple[sg.Motion, sg.Motion]]
"""By name: a motion to enter at its start, and one to leave at its end; the same one unless the clip is long."""


def main() -> list[Row]:
    """Make and examine transitions and fills."""
    files = [file for folder in (MOCAP, MOCAP_MORE) for file in sorted(folder.rglob("*.bvh"))]
    if not files:
        return [Row("seams", "skipped: no real clips, see SEGUE_MOCAP")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        known = {file.stem: _ends(file) for file in files}
        captured = {name: pair for name, pair in known.items() if pair[0].fps > 100}
        return [*_transitions(known), *_fills(captured)]


def _ends(file: Path) -> tuple[sg.Motion, sg.Motion]:
    take = ClipSource.from_clip(io.read(file))
    clip, count = take.clip, round(_SHOWN * take.fps)
    if take.duration < _LONG:
        whole = sg.Motion.from_clip(clip, scale=take.space.scale, up=take.space.up)
        return whole, whole
    parts = (select_frames(clip, 0, count), select_frames(clip, len(clip) - count, len(clip)))
    first, last = (sg.Motion.from_clip(part, scale=take.space.scale, up=take.space.up) for part in parts)
    return first, last


def _transitions(known: Clips) -> list[Row]:
    rng, names = np.random.default_rng(7), sorted(known)
    dear, smoothed, replaced, worst = 0, 0, 0, []
    for _ in range(TRANSITIONS):
        first, second = (names[i] for i in rng.integers(len(names), size=2))
        leaving, entering = known[first][1], known[second][0]
        whole = sg.transition(leaving, entering, DURATION, leave=leaving.stop, enter=entering.start)
        report = whole.fills[0]
        dear += not report.energy <= report.start_energy * (1 + 1e-9)
        smoothed += any("jitter" in note for note in report.notes)
        replaced += any("interpolation" in note for note in report.notes)
        far = departures(whole, leaving, entering, leaving.stop, leaving.stop + DURATION)
        joint = max(far, key=lambda name: far[name])
        worst.append((far[joint], f"{first} to {second}, {joint.replace('_', ' ')}"))
    astray = sum(far > MOST for far, _ in worst)
    degrees = [far for far, _ in worst]
    return [
        Row("transitions", f"{TRANSITIONS}, {len(names)} clips"),
        Row("energy above interpolation", f"{dear}", float(dear == 0), 1.0),
        Row(f"a joint more than {MOST:g} degrees from what both clips show", f"{astray}", float(astray == 0), 1.0),
        Row("furthest", f"{max(worst)[0]:.1f} degrees ({max(worst)[1]}), median {np.median(degrees):.1f}"),
        Row("with a smoothed velocity", f"{smoothed}"),
        Row("replaced, or supports let go", f"{replaced}"),
    ]


def departures(whole: sg.Motion, first: sg.Motion, second: sg.Motion, start: float, stop: float) -> dict[str, float]:
    """Return by joint how far, in degrees, it leaves what two motions show from start to stop of the joined motion."""
    gap = whole.at(np.linspace(start, stop, _SAMPLES))
    shown = [motion.at(motion.times) for motion in (first, second)]
    angles = np.concatenate([poses.hinges for poses in shown])
    beyond = np.maximum(gap.hinges - angles.max(axis=0), angles.min(axis=0) - gap.hinges).max(axis=0)
    far = dict(zip(HUMAN.hinge_names, np.maximum(beyond, 0.0).tolist(), strict=True))
    along = np.linspace(0.0, 1.0, _ALONG)
    for k, name in enumerate(HUMAN.ball_names):
        turns, own = gap.balls[:, k], np.concatenate([poses.balls[:, k] for poses in shown])
        if name == "root":
            ups, own = _up(turns), _up(own)
            straight = ups[0] + along[:, None] * (ups[-1] - ups[0])
            straight /= np.linalg.norm(straight, axis=1, keepdims=True)
            cosines = (ups @ np.concatenate([own, straight]).T).max(axis=1)
            far[name] = float(np.arccos(np.clip(cosines.min(), -1.0, 1.0)))
        else:
            straight = quaternion.slerp(turns[:1], turns[-1:], along)
            cosines = np.abs(turns @ np.concatenate([own, straight]).T).max(axis=1)
            far[name] = float(2.0 * np.arccos(np.clip(cosines.min(), 0.0, 1.0)))
    return {name: float(np.degrees(value)) for name, value in far.items()}


def _up(turns: Array) -> Array:
    """Return where the vertical points in the frames of rotations (T, 4)."""
    return quaternion.rotate(quaternion.conjugate(turns), np.array([0.0, 1.0, 0.0]))


def _fills(known: Clips) -> list[Row]:
    rng, names = np.random.default_rng(3), sorted(known)
    jumping, largest, joints = 0, [], Counter[str]()
    for _ in range(FILLS):
        motion = known[names[rng.integers(len(names))]][0]
        seconds = min(float(rng.uniform(0.05, 1.5)), 0.5 * motion.duration - 0.2)
        start = float(rng.uniform(0.2, motion.duration - 0.2 - seconds))
        found = new_jumps(motion, start, start + seconds)
        jumping += bool(found)
        largest.append(max(found.values(), default=0.0))
        joints.update(found.keys())
    parts = np.percentile(largest, [90, 95, 99])
    named = ", ".join(f"{name} {count}" for name, count in joints.most_common(4))
    return [
        Row("fills", f"{FILLS}, {len(names)} clips"),
        Row(f"a step of more than {STEP:g} degree that the capture lacks", f"{jumping} fills ({named})"),
        Row("the largest of a fill", f"90 % {parts[0]:.1f}, 95 % {parts[1]:.1f}, 99 % {parts[2]:.1f} degrees"),
    ]


def new_jumps(motion: sg.Motion, start: float, stop: float) -> dict[str, float]:
    """Return by joint the largest step, in degrees, that stands out in a filled gap and not in the capture."""
    filled = sg.fill(motion, [(start, stop)])
    report = filled.fills[0]
    first, last = round(report.start * motion.fps), round(report.stop * motion.fps)
    captured, made = (
        _excess(clip.rotations[first - 3 : last + 4]) for clip in (motion.clip_source.clip, filled.to_clip())
    )
    new = np.where((made > STEP) & (captured <= STEP), made, 0.0)[3:-3].max(axis=0)
    return {name: float(value) for name, value in zip(motion.clip_source.clip.names, new, strict=True) if value > 0}


def _excess(rotations: Array) -> Array:
    """Return (T - 1, J) by how much, in degrees, a step differs from the one before, the one after, and their mean."""
    turns = quaternion.make_continuous(rotations)
    steps = quaternion.log(quaternion.multiply(quaternion.conjugate(turns[:-1]), turns[1:]))
    before, after = np.concatenate([steps[1:2], steps[:-1]]), np.concatenate([steps[1:], steps[-2:-1]])
    least = np.min([np.linalg.norm(steps - other, axis=2) for other in (before, after, 0.5 * (before + after))], axis=0)
    return np.asarray(np.degrees(least))
