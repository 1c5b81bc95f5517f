"""Reading BVH: the hierarchy, then the frames, then the clip that they mean."""

from __future__ import annotations

import math
import re
import warnings
from pathlib import Path

import numpy as np

from segue.body.skeleton import Skeleton
from segue.errors import FileFormatError, SegueWarning
from segue.filesystem import read_bytes
from segue.io.bvh.channels import decode
from segue.io.bvh.decimals import parse_rows
from segue.io.bvh.hierarchy import Hierarchy, read_hierarchy
from segue.io.bvh.record import DETAILS_KEY, BvhRecord, Source, frame_rate, quoted, unique_names
from segue.motion.clip import Clip, Origin
from segue.typing import Array

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SNIFFED = 1024
_FRAMES, _FRAME_TIME = b"frames", b"frame time"
_FIELD = re.compile(rb"\s*(frames|frame[ \t]*time)[ \t]*:?[ \t]*(\S*)", re.IGNORECASE)
_ROW = re.compile(rb"[^\r\n]*")
_NUMBERS = re.compile(rb"\S+")


def read_bvh(path: str | Path) -> Clip:
    """Return the clip in a BVH file, in the file's own units and axes; `SegueWarning`s tell what was odd in it."""
    record, skeleton, rows, oddities = parse_bvh(path)
    for sentence in oddities:
        warnings.warn(sentence, SegueWarning, stacklevel=2)
    positions, rotations = decode(record, skeleton.offsets, rows)
    rows.flags.writeable = False
    fps = frame_rate(float(record.frame_time))
    return Clip.from_arrays(
        skeleton, positions, rotations, fps, origin=Origin("bvh", str(path), rows, {DETAILS_KEY: record})
    )


def parse_bvh(path: str | Path) -> tuple[BvhRecord, Skeleton, Array, list[str]]:
    """Return how a file is laid out, its skeleton, its rows (T, C) of channel values, and sentences on what was odd."""
    source = _open(path)
    hierarchy = read_hierarchy(source)
    announced, frame_time = _motion_header(source)
    names, encoding = _decoded_names(source, hierarchy)
    record = BvhRecord(
        names=names,
        parents=tuple(hierarchy.parents),
        channels=tuple(hierarchy.channels),
        ends=tuple(sorted(hierarchy.ends, key=lambda end: end.joint)),
        frame_time=frame_time,
        encoding=encoding,
    )
    rows = _rows(source, record)
    if len(rows) != announced:
        count = "no number of frames" if announced is None else f"{announced} frames"
        source.note(f"the header announces {count}, but {len(rows)} follow: those {len(rows)} are taken")
    return record, _skeleton(source, record, hierarchy), rows, source.oddities


def _open(path: str | Path) -> Source:
    """Return the text of a file, past a byte order mark, once it looks like text at all."""
    data = read_bytes(path)
    if not data or data.isspace():
        raise FileFormatError("the file is empty: a BVH file begins with the word HIERARCHY", path)
    if data.startswith(_UTF16_MARKS):
        raise FileFormatError("the text is UTF-16: save it as UTF-8", path)
    if b"\0" in data[:_SNIFFED]:
        raise FileFormatError("the file is binary: BVH is text that begins with the word HIERARCHY", path)
    source = Source(data, path)
    if data.startswith(_BYTE_ORDER_MARK):
        source.position = len(_BYTE_ORDER_MARK)
    return source


def _motion_header(source: Source) -> tuple[int | None, str]:
    """Read the fields after MOTION, in either order; return the count of frames, if told, and the frame time."""
    fields: dict[bytes, tuple[bytes, int]] = {}
    while match := _FIELD.match(source.data, source.position):
        field = _FRAMES if match[1].lower() == _FRAMES else _FRAME_TIME
        if field in fields:
            raise source.error(f"{quoted(match[1])} stands a second time: one is needed", match.start(1))
        fields[field] = match[2], match.start(2)
        source.position = match.end()
    return _frame_count(source, fields.get(_FRAMES)), _frame_time(source, fields.get(_FRAME_TIME))


def _frame_count(source: Source, field: tuple[bytes, int] | None) -> int | None:
    if field is None:
        return None
    count = source.as_number(*field, "the number of frames")
    if count < 0 or not count.is_integer():
        raise source.error(f"the number of frames is {quoted(field[0])}: it must be whole and not negative", field[1])
    return int(count)


def _frame_time(source: Source, field: tuple[bytes, int] | None) -> str:
    if field is None:
        message = "there is no 'Frame Time:' here: the seconds from frame to frame must follow MOTION and 'Frames:'"
        raise source.error(message, source.position, column=False)
    seconds = source.as_number(*field, "the frame time in seconds")
    if not (seconds > 0 and math.isfinite(1.0 / seconds)):
        raise source.error(f"the Frame Time is {quoted(field[0])}: it must be a positive number of seconds", field[1])
    return field[0].decode("ascii")


def _decoded_names(source: Source, hierarchy: Hierarchy) -> tuple[tuple[str, ...], str]:
    """Return the joint names and the encoding that makes them text; Latin-1 makes text of anything."""
    try:
        return tuple(name.decode("utf-8") for name in hierarchy.names), "utf-8"
    except UnicodeDecodeError as error:
        source.note(f"the joint name {quoted(error.object)} is not UTF-8, so the names are read as Latin-1")
        return tuple(name.decode("latin-1") for name in hierarchy.names), "latin-1"


def _rows(source: Source, record: BvhRecord) -> Array:
    """Return the numbers (T, C) of all frames."""
    if record.width == 0:
        raise source.error("no joint has a channel, so the file has no motion: CHANNELS must name some", 0)
    rows, bad = parse_rows(source.data, source.position, record.width)
    if bad >= 0:
        raise _bad_row(source, record, bad)
    if len(rows) == 0:
        raise source.error("there are no frames: a row of numbers must follow 'Frame Time:'", len(source.data))
    return rows


def _bad_row(source: Source, record: BvhRecord, start: int) -> FileFormatError:
    """Return the error in a line that is no row of finite numbers, one for each channel."""
    line = _ROW.match(source.data, start)
    assert line is not None  # the pattern may be empty
    numbers = list(_NUMBERS.finditer(source.data, line.start(), line.end()))
    for column, number in enumerate(numbers):
        purpose = record.column_name(column) if column < record.width else "nothing more"
        source.as_number(number[0], number.start(), purpose)
    return source.error(
        f"the count of numbers in this frame is {len(numbers)}: the joints have {record.width} channels, a number each",
        start,
        column=False,
    )


def _skeleton(source: Source, record: BvhRecord, hierarchy: Hierarchy) -> Skeleton:
    names = unique_names(record.names)
    renamed = [(old, new) for old, new in zip(record.names, names, strict=True) if old != new]
    if renamed:
        old, new = renamed[0]
        more = f" (and {len(renamed) - 1} more)" if len(renamed) > 1 else ""
        source.note(f"joint name {quoted(old)} stands twice: the later one is called {quoted(new)} here{more}")
    tips: dict[int, Array] = {}
    for end in record.ends:
        if end.joint in tips:
            source.note(f"joint {quoted(record.names[end.joint])} has two End Sites: the first is its tip")
        else:
            tips[end.joint] = np.array(end.offset)
    return Skeleton(names, record.parents, np.array(hierarchy.offsets), tips)
