"""Writing BVH: as it was read where that is known, and otherwise in a plain layout that every tool reads."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from segue.body.skeleton import Skeleton
from segue.errors import ArgumentError, FileFormatError, SegueWarning
from segue.filesystem import atomic_write
from segue.io.bvh.channels import displaced_joints, fill_rows
from segue.io.bvh.decimals import format_number, format_rows
from segue.io.bvh.record import BvhRecord, EndSite, bvh_record, frame_rate, quoted, unique_names
from segue.motion.clip import Clip
from segue.typing import Array

_POSITIONS = ("Xposition", "Yposition", "Zposition")
_ROTATIONS = ("Zrotation", "Yrotation", "Xrotation")
_UNCARRIED = frozenset("{}\r\n")
_DEEPEST_INDENT = 100  # tabs: the size of a file is not to grow with the square of its depth


def write_bvh(clip: Clip, path: str | Path) -> None:
    """Write a clip as BVH, in its own units and axes; the file appears whole or not at all.

    A clip that was read from BVH keeps hierarchy, names, channel order, End Sites and frame time, and the frames whose
    rows are in its origin get exactly those numbers. Other frames are computed, with angles that continue those of the
    frame before. Any other clip gets positions and ZYX rotations on each root, ZYX rotations on the other joints, with
    positions where they leave their offsets; its joints are written depth first.
    """
    record = _layout_as_read(clip)
    if record is None:
        clip = _depth_first(clip)
        record = _plain_layout(clip)
        rows = np.full((len(clip), record.width), np.nan)
    else:
        rows = _rows_as_read(clip, record)
    header = _header(record, clip, path)
    rows, lost = fill_rows(record, clip, rows)
    with atomic_write(path) as beside, beside.open("wb") as file:
        file.write(header)
        file.writelines(format_rows(rows))
    for sentence in lost:
        warnings.warn(f"{path}: {sentence}", SegueWarning, stacklevel=2)


def _layout_as_read(clip: Clip) -> BvhRecord | None:
    """Return the layout of the file that the clip came from, with what changed since; None where there is none."""
    record = bvh_record(clip)
    if record is None or record.parents != clip.parents:
        return None
    known_as = unique_names(record.names)
    names = (old if known == now else now for old, known, now in zip(record.names, known_as, clip.names, strict=True))
    same_rate = frame_rate(float(record.frame_time)) == clip.fps
    return dataclasses.replace(
        record,
        names=tuple(names),
        ends=tuple(_ends_as_read(record, clip.skeleton)),
        frame_time=record.frame_time if same_rate else format_number(1.0 / clip.fps),
    )


def _ends_as_read(record: BvhRecord, skeleton: Skeleton) -> Iterator[EndSite]:
    """Yield the file's End Sites with the skeleton's tips, then tips that the file did not have."""
    placed: set[int] = set()
    for end in record.ends:
        if end.joint in placed:
            yield end
        elif end.joint in skeleton.ends:
            yield dataclasses.replace(end, offset=_vector(skeleton.ends[end.joint]))
            placed.add(end.joint)
    for joint in skeleton.ends.keys() - placed:
        yield EndSite(joint, len(skeleton.children(joint)), _vector(skeleton.ends[joint]))


def _rows_as_read(clip: Clip, record: BvhRecord) -> Array:
    """Return the rows of the clip's origin, NaN where it has none."""
    assert clip.origin is not None  # the record came from there
    rows = clip.origin.rows
    if rows is None:
        return np.full((len(clip), record.width), np.nan)
    if rows.shape != (len(clip), record.width):
        raise ArgumentError(
            f"the rows in the clip's origin have shape {rows.shape}: ({len(clip)}, {record.width}) is needed, "
            "a row a frame and a column a channel"
        )
    return rows


def _depth_first(clip: Clip) -> Clip:
    """Return the clip with its joints in the order in which BVH nests them."""
    skeleton = clip.skeleton
    children: list[list[int]] = [[] for _ in skeleton.names]
    roots: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        (roots if parent < 0 else children[parent]).append(joint)
    order: list[int] = []
    waiting = roots[::-1]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += children[joint][::-1]
    if order == sorted(order):
        return clip
    place = {joint: new for new, joint in enumerate(order)}
    place[-1] = -1
    reordered = Skeleton(
        tuple(skeleton.names[joint] for joint in order),
        tuple(place[skeleton.parents[joint]] for joint in order),
        skeleton.offsets[order],
        {place[joint]: tip for joint, tip in skeleton.ends.items()},
    )
    return Clip.from_arrays(reordered, clip.positions[:, order], clip.rotations[:, order], clip.fps)


