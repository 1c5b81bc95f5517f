"""Texts of BVH files, with a place to read on from, and their spelling, channel order, End Sites and frame time."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from segue.errors import FileFormatError, printable
from segue.motion.clip import Clip

NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

_WORD = re.compile(rb"\s*([{}]|[^\s{}]*)")
_NAME = re.compile(rb"[ \t\v\f]*([^{}\r\n]*)")
_NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf|infinity)|[+-]?1\.#\w*", re.IGNORECASE)
_LINE_END = re.compile(rb"\r\n?|\n")
_LONGEST_QUOTE = 40


class Source:
    """The bytes of a file and a cursor in them. Positions are byte indices; lines and columns count from 1.

    oddities: sentences about what was odd and dealt with.
    """

    def __init__(self, data: bytes, path: str | Path) -> None:
        self.data = data
        self.path = path
        self.position = 0
        self.oddities: list[str] = []

    def word(self) -> tuple[bytes, int]:
        """Read on past the next word or brace; return it, empty at the end of the file, and where it stands."""
        match = _WORD.match(self.data, self.position)
        assert match is not None  # every part of the pattern may be empty
        self.position = match.end()
        return match[1], match.start(1)

    def name(self) -> tuple[bytes, int]:
        """Read on past a name: all that is left of the line, or up to a brace; blanks around it are dropped."""
        match = _NAME.match(self.data, self.position)
        assert match is not None  # every part of the pattern may be empty
        self.position = match.end()
        return match[1].rstrip(), match.start(1)

    def number(self, purpose: str) -> float:
        """Read on past a finite number."""
        token, at = self.word()
        return self.as_number(token, at, purpose)

    def as_number(self, token: bytes, at: int, purpose: str) -> float:
        """Return the value of a word that stands at a position, or say what is wrong with it."""
        if NUMBER.fullmatch(token):
            value = float(token)
            if math.isfinite(value):
                return value
        if not token:
            raise self.error(f"the file ends where {purpose} is needed", at)
        if NUMBER.fullmatch(token) or _NOT_FINITE.fullmatch(token):
            wish = "it must be finite"
        elif NUMBER.fullmatch(token.replace(b",", b".", 1)):
            wish = "write a decimal point, not a comma"
        else:
            wish = "it must be a number"
        raise self.error(f"{quoted(token)} stands where {purpose} is needed: {wish}", at)

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of a position."""
        line, start = 1, 0
        for end in _LINE_END.finditer(self.data, 0, at):
            line, start = line + 1, end.end()
        return line, at - start + 1

    def error(self, message: str, at: int, *, column: bool = True) -> FileFormatError:
        """Return the error that something is wrong at a position."""
        line, place = self.place(at)
        return FileFormatError(message, self.path, line, place if column else None)

    def note(self, message: str, at: int | None = None) -> None:
        """Keep a sentence about something odd that was dealt with, for the warnings once all is read."""
        where = str(self.path) if at is None else f"{self.path}:{self.place(at)[0]}"
        self.oddities.append(f"{where}: {message}")


def quoted(token: bytes | str) -> str:
    """Return text in quotes, fit for one line of a message: shortened, and with nothing that does not print."""
    text = token[: 4 * _LONGEST_QUOTE].decode("utf-8", "replace") if isinstance(token, bytes) else token
    short = text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "..."
    return f"'{printable(short)}'"


DETAILS_KEY = "bvh"
"""The key of the `BvhRecord` in a clip's `origin.details`."""

POSITION, ROTATION = "position", "rotation"

# the channel's kind and axis by its lower-case name
CHANNELS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {f"{letter}{kind}": (kind, axis) for kind in (POSITION, ROTATION) for axis, letter in enumerate("xyz")}
)

# the rates of film, television and capture, with their NTSC partners (1000/1001)
_USUAL_RATES = (
    *(24000 / 1001, 24.0, 25.0, 30000 / 1001, 30.0, 48.0, 50.0),
    *(60000 / 1001, 60.0, 90.0, 100.0, 120000 / 1001, 120.0, 240.0),
)
_SNAP = 1e-3


@dataclass(frozen=True)
class EndSite:
    """The tip of a bone: its joint, how many child joints stand before it in the file, and its offset.

    More than one may hang on a joint; a skeleton keeps the first.
    """

    joint: int
    after_children: int
    offset: tuple[float, float, float]


@dataclass(frozen=True)
class BvhRecord:
    """How a BVH file was laid out, so that it can be written so again.

    names: as the file spells them, repetitions included. channels: for each joint, as spelled, left to right.
    frame_time: the text after "Frame Time:". encoding: of the joint names.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    channels: tuple[tuple[str, ...], ...]
    ends: tuple[EndSite, ...]
    frame_time: str
    encoding: str = "utf-8"

    @cached_property
    def width(self) -> int:
        """Count of numbers in a row."""
        return sum(len(names) for names in self.channels)

    @cached_property
    def position_columns(self) -> tuple[tuple[int, int, int], ...]:
        """Joint, axis and column of every position channel, in file order."""
        return tuple((joint, axis, column) for kind, joint, axis, column in self._columns if kind == POSITION)

    @cached_property
    def rotation_columns(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each joint, axis and column of its rotation channels, left to right."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.names]
        for kind, joint, axis, column in self._columns:
            if kind == ROTATION:
                found[joint].append((axis, column))
        return tuple(tuple(each) for each in found)

    @cached_property
    def _columns(self) -> tuple[tuple[str, int, int, int], ...]:
        flat = [(joint, name) for joint, names in enumerate(self.channels) for name in names]
        return tuple((*_kind_first(joint, name), column) for column, (joint, name) in enumerate(flat))

    def column_name(self, column: int) -> str:
        """Return words for a column, such as: Zrotation of joint 'Hips'."""
        flat = [(joint, name) for joint, names in enumerate(self.channels) for name in names]
        joint, name = flat[column]
        return f"{name} of joint {quoted(self.names[joint])}"


def bvh_record(clip: Clip) -> BvhRecord | None:
    """Return how the file was laid out that a clip was read from; None where that was no BVH file."""
    details = clip.origin.details if clip.origin is not None else None
    record = (details or {}).get(DETAILS_KEY)
    return record if isinstance(record, BvhRecord) else None


def _kind_first(joint: int, name: str) -> tuple[str, int, int]:
    kind, axis = CHANNELS[name.lower()]
    return kind, joint, axis


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names with every repetition numbered: Hips, Hips_2, Hips_3, ... , always the same way."""
    taken = set(names)
    used: set[str] = set()
    next_number: dict[str, int] = {}
    unique = []
    for original in names:
        name = original
        if original in used:
            number = next_number.get(original, 2)
            while (name := f"{original}_{number}") in taken:
                number += 1
            next_number[original] = number + 1
            taken.add(name)
        used.add(name)
        unique.append(name)
    return tuple(unique)


def frame_rate(frame_time: float) -> float:
    """Return frames a second: the usual rate within 0.1 % of the frame time, which files round, or else its inverse."""
    nearest = min(_USUAL_RATES, key=lambda rate: abs(rate * frame_time - 1.0))
    return nearest if abs(nearest * frame_time - 1.0) <= _SNAP else 1.0 / frame_time
