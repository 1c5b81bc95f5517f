"""Random transitions between random places of random clips: what every one of them must keep to.

Half are free, so that the second motion goes where the first takes it; half are pinned, the second motion placed
beforehand about where both velocities lead. The benchmark checks that all numbers are finite. It measures joint limits
against the range of the two clips, the movement of planted supports, and the depth of feet in the floor against the
clips' own depth. It measures value and velocity of every joint of the user's skeleton at both seams, and the
objective's energy against that of the cubic Hermite path. It adds the verdicts of `segue check` on the transitions, and
on captured pieces as long.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from tests.mocap import MOCAP

import segue as sg
from benchmarks import Row
from segue import clips, io
from segue.body.figure import SOLES
from segue.curves import quaternion
from segue.motion.clip_source import ClipSource
from segue.motion.resample import select_frames
from segue.typing import Array

TRANSITIONS = 300
EXCERPTS = 48
MODES = ("free", "pinned")
SHORTEST, LONGEST = 0.2, 1.0  # s
_EXCERPT = 3.0  # s
_CONTEXT = 0.6  # s of motion that is left before and after a transition
_MARGIN = 0.1  # s before and after a transition that are examined with it
_FORWARD = np.array([0.0, 0.0, 1.0])
_INSTANT = 1e-6  # s over which velocities at the seams are measured
_SLOW_TURN, _SLOW_MOVE = 0.05, 0.02  # rad/s and m/s: speeds below which a seam's error is compared with these


@dataclass
class Tally:
    """Measurements of some transitions."""

    infinite: int = 0
    refused: list[str] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    moved: list[float] = field(default_factory=list)
    depths: list[float] = field(default_factory=list)
    jumps: list[float] = field(default_factory=list)
    kinks: list[float] = field(default_factory=list)
    energies: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    sound: int = 0


def main() -> list[Row]:
    """Make and examine the transitions."""
    rng = np.random.default_rng(1996)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        excerpts = list(_excerpts(rng))
        tallies = {name: Tally() for name in (*MODES, "captured")}
        for k in range(TRANSITIONS):
            first, second = (excerpts[i] for i in rng.integers(len(excerpts), size=2))
            duration = float(rng.uniform(SHORTEST, LONGEST))
            leave = float(rng.uniform(_CONTEXT, first.stop - _CONTEXT - duration))
            enter = float(rng.uniform(_CONTEXT, second.stop - _CONTEXT))
            mode = MODES[k % 2]
            try:
                _try_transition(tallies[mode], mode, first, second, duration, leave, enter)
            except sg.SegueError as error:
                tallies[mode].refused.append(str(error))
            _check(tallies["captured"], first, leave, duration)
    both = _together(tallies["free"], tallies["pinned"])
    return [*_report(both), *(_check_row(name, tallies[name]) for name in tallies)]


def _excerpts(rng: np.random.Generator, folder: str = "*") -> Iterator[sg.Motion]:
    """Yield motions of three seconds from random places of real clips, or built-in clips where those are absent."""
    files = sorted(MOCAP.glob(f"{folder}/*.bvh"))
    known = {}
    found = 0
    while found < EXCERPTS:
        pick, at = int(rng.integers(len(files) or len(clips.NAMES))), float(rng.uniform())
        if pick not in known:
            known[pick] = ClipSource.from_clip(io.read(files[pick]) if files else clips.clip(clips.NAMES[pick]))
        take = known[pick]
        if take.duration > 2 * _CONTEXT + LONGEST:
            seconds = min(_EXCERPT, take.duration)
            first = int(at * (take.duration - seconds) * take.fps)
            part = select_frames(take.clip, first, first + int(seconds * take.fps) + 1)
            motion = sg.Motion.from_clip(part, scale=take.space.scale, up=take.space.up)
            motion.fit()
            yield motion
            found += 1


def _try_transition(
    tally: Tally, mode: str, first: sg.Motion, second: sg.Motion, duration: float, leave: float, enter: float
) -> None:
    if mode == "pinned":
        second, enter = _placed(first, second, duration, leave, enter)
    start = time.perf_counter()
    joined = sg.transition(first, second, duration, leave=leave, enter=enter, mode=mode)
    tally.seconds.append(time.perf_counter() - start)
    stop = leave + duration
    times = np.linspace(leave, stop, 60)
    gap = joined.at(times)
    sides = [first.at(first.times), second.at(second.times)]
    tally.infinite += not all(np.isfinite(part).all() for part in (gap.root, gap.balls, gap.hinges))
    own = np.max([joined.figure.limit_excess(poses).max(axis=0) for poses in sides], axis=0)
    tally.limits.append(float(np.degrees((joined.figure.limit_excess(gap) - own).max())))
    report = joined.fills[0]
    tally.moved += [support.moved for support in report.supports if support.moved is not None]
    tally.energies.append(report.energy / report.start_energy)
    figures = (joined.figure, first.figure, second.figure)
    lowest, *own_lowest = (
        min(figure.point(name, poses)[:, 1].min() for name in SOLES)
        for figure, poses in zip(figures, (gap, *sides), strict=True)
    )
    tally.depths.append(float(min(own_lowest) - lowest))
    for seam in (leave, stop):
        jump, kink = _seam(joined, seam)
        tally.jumps.append(jump)
        tally.kinks.append(kink)
    _check(tally, joined, leave, duration)


def _seam(motion: sg.Motion, at: float) -> tuple[float, float]:
    """Return the largest jump of any joint of the user's skeleton at a time, rad or m, and change of its velocity.

    Velocities before and after are those of straight lines through pairs of frames, and the jump is what is left of the
    way across the seam after going along both.
    """
    clip = motion.to_clip(1.0 / _INSTANT, start=at - 6 * _INSTANT, stop=at + 6 * _INSTANT)
    turns, places = clip.rotations, clip.world[0] * motion.clip_source.space.scale
    # frames are counted from the start of the motion, and need not fall on the seam: leave the two next to it out
    middle = len(turns) // 2
    before, after = [middle - k for k in (4, 3, 2)], [middle + k for k in (3, 2, 1)]
    turning = [
        _at_seam([_turning(turns[i], turns[j]) / (j - i) for i, j in pairwise(side)]) for side in (before, after)
    ]
    moving = [_at_seam([(places[j] - places[i]) / (j - i) for i, j in pairwise(side)]) for side in (before, after)]
    way = 0.5 * (after[-1] - before[-1])
    across = _turning(turns[before[-1]], turns[after[-1]]) - way * (turning[0] + turning[1])
    hop = places[after[-1]] - places[before[-1]] - way * (moving[0] + moving[1])
    kinks = [
        np.linalg.norm(rates[1] - rates[0], axis=-1) / np.maximum(np.linalg.norm(rates[0], axis=-1), slow * _INSTANT)
        for rates, slow in ((turning, _SLOW_TURN), (moving, _SLOW_MOVE))
    ]
    return max(float(np.abs(across).max()), float(np.abs(hop).max())), max(float(kink.max()) for kink in kinks)


def _at_seam(rates: Sequence[Array]) -> Array:
    """Return a rate of change a frame at the seam from those three and two frames away from it, by a straight line."""
    far, near = rates
    seam: Array = near + 2.5 * (near - far)
    return seam


def _turning(first: Array, last: Array) -> Array:
    return quaternion.log(quaternion.multiply(quaternion.conjugate(first), last))


def _placed(
    first: sg.Motion, second: sg.Motion, duration: float, leave: float, enter: float
) -> tuple[sg.Motion, float]:
    """Return the second motion from where it is entered, facing as the first does, put where both velocities lead."""
    rest = sg.trim(second, enter, second.stop)
    where, speed, heading = _root(first, leave)
    _, other_speed, other_heading = _root(rest, rest.start)
    turn = quaternion.exp(np.array([0.0, heading - other_heading, 0.0]))
    there = where + 0.5 * duration * (speed + quaternion.rotate(turn, other_speed))
    return sg.move_to(rest, at=(float(there[0]), float(there[2])), heading=heading), rest.start


def _root(motion: sg.Motion, at: float) -> tuple[Array, Array, float]:
    """Return the root's position and velocity, and the way it faces in radians from +Z towards +X."""
    position, velocity, _ = motion.sample("root_position", at)
    forward = quaternion.rotate(motion.sample("root", at).value[0], _FORWARD)
    return position[0], velocity[0], float(np.arctan2(forward[0], forward[2]))