def _plain_layout(clip: Clip) -> BvhRecord:
    """Return the layout for a clip that no BVH file laid out; every leaf gets an End Site, as many readers want."""
    skeleton = clip.skeleton
    moving = set(np.flatnonzero(displaced_joints(skeleton, clip.positions).any(axis=1)).tolist())
    channels = [
        (*_POSITIONS, *_ROTATIONS) if parent < 0 or joint in moving else _ROTATIONS
        for joint, parent in enumerate(skeleton.parents)
    ]
    children = [0] * len(skeleton)
    for parent in skeleton.parents:
        if parent >= 0:
            children[parent] += 1
    ends = [
        EndSite(joint, count, _vector(skeleton.ends.get(joint, np.zeros(3))))
        for joint, count in enumerate(children)
        if joint in skeleton.ends or count == 0
    ]
    return BvhRecord(
        skeleton.names, skeleton.parents, tuple(channels), tuple(ends), frame_time=format_number(1.0 / clip.fps)
    )


def _header(record: BvhRecord, clip: Clip, path: str | Path) -> bytes:
    """Return all that stands before the rows."""
    for name in record.names:
        _check_name(name, path)
    lines = [
        "HIERARCHY",
        *_hierarchy_lines(record, clip.offsets),
        "MOTION",
        f"Frames: {len(clip)}",
        f"Frame Time: {record.frame_time}",
    ]
    text = "\n".join(lines) + "\n"
    try:
        return text.encode(record.encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8")


def _check_name(name: str, path: str | Path) -> None:
    if not name or name != name.strip(" \t\v\f") or not _UNCARRIED.isdisjoint(name):
        raise FileFormatError(
            f"BVH cannot carry the joint name {quoted(name)}: "
            "rename the joint, without line ends, braces or blanks around the name",
            path,
        )
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise FileFormatError(f"the joint name {quoted(name)} cannot be written as UTF-8: rename it", path) from None


def _hierarchy_lines(record: BvhRecord, offsets: Array) -> Iterator[str]:
    """Yield the lines of the joints; they come depth first, so the open ones are a stack."""
    ends: list[list[EndSite]] = [[] for _ in record.names]
    for end in record.ends:
        ends[end.joint].append(end)
    children = [0] * len(record.names)
    opened: list[int] = []
    for joint, parent in enumerate(record.parents):
        while opened and opened[-1] != parent:
            yield from _closing_lines(len(opened), ends[opened.pop()])
        margin = _margin(len(opened))
        if parent >= 0:
            before = [end for end in ends[parent] if end.after_children <= children[parent]]
            ends[parent] = ends[parent][len(before) :]
            yield from _end_lines(len(opened), before)
            children[parent] += 1
        yield f"{margin}{'JOINT' if parent >= 0 else 'ROOT'} {record.names[joint]}"
        yield f"{margin}{{"
        opened.append(joint)
        margin = _margin(len(opened))
        yield f"{margin}OFFSET {_numbers(offsets[joint].tolist())}"
        yield f"{margin}{' '.join(('CHANNELS', str(len(record.channels[joint])), *record.channels[joint]))}"
    while opened:
        yield from _closing_lines(len(opened), ends[opened.pop()])


def _closing_lines(depth: int, ends: Iterable[EndSite]) -> Iterator[str]:
    yield from _end_lines(depth, ends)
    yield f"{_margin(depth - 1)}}}"


def _end_lines(depth: int, ends: Iterable[EndSite]) -> Iterator[str]:
    for end in ends:
        yield f"{_margin(depth)}End Site"
        yield f"{_margin(depth)}{{"
        yield f"{_margin(depth + 1)}OFFSET {_numbers(end.offset)}"
        yield f"{_margin(depth)}}}"


def _margin(depth: int) -> str:
    return "\t" * min(depth, _DEEPEST_INDENT)


def _numbers(values: Iterable[float]) -> str:
    return " ".join(map(format_number, values))


def _vector(values: Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
