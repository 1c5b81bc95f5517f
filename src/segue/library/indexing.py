"""From a clip's file to what a library keeps of it: 30 poses a second of the figure, and which of them to trust."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from segue import io
from segue.body.skeleton import Skeleton
from segue.compiled.kernel import interruptible
from segue.curves.sampled import runs
from segue.errors import ArgumentError
from segue.filling.features import RATE
from segue.library.library_clip import pack_poses
from segue.library.record import ClipRecord, Source
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.fit import Fit, Progress
from segue.motion.options import ClipOptions
from segue.motion.recognise import added_frames, check_lengths, check_numbers, check_rate, recognise
from segue.motion.resample import resample, select_frames, with_rows
from segue.motion.space import find_space

_SHORTEST = 15  # frames: half a second, below which no gap has both its ends

# Capture that is evidently bad: what these catch of clean capture is next to nothing (no frame of 23 CMU clips but one
# with broken arms, 0.2 % of LAFAN1). A sprinter does 0.4 m a frame.
_STRAINED = 3.0  # times the strain that is usual in the clip
_LEAST_STRAIN = 0.05  # m
_LEAPING = float(np.radians(120.0))  # by which a joint's turning changes from one frame to the next
_FARTHEST = 0.5  # m of the root a frame
_MARGIN = 2  # frames beside bad ones


@interruptible
def index_clip(source: Source, name: str, progress: Progress | None = None) -> tuple[ClipRecord, bytes]:
    """Return what a library knows of a clip, and the bytes of its poses; raises what reading and fitting raise."""
    take = _take_at_rate(io.read(source.path), source.options)
    if len(take.clip) < _SHORTEST:
        raise ArgumentError(
            f"the clip lasts {take.duration:.2f} s: a library needs clips of at least {_SHORTEST / RATE:g} s"
        )
    fit = take.fit(progress)
    poses = fit.poses
    sections = tuple(sound_sections(fit))
    if not sections:
        raise ArgumentError("the capture is bad throughout: the figure cannot follow half a second of it")
    block = pack_poses(poses.root, poses.balls, poses.hinges)
    skeleton = take.clip.skeleton
    record = ClipRecord(
        name,
        source,
        f"{take.roles.family}, {len(skeleton)} joints",
        _person(skeleton, take.space.scale),
        fit.figure,
        len(poses),
        sections,
        hashlib.sha256(block).hexdigest(),
    )
    return record, block


def _take_at_rate(clip: Clip, options: ClipOptions) -> ClipSource:
    """Return a clip understood, at the rate of libraries, without a T pose that was added."""
    check_rate(clip)
    check_numbers(clip)
    thin = _strided(clip, 0)
    roles = recognise(thin)
    added = added_frames(clip, roles)  # at the clip's own rate, of whose frames it looks at the first seconds
    used = _strided(clip, added) if added else thin
    space = find_space(used, roles, scale=options.scale, up=options.up)
    check_lengths(select_frames(clip, added, len(clip)), space.scale, added)
    return ClipSource(used, roles, space, mass=options.mass, sex=options.sex)


def _strided(clip: Clip, first: int) -> Clip:
    """Return a clip from a frame on at the rate of libraries: frames of its own where it has them, else by curves."""
    step = round(clip.fps / RATE)
    if step < 1 or abs(clip.fps - step * RATE) > 1e-6 * clip.fps:
        return resample(select_frames(clip, first, len(clip)), RATE)
    positions, rotations = clip.positions[first::step], clip.rotations[first::step]
    origin = with_rows(clip.origin, None)
    return Clip.from_arrays(clip.skeleton, np.array(positions), np.array(rotations), RATE, origin=origin)


def sound_sections(fit: Fit) -> Iterator[tuple[int, int]]:
    """Yield first frame, and the one after the last, of each section in which a clip is not evidently bad."""
    bad = fit.residual_norm > max(_STRAINED * fit.usual_residual, _LEAST_STRAIN)
    bad |= fit.rotation_jumps > _LEAPING
    leap = np.flatnonzero(np.linalg.norm(np.diff(fit.poses.root, axis=0), axis=1) > _FARTHEST)
    bad[leap] = bad[leap + 1] = True
    around = np.convolve(bad, np.ones(2 * _MARGIN + 1), mode="same") > 0 if bad.any() else bad
    for first, last in runs(~around):
        if last - first >= _SHORTEST:
            yield first, last


def _person(skeleton: Skeleton, scale: float) -> str:
    """Return an identifier of a body from its joints and bone lengths, to the millimetre."""
    lengths = np.round(1000.0 * scale * np.linalg.norm(skeleton.offsets, axis=1)).astype(np.int64)
    bones = [
        f"{name} {parent} {length if parent >= 0 else 0}"
        for name, parent, length in zip(skeleton.names, skeleton.parents, lengths, strict=True)
    ]
    return hashlib.sha256("\n".join(bones).encode("utf-8", "surrogatepass")).hexdigest()[:12]