def _check(tally: Tally, motion: sg.Motion, leave: float, duration: float) -> None:
    report = sg.check(motion, start=leave - _MARGIN, stop=leave + duration + _MARGIN)
    tally.sound += not report.faults
    for finding in report.findings:
        tally.failed[finding.measure] += finding in report.faults


def _together(one: Tally, other: Tally) -> Tally:
    whole = Tally(infinite=one.infinite + other.infinite)
    for name in ("refused", "limits", "moved", "depths", "jumps", "kinks", "energies", "seconds"):
        setattr(whole, name, getattr(one, name) + getattr(other, name))
    return whole


def _report(tally: Tally) -> list[Row]:
    moved, kinks = 100 * np.array(tally.moved), 100 * np.array(tally.kinks)
    depths, energies = 100 * np.array(tally.depths), np.array(tally.energies)
    within = float(np.mean(moved <= 0.5))
    return [
        Row("not finite", f"{tally.infinite} of {TRANSITIONS}"),
        Row("refused", "; ".join([str(len(tally.refused)), *tally.refused[:1]])),
        _bound("joint limits beyond the clips' own, degrees", np.array(tally.limits), 0.5),
        Row("planted supports that move at most 0.5 cm", f"{100 * within:.1f} % of {len(moved)}", within / 0.95, 1.0),
        _bound("planted supports, largest movement, cm", moved, 1.5),
        _bound("feet below the clips' own depth, cm", depths, 1.0),
        _bound("jumps at seams, micrometres or microradians", 1e6 * np.array(tally.jumps), 1.0),
        _bound("change of velocity at seams, % of speed", kinks, 1.0),
        _bound("energy as a part of the Hermite path's", energies, 1.0),
    ]


def _bound(subject: str, values: Array, most: float) -> Row:
    """Return a row that passes where all values are within a bound."""
    over = int(np.sum(values > most))
    figure = f"median {np.median(values):.3g}, 95 % below {np.quantile(values, 0.95):.3g}, largest {values.max():.3g}"
    return Row(subject, f"{figure}; {over} of {len(values)} above {most:g}", float(over == 0), 1.0)


def _check_row(name: str, tally: Tally) -> Row:
    failing = ", ".join(f"{check} {count}" for check, count in tally.failed.most_common() if count)
    return Row(f"segue check, {name}", f"{tally.sound} pass; fail: {failing}")


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure} {row.verdict}")
