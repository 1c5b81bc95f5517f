"""Ways to fill the gaps of windows: slerp, cubic Hermite, and any function from a clip to a clip, such as Segue's."""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

import segue as sg
from segue.curves import quaternion
from segue.motion.space import Space
from segue.typing import Array
from tests.support.inbetween_windows import FPS, GIVEN, Local, Windows

ClipFiller = Callable[[sg.Clip, int, Space], sg.Clip]
"""From a clip of 10 + gap + 10 frames and the gap's length to a clip of as many frames.

The clip's frames in the gap are slerped: nothing of what they were is in there. The space is what the whole clip was
understood to mean: unit and up axis.
"""


@dataclass(frozen=True)
class Filled:
    """The gap's frames of all windows; how far given frames were moved, in metres; why windows could not be filled."""

    gap: Local
    moved: float = 0.0
    refused: tuple[str, ...] = ()


def slerp(windows: Windows, gap: int) -> Filled:
    """Interpolate: joints along great arcs, the root along a line, from the last given frame to the next."""
    start, stop = _ends(windows, gap, 1)
    fraction = _fraction(gap)
    positions = start.positions + fraction[:, None, None] * (stop.positions - start.positions)
    return Filled(Local(positions, quaternion.slerp(start.rotations, stop.rotations, fraction[:, None])))


def hermite(windows: Windows, gap: int) -> Filled:
    """Interpolate by cubics that meet values and velocities, these to second order from three frames on each side.

    Rotations are rotation vectors in a chart about the middle of the great arc between the ends.
    """
    before, after = _ends(windows, gap, 3)
    middle = quaternion.slerp(before.rotations[:, -1:], after.rotations[:, :1], 0.5)
    back = quaternion.conjugate(middle)
    vectors = _cubic(*(quaternion.log(quaternion.multiply(back, each.rotations)) for each in (before, after)), gap)
    rotations = quaternion.multiply(middle, quaternion.exp(vectors))
    return Filled(Local(_cubic(before.positions, after.positions, gap), rotations))


def by_clip(filler: ClipFiller, windows: Windows, gap: int, processes: int = 1) -> Filled:
    """Fill one window after the other; where the filler refuses with a SegueError the slerp stays, and is counted."""
    given = without_gap(windows, gap)
    work = partial(_fill_one, filler, windows, given, gap)
    if processes == 1:
        results = [work(index) for index in range(len(windows))]
    else:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(processes, context, _remember, (work,)) as pool:
            results = list(pool.map(_recall, range(len(windows)), chunksize=4))
    frames = Local(np.stack([result[0] for result in results]), np.stack([result[1] for result in results]))
    refused = tuple(result[2] for result in results if result[2])
    outside = np.r_[0:GIVEN, GIVEN + gap : frames.positions.shape[1]]
    before, after = (windows.world(Local(*(part[:, outside] for part in pair))).positions for pair in (given, frames))
    return Filled(frames.frames(GIVEN, GIVEN + gap), float(np.abs(before - after).max()), refused)


def segue_fill(clip: sg.Clip, gap: int, space: Space) -> sg.Clip:
    """Fill by Segue's default objective, knowing no more than a user would say."""
    motion = sg.Motion.from_clip(clip, scale=space.scale, up=space.up)
    return sg.fill(motion, gaps=[((GIVEN - 1) / FPS, (GIVEN + gap) / FPS)]).to_clip()


_work: Callable[[int], tuple[Array, Array, str]]


def _remember(work: Callable[[int], tuple[Array, Array, str]]) -> None:
    """Keep in a forked process what need not, and cannot, be sent to it."""
    global _work
    _work = work


def _recall(index: int) -> tuple[Array, Array, str]:
    return _work(index)


def _fill_one(filler: ClipFiller, windows: Windows, given: Local, gap: int, index: int) -> tuple[Array, Array, str]:
    """Return a window's frames after filling, and why that was refused, if it was."""
    source = windows.sources[index]
    positions, rotations = given.positions[index].copy(), given.rotations[index].copy()
    clip = sg.Clip.from_arrays(source.clip.skeleton, positions, rotations, source.clip.fps)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sg.SegueWarning)
            filled = filler(clip, gap, source.space)
    except sg.SegueError as error:
        return positions, rotations, str(error)
    if len(filled) != len(clip):
        raise ValueError(f"a filler made {len(filled)} frames of {len(clip)}")
    return filled.positions, filled.rotations, ""


def without_gap(windows: Windows, gap: int) -> Local:
    """Return windows of 10 + gap + 10 frames whose gap is slerped."""
    frames = windows.frames.frames(0, GIVEN + gap + GIVEN)
    between = slerp(windows, gap).gap
    before, after = frames.frames(0, GIVEN), frames.frames(GIVEN + gap, GIVEN + gap + GIVEN)
    return Local(*(np.concatenate(parts, axis=1) for parts in zip(before, between, after, strict=True)))


def _ends(windows: Windows, gap: int, count: int) -> tuple[Local, Local]:
    """Return the last frames before the gap and the first after it."""
    stop = GIVEN + gap
    return windows.frames.frames(GIVEN - count, GIVEN), windows.frames.frames(stop, stop + count)


def _fraction(gap: int) -> Array:
    """Return how much of the way from the last given frame to the next each frame of the gap has gone."""
    return np.arange(1, gap + 1) / (gap + 1)


def _cubic(before: Array, after: Array, gap: int) -> Array:
    """Return the cubics (W, gap, J, 3) through the third of three values before (W, 3, J, 3) and the first after."""
    frames = gap + 1
    start, stop = before[:, 2:], after[:, :1]
    leaving = frames * (1.5 * before[:, 2:] - 2.0 * before[:, 1:2] + 0.5 * before[:, :1])
    arriving = frames * (-1.5 * after[:, :1] + 2.0 * after[:, 1:2] - 0.5 * after[:, 2:])
    u = _fraction(gap)[:, None, None]
    rise = u**2 * (3.0 - 2.0 * u)
    return start + rise * (stop - start) + u * (1.0 - u) * ((1.0 - u) * leaving - u * arriving)
